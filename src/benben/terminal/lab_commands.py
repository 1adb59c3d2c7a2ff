"""`benben lab …`: what games are like, found out by many games between bots."""

from pathlib import Path
from typing import Annotated

import typer

from benben.bots.warm import BOTS
from benben.core.errors import BadOption, BenbenError
from benben.core.game import Game
from benben.lab.balance.comparing import variants
from benben.lab.balance.study import study_of
from benben.terminal import contest
from benben.terminal.arguments import (
    GameName,
    Options,
    Players,
    Seed,
    answering,
    chosen_game,
    to_stderr,
)
from benben.terminal.balancing import (
    GAMES,
    LEVEL,
    Way,
    balance,
    check_folder,
    check_ladder,
    compare,
    save,
    summary,
)
from benben.terminal.ready import ready
from benben.terminal.speech import say

lab = typer.Typer(help="Find out what games are like.", no_args_is_help=True)

Bots = Annotated[
    str | None,
    typer.Option(help="Who plays, such as 5, 6:500 or 3,4.", metavar="BOT,…"),
]
Games = Annotated[int, typer.Option(help="How many games; whole rounds are played.", metavar="N")]
Openings = Annotated[
    int | None,
    typer.Option(
        help="How many random moves come first; unless told, none where luck tells games apart.",
        metavar="N",
    ),
]
Jobs = Annotated[int, typer.Option(help="On how many processes.", metavar="J")]
Cluster = Annotated[
    str | None, typer.Option(help="On the Dask cluster at this address.", metavar="ADDRESS")
]
Out = Annotated[Path, typer.Option(help="The folder to write files to.", metavar="DIR")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Forget the games that are there.")]


@lab.command("balance")
@answering
def lab_balance(
    game: GameName,
    players: Players = None,
    option: Options = None,
    level: Annotated[
        int | None, typer.Option(help=f"The level on every seat, {LEVEL} unless told.", metavar="L")
    ] = None,
    bots: Bots = None,
    games: Games = GAMES,
    ladder: Annotated[
        int,
        typer.Option(help="Also so many games between levels 1 to 5, for skill.", metavar="N"),
    ] = 0,
    openings: Openings = None,
    seed: Seed = None,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    out: Out = Path(),
    fresh: Fresh = False,
) -> None:
    """Let equal bots play, and report who wins, when and how: HTML, JSON and CSV."""
    if level is not None and bots is not None:
        raise BenbenError(say("lab.level-or-bots"))
    names = contest.names(bots) if bots is not None else [LEVEL if level is None else str(level)]
    contest.check(games)
    where = contest.place(jobs, jobs > 1, cluster)
    check_ladder(ladder)
    chosen = _without_first(chosen_game(game, players, option), option)
    study = study_of(chosen, tuple(names), "0" if seed is None else seed, openings)
    check_folder(out)
    ready(chosen, to_stderr(), BOTS)
    made, notes = balance(study, games, ladder, Way(to_stderr(), where, fresh))
    for line in [*summary(made), *map(str, save(made, out, notes))]:
        typer.echo(line)


@lab.command("compare")
@answering
def lab_compare(
    game: GameName,
    players: Players = None,
    bots: Bots = None,
    games: Games = GAMES,
    openings: Openings = None,
    seed: Seed = None,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    out: Out = Path(),
    fresh: Fresh = False,
) -> None:
    """Set every value of a game's option side by side, for each bot that is named."""
    contest.check(games)
    where = contest.place(jobs, jobs > 1, cluster)
    chosen = chosen_game(game, players, None)
    names = contest.names(bots or LEVEL)
    studies = variants(chosen, names, "0" if seed is None else seed, openings)
    check_folder(out)
    ready(chosen, to_stderr(), BOTS)
    made = compare(studies, games, Way(to_stderr(), where, fresh))
    for line in [*summary(made), *map(str, save(made, out))]:
        typer.echo(line)


def _without_first(game: Game, options: list[str] | None) -> Game:
    for text in options or []:
        if text.startswith("first="):
            raise BadOption("first", text.removeprefix("first="), "every seat begins in turn here")
    return game
