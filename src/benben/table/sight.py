"""What a viewer may see of a table: a seat, or anybody (None).

Everything is built from named fields; of a position only the viewer's view is taken. Chance to look
comes after every event, so an event shows no more than the table does.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from benben.core.codec import MOST_KNOWN
from benben.core.effects import Choice
from benben.core.position import Position, View
from benben.table import events as happened
from benben.table.events import AnyEvent
from benben.table.table import Step, Table
from benben.table.terms import Leaver, Pace


class SeatSeen(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat: its player's name, the level of the bot that plays, and the time left in ms.

    A program is a bot of somebody's, which plays over the network.
    """

    name: str = ""
    level: int = 0
    taken: bool = False
    away: bool = False
    left: int | None = None
    program: bool = False


class EffectSeen(msgspec.Struct, frozen=True, array_like=True):
    """One step of what a move does, as `benben.Effect`."""

    kind: str
    source: str | None
    target: str | None
    piece: str | None
    owner: int | None


class MoveSeen(msgspec.Struct, frozen=True):
    move: str
    effects: list[EffectSeen]


class ResultSeen(msgspec.Struct, frozen=True):
    shares: tuple[float, ...]
    reason: str


class TableSeen(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that a viewer may know of a table after event `number`."""

    number: int
    game: str
    options: dict[str, str | int]
    pace: Pace
    leaver: Leaver
    listed: bool
    drawn: bool
    commitment: str
    playable: bool
    seats: list[SeatSeen]
    you: int | None = None
    to_move: int | None = None
    start: str = ""  # as the viewer saw it
    moves: tuple[str, ...] = ()  # the public history from there
    view: str = ""  # the position now
    drawing: dict[str, str] = {}
    last: list[MoveSeen] = []  # the last move or throw, and what it did
    legal: list[MoveSeen] = []  # for the seat to move
    undo: happened.UndoAsked | None = None
    result: ResultSeen | None = None
    secret: str = ""  # once the game is over
    rematch: str = ""


def look(table: Table, viewer: int | None, now: int) -> TableSeen:
    """The table as a seat, or a spectator, sees it."""
    own = {} if table.start is None else _own(table, table.start, viewer)
    return TableSeen(you=viewer, **_common(table, now), **own)


def _common(table: Table, now: int) -> dict[str, Any]:
    """What everybody sees; as it was seen last, if nothing has happened since and no clock runs."""
    known: dict[str, Any] | None = table.notes.get(_common)
    if known is None or known["number"] != table.number or table.clock.runs:
        terms, result = table.terms, table.result
        known = table.notes[_common] = {
            "number": table.number,
            "game": terms.game,
            "options": terms.options,
            "pace": terms.pace,
            "leaver": terms.leaver,
            "listed": terms.listed,
            "drawn": terms.drawn,
            "commitment": terms.commitment,
            "playable": table.playable,
            "seats": [_seat(table, seat, now) for seat in range(len(table.seats))],
            "to_move": table.to_move,
            "moves": table.moves,
            "undo": table.undo,
            "result": None if result is None else ResultSeen(result.shares, result.reason),
            "secret": table.secret if table.closed else "",
            "rematch": table.rematch,
        }
    return known


def _own(table: Table, start: Position, viewer: int | None) -> dict[str, Any]:
    """What a viewer sees of the position; where it came from was seen before, as a rule."""
    position = table.position
    assert position is not None
    eyes = viewer if table.game.hides else None  # where nothing is hidden all see the same
    known: _Sight | None = table.notes.get(eyes)
    if known is None or known.position is not position:
        known = table.notes[eyes] = _Sight(start, position, eyes, table.steps[-1:], known)
    if viewer is None or table.to_move != viewer or not table.playable:
        return known.shown
    return known.shown | {"legal": list(map(_seen, known.view.choices()))}


class _Sight:
    """A position as somebody sees it, given what they saw last: that is the one before, mostly."""

    def __init__(
        self,
        start: Position,
        position: Position,
        eyes: int | None,
        last: Sequence[Step],
        before: "_Sight | None",
    ) -> None:
        def view(of: Position) -> View:
            return before.view if before is not None and before.position is of else of.view(eyes)

        self.position, self.view = position, view(position)
        self.shown: dict[str, Any] = {
            "start": before.shown["start"] if before is not None else str(view(start)),
            "view": str(self.view),
            "drawing": self.view.drawing(),
            "last": [MoveSeen(s.move, effects_of(view(s.before), s.move)) for s in last],
        }


def _seat(table: Table, number: int, now: int) -> SeatSeen:
    seat = table.seats[number]
    left = table.clock.now(number, now) if table.clock.runs else None
    return SeatSeen(seat.name, seat.level, seat.taken, seat.away, left, seat.program)


@lru_cache(MOST_KNOWN)
def _seen(choice: Choice) -> MoveSeen:
    return MoveSeen(choice.move, [EffectSeen(*each) for each in choice.effects])


def effects_of(view: View, move: str) -> list[EffectSeen]:
    """What a move does, as far as the view shows."""
    return [EffectSeen(*each) for each in view.effects(move)]


# Kinds of events that hold nothing secret: everything in them was said or done in public.
_PUBLIC = (
    happened.Sat,
    happened.Stood,
    happened.Threw,
    happened.Moved,
    happened.UndoAsked,
    happened.UndoGranted,
    happened.UndoRefused,
    happened.Undone,
    happened.Resigned,
    happened.TimedOut,
    happened.TakenOver,
    happened.Reclaimed,
    happened.Paused,
    happened.Said,
    happened.Ended,
    happened.Rematched,
)


def tell(table: Table, event: AnyEvent, viewer: int | None) -> AnyEvent:
    """An event as a viewer may know it: of the deal, only what the viewer sees."""
    if isinstance(event, happened.Began):
        start = table.game.parse(event.start)
        return happened.Began(event.order, str(start.view(viewer)), event.draws)
    if not isinstance(event, _PUBLIC):
        raise TypeError(f"nobody has said who may see {type(event).__name__}")
    return event
