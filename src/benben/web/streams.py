"""Event streams of tables.

A client that gives the number of an event is sent the events after it, without gap or repeat. Any
other client is sent the whole table first. After that it is sent every change.
"""

from dataclasses import dataclass, field
from functools import partial

from msgspec.structs import replace

from benben.live.session import TableSession
from benben.live.tables import Tables
from benben.table.news import EventMessage, news
from benben.table.record import Entry
from benben.web.responses import Present
from benben.web.sse import KEEP_ALIVE, SseWriter, Write, message
from benben.web.viewers import Viewer

CLOCK_PRECISION_MS = 100  # encoded messages are reused this long while a clock runs


@dataclass(eq=False)
class _Subscriber:
    """A client of a table's stream."""

    viewer: Viewer
    after: int | None  # the last event that was sent; None before the first message
    present: list[int] | None = None
    writer: SseWriter = field(init=False)


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
        perspective = session.views.eyes(seat)
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


class _TableStreams:
    """The subscribers of one table."""

    def __init__(self, session: TableSession, tables: Tables) -> None:
        self._session, self._tables = session, tables
        self._encoder = EventEncoder(session)
        self.subscribers: list[_Subscriber] = []
        self.unsubscribe = session.subscribe(self._broadcast)

    def _broadcast(self) -> None:
        for subscriber in self.subscribers:
            self.update(subscriber)

    def update(self, subscriber: _Subscriber) -> None:
        """Send what is new to a subscriber, unless a write is pending: then after that write."""
        writer, after = subscriber.writer, subscriber.after
        if not writer.ready:
            return
        fresh = [] if after is None else self._session.entries[after:]
        try:
            text = self._changes(subscriber, fresh)
        except Exception as error:  # other subscribers are not affected
            writer.fail(error)
            return
        if text:
            writer.send(text)
        if any(subscriber.viewer.is_gone_by(each.event) for each in fresh):
            writer.end()

    def _changes(self, subscriber: _Subscriber, fresh: list[Entry]) -> bytes:
        """Encode the whole table or some events, and who is present if that has changed."""
        session, text, now = self._session, b"", self._tables.now()
        if subscriber.after is None:
            subscriber.after = session.table.number
            text = message("table", subscriber.viewer.full_view(now), subscriber.after)
        elif fresh:
            subscriber.after += len(fresh)
            text = self._encoder.encode(subscriber.viewer, fresh, now)
        if subscriber.present != session.presence.seats:
            subscriber.present = session.presence.seats
            text += message("present", Present(subscriber.present))
        return text


class Streams:
    """All open event streams of tables at this server."""

    def __init__(self, tables: Tables, keep_alive: float = KEEP_ALIVE) -> None:
        self._tables, self._keep_alive = tables, keep_alive
        self._closing = False
        self._by_table: dict[str, _TableStreams] = {}

    @property
    def open(self) -> int:
        return sum(len(streams.subscribers) for streams in self._by_table.values())

    def close(self) -> None:
        """End every stream."""
        self._closing = True
        for streams in self._by_table.values():
            for subscriber in streams.subscribers:
                subscriber.writer.end()

    async def follow(self, viewer: Viewer, after: int | None, write: Write) -> None:
        """Write the events after a number, or the whole table first, until cancelled.

        The stream also ends when the server stops, or when the viewer has given up their seat.
        """
        session = viewer.session = await self._tables.find(viewer.session.id)
        if after is None or not 0 <= after <= session.table.number:
            after = None
        streams = self._by_table.get(session.id)
        if streams is None:
            streams = self._by_table[session.id] = _TableStreams(session, self._tables)
        subscriber = _Subscriber(viewer, after)
        update = partial(streams.update, subscriber)
        subscriber.writer = writer = SseWriter(write, update, self._keep_alive)
        streams.subscribers.append(subscriber)
        if viewer.chosen is not None:
            session.presence.stream_opened(viewer.chosen)
        try:
            update()
            if self._closing:
                writer.end()
            await writer.until_end()
        finally:
            streams.subscribers.remove(subscriber)
            if viewer.chosen is not None:
                session.presence.stream_closed(viewer.chosen)
            if not streams.subscribers:
                del self._by_table[session.id]
                streams.unsubscribe()
