"""What somebody may ask a table to do, one class for each.

A command names who asks by the hash of their token. `event` says which event it would become at the
table as it is now, or raises `Refused`; None if nothing changes by it.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from benben.core.position import Position
from benben.table.events import AnyEvent, Strength
from benben.table.table import Table


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a seat, as chosen, and hold it by a token; a program holds it by its own."""

    token: str
    seat: int
    nickname: str
    nonce: str = ""
    program: bool = False
    expected: bool = False  # it is kept for whoever asks
    commitment: str = ""  # to a nonce that is revealed later

    @property
    def scope(self) -> tuple[str, ...]:
        who = self.token if self.program else ""
        return ("sit", who, str(self.seat), self.nickname, self.nonce + self.commitment)

    def event(self, table: Table) -> AnyEvent:
        return table.sit(
            self.seat, self.nickname, self.nonce, self.program, self.expected, self.commitment
        )


@dataclass(frozen=True, slots=True)
class Decline:
    """Do not come to a seat that is kept; whoever asks holds one at the table before."""

    token: str
    seat: int

    @property
    def scope(self) -> tuple[str, ...]:
        return (self.token, "decline")

    def event(self, table: Table) -> AnyEvent | None:
        return table.decline(self.seat)


@dataclass(frozen=True, slots=True)
class Command(ABC):
    """What whoever holds a seat may ask for; `event` is given where they sit now."""

    name: ClassVar[str]
    token: str

    @property
    def scope(self) -> tuple[str, ...]:
        """Among what a key counts once: nobody can spend, or guess at, another's."""
        return (self.token, self.name)

    @abstractmethod
    def event(self, table: Table, seat: int) -> AnyEvent | None:
        """The event it would become for this seat."""


@dataclass(frozen=True, slots=True)
class Commit(Command):
    """Commit to a new nonce before the game."""

    name = "commit"
    commitment: str

    def event(self, table: Table, seat: int) -> AnyEvent | None:
        return table.commit(seat, self.commitment)


@dataclass(frozen=True, slots=True)
class Reveal(Command):
    """Reveal the nonce that the seat has committed to."""

    name = "reveal"
    nonce: str

    def event(self, table: Table, seat: int) -> AnyEvent | None:
        return table.reveal(seat, self.nonce)


@dataclass(frozen=True, slots=True)
class Move(Command):
    """Play a move, meant for the position after event `number` if that is given."""

    name = "move"
    move: str
    number: int | None = None

    def event(self, table: Table, seat: int) -> AnyEvent:
        return table.move(seat, self.move, self.number)


@dataclass(frozen=True, slots=True)
class AskUndo(Command):
    """Take back one's last move, or ask the others whether one may."""

    name = "undo"

    def event(self, table: Table, seat: int) -> AnyEvent:
        return table.ask_undo(seat)


@dataclass(frozen=True, slots=True)
class AnswerUndo(Command):
    """Let somebody take back a move, or not."""

    name = "undo/answer"
    granted: bool

    def event(self, table: Table, seat: int) -> AnyEvent:
        return table.answer_undo(seat, self.granted)


@dataclass(frozen=True, slots=True)
class Resign(Command):
    """Give up the game."""

    name = "resign"

    def event(self, table: Table, seat: int) -> AnyEvent:
        return table.resign(seat)


@dataclass(frozen=True, slots=True)
class Say(Command):
    """Say something in words, or by the id of a preset phrase."""

    name = "chat"
    text: str = ""
    phrase: str = ""

    def event(self, table: Table, seat: int) -> AnyEvent:
        return table.say(seat, self.text, self.phrase)


@dataclass(frozen=True, slots=True)
class AskHint(Command):
    """Be given a hint, for the table as it was after event `number` if that is given.

    It is stored when it is known: then it is `about` the position that was thought of.
    """

    name = "hint"
    strength: Strength
    number: int | None = None
    about: Position | None = None

    def event(self, table: Table, seat: int) -> AnyEvent | None:
        return table.hint(seat, self.strength, self.number, self.about)


@dataclass(frozen=True, slots=True)
class Leave(Command):
    """Give up one's seat; once the game has begun the table's policy decides what that means."""

    name = "leave"

    def event(self, table: Table, seat: int) -> AnyEvent | None:
        return table.leave(seat)


@dataclass(frozen=True, slots=True)
class Reclaim(Command):
    """Take one's seat back from the bot that plays there."""

    name = "reclaim"

    def event(self, table: Table, seat: int) -> AnyEvent:
        return table.reclaim(seat)


@dataclass(frozen=True, slots=True)
class SeatBot(Command):
    """Give a free seat to a bot, before the game begins."""

    name = "bot"
    free: int
    level: int

    def event(self, table: Table, seat: int) -> AnyEvent:
        return table.seat_bot(self.free, self.level)
