"""Bâtisseurs for programs that learn: all there is to see, as small numbers.

Places are in the order of their names, a1 to f1. Where no die shows, a throw is due.
"""

from benben.core.kernel import Bytes, State, kernel
from benben.core.observation import Field
from benben.games.batisseurs.rules import BLOCKS, DICE, ROLL, ROW, ROW_BITS, ROWS, STOP


def fields(players: int) -> tuple[Field, ...]:
    return (
        Field("turn", (players,)),
        Field("free", (1,)),  # the placing
        Field("left", (1,), DICE),  # dice not yet used
        Field("placed", (1,), DICE),  # blocks placed since the last throw
        Field("dice", (len(ROWS),), DICE),  # how many of each face lie on the table
        Field("dots", (len(BLOCKS),)),  # white dots, of the seat in turn
        Field("won", (players, len(BLOCKS))),
    )


def actions(players: int) -> list[int]:
    return [*BLOCKS, ROLL, STOP]


def longest(players: int) -> int:
    """Who never stops may play for ever; of 160,000 random games of four none took 250."""
    return 20_000


@kernel
def observe(s: State, seat: int, out: Bytes) -> None:
    out[(s.turn - seat) % s.players] = 1
    at = s.players
    out[at] = s.placing
    out[at + 1] = s.left
    out[at + 2] = s.placed
    at += 3
    for face in range(len(ROWS)):
        out[at] = s.dice >> ROW * face & ROW_BITS
        at += 1
    at = _blocks(s.dots, out, at)
    for turns in range(s.players):
        at = _blocks(s.won[(seat + turns) % s.players], out, at)


@kernel
def _blocks(board: int, out: Bytes, at: int) -> int:
    for row in range(len(ROWS)):
        for i in range(len(ROWS) - row):
            out[at] = board >> ROW * row + i & 1
            at += 1
    return at
