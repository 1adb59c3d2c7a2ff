"""The record of a table, as a file: how it was made, and every event with its number and time.

A record of a finished game is complete: anybody can replay it and check its luck. Before the end it
is given as one viewer sees it, and holds no secret of anybody else.
"""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from benben.core.errors import BenbenError
from benben.table import events as happened
from benben.table.events import AnyEvent
from benben.table.fairness import commitment
from benben.table.table import Table
from benben.table.terms import Terms

FORMAT = 1
LONGEST = 10_000_000  # bytes


class Entry(msgspec.Struct, frozen=True):
    """An event with its number, from 1, and the time it was stored at."""

    number: int
    at: int
    event: AnyEvent


class TableRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A table to keep, to replay and to check."""

    format: int = msgspec.field(name="benben-table", default=FORMAT)
    id: str
    terms: Terms
    entries: tuple[Entry, ...]

    @property
    def secret(self) -> str:
        """The server's secret; empty as long as the game is on."""
        told = [
            each.event.secret for each in self.entries if isinstance(each.event, happened.Ended)
        ]
        return told[0] if told else ""

    def __str__(self) -> str:
        return msgspec.json.format(msgspec.json.encode(self)).decode() + "\n"

    @classmethod
    def parse(cls, text: str | bytes) -> "TableRecord":
        """Read a record; BenbenError if the text is not one."""
        if len(text) > LONGEST:
            raise BenbenError(f"a record has at most {LONGEST} bytes")
        try:
            found = msgspec.json.decode(text, type=cls)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise BenbenError(f"this is not the record of a table: {error}") from error
        if found.format != FORMAT:
            raise BenbenError(
                f"the record is in format {found.format}; this version reads only format {FORMAT}"
            )
        numbers = [entry.number for entry in found.entries]
        if numbers != list(range(1, len(numbers) + 1)):
            raise BenbenError("the events of a record are numbered from 1 without gaps")
        return found


class Different(BenbenError):
    """The luck of a record is not what it should have been; `number` is that of the event."""

    def __init__(self, number: int, why: str) -> None:
        self.number = number
        super().__init__(f"event {number}: {why}")


def verify(record: TableRecord) -> int:
    """Replay a record and draw all its luck again; how many draws there were.

    Different names the first event that is not as it should be; BenbenError if the game is still
    on, as the secret is not known yet, or never began, or cannot be replayed.
    """
    if any(isinstance(each.event, happened.Expired) for each in record.entries):
        raise BenbenError("the table was closed before a game began: there is nothing to check")
    if not record.secret:
        raise BenbenError("the game is still on: its luck can be checked when it is over")
    table = Table(record.terms, record.secret)
    if not table.playable:
        raise BenbenError(
            f"played by version {record.terms.rules} of the rules of {record.terms.game}, "
            "which is not known here"
        )
    ended = next(e.number for e in record.entries if isinstance(e.event, happened.Ended))
    try:
        if commitment(record.secret) != record.terms.commitment:
            raise Different(ended, "the secret is not the one promised before the game")
    except ValueError as error:  # not a hexadecimal number
        raise Different(ended, "the secret is not one this server could have drawn") from error
    for entry in record.entries:
        event = entry.event
        if isinstance(event, happened.Began | happened.Threw | happened.Ended):
            should = table.due(entry.at)
            if should != event:
                raise Different(entry.number, f"should have been {_told(should)}")
        if isinstance(event, happened.Moved | happened.Hinted) and event.seat != table.to_move:
            raise Different(entry.number, "another seat was to move")
        try:
            table.apply(event, entry.at)
        except (BenbenError, IndexError, AssertionError, KeyError) as error:
            raise Different(entry.number, f"cannot have happened: {error}") from error
    return table.draws


def _told(event: AnyEvent | None) -> str:
    match event:
        case happened.Began(order, start, _):
            return f"the start {start} with seats {', '.join(str(seat + 1) for seat in order)}"
        case happened.Threw(throw, draw):
            return f"{throw}, by draw {draw}"
        case happened.Ended(shares, reason, _):
            return f"the result {', '.join(map(str, shares))} by {reason}"
    return "something else"


def erased(entries: Sequence[Entry], chosen: int) -> list[Entry]:
    """The same events without a name or a word of whoever chose this seat.

    Their nonces stay: without them nobody could check the luck.
    """
    seat, kept = chosen, []
    for entry in entries:
        event = entry.event
        match event:
            case happened.Began(order, _, _):
                seat = order[chosen]
            case happened.Sat(who) if who == chosen:
                event = replace(event, name="")
            case happened.Said(who) if who == seat:
                event = replace(event, text="")
        kept.append(Entry(entry.number, entry.at, event))
    return kept


def rebuild(terms: Terms, secret: str, entries: Sequence[Entry]) -> Table:
    """The table its record says it is."""
    table = Table(terms, secret)
    for entry in entries:
        table.apply(entry.event, entry.at)
    return table
