"""A table's events as they happen, over one connection that stays open.

A stream is told when its table has news, so many of them cost nothing while nothing happens. What
is written first depends on what the listener knows: nothing, then the whole table comes first;
everything up to an event, then what came after it, without gap or repeat. From then on only what
changes is told.
"""

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import msgspec

from benben.live.session import TableSession
from benben.live.tables import Tables
from benben.table.news import news
from benben.table.record import Entry
from benben.web.listening import Listener, Write
from benben.web.responses import Present
from benben.web.viewers import Viewer

KEEP_ALIVE = 15.0  # seconds; proxies close what is silent for long
STEPS = 15  # at how many moments of that time tables are woken
SAME_TIME = 100  # milliseconds for which clocks need not be read again
SILENCE = b":\n\n"  # a comment
_NOW_ENDS = b"}}\n\n"
_encode = msgspec.json.Encoder().encode


@dataclass(eq=False)
class _Followed:
    """A table with open streams, and what keeps them alive."""

    session: TableSession
    streams: "list[_Stream]" = field(default_factory=list)
    unsubscribe: Callable[[], None] = field(init=False)
    timer: asyncio.TimerHandle | None = None  # one for all: cheaper than one a stream
    written: "dict[int | None, _Written]" = field(default_factory=dict)  # last, by eyes
    woken: bool = False  # it will be told in a moment what is new


@dataclass(eq=False)
class _Stream:
    """Somebody who follows a table, and what they know of it."""

    viewer: Viewer
    after: int | None  # the last event they know of; None: nothing yet
    present: list[int] | None = None
    listener: Listener = field(init=False)


@dataclass
class _Written:
    """Some events as they were written, at a time; `text` is for whoever is not to move."""

    events: list[Entry]
    at: int
    text: bytes
    has_now: bool  # it tells the table after them: not if all of them are talk
    for_mover: bytes | None = None  # the same with legal moves, when it is first asked for


