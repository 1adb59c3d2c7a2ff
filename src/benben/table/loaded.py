"""A table in memory: its record so far, who looks at it, and what it waits for."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from threading import Event as Flag

from benben.table import events as happened
from benben.table.events import AnyEvent
from benben.table.record import Entry
from benben.table.table import Table
from benben.table.views import TableViews

PLAYED = (happened.Moved, happened.Threw)  # by far the most of what happens
# What does not change whose turn it is, nor what there is to decide.
ASIDE = (
    happened.Said,
    happened.Paused,
    happened.UndoAsked,
    happened.UndoGranted,
    happened.UndoRefused,
    happened.Rematched,
)


@dataclass
class LoadedTable:
    """A table in memory, and who waits for it."""

    id: str
    table: Table
    entries: list[Entry]
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    news: asyncio.Event = field(default_factory=asyncio.Event)  # set, and replaced, by each event
    pins: int = 0  # how many use it, whatever for: as long as there are any it stays in memory
    streams: Counter[int] = field(default_factory=Counter)  # that are open, by the seat as chosen
    present: list[int] = field(default_factory=list)  # the seats whose people have a stream open
    turn: int = 0  # the event since which the same decision is waited for
    thinking: Flag | None = None  # set to cancel the bot that thinks
    thought_for: int = 0  # the turn it thinks about
    timer: asyncio.TimerHandle | None = None
    holders: dict[str, tuple[int, int]] = field(default_factory=dict)  # see Tables.holder
    views: TableViews = field(init=False)

    def __post_init__(self) -> None:
        self.views = TableViews(self.table)

    @property
    def idle(self) -> bool:
        nobody = self.pins == 0 and not self.lock.locked()
        return nobody and self.thinking is None and self.timer is None

    def count_stream(self, chosen: int, more: int) -> None:
        """A stream of whoever chose a seat was opened (1) or closed (-1)."""
        self.streams[chosen] += more
        if not self.streams[chosen]:
            del self.streams[chosen]
        self._see_who_is_there()
        self.wake()

    def _see_who_is_there(self) -> None:
        order = self.table.order
        self.present = sorted(order[chosen] for chosen in self.streams)

    def apply(self, event: AnyEvent, at: int) -> None:
        """An event that has been stored is part of the table, and those who wait are woken."""
        self.table.apply(event, at)
        self.entries.append(Entry(self.table.number, at, event))
        if not isinstance(event, ASIDE):
            self.turn = self.table.number
        if isinstance(event, happened.Stood):
            self.holders = {}
        if not isinstance(event, PLAYED):
            self._see_who_is_there()  # perhaps elsewhere, as seats were drawn
        self.wake()

    def wake(self) -> None:
        """Let everybody who waits look whether there is something new."""
        self.news.set()
        self.news = asyncio.Event()
