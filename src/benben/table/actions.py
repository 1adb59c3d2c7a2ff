"""The actions that players can request at a table, each with its validation.

`check` validates an action at the table as it is. It returns the event to store, or None if nothing
would change; it raises `Refused`, or IllegalMove, and never changes the table. The sender of an
action is identified by the hash of their token.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, TypeAlias, get_args

from benben.bots.levels import LEVELS
from benben.core.position import Position
from benben.table import events
from benben.table.events import AnyEvent, Strength
from benben.table.fairness import is_commitment, nonce_commitment
from benben.table.names import LONGEST_NAME, is_name, look_alike
from benben.table.table import STAND_IN, Change, Refused, Table

LONGEST_NONCE, LONGEST_TALK = 64, 300
MAX_CHAT_LINES = 500  # at one table; each seat has an equal share, so that none can mute others
# Events after which only moves, resigning and leaving are accepted. The longest games have some
# 3,000 events; undo, chat and taking seats would otherwise make a table grow without end.
MAX_EVENTS = 10_000
_STRENGTHS: tuple[Strength, ...] = get_args(Strength)

# What strangers can say to each other; the words are in the language catalogues.
PHRASES = ("hello", "good-luck", "well-played", "thanks", "one-moment", "sorry", "good-bye")


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a seat with a nonce, or with a commitment to one that is revealed later.

    The seat is held by the token from now on; a program's token is its own.
    """

    token: str
    seat: int
    nickname: str
    nonce: str = ""
    program: bool = False
    expected: bool = False  # the seat is reserved for the sender
    commitment: str = ""

    @property
    def scope(self) -> tuple[str, ...]:
        """The namespace of an idempotency key, so that callers cannot collide."""
        token = self.token if self.program else ""
        return ("sit", token, str(self.seat), self.nickname, self.nonce + self.commitment)

    def check(self, table: Table) -> Change:
        _check_event_limit(table)
        check_free(table, self.seat, self.nickname if self.program else "", self.expected)
        if not self.expected:  # an expected name was accepted at the table before
            name = self.nickname
            check_name(name)
            others = (seat for i, seat in enumerate(table.seats) if i != self.seat)
            if any(look_alike(name, each.name or each.reserved_for) for each in others):
                raise Refused("name-taken", f"somebody at this table is already called {name}")
        if self.nonce and self.commitment:
            raise Refused("bad-nonce", "send a nonce or a commitment to one, not both")
        if self.commitment:
            check_commitment(self.commitment)
        else:
            check_nonce(self.nonce)
        sat = events.Sat(self.seat, self.nickname, self.nonce, self.program, self.commitment)
        return Change(sat)


@dataclass(frozen=True, slots=True)
class Decline:
    """Give up a seat that is reserved for the sender, who holds a seat at the table before."""

    token: str
    seat: int

    @property
    def scope(self) -> tuple[str, ...]:
        return (self.token, "decline")

    def check(self, table: Table) -> Change | None:
        _check_seat(table, self.seat)
        reserved = table.seats[self.seat].reserved_for and not table.closed
        return Change(events.Declined(self.seat)) if reserved else None


@dataclass(frozen=True, slots=True)
class Action(ABC):
    """An action of the holder of a seat."""

    name: ClassVar[str]
    token: str

    @property
    def scope(self) -> tuple[str, ...]:
        """The namespace of an idempotency key, so that callers cannot collide."""
        return (self.token, self.name)

    @abstractmethod
    def check(self, table: Table, seat: int) -> Change | None:
        """Validate the action for the seat that the sender holds."""


@dataclass(frozen=True, slots=True)
class Commit(Action):
    """Commit to a new nonce after the old ones became void."""

    name = "commit"
    commitment: str

    def check(self, table: Table, seat: int) -> Change | None:
        _check_starting(table, seat)
        check_commitment(self.commitment)
        if table.commitments.get(seat) == self.commitment:
            return None
        if seat in table.commitments or seat in table.nonces:
            raise Refused("committed", f"seat {seat + 1} has already committed to another nonce")
        if table.start_phase != "commit":
            raise Refused("not-starting", "seats commit anew when every seat is taken")
        return Change(events.Committed(seat, self.commitment))


@dataclass(frozen=True, slots=True)
class Reveal(Action):
    """Reveal a nonce once every seat has committed."""

    name = "reveal"
    nonce: str

    def check(self, table: Table, seat: int) -> Change | None:
        _check_person(table, seat)
        if self.nonce and table.nonces.get(table.order.index(seat)) == self.nonce:
            return None
        _check_starting(table, seat)
        check_nonce(self.nonce)
        if table.start_phase != "reveal":
            raise Refused(
                "not-starting",
                "a nonce is revealed when every seat is taken and has committed to a nonce",
            )
        if table.commitments.get(seat) != nonce_commitment(self.nonce):
            raise Refused(
                "bad-nonce", f"this is not the nonce that seat {seat + 1} has committed to"
            )
        return Change(events.Revealed(seat, self.nonce))


