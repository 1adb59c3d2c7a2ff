"""Objectif at a glance: the places of the own colour.

Which other colours are wanted is a secret, so all count alike, and only the own one matters.
"""

import math

from benben.core.kernel import State, kernel
from benben.games.objectif.rules import CASES, height_of, shown

_PLACE = 0.5  # what a place more is worth
_PILE = 0.1  # what a pile more is worth beside it: piles break ties


@kernel
def evaluate(s: State, seat: int) -> float:
    """Everybody begins with four places."""
    lead = -1.0 * CASES
    for place in range(s.places):
        if shown(s, place) == s.goal[seat]:
            lead += 1 + _PILE if height_of(s, place) > 0 else 1
    return 1 / (1 + math.exp(-_PLACE * lead) * (s.players - 1))
