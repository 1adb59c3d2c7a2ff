"""How a game went, for somebody who comes late or looks back: every step with what it did."""

from collections.abc import Sequence

import msgspec

from benben.core.effects import Drawing, Effect
from benben.core.errors import BadNotation
from benben.core.game import Game
from benben.core.position import View
from benben.core.rules import CHANCE
from benben.table.events import Said
from benben.table.record import Entry
from benben.table.table import Table

BUST = "bust"  # the kind of effect by which a throw ends a turn in vain


class StepView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move that stands, or a throw (no seat)."""

    move: str
    effects: list[Effect]
    seat: int | None = None


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something said at the table, in words or as a preset phrase."""

    number: int
    at: int
    seat: int
    text: str = ""
    phrase: str = ""


class HistoryView(msgspec.Struct, frozen=True):
    """From the drawing `start` on, the effects of all steps lead to the table's drawing."""

    number: int
    start: Drawing
    steps: list[StepView]
    said: list[Line]


class Played:
    """A game as far as it has come; what happens later changes nothing of it."""

    def __init__(self, table: Table, entries: Sequence[Entry]) -> None:
        self.number, self.start, self.steps = table.number, table.start, tuple(table.steps)
        self.entries = tuple(entries)


def history(played: Played, viewer: int | None) -> HistoryView:
    """The game so far, as a seat or a spectator may know it."""
    return HistoryView(
        number=played.number,
        start={} if played.start is None else played.start.view(viewer).drawing(),
        steps=[
            StepView(step.move, step.before.view(viewer).effects(step.move), step.seat)
            for step in played.steps
        ],
        said=[
            Line(each.number, each.at, each.event.seat, each.event.text, each.event.phrase)
            for each in played.entries
            if isinstance(each.event, Said)
        ],
    )


def risk(game: Game, view: View, move: str) -> float | None:
    """How likely the throw after a move is a bust for whoever makes it; None if none follows.

    Only where a view is the whole position: nobody can weigh a throw made of what is hidden.
    """
    try:
        position = game.parse(str(view))
    except BadNotation:
        return None
    after = position.play(move)
    if after.to_move != CHANCE:
        return None

    def busts(throw: str) -> bool:
        return any(e.kind == BUST and e.owner == position.to_move for e in after.effects(throw))

    return sum(odds for throw, odds in after.chance() if busts(throw))
