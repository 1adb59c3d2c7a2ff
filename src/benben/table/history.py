"""How a game went, for somebody who comes late or looks back: every step with what it did."""

from collections.abc import Sequence
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from benben.core.effects import Drawing, Effect, Facts
from benben.core.errors import BadNotation
from benben.core.game import Game
from benben.core.position import View
from benben.core.rules import CHANCE
from benben.table import events
from benben.table.events import Said, Strength
from benben.table.record import Entry
from benben.table.table import Table

BUST = "bust"  # the kind of effect by which a throw ends a turn in vain
STEPS_PER_PAGE = 500


class StepView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move that stands, or a throw (no seat); `facts` after it if they are not those before."""

    move: str
    effects: list[Effect]
    seat: int | None = None
    facts: Facts | None = None


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something said at the table, in words or as a preset phrase."""

    number: int
    at: int
    seat: int
    text: str = ""
    phrase: str = ""


class Notice(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something else that happened, when so many steps stood (`after`); those may be gone since.

    `kind` is that of the event: an undo asked for, refused or done, somebody who left, came back,
    ran out of time or resigned, a bot of a `level` that took over, a hint of a `strength` that was
    given, a pause of the house (no seat), or a seat that was freed before the game, with the `name`
    of the person who lost it.
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
    """One page of a game. From the drawing `start` on, the effects of its steps lead to the drawing
    after them: on the last page, to the table's.
    """

    number: int
    start: Drawing
    facts: Facts  # of the start
    steps: list[StepView]
    said: list[Line]  # on the first page, for the whole game; so are the notices
    notices: list[Notice]
    next: int | None = None  # the first step of the next page


class Played:
    """A game as far as it has come; what happens later changes nothing of it."""

    def __init__(self, table: Table, entries: Sequence[Entry]) -> None:
        self.number, self.steps, self.end = table.number, tuple(table.steps), table.position
        self.entries = tuple(entries)


def history(played: Played, viewer: int | None, first: int = 0) -> HistoryView:
    """A page of the game so far, from step `first` on, as a seat or a spectator may know it."""
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
    """A move or throw, and what it did as somebody saw it."""
    facts = after.facts()
    changed = None if facts == before.facts() else facts
    return StepView(move, before.effects(move), seat, changed)


_TOLD = ("kind", "seat", "level", "resigned", "timed_out", "strength")


def _notices(entries: Sequence[Entry]) -> list[Notice]:
    """All of them are public."""
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
            notice = _notice(entry, steps)
            if isinstance(entry.event, events.Unrevealed):
                notice = replace(notice, name=names.get(entry.event.seat, ""))
            notices.append(notice)
    return notices


def _notice(entry: Entry, steps: int) -> Notice:
    told = msgspec.to_builtins(entry.event)
    fields = {name: told[name] for name in _TOLD if name in told}
    return Notice(entry.number, entry.at, steps, **fields)


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
