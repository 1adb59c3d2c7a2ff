"""A player who cannot tell apart what is nearly as good."""

from collections.abc import Sequence
from math import log

from benben.core.player import Player, Thought, Turn
from benben.core.random import Random, below, generator

_EQUAL = 1e-12  # worths this close differ by rounding
_FINE = 1 << 30
_EYE = 2  # keeps what is misjudged apart from the draws of whoever is behind it


class BlurredPlayer(Player):
    """`player`, but each move is chosen with a chance in proportion to exp(share / blur).

    It never tells what the moves are worth: that would give its errors away.
    """

    def __init__(self, player: Player, blur: float) -> None:
        self.player, self.blur = player, blur
        self.name = player.name

    def think(self, turn: Turn) -> Thought:
        thought = self.player.think(turn)
        shares = [worth.share for worth in thought.worths]
        chosen = choose(shares, self.blur, generator((turn.seed, _EYE)))
        return Thought(turn.moves[chosen], simulations=thought.simulations)

    def close(self) -> None:
        self.player.close()


def choose(worths: Sequence[float], blur: float, random: Random) -> int:
    """The best, among equals any; blurred, each with a chance that goes by exp(worth / blur)."""
    if blur > 0:
        # The largest of sums with Gumbel's noise comes out in just these proportions.
        worths = [worth + blur * _noise(random) for worth in worths]
    best = [i for i, worth in enumerate(worths) if worth >= max(worths) - _EQUAL]
    return best[below(random, len(best))]


def _noise(random: Random) -> float:
    return -log(-log((below(random, _FINE) + 0.5) / _FINE))
