"""When a table next needs a server though nobody acts there.

It is stored with every event that may change it, in the same transaction: so nothing is waited for
in memory alone, and a server that starts need not look at the tables that are waiting for people.
"""

from collections.abc import Sequence

from benben.core.position import Position
from benben.core.rules import CHANCE
from benben.live.session import TableSession
from benben.store.event_log import Deadline
from benben.table import events
from benben.table.events import AnyEvent
from benben.table.options import Days
from benben.table.table import Table

NOTHING = Deadline()


class Deadlines:
    """By `expiry`, in ms, a table may stand without a game. By `reminders`, in ms, after their turn
    came, people who have days for it would like to be told.
    """

    def __init__(self, expiry: int, reminders: Sequence[int] = ()) -> None:
        self._expiry, self._reminders = expiry, tuple(sorted(reminders))

    def of_new(self, opened: int) -> int:
        """When a table that has just been opened needs somebody."""
        return opened + self._expiry

    def owed(self, session: TableSession, now: int) -> AnyEvent | None:
        """The event that follows without anybody's wish, if one does."""
        table = session.table
        if not (table.begun or table.closed) and now >= session.last_at + self._expiry:
            return events.Expired()
        return table.due(now)

    def of(self, session: TableSession, now: int) -> Deadline:
        """What a table needs as it is."""
        table = session.table
        if table.closed:
            return NOTHING
        if self.owed(session, now) is not None:
            return Deadline(now)
        if not table.begun:
            expiry, deadline = session.last_at + self._expiry, table.start_deadline
            return Deadline(expiry if deadline is None else min(expiry, deadline))
        if table.bot_to_move is not None:
            return Deadline(now, bot=True)
        seat, ends = table.to_move, table.clock.runs_out
        if seat is None or ends is None or not table.playable:
            return NOTHING
        return Deadline(min([ends, *self._reminders_of(table, _came(table), now)]))

    def after(self, session: TableSession, event: AnyEvent, at: int) -> Deadline | None:
        """What a table needs when an event will have happened at a time; None: the same as before.

        Of moves and throws, which are most of what happens, it is known; after other events it is
        looked at as soon as may be.
        """
        if isinstance(event, events.Moved):
            return self._in(session.table, session.table.look_ahead(event.move), at)
        if isinstance(event, events.Threw):
            return self._in(session.table, session.table.look_ahead(event.throw), at)
        if event.traits.closes:
            return NOTHING
        return None if event.traits.keeps_deadline else Deadline(at)

    def is_reminded(self, session: TableSession, now: int) -> bool:
        """Whether whoever is to move has waited long enough to be told."""
        table, came = session.table, _came(session.table)
        if not isinstance(table.terms.pace, Days) or table.to_move is None or came is None:
            return False
        return any(came + after <= now for after in self._reminders)

    def _in(self, table: Table, position: Position, at: int) -> Deadline:
        seat = position.to_move
        if seat is None or seat == CHANCE:
            return Deadline(at)
        if not table.seats[seat].person:
            return Deadline(at, bot=True)
        ends = table.clock.would_run_out(seat, at)
        if ends is None:
            return NOTHING
        came = at if seat != table.deciding else _came(table)
        return Deadline(min([ends, *self._reminders_of(table, came, at)]))

    def _reminders_of(self, table: Table, came: int | None, now: int) -> list[int]:
        """When whoever is to move is told that their turn came at a time: the times after now."""
        if not isinstance(table.terms.pace, Days) or came is None:
            return []
        return [came + after for after in self._reminders if came + after > now]


def _came(table: Table) -> int | None:
    """When the turn came that somebody is having; None if a bot had it when it came."""
    if not table.turns or table.turns[-1].seat != table.deciding:
        return None
    return table.turns[-1].at
