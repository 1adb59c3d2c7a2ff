"""Waiting for the compiler, the first time a game is played, with something to watch."""

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benben.core.game import Game
from benben.core.warm import STEPS, is_warm, warm_up


def ready(game: Game, console: Console) -> None:
    """Compile what the game needs, if that has not been done; `console` writes to stderr."""
    if is_warm(game):
        return
    title = f"Preparing {game.name} (first time only)"
    if not console.is_terminal:
        console.print(f"{title} …", highlight=False)
        for _ in warm_up(game):
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
        task = progress.add_task(title, total=len(STEPS), step=STEPS[0])
        for done, _ in enumerate(warm_up(game), 1):
            upcoming = STEPS[done] if done < len(STEPS) else ""
            progress.update(task, completed=done, step=upcoming)
