"""The ladder people see: six levels in every game, from a friendly beginner to the best we have.

Levels 1 to 5 think in simulations or nodes, so that they play alike on every machine; level 6
thinks by the clock. Only where many wait for the bots of a server are all of them cut short
(`live/bots.py`). Weaker levels err as people do: they do not look far, overlook replies and
misjudge positions. The numbers are the ladder's only opinion: `make strength` measures them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from benben.bots.alphabeta import AlphaBetaPlayer
from benben.bots.alphabeta_search import DEEPEST
from benben.bots.bestfirst import BestFirstPlayer
from benben.bots.blur import BlurredPlayer
from benben.bots.slips import SlippingPlayer
from benben.bots.uct import UctPlayer
from benben.core.errors import UnknownPlayer
from benben.core.game import Game
from benben.core.player import Budget, Player

LEVELS = range(1, 7)

NAMES = (
    {"en": "Pebble", "fr": "Caillou"},
    {"en": "Apprentice", "fr": "Apprenti"},
    {"en": "Stonecutter", "fr": "Tailleur de pierre"},
    {"en": "Mason", "fr": "Maçon"},
    {"en": "Architect", "fr": "Architecte"},
    {"en": "Pharaoh", "fr": "Pharaon"},
)

BEST_SECONDS = 1.0  # of level 6


@dataclass(frozen=True)
class Level:
    """A rung: its names, how much it thinks, and who that is."""

    number: int
    names: Mapping[str, str]
    budget: Budget
    player: Callable[[], Player] = field(repr=False, compare=False)


def level(game: Game, number: int) -> Level:
    """A level of a game; UnknownPlayer if there is none of this number.

    >>> import benben
    >>> level(benben.game("objectif"), 6).budget
    Budget(simulations=None, seconds=1.0)
    """
    if number not in LEVELS:
        raise UnknownPlayer(str(number), f"levels are {LEVELS[0]} to {LEVELS[-1]}")
    rungs = _LADDERS.get((game.name, game.players), _OTHERS)
    rung = rungs[number - 1]
    budget = Budget(rung.simulations) if rung.simulations else Budget(seconds=BEST_SECONDS)
    return Level(number, NAMES[number - 1], budget, partial(rung.player, game))


def ladder(game: Game) -> list[Level]:
    """All levels of a game, the easiest first."""
    return [level(game, number) for number in LEVELS]


# ---- Who it is at each level, and how many simulations or nodes they have: 0 for the clock


class _Rung(NamedTuple):
    simulations: int
    player: Callable[[Game], Player]


def _looking_ahead(
    *, nodes: int = 0, depth: int = DEEPEST, blind: float = 0.0, blur: float = 0.0
) -> _Rung:
    return _Rung(nodes, lambda _: AlphaBetaPlayer(depth, blind, blur))


def _best_first(*, nodes: int = 0, blur: float = 0.0) -> _Rung:
    return _Rung(nodes, lambda _: BestFirstPlayer(blur=blur))


def _reading(
    simulations: int = 0,
    *,
    reads: bool = True,
    hides: bool = True,
    studies: bool = False,
    blur: float = 0.0,
) -> _Rung:
    def player(_: Game) -> Player:
        from benben.bots.objectif.player import ObjectifPlayer  # loads the game's rules

        reader = ObjectifPlayer(reads, hides, studies)
        return BlurredPlayer(reader, blur) if blur else reader

    return _Rung(simulations, player)


def _building(number: int) -> _Rung:
    def player(game: Game) -> Player:
        from benben.bots.batisseurs.player import batisseurs_player  # loads the game's rules

        return batisseurs_player(game, number)

    return _Rung(1 if number < LEVELS[-1] else 0, player)  # it takes no notice


def _searching(simulations: int, slip: float = 0.0) -> _Rung:
    return _Rung(simulations, lambda _: SlippingPlayer(UctPlayer(), slip) if slip else UctPlayer())


_READERS = (
    _reading(30, reads=False, hides=False, blur=1.2),
    _reading(30, reads=False, hides=False, blur=0.14),
    _reading(30, reads=False, hides=False, blur=0.055),
    _reading(40, hides=False, blur=0.034),
    _reading(50, blur=0.021),
    _reading(studies=True),
)
_BUILDERS = tuple(_building(number) for number in LEVELS)

_LADDERS: Mapping[tuple[str, int], Sequence[_Rung]] = {
    ("objectif", 2): _READERS,
    ("objectif", 3): _READERS,
    ("objectif", 4): _READERS,
    ("pyramidis", 2): (
        _looking_ahead(nodes=60, depth=1, blind=0.4, blur=3.0),
        _looking_ahead(nodes=100, depth=1, blind=0.2, blur=1.5),
        _looking_ahead(nodes=200, depth=2, blind=0.12, blur=0.85),
        _looking_ahead(nodes=500, depth=4, blind=0.03, blur=0.3),
        _looking_ahead(nodes=1_800),
        _looking_ahead(),
    ),
    ("pyramidis", 4): (
        _best_first(nodes=40, blur=3.0),
        _best_first(nodes=80, blur=1.5),
        _best_first(nodes=200, blur=0.8),
        _best_first(nodes=600, blur=0.3),
        _best_first(nodes=3_000),
        _best_first(),
    ),
    ("quadrille", 2): (
        _looking_ahead(nodes=420, depth=3, blind=0.084, blur=0.61),
        _looking_ahead(nodes=850, depth=4, blind=0.028, blur=0.235),
        _looking_ahead(nodes=1_500, depth=6, blind=0.011, blur=0.135),
        _looking_ahead(nodes=6_200, depth=8, blind=0.0012, blur=0.03),
        _looking_ahead(nodes=20_500),
        _looking_ahead(),
    ),
    ("batisseurs", 2): _BUILDERS,
    ("batisseurs", 3): _BUILDERS,
    ("batisseurs", 4): _BUILDERS,
}

# Any other game: the more it is searched at random, the better it is played.
_OTHERS = (
    _searching(50, slip=0.3),
    _searching(150, slip=0.1),
    _searching(500),
    _searching(2_000),
    _searching(8_000),
    _searching(0),
)
