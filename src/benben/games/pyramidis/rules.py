"""Pyramidis, for 2 or 4 players: be the first to bring five pyramids home.

Source: the French sheet of Pyramidis. Published descriptions name Roland Siegers as its author.
Rulings are numbered as in the rulebook beside this file.
Left out: nothing. The sheet's three names for turquoise are one colour.
"""

import numpy as np

from benben.core.bits import count, lowest, nth
from benben.core.kernel import Floats, Ints, Log, State, copy_all, kernel, record
from benben.core.random import Random, below
from benben.core.rules import LEGAL, OPTION, OVER, PLAYERS, first_bound, first_seat, next_seat, note

# ---- Data

VERSION = 1
COLOURS = "btmc"  # brown (wings), turquoise (scarab), mustard (jackal), cream (eye): 0 to 3 below
SET = 8  # pyramids of a colour
TO_WIN, TOWER, MOST_FROM_START = 5, 5, 5
QUIET_DRAW = 100  # Ruling 9
MOST_MOVES = 40

# Ruling 1: two strips of 2 × 8 squares cross. Squares are numbered in the order of their names.
CROSS = """
         d8 e8
         d7 e7
         d6 e6
a5 b5 c5 d5 e5 f5 g5 h5
a4 b4 c4 d4 e4 f4 g4 h4
         d3 e3
         d2 e2
         d1 e1
"""
SQUARES = tuple(sorted(CROSS.split()))
TRACKS = (  # each colour's 16 squares, from its start to its arrival
    "d1 d2 d3 d4 d5 d6 d7 d8 e8 e7 e6 e5 e4 e3 e2 e1".split(),
    "a5 b5 c5 d5 e5 f5 g5 h5 h4 g4 f4 e4 d4 c4 b4 a4".split(),
    "d8 d7 d6 d5 d4 d3 d2 d1 e1 e2 e3 e4 e5 e6 e7 e8".split(),
    "h5 g5 f5 e5 d5 c5 b5 a5 a4 b4 c4 d4 e4 f4 g4 h4".split(),
)
START = np.array([SQUARES.index(track[0]) for track in TRACKS])
ARRIVAL = np.array([SQUARES.index(track[-1]) for track in TRACKS])
# Where each colour goes on to: along its track or, off it, straight to the centre.
_INWARD = str.maketrans("abcfgh123678", "bcdefg234567")
_WAYS = [{square: track[i] for i, square in enumerate(track[:-1], 1)} for track in TRACKS]
NEXT = np.array(
    [
        [SQUARES.index(way.get(square, square.translate(_INWARD))) for square in SQUARES]
        for way in _WAYS
    ]
)
# The squares of each colour's own track, as a set of bits.
OWN_TRACK = np.array([sum(1 << SQUARES.index(square) for square in track) for track in TRACKS])

HEIGHT = 48
STATE = record(
    ("first_colour", np.int64),  # seat 0's colour …
    ("stride", np.int64),  # … and the way from one seat's colour to the next
    ("players", np.int64),
    ("turn", np.int64),
    ("quiet", np.int64),  # moves since a pyramid last came home
    ("home", np.int16, 4),  # pyramids home, by colour
    # A column: its height from bit HEIGHT, its pyramids from bit 0, bottom first, 2 bits each. 24
    # fit, and no square ever holds more: a colour's own never stay on its arrival square.
    ("column", np.int64, len(SQUARES)),
    # What is on top where, as sets of squares: any pyramid, turquoise or cream, mustard or cream.
    ("occupied", np.int64),
    ("top_odd", np.int64),
    ("top_high", np.int64),
)

# A move is the square from bit 4 and, below, how many are taken (0: the whole column).
PASSING = len(SQUARES) << 4

HAND, HOME = len(SQUARES), len(SQUARES) + 1
PLACES = (*SQUARES, "hand", *(f"home:{colour}" for colour in COLOURS))
PIECES = COLOURS
EFFECTS = ("stray", "lift", "drop", "jump", "arrive", "home", "leave", "pass")
STRAY, LIFT, DROP, JUMP, ARRIVE, GO_HOME, LEAVE, PASS = range(8)
REASONS = ("five-home", "quiet")
REFUSALS = (
    ("", ""),
    ("game-over", "the game is over"),
    ("must-not-pass", "you may pass only if you control no column"),
    ("off-board", "{square} is not on the board of these two players"),
    ("empty-square", "there is no pyramid on {square}"),
    ("not-your-column", "the column on {square} does not have your colour on top"),
    ("whole-column", "you choose how many only on your own start square; write {square}"),
    ("count-needed", "on your own start square, say how many: {square}*1, for example"),
    ("at-most-five", "at most five may be taken from the start square"),
    ("not-so-many", "there are fewer than {count} pyramids on {square}"),
)
_GAME_OVER, _MUST_NOT_PASS, _OFF_BOARD, _EMPTY_SQUARE, _NOT_YOURS, _WHOLE_COLUMN = range(1, 7)
_COUNT_NEEDED, _AT_MOST_FIVE, _NOT_SO_MANY = range(7, 10)


