"""Bars that say how far something is, and how long it still takes.

They are shown on a terminal until it is done, and nowhere else.
"""

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)


def bar(console: Console) -> Progress:
    """How much is done, in percent."""
    return _bar(console, TaskProgressColumn())


def counting_bar(console: Console) -> Progress:
    """How many are done, of how many; the field `rate` of its tasks says how fast."""
    return _bar(console, MofNCompleteColumn(), TextColumn("{task.fields[rate]}"))


def _bar(console: Console, *columns: ProgressColumn) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *columns,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
