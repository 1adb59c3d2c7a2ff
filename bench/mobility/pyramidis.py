"""Pyramidis by control: a pyramid is worth something when its own side can move it."""

import math

import numpy as np

from benben.core.kernel import State, kernel
from benben.games.pyramidis.evaluation import WAY_MADE
from benben.games.pyramidis.rules import COLOURS, SQUARES, colour_of, height, pyramid

_HOME = 1.6
_FREE, _BURIED = 0.8, 0.35  # beside a pyramid at its arrival: what it has of its way
_COLUMN = 0.1  # a column more to choose from
_LEAD = 1.5


@kernel
def mobility(s: State, seat: int) -> float:
    strength = np.zeros(len(COLOURS), np.float64)
    for square in range(len(SQUARES)):
        levels = height(s, square)
        if levels == 0:
            continue
        top = pyramid(s, square, levels - 1)
        strength[top] += _COLUMN
        for level in range(levels):
            piece = pyramid(s, square, level)
            freedom = _FREE if piece == top else _BURIED
            strength[piece] += freedom * (0.3 + 0.7 * WAY_MADE[piece, square])
    total = 0.0
    own = 0.0
    for other in range(s.players):
        colour = colour_of(s, other)
        worth = math.exp(_LEAD * (strength[colour] + _HOME * s.home[colour]))
        total += worth
        if other == seat:
            own = worth
    return own / total
