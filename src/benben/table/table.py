"""A table: what its record says, by replay, and what may happen next.

`Table.apply` takes the events of the record one by one; nothing else changes a table. Whatever
somebody would like to do is asked of a method that changes nothing: it returns the event to be
stored, or raises a `Refused` with a stable code. What the house itself has to do next (deal, throw,
end the game, move a bot) is told by `due`.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, TypeAlias, get_args

import msgspec
from msgspec.structs import replace

from benben.bots.levels import LEVELS
from benben.bots.names import bot_names
from benben.core.errors import BenbenError
from benben.core.outcome import Result
from benben.core.position import Position
from benben.core.record import resignation
from benben.core.rules import CHANCE
from benben.table import events
from benben.table.clock import Clock
from benben.table.events import AnyEvent, Strength
from benben.table.fairness import is_commitment, luck, nonce_commitment
from benben.table.names import LONGEST_NAME, is_name, look_alike
from benben.table.options import Days, LiveClock, TableOptions

LONGEST_NONCE, LONGEST_TALK = 64, 300
MAX_CHAT_LINES = 500  # at one table; each seat has an equal share, so that none can mute others
# Events after which only moves, resigning and leaving are accepted. The longest games have some
# 3,000 events; undo, chat and taking seats would otherwise make a table grow without end.
MAX_EVENTS = 10_000
# How long a full table waits for a seat to commit to or reveal its nonce, in milliseconds.
START_GRACE_LIVE_MS, START_GRACE_MS = 2 * 60_000, 24 * 3_600_000
STAND_IN = 3  # the level of a bot that takes over, where no other is said
TIME_OUT = "time-out"  # the reason of a result that the clock decided
_STRENGTHS: tuple[Strength, ...] = get_args(Strength)

# What strangers can say to each other; the words are in the language catalogues.
PHRASES = ("hello", "good-luck", "well-played", "thanks", "one-moment", "sorry", "good-bye")

StartPhase: TypeAlias = Literal["commit", "reveal"]


class Refused(BenbenError):
    """Something cannot be done at a table now; `code` is stable, the message is for people.

    `number` is that of the table's last event, where it is known.
    """

    def __init__(self, code: str, why: str, number: int | None = None) -> None:
        self.code, self.number = code, number
        super().__init__(why)


def check_name(name: str) -> None:
    if not is_name(name):
        raise Refused(
            "bad-name", f"a name has 1 to {LONGEST_NAME} printable characters that can be seen"
        )


def check_nonce(nonce: str) -> None:
    if not 1 <= len(nonce) <= LONGEST_NONCE or not nonce.isascii() or not nonce.isalnum():
        raise Refused("bad-nonce", f"a nonce has 1 to {LONGEST_NONCE} ASCII letters and digits")


def check_commitment(commitment: str) -> None:
    if not is_commitment(commitment):
        raise Refused(
            "bad-commitment",
            "a commitment is the SHA-256 of a nonce, as 64 lowercase hexadecimal digits",
        )


@dataclass
class Seat:
    """Who plays here: a person or a program, a bot of a level, each by name, or nobody yet."""

    name: str = ""
    level: int = 0
    taken: bool = False  # by a person, who may be away with a bot in their place
    away: bool = False  # with a bot in their place, or the others wait
    resigned: bool = False  # a bot plays on for good
    program: bool = False  # what is said of people here holds for programs too, undo aside
    expected: str = ""  # who played before, and has it kept until they decline
    declined: bool = False

    @property
    def person(self) -> bool:
        """Whether a person decides here; who has left is waited for, unless a bot plays on."""
        return self.taken and self.level == 0

    @property
    def is_asked(self) -> bool:
        """Whether an undo takes their leave: not of programs, nor of who is away."""
        return self.person and not self.away and not self.program

    @property
    def free(self) -> bool:
        return not self.taken and self.level == 0

    @property
    def kept_for(self) -> str:
        """Who alone may sit down here; empty if anybody may, or nobody."""
        return self.expected if self.free and not self.declined else ""


class Step(msgspec.Struct, frozen=True):
    """A move or throw that stands, and where it was made."""

    before: Position
    move: str
    seat: int | None  # None: a throw
    number: int  # of the event


class TurnCame(msgspec.Struct, frozen=True):
    """Since this event, at this time, a person on this seat has to decide."""

    seat: int
    number: int
    at: int


@dataclass
class Table:
    """Made from its terms and its server's secret; then its events are applied in order."""

    terms: TableOptions
    secret: str
    seats: list[Seat] = field(init=False)
    number: int = field(default=0, init=False)  # of the last event
    start: Position | None = field(default=None, init=False)
    position: Position | None = field(default=None, init=False)
    steps: list[Step] = field(default_factory=list, init=False)
    _moves: list[str] = field(default_factory=list, init=False)  # of the steps
    # The last deal, and the last move tried to see whether it is legal: usually they come next.
    _dealt: tuple[str, Position] | None = field(default=None, init=False, compare=False)
    _tried: tuple[Position, str, Position] | None = field(default=None, init=False, compare=False)
    draws: int = field(default=0, init=False)
    result: Result | None = field(default=None, init=False)
    to_move: int | None = field(default=None, init=False)  # who has to decide; None: nobody now
    closed: bool = field(default=False, init=False)  # the result has been told
    order: tuple[int, ...] = field(init=False)  # where whoever chose a seat sits
    nonces: dict[int, str] = field(default_factory=dict, init=False)  # by the seat as chosen
    commitments: dict[int, str] = field(default_factory=dict, init=False)  # to nonces, likewise
    start_phase: StartPhase | None = field(default=None, init=False)
    start_phase_since: int = field(default=0, init=False)  # milliseconds
    late: list[int] = field(default_factory=list, init=False)  # seats still to be freed
    position_since: int = field(default=0, init=False)  # the event that led to the position
    chat_lines: list[int] = field(init=False)  # by seat
    rematch: str = field(default="", init=False)
    rematch_by: int | None = field(default=None, init=False)
    turns: list[TurnCame] = field(default_factory=list, init=False)  # of people, in order
    deciding: int | None = field(default=None, init=False)  # the seat that decided last, or does
    # The event by which seats became what they are.
    seats_since: int = field(default=0, init=False, compare=False)
    # The strongest hint each seat had in each position; what is taken back since stays here.
    hints: list[dict[Position, Strength]] = field(init=False)
    undo: events.UndoAsked | None = field(default=None, init=False)
    granted: set[int] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        self.game = self.terms.check()
        # What a bot on each seat is called, whether one sits there or not: a bot may come later.
        self._bot_names = list(
            self.terms.bot_names or bot_names(self.terms.commitment, self.game.players)
        )
        self.seats = [
            Seat(name, level) if level else Seat()
            for name, level in zip(self._bot_names, self.terms.bots, strict=True)
        ]
        for seat, name in zip(self.seats, self.terms.expected, strict=False):
            seat.expected = name
        self.order = tuple(range(self.game.players))
        self.hints = [{} for _ in self.seats]
        self.chat_lines = [0] * len(self.seats)
        self.clock = Clock(self.terms.pace, self.game.players)

    # ---- What the record says

    @property
    def playable(self) -> bool:
        """Whether we know the rules it is played by; if not, it can only be read."""
        return self.terms.rules == self.game.rules.VERSION

    @property
    def begun(self) -> bool:
        return self.start is not None

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def expired(self) -> bool:
        """Whether it was closed, as the game had not begun in time."""
        return self.closed and not self.begun

    @property
    def moves(self) -> tuple[str, ...]:
        """The public history: every move and throw that was not taken back."""
        return tuple(self._moves)

    def apply(self, event: AnyEvent, at: int) -> None:
        """The next event of the record has happened, at this time."""
        self.number += 1
        if event.traits.changes_seats:
            self.seats_since = self.number
        match event:
            case events.Sat(seat, name, nonce, program, committed):
                self.seats[seat] = Seat(name, taken=True, program=program)
                if committed:
                    self.commitments[seat] = committed
                else:
                    self.nonces[seat] = nonce
            case events.Committed(seat, committed):
                self.commitments[seat] = committed
            case events.Revealed(seat, nonce):
                self.nonces[seat] = nonce
            case events.BotSeated(seat, level):
                self.seats[seat] = Seat(self._bot_names[seat], level)
            case events.Declined(seat):
                self.seats[seat].declined = True
            case events.Stood(seat):
                self._free(seat)
            case events.Unrevealed(seat):
                self.late = self.late or self.start_pending
                self._free(seat)
            case events.Began():
                self._begin(event)
            case events.Threw(throw, draw):
                self._play(throw, None)
                self.draws = draw + 1
            case events.Moved(seat, move):
                self._play(move, seat)
                self._welcome_back(seat)
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
                self.seats[seat].away = True
            case events.TakenOver(seat, level, resigned):
                self.seats[seat].level, self.seats[seat].away = level, True
                self.seats[seat].resigned = resigned
                if resigned and self.undo is not None and self.undo.seat == seat:
                    self.undo = None
            case events.Reclaimed(seat):
                self.seats[seat].level, self.seats[seat].away = 0, False
            case events.Forgotten(seat):
                self.seats[seat].name = ""
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
        self.to_move = self._to_move()
        self.clock.start(self.to_move, at, self.over)
        self._pass_turn(at)

    def _free(self, seat: int) -> None:
        """Free a seat before the game.

        In the phase "reveal" players send their nonces, and the server knows them even if it stores
        this event first. The next person on the seat could choose a nonce to match. So every seat
        that committed has to commit to a new nonce.
        """
        known = self.start_phase == "reveal" or self.commitments.keys() & self.nonces.keys()
        self.seats[seat] = Seat()
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
        match self.start_phase:
            case "commit":
                return self._uncommitted()
            case "reveal":
                return self._unrevealed()
        return []

    @property
    def start_deadline(self) -> int | None:
        """When a pending seat is freed, in milliseconds; None if no seat is pending."""
        if self.start_phase is None:
            return None
        match self.terms.pace:
            case Days(days):
                return self.start_phase_since + days * START_GRACE_MS
            case LiveClock():
                return self.start_phase_since + START_GRACE_LIVE_MS
        # Strangers met because both were there: neither waits long for one who has left.
        grace_ms = START_GRACE_LIVE_MS if self.terms.listed else START_GRACE_MS
        return self.start_phase_since + grace_ms

    def _begin(self, event: events.Began) -> None:
        seated, names, lines = list(self.seats), list(self._bot_names), list(self.chat_lines)
        for chosen, seat in enumerate(event.order):
            self.seats[seat], self._bot_names[seat] = seated[chosen], names[chosen]
            self.chat_lines[seat] = lines[chosen]
        self.order = event.order
        self.start = self.position = self._read(event.start)
        self.position_since = self.number
        self.draws = event.draws

    def _play(self, move: str, seat: int | None) -> None:
        assert self.position is not None
        self.steps.append(Step(self.position, move, seat, self.number))
        self._moves.append(move)
        self.position, self.position_since = self._after(move), self.number
        self._tried = None
        self.undo = None  # who plays on has not granted it
        self.result = self.position.result

    def _welcome_back(self, seat: int) -> None:
        """Who has left and moves all the same is back."""
        if self.seats[seat].away and self.seats[seat].person:
            self.seats[seat].away = False
            self.seats_since = self.number

    def _to_move(self) -> int | None:
        """Nobody before and after the game, nor when a throw is due."""
        if self.position is None or self.result is not None:
            return None
        turn = self.position.to_move
        return None if turn == CHANCE else turn

    def _turns_since(self, keep: int) -> list[int]:
        """Whose turns end when the game goes back to this step, or have ended since it."""
        deciding = [step.seat for step in self.steps[keep:] if step.seat is not None]
        deciding += [each for each in (self.deciding, self.steps[keep].seat) if each is not None]
        return [seat for seat, following in pairwise(deciding) if seat != following]

    def _pass_turn(self, at: int) -> None:
        """A turn may have several moves and throws: it comes when another seat had decided."""
        seat = self.to_move
        if seat is not None and seat != self.deciding:
            self.deciding = seat
            if self.seats[seat].person:
                self.turns.append(TurnCame(seat, self.number, at))

    # ---- What somebody would like to do: the event to store, or Refused

    def sit(
        self,
        seat: int,
        name: str,
        nonce: str = "",
        program: bool = False,
        expected: bool = False,
        commitment: str = "",
    ) -> events.Sat:
        """Take a seat with a nonce, or a commitment to one that is revealed later.

        `expected` is true if the seat is reserved for this person.
        """
        self._check_event_limit()
        self.check_free(seat, name if program else "", expected)
        if not expected:  # an expected name was accepted at the table before
            check_name(name)
            self._check_unique(name, seat)
        if nonce and commitment:
            raise Refused("bad-nonce", "send a nonce or a commitment to one, not both")
        if commitment:
            check_commitment(commitment)
        else:
            check_nonce(nonce)
        return events.Sat(seat, name, nonce, program, commitment)

    def commit(self, seat: int, commitment: str) -> events.Committed | None:
        """Commit to a new nonce after the old ones became void; None if that is known already."""
        self._check_starting(seat)
        check_commitment(commitment)
        if self.commitments.get(seat) == commitment:
            return None
        if seat in self.commitments or seat in self.nonces:
            raise Refused("committed", f"seat {seat + 1} has already committed to another nonce")
        if self.start_phase != "commit":
            raise Refused("not-starting", "seats commit anew when every seat is taken")
        return events.Committed(seat, commitment)

    def reveal(self, seat: int, nonce: str) -> events.Revealed | None:
        """Reveal a nonce once every seat has committed; None if it is known already."""
        self._check_person(seat)
        if nonce and self.nonces.get(self.order.index(seat)) == nonce:
            return None
        self._check_starting(seat)
        check_nonce(nonce)
        if self.start_phase != "reveal":
            raise Refused(
                "not-starting",
                "a nonce is revealed when every seat is taken and has committed to a nonce",
            )
        if self.commitments.get(seat) != nonce_commitment(nonce):
            raise Refused(
                "bad-nonce", f"this is not the nonce that seat {seat + 1} has committed to"
            )
        return events.Revealed(seat, nonce)

    def check_free(self, seat: int, program: str = "", expected: bool = False) -> None:
        """Whether somebody can sit down there; a program by its name, which no other has."""
        self._check_seat(seat)
        self.check_not_expired()
        if self.begun:
            raise Refused("begun", "the game has begun: seats can no longer be taken")
        if not self.seats[seat].free:
            raise Refused("seat-taken", f"seat {seat + 1} is taken")
        kept_for = self.seats[seat].kept_for
        if kept_for and not expected and not (program == kept_for and seat in self.terms.programs):
            raise Refused("seat-kept", f"seat {seat + 1} is kept for {kept_for}")

    def check_not_expired(self) -> None:
        if self.expired:
            raise Refused("expired", "this table was closed: the game had not begun in time")

    def seat_bot(self, seat: int, level: int) -> events.BotSeated:
        """Give a free seat to a bot before the game, also one that is kept for somebody."""
        self._check_event_limit()
        self.check_free(seat, expected=True)
        if level not in LEVELS:
            raise Refused("no-such-level", f"bots have levels {LEVELS[0]} to {LEVELS[-1]}")
        return events.BotSeated(seat, level)

    def decline(self, seat: int) -> events.Declined | None:
        """Whoever is expected does not come. None if nobody waits for them any more."""
        self._check_seat(seat)
        waited_for = self.seats[seat].kept_for and not self.closed
        return events.Declined(seat) if waited_for else None

    def leave(self, seat: int) -> AnyEvent | None:
        """Give up a seat: before the game it is free again, then the table's policy decides.

        None if nothing changes: the others wait already.
        """
        if not self.begun:
            self._check_person(seat)
            return events.Stood(seat)
        self._check_playing(seat)
        match self.terms.leaver:
            case "bot":
                return events.TakenOver(seat, STAND_IN)
            case "forfeit":
                return self.resign(seat)
        return None if self.seats[seat].away else events.Left(seat)

    def reclaim(self, seat: int) -> events.Reclaimed:
        self._check_event_limit()
        self._check_seat(seat)
        self._check_on()
        if not self.seats[seat].away:
            raise Refused("not-away", f"seat {seat + 1} has not been left")
        self._check_not_resigned(seat)
        if self.clock.spent(seat):
            raise Refused("no-time", f"seat {seat + 1} has no time left")
        return events.Reclaimed(seat)

    def move(self, seat: int, move: str, number: int | None = None) -> events.Moved:
        """A move, meant for the table as it was after event `number`; IllegalMove says why not."""
        self._check_playing(seat)
        self._check_turn(seat, number)
        assert self.position is not None
        self._tried = self.position, move, self.position.play(move)
        return events.Moved(seat, move)

    def ask_undo(self, seat: int) -> events.UndoAsked | events.Undone:
        """Take back this seat's last move: at once among bots, else if the other people agree."""
        self._check_event_limit()
        self._check_playing(seat)
        keep = self._kept_by(seat)
        if self.undo is not None:
            raise Refused("undo-asked", "an undo has already been asked for")
        if self._others(seat):
            return events.UndoAsked(seat, keep)
        return events.Undone(seat, keep)

    def answer_undo(self, seat: int, granted: bool) -> AnyEvent:
        """A yes that was the last one needed is the undo itself."""
        self._check_playing(seat)
        if self.undo is None or seat not in self._others(self.undo.seat) - self.granted:
            raise Refused("no-undo-asked", "nobody is waiting for this seat's answer")
        if not granted:
            return events.UndoRefused(seat)
        if self._others(self.undo.seat) - self.granted - {seat}:
            return events.UndoGranted(seat)
        return events.Undone(self.undo.seat, self.undo.keep)

    def forget(self, seat: int) -> list[AnyEvent]:
        """Erase whoever sits here, who cannot come back: nobody is to wait for them.

        Before the game the seat is free again. A game that is on goes on with a bot where the table
        allows that, and else is lost.
        """
        self._check_person(seat)
        forgotten = events.Forgotten(seat)
        if not self.begun:
            return [events.Stood(seat), forgotten]
        if not self.playable or self.over or not self.seats[seat].person:
            return [forgotten]
        gone = self.resign(seat) if self.terms.leaver == "wait" else self.leave(seat)
        return [forgotten] if gone is None else [gone, forgotten]

    def resign(self, seat: int) -> events.Resigned | events.TakenOver:
        """Give up: the game is over, or a bot plays on, if that is how the table was made."""
        self._check_playing(seat)
        if self._goes_on_without(seat):
            return events.TakenOver(seat, STAND_IN, resigned=True)
        return events.Resigned(seat)

    def say(self, seat: int, text: str = "", phrase: str = "") -> events.Said:
        self._check_event_limit()
        self._check_person(seat)
        most = MAX_CHAT_LINES // len(self.seats)
        if self.chat_lines[seat] >= most:
            raise Refused("too-much-talk", f"a player has at most {most} lines of chat at a table")
        if phrase:
            if phrase not in PHRASES:
                raise Refused("no-such-phrase", f"the phrases are {', '.join(PHRASES)}")
            return events.Said(seat, phrase=phrase)
        if self.terms.listed:
            raise Refused(
                "phrases-only", "at a table open to anyone, only preset phrases can be said"
            )
        if not 1 <= len(text) <= LONGEST_TALK or not text.isprintable() or not text.strip():
            raise Refused("bad-talk", f"a message has 1 to {LONGEST_TALK} printable characters")
        return events.Said(seat, text)

    def hint(
        self,
        seat: int,
        strength: Strength,
        number: int | None = None,
        about: Position | None = None,
    ) -> events.Hinted | None:
        """A hint, asked for after event `number`, and thought of as being `about` a position.

        None if this seat has had one here that was as strong: it is told again, and counts once.
        """
        self._check_event_limit()
        self._check_playing(seat)
        if any(i != seat and (each.taken or not each.level) for i, each in enumerate(self.seats)):
            raise Refused("no-hints", "hints are given only where all others are bots")
        self._check_turn(seat, number)
        assert self.position is not None
        if about is not None and about != self.position:
            raise Refused("stale", "the table has moved on since the hint was asked for")
        had = self.hints[seat].get(self.position)
        if had is not None and _STRENGTHS.index(had) >= _STRENGTHS.index(strength):
            return None
        return events.Hinted(seat, strength)

    # ---- What the house has to do next

    def due(self, now: int) -> AnyEvent | None:
        """The event that follows without anybody's wish; None if somebody has to act first."""
        if self.closed or not self.playable:
            return None
        if self.result is not None:
            return events.Ended(self.result.shares, self.result.reason, self.secret)
        if self.position is None:
            return self._due_before_the_game(now)
        if self.position.to_move == CHANCE:
            stream = luck(self.secret, self.nonces, self.draws)
            return events.Threw(self.position.draw(stream), self.draws)
        if self.undo is not None and not self._others(self.undo.seat) - self.granted:
            return events.Undone(self.undo.seat, self.undo.keep)  # whoever was asked has left
        seat = self.to_move
        ends = self.clock.runs_out
        if seat is None or ends is None or now < ends or not self.seats[seat].person:
            return None
        if self.terms.leaver == "bot":
            return events.TakenOver(seat, STAND_IN, timed_out=True)
        if self._goes_on_without(seat):
            return events.TakenOver(seat, STAND_IN, resigned=True, timed_out=True)
        return events.TimedOut(seat)

    def _due_before_the_game(self, now: int) -> events.Began | events.Unrevealed | None:
        if self.late:
            return events.Unrevealed(self.late[0])
        if any(seat.free for seat in self.seats):
            return None
        pending, deadline = self.start_pending, self.start_deadline
        if not pending:
            return self._deal()
        assert deadline is not None
        return events.Unrevealed(pending[0]) if now >= deadline else None

    def rematch_terms(self, commitment: str) -> TableOptions:
        """The same terms for another game of the same people and bots, where the next begins.

        It begins with a deal, and seats are not drawn again. A bot that only stood in for somebody
        has no seat of its own.
        """
        seats = range(len(self.seats))
        bots, expected, programs = [0 for _ in seats], ["" for _ in seats], []
        names = ["" for _ in seats]
        for number, seat in enumerate(self.seats):
            there = self.rematch_seat(number)
            names[there] = self._bot_names[number]
            if not seat.taken:
                bots[there] = seat.level
                continue
            expected[there] = seat.name
            if seat.program:
                programs.append(there)
        return replace(
            self.terms,
            options=self.terms.options | self._next_first(),
            rules=self.game.rules.VERSION,
            bots=tuple(bots),
            drawn=False,
            position="",
            expected=tuple(expected),
            programs=tuple(programs),
            bot_names=tuple(names),
            commitment=commitment,
        )

    def rematch_seat(self, seat: int) -> int:
        """Where a seat's player sits in a rematch: on the same, unless one seat always begins."""
        return (seat + 1) % len(self.seats) if self.game.info.first_is_fixed else seat

    def _next_first(self) -> dict[str, str | int]:
        """The option by which the seat after the one that began begins, where there is one."""
        if self.start is None or self.game.info.first_is_fixed:
            return {}
        began = int(self.start.record["turn"][0])
        return {"first": (began + 1) % len(self.seats) + 1}

    @property
    def bot_to_move(self) -> int | None:
        """The level of the bot that has to move, if one has."""
        seat = self.to_move
        if seat is None or not self.playable or self.seats[seat].person:
            return None
        return self.seats[seat].level

    def _deal(self) -> events.Began:
        """Seats first, if they are drawn; then what the game deals, or the position given."""
        stream = luck(self.secret, self.nonces)
        order = list(range(self.game.players))
        if self.terms.drawn:
            for last in range(len(order) - 1, 0, -1):  # Fisher and Yates
                other = stream.below(last + 1)
                order[last], order[other] = order[other], order[last]
        position = self.terms.position
        start = self.game.parse(position) if position else self.game.deal(source=stream)
        self._dealt = str(start), start
        return events.Began(tuple(order), str(start), stream.number)

    # ---- Helpers, in order of use

    def _read(self, start: str) -> Position:
        """The position that a text means; usually the one just dealt, so it is kept at hand."""
        if self._dealt is not None:
            text, dealt = self._dealt
            if text == start:
                return dealt
        return self.game.parse(start)

    def look_ahead(self, move: str) -> Position:
        """The position after a move or throw that will be made next; it is kept at hand."""
        assert self.position is not None
        after = self._after(move)
        self._tried = self.position, move, after
        return after

    def _after(self, move: str) -> Position:
        """The position after a move; usually the move was just tried out, so it is kept at hand."""
        assert self.position is not None
        if self._tried is not None:
            before, tried, after = self._tried
            if before is self.position and tried == move:
                return after
        return self.position.play(move)

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self.game.players:
            raise Refused("no-such-seat", f"the seats are 1 to {self.game.players}")

    def _check_person(self, seat: int) -> None:
        self._check_seat(seat)
        if not self.seats[seat].taken:
            raise Refused("not-seated", f"nobody sits on seat {seat + 1}")

    def _check_event_limit(self) -> None:
        """Refuse what does not bring the game to its end once there are very many events."""
        if self.number >= MAX_EVENTS:
            raise Refused(
                "too-many-events",
                f"this table has {MAX_EVENTS} events: only moves, resigning and leaving are left",
            )

    def _check_unique(self, name: str, seat: int) -> None:
        others = [each.name or each.kept_for for i, each in enumerate(self.seats) if i != seat]
        if any(look_alike(name, other) for other in others if other):
            raise Refused("name-taken", f"somebody at this table is already called {name}")

    def _check_starting(self, seat: int) -> None:
        self._check_person(seat)
        self.check_not_expired()
        if self.begun:
            raise Refused("begun", "the game has begun: its luck is decided")

    def _check_on(self) -> None:
        if not self.playable:
            raise Refused(
                "other-rules",
                f"played by version {self.terms.rules} of the rules, not known here: read-only",
            )
        self.check_not_expired()
        if not self.begun:
            raise Refused("not-begun", "the game has not begun: a seat is still free")
        if self.over:
            raise Refused("over", "the game is over")

    def _check_playing(self, seat: int) -> None:
        self._check_person(seat)
        self._check_on()
        self._check_not_resigned(seat)
        if not self.seats[seat].person:
            raise Refused("away", f"a bot is playing for seat {seat + 1}: take the seat back first")

    def _check_turn(self, seat: int, number: int | None) -> None:
        """`number` is the last event the player knew of: the position must not have changed."""
        if self.to_move != seat:
            raise Refused("not-your-turn", f"it is not the turn of seat {seat + 1}")
        if number is not None and not self.position_since <= number <= self.number:
            raise Refused(
                "stale", f"the table has moved on, from event {number} to event {self.number}"
            )

    def _check_not_resigned(self, seat: int) -> None:
        if self.seats[seat].resigned:
            raise Refused("resigned", f"seat {seat + 1} has lost, and a bot plays on in its place")

    def _goes_on_without(self, seat: int) -> bool:
        """Whether the others play on when a seat has lost: if any of them is a person still."""
        others = [each for i, each in enumerate(self.seats) if i != seat]
        return self.terms.resign == "bot" and any(
            each.taken and not each.resigned for each in others
        )

    def _kept_by(self, seat: int) -> int:
        """How many steps stand when this seat's last decision is taken back."""
        mine = [i for i, step in enumerate(self.steps) if step.seat == seat]
        if not mine:
            raise Refused("nothing-to-undo", f"seat {seat + 1} has made no move to take back")
        if any(step.seat is None for step in self.steps[mine[-1] :]):
            raise Refused(
                "thrown-since", "the dice have been thrown since: a throw cannot be taken back"
            )
        return mine[-1]

    def _others(self, seat: int) -> set[int]:
        """The other seats whose leave an undo takes."""
        return {i for i, each in enumerate(self.seats) if i != seat and each.is_asked}
