"""Messages about new events for a viewer: each event, and what has changed after the last one.

With them a client updates the view it has. No message grows with the length of a game: options,
start and history are not repeated, and a drawing is sent only if the effects of moves do not lead
to it.
"""

from collections.abc import Sequence

import msgspec

from benben.core.effects import Choice, Drawing, Effect, Facts
from benben.core.position import Position
from benben.table import events
from benben.table.events import AnyEvent
from benben.table.record import Entry
from benben.table.table import Step, Table
from benben.table.views import ResultView, SeatView, StartingView, TableViews, visible_event


class NowView(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The table after an event, as far as it may have changed.

    Seats are included only if they have changed, `clocks` (in ms by seat) only if a clock runs and
    seats are not included, the drawing with its facts and the last move only if effects do not lead
    to it. Any other field that is missing has its default value.
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
    """An event, numbered without gaps; a move or throw with its `effects` as the viewer sees them.

    `facts` are included if the event changed them. Of several events that are sent at once only the
    newest has `now`; none has if all are chat.
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
    """Messages about the newest events of a table, without `legal` moves.

    So they are the same for all viewers of one perspective.
    """
    steps = _steps_since(table, fresh[0].number)
    messages = []
    for entry in fresh:
        effects = facts = None
        if entry.number in steps:
            step, after = steps[entry.number]
            effects = views.step(step, viewer).effects
            facts = views.new_facts(step.before, after, viewer)
        message = EventMessage(
            entry.number,
            entry.at,
            visible_event(table, entry.event, views.perspective(viewer)),
            effects,
            facts,
            _now(table, views, viewer, fresh, now) if entry is fresh[-1] else None,
        )
        messages.append(message)
    return messages


def _steps_since(table: Table, number: int) -> dict[int, tuple[Step, Position]]:
    """Moves and throws since an event, by number, each with the position after it."""
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
    """What some events changed; None if they are all chat."""
    seats_changed = table.seats_since >= fresh[0].number
    if not seats_changed and all(isinstance(entry.event, events.Said) for entry in fresh):
        return None
    seen = views.state(viewer)
    if seats_changed:
        seen["seats"] = views.seats(now)
    elif table.clock.runs:
        seen["clocks"] = views.clocks(now)
    if any(entry.event.traits.redraws for entry in fresh):
        seen |= views.picture(viewer)
    return NowView(**seen)
