"""Playing the games of a study, and keeping them: `lab/workers.py` plays, here or elsewhere."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from threading import Event

from benben.bots.exact import prepare
from benben.core.errors import PlayerFailed
from benben.core.game import Game
from benben.lab.balance.notes import Notes
from benben.lab.balance.study import Study, bot_of
from benben.lab.balance.watching import GameNote
from benben.lab.jobs import Players, check_stop
from benben.lab.workers import HERE, Where, play_games

_prepared: set[Game] = set()


def prepare_study(study: Study) -> None:
    """Have solutions at hand, so that games are judged alike from the first one on.

    Every bot is made once: what is wrong with a name is an error now, not after an hour.
    """
    if study.game not in _prepared:
        prepare(study.game, surely="exact" in study.bots)
        _prepared.add(study.game)
    for bot in study.bots:
        bot_of(bot, study.game).player.close()


@dataclass(frozen=True)
class StudyJob:
    """The games of a study, for whoever plays them."""

    study: Study

    def play(self, number: int, players: Players, stop: Event) -> GameNote:
        """Bots are made anew for each game, so that none knows of another."""
        if self.study.game not in _prepared:  # in another process
            prepare_study(self.study)
        try:
            return self.study.play(number, stop)
        except PlayerFailed:
            check_stop(stop)
            raise


def play_study(
    study: Study,
    rounds: int,
    notes: Notes,
    where: Where = HERE,
    note: Callable[[GameNote], object] = lambda _: None,
) -> list[GameNote]:
    """Play what the file lacks; then every game of the rounds, in order.

    `note` is told of every game that is played. Whatever stops this, an interrupt too, finished
    games are kept.
    """
    total = rounds * study.round_size
    missing = [number for number in range(total) if number not in notes.games]
    if missing:
        with closing(play_games(StudyJob(study), missing, where)) as games:
            for _, played in games:
                notes.add(played)
                note(played)
    return [notes.games[number] for number in range(total)]
