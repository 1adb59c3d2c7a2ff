"""Quadrille for bots: a glance, a hash, features to learn from, and which moves to try first."""

from itertools import accumulate

import numpy as np

from benben.core.bits import count, lowest
from benben.core.kernel import Ints, State, kernel
from benben.games.quadrille.rules import (
    FILES,
    NEAR,
    NONE,
    PAWN,
    PLACE_FROM,
    QUIET_DRAW,
    RANKS,
    SQUARES,
    STEP_FROM,
    TOKEN,
    open_to,
)

# ---- At a glance: the steps a side can make against those its opponent can


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


# ---- A hash

_START, _FACTOR = 0x1F0E1D2C3B4A5968, 1_073_741_789
_HALF, _LOW = 32, (1 << 32) - 1
_QUIET = QUIET_DRAW - 30


@kernel
def key(s: State) -> int:
    word = _START
    for layer in (s.top, s.low):  # three words tell what lies on each square
        word = _mix(word, layer[0] | layer[1])
        word = _mix(word, layer[0] | layer[2])
        word = _mix(word, layer[3])
    word = _mix(word, s.pawns[0])
    rest = s.turn | s.phase << 1 | s.hand - NONE << 3 | s.gift - NONE << 6
    word = _mix(word, s.pawns[1] | rest << len(SQUARES))
    # Quiet steps matter only when they are near to ending the game: what was found to win might
    # not come in time.
    return _mix(_mix(word, max(0, s.quiet - _QUIET)), 0)


@kernel
def _mix(word: int, more: int) -> int:
    """Multiply with carry: stays below 2^62, so that it is the same in plain Python."""
    word ^= more
    return (word & _LOW) * _FACTOR + (word >> _HALF)


# ---- Squares around squares

_ALL = (1 << len(SQUARES)) - 1
_LOWEST_RANK = sum(1 << square for square in range(0, len(SQUARES), len(RANKS)))
_NOT_LOWEST = _ALL & ~_LOWEST_RANK
_NOT_HIGHEST = _ALL & ~(_LOWEST_RANK << len(RANKS) - 1)


@kernel
def _widened(squares: int) -> int:
    """A set of squares and all around them."""
    wide = squares | squares << 1 & _NOT_LOWEST | squares >> 1 & _NOT_HIGHEST
    return (wide | wide << len(RANKS) | wide >> len(RANKS)) & _ALL


@kernel
def _region(squares: int, within: int) -> int:
    """All that can be walked to from a set of squares."""
    wider = _widened(squares) & within
    while wider != squares:
        squares = wider
        wider = _widened(squares) & within
    return squares


