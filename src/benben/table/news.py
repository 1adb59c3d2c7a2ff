"""What a viewer is told of events: each event, and what has changed by the last of them.

Whoever knows the table as it was before needs no more to know it as it is. Nothing grows with the
length of a game: terms, start and history are never told again, and a drawing only where the
effects of moves do not lead to it.
"""

from collections.abc import Sequence

import msgspec

from benben.core.effects import Choice, Drawing, Effect, Facts
from benben.core.position import Position
from benben.table import events
from benben.table.events import AnyEvent
from benben.table.record import Entry
from benben.table.table import Step, Table
from benben.table.views import ResultView, SeatView, StartingView, TableViews, event_view


class NowView(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The table after an event, as far as it may have changed.

    What is not there the table does not have; but seats are there only if they have changed, times
    (`clocks`, in ms by seat) only if a clock runs and seats do not tell them, and the drawing with
    its facts and the last move only where effects do not lead to it.
    """

    to_move: int | None = None
    view: str = ""
    legal: list[Choice] = []
    starting: StartingView | None = None
    undo: events.UndoAsked | None = None
    result: ResultView | None = None
    expired: bool = False
    secret: str = ""
    rematch: str = ""
    rematch_by: int | None = None
    seats: list[SeatView] | None = None
    clocks: list[int] | None = None
    drawing: Drawing | None = None
    facts: Facts = {}
    last: list[Choice] = []


class EventMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event, numbered without gaps; `effects` of a move or throw that stands, as you see them.

    The table's `facts` after it are there if they are not those before. Of several events that are
    told at once only the newest has `now`; none has if all are talk.
    """

    number: int
    at: int
    event: AnyEvent
    effects: tuple[Effect, ...] | None = None
    facts: Facts | None = None
    now: NowView | None = None


def news(
    table: Table, views: TableViews, viewer: int | None, fresh: Sequence[Entry], now: int
) -> list[EventMessage]:
    """The newest events of a table, as a viewer may know them; `legal` moves are left out.

    So the news is the same for whoever is to move and for all others who see the same.
    """
    steps = _steps_since(table, fresh[0].number)
    messages = []
    for entry in fresh:
        effects = facts = None
        if entry.number in steps:
            step, after = steps[entry.number]
            effects = views.step(step, viewer).effects
            facts = views.new_facts(step.before, after, viewer)
        told = EventMessage(
            entry.number,
            entry.at,
            event_view(table, entry.event, views.eyes(viewer)),
            effects,
            facts,
            _now(table, views, viewer, fresh, now) if entry is fresh[-1] else None,
        )
        messages.append(told)
    return messages


def _steps_since(table: Table, number: int) -> dict[int, tuple[Step, Position]]:
    """The moves and throws that stand, from an event on, by its number, and where each led."""
    found: dict[int, tuple[Step, Position]] = {}
    after = table.position
    for step in reversed(table.steps):
        if step.number < number or after is None:
            break
        found[step.number] = step, after
        after = step.before
    return found


def _now(
    table: Table, views: TableViews, viewer: int | None, fresh: Sequence[Entry], now: int
) -> NowView | None:
    """What has changed by some events; None if nothing has."""
    reseated = table.seats_since >= fresh[0].number
    if not reseated and all(isinstance(entry.event, events.Said) for entry in fresh):
        return None
    seen = views.state(viewer)
    if reseated:
        seen["seats"] = views.seats(now)
    elif table.clock.runs:
        seen["clocks"] = views.clocks(now)
    if any(entry.event.traits.redraws for entry in fresh):
        seen |= views.picture(viewer)
    return NowView(**seen)
