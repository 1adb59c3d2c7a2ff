"""Waiting for the compiler, the first time a game is played, with something to watch."""

from collections.abc import Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benben.bots.warm import BOTS
from benben.core.game import Game
from benben.core.warm import RULES, Warming, is_warm, warm_up


def ready(game: Game, console: Console, *, bots: bool = False) -> None:
    """Compile what the game needs, if that has not been done; `console` writes to stderr."""
    wanted = (RULES, BOTS) if bots else (RULES,)
    cold = [warming for warming in wanted if not is_warm(game, warming)]
    if not cold:
        return
    title = f"Preparing {game.name} (first time only)"
    if not console.is_terminal:
        console.print(f"{title} …", highlight=False)
        for _ in _compile(game, cold):
            pass
        return
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("[dim]{task.fields[step]}"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    ) as progress:
        steps = [step for warming in cold for step in warming.steps]
        task = progress.add_task(title, total=len(steps), step=steps[0])
        for done, _ in enumerate(_compile(game, cold), 1):
            upcoming = steps[done] if done < len(steps) else ""
            progress.update(task, completed=done, step=upcoming)


def _compile(game: Game, cold: list[Warming]) -> Iterator[str]:
    for warming in cold:
        yield from warm_up(game, warming)
