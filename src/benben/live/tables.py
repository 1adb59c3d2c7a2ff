"""The tables of a server: a command is checked, stored, and only then told.

A table is rebuilt from its record when somebody asks for it, or when it needs us (`deadlines.py`).
There is never more than one copy of it in memory: as long as anybody uses that one, it is what
everybody finds. Events are stored one by one, each under the next number; if another server was
quicker, its events are read and the command is checked anew.

What is due at a table is done by the server that stored what it follows from, or else by whichever
claims it (`claims.py`).

Everything here runs on one event loop. Bots think in threads (`thinking.py`), where the people who
opened tables take turns.
"""

import asyncio
import hashlib
import hmac
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from threading import Event as Flag
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import msgspec

from benben.bots.entrants import Entrant
from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.player import Cancelled, Thought, Turn
from benben.core.registry import names
from benben.live.bots import BotPool, RecentBots
from benben.live.scheduler import Scheduler
from benben.live.session import GRACE, Advising, TableSession
from benben.store.store import (
    Conflict,
    Deadline,
    Lease,
    NewTable,
    NoSuchTable,
    Owner,
    PendingEvent,
    Store,
    Stored,
    StoredEvent,
    StoreFailed,
    TokenInUse,
)
from benben.table import events
from benben.table.actions import Action, AskHint, Decline, Sit, erase
from benben.table.deadlines import NO_DEADLINE, Deadlines
from benben.table.events import from_json, to_json
from benben.table.fairness import commitment, new_secret
from benben.table.options import Days, TableOptions
from benben.table.record import Entry, erased, rebuild
from benben.table.table import Change, Refused, Table
from benben.table.tokens import derived_id, new_id

log = logging.getLogger("benben.live")

RETRY = 5.0  # seconds until what could not be stored is tried again
BOT_DELAY = 0.8  # seconds a bot takes at least: people like to see what happened
BOT_RETRY_SECONDS = 5.0, 600.0  # until a bot that failed is tried again: at first, and at most
# Bots think for this many milliseconds after a person last acted at a table, or after our start.
ATTENDED_MS = 2 * 60_000
# The time between two thoughts in a game over days while no person is there, in milliseconds.
UNATTENDED_PAUSE_MS = 60_000
UNREADABLE = 3_600_000  # milliseconds until a table that cannot be read is looked at again
EXPIRY = 7 * 24 * 3600 * 1000  # milliseconds for which a table may stand without a game
TOUCH = 60_000  # milliseconds after which a move tells that a table is still live
FEW_EVENTS = 500  # a longer table is rebuilt outside the event loop: it takes some 30 µs an event
MOST_IDLE = 2000  # tables kept in memory though nobody uses them

T = TypeVar("T")


class UnknownToken(BenbenError):
    """A token that holds no seat at this table."""

    def __init__(self) -> None:
        super().__init__("this token is of no seat at this table")


@dataclass(frozen=True)
class RematchSeat:
    """Where whoever played a game goes on: the other table, and the seat kept for them there."""

    session: TableSession
    seat: int
    name: str
    program: bool


