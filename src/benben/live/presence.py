"""Who is at a table, whichever server they are at.

The store knows who is at each server: a server writes of its own people whenever that changes, and
reads of the others' when it is told so, for tables that somebody follows here. Where a database
has one server, nothing of this is done; and while no other is there it is written now and then.

The list of open tables has only those where somebody is: `waiting_tables`.
"""

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Set
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from benben.live.session import TableSession
from benben.store.store import Store, StoreFailed

log = logging.getLogger("benben.live")

Start: TypeAlias = Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]


class Presence:
    """Of one server. `start` begins a task that ends with the server."""

    def __init__(self, store: Store, now: Callable[[], int], start: Start) -> None:
        self._store, self._now = store, now
        self.alone = False  # no other server is there: what has changed is written by `compare`
        self._here: dict[str, TableSession] = {}  # where somebody is
        self._followed: dict[str, tuple[TableSession, int]] = {}  # and by how many
        self._writing, self._reading = _Rounds(start, self._write), _Rounds(start, self._read)
        store.channel.on("present", self.read)
        store.channel.on_connected(self.read_all)

    @asynccontextmanager
    async def following(self, session: TableSession) -> AsyncIterator[None]:
        """For as long as somebody follows a table, it is known who is there."""
        if not self._store.shared:
            yield
            return
        _, many = self._followed.get(session.id, (session, 0))
        self._followed[session.id] = session, many + 1
        try:
            if not self.alone:
                await asyncio.wait([self._reading.ask(session.id)])  # whatever becomes of it
            yield
        finally:
            _, many = self._followed.pop(session.id)
            if many > 1:
                self._followed[session.id] = session, many - 1
            else:
                session.set_elsewhere({})

    def changed(self, session: TableSession) -> None:
        """Other people are here than before."""
        if session.here:
            self._here[session.id] = session
        else:
            self._here.pop(session.id, None)
        if self._store.shared and not self.alone:
            self._writing.ask(session.id)

    async def waiting_tables(self) -> set[str]:
        """The listed tables before their game where somebody is, at any server."""
        here = {
            name
            for name, session in self._here.items()
            if session.table.terms.listed and not session.table.begun
        }
        if self._store.shared:
            here |= await asyncio.to_thread(self._store.servers.waiting_elsewhere, self._now())
        return here

    async def compare(self) -> None:
        """Whether the others know what we know: a write may have failed, or we were thought dead.

        What could not be read is read again.
        """
        known = await asyncio.to_thread(self._store.servers.present_here)
        here = {name: session.here for name, session in self._here.items()}
        differ = {name for name in {*known, *here} if known.get(name) != here.get(name)}
        if differ:
            self._writing.ask(*differ)
        if self._reading.failed:
            self._reading.ask(*self._reading.failed)

    def read(self, tables: Iterable[str]) -> None:
        """It has changed who is at these tables, at other servers."""
        followed = self._followed.keys() & set(tables)
        if followed:
            self._reading.ask(*followed)

    def read_all(self) -> None:
        """It may have changed everywhere."""
        self._reading.ask(*self._followed)

    async def _write(self, tables: Set[str]) -> None:
        seats = {each: self._here[each].here if each in self._here else () for each in tables}
        await self._store.servers.set_present(self._now(), seats)

    async def _read(self, tables: Set[str]) -> None:
        found = await asyncio.to_thread(self._store.servers.present_elsewhere, tables)
        now, clock = self._now(), time.monotonic()
        for each in tables & self._followed.keys():
            seats = found.get(each, {})
            self._followed[each][0].set_elsewhere(
                {
                    seat: math.inf if until is None else clock + (until - now) / 1000
                    for seat, until in seats.items()
                }
            )


class _Rounds:
    """Work for tables, for all that ask while a round is under way in the next one."""

    def __init__(self, start: Start, work: Callable[[Set[str]], Awaitable[None]]) -> None:
        self._start, self._work = start, work
        self._lock = asyncio.Lock()
        self._asked: set[str] = set()
        self._next: asyncio.Task[None] | None = None
        self.failed: set[str] = set()

    def ask(self, *tables: str) -> asyncio.Task[None]:
        self._asked.update(tables)
        if self._next is None:
            self._next = self._start(self._round())
        return self._next

    async def _round(self) -> None:
        async with self._lock:
            asked, self._asked, self._next = self._asked, set(), None
            self.failed -= asked
            try:
                await self._work(asked)
            except StoreFailed as error:
                self.failed |= asked
                log.error("servers cannot tell each other who is there: %s", error)
