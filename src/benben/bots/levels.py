"""The ladder people see: six levels in every game, from a friendly beginner to the best we have.

Levels 1 to 5 think in simulations, so that they play alike on every machine; level 6 thinks by the
clock. Only where many wait for the bots of a server are all of them cut short
(`table/thinking.py`). The numbers are the ladder's only opinion: `benben arena` measures them.
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

# Simulations of levels 1 to 5, by game and player count: the more moves there are to choose from,
# the more it takes to play as well.
_STEPS: Mapping[tuple[str, int], tuple[int, ...]] = {
    ("objectif", 2): (60, 300, 1_000, 4_000, 16_000),
    ("objectif", 3): (80, 400, 1_200, 5_000, 20_000),
    ("objectif", 4): (100, 500, 1_500, 6_000, 24_000),
    ("pyramidis", 2): (20, 60, 250, 1_200, 6_000),
    ("pyramidis", 4): (30, 100, 400, 2_000, 10_000),
    ("batisseurs", 2): (15, 50, 250, 1_500, 10_000),
    ("batisseurs", 3): (15, 50, 250, 1_500, 10_000),
    ("batisseurs", 4): (15, 50, 250, 1_500, 10_000),
    ("quadrille", 2): (40, 120, 500, 2_000, 8_000),
}
_STEPS_OF_OTHERS = (50, 150, 500, 2_000, 8_000)
_SLIPS = (0.3, 0.1)  # the chance of a slip at levels 1 and 2
_BEST_SECONDS = 1.0


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
    steps = _STEPS.get((game.name, game.players), _STEPS_OF_OTHERS)
    slip = _SLIPS[number - 1] if number <= len(_SLIPS) else 0.0
    return Level(number, names, Budget(simulations=steps[number - 1]), slip)


def ladder(game: Game) -> list[Level]:
    """All levels of a game, the easiest first."""
    return [level(game, number) for number in LEVELS]
