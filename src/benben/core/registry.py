"""Which games there are. `benben.games` fills it, one line a game."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import cast

from benben.core.codec import MoveCodec
from benben.core.errors import BadGame, NoObservation, UnknownGame
from benben.core.game import Game
from benben.core.ideas import Finder
from benben.core.info import Info
from benben.core.kernel import adopt
from benben.core.notation import Notation
from benben.core.observation import Observation
from benben.core.rules import MOST_SEATS

_packages: dict[str, str] = {}


def register(name: str, package: str) -> None:
    """Add a game: `package` has an INFO, modules `rules` and `notation`.

    It may have `evaluation`, by which bots judge, `observation`, by which programs learn, and
    `ideas`, which are told in hints.
    """
    _packages[name] = package


def names() -> list[str]:
    """The games, in the order of the shelf."""
    return list(_packages)


def info(name: str) -> Info:
    """A game's card, without loading its rules."""
    if name not in _packages:
        raise UnknownGame(name, names())
    card: Info = import_module(_packages[name]).INFO
    return card


def game(name: str, /, *, players: int | None = None, **options: str | int) -> Game:
    """A game by name, with its options chosen; UnknownGame or BadOption if that cannot be.

    >>> game("objectif", players=4, mode="fair")
    Traceback (most recent call last):
    benben.core.errors.BadOption: mode=fair: only for 2 or 3 players, and there are 4
    """
    card = info(name)
    resolved = card.resolve(players, options)
    return _made(name, tuple(resolved.items()))


def restore(name: str, options: Mapping[str, str | int]) -> Game:
    """A game from its name and its resolved options."""
    rest = {option: value for option, value in options.items() if option != "players"}
    return game(name, players=int(options["players"]), **rest)


@cache  # there are few ways to choose, and a server has many tables
def _made(name: str, options: tuple[tuple[str, str | int], ...]) -> Game:
    return Game(info(name), _rules(name), _codec(name), dict(options))


@cache
def _rules(name: str) -> ModuleType:
    package, seats = _packages[name], max(info(name).players)
    if seats > MOST_SEATS:
        raise BadGame(f"{name} is for up to {seats} players, but games have at most {MOST_SEATS}")
    rules = import_module(f"{package}.rules")
    others = [_part(name, part) for part in ("evaluation", "observation")]
    adopt(rules, *(other for other in others if other is not None))
    return rules


@cache  # with all the texts it keeps
def _codec(name: str) -> MoveCodec:
    notation = cast(Notation, import_module(f"{_packages[name]}.notation"))
    return MoveCodec(_rules(name), notation)


@cache
def ideas(name: str) -> Finder | None:
    """Who finds a game's own ideas; None if it has none."""
    return cast(Finder | None, _part(name, "ideas"))


@cache
def observation(name: str) -> Observation:
    """How programs that learn are told of a game; NoObservation if nobody has said how."""
    found = _part(name, "observation")
    if found is None:
        raise NoObservation(name)
    return cast(Observation, found)


def _part(name: str, part: str) -> ModuleType | None:
    """A module that a game may have."""
    module = f"{_packages[name]}.{part}"
    return None if find_spec(module) is None else import_module(module)
