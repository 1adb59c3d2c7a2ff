"""Programs that listen here: where they sit, when it is their turn, and who invites them.

A program has one stream for all its tables. What it is told there is short: what there is to see of
a table is told by the table's own stream.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

import msgspec

from benben.table.loaded import LoadedTable
from benben.table.store import Owner, Program
from benben.table.tables import Tables
from benben.web.responses import BotListed, TableLeft, TablesOfMine
from benben.web.streams import KEEP_ALIVE, SILENCE, heard, message
from benben.web.viewers import Viewer

MOST_WAITING = 500  # messages that a program has not read


@dataclass(eq=False)
class Listener:
    """The open stream of a program."""

    name: str
    since: int
    waiting: deque[bytes] = field(default_factory=deque)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    watches: dict[str, asyncio.Task[None]] = field(default_factory=dict)  # by table
    ended: bool = False

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


class BotStreams:
    """All programs that listen to this server."""

    def __init__(self, tables: Tables, keep_alive: float = KEEP_ALIVE) -> None:
        self._tables, self._keep_alive = tables, keep_alive
        self._listeners: dict[str, Listener] = {}  # by the hash of the token
        self._closing = False

    @property
    def open(self) -> int:
        return len(self._listeners)

    @property
    def listed(self) -> list[BotListed]:
        here = [each for each in self._listeners.values() if not each.ended]
        return [BotListed(each.name, each.since) for each in sorted(here, key=lambda one: one.name)]

    def close(self) -> None:
        """Let every stream end."""
        self._closing = True
        for listener in self._listeners.values():
            listener.end()

    async def follow(self, program: Program) -> AsyncGenerator[bytes, None]:
        """First the tables where it sits, then what happens to it. Its older stream ends."""
        if self._closing:
            return
        self.end(program)
        listener = self._listeners[program.hash] = Listener(program.name, self._tables.now())
        try:
            yield message("tables", await self._seats(program, listener))
            while not listener.ended:
                if listener.waiting:
                    yield listener.waiting.popleft()
                    continue
                listener.news.clear()
                if not await heard(listener.news, self._keep_alive):
                    yield SILENCE
        finally:
            for watch in listener.watches.values():
                watch.cancel()
            if self._listeners.get(program.hash) is listener:
                del self._listeners[program.hash]

    def end(self, program: Program) -> None:
        """Let the stream of a program end, if there is one."""
        listener = self._listeners.pop(program.hash, None)
        if listener is not None:
            listener.end()

    def invite(self, program: Program, invitation: msgspec.Struct) -> BotListed | None:
        """Tell a program; None if it does not listen."""
        listener = self._listeners.get(program.hash)
        if listener is None or listener.ended:
            return None
        listener.tell("invited", invitation)
        return BotListed(listener.name, listener.since)

    def sat(self, loaded: LoadedTable, owner: Owner) -> None:
        """Somebody has sat down; if it is one of ours it is told, and followed from now on."""
        listener, viewer = self._listeners.get(owner.token or ""), Viewer(loaded, owner.seat)
        if listener is not None and viewer.loaded.id not in listener.watches:
            listener.tell("seated", viewer.glance(self._tables.now()))
            self._watch(listener, viewer)

    def left(self, loaded: LoadedTable, token: str) -> None:
        """Somebody has no seat there any more."""
        listener = self._listeners.get(token)
        if listener is not None and loaded.id in listener.watches:
            listener.watches.pop(loaded.id).cancel()
            listener.tell("left", TableLeft(loaded.id))

    async def _seats(self, program: Program, listener: Listener) -> TablesOfMine:
        """Where it sits already; where it sits down meanwhile it is told by itself."""
        tables = TablesOfMine([])
        for name, chosen in await asyncio.to_thread(self._tables.store.seats_of, program):
            viewer = Viewer(await self._tables.find(name), chosen)
            if name not in listener.watches:
                tables.tables.append(viewer.glance(self._tables.now()))
                self._watch(listener, viewer)
        return tables

    def _watch(self, listener: Listener, viewer: Viewer) -> None:
        """Tell of turns as long as there are any; the table is kept in memory for that."""
        loaded = viewer.loaded
        watch = asyncio.create_task(self._tell_turns(listener, viewer, loaded.turn))
        listener.watches[loaded.id] = watch

        def done(_: asyncio.Task[None]) -> None:
            if listener.watches.get(loaded.id) is watch:
                del listener.watches[loaded.id]

        watch.add_done_callback(done)

    async def _tell_turns(self, listener: Listener, viewer: Viewer, told: int) -> None:
        loaded = viewer.loaded
        while not (loaded.table.closed or listener.ended):
            if loaded.turn != told:
                told = loaded.turn
                seen = viewer.glance(self._tables.now())
                if seen.your_turn:
                    listener.tell("turn", seen)
            await loaded.changed()
        listener.tell("over", viewer.glance(self._tables.now()))
