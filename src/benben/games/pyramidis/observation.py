"""Pyramidis for programs that learn: all there is to see, as small numbers.

A column is told from the bottom: eight pyramids by a one in the row of the seat they belong to,
those above, which only four players can pile up, by that seat's number and one.
"""

from benben.core.kernel import Bytes, State, kernel
from benben.core.observation import Field
from benben.games.pyramidis.rules import (
    COLOURS,
    MOST_FROM_START,
    PASSING,
    QUIET_DRAW,
    SET,
    SQUARES,
    START,
    TO_WIN,
    colour_of,
    height,
    move_of,
    pyramid,
)


def fields(players: int) -> tuple[Field, ...]:
    told = (
        Field("colour", (len(COLOURS),)),  # one's own
        Field("turn", (players,)),
        Field("quiet", (1,), QUIET_DRAW),
        Field("home", (players,), SET),
        Field("column", (len(SQUARES), SET, players)),
    )
    above = SET * (players - 2)  # where a column is highest, one colour goes home
    return (*told, Field("above", (len(SQUARES), above), players)) if above else told


def actions(players: int) -> list[int]:
    columns = {move_of(square, 0) for square in range(len(SQUARES))}
    counts = range(1, MOST_FROM_START + 1)
    return sorted(columns | {move_of(start, n) for start in START for n in counts} | {PASSING})


def longest(players: int) -> int:
    """Each pyramid home begins so many quiet moves at most, and four of a colour do not win."""
    return QUIET_DRAW * ((TO_WIN - 1) * players + 1)


@kernel
def observe(s: State, seat: int, out: Bytes) -> None:
    out[colour_of(s, seat)] = 1
    at = len(COLOURS)
    out[at + (s.turn - seat) % s.players] = 1
    at += s.players
    out[at] = s.quiet
    at += 1
    for turns in range(s.players):
        out[at] = s.home[colour_of(s, (seat + turns) % s.players)]
        at += 1
    above = at + len(SQUARES) * SET * s.players
    for square in range(len(SQUARES)):
        for level in range(height(s, square)):
            owner = (pyramid(s, square, level) - s.first_colour) // s.stride
            turns = (owner - seat) % s.players
            if level < SET:
                out[at + level * s.players + turns] = 1
            else:
                out[above + level - SET] = turns + 1
        at += SET * s.players
        above += SET * (s.players - 2)
