"""What is known of a game before it is played: its people, its players, its options."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from benben.core.errors import BadOption

RANDOM_FIRST = "random"
Text: TypeAlias = Mapping[str, str]  # the same in every language, by its code: en, fr


class Origin(StrEnum):
    """Who says so."""

    SHEET = "sheet"  # the game's own rule sheet
    DESCRIPTIONS = "descriptions"  # what others have published about the game
    OURS = "ours"  # we: measured, deduced or chosen


@dataclass(frozen=True)
class Credit:
    """Where a field of a card comes from; the note says what that alone cannot."""

    origin: Origin
    note: Text = field(default_factory=dict)


@dataclass(frozen=True)
class Span:
    """From the least to the most; without a most, there is no upper end."""

    least: int
    most: int | None = None

    def __str__(self) -> str:
        """
        >>> print(Span(5, 10), Span(15, 15), Span(8))
        5–10 15 8+
        """
        if self.most is None:
            return f"{self.least}+"
        return str(self.least) if self.most == self.least else f"{self.least}–{self.most}"


@dataclass(frozen=True)
class Publisher:
    name: str
    year: int


@dataclass(frozen=True)
class Option:
    """A game's own option: its values, default first, and the player counts that may use it.

    `limits` narrows single values further: `{"fair": (2, 3)}`.
    """

    name: str
    values: tuple[str, ...]
    about: Text
    players: tuple[int, ...]
    limits: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def check(self, value: object, players: int) -> str:
        if players not in self.players:
            raise BadOption(self.name, value, f"only for {_counted(self.players)} players")
        if value not in self.values:
            raise BadOption(self.name, value, f"must be one of {', '.join(self.values)}")
        allowed = self.limits.get(str(value), self.players)
        if players not in allowed:
            raise BadOption(
                self.name, value, f"only for {_counted(allowed)} players, and there are {players}"
            )
        return str(value)


# What a card may know, and must then say whence. `first` and `colours` are customs of the table:
# they have no field of their own, and their credits say all.
CREDITED = (
    "titles",
    "kind",
    "authors",
    "artists",
    "publishers",
    "year",
    "honours",
    "ages",
    "minutes",
    "players",
    "components",
    "first",
    "colours",
)


@dataclass(frozen=True)
class Info:
    """A game's card on the shelf. What nobody has told us is left empty, and nothing is guessed.

    `credits` says of each field of CREDITED that is known where it comes from.
    """

    name: str
    titles: Text
    working_title: bool
    kind: Text
    components: Text
    players: tuple[int, ...]
    default_players: int
    first: str
    first_is_fixed: bool
    option: Option
    credits: Mapping[str, Credit]
    authors: tuple[str, ...] = ()
    artists: tuple[str, ...] = ()
    publishers: tuple[Publisher, ...] = ()
    year: int | None = None
    honours: Text = field(default_factory=dict)
    ages: Span | None = None
    minutes: Span | None = None

    def resolve(self, players: object, options: Mapping[str, object]) -> dict[str, str | int]:
        """All options of a game in normal form; BadOption says what would be allowed."""
        seats = self.default_players if players is None else _whole("players", players)
        if seats not in self.players:
            raise BadOption("players", players, f"must be {_counted(self.players)}")
        known = {"first", self.option.name}
        for name, value in options.items():
            if name not in known:
                raise BadOption(name, value, f"{self.name} takes {', '.join(sorted(known))}")
        resolved: dict[str, str | int] = {"players": seats}
        resolved["first"] = self._first(options.get("first"), seats)
        value = options.get(self.option.name)
        if value is not None:
            resolved[self.option.name] = self.option.check(value, seats)
        elif seats in self.option.players:
            resolved[self.option.name] = self.option.values[0]
        return resolved

    def _first(self, value: object, players: int) -> str | int:
        if value is None:
            value = self.first
        if self.first_is_fixed and str(value) != self.first:
            raise BadOption("first", value, f"seat {self.first} always begins")
        if value == RANDOM_FIRST:
            return RANDOM_FIRST
        seat = _whole("first", value, " or random")
        if not 1 <= seat <= players:
            raise BadOption("first", value, f"must be a seat from 1 to {players}, or random")
        return seat


def _whole(option: str, value: object, otherwise: str = "") -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 4:
        return int(value)
    raise BadOption(option, value, f"must be a whole number{otherwise}")


def _counted(numbers: tuple[int, ...]) -> str:
    words = [str(number) for number in numbers]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
