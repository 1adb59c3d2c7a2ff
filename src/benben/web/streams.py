"""Event streams of tables.

A client that gives the number of an event is sent the events after it, without gap or repeat. Any
other client is sent the whole table first. After that it is sent every change.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from msgspec.structs import replace

from benben.live.session import TableSession
from benben.live.tables import Tables
from benben.table.news import EventMessage, news
from benben.table.record import Entry
from benben.web.responses import Present
from benben.web.sse import KEEP_ALIVE, SseWriter, Write, message
from benben.web.viewers import Viewer

CLOCK_PRECISION_MS = 100  # encoded messages are reused this long while a clock runs


@dataclass
class _Encoded:
    """Encoded events for all viewers with one perspective; those who move also get legal moves."""

    events: list[Entry]
    at: int
    messages: list[EventMessage]
    text: bytes
    text_for_mover: bytes | None = None  # with legal moves, encoded when it is first needed


class EventEncoder:
    """Encodes the newest events of a table, once for all viewers who see the same."""

    def __init__(self, session: TableSession) -> None:
        self._session = session
        self._latest: dict[int | None, _Encoded] = {}  # by perspective

    def encode(self, viewer: Viewer, fresh: list[Entry], now: int) -> bytes:
        session, seat = self._session, viewer.seat
        perspective = session.views.perspective(seat)
        latest = self._latest.get(perspective)
        if (
            latest is None
            or latest.events != fresh  # erasing a player rewrites events
            or (session.table.clock.runs and now - latest.at > CLOCK_PRECISION_MS)
        ):
            messages = news(session.table, session.views, seat, fresh, now)
            latest = _Encoded(fresh, now, messages, _text(messages))
            self._latest[perspective] = latest
        *earlier, last = latest.messages
        if last.now is None or not session.views.decides(seat):
            return latest.text
        if latest.text_for_mover is None:
            legal = session.views.legal(seat)
            for_mover = replace(last, now=replace(last.now, legal=legal))
            latest.text_for_mover = _text([*earlier, for_mover])
        return latest.text_for_mover


def _text(messages: list[EventMessage]) -> bytes:
    return b"".join(message("event", each, each.number) for each in messages)


@dataclass(eq=False)
class _Subscriber:
    """A client of a table's stream."""

    viewer: Viewer
    after: int | None  # the last event that was sent; None before the first message
    encoder: EventEncoder
    now: Callable[[], int]
    present: list[int] | None = None
    writer: SseWriter = field(init=False)

    def update(self) -> None:
        """Send what is new, unless a write is pending: then after that write."""
        if not self.writer.ready:
            return
        fresh = [] if self.after is None else self.viewer.session.entries[self.after :]
        try:
            text = self._changes(fresh)
        except Exception as error:  # other subscribers are not affected
            self.writer.fail(error)
            return
        if text:
            self.writer.send(text)
        if any(self.viewer.is_gone_by(each.event) for each in fresh):
            self.writer.end()

    def _changes(self, fresh: list[Entry]) -> bytes:
        """Encode the whole table or some events, and who is present if that has changed."""
        session, text, now = self.viewer.session, b"", self.now()
        if self.after is None:
            self.after = session.table.number
            text = message("table", self.viewer.full_view(now), self.after)
        elif fresh:
            self.after += len(fresh)
            text = self.encoder.encode(self.viewer, fresh, now)
        if self.present != session.presence.seats:
            self.present = session.presence.seats
            text += message("present", Present(self.present))
        return text


class Streams:
    """All open event streams of tables at this server."""

    def __init__(self, tables: Tables, keep_alive: float = KEEP_ALIVE) -> None:
        self._tables, self._keep_alive = tables, keep_alive
        self._closing = False
        self._subscribers: set[_Subscriber] = set()
        # By table, shared by its subscribers.
        self._encoders: WeakValueDictionary[str, EventEncoder] = WeakValueDictionary()

    @property
    def open(self) -> int:
        return len(self._subscribers)

    def close(self) -> None:
        """End every stream."""
        self._closing = True
        for subscriber in self._subscribers:
            subscriber.writer.end()

    async def follow(self, viewer: Viewer, after: int | None, write: Write) -> None:
        """Write the events after a number, or the whole table first, until cancelled.

        The stream also ends when the server stops, or when the viewer has given up their seat.
        """
        session = viewer.session = await self._tables.find(viewer.session.id)
        if after is None or not 0 <= after <= session.table.number:
            after = None
        encoder = self._encoders.setdefault(session.id, EventEncoder(session))
        subscriber = _Subscriber(viewer, after, encoder, self._tables.now)
        subscriber.writer = SseWriter(write, subscriber.update, self._keep_alive)
        self._subscribers.add(subscriber)
        unsubscribe = session.subscribe(subscriber.update)
        if viewer.chosen is not None:
            session.presence.stream_opened(viewer.chosen)
        try:
            subscriber.update()
            if self._closing:
                subscriber.writer.end()
            await subscriber.writer.until_end()
        finally:
            unsubscribe()
            self._subscribers.remove(subscriber)
            if viewer.chosen is not None:
                session.presence.stream_closed(viewer.chosen)
