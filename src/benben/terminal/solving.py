"""Solving a game, with something to watch, and what came of it."""

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from benben.bots.exact import Solution, solution
from benben.core.game import Game


def solve(game: Game, console: Console) -> list[str]:
    """Solve it, or read what was found before; the lines to print. `console` is on stderr.

    BenbenError if the game is not solved here.
    """
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task(f"Solving {game.name}", total=None)
        found = solution(
            game, lambda done, total: progress.update(task, completed=done, total=total)
        )
    return _report(game, found)


def _report(game: Game, found: Solution) -> list[str]:
    own = game.info.option.name
    took = "read from the cache" if found.seconds is None else f"solved in {found.seconds:.1f} s"
    kept = "not kept: the cache is not writable" if found.file is None else str(found.file)
    return [
        f"{game.name}, {game.players} players, {own}={game.options[own]}",
        found.size,
        f"first player wins: {found.first_player:.12f}",
        f"second player wins: {1 - found.first_player:.12f}",
        f"{took}; {kept}",
    ]
