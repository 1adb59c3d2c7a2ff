"""The time of the database, which all servers on it share."""

import time


def milliseconds() -> int:
    """The time of this machine, since 1970."""
    return time.time_ns() // 1_000_000


class DatabaseClock:
    """Estimates the database's time, in milliseconds since 1970, from its answers.

    Leases and heartbeats are compared between servers, whose own clocks may differ by minutes or be
    set while they run. Between two answers, time passes as the monotonic clock says. Before the
    first one, and where a database has one server only, this is the machine's own time.
    """

    def __init__(self) -> None:
        self._offset: float | None = None  # from the monotonic clock, in milliseconds

    def __call__(self) -> int:
        if self._offset is None:
            return milliseconds()
        return round(1000 * time.monotonic() + self._offset)

    def observe(self, reported: float, before: float, after: float) -> None:
        """Update the offset from a time that the database reported, in milliseconds.

        The database was asked between two times of the monotonic clock, in seconds.

        The offset changes only if it cannot be right, so slow answers do not spoil it.
        """
        least, most = reported - 1000 * after, reported - 1000 * before
        if self._offset is None:
            self._offset = (least + most) / 2
        self._offset = min(max(self._offset, least), most)
