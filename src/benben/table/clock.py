"""How much time each seat has left. Times are in milliseconds, and given: nothing here looks."""

from dataclasses import dataclass, field

from benben.table.terms import Days, LiveClock, Pace

_DAY = 24 * 3600 * 1000


@dataclass
class Clock:
    """One for all seats: at most one of them is thinking."""

    pace: Pace
    seats: int
    left: list[int] = field(init=False)  # of each seat, when its turn began
    runs: bool = field(init=False)  # whether there is a clock at all
    thinking: int | None = field(default=None, init=False)
    _since: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        match self.pace:
            case LiveClock(seconds, _):
                self._allowance = seconds * 1000
            case Days(days):
                self._allowance = days * _DAY
            case _:
                self._allowance = 0
        self.left = [self._allowance] * self.seats
        self.runs = self._allowance > 0

    def start(self, seat: int | None, at: int) -> None:
        """It is this seat's turn now, or nobody's."""
        if seat == self.thinking:
            return
        self.stop(at)
        self.thinking, self._since = seat, at
        if seat is not None and isinstance(self.pace, Days):
            self.left[seat] = self._allowance

    def stop(self, at: int) -> None:
        """A turn is over; what it took is gone, and the increment is earned."""
        if self.thinking is not None and self.runs:
            earned = self.pace.increment * 1000 if isinstance(self.pace, LiveClock) else 0
            self.left[self.thinking] = self.now(self.thinking, at) + earned
        self.thinking = None

    def pause(self, since: int, until: int) -> None:
        """The house was closed: that time was nobody's."""
        if self.thinking is not None:
            self._since += max(0, until - max(since, self._since))

    def now(self, seat: int, at: int) -> int:
        """What a seat has left at a time; never less than nothing."""
        spent = max(0, at - self._since) if seat == self.thinking else 0
        return max(0, self.left[seat] - spent)

    def spent(self, seat: int) -> bool:
        """Whether a seat can never have time again: days begin anew with each turn."""
        return isinstance(self.pace, LiveClock) and self.left[seat] == 0

    @property
    def runs_out(self) -> int | None:
        """When the seat that thinks will have nothing left."""
        if self.thinking is None or not self.runs:
            return None
        return self._since + self.left[self.thinking]
