"""Programs that listen: where they sit, when it is their turn, and who invites them.

A program has one stream for all its tables. What it is told there is short: what there is to see of
a table is told by the table's own stream.

Where several servers share a database, the store knows which program listens where, and servers
tell each other what is for a program that may listen elsewhere.
"""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator, Coroutine
from dataclasses import dataclass, field

import msgspec

from benben.live.session import TableSession
from benben.live.signals import SeatLost, SeatTaken
from benben.live.tables import Tables
from benben.store.store import NoSuchTable, Program, StoreFailed
from benben.web.invitations import Invitations
from benben.web.responses import BotListed, Invitation, TableLeft, TablesOfMine
from benben.web.streams import KEEP_ALIVE, SILENCE, heard, message
from benben.web.viewers import Viewer, if_readable

log = logging.getLogger("benben.web")

MOST_WAITING = 500  # messages that a program has not read
NOTED = 24 * 3600 * 1000  # milliseconds after which it is noted again that a program listens


@dataclass(eq=False)
class Listener:
    """The open stream of a program."""

    program: Program
    since: int
    known: bool = False  # to other servers
    waiting: deque[bytes] = field(default_factory=deque)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    watches: dict[str, asyncio.Task[None]] = field(default_factory=dict)  # by table
    ended: bool = False
    newest: int = 0  # since when it listens elsewhere, as far as we have heard
    noted: int = 0  # when the store was last told that it listens

    @property
    def listed(self) -> BotListed:
        return BotListed(self.program.name, self.since)

    def tell(self, kind: str, data: msgspec.Struct) -> None:
        """Who does not read what it is told is let go, and told everything when it comes back."""
        if len(self.waiting) >= MOST_WAITING:
            self.end()
        if not self.ended:
            self.waiting.append(message(kind, data))
            self.news.set()

    def end(self) -> None:
        self.ended = True
        self.waiting.clear()
        self.news.set()

    def end_if_elsewhere(self) -> None:
        """It has opened a stream at another server after this one."""
        if self.known and self.newest > self.since:
            self.end()


