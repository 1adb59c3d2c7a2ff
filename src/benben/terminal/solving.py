"""Solving a game, with something to watch, and what came of it."""

from rich.console import Console

from benben.bots.exact import Solution, solution
from benben.core.game import Game
from benben.terminal.bar import bar
from benben.terminal.speech import say

_SEATS = ("solve.first", "solve.second", "solve.third")


def solve(game: Game, console: Console) -> list[str]:
    """Solve it, or read what was found before; the lines to print. `console` is on stderr.

    BenbenError if the game is not solved here.
    """
    with bar(console) as progress:
        task = progress.add_task(say("solve.solving", game=game.name), total=None)
        found = solution(
            game, lambda done, total: progress.update(task, completed=done, total=total)
        )
    return _report(game, found)


def _report(game: Game, found: Solution) -> list[str]:
    own = game.info.option.name
    took = say("solve.read")
    if found.seconds is not None:
        took = say("solve.took", seconds=f"{found.seconds:.1f}")
    kept = say("solve.not-kept") if found.file is None else str(found.file)
    return [
        say(
            "solve.title", game=game.name, players=game.players, option=own, value=game.options[own]
        ),
        found.size,
        *(say(seat, chance=f"{p:.12f}") for seat, p in zip(_SEATS, found.chances, strict=False)),
        say("solve.kept", took=took, kept=kept),
    ]