class Streams:
    """All open streams of a server."""

    def __init__(self, tables: Tables, keep_alive: float = KEEP_ALIVE) -> None:
        self.open = 0
        self._tables, self._keep_alive = tables, keep_alive
        self._closing = False
        self._followed: dict[str, _Followed] = {}

    def close(self) -> None:
        """Let every stream end."""
        self._closing = True
        for followed in self._followed.values():
            for stream in followed.streams:
                stream.listener.end()

    async def follow(self, viewer: Viewer, after: int | None, write: Write) -> None:
        """Write the events after a number, or the whole table first, for as long as it is awaited.

        It ends by itself with the server, and when somebody has given up the seat they look from.
        """
        session = viewer.session = await self._tables.find(viewer.session.id)
        if after is None or not 0 <= after <= session.table.number:
            after = None
        stream = _Stream(viewer, after)
        followed = self._come(stream, write)
        try:
            self._tell(followed, stream)
            if self._closing:
                stream.listener.end()
            await stream.listener.until_end()
        finally:
            self._go(followed, stream)

    def _come(self, stream: _Stream, write: Write) -> _Followed:
        session = stream.viewer.session
        followed = self._followed.get(session.id)
        if followed is None:
            followed = self._followed[session.id] = _Followed(session)
            followed.unsubscribe = session.subscribe(partial(self._wake, followed))
            self._wake_later(followed)
        stream.listener = Listener(write, partial(self._tell, followed, stream))
        followed.streams.append(stream)
        self.open += 1
        if stream.viewer.chosen is not None:
            session.presence.stream_opened(stream.viewer.chosen)
        return followed

    def _go(self, followed: _Followed, stream: _Stream) -> None:
        session = followed.session
        followed.streams.remove(stream)
        self.open -= 1
        if stream.viewer.chosen is not None:
            session.presence.stream_closed(stream.viewer.chosen)
        if not followed.streams:
            del self._followed[session.id]
            followed.unsubscribe()
            assert followed.timer is not None
            followed.timer.cancel()

    def _wake(self, followed: _Followed) -> None:
        """Tell all who follow a table what is new, as soon as what is being done there is done."""
        if not followed.woken:
            followed.woken = True
            asyncio.get_running_loop().call_soon(self._tell_all, followed)

    def _tell_all(self, followed: _Followed) -> None:
        followed.woken = False
        for stream in followed.streams:
            self._tell(followed, stream)

    def _tell(self, followed: _Followed, stream: _Stream, otherwise: bytes = b"") -> None:
        """All that is new to somebody, unless they are behind: then it is told later."""
        session, listener = followed.session, stream.listener
        if not listener.ready:
            return
        fresh = [] if stream.after is None else session.entries[stream.after :]
        try:
            text = self._text(followed, stream, fresh) or otherwise
        except Exception as error:  # it is nobody else's trouble
            listener.fail(error)
            return
        if text:
            listener.tell(text)
        if any(stream.viewer.is_gone_by(each.event) for each in fresh):
            listener.end()

    def _text(self, followed: _Followed, stream: _Stream, fresh: list[Entry]) -> bytes:
        """The whole table, or some events; and who is there, if that has changed."""
        session, text = followed.session, b""
        if stream.after is None:
            stream.after = session.table.number
            text = message("table", stream.viewer.look(self._tables.now()), stream.after)
        elif fresh:
            stream.after += len(fresh)
            text = self._told(followed, stream.viewer, fresh)
        if stream.present != session.presence.seats:
            stream.present = session.presence.seats
            text += message("present", Present(stream.present))
        return text

    def _wake_later(self, followed: _Followed) -> None:
        """Let the streams of a table be heard now and then, for as long as there are any.

        Not each at a time of its own: a loop that is woken once for many of them rests longer.
        """

        def wake() -> None:
            for stream in followed.streams:
                self._tell(followed, stream, SILENCE)
            self._wake_later(followed)

        loop, step = asyncio.get_running_loop(), self._keep_alive / STEPS
        at = math.ceil(loop.time() / step + STEPS) * step
        followed.timer = loop.call_at(at, wake)

    def _told(self, followed: _Followed, viewer: Viewer, fresh: list[Entry]) -> bytes:
        """Some events. Of all who see the same one does the work."""
        session, seat, now = followed.session, viewer.seat, self._tables.now()
        eyes = session.views.eyes(seat)
        last = followed.written.get(eyes)
        if (
            last is None
            or last.events != fresh  # they may have been rewritten, to erase somebody
            or (session.table.clock.runs and now - last.at > SAME_TIME)
        ):
            last = followed.written[eyes] = _write(viewer, fresh, now)
        if not (last.has_now and session.views.decides(seat)):
            return last.text
        if last.for_mover is None:
            last.for_mover = _with_legal(viewer, last.text)
        return last.for_mover


def told(viewer: Viewer, after: int, now: int) -> bytes:
    """All events of a table after a number, as a viewer may know them."""
    written = _write(viewer, viewer.session.entries[after:], now)
    if written.has_now and viewer.session.views.decides(viewer.seat):
        return _with_legal(viewer, written.text)
    return written.text


def _write(viewer: Viewer, fresh: list[Entry], now: int) -> _Written:
    """Events for whoever sees what this viewer sees, but is not to move."""
    session = viewer.session
    messages = news(session.table, session.views, viewer.seat, fresh, now)
    text = b"".join(message("event", each, each.number) for each in messages)
    return _Written(fresh, now, text, messages[-1].now is not None)


def _with_legal(viewer: Viewer, text: bytes) -> bytes:
    """The same with legal moves in `now`, which is the end of it.

    Most of what two people at a table are told is the same: so it is made and encoded once.
    """
    assert text.endswith(_NOW_ENDS)
    legal = _encode(viewer.session.views.legal(viewer.seat))
    return b'%b,"legal":%b%b' % (text.removesuffix(_NOW_ENDS), legal, _NOW_ENDS)


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
