"""Somebody who looks at a table: by a seat they hold, or from outside."""

import logging
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar

from benben.live.session import TableSession
from benben.store.database import StoreFailed
from benben.store.event_log import NoSuchTable
from benben.table.events import AnyEvent, Ended, Stood, Unrevealed
from benben.table.views import ResultView, TableView
from benben.web.responses import TableOfMine
from benben.web.warming import NotReady

log = logging.getLogger("benben.web")

T = TypeVar("T")


@dataclass
class Viewer:
    """By the seat they chose, or None. When seats are drawn they may sit on another in the end."""

    session: TableSession
    chosen: int | None

    @property
    def seat(self) -> int | None:
        """Where they sit now."""
        return None if self.chosen is None else self.session.table.order[self.chosen]

    def look(self, now: int) -> TableView:
        return self.session.views.whole(self.seat, now)

    def glance(self, now: int) -> TableOfMine:
        """What somebody who sits there wants to know first."""
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
        """Little comes after the end, so it is looked for from there."""
        if not self.session.table.closed:
            return None
        last_first = reversed(self.session.entries)
        return next((each.at for each in last_first if isinstance(each.event, Ended)), None)

    def is_gone_by(self, event: AnyEvent) -> bool:
        """Whether an event has ended what a token allowed: somebody else may sit there next."""
        return isinstance(event, Stood | Unrevealed) and event.seat == self.chosen


async def if_readable(table: str, work: Awaitable[T]) -> T | None:
    """Await `work` for a table in a list; None if the table cannot be loaded, or not yet.

    One such table, as of a game that is no longer installed, must not break a list for everybody.
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