class BotStreams:
    """All programs that listen to this server, and what is known of the others."""

    def __init__(self, tables: Tables, keep_alive: float = KEEP_ALIVE) -> None:
        self._tables, self._keep_alive = tables, keep_alive
        self._shared, self._servers = tables.store.shared, tables.store.servers
        self._listeners: dict[str, Listener] = {}  # by the hash of the token
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False
        self.invitations = Invitations()
        channel = tables.store.channel
        channel.on("listens", self._hear_listens)
        channel.on("dropped", self._hear_dropped)
        channel.on("seats", self._hear_seats)
        channel.on("invited", self._hear_invited)
        channel.on_connected(self._listen_again)
        tables.signals.subscribe(SeatTaken, self.on_seat_taken)
        tables.signals.subscribe(SeatLost, self.on_seat_lost)

    @property
    def open(self) -> int:
        return len(self._listeners)

    async def listed(self) -> list[BotListed]:
        """Those that can be invited, by name."""
        if self._shared:
            found = await asyncio.to_thread(self._servers.listening, self._tables.now())
            return [BotListed(each.name, each.since) for each in found]
        here = [each.listed for each in self._listeners.values() if not each.ended]
        return sorted(here, key=lambda one: one.name)

    def close(self) -> None:
        """Let every stream end."""
        self._closing = True
        for listener in self._listeners.values():
            listener.end()
        for task in self._tasks:
            task.cancel()

    async def follow(self, program: Program) -> AsyncGenerator[bytes, None]:
        """First the tables where it sits, then what happens to it. Its older stream ends."""
        if self._closing:
            return
        self.end(program)
        listener = self._listeners[program.hash] = Listener(program, self._tables.now())
        self._note(listener)
        try:
            if self._shared:
                await self._make_known(listener)
            yield message("tables", await self._seats(program, listener))
            while not listener.ended:
                if listener.waiting:
                    yield listener.waiting.popleft()
                    continue
                listener.news.clear()
                if not await heard(listener.news, self._keep_alive):
                    self._note(listener)
                    yield SILENCE
        finally:
            listener.ended = True
            for watch in listener.watches.values():
                watch.cancel()
            if self._listeners.get(program.hash) is listener:
                del self._listeners[program.hash]
            if listener.known and not self._closing:  # else all of ours are forgotten at once
                self._start(self._servers.stop_listening(program.hash, listener.since))

    def _note(self, listener: Listener) -> None:
        """Have it stored, now and then, that a program is in use."""
        now = self._tables.now()
        if now - listener.noted > NOTED:
            listener.noted = now
            self._start(self._tables.store.program_seen(listener.program.hash, now))

    def end(self, program: Program) -> None:
        """Let the stream of a program at this server end, if there is one."""
        listener = self._listeners.pop(program.hash, None)
        if listener is not None:
            listener.end()

    async def invite(self, program: Program, session: TableSession, seat: int) -> BotListed | None:
        """Tell a program that it may sit down; None if it listens nowhere."""
        listener = self._listeners.get(program.hash)
        if listener is not None and not listener.ended:
            self._tell_invited(listener, session, seat)
            return listener.listed
        if not self._shared:
            return None
        find = self._servers.listening_program
        found = await asyncio.to_thread(find, program.hash, self._tables.now())
        if found is None or found.server == self._servers.ours:
            return None
        await self._servers.notify([f"invited {program.hash} {session.id} {seat}"])
        return BotListed(found.name, found.since)

    def _tell_invited(self, listener: Listener, session: TableSession, seat: int) -> None:
        seen = Viewer(session, None).look(self._tables.now())
        listener.tell("invited", Invitation(session.id, seat, seen))

    def on_seat_taken(self, signal: SeatTaken, *, missed: bool = False) -> None:
        """Send `seated` to the program that has sat down, and its turns from now on.

        If events after it may have been missed, it may be its turn already.
        """
        session, viewer = signal.session, Viewer(signal.session, signal.player)
        listener = self._listeners.get(signal.token)
        if listener is not None and viewer.session.id not in listener.watches:
            listener.tell("seated", viewer.glance(self._tables.now()))
            self._watch(listener, viewer, -1 if missed else session.turn)

    def on_seat_lost(self, signal: SeatLost) -> None:
        """Send `left` to the program that has lost its seat."""
        listener = self._listeners.get(signal.token)
        if listener is not None:
            self._leave(listener, signal.session.id)

    def _leave(self, listener: Listener, table: str) -> None:
        watch = listener.watches.pop(table, None)
        if watch is not None:
            watch.cancel()
            listener.tell("left", TableLeft(table))

    async def _seats(self, program: Program, listener: Listener) -> TablesOfMine:
        """Where it sits already; where it sits down meanwhile it is told by itself."""
        tables = TablesOfMine([])
        for name, chosen in await asyncio.to_thread(self._tables.store.seats_of, program):
            session = await if_readable(name, self._tables.find(name))
            if session is not None and name not in listener.watches:
                viewer = Viewer(session, chosen)
                tables.tables.append(viewer.glance(self._tables.now()))
                self._watch(listener, viewer, session.turn)
        return tables

    def _watch(self, listener: Listener, viewer: Viewer, told: int) -> None:
        """Tell of turns as long as there are any; the table is kept in memory for that."""
        session = viewer.session
        watch = asyncio.create_task(self._tell_turns(listener, viewer, told))
        listener.watches[session.id] = watch

        def done(_: asyncio.Task[None]) -> None:
            if listener.watches.get(session.id) is watch:
                del listener.watches[session.id]

        watch.add_done_callback(done)

    async def _tell_turns(self, listener: Listener, viewer: Viewer, told: int) -> None:
        session, changed = viewer.session, asyncio.Event()
        unsubscribe = session.subscribe(changed.set)
        try:
            while not (session.table.closed or listener.ended):
                if session.turn != told:
                    told = session.turn
                    seen = viewer.glance(self._tables.now())
                    if seen.your_turn:
                        listener.tell("turn", seen)
                    elif seen.starting:
                        listener.tell("starting", seen)
                changed.clear()
                await changed.wait()
        finally:
            unsubscribe()
        listener.tell("over", viewer.glance(self._tables.now()))

    # ---- Where several servers share the database

    async def compare(self) -> None:
        """Whether the others know what we know: a write may have failed, or we were thought dead.

        Of two servers where a program listens, it is the one where it came last.
        """
        ours = {token: each for token, each in self._listeners.items() if each.known}
        rows = await asyncio.to_thread(self._servers.listeners, list(ours))
        for token, listener in ours.items():
            row = rows.get(token)
            if listener.ended:
                continue
            if row is None:
                await self._make_known(listener)
            elif row.server != self._servers.ours:
                listener.newest = max(listener.newest, row.since)
                listener.end_if_elsewhere()
        for token, row in rows.items():
            if row.server == self._servers.ours and token not in self._listeners:
                await self._servers.stop_listening(token, row.since)

    async def _make_known(self, listener: Listener) -> None:
        since = await self._servers.listen(listener.program.hash, listener.since)
        listener.since, listener.known = since, True
        listener.end_if_elsewhere()

    async def _refresh(self, listener: Listener) -> None:
        """The seats of a program have changed elsewhere, or may have."""
        tables, token = self._tables, listener.program.hash
        seats = dict(await asyncio.to_thread(tables.store.seats_of, listener.program))
        for name in {*seats, *listener.watches}:
            session = await if_readable(name, tables.find(name))
            if session is None:  # it is gone, or nobody can play there
                self._leave(listener, name)
                continue
            seat = await session.holder(token)
            if seat is None:
                self._leave(listener, name)
            elif name in seats:  # it may be over, and then there is nothing to follow
                self.on_seat_taken(SeatTaken(session, seat, token), missed=True)

    async def _invite(self, listener: Listener, table: str, seat: int) -> None:
        self._tell_invited(listener, await self._tables.find(table), seat)

    def _hear_listens(self, words: list[str]) -> None:
        token, since = words
        if token in self._listeners:
            listener = self._listeners[token]
            listener.newest = max(listener.newest, int(since))
            listener.end_if_elsewhere()

    def _hear_dropped(self, words: list[str]) -> None:
        listener = self._listeners.pop(words[0], None)
        if listener is not None:
            listener.end()

    def _hear_seats(self, tokens: list[str]) -> None:
        for token in tokens:
            if token in self._listeners:
                self._start(self._refresh(self._listeners[token]))

    def _hear_invited(self, words: list[str]) -> None:
        token, table, seat = words
        if token in self._listeners:
            self._start(self._invite(self._listeners[token], table, int(seat)))

    def _listen_again(self) -> None:
        """We were not told for a while what other servers do; nor were they, perhaps."""
        self._start(self.compare())
        for listener in self._listeners.values():
            self._start(self._refresh(listener))

    def _start(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _logged(work: Coroutine[object, object, None]) -> None:
    try:
        await work
    except (StoreFailed, NoSuchTable) as error:
        log.error("a bot that listens may have missed something: %s", error)
