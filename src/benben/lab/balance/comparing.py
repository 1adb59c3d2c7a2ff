"""Reports side by side: every value of a game's own option, for each bot that is named."""

from collections.abc import Sequence

from benben import __version__
from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.registry import game as find
from benben.lab.balance.report import Comparison, Report, Row
from benben.lab.balance.study import Study, study_of

_HALFWAY = 5  # tenths


def variants(game: Game, bots: Sequence[str], seed: str, openings: int | None) -> list[Study]:
    """A study for every value that so many players may choose, and each bot.

    Random openings are the same in all of them: as many as the one that needs most.
    """
    option, players = game.info.option, game.players
    values = [
        value
        for value in option.values
        if players in option.players and players in option.limits.get(value, option.players)
    ]
    if len(values) < 2 and len(bots) < 2:
        raise BenbenError(f"{game.name} for {players} has one way to play: name several levels")
    own = [{option.name: value} for value in values] or [{}]
    studies = [
        study_of(find(game.name, players=players, **each), (bot,), seed, openings)
        for each in own
        for bot in bots
    ]
    most = max(study.openings for study in studies)
    return [
        Study(each.name, each.players, each.value, each.bots, each.seed, most) for each in studies
    ]


def comparison_of(reports: Sequence[Report], command: str) -> Comparison:
    """What can be compared of some reports."""
    setting = reports[0].setting
    return Comparison(
        game=setting.game,
        players=setting.players,
        command=command,
        benben=__version__,
        rows=[_row(report) for report in reports],
    )


def _row(report: Report) -> Row:
    lead = report.lead
    return Row(
        option=report.setting.option,
        bots=report.setting.bots,
        games=report.setting.games,
        by_order=report.by_order,
        draws=report.draws,
        ties=report.ties,
        length=report.length,
        choices=report.choices.mean,
        settled=None if lead.settled is None else lead.settled.median,
        leader_wins_halfway=lead.leader_wins[_HALFWAY],
        exact=report.exact.chances if report.exact else [],
    )
