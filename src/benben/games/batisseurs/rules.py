"""Bâtisseurs, for 2 to 4 players: be the first to finish a pyramid of 21 blocks.

Source: an untitled French sheet, a game by Hartmut Kommerell; the title is ours.
Rulings are numbered as in the rulebook beside this file.
Left out: the youngest player, who begins by the sheet, is seat 1 here (Ruling 5).
"""

from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np

from benben.core.bits import count, lowest, nth
from benben.core.kernel import Floats, Ints, Log, State, copy_all, kernel, record
from benben.core.random import Random, below
from benben.core.rules import (
    CHANCE,
    LEGAL,
    OPTION,
    OVER,
    PLAYERS,
    first_bound,
    first_seat,
    next_seat,
    note,
)

# ---- Data

VERSION = 1
ROWS = "abcdef"  # bottom to top, 6 places to 1; each row has its colour, and each die its six faces
DICE = 6
ALL, FREE = 0, 1  # Ruling 3
MOST_MOVES = 462  # throws of six dice

# A board is a set of bits, eight to a row; dice are counts of faces, eight bits to a row too:
#
#     row   f  e  d  c  b  a        bit of b3: 8 + 2
#     bit  40 32 24 16  8  0
ROW = 8
BLOCKS = [ROW * row + i for row in range(6) for i in range(6 - row)]
PYRAMID = sum(1 << bit for bit in BLOCKS)
BASE = 0b111111

STATE = record(
    ("players", np.int64),
    ("placing", np.int64),
    ("turn", np.int64),
    ("left", np.int64),  # dice not yet used this turn
    ("placed", np.int64),  # blocks placed since the last throw
    ("won", np.int64, 4),  # each seat's blocks with the plain side up
    ("dots", np.int64),  # blocks of the seat in turn with the white dot up
    ("dice", np.int64),  # faces on the table not yet used; 0 when a throw is due
)

# The throws of 1 to 6 dice and the ways each can fall; those of n dice begin at FIRST_OF[n].
_THROWS = [dice for n in range(DICE) for dice in combinations_with_replacement(range(6), n + 1)]
THROWS = np.array([sum(1 << ROW * face for face in throw) for throw in _THROWS])
WAYS = np.array(
    [
        factorial(len(throw)) // prod(factorial(throw.count(face)) for face in range(6))
        for throw in _THROWS
    ]
)
FIRST_OF = np.array([0, *(sum(len(t) < n for t in _THROWS) for n in range(1, DICE + 2))])

# A move is the bit of a place, ROLL or STOP; a throw is THROW and its dice.
ROLL, STOP, THROW = 48, 49, 1 << 50

TABLE = 4 * 48  # the drawing: four boards, then the dice on the table
PLACES = (
    *(f"{seat + 1}:{ROWS[bit // ROW]}{bit % ROW + 1}" for seat in range(4) for bit in range(48)),
    "dice",
)
PIECES = ROWS + "ox"
DOT, PLAIN = 6, 7
EFFECTS = ("die", "use", "place", "gather", "bust", "lose", "win")
DIE, USE, PLACE, GATHER, BUST, LOSE, WIN = range(7)
REASONS = ("complete",)
REFUSALS = (
    ("", ""),
    ("game-over", "a pyramid is finished"),
    ("throw-due", "the dice must be thrown first"),
    ("no-throw-due", "the dice have been thrown: place a block, roll or stop"),
    ("wrong-dice", "all dice not yet used are thrown, neither more nor fewer"),
    ("place-taken", "there is a block on {place} already"),
    ("no-support", "{place} needs both blocks beneath it"),
    ("no-such-die", "no unused die shows the colour of {place}"),
    ("place-first", "a block must be placed from this throw first"),
    ("place-all", "an unused die can still place a block"),
)
_GAME_OVER, _THROW_DUE, _NO_THROW_DUE, _WRONG_DICE, _PLACE_TAKEN = range(1, 6)
_NO_SUPPORT, _NO_SUCH_DIE, _PLACE_FIRST, _PLACE_ALL = range(6, 10)


# ---- Set-up


@kernel
def bounds(s: State, options: Ints, out: Ints) -> int:
    """Only the first player is drawn, if the table's maker wants it (Ruling 5)."""
    return first_bound(options, out, 0)


@kernel
def deal(s: State, options: Ints, draws: Ints) -> None:
    s.players, s.placing, s.left = options[PLAYERS], options[OPTION], DICE
    s.turn = first_seat(options, draws, 0)


# ---- Legal moves: places in the order of names, then roll, then stop


@kernel
def to_move(s: State) -> int:
    if _blocks(s) == PYRAMID:
        return OVER
    return CHANCE if s.dice == 0 else s.turn


@kernel
def moves(s: State, out: Ints) -> int:
    if to_move(s) < 0:
        return 0
    n = 0
    places = placeable(s)
    while places:
        out[n] = lowest(places)
        places &= places - 1
        n += 1
    if _may_end_placing(s):
        out[n] = ROLL
        out[n + 1] = STOP
        n += 2
    return n


@kernel
def random_move(s: State, random: Random) -> int:
    places = placeable(s)
    n = count(places)
    drawn = below(random, n + 2 if _may_end_placing(s) else n)
    return nth(places, drawn) if drawn < n else ROLL + drawn - n


