"""What can happen at a table, one kind of event each. Their record is the table.

Seats are numbered from 0. Times are in milliseconds since 1970. Every event also has a number, from
1 without gaps, and the time it was stored at: the record keeps them beside it.
"""

from typing import Literal, TypeAlias

import msgspec

Strength: TypeAlias = Literal["nudge", "idea", "move"]  # of a hint, the weakest first


class Event(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """The root of all kinds; `kind` tells them apart in JSON."""


class Sat(Event, frozen=True, tag="sat"):
    """Somebody has taken a seat, with a nonce for the table's luck or a commitment to one."""

    seat: int
    name: str
    nonce: str  # empty if there is a commitment
    program: bool = False  # no person, but a bot of somebody's that plays over the network
    commitment: str = ""  # SHA-256 of a nonce that is revealed before the game begins


class Committed(Event, frozen=True, tag="committed"):
    """A seat whose nonce became void has committed to a new one."""

    seat: int
    commitment: str


class Revealed(Event, frozen=True, tag="revealed"):
    """Every seat has committed, and this seat has revealed its nonce."""

    seat: int
    nonce: str


class Unrevealed(Event, frozen=True, tag="unrevealed"):
    """A seat did not commit or reveal in time: it is free again."""

    seat: int


class BotSeated(Event, frozen=True, tag="bot-seated"):
    """Whoever waits for the game to begin has given a free seat to a bot."""

    seat: int
    level: int


class Declined(Event, frozen=True, tag="declined"):
    """Whoever was expected here does not come: the seat is open to anybody."""

    seat: int


class Stood(Event, frozen=True, tag="stood"):
    """Somebody has given up a seat before the game began: it is free again."""

    seat: int


class Began(Event, frozen=True, tag="began"):
    """All seats are taken. `order[i]` is where whoever took seat i sits; then the deal."""

    order: tuple[int, ...]
    start: str  # the whole position, secrets and all
    draws: int  # how many numbers were drawn for it


class Threw(Event, frozen=True, tag="threw"):
    """The dice have fallen, by the draw of this number."""

    throw: str
    draw: int


class Moved(Event, frozen=True, tag="moved"):
    seat: int
    move: str


class UndoAsked(Event, frozen=True, tag="undo-asked"):
    """A seat would like to take back all but the first so many moves and throws."""

    seat: int
    keep: int


class UndoGranted(Event, frozen=True, tag="undo-granted"):
    seat: int


class UndoRefused(Event, frozen=True, tag="undo-refused"):
    seat: int


class Undone(Event, frozen=True, tag="undone"):
    """All but the first so many moves and throws have been taken back."""

    seat: int
    keep: int


class Resigned(Event, frozen=True, tag="resigned"):
    seat: int


class TimedOut(Event, frozen=True, tag="timed-out"):
    """A seat had no time left, and has lost by it."""

    seat: int


class Left(Event, frozen=True, tag="left"):
    """Somebody has left, and the others wait until they come back."""

    seat: int


class TakenOver(Event, frozen=True, tag="taken-over"):
    """A bot plays on for somebody who left, ran out of time, or resigned."""

    seat: int
    level: int
    resigned: bool = False  # for good
    timed_out: bool = False


class Reclaimed(Event, frozen=True, tag="reclaimed"):
    """Who left is back; if a bot played, it gives the seat back."""

    seat: int


class Forgotten(Event, frozen=True, tag="forgotten"):
    """Whoever sat here wants to be forgotten: their name and words are erased from the record."""

    seat: int


class Paused(Event, frozen=True, tag="paused"):
    """The house was closed from one time to another; no clock ran."""

    since: int
    until: int


class Said(Event, frozen=True, tag="said"):
    """A line of talk, or one of the preset phrases by its id."""

    seat: int
    text: str = ""
    phrase: str = ""


class Hinted(Event, frozen=True, tag="hinted"):
    """A seat to move was given a hint: where to look, why there, or what to play."""

    seat: int
    strength: Strength


class Ended(Event, frozen=True, tag="ended"):
    """The result, and the server's secret: from now on anybody can check the luck."""

    shares: tuple[float, ...]
    reason: str
    secret: str


class Expired(Event, frozen=True, tag="expired"):
    """The table was closed, as the game had not begun in time."""


class Rematched(Event, frozen=True, tag="rematched"):
    """The same people go on at another table; `seat` has asked for it."""

    table: str
    seat: int | None = None  # unknown in older records


AnyEvent: TypeAlias = (
    Sat
    | Committed
    | Revealed
    | Unrevealed
    | BotSeated
    | Declined
    | Stood
    | Began
    | Threw
    | Moved
    | UndoAsked
    | UndoGranted
    | UndoRefused
    | Undone
    | Resigned
    | TimedOut
    | Left
    | TakenOver
    | Reclaimed
    | Forgotten
    | Paused
    | Said
    | Hinted
    | Ended
    | Expired
    | Rematched
)

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AnyEvent)


def to_json(event: AnyEvent) -> str:
    return _encoder.encode(event).decode()


def from_json(text: str | bytes) -> AnyEvent:
    """The event a text tells of; msgspec.ValidationError if it tells of none."""
    return _decoder.decode(text)
