"""What is due at tables, wherever it was brought about: whoever claims it does it.

A claim is a time in the store, a little in the future: until then what is due is ours to do, and
if we have not said by then what the table needs next, it is due again, for whichever server asks
first. So what a server that dies had taken on is done by another within some seconds.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress

from benben.live.session import TableSession
from benben.store.event_log import Deadline
from benben.store.store import Lease, Store, StoreFailed

log = logging.getLogger("benben.live")

CLAIM = 3_000  # milliseconds for which what is due is a server's to do, unless it extends that
MOST_AT_ONCE = 20  # tables: servers that claim at the same time share what there is
POLL = 1.0, 30.0  # seconds between looks at what is due, at most: of several servers, of one alone
_SOON = 50  # milliseconds
_AWAKE = 1 << 62  # what is due at any time has to be looked at: we are not asleep


class Scheduler:
    """Of one server, which takes on bots' turns (`bots` has True), or all else (False), or both.

    `serve` does what is due at a table, and says or stores what it needs next. `games` tells which
    games may be played here by now; None: all.
    """

    def __init__(
        self,
        store: Store,
        now: Callable[[], int],
        bots: Collection[bool],
        serve: Callable[[Lease], Awaitable[None]],
        games: Callable[[], Collection[str] | None] = lambda: None,
    ) -> None:
        self._store, self._now, self._bots, self._serve = store, now, bots, serve
        self._games = games
        self._alarm, self._asleep_until = asyncio.Event(), _AWAKE
        self._held: set[TableSession] = set()

    @property
    def bots_are_ours(self) -> bool:
        """Whether bots' turns are among what we take on."""
        return True in self._bots

    def by_storing(self, need: Deadline | None, at: int) -> tuple[Deadline | None, int | None]:
        """What to store of a table's need with an event at a time, and until when that claims it:
        what follows at once from what we store is ours to do.
        """
        if need is None or need.at is None or need.at > at or (need.bot and not self.bots_are_ours):
            return need, None
        return Deadline(at + CLAIM, need.bot), at + CLAIM

    async def release(self, session: TableSession, need: Deadline) -> None:
        """What was due at a table is done: say what it needs next."""
        if session.claim is not None and not (need.bot and self.bots_are_ours):
            await self._store.release(session.id, session.claim, need)
            session.need, session.claim = need, None
            self.wake_at(need.at)

    def hold(self, session: TableSession) -> None:
        """Extend our claim of a table, again and again: a bot thinks there, or waits to."""
        self._held.add(session)
        self.wake_at(min(self._extending, default=None))

    def let_go(self, session: TableSession) -> None:
        self._held.discard(session)

    async def close(self) -> None:
        """The server ends: others need not wait until our claims have lapsed."""
        due_again = Deadline(self._now(), bot=True)
        claims = {each.id: each.claim for each in self._held if each.claim is not None}
        for table, until in claims.items():
            await self._store.release(table, until, due_again)

    def wake(self) -> None:
        """Look now what is due."""
        self._alarm.set()

    def wake_at(self, due: int | None) -> None:
        """Look what is due at a time, at the latest."""
        if due is not None and due < self._asleep_until:
            self._alarm.set()

    async def run(self) -> None:
        """Do what is due at any table, for as long as the server runs."""
        while True:
            self._alarm.clear()
            self._asleep_until = _AWAKE
            try:
                await self._extend()
                until = await self._do_what_is_due()
            except StoreFailed as error:
                log.error("cannot see what is due: %s", error)
                until = self._now() + round(1000 * POLL[0])
            self._asleep_until = until
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0, until - self._now()) / 1000):
                    await self._alarm.wait()

    async def _do_what_is_due(self) -> int:
        """When to look again."""
        while True:
            games = self._games()
            due = await asyncio.to_thread(self._store.next_due, self._bots, games)
            now = self._now()
            if due is None or due > now:
                poll = now + round(1000 * POLL[not self._store.shared])
                return min([poll, *self._extending, *([] if due is None else [due])])
            until = now + CLAIM
            claimed = await self._store.claim(now, until, MOST_AT_ONCE, self._bots, games)
            if not claimed:
                return now + _SOON  # something is being stored there, or another was quicker
            await asyncio.gather(*map(self._serve, claimed))

    @property
    def _extending(self) -> list[int]:
        """When our claims are to be extended: well before they end."""
        return [each.claim - CLAIM // 2 for each in self._held if each.claim is not None]

    async def _extend(self) -> None:
        now = self._now()
        ending = {}
        for session in self._held:
            if session.claim is not None and session.claim - CLAIM // 2 <= now:
                ending[session.id] = session.claim
                session.claim = now + CLAIM
        if ending:
            await self._store.extend(ending, now + CLAIM)