@kernel
def forbids(s: State, move: int) -> int:
    turn = to_move(s)
    if turn == OVER:
        return _GAME_OVER
    if move >= THROW:
        if turn != CHANCE:
            return _NO_THROW_DUE
        return LEGAL if _number_of(move - THROW) == s.left else _WRONG_DICE
    if turn == CHANCE:
        return _THROW_DUE
    if move in (ROLL, STOP):
        if s.placed == 0:
            return _PLACE_FIRST
        return LEGAL if _may_end_placing(s) else _PLACE_ALL
    if _blocks(s) >> move & 1:
        return _PLACE_TAKEN
    if not open_places(_blocks(s)) >> move & 1:
        return _NO_SUPPORT
    return LEGAL if placeable(s) >> move & 1 else _NO_SUCH_DIE


@kernel
def chance(s: State, out: Ints, weights: Ints) -> int:
    """Every face is equally likely (Ruling 1), so a throw weighs the ways it can fall."""
    if to_move(s) != CHANCE:
        return 0
    start = FIRST_OF[s.left]
    n = FIRST_OF[s.left + 1] - start
    for i in range(n):
        out[i] = THROW + THROWS[start + i]
        weights[i] = WAYS[start + i]
    return n


@kernel
def throw(s: State, random: Random) -> int:
    """All dice in one draw, a digit in base six each."""
    drawn = below(random, 6**s.left)
    dice = 0
    for _ in range(s.left):
        dice += 1 << ROW * (drawn % 6)
        drawn //= 6
    return THROW + dice


# ---- Play


@kernel
def play(s: State, move: int, log: Log) -> None:
    if move >= THROW:
        _throw(s, move - THROW, log)
    elif move == ROLL:
        _gather(s, log)
    elif move == STOP:
        _stop(s, log)
    else:
        _place(s, move, log)


@kernel
def _throw(s: State, dice: int, log: Log) -> None:
    s.dice = dice
    _note_dice(dice, -1, TABLE, DIE, s.turn, log)
    if placeable(s) == 0:
        note(log, BUST, -1, -1, -1, s.turn)
        _note_blocks(s, LOSE, log)
        _next_turn(s, log)


@kernel
def _place(s: State, place: int, log: Log) -> None:
    """A block with the white dot up, for one die of its row's colour."""
    face = place // ROW
    note(log, USE, TABLE, -1, face, s.turn)
    note(log, PLACE, -1, 48 * s.turn + place, DOT, s.turn)
    s.dots |= 1 << place
    s.dice -= 1 << ROW * face
    s.left -= 1
    s.placed += 1
    if s.left == 0 and _blocks(s) != PYRAMID:  # Ruling 6 comes before Ruling 4
        _stop(s, log)


@kernel
def _stop(s: State, log: Log) -> None:
    _note_blocks(s, WIN, log)
    s.won[s.turn] |= s.dots
    _next_turn(s, log)


@kernel
def _next_turn(s: State, log: Log) -> None:
    _gather(s, log)
    s.dots = 0
    s.left = DICE
    s.turn = next_seat(s)


@kernel
def _gather(s: State, log: Log) -> None:
    """Take up the unused dice; a throw is due."""
    _note_dice(s.dice, TABLE, -1, GATHER, s.turn, log)
    s.dice = 0
    s.placed = 0


# ---- Result


@kernel
def outcome(s: State, shares: Floats) -> int:
    """The pyramid is finished at once, white dots included (Ruling 6)."""
    for seat in range(s.players):
        shares[seat] = 1.0 if seat == s.turn else 0.0
    return 0


# ---- View


@kernel
def view(s: State, seat: int, v: State) -> None:
    """Nothing is hidden."""
    v.players, v.placing = s.players, s.placing
    v.turn, v.left, v.placed = s.turn, s.left, s.placed
    copy_all(s.won, v.won)
    v.dots, v.dice = s.dots, s.dice


# ---- Helpers

_LOW_BITS = sum(1 << ROW * row for row in range(6))
ROW_BITS = (1 << ROW) - 1
_CARRY = (_LOW_BITS << ROW - 1) - _LOW_BITS  # 127 in every row: added to a count, it sets bit 7


@kernel
def _blocks(s: State) -> int:
    return s.won[s.turn] | s.dots


@kernel
def placeable(s: State) -> int:
    """Where an unused die can place a block."""
    return open_places(_blocks(s)) & _rows_shown(s.dice)


@kernel
def open_places(blocks: int) -> int:
    return (carried(blocks) | BASE) & ~blocks


@kernel
def carried(blocks: int) -> int:
    """The places that have both blocks beneath, won or not (Ruling 2)."""
    return (blocks & blocks >> 1) << ROW & PYRAMID


@kernel
def _rows_shown(dice: int) -> int:
    """All bits of every row whose colour a die shows."""
    return (dice + _CARRY >> ROW - 1 & _LOW_BITS) * ROW_BITS


@kernel
def _may_end_placing(s: State) -> bool:
    """Ruling 3: after one block, when nothing more can be placed or the placing is free."""
    return bool(s.placed > 0 and (s.placing == FREE or placeable(s) == 0))


@kernel
def _number_of(dice: int) -> int:
    n = 0
    while dice:
        n += dice & ROW_BITS
        dice >>= ROW
    return n


@kernel
def _note_dice(dice: int, source: int, target: int, kind: int, owner: int, log: Log) -> None:
    if log is not None:
        for face in range(6):
            for _ in range(dice >> ROW * face & ROW_BITS):
                note(log, kind, source, target, face, owner)


@kernel
def _note_blocks(s: State, kind: int, log: Log) -> None:
    """The blocks with a white dot: turned to their plain side, or lost."""
    if log is not None:
        dots = s.dots
        while dots:
            place = 48 * s.turn + lowest(dots)
            dots &= dots - 1
            if kind == WIN:
                note(log, WIN, place, place, PLAIN, s.turn)
            else:
                note(log, LOSE, place, -1, DOT, s.turn)
