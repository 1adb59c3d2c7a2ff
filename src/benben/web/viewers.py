"""Viewers of a table: the holder of a seat, or a spectator."""

import logging
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar

from benben.live.session import TableSession
from benben.store.database import StoreFailed
from benben.store.event_log import NoSuchTable
from benben.table.events import AnyEvent, Ended, Stood, Unrevealed
from benben.table.views import ResultView, TableView
from benben.web.kernel_compiler import NotReady
from benben.web.responses import TableOfMine

log = logging.getLogger("benben.web")

T = TypeVar("T")


@dataclass
class Viewer:
    """A viewer by the seat they chose, or None. If seats are drawn, they may sit on another."""

    session: TableSession
    chosen: int | None

    @property
    def seat(self) -> int | None:
        """The seat where they sit now."""
        return None if self.chosen is None else self.session.table.order[self.chosen]

    def full_view(self, now: int) -> TableView:
        return self.session.views.whole(self.seat, now)

    def summary(self, now: int) -> TableOfMine:
        """The table in a list of tables where the viewer sits."""
        table, seat = self.session.table, self.seat
        assert seat is not None
        result = table.result
        return TableOfMine(
            id=self.session.id,
            game=table.options.game,
            number=table.number,
            position_since=table.position_since,
            you=seat,
            to_move=table.to_move,
            your_turn=table.to_move == seat and table.seats[seat].person,
            begun=table.begun,
            over=table.over or table.expired,
            expired=table.expired,
            seats=self.session.views.seats(now),
            rematch=table.rematch,
            result=None if result is None else ResultView(result.shares, result.reason),
            ended=self._ended(),
            starting=table.start_phase if seat in table.start_pending else None,
        )

    def _ended(self) -> int | None:
        """When the game ended. Searched from the last event, as few events follow the end."""
        if not self.session.table.closed:
            return None
        last_first = reversed(self.session.entries)
        return next((each.at for each in last_first if isinstance(each.event, Ended)), None)

    def is_gone_by(self, event: AnyEvent) -> bool:
        """Whether the viewer has lost their seat by an event."""
        return isinstance(event, Stood | Unrevealed) and event.seat == self.chosen


async def if_readable(table: str, work: Awaitable[T]) -> T | None:
    """Await `work` for a table in a list; None if the table cannot be loaded now.

    One such table, as of a game that is no longer installed, must not break the whole list.
    """
    try:
        return await work
    except (NotReady, NoSuchTable):
        return None
    except StoreFailed:
        raise
    except Exception as error:
        log.error("table %s is left out of a list: %s", table, error)
        return None