# Two steps away, and where a square lies if the board is folded to a quarter.
NEXT_BUT_ONE = np.array(
    [
        sum(1 << i for i in range(48) if max(abs(i // 6 - q // 6), abs(i % 6 - q % 6)) == 2)
        for q in range(48)
    ]
)
FOLDED = np.array([3 * min(q // 6, 7 - q // 6) + min(q % 6, 5 - q % 6) for q in range(48)])
_QUARTER = len(FILES) * len(RANKS) // 4

# ---- Features

# Numbers up to 128 by their size: the larger, the less a difference matters.
_TOP = 128
SPAN = np.array(
    [
        n if n < 8 else 4 * (n.bit_length() - 2) + (n >> n.bit_length() - 3) % 4
        for n in range(_TOP + 1)
    ]
)
_SPANS = int(SPAN[-1]) + 1

# How many there are of each group; those of sides and pawns come once for each of them.
_SIZES = (
    3 * 4,  # the phase, and who controls the colour in hand
    4,  # who controls the colour on its way
    25,  # pairs of single tokens left
    9,  # how many colours each side controls
    2 * _QUARTER,  # while pawns are put: where they stand
    4 * _QUARTER,  # each pawn: where it stands
    4 * 81,  # the squares around it that have tokens, and how many it can step on
    4 * 4 * 17,  # the squares around those that have tokens
    4 * _SPANS,  # the ways to make two steps, colours as they are
    4 * _SPANS,  # and if all were free
    2 * 16,  # each side: its steps
    2 * _SPANS,  # the ways to make two steps
    2 * _SPANS,  # and if all colours were free
    2 * 10,  # the squares around its pawns whose colours it controls itself
    2 * 10,  # those whose colours its opponent controls
    2 * 10,  # those of colours nobody controls
    2 * 5 * 8,  # how many colours these have, and how many of them are open
    2 * 36,  # how many are of the two rarest colours
    2 * 12,  # doubles within two steps
    2 * 24,  # squares open within two steps
    2 * 24,  # squares within three steps, open or not
    2 * 24,  # all squares open to it, one after the other
    2 * 32,  # the tokens on those
    2 * 32,  # pairs of tokens that it could reach if all colours were free
    25,  # how many more tokens are open to the one than to the other
    25,  # how many more pairs it could reach
)
_ENDS = tuple(accumulate(_SIZES))
_HAND, _GIFT, _SINGLES, _CONTROL, _PUT, _STANDS, _AROUND, _BEYOND, _WAYS, _FREE_WAYS = 0, *_ENDS[:9]
_STEPS, _ALL_WAYS, _ALL_FREE_WAYS, _OWN, _OTHER, _NOBODYS, _COLOURS, _RAREST = _ENDS[9:17]
_DOUBLES, _TWO_STEPS, _THREE_STEPS, _OPEN, _OPEN_TOKENS, _TOKENS = _ENDS[17:23]
_OPEN_LEAD, _LEAD = _ENDS[23:25]

FEATURES = _ENDS[-1]
MOST_FEATURES = 56


@kernel
def features(s: State, seat: int, out: Ints) -> int:
    """What each side has around its pawns and farther off. Only for the seat to move.

    Colours are told apart by who controls them, and places by how far they are from the edges, so
    that boards that are alike look alike.
    """
    own, other = s.pawns[seat], s.pawns[1 - seat]
    out[0] = _HAND + 4 * s.phase + _controller(s, s.hand, own, other)
    if s.phase == PAWN:
        return _stand(other, _PUT + _QUARTER, out, _stand(own, _PUT, out, 1))
    tokens, doubles = 0, 0
    for colour in range(4):
        tokens |= s.top[colour]
        doubles |= s.low[colour]
    tokens &= ~(own | other)
    doubles &= tokens
    out[1] = _GIFT + _controller(s, s.gift, own, other)
    out[2] = _SINGLES + min(count(tokens & ~doubles) // 2, 24)
    out[3] = _CONTROL + 3 * _controlled(s, own) + _controlled(s, other)
    n, tokens_own, open_own = _side(s, 0, own, tokens, doubles, open_to(s, seat), out, 4)
    n, tokens_other, open_other = _side(s, 1, other, tokens, doubles, open_to(s, 1 - seat), out, n)
    out[n] = _OPEN_LEAD + 12 + max(-12, min(12, open_own - open_other))
    out[n + 1] = _LEAD + 12 + max(-12, min(12, (tokens_own - tokens_other) // 2))
    return n + 2


@kernel
def _controller(s: State, colour: int, own: int, other: int) -> int:
    """0 for no colour, 1 one's own, 2 the other's, 3 nobody's."""
    if colour == NONE:
        return 0
    if s.top[colour] & own:
        return 1
    return 2 if s.top[colour] & other else 3


@kernel
def _controlled(s: State, pawns: int) -> int:
    """How many colours: one or two."""
    colours = 0
    for colour in range(4):
        if s.top[colour] & pawns:
            colours += 1
    return colours


@kernel
def _stand(pawns: int, base: int, out: Ints, n: int) -> int:
    while pawns:
        out[n] = base + FOLDED[lowest(pawns)]
        pawns &= pawns - 1
        n += 1
    return n


@kernel
def _side(
    s: State, side: int, pawns: int, tokens: int, doubles: int, open_squares: int, out: Ints, n: int
) -> tuple[int, int, int]:
    """The features of a side; how many there are now, and the tokens it could reach and can."""
    first, second = _by_room(pawns, tokens, open_squares)
    steps, ways, free_ways = _pawn(2 * side, first, tokens, open_squares, out, n)
    more_steps, more_ways, more_free_ways = _pawn(
        2 * side + 1, second, tokens, open_squares, out, n + 5
    )
    out[n + 10] = _STEPS + 16 * side + min(steps + more_steps, 15)
    out[n + 11] = _ALL_WAYS + _SPANS * side + SPAN[min(ways + more_ways, _TOP)]
    out[n + 12] = _ALL_FREE_WAYS + _SPANS * side + SPAN[min(free_ways + more_free_ways, _TOP)]
    around = (NEAR[first] | NEAR[second]) & tokens
    _colours(s, side, pawns, around, count(around & open_squares), out, n + 13)
    two_steps = _widened(around) & tokens
    three_steps = _widened(two_steps) & tokens
    out[n + 18] = _DOUBLES + 12 * side + min(count(two_steps & doubles), 11)
    out[n + 19] = _THREE_STEPS + 24 * side + min(count(three_steps), 23)
    reach = _region(three_steps, tokens)
    could = count(reach) + count(reach & doubles)
    out[n + 20] = _TOKENS + 32 * side + min(could // 2, 31)
    reach = _widened(around & open_squares) & open_squares
    out[n + 21] = _TWO_STEPS + 24 * side + min(count(reach), 23)
    reach = _region(reach, open_squares)
    can = count(reach) + count(reach & doubles)
    out[n + 22] = _OPEN + 24 * side + min(count(reach), 23)
    out[n + 23] = _OPEN_TOKENS + 32 * side + min(can, 31)
    return n + 24, could, can


@kernel
def _by_room(pawns: int, tokens: int, open_squares: int) -> tuple[int, int]:
    """The pawn with less around it first."""
    first, second = lowest(pawns), lowest(pawns & pawns - 1)
    more = count(NEAR[first] & tokens) - count(NEAR[second] & tokens)
    if more == 0:
        more = count(NEAR[first] & open_squares) - count(NEAR[second] & open_squares)
    if more == 0:
        more = _rank(first, tokens, open_squares) - _rank(second, tokens, open_squares)
    return (second, first) if more > 0 else (first, second)


@kernel
def _rank(square: int, tokens: int, open_squares: int) -> int:
    """A number that is equal for two pawns with as many steps only if all their features are."""
    ways, free_ways = _ways(square, open_squares), _ways(square, tokens)
    return 17 * (_QUARTER * ((_TOP + 1) * free_ways + ways) + FOLDED[square]) + _beyond(
        square, tokens
    )


@kernel
def _beyond(square: int, tokens: int) -> int:
    """How many squares next to those around it have tokens."""
    return count(_widened(NEAR[square] & tokens) & NEXT_BUT_ONE[square] & tokens)


@kernel
def _pawn(
    which: int, square: int, tokens: int, open_squares: int, out: Ints, n: int
) -> tuple[int, int, int]:
    """The five features of a pawn; its steps, its ways to make two, and those if all were free."""
    around = NEAR[square] & tokens
    room, steps = count(around), count(around & open_squares)
    ways, free_ways = _ways(square, open_squares), _ways(square, tokens)
    out[n] = _STANDS + _QUARTER * which + FOLDED[square]
    out[n + 1] = _AROUND + 81 * which + 9 * room + steps
    out[n + 2] = _BEYOND + 17 * (4 * which + min(room, 3)) + _beyond(square, tokens)
    out[n + 3] = _WAYS + _SPANS * which + SPAN[ways]
    out[n + 4] = _FREE_WAYS + _SPANS * which + SPAN[free_ways]
    return steps, ways, free_ways


@kernel
def _ways(square: int, within: int) -> int:
    """How many ways there are to make two steps."""
    ways = 0
    first = NEAR[square] & within
    while first:
        ways += count(NEAR[lowest(first)] & within)
        first &= first - 1
    return ways


@kernel
def _colours(
    s: State, side: int, pawns: int, around: int, open_around: int, out: Ints, n: int
) -> None:
    """The five features of the colours around a side's pawns."""
    own, colours, rarest, rare = 0, 0, 48, 48
    for colour in range(4):
        squares = count(s.top[colour] & around)
        if s.top[colour] & pawns:
            own += squares
        if squares:
            colours += 1
        if squares < rarest:
            rarest, rare = squares, rarest
        elif squares < rare:
            rare = squares
    out[n] = _OWN + 10 * side + min(own, 9)
    out[n + 1] = _OTHER + 10 * side + min(count(around) - open_around, 9)
    out[n + 2] = _NOBODYS + 10 * side + min(open_around - own, 9)
    out[n + 3] = _COLOURS + 8 * (5 * side + colours) + min(open_around, 7)
    out[n + 4] = _RAREST + 6 * (6 * side + min(rarest, 5)) + min(rare, 5)


# ---- Which moves to try first

_FAR = -1


@kernel
def order(s: State, move: int) -> int:
    """Steps to where there is room; tokens that shut a square to the opponent, or open one.

    A token that lands where no pawn can be in two steps is hardly ever worth a look: less than 0.
    """
    if s.phase == PAWN:
        return count(NEAR[move])
    own, other = s.pawns[s.turn], s.pawns[1 - s.turn]
    if s.phase == TOKEN:
        return _order_of_token(s, move - PLACE_FROM, own, other)
    start, end = (move - STEP_FROM) // 48, (move - STEP_FROM) % 48
    free = (s.top[0] | s.top[1] | s.top[2] | s.top[3]) & ~(own | other)
    return 8 + count(NEAR[end] & free) - count(NEAR[start] & free)


@kernel
def _order_of_token(s: State, square: int, own: int, other: int) -> int:
    near_own, near_other = count(NEAR[square] & own), count(NEAR[square] & other)
    if near_own + near_other == 0:
        return 0 if NEXT_BUT_ONE[square] & (own | other) else _FAR
    merit = 1
    bit = 1 << square
    shuts_other, shuts_own = s.top[s.hand] & own != 0, s.top[s.hand] & other != 0
    if open_to(s, 1 - s.turn) & bit:
        merit += 12 * near_other * shuts_other
    elif not shuts_other:
        merit -= 3 * near_other
    if open_to(s, s.turn) & bit:
        merit += near_own * (-6 if shuts_own else 3)
    elif not shuts_own:
        merit += 6 * near_own
    return max(merit, 0)