# ---- Set-up


@kernel
def bounds(s: State, options: Ints, out: Ints) -> int:
    """Only the first player is drawn, if at all (Ruling 2)."""
    return first_bound(options, out, 0)


@kernel
def deal(s: State, options: Ints, draws: Ints) -> None:
    seat_players(s, options)
    for seat in range(s.players):
        colour = colour_of(s, seat)
        for _ in range(SET):
            _drop(s, START[colour], colour)
    s.turn = first_seat(options, draws, 0)


# ---- Legal moves: by square in the order of names, on the start square by count


@kernel
def to_move(s: State) -> int:
    if s.home[0] >= TO_WIN or s.home[1] >= TO_WIN or s.home[2] >= TO_WIN or s.home[3] >= TO_WIN:
        return OVER
    return OVER if s.quiet >= QUIET_DRAW else s.turn


@kernel
def moves(s: State, out: Ints) -> int:
    if to_move(s) == OVER:
        return 0
    colour = colour_of(s, s.turn)
    columns = _controlled(s, colour)
    if columns == 0:
        out[0] = PASSING
        return 1
    n = 0
    while columns:
        square = lowest(columns)
        columns &= columns - 1
        if square == START[colour]:
            for taken in range(1, min(height(s, square), MOST_FROM_START) + 1):
                out[n] = move_of(square, taken)
                n += 1
        else:
            out[n] = move_of(square, 0)
            n += 1
    return n


@kernel
def random_move(s: State, random: Random) -> int:
    """One of the columns away from the start square, or one of the counts on it."""
    colour = colour_of(s, s.turn)
    start, columns = START[colour], _controlled(s, colour)
    if columns == 0:
        return PASSING
    counts = 0
    if columns >> start & 1:
        columns ^= 1 << start
        counts = min(height(s, start), MOST_FROM_START)
    drawn = below(random, counts + count(columns))
    if drawn < counts:
        return move_of(start, drawn + 1)
    return move_of(nth(columns, drawn - counts), 0)


@kernel
def forbids(s: State, move: int) -> int:
    if to_move(s) == OVER:
        return _GAME_OVER
    colour = colour_of(s, s.turn)
    if move == PASSING:
        return _MUST_NOT_PASS if _controlled(s, colour) else LEGAL
    square, taken = _parts(move)
    if s.players == 2 and not OWN_TRACK[colour] >> square & 1:
        return _OFF_BOARD
    if s.column[square] == 0:
        return _EMPTY_SQUARE
    if not _controlled(s, colour) >> square & 1:
        return _NOT_YOURS
    if square != START[colour]:
        return _WHOLE_COLUMN if taken else LEGAL
    if taken == 0:
        return _COUNT_NEEDED
    if taken > MOST_FROM_START:
        return _AT_MOST_FIVE
    return _NOT_SO_MANY if taken > height(s, square) else LEGAL


# ---- Play


@kernel
def play(s: State, move: int, log: Log) -> None:
    s.quiet += 1
    if move == PASSING:
        note(log, PASS, -1, -1, -1, s.turn)
    else:
        _sow(s, move, colour_of(s, s.turn), log)
    s.turn = next_seat(s)


