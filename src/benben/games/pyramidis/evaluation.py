"""Pyramidis at a glance: how far each colour's pyramids have come. Who carries them is left out."""

import math

import numpy as np

from benben.core.kernel import Floats, State, kernel
from benben.games.pyramidis.rules import (
    ARRIVAL,
    COLOURS,
    NEXT,
    SQUARES,
    colour_of,
    height,
    pyramid,
)

_HOME = 1.5  # a pyramid at home, beside one just before its arrival
_LEAD = 1.5


def _way_made() -> Floats:
    """For each colour and square: 0 as far from the arrival as can be, 1 on it."""
    steps = np.zeros((len(COLOURS), len(SQUARES)), np.float64)
    for colour in range(len(COLOURS)):
        for square in range(len(SQUARES)):
            at = square
            while at != ARRIVAL[colour]:
                at = int(NEXT[colour, at])
                steps[colour, square] += 1
    return 1 - steps / steps.max()


WAY_MADE = _way_made()


@kernel
def evaluate(s: State, seat: int) -> float:
    """The seat's part of everybody's progress, the leader counting for more."""
    progress = np.zeros(len(COLOURS), np.float64)
    for square in range(len(SQUARES)):
        for level in range(height(s, square)):
            piece = pyramid(s, square, level)
            progress[piece] += WAY_MADE[piece, square]
    total = 0.0
    for other in range(s.players):
        colour = colour_of(s, other)
        progress[colour] = math.exp(_LEAD * (progress[colour] + _HOME * s.home[colour]))
        total += progress[colour]
    return progress[colour_of(s, seat)] / total
