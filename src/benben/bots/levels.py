"""The ladder people see: six levels in every game, from a friendly beginner to the best we have.

Levels 1 to 5 think in simulations, so that they play alike on every machine; level 6 thinks by the
clock. The numbers are the ladder's only opinion: `benben arena` measures them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from benben.bots.exact import exact_player, solvable
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

# Simulations of levels 1 to 5, and the chance of a slip at levels 1 and 2.
_STEPS = (20, 60, 250, 1_200, 6_000)
_SLIPS = (0.35, 0.12)
_BEST_SECONDS = 1.0

# Where a game needs other steps: by name and player count.
_OTHER_STEPS: Mapping[tuple[str, int], tuple[int, ...]] = {}


@dataclass(frozen=True)
class Level:
    """A rung: its names, how much it thinks, how often it slips, whether it knows the solution."""

    number: int
    names: Mapping[str, str]
    budget: Budget
    slip: float = 0.0
    exact: bool = False

    def player(self, game: Game) -> Player:
        """Somebody who plays at this level of this game."""
        player = exact_player(game) if self.exact else UctPlayer()
        return SlippingPlayer(player, self.slip) if self.slip else player


def level(game: Game, number: int) -> Level:
    """A level of a game; UnknownPlayer if there is none of this number.

    >>> import benben
    >>> level(benben.game("objectif"), 6).budget
    Budget(simulations=None, seconds=1.0)
    """
    if number not in LEVELS:
        raise UnknownPlayer(str(number), f"levels are {LEVELS[0]} to {LEVELS[-1]}")
    names = NAMES[number - 1]
    if number == LEVELS[-1]:
        return Level(number, names, Budget(seconds=_BEST_SECONDS), exact=solvable(game))
    steps = _OTHER_STEPS.get((game.name, game.players), _STEPS)
    slip = _SLIPS[number - 1] if number <= len(_SLIPS) else 0.0
    return Level(number, names, Budget(simulations=steps[number - 1]), slip)


def ladder(game: Game) -> list[Level]:
    """All levels of a game, the easiest first."""
    return [level(game, number) for number in LEVELS]
