"""A table in memory: its record, its lock, and the one way in which actions change it.

An action is checked, its event is stored, and only then applied and broadcast. Events are numbered;
if another server has stored the next number first, its events are read and the action is checked
again.
"""

import asyncio
import hashlib
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benben.core.errors import BenbenError
from benben.core.player import Thought
from benben.core.position import Position
from benben.live.presence import Presence
from benben.live.signals import EventStored, SeatLost, SeatTaken
from benben.store.database import StoreFailed
from benben.store.event_log import Conflict, NoSuchTable, Owner, PendingEvent, Stored, TokenInUse
from benben.store.tables import StoredEvent, StoredTable
from benben.table import events
from benben.table.actions import AnyAction, Decline, Sit
from benben.table.deadlines import NO_DEADLINE, Deadline
from benben.table.events import AnyEvent, from_json, to_json
from benben.table.record import Entry, erased
from benben.table.table import Change, Refused, Table
from benben.table.views import TableViews

if TYPE_CHECKING:
    from benben.live.tables import Tables

log = logging.getLogger("benben.live")

TOUCH_MS = 60_000  # how often a move updates the time at which a table to watch was last touched


class UnknownToken(BenbenError):
    """A token that holds no seat at this table."""

    def __init__(self) -> None:
        super().__init__("this token is of no seat at this table")


@dataclass(frozen=True, eq=False)
class BotTurn:
    """A bot's turn that this server plays."""

    turn: int  # the number of the event that began the bot's decision
    cancelled: threading.Event


@dataclass(frozen=True, eq=False)
class PendingHint:
    """What a strong player thinks of a decision, for players who ask for a hint."""

    turn: int  # the number of the event that began their decision
    position: Position
    thought: asyncio.Task[Thought]
    cancelled: threading.Event