@kernel
def _sow(s: State, move: int, colour: int, log: Log) -> None:
    """Take a column and drop a pyramid a square, the bottom one first, until the hand is empty."""
    at, taken = _parts(move)
    if log is not None:
        _note_stray(s, at, colour, log)
    in_hand = taken if taken else height(s, at)
    hand = _lift(s, at, in_hand, log)
    while in_hand:
        if at != ARRIVAL[colour]:  # there all are unloaded, five or more (Ruling 6)
            at = NEXT[colour, at]
            if at == ARRIVAL[colour]:  # Ruling 5: never jumped
                note(log, ARRIVE, -1, at, -1, s.turn)
            elif height(s, at) >= TOWER:  # Ruling 4: towers on arrival squares too
                note(log, JUMP, -1, at, -1, s.turn)
                continue
        piece = hand & 3
        hand >>= 2
        in_hand -= 1
        if at == ARRIVAL[piece]:
            s.home[piece] += 1
            s.quiet = 0
            note(log, GO_HOME, HAND, HOME + piece, piece, _seat_of(s, piece))
        else:
            _drop(s, at, piece)
            note(log, LEAVE if at == ARRIVAL[colour] else DROP, HAND, at, piece, _seat_of(s, piece))


# ---- Result


@kernel
def outcome(s: State, shares: Floats) -> int:
    """Five home wins; two colours at once, and the mover's came last (Ruling 8)."""
    mover = (s.turn + s.players - 1) % s.players
    winner = -1
    for seat in range(s.players):
        if s.home[colour_of(s, seat)] >= TO_WIN and (winner < 0 or winner == mover):
            winner = seat
    for seat in range(s.players):
        shares[seat] = 1.0 / s.players if winner < 0 else seat == winner  # Ruling 9
    return 0 if winner >= 0 else 1


# ---- View


@kernel
def view(s: State, seat: int, v: State) -> None:
    """Nothing is hidden."""
    v.first_colour, v.stride, v.players = s.first_colour, s.stride, s.players
    v.turn, v.quiet = s.turn, s.quiet
    copy_all(s.home, v.home)
    copy_all(s.column, v.column)
    v.occupied, v.top_odd, v.top_high = s.occupied, s.top_odd, s.top_high


# ---- Helpers


@kernel
def seat_players(s: State, options: Ints) -> None:
    s.players = options[PLAYERS]
    s.first_colour = options[OPTION] if s.players == 2 else 0
    s.stride = 4 // s.players


@kernel
def colour_of(s: State, seat: int) -> int:
    return s.first_colour + s.stride * seat


@kernel
def _drop(s: State, square: int, colour: int) -> None:
    s.column[square] += (1 << HEIGHT) + (colour << 2 * height(s, square))
    _crown(s, square, colour)


@kernel
def _crown(s: State, square: int, colour: int) -> None:
    """This colour is on top there now."""
    s.occupied |= 1 << square
    s.top_odd = s.top_odd & ~(1 << square) | (colour & 1) << square
    s.top_high = s.top_high & ~(1 << square) | colour >> 1 << square


@kernel
def _controlled(s: State, colour: int) -> int:
    """The squares this colour is on top of."""
    return s.occupied & ~(s.top_odd ^ -(colour & 1)) & ~(s.top_high ^ -(colour >> 1))


@kernel
def height(s: State, square: int) -> int:
    return s.column[square] >> HEIGHT


@kernel
def pyramid(s: State, square: int, level: int) -> int:
    """The colour at a level of a column, 0 at the bottom."""
    return s.column[square] >> 2 * level & 3


@kernel
def move_of(square: int, taken: int) -> int:
    return square << 4 | taken


@kernel
def _parts(move: int) -> tuple[int, int]:
    return move >> 4, move & 15


@kernel
def _note_stray(s: State, at: int, colour: int, log: Ints) -> None:
    """Off its own track, a column first goes straight to the nearest central square."""
    centre = at
    while not OWN_TRACK[colour] >> centre & 1:
        centre = NEXT[colour, centre]
    if centre != at:
        note(log, STRAY, at, centre, -1, s.turn)


@kernel
def _lift(s: State, square: int, taken: int, log: Log) -> int:
    """Take so many from the top (Ruling 3); the hand, its bottom pyramid in the lowest bits."""
    left = height(s, square) - taken
    pyramids = s.column[square] & (1 << HEIGHT) - 1
    hand = pyramids >> 2 * left
    s.column[square] = left << HEIGHT | pyramids & ((1 << 2 * left) - 1)
    if left:
        _crown(s, square, pyramid(s, square, left - 1))
    else:
        s.occupied ^= 1 << square
        s.top_odd &= ~(1 << square)
        s.top_high &= ~(1 << square)
    if log is not None:
        for level in range(taken - 1, -1, -1):
            piece = hand >> 2 * level & 3
            note(log, LIFT, square, HAND, piece, _seat_of(s, piece))
    return hand


@kernel
def _seat_of(s: State, colour: int) -> int:
    return (colour - s.first_colour) // s.stride
