"""How much time each seat has left. Times are milliseconds, and passed in."""

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field

from benben.table.options import Days, LiveClock, Pace

_DAY = 24 * 3600 * 1000


@dataclass
class Clock:
    """One for all seats: at most one of them is thinking.

    A turn has as many moves and throws as the game gives it. It is over when another seat has to
    decide, or the game is over: then the increment is earned, and the next turn has its own days.
    """

    pace: Pace
    seats: int
    left: list[int] = field(init=False)  # of each seat, when it last began to think
    runs: bool = field(init=False)  # whether there is a clock at all
    thinking: int | None = field(default=None, init=False)  # nobody while a throw is due
    _turn: int | None = field(default=None, init=False)  # whose it is, also while a throw is due
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
        """This seat has to decide now, or nobody: a throw is due, or the game is over."""
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
        """The turns of these seats are taken back: when they end again they earn nothing more."""
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
        """No server was running: that time is nobody's. The same pause counts once."""
        if self.thinking is not None:
            self._since += max(0, until - max(since, self._since, self._paused_until))
            self._paused_until = max(self._paused_until, until)

    def would_run_out(self, seat: int, at: int) -> int | None:
        """When a seat will run out of time if it has to decide from a time on."""
        if not self.runs:
            return None
        later = copy(self)
        later.left, later._taken_back = [*self.left], [*self._taken_back]
        later.start(seat, at)
        return later.runs_out

    def now(self, seat: int, at: int) -> int:
        """What a seat has left at a given time; never negative."""
        spent = max(0, at - self._since) if seat == self.thinking else 0
        return max(0, self.left[seat] - spent)

    def spent(self, seat: int) -> bool:
        """Whether a seat can never have time again: days begin anew with each turn."""
        return isinstance(self.pace, LiveClock) and self.left[seat] == 0

    @property
    def runs_out(self) -> int | None:
        """When the seat that is thinking will run out of time."""
        if self.thinking is None or not self.runs:
            return None
        return self._since + self.left[self.thinking]
