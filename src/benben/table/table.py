"""A table: state that is rebuilt from its events.

`Table.apply` takes the events in order; nothing else changes a table. Which event may come next is
decided by the actions of players (`actions.py`), or follows without them: a deal, a throw, the end
of the game, a clock that ran out (`Table.next_automatic_event`).
"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from benben.bots.names import bot_names
from benben.core.errors import BenbenError
from benben.core.outcome import Result
from benben.core.position import Position
from benben.core.record import resignation
from benben.core.rules import CHANCE
from benben.table import events
from benben.table.clock import Clock
from benben.table.events import AnyEvent, Strength
from benben.table.fairness import luck, nonce_commitment
from benben.table.options import Days, LiveClock, TableOptions
from benben.table.seats import Bot, Open, Person, Reserved, Seat

# How long a full table waits for a seat to commit to or reveal its nonce, in milliseconds.
START_GRACE_LIVE_MS, START_GRACE_MS = 2 * 60_000, 24 * 3_600_000
STAND_IN = 3  # the level of a bot that takes over, where no other is said
TIME_OUT = "time-out"  # the reason of a result that the clock decided

StartPhase: TypeAlias = Literal["commit", "reveal"]


class Refused(BenbenError):
    """An action is not possible now; `code` is stable, the message is for people.

    `number` is that of the table's last event, where it is known.
    """

    def __init__(self, code: str, why: str, number: int | None = None) -> None:
        self.code, self.number = code, number
        super().__init__(why)


class Change(NamedTuple):
    """An event that can be stored next, and the position it leads to if that was calculated."""

    event: AnyEvent
    position: Position | None = None


class Step(msgspec.Struct, frozen=True):
    """A move or throw that was not taken back, and the position before it."""

    before: Position
    move: str
    seat: int | None  # None: a throw
    number: int  # of the event


class TurnCame(msgspec.Struct, frozen=True):
    """The turn of a person began with this event, at this time."""

    seat: int
    number: int
    at: int


@dataclass
class Table:
    """The state of a table: made from its options and a secret, changed by events in order.

    Seats can be drawn when the game begins: `order` has the new seat for each seat that was taken.
    Nonces and commitments are by the seat that was taken.
    """

    options: TableOptions
    secret: str
    seats: list[Seat] = field(init=False)
    number: int = field(default=0, init=False)  # of the last event
    start: Position | None = field(default=None, init=False)
    position: Position | None = field(default=None, init=False)
    steps: list[Step] = field(default_factory=list, init=False)
    _moves: list[str] = field(default_factory=list, init=False)  # of the steps
    draws: int = field(default=0, init=False)
    result: Result | None = field(default=None, init=False)
    to_move: int | None = field(default=None, init=False)  # None: no player has to decide
    closed: bool = field(default=False, init=False)  # ended with a result, or expired
    order: tuple[int, ...] = field(init=False)
    nonces: dict[int, str] = field(default_factory=dict, init=False)
    commitments: dict[int, str] = field(default_factory=dict, init=False)
    start_phase: StartPhase | None = field(default=None, init=False)
    start_phase_since: int = field(default=0, init=False)  # milliseconds
    late: list[int] = field(default_factory=list, init=False)  # seats that are freed next
    position_since: int = field(default=0, init=False)  # the event that led to the position
    chat_lines: list[int] = field(init=False)  # by seat
    rematch: str = field(default="", init=False)
    rematch_by: int | None = field(default=None, init=False)
    turns: list[TurnCame] = field(default_factory=list, init=False)
    deciding: int | None = field(default=None, init=False)  # the seat whose turn it is or was last
    # The event that last changed what is shown of seats.
    seats_since: int = field(default=0, init=False, compare=False)
    # By seat, the strongest hint in each position, also in those that were taken back.
    hints: list[dict[Position, Strength]] = field(init=False)
    undo: events.UndoAsked | None = field(default=None, init=False)
    granted: set[int] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        self.game = self.options.check()
        # For every seat, as a bot may sit down there later.
        self._bot_names = list(
            self.options.bot_names or bot_names(self.options.commitment, self.game.players)
        )
        expected = self.options.expected or [""] * self.game.players
        self.seats = [
            Bot(bot, level) if level else Reserved(name) if name else Open()
            for bot, level, name in zip(self._bot_names, self.options.bots, expected, strict=True)
        ]
        self.order = tuple(range(self.game.players))
        self.hints = [{} for _ in self.seats]
        self.chat_lines = [0] * len(self.seats)
        self.clock = Clock(self.options.pace, self.game.players)

    # ---- State

    @property
    def playable(self) -> bool:
        """Whether this version of the rules is known; if not, the table is read-only."""
        return self.options.rules == self.game.rules.VERSION

    @property
    def begun(self) -> bool:
        return self.start is not None

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def expired(self) -> bool:
        """Whether it was closed because the game had not begun in time."""
        return self.closed and not self.begun

    @property
    def moves(self) -> tuple[str, ...]:
        """Every move and throw that was not taken back."""
        return tuple(self._moves)

    @property
    def bot_to_move(self) -> int | None:
        """The level of the bot that has to move, if one has."""
        seat = self.to_move
        if seat is None or not self.playable or self.seats[seat].person:
            return None
        return self.seats[seat].level

    def apply(self, event: AnyEvent, at: int, after: Position | None = None) -> None:
        """Apply the next event, stored at a time; `after` is the position it leads to, if known."""
        self.number += 1
        if event.traits.changes_seats:
            self.seats_since = self.number
        match event:
            case events.Sat(seat, name, nonce, program, committed):
                self.seats[seat] = Person(name, program)
                if committed:
                    self.commitments[seat] = committed
                else:
                    self.nonces[seat] = nonce
            case events.Committed(seat, committed):
                self.commitments[seat] = committed
            case events.Revealed(seat, nonce):
                self.nonces[seat] = nonce
            case events.BotSeated(seat, level):
                self.seats[seat] = Bot(self._bot_names[seat], level)
            case events.Declined(seat):
                self.seats[seat] = Open(declined=self.seats[seat].reserved_for)
            case events.Stood(seat):
                self._free(seat)
            case events.Unrevealed(seat):
                self.late = self.late or self.start_pending
                self._free(seat)
            case events.Began():
                self._begin(event, after)
            case events.Threw(throw, draw):
                self._play(throw, None, after)
                self.draws = draw + 1
            case events.Moved(seat, move):
                self._play(move, seat, after)
                if self.seats[seat].away and self.seats[seat].person:  # they are back
                    self.seats[seat] = self.seats[seat].reclaimed()
                    self.seats_since = self.number
            case events.UndoAsked():
                self.undo, self.granted = event, set()
            case events.UndoGranted(seat):
                self.granted.add(seat)
            case events.UndoRefused():
                self.undo = None
            case events.Undone(_, keep):
                self.undo = None
                self.clock.take_back(self._turns_since(keep))
                self.position, self.position_since = self.steps[keep].before, self.number
                del self.steps[keep:], self._moves[keep:]
            case events.Resigned(seat):
                self.result = resignation(self.game, seat)
            case events.TimedOut(seat):
                self.result = Result(resignation(self.game, seat).shares, TIME_OUT)
            case events.Left(seat):
                self.seats[seat] = self.seats[seat].left()
            case events.TakenOver(seat, level, resigned):
                self.seats[seat] = self.seats[seat].left(level, resigned)
                if resigned and self.undo is not None and self.undo.seat == seat:
                    self.undo = None
            case events.Reclaimed(seat):
                self.seats[seat] = self.seats[seat].reclaimed()
            case events.Forgotten(seat):
                self.seats[seat] = self.seats[seat].erased()
            case events.Paused(since, until):
                self.clock.pause(since, until)
                self.start_phase_since = max(self.start_phase_since, until)
            case events.Ended() | events.Expired():
                self.closed = True
            case events.Rematched(table, seat):
                self.rematch, self.rematch_by = table, seat
            case events.Hinted(seat, strength):
                assert self.position is not None
                if self.position not in self.hints[seat]:
                    self.seats_since = self.number
                self.hints[seat][self.position] = strength
            case events.Said():
                self.chat_lines[event.seat] += 1
        if self.start is None:
            self._update_start_phase(at)
        turn = None if self.position is None or self.over else self.position.to_move
        self.to_move = None if turn == CHANCE else turn
        self.clock.start(self.to_move, at, self.over)
        self._pass_turn(at)

    def set_options(self, options: TableOptions) -> None:
        """Take over options from which the name of a person a seat is reserved for was erased.

        A seat whose player sat down and left is not reserved again.
        """
        self.options = options
        for chosen, name in enumerate(options.expected):
            if not name:
                seat = self.order[chosen]
                self.seats[seat] = self.seats[seat].without_reservation()

    def _free(self, seat: int) -> None:
        """Free a seat before the game.

        In the phase "reveal" players send their nonces, and the server knows them even if it stores
        this event first. The next person on the seat could choose a nonce to match. So every seat
        that committed has to commit to a new nonce.
        """
        known = self.start_phase == "reveal" or self.commitments.keys() & self.nonces.keys()
        self.seats[seat] = Open()
        self.late = [each for each in self.late if each != seat]
        self.nonces.pop(seat, None)
        self.commitments.pop(seat, None)
        if known:
            for each in self.commitments:
                self.nonces.pop(each, None)
            self.commitments.clear()

    def _update_start_phase(self, at: int) -> None:
        phase: StartPhase | None = None
        if not self.closed and not any(seat.free for seat in self.seats):
            phase = "commit" if self._uncommitted() else "reveal" if self._unrevealed() else None
        if phase != self.start_phase:
            self.start_phase, self.start_phase_since = phase, at

    def _uncommitted(self) -> list[int]:
        """Taken seats without a nonce or a commitment to one."""
        known = self.nonces.keys() | self.commitments.keys()
        return [i for i, seat in enumerate(self.seats) if seat.taken and i not in known]

    def _unrevealed(self) -> list[int]:
        return sorted(self.commitments.keys() - self.nonces.keys())

    def commitment_of(self, seat: int) -> str:
        """What a seat has committed to before the game; empty if nothing yet.

        While others have to commit or reveal, a nonce in clear is shown as a commitment too: a
        device can note all of them before it reveals its own.
        """
        if seat in self.commitments:
            return self.commitments[seat]
        clear = self.nonces.get(seat) if self.start_phase else None
        return nonce_commitment(clear) if clear else ""

    @property
    def start_pending(self) -> list[int]:
        """The seats that a full table waits for before the game can begin."""
        if self.start_phase is None:
            return []
        return self._uncommitted() if self.start_phase == "commit" else self._unrevealed()

    @property
    def start_deadline(self) -> int | None:
        """When a pending seat is freed, in milliseconds; None if no seat is pending."""
        if self.start_phase is None:
            return None
        pace, grace_ms = self.options.pace, START_GRACE_MS
        if isinstance(pace, Days):
            grace_ms *= pace.days
        # Strangers met because both were there: neither waits long for one who has left.
        elif isinstance(pace, LiveClock) or self.options.listed:
            grace_ms = START_GRACE_LIVE_MS
        return self.start_phase_since + grace_ms

    def _begin(self, event: events.Began, start: Position | None) -> None:
        seated, names, lines = list(self.seats), list(self._bot_names), list(self.chat_lines)
        for chosen, seat in enumerate(event.order):
            self.seats[seat], self._bot_names[seat] = seated[chosen], names[chosen]
            self.chat_lines[seat] = lines[chosen]
        self.order = event.order
        self.start = self.position = self.game.parse(event.start) if start is None else start
        self.position_since = self.number
        self.draws = event.draws

    def _play(self, move: str, seat: int | None, after: Position | None) -> None:
        assert self.position is not None
        self.steps.append(Step(self.position, move, seat, self.number))
        self._moves.append(move)
        self.position = self.position.play(move) if after is None else after
        self.position_since = self.number
        self.undo = None  # playing on refuses it
        self.result = self.position.result

    def _turns_since(self, keep: int) -> list[int]:
        """The seats whose turns ended since this step, or end when the game goes back to it."""
        deciding = [step.seat for step in self.steps[keep:] if step.seat is not None]
        deciding += [each for each in (self.deciding, self.steps[keep].seat) if each is not None]
        return [seat for seat, following in pairwise(deciding) if seat != following]

    def _pass_turn(self, at: int) -> None:
        """Note a new turn, which may have several moves and throws."""
        seat = self.to_move
        if seat is not None and seat != self.deciding:
            self.deciding = seat
            if self.seats[seat].person:
                self.turns.append(TurnCame(seat, self.number, at))

    # ---- Next events

    def check_not_expired(self) -> None:
        if self.expired:
            raise Refused("expired", "this table was closed: the game had not begun in time")

    def moved(self, seat: int, move: str) -> Change:
        """A move of the seat to move; IllegalMove if the rules forbid it."""
        assert self.position is not None
        return Change(events.Moved(seat, move), self.position.play(move))

    def asked_for_undo(self, seat: int) -> set[int]:
        """The seats that have to grant an undo of this seat."""
        asked = [isinstance(each, Person) and not each.program for each in self.seats]
        return {i for i in range(len(asked)) if asked[i] and i != seat}

    def goes_on_without(self, seat: int) -> bool:
        """Whether the others play on when a seat has lost: only if one of them is a person."""
        others = [each for i, each in enumerate(self.seats) if i != seat]
        return self.options.resign == "bot" and any(
            each.taken and not each.resigned for each in others
        )

    def next_automatic_event(self, now: int) -> Change | None:
        """The event that follows without any action, if one does."""
        if self.closed or not self.playable:
            return None
        if self.result is not None:
            return Change(events.Ended(self.result.shares, self.result.reason, self.secret))
        if self.position is None:
            return self._next_event_before_start(now)
        if self.position.to_move == CHANCE:
            throw = self.position.draw(luck(self.secret, self.nonces, self.draws))
            return Change(events.Threw(throw, self.draws), self.position.play(throw))
        if self.undo is not None and not self.asked_for_undo(self.undo.seat) - self.granted:
            return Change(events.Undone(self.undo.seat, self.undo.keep))  # all others have left
        seat = self.to_move
        ends = self.clock.runs_out_at
        if seat is None or ends is None or now < ends or not self.seats[seat].person:
            return None
        if self.options.leaver == "bot":
            return Change(events.TakenOver(seat, STAND_IN, timed_out=True))
        if self.goes_on_without(seat):
            return Change(events.TakenOver(seat, STAND_IN, resigned=True, timed_out=True))
        return Change(events.TimedOut(seat))

    def _next_event_before_start(self, now: int) -> Change | None:
        if self.late:
            return Change(events.Unrevealed(self.late[0]))
        if any(seat.free for seat in self.seats):
            return None
        pending, deadline = self.start_pending, self.start_deadline
        if not pending:
            return self._deal()
        assert deadline is not None
        return Change(events.Unrevealed(pending[0])) if now >= deadline else None

    def rematch_options(self, commitment: str) -> TableOptions:
        """The options of another game of the same people and bots, which the next seat begins.

        It begins with a deal, and seats are not drawn again. A bot that only stood in for somebody
        has no seat of its own.
        """
        before = sorted(range(len(self.seats)), key=self.rematch_seat)
        seats = [self.seats[i] for i in before]
        return replace(
            self.options,
            game_options=self.options.game_options | self._next_first(),
            rules=self.game.rules.VERSION,
            bots=tuple(0 if seat.taken else seat.level for seat in seats),
            drawn=False,
            position="",
            expected=tuple(seat.name if seat.taken else "" for seat in seats),
            programs=tuple(i for i, seat in enumerate(seats) if seat.program),
            bot_names=tuple(self._bot_names[i] for i in before),
            commitment=commitment,
        )

    def rematch_seat(self, seat: int) -> int:
        """The seat of a player in a rematch: the same, unless one seat always begins."""
        return (seat + 1) % len(self.seats) if self.game.info.first_is_fixed else seat

    def _next_first(self) -> dict[str, str | int]:
        """The option that makes the next seat begin, if the game has one."""
        if self.start is None or self.game.info.first_is_fixed:
            return {}
        began = int(self.start.record["turn"][0])
        return {"first": (began + 1) % len(self.seats) + 1}

    def _deal(self) -> Change:
        """Draw the seats, if the options say so; then deal, or take the position given."""
        stream = luck(self.secret, self.nonces)
        order = list(range(self.game.players))
        if self.options.drawn:
            for last in range(len(order) - 1, 0, -1):  # Fisher and Yates
                other = stream.below(last + 1)
                order[last], order[other] = order[other], order[last]
        position = self.options.position
        start = self.game.parse(position) if position else self.game.deal(source=stream)
        return Change(events.Began(tuple(order), str(start), stream.number), start)
