"""The record of a table, as a file: its options, and every event with its number and time.

The record of a finished game is complete: anybody can replay it and verify its luck. Before the end
a record has only what one viewer may see.
"""

import re
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from benben.bots.levels import LEVELS
from benben.bots.names import NAMES
from benben.core.errors import BenbenError
from benben.table import events
from benben.table.actions import LONGEST_TALK, PHRASES, check_commitment, check_nonce
from benben.table.events import AnyEvent
from benben.table.fairness import commitment, nonce_commitment
from benben.table.names import LONGEST_NAME
from benben.table.options import TableOptions
from benben.table.table import Change, Refused, Table

FORMAT = 1
LONGEST = 10_000_000  # bytes
_ID = re.compile(r"[\w-]{1,64}", re.ASCII)


class Entry(msgspec.Struct, frozen=True):
    """An event with its number, from 1, and the time it was stored at."""

    number: int
    at: int
    event: AnyEvent


class TableRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The options and events of a table."""

    format: int = msgspec.field(name="benben-table", default=FORMAT)
    id: str
    options: TableOptions = msgspec.field(name="terms")
    entries: tuple[Entry, ...]

    @property
    def secret(self) -> str:
        """The server's secret; empty before the game has ended."""
        ended = (each.event for each in self.entries if isinstance(each.event, events.Ended))
        return next((event.secret for event in ended), "")

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
    """A record differs from what must have happened, first at event `number`."""

    def __init__(self, number: int, why: str) -> None:
        self.number = number
        super().__init__(f"event {number}: {why}")


# Events that are determined by those before: they are calculated again.
_DETERMINED = (events.Unrevealed, events.Began, events.Threw, events.Ended)


def verify(record: TableRecord) -> int:
    """Replay a record, draw all its luck again, and return the number of draws.

    Raises Different for the first event that is not as it should be; BenbenError if the record
    cannot be replayed, or the game never began or has not ended, so that its secret is not public.
    """
    if any(isinstance(each.event, events.Expired) for each in record.entries):
        raise BenbenError("the table was closed before a game began: there is nothing to check")
    if not record.secret:
        raise BenbenError("the game is still on: its luck can be checked when it is over")
    table = Table(record.options, record.secret)
    if not table.playable:
        raise BenbenError(
            f"played by version {record.options.rules} of the rules of {record.options.game}, "
            "which is not known here"
        )
    ended = next(e.number for e in record.entries if isinstance(e.event, events.Ended))
    try:
        if commitment(record.secret) != record.options.commitment:
            raise Different(ended, "the secret is not the one promised before the game")
    except ValueError as error:  # not a hexadecimal number
        raise Different(ended, "the secret is not one this server could have drawn") from error
    _check_texts(record)
    for entry in record.entries:
        event, after = entry.event, None
        if isinstance(event, _DETERMINED):
            expected = table.next_automatic_event(entry.at)
            if expected is None or expected.event != event:
                raise Different(entry.number, f"should have been {_described(expected)}")
            after = expected.position
        if isinstance(event, events.Moved | events.Hinted) and event.seat != table.to_move:
            raise Different(entry.number, "another seat was to move")
        why = _wrong_before_the_game(table, event)
        if why:
            raise Different(entry.number, why)
        try:
            table.apply(event, entry.at, after)
        except (BenbenError, IndexError, AssertionError, KeyError) as error:
            raise Different(entry.number, f"cannot have happened: {error}") from error
    return table.draws


def _check_texts(record: TableRecord) -> None:
    """Refuse what no server stores: long texts, or seats and levels that do not exist.

    Names only have to be short: older servers accepted names that are refused today.
    """
    options = record.options
    if not _ID.fullmatch(record.id):
        raise BenbenError("the id of a record has 1 to 64 ASCII letters, digits, - and _")
    if not all(map(_is_bounded, (*options.expected, *options.bot_names))):
        raise BenbenError("a name in the terms of the record is too long")
    seats = range(len(options.bots))
    if len(options.programs) > len(seats) or not set(options.programs) <= set(seats):
        raise BenbenError("the terms of the record name a seat that does not exist")
    for entry in record.entries:
        seat, level = getattr(entry.event, "seat", None), getattr(entry.event, "level", None)
        if seat is not None and seat not in seats:
            raise Different(entry.number, f"there is no seat {seat + 1}")
        if level is not None and level not in LEVELS:
            raise Different(entry.number, f"there is no level {level}")
        try:
            why = _wrong_text(entry.event)
        except Refused as error:
            why = str(error)
        if why:
            raise Different(entry.number, why)


