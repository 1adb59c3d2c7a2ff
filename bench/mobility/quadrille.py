"""Quadrille by liberties: squares a side's pawns can be on after one step, two and three."""

from benben.core.bits import count, lowest
from benben.core.kernel import State, kernel
from benben.games.quadrille.rules import NEAR, open_to

_WEIGHTS = (1.0, 0.5, 0.25)


@kernel
def mobility(s: State, seat: int) -> float:
    own, other = _liberties(s, seat), _liberties(s, 1 - seat)
    return (own + 0.5) / (own + other + 1)


@kernel
def _liberties(s: State, side: int) -> float:
    """Counted as if neither side's other pawn moved meanwhile."""
    open_squares = open_to(s, side)
    edge = s.pawns[side]
    reached = edge
    total = 0.0
    for weight in _WEIGHTS:
        around = 0
        while edge:
            around |= NEAR[lowest(edge)]
            edge &= edge - 1
        edge = around & open_squares & ~reached
        reached |= edge
        total += weight * count(edge)
    return total
