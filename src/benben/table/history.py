"""The history of a game, in pages: every step with its effects, chat, and notices."""

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from benben.core.effects import Drawing, Effect, Facts
from benben.core.errors import BadNotation
from benben.core.game import Game
from benben.core.position import View
from benben.core.rules import CHANCE
from benben.table import events
from benben.table.events import Said, Strength
from benben.table.record import Entry
from benben.table.table import Table

BUST = "bust"  # the kind of the effect of a throw that ends the turn
STEPS_PER_PAGE = 500


class StepView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move, or a throw (no seat); `facts` are included if it changed them."""

    move: str
    effects: list[Effect]
    seat: int | None = None
    facts: Facts | None = None


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A chat line, or a preset phrase."""

    number: int
    at: int
    seat: int
    text: str = ""
    phrase: str = ""


class Notice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A notable event (see `Traits`) of this `kind`, after so many steps, perhaps undone since.

    Some kinds have more fields: the `level` of a bot that took over, the `strength` of a hint, the
    `name` of the person whose seat was freed. A pause of the server has no seat.
    """

    number: int
    at: int
    after: int
    kind: str
    seat: int | None = None
    level: int = 0
    resigned: bool = False  # taken over for good
    timed_out: bool = False  # taken over because of it
    strength: Strength | None = None
    name: str = ""


class HistoryView(msgspec.Struct, frozen=True, omit_defaults=True):
    """One page of a game: the effects of its steps lead from the drawing `start` to the last one.

    Chat and notices of the whole game are on the first page.
    """

    number: int
    start: Drawing
    facts: Facts  # of the start
    steps: list[StepView]
    said: list[Line]
    notices: list[Notice]
    next: int | None = None  # the first step of the next page


class Played:
    """A snapshot of a game."""

    def __init__(self, table: Table, entries: Sequence[Entry]) -> None:
        self.number, self.steps, self.end = table.number, tuple(table.steps), table.position
        self.entries = tuple(entries)


def history(played: Played, viewer: int | None, first: int = 0) -> HistoryView:
    """A page of the game, from step `first` on, as a seat or a spectator may see it."""
    first = min(first, len(played.steps))
    end = first + STEPS_PER_PAGE
    positions = (*(step.before for step in played.steps), played.end)[first : end + 1]
    views = [each.view(viewer) for each in positions if each is not None]
    entries = played.entries if first == 0 else ()
    return HistoryView(
        number=played.number,
        start=views[0].drawing() if views else {},
        facts=views[0].facts() if views else {},
        steps=[
            step_view(before, step.move, after, step.seat)
            for step, (before, after) in zip(played.steps[first:end], pairwise(views), strict=True)
        ],
        said=[
            Line(each.number, each.at, each.event.seat, each.event.text, each.event.phrase)
            for each in entries
            if isinstance(each.event, Said)
        ],
        notices=_notices(entries),
        next=end if end < len(played.steps) else None,
    )


def step_view(before: View, move: str, after: View, seat: int | None) -> StepView:
    """A move or throw, and its effects as a viewer saw them."""
    facts = after.facts()
    changed = None if facts == before.facts() else facts
    return StepView(move, before.effects(move), seat, changed)


def _notices(entries: Sequence[Entry]) -> list[Notice]:
    notices, steps, names = [], 0, dict[int, str]()
    for entry in entries:
        match entry.event:
            case events.Moved() | events.Threw():
                steps += 1
            case events.Undone(_, keep):
                steps = keep
            case events.Sat(seat, name):
                names[seat] = name
        if entry.event.traits.notable:
            fields: dict[str, int | str] = {"number": entry.number, "at": entry.at, "after": steps}
            if isinstance(entry.event, events.Unrevealed):
                fields |= {"name": names.get(entry.event.seat, "")}
            event = msgspec.to_builtins(entry.event)  # the fields that a notice lacks are left out
            notices.append(msgspec.convert(event | fields, Notice))
    return notices


def risk(game: Game, view: View, move: str) -> float | None:
    """The probability that the throw after a move is a bust; None if no throw follows.

    Also None if the game hides something: then a view is not a whole position.
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