def _wrong_text(event: AnyEvent) -> str:
    """Why no server would have stored the texts of an event; else empty."""
    match event:
        case events.Sat(_, name, nonce, _, committed):
            if not _is_bounded(name):
                return "the name is too long"
            if committed and nonce:
                return "there is a nonce and a commitment to one"
            if committed:
                check_commitment(committed)
            else:
                check_nonce(nonce)
        case events.Committed(_, committed):
            check_commitment(committed)
        case events.Revealed(_, nonce):
            check_nonce(nonce)
        case events.Said(_, text, phrase):
            if len(text) > LONGEST_TALK or not text.isprintable():
                return f"a message has at most {LONGEST_TALK} printable characters"
            if phrase and phrase not in PHRASES:
                return f"the phrases are {', '.join(PHRASES)}"
        case events.Rematched(table):
            if not _ID.fullmatch(table):
                return "this is not the id of a table"
    return ""


def _is_bounded(name: str) -> bool:
    """Whether a name is short, however its letters are composed."""
    return len(name) <= 4 * LONGEST_NAME and name.isprintable()


def _wrong_before_the_game(table: Table, event: AnyEvent) -> str:
    """Why a nonce could have been chosen when others were known; else empty."""
    match event:
        case events.Sat() | events.BotSeated() | events.Stood():
            return _wrong_seating(table, event)
        case events.Committed(seat):
            if table.start_phase != "commit" or seat not in table.start_pending:
                return f"seat {seat + 1} had a nonce already"
        case events.Revealed(seat, nonce):
            if table.start_phase != "reveal":
                return "a nonce was revealed before every seat had committed to one"
            if table.commitments.get(seat) != nonce_commitment(nonce):
                return f"the nonce of seat {seat + 1} is not the one committed to"
    return ""


def _wrong_seating(table: Table, event: events.Sat | events.BotSeated | events.Stood) -> str:
    seat = event.seat
    if table.begun or not 0 <= seat < len(table.seats):
        return f"seat {seat + 1} could not be taken or given up"
    if isinstance(event, events.Stood):
        return "" if table.seats[seat].taken else f"nobody sat on seat {seat + 1}"
    if not table.seats[seat].free:
        return f"seat {seat + 1} was not free"
    if isinstance(event, events.Sat) and bool(event.nonce) == bool(event.commitment):
        return f"seat {seat + 1} was taken with neither or both of a nonce and a commitment"
    return ""


def _described(change: Change | None) -> str:
    if change is None:
        return "nothing yet"
    match change.event:
        case events.Unrevealed(seat):
            return f"seat {seat + 1} freed"
        case events.Began(order, start, _):
            return f"the start {start} with seats {', '.join(str(seat + 1) for seat in order)}"
        case events.Threw(throw, draw):
            return f"{throw}, by draw {draw}"
        case events.Ended(shares, reason, _):
            return f"the result {', '.join(map(str, shares))} by {reason}"
    return "something else"


def erased(entries: Sequence[Entry], chosen: int) -> list[Entry]:
    """The events without the name and chat of the player who took the seat `chosen`.

    The nonces stay: without them the luck could not be verified.
    """
    seat, result = chosen, list[Entry]()
    for entry in entries:
        match entry.event:
            case events.Began(order, _, _):
                seat = order[chosen]
            case events.Sat(taken) as sat if taken == chosen:
                entry = replace(entry, event=replace(sat, name=""))
            case events.Said(sender) as said if sender == seat:
                entry = replace(entry, event=replace(said, text=""))
        result.append(entry)
    return result


def anonymized(record: TableRecord) -> TableRecord:
    """The record without names and chat."""
    entries: Sequence[Entry] = record.entries
    for seat in range(len(record.options.bots)):
        entries = erased(entries, seat)
    bots = record.options.bot_names if set(record.options.bot_names) <= set(NAMES) else ()
    options = replace(record.options, expected=(), programs=(), bot_names=bots)
    return replace(record, options=options, entries=tuple(entries))


def rebuild(options: TableOptions, secret: str, entries: Sequence[Entry]) -> Table:
    """The table after a number of events."""
    table = Table(options, secret)
    for entry in entries:
        table.apply(entry.event, entry.at)
    return table