@dataclass(frozen=True, slots=True)
class SeatBot(Action):
    """Give a free seat to a bot, also one that is reserved."""

    name = "bot"
    free: int
    level: int

    def check(self, table: Table, seat: int) -> Change:
        _check_event_limit(table)
        check_free(table, self.free, expected=True)
        if self.level not in LEVELS:
            raise Refused("no-such-level", f"bots have levels {LEVELS[0]} to {LEVELS[-1]}")
        return Change(events.BotSeated(self.free, self.level))


@dataclass(frozen=True, slots=True)
class Move(Action):
    """Play a move, meant for the position after event `number` if that is given."""

    name = "move"
    move: str
    number: int | None = None

    def check(self, table: Table, seat: int) -> Change:
        _check_playing(table, seat)
        _check_turn(table, seat, self.number)
        return table.moved(seat, self.move)


@dataclass(frozen=True, slots=True)
class AskUndo(Action):
    """Take back the seat's last move: at once among bots, else if the other people agree."""

    name = "undo"

    def check(self, table: Table, seat: int) -> Change:
        _check_event_limit(table)
        _check_playing(table, seat)
        keep = _steps_before_last_move(table, seat)
        if table.undo is not None:
            raise Refused("undo-asked", "an undo has already been asked for")
        if table.asked_for_undo(seat):
            return Change(events.UndoAsked(seat, keep))
        return Change(events.Undone(seat, keep))


@dataclass(frozen=True, slots=True)
class AnswerUndo(Action):
    """Grant or refuse an undo; the last grant needed is the undo itself."""

    name = "undo/answer"
    granted: bool

    def check(self, table: Table, seat: int) -> Change:
        _check_playing(table, seat)
        undo = table.undo
        waiting = set() if undo is None else table.asked_for_undo(undo.seat) - table.granted
        if undo is None or seat not in waiting:
            raise Refused("no-undo-asked", "nobody is waiting for this seat's answer")
        if not self.granted:
            return Change(events.UndoRefused(seat))
        if waiting - {seat}:
            return Change(events.UndoGranted(seat))
        return Change(events.Undone(undo.seat, undo.keep))


@dataclass(frozen=True, slots=True)
class AskHint(Action):
    """Be given a hint, for the table as it was after event `number` if that is given.

    It is stored once it is calculated, `about` a position, if it is the strongest given there.
    """

    name = "hint"
    strength: Strength
    number: int | None = None
    about: Position | None = None

    def check(self, table: Table, seat: int) -> Change | None:
        _check_event_limit(table)
        _check_playing(table, seat)
        if any(i != seat and (each.taken or not each.level) for i, each in enumerate(table.seats)):
            raise Refused("no-hints", "hints are given only where all others are bots")
        _check_turn(table, seat, self.number)
        assert table.position is not None
        if self.about is not None and self.about != table.position:
            raise Refused("stale", "the table has moved on since the hint was asked for")
        given = table.hints[seat].get(table.position)
        if given is not None and _STRENGTHS.index(given) >= _STRENGTHS.index(self.strength):
            return None
        return Change(events.Hinted(seat, self.strength))


@dataclass(frozen=True, slots=True)
class Resign(Action):
    """Give up: the game ends, or a bot plays on, depending on the table's options."""

    name = "resign"

    def check(self, table: Table, seat: int) -> Change:
        _check_playing(table, seat)
        if table.goes_on_without(seat):
            return Change(events.TakenOver(seat, STAND_IN, resigned=True))
        return Change(events.Resigned(seat))


@dataclass(frozen=True, slots=True)
class Reclaim(Action):
    """Return to a seat that was left; a bot that plays there gives it back."""

    name = "reclaim"

    def check(self, table: Table, seat: int) -> Change:
        _check_event_limit(table)
        _check_seat(table, seat)
        _check_on(table)
        if not table.seats[seat].away:
            raise Refused("not-away", f"seat {seat + 1} has not been left")
        _check_not_resigned(table, seat)
        if table.clock.spent(seat):
            raise Refused("no-time", f"seat {seat + 1} has no time left")
        return Change(events.Reclaimed(seat))


@dataclass(frozen=True, slots=True)
class Leave(Action):
    """Give up a seat: before the game it becomes free, later the table's options decide."""

    name = "leave"

    def check(self, table: Table, seat: int) -> Change | None:
        if not table.begun:
            _check_person(table, seat)
            return Change(events.Stood(seat))
        _check_playing(table, seat)
        if table.options.leaver == "bot":
            return Change(events.TakenOver(seat, STAND_IN))
        if table.options.leaver == "forfeit":
            return Resign(self.token).check(table, seat)
        return None if table.seats[seat].away else Change(events.Left(seat))