class Tables:
    """The tables of one server. `now` tells the time in milliseconds, by default the store's."""

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], int] | None = None,
        bot_delay: float = BOT_DELAY,
        thinkers: int | None = None,
        grace: float = GRACE,
        expiry: int = EXPIRY,
        reminders: Sequence[int] = (),
        only_bots: bool = False,
    ) -> None:
        """Without `thinkers` bots' turns are left to other servers, and with `only_bots` all else.

        Hints are always thought of where they are asked for, one at a time if bots do not think.
        `expiry` and `reminders` are those of `Deadlines`.
        """
        self.store, self.bot_delay, self._grace = store, bot_delay, grace
        self.now = now = now or store.now
        self._deadlines = Deadlines(expiry, reminders)
        bots = [True] if only_bots else [False] if thinkers == 0 else [False, True]
        self._claims = Scheduler(store, now, bots, self._serve, self._games_to_serve)
        # Every table that somebody uses; and the last ones asked for, used or not.
        self._tables: WeakValueDictionary[str, TableSession] = WeakValueDictionary()
        self._recent: OrderedDict[str, TableSession] = OrderedDict()
        self._loading: dict[str, asyncio.Task[TableSession]] = {}
        self.thinkers = BotPool(1 if thinkers == 0 else thinkers)  # hints are thought of here
        self._bots = RecentBots()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._with_people: set[TableSession] = set()  # those where a person is at this server
        # Told when it is time to remind a person; and when a token was given a seat, or lost it.
        self.on_reminder: Callable[[TableSession], None] = lambda session: None
        self.on_sat: Callable[[TableSession, Owner], None] = lambda session, owner: None
        self.on_left: Callable[[TableSession, str], None] = lambda session, token: None
        self.on_ended: Callable[[TableSession], None] = lambda session: None
        # Where a game is prepared while others are played: `admit` raises what is told to whoever
        # comes to a table of it too early, and bots wait before they think.
        self.admit: Callable[[str], None] = lambda game: None
        self.until_bots: Callable[[str], Awaitable[None]] = _at_once
        self._closing = False
        # When we came, and when a server was last alive before that, if none was there then.
        self._joined = 0
        self._last_alive: int | None = None
        self._opened: dict[str, list[tuple[int, int]]] = {}  # games, and when nobody could play
        store.channel.on("event", self._hear_event)
        store.channel.on("terms", self._hear_terms)
        store.channel.on("due", lambda _: self._claims.wake())
        store.channel.on("parked", self._on_turn_parked)
        store.channel.on_connected(self._listen_again)
        store.channel.on_connected(self._resume_parked_turns)
        self.stored = self.moves = 0  # since the start

    @property
    def bots_failing(self) -> int:
        """How many tables in memory have a bot that could not move when it was last tried."""
        return sum(session.bot_failures > 0 for session in self._tables.values())

    @property
    def in_memory(self) -> int:
        """How many tables are in memory."""
        return len(self._tables)

    # ---- Opening and finding tables

    async def open(
        self,
        make: Callable[[str], TableOptions],
        name: str | None = None,
        opener: str | None = None,
    ) -> TableSession:
        """A new table; `make` is given the commitment to the table's luck.

        Its id is drawn, unless it is given: if there is such a table already, it is that one.
        `opener` identifies the person who opens it: thinking time is shared between openers.
        """
        secret = new_secret()
        terms = make(commitment(secret))
        table = Table(terms, secret)
        listed = terms.listed and any(seat.free and not seat.reserved_for for seat in table.seats)
        opened = NewTable(name or new_id(), self.now(), _text(terms), secret, listed)
        due = self._deadlines.of_new(opened.opened)
        new = await self.store.create(opened, due, opener)
        self._claims.wake_at(due)
        if name is not None or not new:  # somebody may have found it meanwhile
            return await self.find(opened.id)
        session = TableSession(opened.id, table, [], opened=opened.opened, opener=opener)
        return self._keep(session)

    async def find(self, id: str) -> TableSession:  # noqa: A002
        """A table by its id, as it is now; NoSuchTable if there is none."""
        session = await self._find(id)
        if self.store.shared:
            number = await asyncio.to_thread(self.store.last_number, id)
            if number > session.table.number:
                async with session.lock:
                    await self._catch_up(session)
        return session

    async def _find(self, id: str) -> TableSession:  # noqa: A002
        """The same, as we know it: other servers may have stored more."""
        session = self._recent.get(id)
        if session is not None:
            self._recent.move_to_end(id)
            return session
        session = self._tables.get(id)
        if session is None:
            # Whoever waits may go away: the load goes on, and ends by itself.
            session = await asyncio.shield(self._loading.get(id) or self._start_loading(id))
        return self._keep(session)

    def _start_loading(self, id: str) -> asyncio.Task[TableSession]:  # noqa: A002
        def done(task: asyncio.Task[TableSession]) -> None:
            del self._loading[id]
            if not task.cancelled():
                task.exception()  # perhaps nobody waits for it any more

        task = self._loading[id] = self._start(self._load(id))
        task.add_done_callback(done)
        return task

    async def _load(self, id: str) -> TableSession:  # noqa: A002
        found = await asyncio.to_thread(self.store.load, id)
        if found is None:
            raise NoSuchTable(id[:40])
        stored, rows, holders = found
        terms = msgspec.json.decode(stored.terms, type=TableOptions)
        self.admit(terms.game)
        if len(rows) > FEW_EVENTS:
            entries, table = await asyncio.to_thread(_rebuilt, terms, stored.secret, rows)
        else:
            entries, table = _rebuilt(terms, stored.secret, rows)
        need = Deadline(stored.due, stored.bot)
        session = TableSession(id, table, entries, holders=holders, opened=stored.opened, need=need)
        session.opener = stored.opener
        session.keys = {row.key: row.number for row in rows if row.key is not None}
        turns = [entry.number for entry in entries if not entry.event.traits.keeps_turn]
        session.turn = turns[-1] if turns else 0
        await self._pause(session)
        return self._keep(session)

    async def _pause(self, session: TableSession) -> None:
        """No clock ran while nobody could play: store that, unless it is stored already.

        Before the game it is the deadline of players who have to commit or reveal.
        """
        table, game, last_at = session.table, session.table.terms.game, session.last_at
        thinking = table.clock.runs and table.clock.thinking is not None
        if not thinking and table.start_phase is None:
            return
        closed = self._opened.get(game, [])
        if self.store.shared and game in self._opened:  # others may have noted more since
            closed = await asyncio.to_thread(self.store.servers.downtimes, game)
        for since, until in closed:
            pause = events.Paused(since, until)
            while last_at < until and all(entry.event != pause for entry in session.entries):
                await self._append(session, Change(pause))  # or another server was quicker

    def _keep(self, session: TableSession) -> TableSession:
        """In memory, while somebody uses it, and until many others were asked for after it."""
        session.grace, session.on_here = self._grace, self._here_changed
        self._tables[session.id] = self._recent[session.id] = session
        self._recent.move_to_end(session.id)
        if len(self._recent) > MOST_IDLE:
            self._recent.popitem(last=False)
        return session

    # ---- Who holds a seat

    async def holder(self, session: TableSession, token: str) -> int | None:
        """The seat, as chosen, of the token with this hash; None if it holds none here."""
        found = await self._known_holder(session, token)
        if found is None and self.store.shared:
            async with session.lock:
                found = await self._holder(session, token)
        return found

    async def _holder(self, session: TableSession, token: str) -> int | None:
        """The same for callers that have the table's lock.

        Without it, we could take in an event that we are storing ourselves just now.
        """
        found = await self._known_holder(session, token)
        if found is None and await self._is_behind(session):
            found = await self._known_holder(session, token)
        return found

    async def _known_holder(self, session: TableSession, token: str) -> int | None:
        while session.holders is None:
            number = session.table.number
            held = await asyncio.to_thread(self.store.tokens_of, session.id)
            if number == session.table.number:  # if not, somebody may have sat down meanwhile
                session.holders = held
        return session.holders.get(token)

    # ---- Acting: check, store, tell

    async def act(
        self,
        id: str,  # noqa: A002
        command: Action | Sit | Decline,
        key: str | None = None,
    ) -> int:
        """Do what somebody asks for, and all that follows; the number of the event.

        Refused, or whatever else the command raises, if it cannot be: then nothing has changed. The
        same command with the same key is answered again, and not done twice. Who asked may go away
        meanwhile: what has begun is brought to its end.
        """
        session = await self._find(id)
        try:
            return await self._act(session, command, key)
        except asyncio.CancelledError:
            self._start(self._finish(session))
            raise

    async def _finish(self, session: TableSession) -> None:
        """Whoever acted has gone away: what they asked for may have been stored, or may be soon."""
        async with session.lock:
            with suppress(StoreFailed):  # then whoever acts next finds out
                await self.store.flush()
                await self._catch_up(session)
            await self._settle(session)

    async def _act(
        self, session: TableSession, command: Action | Sit | Decline, key: str | None
    ) -> int:
        if key is not None:
            key = hashlib.sha256("\n".join((*command.scope, key)).encode()).hexdigest()
        async with session.lock:
            while True:
                try:
                    change, owner = await self._asked(session, command)
                except BenbenError as error:
                    done = await self._done_before(session, key)
                    if done is not None:
                        return done
                    if await self._is_behind(session):
                        continue  # it may be right for what there is now
                    raise _placed(error, session) from None
                if change is None:
                    if await self._is_behind(session):
                        continue
                    return session.table.number
                stored = await self._append(session, change, key, owner)
                if isinstance(stored, Stored):
                    break
                # Another server was quicker: we know by now what happened, and ask again.
            await self._settle(session)
        return stored.number

    async def _asked(
        self, session: TableSession, command: Action | Sit | Decline
    ) -> tuple[Change | None, Owner | None]:
        """The event an action would become, and who owns its seat then if that changes.

        The caller has the table's lock.
        """
        if isinstance(command, Sit):
            return command.check(session.table), Owner(command.seat, command.token)
        if isinstance(command, Decline):
            return command.check(session.table), None
        if session.holders is None or self.store.shared:
            seat = await self._holder(session, command.token)
        else:
            seat = session.holders.get(command.token)
        if seat is None:
            raise UnknownToken
        change = command.check(session.table, session.table.order[seat])
        stands = change is not None and isinstance(change.event, events.Stood)
        return change, Owner(seat) if stands else None

    # ---- Hints: think, store, tell

    async def advise(
        self,
        id: str,  # noqa: A002
        command: AskHint,
        adviser: Callable[[Game], Entrant],
        key: str | None = None,
    ) -> tuple[int, Thought]:
        """What a strong player thinks for whoever is to move, and the event by which it counts.

        It is told only when that is stored. Refused if it may not be told, or no longer.
        """
        session = await self.find(id)
        try:
            async with session.lock:
                await self._asked(session, command)
        except BenbenError as error:
            raise _placed(error, session) from None
        advising = self._advising(session, adviser)
        try:
            thought = await asyncio.shield(advising.thought)  # others may have asked too
        except Cancelled:
            raise _placed(_moved_on(), session) from None
        stored = replace(command, number=None, about=advising.position)
        return await self.act(id, stored, key), thought

    def _advising(self, session: TableSession, adviser: Callable[[Game], Entrant]) -> Advising:
        """One thought for a decision, however often somebody asks."""
        known, table = session.advising, session.table
        if known is not None and known.turn == session.turn and not _failed(known.thought):
            return known
        assert table.start is not None
        assert table.position is not None
        asked, flag = adviser(table.game), Flag()
        turn = Turn.at(table.start, table.moves, table.position, asked.budget, cancelled=flag)
        thought = self._start(self._advised(asked, turn, session.opener or session.id))
        thought.add_done_callback(_failed)  # perhaps nobody waits for it any more
        session.advising = Advising(session.turn, table.position, thought, flag)
        return session.advising

    async def _advised(self, asked: Entrant, turn: Turn, opener: str) -> Thought:
        await self.until_bots(turn.view.game.name)
        return await self.thinkers.think(asked.player, turn, opener)

    async def forget(self, id: str, token: str) -> int:  # noqa: A002
        """Erase whoever holds a seat by this token; the number of the last event by it."""
        return await asyncio.shield(self._start(self._forget(id, token)))

    async def _forget(self, id: str, token: str) -> int:  # noqa: A002
        session = await self.find(id)
        async with session.lock:
            while True:
                seat = await self._holder(session, token)
                if seat is None:
                    raise UnknownToken
                await self._forget_expected(session, seat)
                if await self._erase(session, seat):
                    break
            number = session.table.number
            await self._settle(session)
        return number

    async def _forget_expected(self, session: TableSession, chosen: int) -> None:
        """Nobody expects them any more, here or at the next table.

        This comes first: without the token, which is erased then, it could not be asked for again.
        """
        table = session.table
        await self._forget_name(session, chosen)
        if table.rematch:
            there = table.rematch_seat(table.order[chosen])
            with suppress(NoSuchTable):  # which may have been pruned
                await self.act(table.rematch, Decline("", there))
                await self._forget_name(await self.find(table.rematch), there)

    async def _forget_name(self, session: TableSession, seat: int) -> None:
        def erase(text: str) -> str:
            return _text(msgspec.json.decode(text, type=TableOptions).without_expected(seat))

        if session.table.terms.without_expected(seat) != session.table.terms:
            text = await self.store.change_terms(session.id, erase)
            session.set_terms(msgspec.json.decode(text, type=TableOptions))

    async def _erase(self, session: TableSession, chosen: int) -> bool:
        """Names, words, tokens and what becomes of the seat change at once; False: try again."""
        table, at, owner = session.table, self.now(), Owner(chosen)
        erasure = erase(table, table.order[chosen])
        asked = [
            PendingEvent(session.id, table.number + i, at, to_json(event), owner=owner)
            for i, event in enumerate(erasure, 1)
        ]
        before, after = session.entries, erased(session.entries, chosen)
        bodies = {
            new.number: to_json(new.event)
            for old, new in zip(before, after, strict=True)
            if old != new
        }
        stored = await self.store.rewrite(asked, bodies)
        if isinstance(stored, Conflict):
            await self._catch_up(session)
            return False
        session.erase(chosen)
        for event in erasure:
            self._apply(session, Change(event), at, owner=owner)
        return True

    async def rematch(self, id: str, token: str, *, ask: bool = True) -> RematchSeat:  # noqa: A002
        """Where whoever holds a seat of a finished game goes on.

        If nobody has asked for it yet, the table is opened now; Refused unless they `ask`.
        """
        return await asyncio.shield(self._start(self._rematch(id, token, ask)))

    async def _rematch(self, id: str, token: str, ask: bool) -> RematchSeat:  # noqa: A002
        session = await self.find(id)
        async with session.lock:
            table = session.table
            chosen = await self._holder(session, token)
            if chosen is None:
                raise UnknownToken
            try:
                table.check_not_expired()
                if not table.closed:
                    raise Refused("not-over", "the game is not over yet")
            except Refused as error:
                raise _placed(error, session) from None
            seat = table.order[chosen]
            while not table.rematch:
                if not ask and not await self._is_behind(session):
                    raise _placed(Refused("no-rematch", "nobody has asked for a rematch"), session)
                if ask:
                    # By an id of its own, so that of all who try at once each finds the same table.
                    other = await self.open(
                        table.rematch_terms, self._rematch_id(session), session.opener
                    )
                    if other.table.closed:  # a server died here long ago, and it has expired since
                        other = await self.open(table.rematch_terms, opener=session.opener)
                    for there, name in enumerate(table.rematch_terms("").expected):
                        if not name:  # perhaps erased since it was opened
                            await self._forget_name(other, there)
                    await self._append(session, Change(events.Rematched(other.id, seat)))
        player = table.seats[seat]
        other = await self.find(table.rematch)
        return RematchSeat(other, table.rematch_seat(seat), player.name, player.program)

    def _rematch_id(self, session: TableSession) -> str:
        """The id of the next table, which nobody can guess."""
        return derived_id(self.store.server_key, "rematch", session.id)

    async def _done_before(self, session: TableSession, key: str | None) -> int | None:
        """The number of the event that was stored with a key; only others can have one unknown."""
        if key is None or key in session.keys or not self.store.shared:
            return session.keys.get(key or "")
        return await asyncio.to_thread(self.store.number_of, session.id, key)

    async def _append(
        self,
        session: TableSession,
        change: Change,
        key: str | None = None,
        owner: Owner | None = None,
    ) -> Stored | Conflict:
        event, at, table = change.event, self.now(), session.table
        over = event.traits.closes or None
        need, claim = self._claims.by_storing(self._deadlines.deadline_after(table, change, at), at)
        listed = live = None
        if table.terms.listed and (event.traits.opens_seat or isinstance(event, events.Began)):
            listed = event.traits.opens_seat and not table.closed
        elif table.terms.listed and isinstance(event, events.Sat | events.BotSeated):
            others = (each for i, each in enumerate(table.seats) if i != event.seat)
            listed = None if any(each.free for each in others) else False
        if table.terms.watchable and isinstance(event, events.Began | events.Ended):
            live = isinstance(event, events.Began)
        touches = not event.traits.step
        if table.terms.watchable and at >= session.touched + TOUCH:
            touches, session.touched = True, at
        number = table.number + 1
        try:
            stored = await self.store.append(
                PendingEvent(
                    table=session.id,
                    number=number,
                    at=at,
                    body=to_json(event),
                    key=key,
                    listed=listed,
                    over=over,
                    live=live,
                    touches=touches,
                    owner=owner,
                    need=None if need == NO_DEADLINE == session.need else need,
                )
            )
        except NoSuchTable:  # any more: it was pruned
            self._recent.pop(session.id, None)
            self._tables.pop(session.id, None)
            raise
        except TokenInUse as error:
            raise _placed(Refused("seated-already", str(error)), session) from error
        if isinstance(stored, Conflict):
            await self._catch_up(session)
        elif not stored.repeated and table.number < number:
            if need is not None:
                session.need, session.claim = need, claim
                self._claims.wake_at(need.at)
            self._apply(session, change, at, key, owner)
        return stored

    def _apply(
        self,
        session: TableSession,
        change: Change,
        at: int,
        key: str | None = None,
        owner: Owner | None = None,
    ) -> None:
        """What this server has stored; those who are to know it are told."""
        event, holders = change.event, session.holders or {}
        session.apply(event, at, key, owner, change.position)
        self.stored += 1
        self.moves += isinstance(event, events.Moved)
        if isinstance(event, events.Ended):
            self.on_ended(session)
        if owner is not None and event.traits.changes_owner:
            for token, seat in holders.items():
                if seat == owner.seat:
                    self.on_left(session, token)
            if owner.token is not None:
                self.on_sat(session, owner)

    async def _is_behind(self, session: TableSession) -> bool:
        """Whether another server had stored something; by now it is known."""
        return self.store.shared and await self._catch_up(session)

    async def _catch_up(self, session: TableSession) -> bool:
        """Take in what another server has stored; whether there was anything."""
        number = session.table.number
        rows = await asyncio.to_thread(self.store.events, session.id, number)
        for row in rows:
            if row.number == session.table.number + 1:  # not if it came to be known meanwhile
                self._take_in(session, _entry(row), row.key)
        self._stop_vain_thought(session)
        return session.table.number > number

    def _take_in(self, session: TableSession, entry: Entry, key: str | None) -> None:
        """The next event of a table, which another server has stored."""
        if not entry.event.traits.keeps_deadline:
            session.need = session.claim = None  # what is due now is known to who stored it
        session.apply(entry.event, entry.at, key)

    def _hear_event(self, words: list[str]) -> None:
        """Another server has stored an event."""
        name, number, waits, at, key, *body = words
        session, told = self._tables.get(name), " ".join(body)
        if session is not None and session.table.number < int(number):
            if told and session.table.number + 1 == int(number) and not session.lock.locked():
                entry = Entry(int(number), int(at), from_json(told))
                self._take_in(session, entry, None if key == "-" else key)
                self._stop_vain_thought(session)
            else:  # something was missed, or is being stored here: it is read
                self._start(self._catch_up_soon(session))
        if waits == "bot":
            self._claims.wake()

    def _hear_terms(self, words: list[str]) -> None:
        """Another server has changed the terms of a table: somebody's name was erased there."""
        (name,) = words
        session = self._tables.get(name)
        if session is not None:
            self._start(self._read_terms([session]))

    async def _read_terms(self, tables: Sequence[TableSession]) -> None:
        try:
            for session in tables:
                stored = await asyncio.to_thread(self.store.table, session.id)
                if stored is not None:
                    session.set_terms(msgspec.json.decode(stored.terms, type=TableOptions))
        except StoreFailed as error:
            log.error("cannot read the terms of tables again: %s", error)

    async def _catch_up_soon(self, session: TableSession) -> None:
        try:
            async with session.lock:
                await self._catch_up(session)
        except StoreFailed as error:
            log.error("cannot follow table %s: %s", session.id, error)

    def _listen_again(self) -> None:
        """We were not told for a while what other servers do."""
        self._start(self._catch_up_all())

    async def _catch_up_all(self) -> None:
        while True:
            try:
                known = dict(self._tables)
                numbers = await asyncio.to_thread(self.store.last_numbers, list(known))
                break
            except StoreFailed as error:
                log.error("cannot follow tables: %s", error)
            await asyncio.sleep(1.0)
        for name, session in known.items():
            if session.table.number < numbers.get(name, 0):
                await self._catch_up_soon(session)
        await self._read_terms([each for each in known.values() if any(each.table.terms.expected)])
        self._claims.wake()

    async def _settle(self, session: TableSession) -> None:
        """Do what is due by itself: deal, throw, end; then wake the bot, or say what is due next.

        What came before is stored and stands. If this fails it stays due, and is claimed anew.
        """
        try:
            while (
                change := self._deadlines.next_automatic_event(
                    session.table, session.last_at, self.now()
                )
            ) is not None:
                event = change.event
                owner = Owner(event.seat) if isinstance(event, events.Unrevealed) else None
                await self._append(session, change, owner=owner)
            if session.claim is not None:
                deadline = self._deadlines.next_deadline(session.table, session.last_at, self.now())
                await self._claims.release(session, deadline)
        except NoSuchTable:
            return
        except Exception as error:
            if not isinstance(error, StoreFailed):
                log.exception("what is due at table %s could not be done", session.id)
        self._stop_vain_thought(session)
        self._let_bot_think(session)

    # ---- What is due

    async def run(self) -> None:
        """Do what is due at any table, for as long as the server runs."""
        await self._claims.run()

    def _games_to_serve(self) -> Collection[str] | None:
        """The games whose tables we lease: those that are open. None: all."""
        return None if self._opened.keys() >= set(names()) else list(self._opened)

    async def _serve(self, claimed: Lease) -> None:
        """Do what is due at a table that we have claimed."""
        try:
            session = await self._find(claimed.id)
            async with session.lock:
                if self.store.shared:
                    await self._catch_up(session)
                session.claim = max(session.claim or 0, claimed.until)
                session.need = None
                reminded = self._deadlines.is_reminded(session.table, self.now())
                await self._settle(session)
            if reminded:
                self.on_reminder(session)
        except StoreFailed as error:
            log.error("table %s cannot go on yet: %s", claimed.id, error)
        except Exception:  # one that cannot be read must not keep the others waiting
            log.exception("table %s cannot go on", claimed.id)
            later = Deadline(claimed.until + UNREADABLE)
            await self.store.release(claimed.id, claimed.until, later)

    # ---- Bots

    def _stop_vain_thought(self, session: TableSession) -> None:
        if session.thinking is not None and session.thought_for != session.turn:
            session.thinking.set()  # there is something else to think about now, or nothing
            session.thinking = None
        if session.advising is not None and session.advising.turn != session.turn:
            session.advising.cancelled.set()
            session.advising = None

    def _let_bot_think(self, session: TableSession) -> None:
        """If it is its turn, and ours to let it."""
        if self._closing or session.claim is None or not self._claims.bots_are_ours:
            return
        if session.table.bot_to_move is not None and session.thinking is None:
            session.thinking, session.thought_for = Flag(), session.turn
            self._start(self._let_bot_move(session, session.thinking))

    def _start(self, work: Coroutine[object, object, T]) -> asyncio.Task[T]:
        """Work that is known of until it is done."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _let_bot_move(self, session: TableSession, cancelled: Flag) -> None:
        self._claims.hold(session)
        try:
            if not self._is_attended(session) and await self._park(session, cancelled):
                return
            seat, move = await self._thought(session, cancelled)
            if session.bot_failures:
                log.info("the bot at table %s plays again", session.id)
                session.bot_failures = 0
            async with session.lock:
                while session.thinking is cancelled and session.thought_for == session.turn:
                    moved = session.table.moved(seat, move)
                    if isinstance(await self._append(session, moved), Stored):
                        break
                    # Somebody has talked meanwhile, by another server.
                if session.thinking is cancelled:
                    session.thinking = None
                    await self._settle(session)
        except (Cancelled, NoSuchTable):
            pass
        except StoreFailed as error:  # the turn stays due: it is claimed again when the claim ends
            log.error("the bot at table %s has to wait: %s", session.id, error)
        except Exception as error:
            await self._retry_later(session, cancelled, error)
        finally:
            if session.thinking is cancelled:
                session.thinking = None
            if session.thinking is None:
                self._claims.let_go(session)

    async def _thought(self, session: TableSession, cancelled: Flag) -> tuple[int, str]:
        """Whose move it is and what it is to be, after a while that people can follow."""
        table = session.table
        await self.until_bots(table.terms.game)
        if cancelled.is_set():
            raise Cancelled
        seat, level = table.to_move, table.bot_to_move
        if seat is None or level is None or table.start is None or table.position is None:
            raise Cancelled
        bot = self._bots.take(session.id, seat, level, table.game)
        seed = self._seed(session)
        turn = Turn.at(table.start, table.moves, table.position, bot.budget, seed, cancelled)
        loop = asyncio.get_running_loop()
        began = loop.time()
        thought = await self.thinkers.think(bot.player, turn, session.opener or session.id)
        self._bots.put_back(session.id, seat, level, bot)
        await asyncio.sleep(max(0.0, self.bot_delay - (loop.time() - began)))
        return seat, thought.move

    def _seed(self, session: TableSession) -> int:
        """The seed of a bot's move. It depends on a key that only the servers have.

        From public numbers anybody could replay the bot for each secret that it may have, and see
        which one leads to its moves.
        """
        about = f"bot {session.id} {session.table.number}".encode()
        digest = hmac.digest(self.store.server_key.encode(), about, "sha256")
        return int.from_bytes(digest[:6])

    async def _retry_later(self, session: TableSession, cancelled: Flag, error: Exception) -> None:
        """A bot has failed: try again after a pause that doubles each time."""
        session.bot_failures += 1
        shortest, longest = BOT_RETRY_SECONDS
        pause = min(longest, shortest * 2 ** min(session.bot_failures - 1, 30))
        log.error(
            "the bot at table %s could not move (try %d): %r; next try in %.0f s",
            session.id,
            session.bot_failures,
            error,
            pause,
            exc_info=error if session.bot_failures == 1 else None,
        )
        try:
            async with session.lock:
                if session.thinking is cancelled and session.claim is not None:
                    self._claims.let_go(session)
                    need = Deadline(self.now() + round(1000 * pause), bot=True)
                    await self.store.release(session.id, session.claim, need)
                    session.need, session.claim = need, None
                    self._claims.wake_at(need.at)
        except StoreFailed as failed:  # then it is claimed again when the claim ends
            log.error("the bot at table %s has to wait: %s", session.id, failed)

    # ---- Bots think only while a person is there

    def _is_attended(self, session: TableSession) -> bool:
        """Whether a person waits for the bot here, as far as this server knows.

        Who has acted within the grace may be about to look again, and after a start nobody is known
        to be there yet. Programs need not look at tables: they hear when it is their turn. Where
        bots play for all who sat here, only those who look count.
        """
        people = [seat for seat in session.table.seats if seat.person]
        if session.present or any(seat.program for seat in people):
            return True
        if not people:
            return False
        since = self.now() - ATTENDED_MS
        return self._joined > since or session.acted_since(since)

    async def _park(self, session: TableSession, cancelled: Flag) -> bool:
        """Put off a bot's turn until a person is there; False if it need not wait after all.

        If a person has days for their moves the game goes on meanwhile, slowly.
        """
        async with session.lock:
            if session.thinking is not cancelled or session.claim is None:
                raise Cancelled
            now, due = self.now(), None
            if self._is_attended(session) or await self._is_attended_elsewhere(session, now):
                return False
            table = session.table
            if isinstance(table.terms.pace, Days) and any(seat.person for seat in table.seats):
                due = session.last_at + UNATTENDED_PAUSE_MS
                if due <= now:
                    return False
            self._claims.let_go(session)
            await self.store.park_bot(session.id, session.claim, due)
            session.need, session.claim, session.thinking = Deadline(due, bot=True), None, None
            self._claims.wake_at(due)
        if session.here:  # somebody came while that was being stored
            self._start(self._resume_parked_turn(session))
        return True

    async def _is_attended_elsewhere(self, session: TableSession, now: int) -> bool:
        """Whether another server has reported a person within the grace."""
        if not self.store.shared:
            return False
        at = await asyncio.to_thread(self.store.attended, session.id)
        return at is not None and at > now - ATTENDED_MS

    def _here_changed(self, session: TableSession) -> None:
        """Somebody has come to a table at this server, or has gone."""
        if session.here:
            self._with_people.add(session)
        else:
            self._with_people.discard(session)
        waits = session.table.bot_to_move is not None and session.thinking is None
        if waits and session.here and not self._closing:
            self._start(self._resume_parked_turn(session))

    async def _resume_parked_turn(self, session: TableSession) -> None:
        """A person is here: if the bot's turn was parked, it is due now."""
        while session.here:
            try:
                if await self.store.report_person(session.id, self.now()):
                    session.need = None
                    self._claims.wake()
                return
            except StoreFailed as error:
                log.error("the bot at table %s has to wait: %s", session.id, error)
            await asyncio.sleep(RETRY)

    def _on_turn_parked(self, words: list[str]) -> None:
        """Another server knows of nobody at a table where a bot has to move."""
        session = self._tables.get(words[0])
        if session is not None and session.here:
            self._start(self._resume_parked_turn(session))

    def _resume_parked_turns(self) -> None:
        """We did not hear for a while which bots' turns were parked."""
        for session in list(self._tables.values()):
            if session.here and session.table.bot_to_move is not None:
                self._start(self._resume_parked_turn(session))

    def waiting_here(self) -> set[str]:
        """The listed tables before their game where a person is at this server."""
        return {
            each.id
            for each in self._with_people
            if each.table.terms.listed and not each.table.begun
        }

    async def waiting_tables(self) -> set[str]:
        """The listed tables before their game where a person is, at any server."""
        if not self.store.shared:
            return self.waiting_here()
        return self.waiting_here() | await asyncio.to_thread(
            self.store.servers.attended, self.now()
        )

    # ---- Starting and stopping

    async def join(self, *, serves: bool = True) -> None:
        """Hear from now on what other servers do, and find out whether there are any."""
        await asyncio.to_thread(self.store.read_time)
        self._joined = self.now()
        if await self.store.channel.open(serves=serves):
            self._last_alive = await asyncio.to_thread(self.store.servers.last_ready)

    async def open_game(self, game: str) -> None:
        """Before anybody comes to a table of this game: find out when nobody could.

        If no other server was there, that is from when one last was until now, as nobody could play
        while the game was being prepared; or until we came, if another has come meanwhile.
        """
        if self._last_alive is not None:
            other = await asyncio.to_thread(self.store.servers.last_ready) != self._last_alive
            until = self._joined if other else self.now()
            await asyncio.to_thread(self.store.servers.add_downtime, game, self._last_alive, until)
        self._opened[game] = await asyncio.to_thread(self.store.servers.downtimes, game)
        self._claims.wake()  # its tables may have waited for us

    async def close(self) -> None:
        """Let nobody think on; what was acknowledged is stored already."""
        self._closing = True
        await self.store.channel.close()
        for session in list(self._tables.values()):
            if session.thinking is not None:
                session.thinking.set()
            if session.advising is not None:
                session.advising.cancelled.set()
            session.stop()
        with suppress(StoreFailed):
            await self._claims.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.thinkers.close()
        if self.store.shared:
            try:
                await self.store.servers.leave()
            except StoreFailed as error:
                log.error("programs are listed here until the heartbeat is old: %s", error)


async def _at_once(_: str) -> None:
    """Nothing has to be waited for."""


def _moved_on() -> Refused:
    return Refused("stale", "the table has moved on since the hint was asked for")


def _failed(thought: asyncio.Task[Thought]) -> bool:
    """Whether it has ended without an answer."""
    return thought.done() and (thought.cancelled() or thought.exception() is not None)


def _rebuilt(
    terms: TableOptions, secret: str, rows: Sequence[StoredEvent]
) -> tuple[list[Entry], Table]:
    entries = [_entry(row) for row in rows]
    return entries, rebuild(terms, secret, entries)


def _text(terms: TableOptions) -> str:
    return msgspec.json.encode(terms).decode()


def _entry(row: StoredEvent) -> Entry:
    return Entry(row.number, row.at, from_json(row.body))


def _placed(error: BenbenError, session: TableSession) -> BenbenError:
    """A refusal says which event was the table's last: who knows less may look again."""
    if isinstance(error, Refused):
        error.number = session.table.number
    return error
