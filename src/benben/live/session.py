"""A table in memory: its record so far, who looks at it, and what it waits for."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event as Flag

from benben.core.player import Thought
from benben.core.position import Position
from benben.store.event_log import Deadline, Owner
from benben.table import events
from benben.table.events import AnyEvent
from benben.table.options import TableOptions
from benben.table.record import Entry, erased
from benben.table.table import Table
from benben.table.views import TableViews

GRACE = 60.0  # seconds for which somebody is still there whose page was closed, or hidden
_SOON = 0.01  # seconds that are not waited for


@dataclass(frozen=True, eq=False)
class Advising:
    """What a strong player thinks of a decision, since the event by which that came."""

    turn: int
    position: Position
    thought: "asyncio.Task[Thought]"
    cancelled: Flag


@dataclass(eq=False)
class TableSession:
    """As long as anybody refers to it, it is the one that everybody finds (`Tables.find`)."""

    id: str
    table: Table
    entries: list[Entry]
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    streams: Counter[int] = field(default_factory=Counter)  # that are open, by the seat as chosen
    # Whose people are at this server: the seats as chosen, and where they sit now.
    here: frozenset[int] = frozenset()
    present: list[int] = field(default_factory=list)
    grace: float = GRACE
    turn: int = 0  # the event since which the same decision is waited for
    thinking: Flag | None = None  # set to cancel the bot that thinks
    thought_for: int = 0  # the turn it thinks about
    advising: "Advising | None" = None  # whoever is to move has asked for a hint
    # Until when we are the one who does what is due here, as the store has it; None: we are not.
    claim: int | None = None
    need: Deadline | None = None  # as the store has it; None: not known
    # The seats, as chosen, by the hashes of their tokens; None: to be read again.
    holders: dict[str, int] | None = field(default_factory=dict)
    keys: dict[str, int] = field(default_factory=dict)  # the numbers of events that had a key
    touched: int = 0  # when we last told that it is live, if others may watch
    opened: int = 0
    opener: str | None = None  # identifies the person who opened the table, if known
    bot_failures: int = 0  # how often in a row its bot could not move here
    views: TableViews = field(init=False)
    # Until when people are there without a stream, by the seat as chosen; one timer for all.
    _until: dict[int, float] = field(default_factory=dict, init=False)
    _going: asyncio.TimerHandle | None = field(default=None, init=False)
    on_change: Callable[[], None] | None = None  # told whenever there may be something new
    on_here: "Callable[[TableSession], None] | None" = None  # told whenever others are here
    _waiting: list[asyncio.Future[None]] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.views = TableViews(self.table)

    @property
    def last_at(self) -> int:
        """When something last happened here."""
        return self.entries[-1].at if self.entries else self.opened

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

    def count_stream(self, chosen: int, more: int) -> None:
        """A stream of whoever chose a seat was opened (1) or closed (-1)."""
        self.streams[chosen] += more
        if not self.streams[chosen]:
            del self.streams[chosen]
            self._until[chosen] = time.monotonic() + self.grace
        self._tell_who_is_there()

    def look_in(self, chosen: int) -> None:
        """Whoever chose a seat has looked at the table: a page that is hidden does now and then."""
        if chosen not in self.streams:
            self._until[chosen] = time.monotonic() + self.grace
            self._tell_who_is_there()

    def stop(self) -> None:
        """The server ends: nothing is waited for, and of those who go now nothing is told."""
        self.on_here = None
        if self._going is not None:
            self._going.cancel()

    def _tell_who_is_there(self) -> None:
        before = self.present
        self._see_who_is_there()
        if self._going is None and self._until:
            loop, wait = asyncio.get_running_loop(), min(self._until.values()) - time.monotonic()
            self._going = loop.call_later(wait, self._time_has_passed)
        if self.present != before:
            self.wake()

    def _time_has_passed(self) -> None:
        self._going = None
        self._tell_who_is_there()

    def _see_who_is_there(self) -> None:
        order, seats, now = self.table.order, self.table.seats, time.monotonic()
        self._until = {
            chosen: until
            for chosen, until in self._until.items()
            if until - now > _SOON and seats[order[chosen]].taken and not seats[order[chosen]].away
        }
        if self._going is not None and not self._until:
            self._going.cancel()
            self._going = None
        here = frozenset({*self.streams, *self._until})
        self.present = sorted(order[chosen] for chosen in here)
        if here != self.here:
            self.here = here
            if self.on_here is not None:
                self.on_here(self)

    def apply(
        self,
        event: AnyEvent,
        at: int,
        key: str | None = None,
        owner: Owner | None = None,
        after: Position | None = None,
    ) -> None:
        """Apply an event that has been stored, and wake all who wait.

        `after` is the position it leads to, if known. Without `owner`, the new owner of a seat is
        read from the store when it is needed.
        """
        self.table.apply(event, at, after)
        self.entries.append(Entry(self.table.number, at, event))
        if key is not None:
            self.keys[key] = self.table.number
        if not event.traits.keeps_turn:
            self.turn = self.table.number
        if event.traits.changes_owner:
            self._set_owner(owner)
        if isinstance(event, events.Forgotten):
            self.erase(self.table.order.index(event.seat))
        if not event.traits.step:
            self._see_who_is_there()  # perhaps elsewhere, as seats were drawn
        self.wake()

    def erase(self, chosen: int) -> None:
        """What the store has no more of somebody, memory shall not have either."""
        self.entries[:] = erased(self.entries, chosen)

    def set_terms(self, terms: TableOptions) -> None:
        """Take over terms from which the name of somebody expected here was erased."""
        self.table.set_terms(terms)

    def _set_owner(self, owner: Owner | None) -> None:
        if owner is None or self.holders is None:
            self.holders = None
            return
        others = {token: seat for token, seat in self.holders.items() if seat != owner.seat}
        self.holders = others if owner.token is None else others | {owner.token: owner.seat}

    def wake(self) -> None:
        """Let everybody who waits look whether there is something new."""
        if self.on_change is not None:
            self.on_change()
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            if not each.done():  # who waited may have been cancelled
                each.set_result(None)

    async def changed(self) -> None:
        """Wait until there may be something new. Look first: nothing can happen in between."""
        waiting = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        await waiting
