"""Finished games written out as JSON Lines, with something to watch."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benben.core.registry import info
from benben.lab.export import GameData, arena_games, count_tables, table_games
from benben.store.database import Database
from benben.store.store import Store
from benben.terminal.saves import writing
from benben.terminal.speech import say


def export(
    files: Sequence[Path],
    game: str | None,
    since: datetime | None,
    names: bool,
    database: str | None,
    output: Path | BinaryIO,
    console: Console,
) -> Iterator[str]:
    """Write the games of arenas' files or, without any, of a database; the lines to print then.

    `console` is on stderr.
    """
    if game is not None:
        info(game)  # UnknownGame, if it is none
    with ExitStack() as stack:
        total: int | None = None
        games: Iterator[GameData | None]
        if files:
            games = (each for file in files for each in arena_games(file, game))
        else:
            place = Database(database)
            place.check_exists()
            store = stack.enter_context(Store(place))
            begin = None if since is None else since.replace(tzinfo=UTC)
            total = count_tables(store, begin)
            games = table_games(store, game, begin, names)
        out = stack.enter_context(writing(output)) if isinstance(output, Path) else output
        progress = stack.enter_context(_progress(console))
        task = progress.add_task(say("export.writing"), total=total)
        written = 0
        for each in games:
            if each is not None:
                out.write(each.line())
                written += 1
            progress.advance(task)
        out.flush()
    if isinstance(output, Path):
        yield say("export.done", n=written, file=output)


def _progress(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
