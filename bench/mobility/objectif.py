"""Objectif by what is still to come: pieces of the own colour that can be added, or taken away."""

import math

from benben.core.kernel import State, kernel
from benben.games.objectif.rules import CASES, COLOURS, held, shown

_PLACE, _RIVAL = 0.55, 0.25
_OWN, _OTHERS = 0.2, 0.1  # a piece of the colour left to the seat, or to another, beside a place


@kernel
def mobility(s: State, seat: int) -> float:
    goal = s.goal[seat]
    most = 0
    for colour in range(1, len(COLOURS) + 1):
        if colour != goal:
            most = max(most, _places(s, colour))
    lead = _PLACE * (_places(s, goal) - CASES) - _RIVAL * (most - CASES)
    for other in range(s.players):
        left = held(s.stock[other], goal)
        lead += _PLACE * (_OWN if other == seat else -_OTHERS) * left
    return 1 / (1 + math.exp(-lead) * (s.players - 1))


@kernel
def _places(s: State, colour: int) -> int:
    n = 0
    for place in range(s.places):
        n += shown(s, place) == colour
    return n
