"""Event streams of programs (bots that people run): their seats, turns and invitations.

A program has one stream for all its tables, with summaries of them. Everything else about a table
is in the table's own stream.

If several servers share a database, the store has the server to which each program is connected,
and servers notify each other of events for programs that may be connected elsewhere.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field

import msgspec

from benben.live.session import TableSession
from benben.live.signals import SeatLost, SeatTaken
from benben.live.tables import Tables
from benben.store.database import StoreFailed
from benben.store.event_log import NoSuchTable
from benben.store.programs import Program
from benben.web.invitations import Invitations
from benben.web.responses import BotListed, Invitation, TableLeft, TablesOfMine
from benben.web.sse import KEEP_ALIVE, SseWriter, Write, message
from benben.web.viewers import Viewer, if_readable

log = logging.getLogger("benben.web")

MOST_WAITING = 500  # messages that a program has not read
SEEN_INTERVAL = 24 * 3600.0  # seconds after which it is stored again that a program is in use


@dataclass(eq=False)
class BotStream:
    """The open stream of a program, with a queue of messages."""

    program: Program
    since: int
    writer: SseWriter = field(init=False)
    known: bool = False  # to other servers
    # Its tables, each with the function to unsubscribe from it.
    seats: dict[str, Callable[[], None]] = field(default_factory=dict)
    newest: int = 0  # when its newest stream at another server was opened, as far as is known
    waiting: deque[bytes] = field(default_factory=deque)
    begun: bool = False  # whether the first message was queued, before all others

    @property
    def listed(self) -> BotListed:
        return BotListed(self.program.name, self.since)

    def begin(self, tables: TablesOfMine) -> None:
        """Send the first message, then those in the queue."""
        self.waiting.appendleft(message("tables", tables))
        self.begun = True
        self.flush()

    def send(self, kind: str, data: msgspec.Struct) -> None:
        """Send a message, or queue it. A program that reads too slowly is disconnected.

        When it reconnects it is sent all its tables.
        """
        if len(self.waiting) >= MOST_WAITING:
            self.end()
        if not self.writer.ended:
            self.waiting.append(message(kind, data))
            self.flush()

    def flush(self) -> None:
        """Send messages from the queue until a write is pending."""
        while self.begun and self.waiting and self.writer.ready:
            self.writer.send(self.waiting.popleft())

    def end(self) -> None:
        self.waiting.clear()
        self.writer.end()

    def end_if_older(self, since: int = 0) -> None:
        """End this stream if the program has opened a newer one at another server."""
        self.newest = max(self.newest, since)
        if self.known and self.newest > self.since:
            self.end()


class BotStreams:
    """The streams of all programs that are connected to this server."""

    def __init__(self, tables: Tables, keep_alive: float = KEEP_ALIVE) -> None:
        self._tables, self._keep_alive = tables, keep_alive
        self._shared, self._servers = tables.store.shared, tables.store.cluster
        self._streams: dict[str, BotStream] = {}  # by the hash of the token
        self._closing = False
        self.invitations = Invitations()
        channel = tables.store.notifications
        channel.on("listens", self._on_listens)
        channel.on("dropped", lambda words: self.end(words[0]))
        channel.on("seats", self._on_seats)
        channel.on("invited", self._on_invited)
        channel.on_connected(self._on_connected)
        tables.signals.subscribe(SeatTaken, self.on_seat_taken)
        tables.signals.subscribe(SeatLost, self.on_seat_lost)

    @property
    def open(self) -> int:
        return len(self._streams)

    async def listed(self) -> list[BotListed]:
        """The programs that can be invited, sorted by name."""
        if self._shared:
            found = await asyncio.to_thread(self._servers.listening, self._tables.now())
            return [BotListed(each.name, each.since) for each in found]
        here = [each.listed for each in self._streams.values() if not each.writer.ended]
        return sorted(here, key=lambda one: one.name)

    def close(self) -> None:
        """End every stream."""
        self._closing = True
        for stream in self._streams.values():
            stream.end()

    async def follow(self, program: Program, write: Write) -> None:
        """Write the tables of a program, then its events, until cancelled.

        An older stream of the program ends.
        """
        if self._closing:
            return
        self.end(program.hash)
        stream = self._streams[program.hash] = BotStream(program, self._tables.now())
        stream.writer = SseWriter(write, stream.flush, self._keep_alive)
        storing_use = self._tables.start(self._store_use(program))
        try:
            if self._shared:
                await self._make_known(stream)
            stream.begin(await self._seats(program, stream))
            await stream.writer.until_end()
        finally:
            storing_use.cancel()
            stream.writer.close()
            for unsubscribe in stream.seats.values():
                unsubscribe()
            if self._streams.get(program.hash) is stream:
                del self._streams[program.hash]
            if stream.known and not self._closing:  # else all are deleted at once
                self._start(self._servers.stop_listening(program.hash, stream.since))

    async def _store_use(self, program: Program) -> None:
        """Store every day that a program is in use, until cancelled."""
        while True:
            self._start(self._tables.store.programs.seen(program.hash, self._tables.now()))
            await asyncio.sleep(SEEN_INTERVAL)

    def end(self, token: str) -> None:
        """End the stream of a program at this server, if there is one."""
        stream = self._streams.pop(token, None)
        if stream is not None:
            stream.end()

    async def invite(self, program: Program, session: TableSession, seat: int) -> BotListed | None:
        """Send an invitation to a program. None if it is not connected to any server."""
        stream = self._streams.get(program.hash)
        if stream is not None and not stream.writer.ended:
            self._send_invitation(stream, session, seat)
            return stream.listed
        if not self._shared:
            return None
        find = self._servers.listening_program
        found = await asyncio.to_thread(find, program.hash, self._tables.now())
        if found is None or found.server == self._servers.ours:
            return None
        await self._servers.notify([f"invited {program.hash} {session.id} {seat}"])
        return BotListed(found.name, found.since)

    def _send_invitation(self, stream: BotStream, session: TableSession, seat: int) -> None:
        seen = Viewer(session, None).full_view(self._tables.now())
        stream.send("invited", Invitation(session.id, seat, seen))

    def on_seat_taken(self, signal: SeatTaken, *, missed: bool = False) -> None:
        """Send `seated` to a program, and its turns from now on.

        If later events were `missed`, it may be its turn already.
        """
        session, viewer = signal.session, Viewer(signal.session, signal.player)
        stream = self._streams.get(signal.token)
        if stream is not None and session.id not in stream.seats:
            stream.send("seated", viewer.summary(self._tables.now()))
            self._watch(stream, viewer, -1 if missed else session.turn)

    def on_seat_lost(self, signal: SeatLost) -> None:
        """Send `left` to the program that has lost its seat."""
        stream = self._streams.get(signal.token)
        if stream is not None:
            self._leave(stream, signal.session.id)

    def _leave(self, stream: BotStream, table: str) -> None:
        unsubscribe = stream.seats.pop(table, None)
        if unsubscribe is not None:
            unsubscribe()
            stream.send("left", TableLeft(table))

    async def _seats(self, program: Program, stream: BotStream) -> TablesOfMine:
        """The tables of a program, except those where it sits down meanwhile."""
        tables = TablesOfMine([])
        for name, chosen in await asyncio.to_thread(self._tables.store.programs.seats, program):
            session = await if_readable(name, self._tables.find(name))
            if session is not None and name not in stream.seats:
                viewer = Viewer(session, chosen)
                tables.tables.append(viewer.summary(self._tables.now()))
                self._watch(stream, viewer, session.turn)
        return tables

    def _watch(self, stream: BotStream, viewer: Viewer, turn: int) -> None:
        """Subscribe to a table, which stays in memory, to notify a program of turns after one."""
        session = viewer.session

        def update() -> None:
            nonlocal turn
            if session.table.closed:
                stream.seats.pop(session.id)()
                stream.send("over", viewer.summary(self._tables.now()))
            elif session.turn != turn:
                turn = session.turn
                seen = viewer.summary(self._tables.now())
                if seen.your_turn:
                    stream.send("turn", seen)
                elif seen.starting:
                    stream.send("starting", seen)

        stream.seats[session.id] = session.subscribe(update)
        session.notify()

    # ---- Where several servers share the database

    async def compare(self) -> None:
        """Reconcile streams with the store, after failed writes or a missed heartbeat.

        Of two streams of a program, the newer one stays.
        """
        ours = {token: each for token, each in self._streams.items() if each.known}
        rows = await asyncio.to_thread(self._servers.listeners, list(ours))
        for token, stream in ours.items():
            row = rows.get(token)
            if stream.writer.ended:
                continue
            if row is None:
                await self._make_known(stream)
            elif row.server != self._servers.ours:
                stream.end_if_older(row.since)
        for token, row in rows.items():
            if row.server == self._servers.ours and token not in self._streams:
                await self._servers.stop_listening(token, row.since)

    async def _make_known(self, stream: BotStream) -> None:
        since = await self._servers.listen(stream.program.hash, stream.since)
        stream.since, stream.known = since, True
        stream.end_if_older()

    async def _refresh(self, stream: BotStream) -> None:
        """Update the seats of a program, which may have changed at another server."""
        tables, token = self._tables, stream.program.hash
        seats = dict(await asyncio.to_thread(tables.store.programs.seats, stream.program))
        for name in {*seats, *stream.seats}:
            session = await if_readable(name, tables.find(name))
            if session is None:  # it was deleted, or cannot be loaded
                self._leave(stream, name)
                continue
            seat = await session.holder(token)
            if seat is None:
                self._leave(stream, name)
            elif name in seats:  # else the game is over
                self.on_seat_taken(SeatTaken(session, seat, token), missed=True)

    async def _invite(self, stream: BotStream, table: str, seat: int) -> None:
        self._send_invitation(stream, await self._tables.find(table), seat)

    def _on_listens(self, words: list[str]) -> None:
        token, since = words
        if token in self._streams:
            self._streams[token].end_if_older(int(since))

    def _on_seats(self, tokens: list[str]) -> None:
        for token in tokens:
            if token in self._streams:
                self._start(self._refresh(self._streams[token]))

    def _on_invited(self, words: list[str]) -> None:
        token, table, seat = words
        if token in self._streams:
            self._start(self._invite(self._streams[token], table, int(seat)))

    def _on_connected(self) -> None:
        """Resync after LISTEN was re-established: messages may have been lost both ways."""
        self._start(self.compare())
        for stream in self._streams.values():
            self._start(self._refresh(stream))

    def _start(self, work: Coroutine[object, object, None]) -> None:
        self._tables.start(_logged(work))


async def _logged(work: Coroutine[object, object, None]) -> None:
    try:
        await work
    except (StoreFailed, NoSuchTable) as error:
        log.error("the stream of a bot may have missed an event: %s", error)
