"""The states of a seat. A change of state is another object."""

from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Seat:
    """Base of the five states. A state has other values only for the fields it declares."""

    name: str = field(default="", init=False)  # of the player, program or bot
    level: int = field(default=0, init=False)  # of the bot that plays here, if one does
    program: bool = field(default=False, init=False)  # a client that is no person
    resigned: bool = field(default=False, init=False)
    reserved_for: str = field(default="", init=False)
    declined: str | None = field(default=None, init=False)

    @property
    def free(self) -> bool:
        return isinstance(self, (Open, Reserved))

    @property
    def taken(self) -> bool:
        """Whether a person or a program holds it, perhaps with a bot in their place."""
        return isinstance(self, (Person, Away))

    @property
    def away(self) -> bool:
        return isinstance(self, Away)

    @property
    def person(self) -> bool:
        """Whether a person or a program decides here; who is away without a bot is waited for."""
        return self.taken and self.level == 0

    def left(self, level: int = 0, resigned: bool = False) -> "Away":
        """The seat after its holder left it to a bot of this level, or to nobody."""
        assert self.taken
        return Away(self.name, level, self.program, resigned)

    def reclaimed(self) -> "Person":
        return Person(self.name, self.program)

    def erased(self) -> "Seat":
        """The same without the name of its holder."""
        return replace(self, name="") if self.taken else self

    def without_reservation(self) -> "Seat":
        """The same without the name of a person it is or was reserved for."""
        return Open(None if self.declined is None else "") if self.free else self


@dataclass(frozen=True)
class Open(Seat):
    """Anybody may sit down."""

    declined: str | None = None  # the name it was reserved for; empty if that was erased


@dataclass(frozen=True)
class Reserved(Seat):
    """Reserved for a player of the table before, until they decline."""

    reserved_for: str = ""


@dataclass(frozen=True)
class Person(Seat):
    """A person, or a program, holds the seat and plays."""

    name: str = ""
    program: bool = False


@dataclass(frozen=True)
class Away(Seat):
    """The holder has left, or resigned: a bot plays in their place, or the others wait."""

    name: str = ""
    level: int = 0
    program: bool = False
    resigned: bool = False  # for good


@dataclass(frozen=True)
class Bot(Seat):
    """A bot has had the seat from the beginning."""

    name: str = ""
    level: int = 0
