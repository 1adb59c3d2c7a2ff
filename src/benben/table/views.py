"""Views of a table for a viewer: a seat, or a spectator (None).

A view is built from named fields, and of a position only the viewer's view is used. Messages about
single events are in news.py.
"""

from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from benben.core.effects import Choice, Drawing, Facts
from benben.core.position import Position
from benben.table import events
from benben.table.events import AnyEvent
from benben.table.options import Leaver, Pace, Resign, TableOptions
from benben.table.table import StartPhase, Step, Table


class SeatView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat: its player's name, the level of the bot that plays, and the time left in ms.

    A bot has a name of its own. A program plays over the network. For a person who is away the
    others wait, or a bot of a level plays under the person's name.
    """

    name: str = ""
    level: int = 0
    taken: bool = False
    away: bool = False
    left: int | None = None
    program: bool = False
    expected: str = ""  # the player for whom the free seat is reserved
    declined: bool = False  # the expected player does not come: anybody may sit down
    resigned: bool = False  # a bot plays on for good
    hints: int = 0  # the number of positions with one
    commitment: str = ""  # before the game: SHA-256 of its nonce


class ResultView(msgspec.Struct, frozen=True):
    shares: tuple[float, ...]
    reason: str


class StartingView(msgspec.Struct, frozen=True):
    """The seats that still have to commit to or reveal a nonce before the game begins.

    A seat that has not done so by the deadline, in milliseconds since 1970, is freed.
    """

    phase: StartPhase
    seats: list[int]
    deadline: int


class TableView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything a viewer may know of a table after event `number`."""

    number: int
    game: str
    options: dict[str, str | int]
    pace: Pace
    leaver: Leaver
    resign: Resign
    listed: bool
    drawn: bool
    commitment: str
    playable: bool
    watchable: bool = False  # strangers find it to watch
    secrets: bool = False  # players see different things
    custom_position: bool = False  # the opener chose where the game begins: it was not dealt
    starting: StartingView | None = None
    seats: list[SeatView]
    you: int | None = None
    to_move: int | None = None
    start: str = ""  # as the viewer saw it
    moves: tuple[str, ...] = ()  # the public history from there
    view: str = ""  # the position now
    position_since: int = 0  # the event that led to it: talk and hints leave it
    drawing: Drawing = {}
    facts: Facts = {}  # what a board shows besides
    last: list[Choice] = []  # the last move or throw, and what it did
    legal: list[Choice] = []  # for the seat to move
    undo: events.UndoAsked | None = None
    result: ResultView | None = None
    expired: bool = False  # closed without a game, as it had not begun in time
    secret: str = ""  # once the game is over
    rematch: str = ""  # the table where it goes on
    rematch_by: int | None = None  # the seat that asked for it


class PositionView:
    """A position from one perspective; every part is calculated once, when it is needed."""

    def __init__(self, position: Position, perspective: int | None) -> None:
        self.position, self._view = position, position.view(perspective)
        self._legal: list[Choice] | None = None

    @cached_property
    def text(self) -> str:
        return str(self._view)

    @cached_property
    def drawing(self) -> Drawing:
        return self._view.drawing()

    @cached_property
    def facts(self) -> Facts:
        return self._view.facts()

    def legal(self) -> list[Choice]:
        if self._legal is None:
            self._legal = self._view.choices()
        return self._legal

    def choice(self, move: str) -> Choice:
        """A move or throw, and its effects as far as the view shows them."""
        for each in self._legal or ():  # calculated for the player before the move
            if each.move == move:
                return each
        return Choice(move, tuple(self._view.effects(move)))


