"""Limits how often one address may invite a bot. They are in memory: a restart resets them."""

import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from benben.store.programs import Program
from benben.table.table import Refused

PENDING_SECONDS = 30.0  # for a bot to answer an invitation by sitting down
MOST_TABLES = 10  # of one bot, by invitations of one address
_LATE_SECONDS = 600.0  # a bot may still answer then: its invitation counts as a table until then
_MOST_REMEMBERED = 10_000  # pairs of a bot and an address


@dataclass
class _Invited:
    # Tables, and until when each counts without the bot sitting there; 0 if it has sat down.
    tables: dict[str, float] = field(default_factory=dict)
    last: str = ""  # the table of the last invitation
    pending_until: float = 0.0


class Invitations:
    """The invitations of all bots. `now` returns the time in seconds."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._invited: OrderedDict[tuple[str, str], _Invited] = OrderedDict()

    def unanswered(self, bot: Program, address: str) -> list[str]:
        """The tables of invitations that the bot has not answered, as far as is known."""
        invited = self._invited.get((bot.hash, address))
        return [] if invited is None else [each for each, until in invited.tables.items() if until]

    def add(
        self,
        bot: Program,
        address: str,
        table: str,
        *,
        seated: Collection[str] = (),
        answered: Collection[str] = (),
    ) -> None:
        """Count an invitation. Refused if this address may not send it now.

        It may not if the bot has not answered the last one yet, or if this address has enough of
        the bot's tables. `seated` are the tables where the bot sits and whose game is not over. At
        those in `answered` it has sat down, whether or not the game is over.
        """
        now = self._now()
        invited = self._invited.setdefault((bot.hash, address), _Invited())
        tables = {
            each: 0.0 if each in answered else until for each, until in invited.tables.items()
        }
        invited.tables = {
            each: until for each, until in tables.items() if each in seated or now < until
        }
        waits = invited.last != table and tables.get(invited.last, 0.0) > 0
        if waits and now < invited.pending_until:
            words = f"you have just invited {bot.name} to another table: wait for its answer"
            raise Refused("invitation-pending", words)
        if len(invited.tables.keys() - {table}) >= MOST_TABLES:
            words = f"{bot.name} has {MOST_TABLES} tables that you invited it to"
            raise Refused("too-many-tables", words)
        invited.tables[table] = now + _LATE_SECONDS
        invited.last, invited.pending_until = table, now + PENDING_SECONDS
        self._invited.move_to_end((bot.hash, address))
        if len(self._invited) > _MOST_REMEMBERED:
            self._invited.popitem(last=False)

    def remove(self, bot: Program, address: str, table: str) -> None:
        """Remove an invitation that could not be sent."""
        if (invited := self._invited.get((bot.hash, address))) is not None:
            invited.tables.pop(table, None)
            invited.pending_until = 0.0
