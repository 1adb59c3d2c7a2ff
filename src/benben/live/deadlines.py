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
from benben.table.options import Days
from benben.table.table import Change, Table

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

    def next_automatic_event(self, session: TableSession, now: int) -> Change | None:
        """The event that follows without any action, if one does."""
        table = session.table
        if not (table.begun or table.closed) and now >= session.last_at + self._expiry:
            return Change(events.Expired())
        return table.next_automatic_event(now)

    def of(self, session: TableSession, now: int) -> Deadline:
        """What a table needs as it is."""
        table = session.table
        if table.closed:
            return NOTHING
        if self.next_automatic_event(session, now) is not None:
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

    def after(self, session: TableSession, change: Change, at: int) -> Deadline | None:
        """The deadline after an event that is stored at a time; None if it is the same as before.

        It is calculated for moves and throws, which are most events. Any other event that may
        change it makes a server look at the table at once.
        """
        traits = change.event.traits
        if traits.step and change.position is not None:
            return self._in(session.table, change.position, at)
        if traits.closes:
            return NOTHING
        return None if traits.keeps_deadline else Deadline(at)

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
