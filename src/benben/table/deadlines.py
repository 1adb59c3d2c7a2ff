"""When a server next has to act at a table though no player does.

The deadline is stored in the transaction of each event that may change it. So none exists in memory
alone, and a server that starts does not have to load the tables that wait for people.
"""

from collections.abc import Sequence

import msgspec

from benben.core.position import Position
from benben.core.rules import CHANCE
from benben.table import events
from benben.table.options import Days
from benben.table.table import Change, Table


class Deadline(msgspec.Struct, frozen=True):
    """The time, in ms since 1970, at which a server has to act, if any; perhaps to move a bot."""

    at: int | None = None
    bot: bool = False


NO_DEADLINE = Deadline()


class Deadlines:
    """Calculates deadlines. `last_at` is when the last event was stored, or the table opened.

    A table expires `expiry` ms after that if its game has not begun. People who have days for a
    turn are reminded of it `reminders` ms after it began.
    """

    def __init__(self, expiry: int, reminders: Sequence[int] = ()) -> None:
        self._expiry, self._reminders = expiry, tuple(sorted(reminders))

    def of_new(self, opened: int) -> int:
        """The deadline of a table that has just been opened."""
        return opened + self._expiry

    def next_automatic_event(self, table: Table, last_at: int, now: int) -> Change | None:
        """The event that follows without any action, if one does."""
        if not (table.begun or table.closed) and now >= last_at + self._expiry:
            return Change(events.Expired())
        return table.next_automatic_event(now)

    def next_deadline(self, table: Table, last_at: int, now: int) -> Deadline:
        """The deadline of a table as it is."""
        if table.closed:
            return NO_DEADLINE
        if self.next_automatic_event(table, last_at, now) is not None:
            return Deadline(now)
        if not table.begun:
            expiry, start = last_at + self._expiry, table.start_deadline
            return Deadline(expiry if start is None else min(expiry, start))
        seat = table.to_move
        if seat is None or not table.playable:
            return NO_DEADLINE
        return self._of_turn(table, seat, table.clock.runs_out_at, _turn_started_at(table), now)

    def deadline_after(self, table: Table, change: Change, at: int) -> Deadline | None:
        """The deadline after an event that is stored at a time; None if it is the same as before.

        It is calculated for moves and throws, which are most events. Any other event that may
        change it makes a server look at the table at once.
        """
        traits = change.event.traits
        if traits.step and change.position is not None:
            return self._of_position(table, change.position, at)
        if traits.closes:
            return NO_DEADLINE
        return None if traits.keeps_deadline else Deadline(at)

    def is_reminded(self, table: Table, now: int) -> bool:
        """Whether it is time to remind the person who is to move."""
        started = _turn_started_at(table)
        if not isinstance(table.options.pace, Days) or table.to_move is None or started is None:
            return False
        return any(started + after <= now for after in self._reminders)

    def _of_position(self, table: Table, position: Position, at: int) -> Deadline:
        seat = position.to_move
        if seat is None or seat == CHANCE:
            return Deadline(at)
        started = at if seat != table.deciding else _turn_started_at(table)
        return self._of_turn(table, seat, table.clock.would_run_out_at(seat, at), started, at)

    def _of_turn(
        self, table: Table, seat: int, runs_out: int | None, started: int | None, now: int
    ) -> Deadline:
        if not table.seats[seat].person:
            return Deadline(now, bot=True)
        if runs_out is None:
            return NO_DEADLINE
        reminders: list[int] = []
        if isinstance(table.options.pace, Days) and started is not None:
            reminders = [started + after for after in self._reminders if started + after > now]
        return Deadline(min([runs_out, *reminders]))


def _turn_started_at(table: Table) -> int | None:
    """When the current turn began; None if a bot had it then."""
    if not table.turns or table.turns[-1].seat != table.deciding:
        return None
    return table.turns[-1].at
