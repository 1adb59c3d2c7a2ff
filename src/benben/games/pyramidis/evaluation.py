"""Pyramidis for bots: a glance at how far each colour has come, and features to learn from."""

import math

import numpy as np

from benben.core.bits import lowest
from benben.core.kernel import Floats, Ints, State, kernel
from benben.games.pyramidis.rules import (
    ARRIVAL,
    COLOURS,
    HEIGHT,
    NEXT,
    QUIET_DRAW,
    SET,
    SQUARES,
    TO_WIN,
    TOWER,
    TRACKS,
    colour_of,
    height,
    pyramid,
)

# ---- At a glance: how far each colour's pyramids have come. Who carries them is left out.

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


# ---- A hash: a word for each pyramid where it stands, one for each home, one for who is to move

_TALLEST = HEIGHT // 2
_words = np.random.default_rng(1988)


def _draw(*shape: int) -> Ints:
    return _words.integers(-(2**63), 2**63 - 1, shape)


PYRAMID_WORDS = _draw(len(SQUARES), _TALLEST, len(COLOURS))
HOME_WORDS = _draw(len(COLOURS), SET + 1)
TURN_WORDS = _draw(len(COLOURS))
# Quiet moves matter only when they are near to ending the game: what was found to win might not
# come in time.
QUIET_WORDS = _draw(QUIET_DRAW + 1)
QUIET_WORDS[: QUIET_DRAW - 40] = 0


@kernel
def key(s: State) -> int:
    word = TURN_WORDS[s.turn] ^ QUIET_WORDS[s.quiet]
    for colour in range(len(COLOURS)):
        word ^= HOME_WORDS[colour, s.home[colour]]
    squares = s.occupied
    while squares:
        square = lowest(squares)
        squares &= squares - 1
        column = s.column[square]
        for level in range(column >> HEIGHT):
            word ^= PYRAMID_WORDS[square, level, column >> 2 * level & 3]
    return word


# ---- Features: what stands on each square, who is home, whose turn it is


@kernel
def features(s: State, seat: int, out: Ints) -> int:
    """Those of any seat, to move or not: features say whose turn it is."""
    if s.players == 2:
        return _features_for_two(s, seat, out)
    return _features_for_four(s, seat, out)


# Of two. Squares are numbered along the seat's own track, so that both see the same game; what
# stands there is read as own and other, bottom first. Only start and arrival squares hold more
# than a tower, and then of one colour, which the square tells.
_CONTENTS = (2 << TOWER) - 2 + SET - TOWER
_HOMES_OF_TWO = len(TRACKS[0]) * _CONTENTS
_WAITING = _HOMES_OF_TWO + TO_WIN * TO_WIN
_OF_TWO = _WAITING + 1

PLACE = np.array(
    [[track.index(square) if square in track else 0 for square in SQUARES] for track in TRACKS]
)
# Of the pyramids of a column, which are of the two higher colours: every second bit.
HIGHER = np.array(
    [sum((word >> 2 * i + 1 & 1) << i for i in range(TOWER)) for word in range(1 << 2 * TOWER)]
)


@kernel
def _features_for_two(s: State, seat: int, out: Ints) -> int:
    own = colour_of(s, seat)
    n = 0
    squares = s.occupied
    while squares:
        square = lowest(squares)
        squares &= squares - 1
        out[n] = PLACE[own, square] * _CONTENTS + _content(s.column[square], own >> 1)
        n += 1
    own_home, other_home = min(s.home[own], TO_WIN - 1), min(s.home[own ^ 2], TO_WIN - 1)
    out[n] = _HOMES_OF_TWO + own_home * TO_WIN + other_home
    n += 1
    if s.turn != seat:
        out[n] = _WAITING
        n += 1
    return n


@kernel
def _content(column: int, own: int) -> int:
    """The number of what stands in a column of own and other pyramids."""
    tall = column >> HEIGHT
    if tall > TOWER:
        return (2 << TOWER) - 2 + tall - TOWER - 1
    whole = (1 << tall) - 1
    return whole - 1 + (HIGHER[column & (1 << 2 * TOWER) - 1] ^ (whole if own else 0))


# Of four. In the mirror along the diagonal from a8 to h1, brown and cream have each other's tracks,
# and so have turquoise and mustard: the upper two seats see the board so, and have features in
# common with the lower two. Only turns go the other way round there, so each seat sees for itself
# whose turn it is. A column is told by its height and the two pyramids on top, and by the next
# three below.
_CROWNS = 4 + TOWER * 16
_BODIES = 4 + 16 + 64
_COLUMNS = len(SQUARES) * (_CROWNS + _BODIES)
_OF_SEAT = _COLUMNS + len(COLOURS) * TO_WIN
_TURNS = 2 * _OF_SEAT
_OF_FOUR = _TURNS + len(COLOURS) * len(COLOURS)


def _mirrored(square: str) -> str:
    return f"{'hgfedcba'[int(square[1]) - 1]}{8 - 'abcdefgh'.index(square[0])}"


MIRROR = np.array([range(len(SQUARES)), [SQUARES.index(_mirrored(square)) for square in SQUARES]])

FEATURES = max(_OF_TWO, _OF_FOUR)
MOST_FEATURES = 40


@kernel
def _features_for_four(s: State, seat: int, out: Ints) -> int:
    mirrored = seat >> 1
    exchange = 3 * mirrored  # what a colour is exchanged by: 0 with 3, 1 with 2
    first = (seat ^ exchange) * _OF_SEAT
    n = 0
    squares = s.occupied
    while squares:
        square = lowest(squares)
        squares &= squares - 1
        column = s.column[square]
        tall = column >> HEIGHT
        at = first + MIRROR[mirrored, square] * (_CROWNS + _BODIES)
        if tall == 1:
            out[n] = at + (column & 3 ^ exchange)
            n += 1
            continue
        crown = column >> 2 * (tall - 2) & 15 ^ 5 * exchange
        out[n] = at + 4 + (min(tall, TOWER + 1) - 2) * 16 + crown
        n += 1
        if tall > 2:
            below = min(tall - 2, 3)
            every = (1 << 2 * below) - 1
            body = column >> 2 * (tall - 2 - below) & every ^ (every if mirrored else 0)
            out[n] = at + _CROWNS + (every - 3) // 3 + body
            n += 1
    for colour in range(len(COLOURS)):
        home = min(s.home[colour], TO_WIN - 1)
        out[n] = first + _COLUMNS + (colour ^ exchange) * TO_WIN + home
        n += 1
    out[n] = _TURNS + seat * len(COLOURS) + s.turn
    return n + 1
