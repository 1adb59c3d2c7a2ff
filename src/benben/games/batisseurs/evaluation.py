"""Bâtisseurs at a glance: blocks standing, and what a throw may cost."""

import math

from benben.core.bits import count
from benben.core.kernel import State, kernel
from benben.games.batisseurs.rules import DICE, ROW, open_places

_BLOCK = 0.25  # what a block more is worth
_COLOUR = 0.2  # what another colour that would place a block is worth beside a block


@kernel
def evaluate(s: State, seat: int) -> float:
    """The seat's part of everybody's blocks, the leader counting for more."""
    total = 0.0
    own = 0.0
    for other in range(s.players):
        worth = math.exp(_BLOCK * _blocks(s, other))
        total += worth
        if other == seat:
            own = worth
    return own / total


@kernel
def _blocks(s: State, seat: int) -> float:
    """Blocks a seat can count on: white dots about to be risked count for what will be left.

    What the throw may add is not looked at: that would be a second glance.
    """
    won = count(s.won[seat])
    if seat != s.turn:
        return won + _COLOUR * _colours(s.won[seat])
    standing = s.won[seat] | s.dots
    colours = _colours(standing)
    dots = count(s.dots)
    if s.dice == 0 and s.left < DICE:
        bust = (1 - colours / 6) ** s.left
        return won + (1 - bust) * dots + _COLOUR * colours
    return won + dots + _COLOUR * colours


@kernel
def _colours(blocks: int) -> int:
    """Colours of which a die would place a block."""
    places = open_places(blocks)
    n = 0
    for row in range(6):
        n += places >> ROW * row & (1 << ROW) - 1 != 0
    return n
