"""The kinds of events at a table. A table is rebuilt by applying its events in order.

Seats are numbered from 0. Times are in milliseconds since 1970. Every event also has a number, from
1 without gaps, and the time it was stored at: the record keeps them beside it.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import msgspec

Strength: TypeAlias = Literal["nudge", "idea", "move"]  # of a hint, the weakest first


@dataclass(frozen=True, kw_only=True, slots=True)
class Traits:
    """How a kind of event is handled, wherever that does not depend on one event's fields."""

    public: bool  # every viewer may see all of it
    by_server: bool = False  # stored without anybody's request
    step: bool = False  # a move or throw: most events are
    closes: bool = False  # no server has to act at the table any more
    changes_seats: bool = False  # views of seats differ
    changes_owner: bool = False  # another token holds the seat, or none
    opens_seat: bool = False  # anybody may sit down afterwards
    # The same seat has to decide the same: a bot that thinks goes on.
    keeps_turn: bool = False
    # The time at which a server next has to act is as before. This differs from `keeps_turn` for a
    # pause (clocks run out later), for somebody who has left (an undo that only they had not
    # granted follows at once), and for somebody who declines (a table that waits for its game
    # expires some time after its last event).
    keeps_deadline: bool = False
    redraws: bool = False  # the effects of moves do not lead to the new drawing
    notable: bool = False  # shown in the history between moves


class Event(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """Base of all kinds; `kind` tells them apart in JSON. Every kind declares its traits."""

    traits: ClassVar[Traits]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "traits" not in cls.__dict__:
            raise TypeError(f"the event {cls.__name__} does not declare its traits")


class SeatEvent(Event, frozen=True):
    """Base of all kinds that are about one seat."""

    traits = Traits(public=False)  # every kind declares its own
    seat: int


class Sat(SeatEvent, frozen=True, tag="sat"):
    """Somebody has taken a seat, with a nonce for the table's luck or a commitment to one."""

    traits = Traits(public=True, changes_seats=True, changes_owner=True)
    name: str
    nonce: str  # empty if there is a commitment
    program: bool = False  # a bot that plays over the network
    commitment: str = ""  # SHA-256 of a nonce that is revealed before the game begins


class Committed(SeatEvent, frozen=True, tag="committed"):
    """A seat whose nonce became void has committed to a new one."""

    traits = Traits(public=True, changes_seats=True)
    commitment: str


class Revealed(SeatEvent, frozen=True, tag="revealed"):
    """Every seat has committed, and this seat has revealed its nonce."""

    traits = Traits(public=True, changes_seats=True)
    nonce: str


class Unrevealed(SeatEvent, frozen=True, tag="unrevealed"):
    """A seat did not commit or reveal in time: it is free again."""

    traits = Traits(
        public=True,
        by_server=True,
        changes_seats=True,
        changes_owner=True,
        opens_seat=True,
        notable=True,
    )


class BotSeated(SeatEvent, frozen=True, tag="bot-seated"):
    """A bot was given a free seat before the game began."""

    traits = Traits(public=True, changes_seats=True)
    level: int


class Declined(SeatEvent, frozen=True, tag="declined"):
    """The person whom the seat was reserved for does not come: anybody may sit down."""

    traits = Traits(public=True, changes_seats=True, opens_seat=True, keeps_turn=True)


class Stood(SeatEvent, frozen=True, tag="stood"):
    """Somebody has given up a seat before the game began: it is free again."""

    traits = Traits(public=True, changes_seats=True, changes_owner=True, opens_seat=True)


class Began(Event, frozen=True, tag="began"):
    """The game began with a deal. Whoever had taken seat i plays on seat `order[i]`."""

    traits = Traits(public=False, by_server=True, changes_seats=True, redraws=True)
    order: tuple[int, ...]
    start: str  # the position, with what is hidden from players
    draws: int  # the numbers drawn for the order and the deal


class Threw(Event, frozen=True, tag="threw"):
    """Dice were thrown, by the draw of this number."""

    traits = Traits(public=True, by_server=True, step=True)
    throw: str
    draw: int


class Moved(SeatEvent, frozen=True, tag="moved"):
    traits = Traits(public=True, step=True)
    move: str


class UndoAsked(SeatEvent, frozen=True, tag="undo-asked"):
    """A seat asks to take back all moves and throws but the first `keep`."""

    traits = Traits(public=True, keeps_turn=True, keeps_deadline=True, notable=True)
    keep: int


class UndoGranted(SeatEvent, frozen=True, tag="undo-granted"):
    traits = Traits(public=True, keeps_turn=True, keeps_deadline=True)


class UndoRefused(SeatEvent, frozen=True, tag="undo-refused"):
    traits = Traits(public=True, keeps_turn=True, keeps_deadline=True, notable=True)


class Undone(SeatEvent, frozen=True, tag="undone"):
    """All moves and throws but the first `keep` were taken back."""

    traits = Traits(public=True, by_server=True, redraws=True, notable=True)
    keep: int


class Resigned(SeatEvent, frozen=True, tag="resigned"):
    traits = Traits(public=True, notable=True)


class TimedOut(SeatEvent, frozen=True, tag="timed-out"):
    """A seat ran out of time and lost."""

    traits = Traits(public=True, by_server=True, notable=True)


class Left(SeatEvent, frozen=True, tag="left"):
    """Somebody has left, and the others wait until they come back."""

    traits = Traits(public=True, changes_seats=True, keeps_turn=True, notable=True)


class TakenOver(SeatEvent, frozen=True, tag="taken-over"):
    """A bot plays on for somebody who left, ran out of time, or resigned."""

    traits = Traits(public=True, changes_seats=True, notable=True)
    level: int
    resigned: bool = False  # for good
    timed_out: bool = False


class Reclaimed(SeatEvent, frozen=True, tag="reclaimed"):
    """Somebody who had left is back; a bot that played gave the seat back."""

    traits = Traits(public=True, changes_seats=True, notable=True)


class Forgotten(SeatEvent, frozen=True, tag="forgotten"):
    """A person was erased: their name and chat are removed from the record."""

    traits = Traits(
        public=True, changes_seats=True, changes_owner=True, keeps_turn=True, keeps_deadline=True
    )


class Paused(Event, frozen=True, tag="paused"):
    """No server ran between two times: no clock ran either."""

    traits = Traits(public=True, by_server=True, keeps_turn=True, notable=True)
    since: int
    until: int


class Said(SeatEvent, frozen=True, tag="said"):
    """A chat line, or a preset phrase by its id."""

    traits = Traits(public=True, keeps_turn=True, keeps_deadline=True)
    text: str = ""
    phrase: str = ""


class Hinted(SeatEvent, frozen=True, tag="hinted"):
    """A seat to move was given a hint: where to look, why there, or what to play."""

    traits = Traits(public=True, keeps_turn=True, keeps_deadline=True, notable=True)
    strength: Strength


class Ended(Event, frozen=True, tag="ended"):
    """The result, and the server's secret, with which anybody can verify the luck."""

    traits = Traits(public=True, by_server=True, closes=True)
    shares: tuple[float, ...]
    reason: str
    secret: str


class Expired(Event, frozen=True, tag="expired"):
    """The table was closed because the game had not begun in time."""

    traits = Traits(public=True, by_server=True, closes=True)


class Rematched(Event, frozen=True, tag="rematched"):
    """The same people play again at another table; `seat` asked for it."""

    traits = Traits(public=True, keeps_turn=True, keeps_deadline=True)
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
    """Decode an event; msgspec.ValidationError if the text is not one."""
    return _decoder.decode(text)
