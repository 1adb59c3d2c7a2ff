"""The command `benben arena`: bots against each other."""

from pathlib import Path
from typing import Annotated

import typer

from benben.bots.warm import BOTS
from benben.lab.arena import Arena
from benben.terminal import contest, standings
from benben.terminal.arguments import (
    GameName,
    Json,
    Milliseconds,
    Options,
    Players,
    Seed,
    chosen_game,
    in_seconds,
    to_stderr,
    to_stdout,
)
from benben.terminal.ready import ready


def arena(
    game: GameName,
    *,
    bots: Annotated[
        str,
        typer.Option(help="Who plays, such as 3,4,greedy,uct:1000.", metavar="BOT,BOT,…"),
    ],
    games: Annotated[
        int, typer.Option(help="How many games; whole rounds are played.", metavar="N")
    ],
    players: Players = None,
    option: Options = None,
    time_ms: Milliseconds = None,
    openings: Annotated[
        int,
        typer.Option(help="How many random moves come first, by both sides.", metavar="N"),
    ] = 0,
    gauntlet: Annotated[
        bool,
        typer.Option(
            "--gauntlet",
            help="Only the first bot against each of the others, who have all seats but one.",
        ),
    ] = False,
    sprt: Annotated[
        float | None,
        typer.Option(
            help="Stop when it is clear whether the first bot has so many points of 100 more than "
            "half of them.",
            metavar="POINTS",
        ),
    ] = None,
    cpu_time: Annotated[
        bool,
        typer.Option(
            "--cpu-time", help="Count the time of the bots' own work, whatever else goes on here."
        ),
    ] = False,
    jobs: Annotated[int, typer.Option(help="How many games at a time.", metavar="J")] = 1,
    processes: Annotated[
        bool,
        typer.Option("--processes", help="In processes instead of threads: for bots in Python."),
    ] = False,
    cluster: Annotated[
        str | None,
        typer.Option(help="On the workers of a Dask scheduler.", metavar="ADDRESS"),
    ] = None,
    seed: Seed = None,
    out: Annotated[
        Path | None, typer.Option(help="The file of results to write and go on with.")
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(help="A folder to write every game to, as a record.", metavar="FOLDER"),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Forget the results that are there.")
    ] = False,
    json: Json = False,
) -> None:
    """Let bots play each other, in every seating alike, and say who is better."""
    where = contest.place(jobs, processes, cluster)
    contest.check(games, time_ms)
    chosen = chosen_game(game, players, option)
    arena = Arena(
        chosen,
        contest.names(bots),
        "0" if seed is None else seed,
        in_seconds(time_ms),
        openings=openings,
        gauntlet=gauntlet,
        cpu=cpu_time,
    )
    test = contest.sequential(sprt, arena)
    ready(chosen, to_stderr(), BOTS)
    done = contest.run(
        arena, games, to_stderr(), where, path=out, fresh=fresh, sprt=test, records=records
    )
    standings.report(done, to_stdout())
    if json:
        typer.echo(standings.as_json(done))
