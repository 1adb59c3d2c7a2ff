"""Waiting for the compiler, the first time a game is played, with something to watch."""

from collections.abc import Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benben.core.game import Game
from benben.core.warm import RULES, Stage, is_warm, warm_up
from benben.terminal.speech import say


def ready(game: Game, console: Console, *more: Stage) -> None:
    """Compile the game's rules and what `more` is needed, unless that has been done.

    `console` writes to stderr.
    """
    cold = [stage for stage in (RULES, *more) if not is_warm(game.name, stage)]
    if not cold:
        return
    title = say("ready.title", game=game.name)
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
        steps = [step for stage in cold for step in stage.steps]
        task = progress.add_task(title, total=len(steps), step=steps[0])
        for done, _ in enumerate(_compile(game, cold), 1):
            upcoming = steps[done] if done < len(steps) else ""
            progress.update(task, completed=done, step=upcoming)


def _compile(game: Game, cold: list[Stage]) -> Iterator[str]:
    for stage in cold:
        yield from warm_up(game, stage)
