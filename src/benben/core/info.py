"""What is known of a game before it is played: its people, its players, its options."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from benben.core.errors import BadOption

RANDOM_FIRST = "random"


@dataclass(frozen=True)
class Option:
    """A game's own option: its values, default first, and the player counts that may use it.

    `limits` narrows single values further: `{"fair": (2, 3)}`.
    """

    name: str
    values: tuple[str, ...]
    about: str
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


@dataclass(frozen=True)
class Info:
    """A game's card on the shelf."""

    name: str
    titles: Mapping[str, str]
    working_title: bool
    about: str
    authors: tuple[str, ...]
    honours: str
    ages: str
    minutes: str
    players: tuple[int, ...]
    default_players: int
    first: str
    first_is_fixed: bool
    option: Option

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
