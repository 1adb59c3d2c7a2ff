"""Objectif for programs that learn: all a view shows, as small numbers.

`goal` is known of oneself only, until the game is over. A place is told from what it shows
downwards: three levels by a one in the row of their colour, those below by the colour's number.
"""

from benben.core.kernel import Bytes, State, kernel
from benben.core.observation import Field
from benben.games.objectif.rules import CASES, COLOURS, PIECES_EACH, held, move_of

TOP = 3  # levels told by ones and zeros


def fields(players: int) -> tuple[Field, ...]:
    places, pieces, colours = _places(players), PIECES_EACH * (players + 2), len(COLOURS)
    return (
        Field("goal", (players, colours)),
        Field("colours", (colours,)),  # those in the game
        Field("turn", (players,)),
        Field("left", (1,), pieces),  # Pièces that all together have
        Field("stock", (players, colours), PIECES_EACH),
        Field("top", (places, TOP, colours)),
        Field("beneath", (places, pieces + 1 - TOP), colours),
    )


def actions(players: int) -> list[int]:
    colours = range(1, len(COLOURS) + 1)
    return [move_of(colour, place) for colour in colours for place in range(_places(players))]


def longest(players: int) -> int:
    return PIECES_EACH * (players + 2)


def _places(players: int) -> int:
    return CASES * (players + 2)


@kernel
def observe(s: State, seat: int, out: Bytes) -> None:
    colours = len(COLOURS)
    at = 0
    for turns in range(s.players):
        goal = s.goal[(seat + turns) % s.players]
        if goal > 0:
            out[at + goal - 1] = 1
        at += colours
    for colour in range(1, colours + 1):
        out[at] = s.colours >> colour & 1
        at += 1
    out[at + (s.turn - seat) % s.players] = 1
    at += s.players
    out[at] = s.left
    at += 1
    for turns in range(s.players):
        stock = s.stock[(seat + turns) % s.players]
        for colour in range(1, colours + 1):
            out[at] = held(stock, colour)
            at += 1
    beneath = at + s.places * TOP * colours
    levels = PIECES_EACH * (s.players + 2) + 1 - TOP
    for place in range(s.places):
        level = 0
        for word in (s.pile[place], s.deep[place]):
            while word:
                colour = word & 7
                if level < TOP:
                    out[at + level * colours + colour - 1] = 1
                else:
                    out[beneath + level - TOP] = colour
                word >>= 3
                level += 1
        at += TOP * colours
        beneath += levels