class TableViews:
    """Views of one table, cached, as many viewers see the same.

    The cache has the last two positions of each perspective: those before and after a move.
    """

    def __init__(self, table: Table) -> None:
        self._table, self._hides = table, table.game.hides
        self._step: tuple[Step, int | None, Choice] | None = None  # the last one viewed
        self._seen: dict[int | None, tuple[PositionView, ...]] = {}  # by perspective

    def perspective(self, viewer: int | None) -> int | None:
        """The perspective of a viewer; None, a spectator's, if the game hides nothing."""
        return viewer if self._hides else None

    def decides(self, viewer: int | None) -> bool:
        """Whether a viewer has to move, and so sees the legal moves."""
        return viewer is not None and viewer == self._table.to_move and self._table.playable

    def position_view(self, position: Position, viewer: int | None) -> PositionView:
        """A position as a viewer sees it."""
        perspective = self.perspective(viewer)
        known = self._seen.get(perspective, ())
        for each in known:
            if each.position is position:
                return each
        fresh = PositionView(position, perspective)
        self._seen[perspective] = (fresh, *known[:1])
        return fresh

    def step(self, step: Step, viewer: int | None) -> Choice:
        """A move or throw, and its effects as a viewer saw them."""
        perspective = self.perspective(viewer)
        if self._step is None or self._step[0] is not step or self._step[1] != perspective:
            seen = self.position_view(step.before, viewer).choice(step.move)
            self._step = step, perspective, seen
        return self._step[2]

    def new_facts(self, before: Position, after: Position, viewer: int | None) -> Facts | None:
        """The facts after a step; None if they are the same as before."""
        facts = self.position_view(after, viewer).facts
        return None if facts == self.position_view(before, viewer).facts else facts

    def seats(self, now: int) -> list[SeatView]:
        return [self._seat(number, now) for number in range(len(self._table.seats))]

    def clocks(self, now: int) -> list[int]:
        """The time left to each seat, in ms."""
        clock = self._table.clock
        return [clock.now(seat, now) for seat in range(len(self._table.seats))]

    def state(self, viewer: int | None) -> dict[str, Any]:
        """The fields that change with most events, of `TableView` and `NowView` alike."""
        table, result = self._table, self._table.result
        seen: dict[str, Any] = {
            "to_move": table.to_move,
            "starting": self._starting(),
            "undo": table.undo,
            "result": None if result is None else ResultView(result.shares, result.reason),
            "expired": table.expired,
            "secret": table.secret if table.closed and not table.expired else "",
            "rematch": table.rematch,
            "rematch_by": table.rematch_by,
        }
        if table.position is not None:
            seen["view"] = self.position_view(table.position, viewer).text
        return seen

    def legal(self, viewer: int | None) -> list[Choice]:
        """The legal moves; none unless the viewer is to move."""
        position = self._table.position
        if position is None or not self.decides(viewer):
            return []
        return self.position_view(position, viewer).legal()

    def picture(self, viewer: int | None) -> dict[str, Any]:
        """The drawing, its facts, and the last move with its effects."""
        table = self._table
        if table.position is None:
            return {}
        last = [self.step(each, viewer) for each in table.steps[-1:]]
        seen = self.position_view(table.position, viewer)
        return {"drawing": seen.drawing, "facts": seen.facts, "last": last}

    def whole(self, viewer: int | None, now: int) -> TableView:
        """The table as a seat, or a spectator, sees it."""
        table, options = self._table, self._table.options
        return TableView(
            number=table.number,
            game=options.game,
            options=options.game_options,
            pace=options.pace,
            leaver=options.leaver,
            resign=options.resign,
            listed=options.listed,
            drawn=options.drawn,
            commitment=options.commitment,
            playable=table.playable,
            watchable=options.watchable,
            secrets=self._hides,
            custom_position=bool(options.position),
            seats=self.seats(now),
            you=viewer,
            start="" if table.start is None else str(table.start.view(self.perspective(viewer))),
            moves=table.moves,
            position_since=table.position_since,
            legal=self.legal(viewer),
            **self.picture(viewer),
            **self.state(viewer),
        )

    def _starting(self) -> StartingView | None:
        table = self._table
        if table.start_phase is None or table.start_deadline is None:
            return None
        return StartingView(table.start_phase, table.start_pending, table.start_deadline)

    def _seat(self, number: int, now: int) -> SeatView:
        seat, clock = self._table.seats[number], self._table.clock
        left = clock.now(number, now) if clock.runs else None
        return SeatView(
            seat.name,
            seat.level,
            seat.taken,
            seat.away,
            left,
            seat.program,
            expected=seat.reserved_for or seat.declined or "",
            declined=seat.declined is not None,
            resigned=seat.resigned,
            hints=len(self._table.hints[number]),
            commitment="" if self._table.begun else self._table.commitment_of(number),
        )


def table_view(table: Table, viewer: int | None, now: int) -> TableView:
    """A view of a table that is needed once."""
    return TableViews(table).whole(viewer, now)


def options_view(table: Table) -> TableOptions:
    """The options of a table, without what is hidden in the position it begins with."""
    position = table.options.position
    if not position:
        return table.options
    return replace(table.options, position=str(table.game.parse(position).view(None)))


def visible_event(table: Table, event: AnyEvent, viewer: int | None) -> AnyEvent:
    """An event as a viewer may see it: a deal without what is hidden from them."""
    if isinstance(event, events.Began):
        start = table.game.parse(event.start)
        return events.Began(event.order, str(start.view(viewer)), event.draws)
    if not event.traits.public:
        raise TypeError(f"there is no public view of {type(event).__name__}")
    return event
