"""Who is at a table, as far as this server knows. Players are numbered by the seats they chose."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable

from benben.table.table import Table

GRACE_SECONDS = 60.0  # for which a player whose page was closed or hidden still counts as present
_TIMER_SLACK_SECONDS = 0.01


class Presence:
    """The players who have an open stream, or looked at the table within the grace."""

    def __init__(self, table: Table, grace_seconds: float, on_change: Callable[[], None]) -> None:
        self.players: frozenset[int] = frozenset()
        self.seats: list[int] = []  # where they sit now, in order
        self._table, self._grace_seconds, self._on_change = table, grace_seconds, on_change
        self._streams: Counter[int] = Counter()  # open ones, by player
        self._until: dict[int, float] = {}  # end of the grace of players without a stream
        self._timer: asyncio.TimerHandle | None = None  # one for all of them

    def stream_opened(self, player: int) -> None:
        self._streams[player] += 1
        self.refresh()

    def stream_closed(self, player: int) -> None:
        self._streams[player] -= 1
        if not self._streams[player]:
            del self._streams[player]
            self.looked(player)

    def looked(self, player: int) -> None:
        """A player has requested the table: hidden pages do so now and then."""
        if player not in self._streams:
            self._until[player] = time.monotonic() + self._grace_seconds
            self.refresh()

    def refresh(self) -> None:
        """Recompute who is here: time has passed, or the table has changed."""
        order, seats, now = self._table.order, self._table.seats, time.monotonic()
        self._until = {
            player: until
            for player, until in self._until.items()
            if until - now > _TIMER_SLACK_SECONDS
            and seats[order[player]].taken
            and not seats[order[player]].away
        }
        self._set_timer(now)
        players = frozenset({*self._streams, *self._until})
        here = sorted(order[player] for player in players)
        if (players, here) != (self.players, self.seats):
            self.players, self.seats = players, here
            self._on_change()

    def stop(self) -> None:
        """Report no more changes: the server ends."""
        self._on_change = lambda: None
        if self._timer is not None:
            self._timer.cancel()

    def _set_timer(self, now: float) -> None:
        if self._timer is not None and not self._until:
            self._timer.cancel()
            self._timer = None
        if self._timer is None and self._until:
            wait = min(self._until.values()) - now
            self._timer = asyncio.get_running_loop().call_later(wait, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        self.refresh()
