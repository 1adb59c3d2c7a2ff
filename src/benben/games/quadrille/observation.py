"""Quadrille for programs that learn: all there is to see, as small numbers, a plane a kind.

Planes are files by ranks: `top[1, 2, 0]` is red on top of c1. Pawns are one's own, then the
other's.
"""

from benben.core.bits import lowest
from benben.core.kernel import Bytes, State, kernel
from benben.core.observation import Field
from benben.games.quadrille.rules import (
    COLOURS,
    FILES,
    NEAR,
    NONE,
    PLACE_FROM,
    PUT_FROM,
    QUIET_DRAW,
    RANKS,
    SQUARES,
    STEP_FROM,
)

_PHASES = 3


def fields(players: int) -> tuple[Field, ...]:
    board = (len(FILES), len(RANKS))
    return (
        Field("turn", (players,)),
        Field("phase", (_PHASES,)),  # put a pawn, step, place the token
        Field("quiet", (1,), QUIET_DRAW),
        Field("hand", (len(COLOURS),)),  # what the seat in turn has to place
        Field("gift", (len(COLOURS),)),  # what it has just lifted
        Field("top", (len(COLOURS), *board)),
        Field("low", (len(COLOURS), *board)),
        Field("pawns", (players, *board)),
    )


def actions(players: int) -> list[int]:
    squares = range(len(SQUARES))
    steps = [(start, end) for start in squares for end in squares if NEAR[start] >> end & 1]
    return [
        *(PUT_FROM + square for square in squares),
        *(PLACE_FROM + square for square in squares),
        *(STEP_FROM + len(SQUARES) * start + end for start, end in steps),
    ]


def longest(players: int) -> int:
    """Four pawns, then a step and a token for each quiet step before each hole."""
    return 4 + 2 * QUIET_DRAW * (len(SQUARES) + 1)


@kernel
def observe(s: State, seat: int, out: Bytes) -> None:
    out[(s.turn - seat) % 2] = 1
    out[2 + s.phase] = 1
    out[2 + _PHASES] = s.quiet
    at = 3 + _PHASES
    if s.hand != NONE:
        out[at + s.hand] = 1
    at += len(COLOURS)
    if s.gift != NONE:
        out[at + s.gift] = 1
    at += len(COLOURS)
    for colour in range(len(COLOURS)):
        at = _plane(s.top[colour], out, at)
    for colour in range(len(COLOURS)):
        at = _plane(s.low[colour], out, at)
    at = _plane(s.pawns[seat], out, at)
    _plane(s.pawns[1 - seat], out, at)


@kernel
def _plane(squares: int, out: Bytes, at: int) -> int:
    while squares:
        out[at + lowest(squares)] = 1
        squares &= squares - 1
    return at + len(SQUARES)
