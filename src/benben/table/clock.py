"""The time that each seat has left. Times are in milliseconds and passed in."""

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field

from benben.table.options import Days, LiveClock, Pace

_DAY = 24 * 3600 * 1000


@dataclass
class Clock:
    """The clock of a table: it runs for at most one seat at a time.

    A turn can have several moves and throws. It ends when another seat has to decide or the game is
    over; then the seat gets its increment, and the next turn has its own days.
    """

    pace: Pace
    seats: int
    left: list[int] = field(init=False)  # of each seat, when its time last began to run
    runs: bool = field(init=False)  # whether there is a clock at all
    thinking: int | None = field(default=None, init=False)  # None: no time runs, as before a throw
    _turn: int | None = field(default=None, init=False)  # also before a throw
    _since: int = field(default=0, init=False)
    _paused_until: int = field(default=0, init=False)
    _taken_back: list[int] = field(init=False)  # turns of each seat whose increment was paid

    def __post_init__(self) -> None:
        match self.pace:
            case LiveClock(seconds, _):
                self._allowance = seconds * 1000
            case Days(days):
                self._allowance = days * _DAY
            case _:
                self._allowance = 0
        self.left = [self._allowance] * self.seats
        self._taken_back = [0] * self.seats
        self.runs = self._allowance > 0

    def start(self, seat: int | None, at: int, over: bool = False) -> None:
        """Let the time of a seat run; None before a throw, or when the game is over."""
        if seat == self.thinking and not over:
            return
        if self.thinking is not None:
            self.left[self.thinking] = self.now(self.thinking, at)
        self.thinking, self._since = seat, at
        if seat != self._turn and (over or seat is not None):
            self._end_turn()
            self._turn = seat
            if seat is not None and isinstance(self.pace, Days):
                self.left[seat] = self._allowance

    def take_back(self, turns: Iterable[int]) -> None:
        """Take back turns of these seats: they get no second increment when they end again."""
        for seat in turns:
            self._taken_back[seat] += 1

    def _end_turn(self) -> None:
        seat = self._turn
        if seat is None or not isinstance(self.pace, LiveClock):
            return
        if self._taken_back[seat]:
            self._taken_back[seat] -= 1
        elif self.left[seat]:  # time that has run out stays so
            self.left[seat] += self.pace.increment * 1000

    def pause(self, since: int, until: int) -> None:
        """Do not count the time when no server ran. The same pause counts once."""
        if self.thinking is not None:
            self._since += max(0, until - max(since, self._since, self._paused_until))
            self._paused_until = max(self._paused_until, until)

    def would_run_out_at(self, seat: int, at: int) -> int | None:
        """When a seat will run out of time if it has to decide from a time on."""
        if not self.runs:
            return None
        later = copy(self)
        later.left, later._taken_back = [*self.left], [*self._taken_back]
        later.start(seat, at)
        return later.runs_out_at

    def now(self, seat: int, at: int) -> int:
        """The time a seat has left; never negative."""
        spent = max(0, at - self._since) if seat == self.thinking else 0
        return max(0, self.left[seat] - spent)

    def spent(self, seat: int) -> bool:
        """Whether a seat has no time left for the rest of the game; days begin anew each turn."""
        return isinstance(self.pace, LiveClock) and self.left[seat] == 0

    @property
    def runs_out_at(self) -> int | None:
        """When the seat whose time runs will have none left; None if no time runs."""
        if self.thinking is None or not self.runs:
            return None
        return self._since + self.left[self.thinking]