@dataclass(frozen=True, slots=True)
class Say(Action):
    """Send a chat line, or a preset phrase by its id."""

    name = "chat"
    text: str = ""
    phrase: str = ""

    def check(self, table: Table, seat: int) -> Change:
        _check_event_limit(table)
        _check_person(table, seat)
        most = MAX_CHAT_LINES // len(table.seats)
        if table.chat_lines[seat] >= most:
            raise Refused("too-much-talk", f"a player has at most {most} lines of chat at a table")
        if self.phrase:
            if self.phrase not in PHRASES:
                raise Refused("no-such-phrase", f"the phrases are {', '.join(PHRASES)}")
            return Change(events.Said(seat, phrase=self.phrase))
        if table.options.listed:
            raise Refused(
                "phrases-only", "at a table open to anyone, only preset phrases can be said"
            )
        text = self.text
        if not 1 <= len(text) <= LONGEST_TALK or not text.isprintable() or not text.strip():
            raise Refused("bad-talk", f"a message has 1 to {LONGEST_TALK} printable characters")
        return Change(events.Said(seat, text))


AnyAction: TypeAlias = Action | Sit | Decline


def erase(table: Table, seat: int) -> list[AnyEvent]:
    """The events that erase a person, who cannot come back.

    Before the game the seat becomes free. A game goes on with a bot if the table's options allow
    that, and is lost otherwise.
    """
    _check_person(table, seat)
    forgotten = events.Forgotten(seat)
    if not table.begun:
        return [events.Stood(seat), forgotten]
    if not table.playable or table.over or not table.seats[seat].person:
        return [forgotten]
    action = Resign("") if table.options.leaver == "wait" else Leave("")
    change = action.check(table, seat)
    return [forgotten] if change is None else [change.event, forgotten]


# ---- Checks


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


def check_free(table: Table, seat: int, program: str = "", expected: bool = False) -> None:
    """Refuse a seat that cannot be taken. `program` is the unique name of a program.

    `expected` is true for the person the seat is reserved for.
    """
    _check_seat(table, seat)
    table.check_not_expired()
    if table.begun:
        raise Refused("begun", "the game has begun: seats can no longer be taken")
    if not table.seats[seat].free:
        raise Refused("seat-taken", f"seat {seat + 1} is taken")
    reserved_for = table.seats[seat].reserved_for
    is_program = program == reserved_for and seat in table.options.programs
    if reserved_for and not (expected or is_program):
        raise Refused("seat-kept", f"seat {seat + 1} is kept for {reserved_for}")


def _check_seat(table: Table, seat: int) -> None:
    if not 0 <= seat < table.game.players:
        raise Refused("no-such-seat", f"the seats are 1 to {table.game.players}")


def _check_person(table: Table, seat: int) -> None:
    _check_seat(table, seat)
    if not table.seats[seat].taken:
        raise Refused("not-seated", f"nobody sits on seat {seat + 1}")


def _check_event_limit(table: Table) -> None:
    """Refuse what does not bring the game to its end once there are very many events."""
    if table.number >= MAX_EVENTS:
        raise Refused(
            "too-many-events",
            f"this table has {MAX_EVENTS} events: only moves, resigning and leaving are left",
        )


def _check_starting(table: Table, seat: int) -> None:
    _check_person(table, seat)
    table.check_not_expired()
    if table.begun:
        raise Refused("begun", "the game has begun: its luck is decided")


def _check_on(table: Table) -> None:
    if not table.playable:
        raise Refused(
            "other-rules",
            f"played by version {table.options.rules} of the rules, not known here: read-only",
        )
    table.check_not_expired()
    if not table.begun:
        raise Refused("not-begun", "the game has not begun: a seat is still free")
    if table.over:
        raise Refused("over", "the game is over")


def _check_playing(table: Table, seat: int) -> None:
    _check_person(table, seat)
    _check_on(table)
    _check_not_resigned(table, seat)
    if not table.seats[seat].person:
        raise Refused("away", f"a bot is playing for seat {seat + 1}: take the seat back first")


def _check_not_resigned(table: Table, seat: int) -> None:
    if table.seats[seat].resigned:
        raise Refused("resigned", f"seat {seat + 1} has lost, and a bot plays on in its place")


def _check_turn(table: Table, seat: int, number: int | None) -> None:
    """`number` is the last event the player knew of: the position must not have changed since."""
    if table.to_move != seat:
        raise Refused("not-your-turn", f"it is not the turn of seat {seat + 1}")
    if number is not None and not table.position_since <= number <= table.number:
        raise Refused(
            "stale", f"the table has moved on, from event {number} to event {table.number}"
        )


def _steps_before_last_move(table: Table, seat: int) -> int:
    """How many steps stand when this seat's last move is taken back."""
    mine = [i for i, step in enumerate(table.steps) if step.seat == seat]
    if not mine:
        raise Refused("nothing-to-undo", f"seat {seat + 1} has made no move to take back")
    if any(step.seat is None for step in table.steps[mine[-1] :]):
        raise Refused(
            "thrown-since", "the dice have been thrown since: a throw cannot be taken back"
        )
    return mine[-1]
