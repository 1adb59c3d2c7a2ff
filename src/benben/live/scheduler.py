"""Leases on tables with a deadline; any server acts at one whose lease has expired.

The store has one time for each table: its deadline, or the end of the lease of the server that acts
at it. A server that stores an event takes the lease with it if something follows at once. If it
dies, its leases expire within seconds, and the next server to look takes them.
"""

import asyncio
import logging
from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING

from benben.store.database import StoreFailed
from benben.table.deadlines import Deadline

if TYPE_CHECKING:
    from benben.live.session import TableSession
    from benben.live.tables import Tables

log = logging.getLogger("benben.live")

LEASE_MS = 3_000
MAX_LEASES = 20  # taken at once, so that servers that look at the same time share the work
# Seconds between looks at the deadlines, at most: with other servers, and alone.
POLL_SECONDS = 1.0, 30.0
_CONTENDED_MS = 50
_NOT_SLEEPING = 1 << 62


class Scheduler:
    """Acts at deadlines: of bots' turns (True in `bots`), all others (False), or both."""

    def __init__(self, tables: "Tables", bots: Collection[bool]) -> None:
        self._tables, self._store, self._bots = tables, tables.store, bots
        self._alarm, self._asleep_until = asyncio.Event(), _NOT_SLEEPING
        self._renewing: set[TableSession] = set()

    @property
    def plays_bots(self) -> bool:
        """Whether this server leases bots' turns."""
        return True in self._bots

    def lease_with_event(
        self, deadline: Deadline | None, at: int
    ) -> tuple[Deadline | None, int | None]:
        """What to store as the deadline with an event at a time, and the lease that this takes.

        The lease is taken if the deadline is at once and this server can act at it.
        """
        if deadline is None or deadline.at is None or deadline.at > at:
            return deadline, None
        if deadline.bot and not self.plays_bots:
            return deadline, None
        return Deadline(at + LEASE_MS, deadline.bot), at + LEASE_MS

    async def release(
        self, session: "TableSession", deadline: Deadline, *, parked: bool = False
    ) -> None:
        """Give back the lease of a table, if we have it, with its next deadline."""
        self._renewing.discard(session)
        if session.lease is not None:
            await self._store.leases.release(session.id, session.lease, deadline, parked=parked)
            session.deadline, session.lease = deadline, None
            self.wake_at(deadline.at)

    def start_renewing(self, session: "TableSession") -> None:
        """Extend the lease of a table again and again: a bot thinks there, or waits to."""
        self._renewing.add(session)
        self.wake_at(min(self._renewals, default=None))

    def stop_renewing(self, session: "TableSession") -> None:
        self._renewing.discard(session)

    async def close(self) -> None:
        """Give back the leases of bots' turns: the server ends."""
        at_once = Deadline(self._tables.now(), bot=True)
        leases = {each.id: each.lease for each in self._renewing if each.lease is not None}
        for table, until in leases.items():
            await self._store.leases.release(table, until, at_once)

    def wake(self) -> None:
        """Look at the deadlines now."""
        self._alarm.set()

    def wake_at(self, time: int | None) -> None:
        """Look at the deadlines at a time, at the latest."""
        if time is not None and time < self._asleep_until:
            self._alarm.set()

    async def run(self) -> None:
        """Act at the deadlines of all tables, until cancelled."""
        while True:
            self._alarm.clear()
            self._asleep_until = _NOT_SLEEPING
            try:
                await self._renew()
                until = await self._serve_due()
            except StoreFailed as error:
                log.error("deadlines cannot be read: %s", error)
                until = self._tables.now() + round(1000 * POLL_SECONDS[0])
            self._asleep_until = until
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0, until - self._tables.now()) / 1000):
                    await self._alarm.wait()

    async def _serve_due(self) -> int:
        """Lease and serve all tables whose deadline has come; returns when to look again."""
        while True:
            games = self._tables.opened_games()
            due = await asyncio.to_thread(self._store.leases.next_deadline, self._bots, games)
            now = self._tables.now()
            if due is None or due > now:
                poll = now + round(1000 * POLL_SECONDS[not self._store.shared])
                return min([poll, *self._renewals, *([] if due is None else [due])])
            leases = await self._store.leases.take_due(
                now, now + LEASE_MS, MAX_LEASES, self._bots, games
            )
            if not leases:
                return now + _CONTENDED_MS  # another server was quicker, or is storing an event
            await asyncio.gather(*map(self._tables.serve, leases))

    @property
    def _renewals(self) -> list[int]:
        """When leases are to be extended: well before they end."""
        return [each.lease - LEASE_MS // 2 for each in self._renewing if each.lease is not None]

    async def _renew(self) -> None:
        now = self._tables.now()
        ending = {}
        for session in self._renewing:
            if session.lease is not None and session.lease - LEASE_MS // 2 <= now:
                ending[session.id] = session.lease
                session.lease = now + LEASE_MS
        if ending:
            await self._store.leases.extend(ending, now + LEASE_MS)
