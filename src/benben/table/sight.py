"""What a viewer may see of a table: a seat, or anybody (None).

Everything is built from named fields; of a position only the viewer's view is taken. Chance to look
comes after every event, so an event shows no more than the table does.
"""

from functools import lru_cache
from typing import Any

import msgspec

from benben.core.position import View
from benben.table import events as happened
from benben.table.events import AnyEvent
from benben.table.table import Table
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
    terms = table.terms
    shown: dict[str, Any] = {}
    if table.start is not None and table.position is not None:
        view = table.position.view(viewer)
        text, drawing = _shown(view)
        shown = {
            "start": _shown(table.start.view(viewer))[0],
            "moves": table.moves,
            "view": text,
            "drawing": drawing,
            "last": [_seen(step.before.view(viewer), step.move) for step in table.steps[-1:]],
        }
        if viewer is not None and table.to_move == viewer and table.playable:
            shown["legal"] = [_seen(view, move) for move in view.moves()]
    if table.result is not None:
        shown["result"] = ResultSeen(table.result.shares, table.result.reason)
    if table.closed:
        shown["secret"] = table.secret
    return TableSeen(
        number=table.number,
        game=terms.game,
        options=terms.options,
        pace=terms.pace,
        leaver=terms.leaver,
        listed=terms.listed,
        drawn=terms.drawn,
        commitment=terms.commitment,
        playable=table.playable,
        seats=[_seat(table, seat, now) for seat in range(len(table.seats))],
        you=viewer,
        to_move=table.to_move,
        undo=table.undo,
        rematch=table.rematch,
        **shown,
    )


@lru_cache(4096)
def _shown(view: View) -> tuple[str, dict[str, str]]:
    """As text, and drawn. Dear to make; all who see the same share it, as two seats often do."""
    return str(view), view.drawing()


def _seat(table: Table, number: int, now: int) -> SeatSeen:
    seat = table.seats[number]
    left = table.clock.now(number, now) if table.clock.runs else None
    return SeatSeen(seat.name, seat.level, seat.taken, seat.away, left, seat.program)


def _seen(view: View, move: str) -> MoveSeen:
    return MoveSeen(move, effects_of(view, move))


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
