"""Quadrille at a glance: the steps a side can make against those its opponent can."""

from benben.core.bits import count, lowest
from benben.core.kernel import State, kernel
from benben.games.quadrille.rules import NEAR, open_to


@kernel
def evaluate(s: State, seat: int) -> float:
    own, other = _steps(s, seat), _steps(s, 1 - seat)
    return (own + 1) / (own + other + 2)


@kernel
def _steps(s: State, side: int) -> int:
    steps = 0
    open_squares = open_to(s, side)
    pawns = s.pawns[side]
    while pawns:
        steps += count(NEAR[lowest(pawns)] & open_squares)
        pawns &= pawns - 1
    return steps
