"""The tables of a server: opened, found, loaded from their records, and served at their deadlines.

A table is loaded when somebody asks for it or its deadline comes. There is never more than one copy
of it in memory. Everything here runs on one event loop; bots think in threads (`bots.py`).
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from contextlib import suppress
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import msgspec

from benben.core.registry import names
from benben.live.bot_turns import RETRY_SECONDS, BotTurns
from benben.live.bots import BotPool
from benben.live.hints import Hints
from benben.live.presence import GRACE_SECONDS
from benben.live.replication import Replication
from benben.live.scheduler import Scheduler
from benben.live.session import TableSession, entry_of
from benben.live.signals import EventStored, ReminderDue, Signals
from benben.store.database import StoreFailed
from benben.store.event_log import NoSuchTable
from benben.store.leases import Lease
from benben.store.store import Store
from benben.store.tables import StoredEvent, StoredTable
from benben.table import events
from benben.table.actions import AnyAction
from benben.table.deadlines import Deadline, Deadlines
from benben.table.fairness import commitment, new_secret
from benben.table.options import TableOptions
from benben.table.record import Entry, rebuild
from benben.table.table import Change, Table
from benben.table.tokens import new_id

log = logging.getLogger("benben.live")

BOT_MOVE_SECONDS = 0.8  # for a bot's move, at least: people like to see what happened
EXPIRY_MS = 7 * 24 * 3600 * 1000  # for which a table may wait for its game to begin
UNREADABLE_MS = 3_600_000  # until a table that cannot be read is tried again
MAX_EVENTS_ON_LOOP = 500  # longer records are replayed in a thread: it takes some 30 µs an event
MAX_UNUSED = 2000  # tables cached in memory that are not in use

T = TypeVar("T")


async def _bots_ready(*_: object) -> None:
    """The default: bots are ready at once."""


class Tables:
    """The tables of one server. `now` returns milliseconds; by default it is the store's clock."""

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], int] | None = None,
        bot_delay: float = BOT_MOVE_SECONDS,
        thinkers: int | None = None,
        grace: float = GRACE_SECONDS,
        expiry: int = EXPIRY_MS,
        reminders: Sequence[int] = (),
        only_bots: bool = False,
        require_ready: Callable[[str], None] = lambda game: None,
        wait_for_bots: Callable[..., Awaitable[None]] = _bots_ready,
    ) -> None:
        """With 0 `thinkers` no bots' turns are played here; with `only_bots`, nothing else is.

        Hints are always thought about here. `expiry` and `reminders` are those of `Deadlines`.
        `require_ready` raises an error for players of a game that is still being prepared, and
        `wait_for_bots` returns when its bots can play.
        """
        self.store, self.now = store, now or store.now
        self._require_ready, self.wait_for_bots = require_ready, wait_for_bots
        self.grace_seconds = grace
        self.signals = Signals()
        self.bot_pool = BotPool(1 if thinkers == 0 else thinkers)
        bots = [True] if only_bots else [False] if thinkers == 0 else [False, True]
        self.deadlines = Deadlines(expiry, reminders)
        self.scheduler = Scheduler(self, bots)
        self.bot_turns = BotTurns(self, bot_delay)
        self.hints = Hints(self)
        # Every table that is used; and the last ones requested, used or not.
        self.sessions: WeakValueDictionary[str, TableSession] = WeakValueDictionary()
        self._recent: OrderedDict[str, TableSession] = OrderedDict()
        self._loading: dict[str, asyncio.Task[TableSession]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._with_people: set[TableSession] = set()
        # When a server last ran before this one started, if none did then.
        self._last_alive: int | None = None
        self._downtimes: dict[str, list[tuple[int, int]]] = {}  # by game; those that are open
        self._replication = Replication(self)
        self.stored = self.moves = 0  # events since the start
        self.signals.subscribe(EventStored, self._count)

    def _count(self, signal: EventStored) -> None:
        self.stored += 1
        self.moves += isinstance(signal.event, events.Moved)

    @property
    def bots_failing(self) -> int:
        """How many tables in memory have a bot that could not move when it was last tried."""
        return sum(session.bot_failures > 0 for session in self.sessions.values())

    def start(self, work: Coroutine[object, object, T], /) -> asyncio.Task[T]:
        """Start a task that is cancelled when the server ends."""
        task = asyncio.create_task(work)
        self._tasks.add(task)  # the event loop has weak references only
        task.add_done_callback(self._tasks.discard)
        return task

    # ---- Opening and finding tables

    async def open(
        self,
        make_options: Callable[[str], TableOptions],
        id: str | None = None,
        opener: str | None = None,
    ) -> TableSession:
        """Open a table; `make_options` is given the commitment to the table's secret.

        If an id is given and there is such a table already, it is returned. `opener` identifies the
        person who opens it: thinking time is shared between openers.
        """
        secret, now = new_secret(), self.now()
        options = make_options(commitment(secret))
        table = Table(options, secret)
        stored = StoredTable(
            id or new_id(),
            now,
            encode_options(options),
            secret,
            options.listed and any(seat.free and not seat.reserved_for for seat in table.seats),
            due=self.deadlines.of_new(now),
            opener=opener,
        )
        created = await self.store.create(stored)
        self.scheduler.wake_at(stored.due)
        if id is not None or not created:  # another request may have cached it meanwhile
            return await self.find(stored.id)
        return self._cache(TableSession(self, stored, table, [], {}, {}))

    async def act(self, table_id: str, action: AnyAction, key: str | None = None) -> int:
        """Execute an action at a table; see `TableSession.submit`."""
        session = await self._find_cached(table_id)
        return await session.submit(action, key)

    async def find(self, id: str) -> TableSession:
        """A table by its id, with all events that are stored; NoSuchTable if there is none."""
        session = await self._find_cached(id)
        if self.store.shared:
            number = await asyncio.to_thread(self.store.last_number, id)
            if number > session.table.number:
                async with session.lock:
                    await session.catch_up()
        return session

    async def _find_cached(self, id: str) -> TableSession:
        """The same without the events that other servers have stored just now."""
        session = self._recent.get(id)
        if session is not None and not session.deleted:  # almost always
            self._recent.move_to_end(id)
            return session
        session = self.sessions.get(id)
        if session is None or session.deleted:
            # The load continues if this caller is cancelled: others may wait for it.
            session = await asyncio.shield(self._loading.get(id) or self._start_loading(id))
        return self._cache(session)

    def _start_loading(self, id: str) -> asyncio.Task[TableSession]:
        def done(task: asyncio.Task[TableSession]) -> None:
            del self._loading[id]
            if not task.cancelled():
                task.exception()  # retrieves it: all callers may be gone

        task = self._loading[id] = self.start(self._load(id))
        task.add_done_callback(done)
        return task

    async def _load(self, id: str) -> TableSession:
        found = await asyncio.to_thread(self.store.load, id)
        if found is None:
            raise NoSuchTable(id[:40])
        stored, rows, holders = found
        options = msgspec.json.decode(stored.options, type=TableOptions)
        self._require_ready(options.game)
        if len(rows) > MAX_EVENTS_ON_LOOP:
            entries, table = await asyncio.to_thread(_replay, options, stored.secret, rows)
        else:
            entries, table = _replay(options, stored.secret, rows)
        keys = {row.key: row.number for row in rows if row.key is not None}
        session = TableSession(self, stored, table, entries, keys, holders)
        await self._pause_clocks_for_downtimes(session)
        return self._cache(session)

    async def _pause_clocks_for_downtimes(self, session: TableSession) -> None:
        """Store the downtimes of the game as pauses, in which no clock ran.

        Before the game this concerns the deadline of players who have to commit or reveal.
        """
        table, game, last_at = session.table, session.table.options.game, session.last_at
        thinking = table.clock.runs and table.clock.thinking is not None
        if not thinking and table.start_phase is None:
            return
        downtimes = self._downtimes.get(game, [])
        if self.store.shared and game in self._downtimes:  # others may have added more since
            downtimes = await asyncio.to_thread(self.store.cluster.downtimes, game)
        for since, until in downtimes:
            pause = events.Paused(since, until)
            while last_at < until and all(entry.event != pause for entry in session.entries):
                await session.append(Change(pause))  # retried if another server was quicker

    def _cache(self, session: TableSession) -> TableSession:
        """Cache a table until many others have been requested after it."""
        self.sessions[session.id] = self._recent[session.id] = session
        self._recent.move_to_end(session.id)
        if len(self._recent) > MAX_UNUSED:
            self._recent.popitem(last=False)
        return session

    # ---- Deadlines

    def opened_games(self) -> Collection[str] | None:
        """The games whose tables may be leased; None: all."""
        return None if self._downtimes.keys() >= set(names()) else list(self._downtimes)

    async def serve(self, lease: Lease) -> None:
        """Act at the deadline of a leased table."""
        try:
            session = await self._find_cached(lease.id)
            async with session.lock:
                if self.store.shared:
                    await session.catch_up()
                session.lease = max(session.lease or 0, lease.until)
                session.deadline = None
                reminded = self.deadlines.is_reminded(session.table, self.now())
                await session.apply_automatic_events()
            if reminded:
                self.signals.send(ReminderDue(session))
        except StoreFailed as error:
            log.error("table %s cannot continue yet: %s", lease.id, error)
        except Exception:  # a table that cannot be read must not block the others
            log.exception("table %s cannot continue", lease.id)
            later = Deadline(lease.until + UNREADABLE_MS)
            await self.store.leases.release(lease.id, lease.until, later)

    # ---- People

    def presence_changed(self, session: TableSession) -> None:
        if session.presence.players:
            self._with_people.add(session)
            self.bot_turns.resume_if_attended(session)
        else:
            self._with_people.discard(session)

    def waiting_here(self) -> set[str]:
        """The listed tables before their game where a person is at this server."""
        return {
            each.id
            for each in self._with_people
            if each.table.options.listed and not each.table.begun
        }

    async def waiting_tables(self) -> set[str]:
        """The listed tables before their game where a person is, at any server."""
        if not self.store.shared:
            return self.waiting_here()
        return self.waiting_here() | await asyncio.to_thread(
            self.store.cluster.attended, self.now()
        )

    # ---- Starting and stopping

    async def join(self, *, serves: bool = True) -> None:
        """Connect to the notifications of other servers, and find out whether there are any."""
        await asyncio.to_thread(self.store.leases.read_time)
        self.bot_turns.started = self.now()
        if await self.store.notifications.open(serves=serves):
            self._last_alive = await asyncio.to_thread(self.store.cluster.last_ready)

    async def open_game(self, game: str) -> None:
        """Serve the tables of a game from now on, when the store answers; store its downtime."""
        while True:
            try:
                return await self._open_game(game)
            except StoreFailed as error:
                log.error("cannot open the tables of %s yet: %s", game, error)
            await asyncio.sleep(RETRY_SECONDS)

    async def _open_game(self, game: str) -> None:
        """If no other server was running, the downtime lasted from the last heartbeat of a ready
        server until now; or until this one started, if another has become ready meanwhile.
        """
        if self._last_alive is not None:
            other = await asyncio.to_thread(self.store.cluster.last_ready) != self._last_alive
            until = self.bot_turns.started if other else self.now()
            await asyncio.to_thread(self.store.cluster.add_downtime, game, self._last_alive, until)
        self._downtimes[game] = await asyncio.to_thread(self.store.cluster.downtimes, game)
        self.scheduler.wake()

    async def close(self) -> None:
        """Cancel all thinking. Acknowledged events are already durable."""
        self.bot_turns.close()
        await self.store.notifications.close()
        for session in list(self.sessions.values()):
            session.stop()
        with suppress(StoreFailed):
            await self.scheduler.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.bot_pool.close()
        if self.store.shared:
            try:
                await self.store.cluster.leave()
            except StoreFailed as error:
                log.error("programs are listed here until the heartbeat is old: %s", error)


def encode_options(options: TableOptions) -> str:
    return msgspec.json.encode(options).decode()


def _replay(
    options: TableOptions, secret: str, rows: Sequence[StoredEvent]
) -> tuple[list[Entry], Table]:
    entries = [entry_of(row) for row in rows]
    return entries, rebuild(options, secret, entries)
