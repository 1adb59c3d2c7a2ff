"""Which address has invited which bot, so that nobody keeps a bot for themselves.

Counted in the memory of a server: what is lost by a restart is a limit, not an invitation.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

PENDING_SECONDS = 30.0  # for a bot to answer an invitation by sitting down
MOST_TABLES = 10  # of one bot, by invitations of one address
_MOST_REMEMBERED = 10_000  # pairs of a bot and an address


@dataclass
class _Invited:
    tables: set[str] = field(default_factory=set)
    last: str = ""  # the table of the last invitation
    until: float = 0.0  # when that is no longer waited for


class Invitations:
    """Of all bots. `now` tells the time in seconds."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._invited: OrderedDict[tuple[str, str], _Invited] = OrderedDict()

    def pending(self, bot: str, address: str) -> str:
        """The table of the last invitation; empty if there is none, or too long ago."""
        invited = self._invited.get((bot, address))
        return invited.last if invited is not None and self._now() < invited.until else ""

    def full(self, bot: str, address: str, seated: Collection[str]) -> bool:
        """Whether this address has enough of a bot's tables.

        `seated` are the tables where the bot sits and whose game is not over.
        """
        invited = self._invited.get((bot, address))
        if invited is None:
            return False
        invited.tables.intersection_update(seated)
        return len(invited.tables) >= MOST_TABLES

    def add(self, bot: str, address: str, table: str) -> None:
        """An invitation was sent."""
        invited = self._invited.setdefault((bot, address), _Invited())
        invited.tables.add(table)
        invited.last, invited.until = table, self._now() + PENDING_SECONDS
        self._invited.move_to_end((bot, address))
        if len(self._invited) > _MOST_REMEMBERED:
            self._invited.popitem(last=False)
