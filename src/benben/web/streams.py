"""A table's events as they happen, over one connection that stays open.

A stream sleeps until its table has news, so many of them cost nothing while nothing happens. What
is written first depends on what the listener knows: nothing, then the whole table comes first;
everything up to an event, then what came after it, without gap or repeat.
"""

import asyncio
import math
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

import msgspec

from benben.table.loaded import LoadedTable
from benben.table.record import Entry
from benben.table.tables import Tables
from benben.table.views import event_view
from benben.web.responses import EventMessage, Present
from benben.web.viewers import Viewer

KEEP_ALIVE = 15.0  # seconds; proxies close what is silent for long
STEPS = 15  # at how many moments of that time tables are woken
SAME_TIME = 100  # milliseconds for which clocks need not be read again
SILENCE = b":\n\n"  # a comment
_encode = msgspec.json.Encoder().encode


class Streams:
    """All open streams of a server."""

    def __init__(self, tables: Tables, keep_alive: float = KEEP_ALIVE) -> None:
        self.open = 0
        self._tables, self._keep_alive = tables, keep_alive
        self._closing = False
        self._followed: dict[str, LoadedTable] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}  # one a table: cheaper than one a stream
        self._last: dict[tuple[str, int | None], _Written] = {}

    def close(self) -> None:
        """Let every stream end."""
        self._closing = True
        for loaded in self._followed.values():
            loaded.news.set()

    async def follow(self, viewer: Viewer, after: int | None) -> AsyncIterator[bytes]:
        """The events after a number, or the whole table first, for as long as somebody listens."""
        loaded = viewer.loaded = await self._tables.find(viewer.loaded.id)  # from now on it is kept
        self._come(viewer)
        present: list[int] | None = None
        try:
            if after is None or not 0 <= after <= loaded.table.number:
                after = loaded.table.number
                yield message("table", viewer.look(self._tables.now()), after)
            while not self._closing:
                news = loaded.news  # taken before the events: none can come in between
                fresh = loaded.entries[after:]
                if fresh:
                    after += len(fresh)
                    yield self._told(viewer, fresh)
                    if any(viewer.is_gone_by(each.event) for each in fresh):
                        return
                elif present != loaded.present:
                    present = loaded.present
                    yield message("present", Present(present))
                else:
                    await news.wait()
                    if (
                        len(loaded.entries) == after
                        and loaded.present == present
                        and not self._closing
                    ):
                        yield SILENCE
        finally:
            self._go(viewer)

    def _come(self, viewer: Viewer) -> None:
        loaded = viewer.loaded
        loaded.pins += 1
        self.open += 1
        if loaded.id not in self._followed:
            self._followed[loaded.id] = loaded
            self._wake_later(loaded)
        if viewer.chosen is not None:
            loaded.count_stream(viewer.chosen, 1)

    def _go(self, viewer: Viewer) -> None:
        loaded = viewer.loaded
        loaded.pins -= 1
        self.open -= 1
        if viewer.chosen is not None:
            loaded.count_stream(viewer.chosen, -1)
        if loaded.pins == 0:
            self._followed.pop(loaded.id, None)
            self._timers.pop(loaded.id).cancel()
            for seat in (None, *range(len(loaded.table.seats))):
                self._last.pop((loaded.id, seat), None)

    def _wake_later(self, loaded: LoadedTable) -> None:
        """Wake the streams of a table now and then, for as long as there are any.

        Not each at a time of its own: a loop that is woken once for many of them rests longer.
        """

        def wake() -> None:
            loaded.wake()
            self._wake_later(loaded)

        loop, step = asyncio.get_running_loop(), self._keep_alive / STEPS
        at = math.ceil(loop.time() / step + STEPS) * step
        self._timers[loaded.id] = loop.call_at(at, wake)

    def _told(self, viewer: Viewer, fresh: Sequence[Entry]) -> bytes:
        """Some events. Of all who look from the same seat, or from none, one does the work."""
        key, now = (viewer.loaded.id, viewer.seat), self._tables.now()
        events = fresh[0].number, fresh[-1].number
        last = self._last.get(key)
        if last is None or last.events != events or now - last.at > SAME_TIME:
            last = self._last[key] = _Written(events, now, _written(viewer, fresh, now))
        return last.text


@dataclass(frozen=True)
class _Written:
    """What was written last for a seat at a table."""

    events: tuple[int, int]
    at: int
    text: bytes


def _written(viewer: Viewer, fresh: Sequence[Entry], now: int) -> bytes:
    messages = []
    for entry in fresh:
        event = event_view(viewer.loaded.table, entry.event, viewer.seat)
        table = viewer.look(now) if entry is fresh[-1] else None
        told = EventMessage(entry.number, entry.at, event, table)
        messages.append(message("event", told, entry.number))
    return b"".join(messages)


def message(kind: str, data: msgspec.Struct, number: int | None = None) -> bytes:
    """A server-sent event; with a number, one after which a stream can be gone on with."""
    known = b"" if number is None else b"id: %d\n" % number
    return b"event: %b\n%bdata: %b\n\n" % (kind.encode(), known, _encode(data))


async def heard(news: asyncio.Event, seconds: float) -> bool:
    """Whether there was news within some seconds."""
    try:
        async with asyncio.timeout(seconds):
            await news.wait()
    except TimeoutError:
        return False
    return True