class TableSession:
    """One table in memory. While it is in use, `Tables.find` returns the same object."""

    def __init__(
        self,
        tables: "Tables",
        stored: StoredTable,
        table: Table,
        entries: list[Entry],
        keys: dict[str, int],
        holders: dict[str, int],
    ) -> None:
        """`keys` has the numbers of events by their idempotency keys, `holders` the seats, as
        chosen, by the hashes of their tokens."""
        self._tables, self._store = tables, tables.store
        self.id, self.table, self.entries = stored.id, table, entries
        self._opened = stored.opened
        self.opener = stored.opener  # identifies the person who opened the table, if known
        self.views = TableViews(table)
        self.lock = asyncio.Lock()
        self.presence = Presence(table, tables.grace_seconds, self._presence_changed)
        # The number of the event that began the current decision.
        self.turn = max((e.number for e in entries if not e.event.traits.keeps_turn), default=0)
        self.bot_turn: BotTurn | None = None
        self.bot_failures = 0  # in a row
        self.hint: PendingHint | None = None
        # As stored; None: not known.
        self.deadline: Deadline | None = Deadline(stored.due, stored.bot)
        self.lease: int | None = None  # until when this server acts at the deadline
        self.deleted = False  # from the store
        self._keys = keys
        self._holders: dict[str, int] | None = holders  # None: to be read again
        self._touched = 0  # when the stored time of the last event was last updated
        self._subscribers: list[Callable[[], None]] = []
        self._notifying = False  # subscribers are called in the next step of the event loop

    @property
    def last_at(self) -> int:
        """When the last event was stored."""
        return self.entries[-1].at if self.entries else self._opened

    def acted_since(self, time: int) -> bool:
        """Whether a person or a program has done anything since a time, in milliseconds."""
        for entry in reversed(self.entries):
            if entry.at < time:
                return False
            match entry.event:
                case events.Moved(seat):
                    if self.table.seats[seat].person:
                        return True
                case events.TakenOver(timed_out=timed_out):
                    if not timed_out:
                        return True
                case _:
                    if not entry.event.traits.by_server:
                        return True
        return False

    # ---- Subscribers

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back after every event and change of presence; returns how to unsubscribe.

        Changes within one step of the event loop are one call, in the next step.
        """
        self._subscribers.append(callback)
        return lambda: self._subscribers.remove(callback)

    def notify(self) -> None:
        if self._subscribers and not self._notifying:
            self._notifying = True
            asyncio.get_running_loop().call_soon(self._call_subscribers)

    def _call_subscribers(self) -> None:
        self._notifying = False
        for callback in [*self._subscribers]:
            try:
                callback()
            except Exception:
                log.exception("a subscriber of table %s failed", self.id)

    def _presence_changed(self) -> None:
        self._tables.presence_changed(self)
        self.notify()

    def stop(self) -> None:
        """Cancel thinking and timers: the server ends. Acknowledged events are stored already."""
        for thinking in (self.bot_turn, self.hint):
            if thinking is not None:
                thinking.cancelled.set()
        self.presence.stop()

    # ---- Actions

    async def submit(self, action: AnyAction, key: str | None = None) -> int:
        """Execute an action and what follows by itself; returns the number of its event.

        If the action is not possible, an error is raised, for example Refused, and nothing has
        changed. An action that is sent again with the same key is not repeated. If the caller is
        cancelled, an action that is being stored is completed.
        """
        try:
            return await self._submit(action, key)
        except asyncio.CancelledError:
            self._tables.start(self._finish())
            raise

    async def _submit(self, action: AnyAction, key: str | None) -> int:
        if key is not None:
            key = hashlib.sha256("\n".join((*action.scope, key)).encode()).hexdigest()
        async with self.lock:
            while True:
                try:
                    change, owner = await self.check(action)
                except BenbenError as error:
                    if (number := await self._find_repeated_request(key)) is not None:
                        return number
                    if await self.is_behind():
                        continue  # it may be possible by now
                    raise self.at_number(error) from None
                if change is None:
                    if await self.is_behind():
                        continue
                    return self.table.number
                stored = await self.append(change, key, owner)
                if isinstance(stored, Stored):
                    break
            await self.apply_automatic_events()
        return stored.number

    async def _finish(self) -> None:
        """Complete an action whose caller was cancelled while it was being stored."""
        async with self.lock:
            with suppress(StoreFailed):  # then the next action finds out
                await self._store.flush()
                await self.catch_up()
            await self.apply_automatic_events()

    async def check(self, action: AnyAction) -> tuple[Change | None, Owner | None]:
        """The event of an action, and the new owner of its seat. The caller has the lock."""
        if isinstance(action, Sit):
            return action.check(self.table), Owner(action.seat, action.token)
        if isinstance(action, Decline):
            return action.check(self.table), None
        player = await self.player_of(action.token)
        change = action.check(self.table, self.table.order[player])
        stands = change is not None and isinstance(change.event, events.Stood)
        return change, Owner(player) if stands else None

    def at_number(self, error: BenbenError) -> BenbenError:
        """Add the number of the last event to a refusal: clients that know less can update."""
        if isinstance(error, Refused):
            error.number = self.table.number
        return error

    async def _find_repeated_request(self, key: str | None) -> int | None:
        """The number of the event that was stored with an idempotency key, if any."""
        if key is None or key in self._keys or not self._store.shared:
            return self._keys.get(key or "")
        return await asyncio.to_thread(self._store.find_by_idempotency_key, self.id, key)

    async def apply_automatic_events(self) -> None:
        """Store the events that follow by themselves (deal, throws, end), then let the bot think.

        If this fails, the deadline stays, and the next holder of the lease tries again.
        """
        deadlines, scheduler = self._tables.deadlines, self._tables.scheduler
        now, table = self._tables.now, self.table
        try:
            while change := deadlines.next_automatic_event(table, self.last_at, now()):
                event = change.event
                owner = Owner(event.seat) if isinstance(event, events.Unrevealed) else None
                await self.append(change, owner=owner)
            if self.lease is not None:
                deadline = deadlines.next_deadline(table, self.last_at, now())
                if not (deadline.bot and scheduler.plays_bots):  # a bot's turn is played first
                    await scheduler.release(self, deadline)
        except NoSuchTable:
            return
        except Exception as error:
            if not isinstance(error, StoreFailed):
                log.exception("table %s cannot continue", self.id)
        self.cancel_stale_thinking()
        self._tables.bot_turns.begin(self)

    def cancel_stale_thinking(self) -> None:
        """Cancel thoughts about decisions that have been made."""
        if self.bot_turn is not None and self.bot_turn.turn != self.turn:
            self.bot_turn.cancelled.set()
            self.bot_turn = None
        if self.hint is not None and self.hint.turn != self.turn:
            self.hint.cancelled.set()
            self.hint = None

    # ---- Storing and applying events

    async def append(
        self, change: Change, key: str | None = None, owner: Owner | None = None
    ) -> Stored | Conflict:
        """Store the next event, then apply and broadcast it. The caller has the lock."""
        event, at, number = change.event, self._tables.now(), self.table.number + 1
        scheduler = self._tables.scheduler
        deadline = self._tables.deadlines.deadline_after(self.table, change, at)
        deadline, lease = scheduler.lease_with_event(deadline, at)
        unchanged = deadline == NO_DEADLINE == self.deadline
        try:
            stored = await self._store.append(
                PendingEvent(
                    table=self.id,
                    number=number,
                    at=at,
                    body=to_json(event),
                    key=key,
                    listed=self._listed_after(event),
                    live=self._live_after(event),
                    over=event.traits.closes or None,
                    touches=self._touches(event, at),
                    owner=owner,
                    deadline=None if unchanged else deadline,
                )
            )
        except NoSuchTable:
            self.deleted = True
            raise
        except TokenInUse as error:
            raise self.at_number(Refused("seated-already", str(error))) from error
        if isinstance(stored, Conflict):
            await self.catch_up()
        elif not stored.repeated and self.table.number < number:
            if deadline is not None:
                self.deadline, self.lease = deadline, lease
                scheduler.wake_at(deadline.at)
            self.apply_stored(change, at, key, owner)
        return stored

    def _listed_after(self, event: AnyEvent) -> bool | None:
        """Whether strangers find the table to sit down, after an event; None: as before."""
        table = self.table
        if not table.options.listed:
            return None
        if event.traits.opens_seat or isinstance(event, events.Began):
            return event.traits.opens_seat and not table.closed
        if isinstance(event, events.Sat | events.BotSeated):
            others = (seat for i, seat in enumerate(table.seats) if i != event.seat)
            return None if any(seat.free for seat in others) else False
        return None

    def _live_after(self, event: AnyEvent) -> bool | None:
        """Whether strangers find the table to watch, after an event; None: as before."""
        if self.table.options.watchable and isinstance(event, events.Began | events.Ended):
            return isinstance(event, events.Began)
        return None

    def _touches(self, event: AnyEvent, at: int) -> bool:
        if self.table.options.watchable and at >= self._touched + TOUCH_MS:
            self._touched = at
            return True
        return not event.traits.step

    def apply_stored(
        self, change: Change, at: int, key: str | None = None, owner: Owner | None = None
    ) -> None:
        """Apply an event that this server has stored."""
        event, signals, holders = change.event, self._tables.signals, self._holders or {}
        self._apply(Entry(self.table.number + 1, at, event), key, owner, change.position)
        signals.send(EventStored(self, event))
        if owner is not None and event.traits.changes_owner:
            for token, player in holders.items():
                if player == owner.seat:
                    signals.send(SeatLost(self, token))
            if owner.token is not None:
                signals.send(SeatTaken(self, owner.seat, owner.token))

    def apply_remote(self, entry: Entry, key: str | None) -> None:
        """Apply the next event, which another server has stored."""
        if not entry.event.traits.keeps_deadline:
            self.deadline = self.lease = None  # only the other server knows the new deadline
        self._apply(entry, key, None, None)

    def _apply(
        self, entry: Entry, key: str | None, owner: Owner | None, position: Position | None
    ) -> None:
        event, traits = entry.event, entry.event.traits
        self.table.apply(event, entry.at, position)
        self.entries.append(entry)
        if key is not None:
            self._keys[key] = entry.number
        if not traits.keeps_turn:
            self.turn = entry.number
        if traits.changes_owner:
            self._set_owner(owner)
        if isinstance(event, events.Forgotten):
            self.entries[:] = erased(self.entries, self.table.order.index(event.seat))
        if not traits.step:
            self.presence.refresh()
        self.notify()

    def _set_owner(self, owner: Owner | None) -> None:
        """Replace the token of a seat; if it is not known, the tokens are read again."""
        if owner is None or self._holders is None:
            self._holders = None
            return
        others = {token: seat for token, seat in self._holders.items() if seat != owner.seat}
        self._holders = others if owner.token is None else others | {owner.token: owner.seat}

    # ---- Other servers

    async def is_behind(self) -> bool:
        """Apply events that another server has stored; returns whether there were any."""
        return self._store.shared and await self.catch_up()

    async def catch_up(self) -> bool:
        """Apply the events after the last known one; returns whether there were any."""
        number = self.table.number
        for row in await asyncio.to_thread(self._store.events, self.id, number):
            if row.number == self.table.number + 1:  # it may have been applied meanwhile
                self.apply_remote(entry_of(row), row.key)
        self.cancel_stale_thinking()
        return self.table.number > number

    # ---- Who holds a seat

    async def holder(self, token: str) -> int | None:
        """The seat, as chosen, of the token with this hash; None if it holds none here."""
        found = await self._known_holder(token)
        if found is None and self._store.shared:
            # Without the lock an event that is just being stored could be applied twice.
            async with self.lock:
                with suppress(UnknownToken):
                    return await self.player_of(token)
        return found

    async def player_of(self, token: str) -> int:
        """The same for callers that have the lock; raises UnknownToken."""
        found = await self._known_holder(token)
        if found is None and await self.is_behind():
            found = await self._known_holder(token)
        if found is None:
            raise UnknownToken
        return found

    async def _known_holder(self, token: str) -> int | None:
        while self._holders is None:
            number = self.table.number
            held = await asyncio.to_thread(self._store.tokens_of, self.id)
            if number == self.table.number:  # else a seat may have changed hands meanwhile
                self._holders = held
        return self._holders.get(token)


def entry_of(row: StoredEvent) -> Entry:
    return Entry(row.number, row.at, from_json(row.body))
