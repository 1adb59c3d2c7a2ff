"""Removing old tables, with something to watch, and what came of it."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from benben.core.errors import BenbenError
from benben.store.database import Database
from benben.store.mail import DAY
from benben.store.pruning import BATCH, Pruned
from benben.store.store import Store
from benben.terminal.speech import say

MOST_DAYS = 36_500


def prune(
    days: int, database: str | None, unfinished: bool, dry_run: bool, console: Console
) -> Iterator[str]:
    """Remove what is older, or only count it; the lines to print. `console` is on stderr.

    KeyboardInterrupt after the last line if somebody has stopped it.
    """
    if not 1 <= days <= MOST_DAYS:
        raise BenbenError(f"days={days}: must be a whole number from 1 to {MOST_DAYS}")
    place = Database(database)
    place.check_exists()
    before = time.time_ns() // 1_000_000 - days * DAY
    pruned = Pruned()
    with (
        Store(place) as store,
        _until_stopped() as stopped,
        Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        ) as progress,
    ):
        ids = store.pruning.old(before, unfinished)
        task = progress.add_task(
            say("prune.counting" if dry_run else "prune.removing"), total=len(ids)
        )
        for start in range(0, len(ids), BATCH):
            if stopped:
                break
            some = ids[start : start + BATCH]
            began = time.monotonic()
            if dry_run:
                pruned += store.pruning.count(some)
            else:
                pruned += store.pruning.remove(some, before, unfinished)
                # A server that writes to the same SQLite file does not queue for it, but tries now
                # and then: it gets as much of the time as we do.
                time.sleep(time.monotonic() - began)
            progress.advance(task, len(some))
        records = 0
        if not stopped:
            pruning = store.pruning
            records = pruning.old_records(before) if dry_run else pruning.remove_records(before)
    gone = [say("prune.tables", n=pruned.tables), say("prune.events", n=pruned.events)]
    gone += [say("prune.records", n=records)] if records else []
    yield say("prune.would" if dry_run else "prune.done", gone=", ".join(gone))
    if stopped:
        yield say("prune.stopped")
        raise KeyboardInterrupt


@contextmanager
def _until_stopped() -> Iterator[list[int]]:
    """Signals to stop, as they come: what is being removed is removed first, and counted."""
    came: list[int] = []
    before = {
        each: signal.signal(each, lambda number, _: came.append(number))
        for each in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield came
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
