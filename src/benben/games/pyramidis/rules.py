"""Pyramidis, for 2 or 4 players: be the first to bring five pyramids home.

Source: the French sheet of Pyramidis, by Roland Siegers (Flying Turtle 1988, Ravensburger 1991).
Rulings are numbered as in the rulebook beside this file.
Left out: nothing. The sheet's three names for turquoise are one colour.
"""

from functools import lru_cache

import numpy as np

from benben.core.bits import count, lowest, nth
from benben.core.effects import Diagram, Drawing
from benben.core.errors import BadNotation
from benben.core.kernel import (
    Floats,
    Ints,
    Log,
    Plain,
    State,
    States,
    blank,
    kernel,
    pack,
    plain,
    record,
)
from benben.core.random import Random, below
from benben.core.rules import (
    CHOICE,
    LEGAL,
    OVER,
    PLAYERS,
    copy_all,
    first_bounds,
    first_seat,
    next_seat,
    note,
)
from benben.core.text import demand, fields, letters, number, one_of

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


def _next_squares() -> Ints:
    """Where each colour goes on to: along its track or, off it, straight to the centre."""
    inward = {"a": "b", "b": "c", "c": "d", "f": "e", "g": "f", "h": "g"}
    inward |= {"1": "2", "2": "3", "3": "4", "6": "5", "7": "6", "8": "7"}
    table = np.full((len(COLOURS), len(SQUARES)), -1, np.int64)
    for colour, track in enumerate(TRACKS):
        for i, square in enumerate(SQUARES):
            if square in track[:-1]:
                onward = track[track.index(square) + 1]
            elif square in track:
                continue  # the arrival: no way leads on
            elif colour % 2 == 0:  # brown and mustard, astray on a rank
                onward = inward[square[0]] + square[1]
            else:
                onward = square[0] + inward[square[1]]
            table[colour, i] = SQUARES.index(onward)
    return table


NEXT = _next_squares()
# The squares of each colour's own track, as a set of bits.
OWN_TRACK = np.array([sum(1 << SQUARES.index(square) for square in track) for track in TRACKS])

STATE = record(
    ("first_colour", np.int64),  # seat 0's colour …
    ("stride", np.int64),  # … and the way from one seat's colour to the next
    ("players", np.int64),
    ("turn", np.int64),
    ("quiet", np.int64),  # moves since a pyramid last came home
    ("home", np.int16, 4),  # pyramids home, by colour
    # A column: its height from bit 48, its pyramids from bit 0, bottom first, 2 bits each. 24
    # fit, and no square ever holds more: a colour's own never stay on its arrival square.
    ("column", np.int64, len(SQUARES)),
    # What is on top where, as sets of squares: any pyramid, turquoise or cream, mustard or cream.
    ("occupied", np.int64),
    ("top_odd", np.int64),
    ("top_high", np.int64),
)

HAND, HOME = len(SQUARES), len(SQUARES) + 1
PLACES = (*SQUARES, "hand", *(f"home:{colour}" for colour in COLOURS))
PIECES = COLOURS
EFFECTS = ("stray", "lift", "drop", "jump", "arrive", "home", "leave", "pass")
STRAY, LIFT, DROP, JUMP, ARRIVE, GO_HOME, LEAVE, PASS = range(8)

REASONS = ("five-home", "quiet")

REFUSALS = (
    ("", ""),
    ("game-over", "the game is over"),
    ("must-not-pass", "only who controls no column passes"),
    ("off-board", "{square} is not on the board of these two players"),
    ("empty-square", "there is no pyramid on {square}"),
    ("not-your-column", "the top of the column on {square} is not of your colour"),
    ("whole-column", "only on your own start square you choose how many; write {square}"),
    ("count-needed", "on your own start square say how many, such as {square}*1"),
    ("at-most-five", "no more than five are taken from the start square"),
    ("not-so-many", "there are fewer than {count} pyramids on {square}"),
)
_GAME_OVER, _MUST_NOT_PASS, _OFF_BOARD, _EMPTY_SQUARE, _NOT_YOURS, _WHOLE_COLUMN = range(1, 7)
_COUNT_NEEDED, _AT_MOST_FIVE, _NOT_SO_MANY = range(7, 10)


# ---- Set-up


@kernel
def bounds(s: State, options: Ints, out: Ints) -> int:
    """Only the first player is drawn, if at all (Ruling 2)."""
    return first_bounds(options, out, 0)


@kernel
def deal(s: State, options: Ints, draws: Ints) -> None:
    _seat(s, options)
    for seat in range(s.players):
        colour = colour_of(s, seat)
        for _ in range(SET):
            _drop(s, START[colour], colour)
    s.turn = first_seat(options, draws, 0)


# ---- Legal moves: by square in the order of names, on the start square by count


@kernel
def to_move(s: State) -> int:
    return OVER if s.quiet >= QUIET_DRAW or _somebody_has_five(s) else s.turn


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
                out[n] = _move(square, taken)
                n += 1
        else:
            out[n] = _move(square, 0)
            n += 1
    return n


@kernel
def random_move(s: State, random: Random) -> int:
    """One of the columns away from the start square, or one of the counts on it."""
    colour = colour_of(s, s.turn)
    start = START[colour]
    columns = _controlled(s, colour)
    if columns == 0:
        return PASSING
    counts = 0
    if columns >> start & 1:
        columns ^= 1 << start
        counts = min(height(s, start), MOST_FROM_START)
    drawn = below(random, counts + count(columns))
    if drawn < counts:
        return _move(start, drawn + 1)
    return _move(nth(columns, drawn - counts), 0)


@kernel
def forbids(s: State, move: int) -> int:
    if to_move(s) == OVER:
        return _GAME_OVER
    colour = colour_of(s, s.turn)
    if move == PASSING:
        return _MUST_NOT_PASS if _controlled(s, colour) else LEGAL
    square, taken = _square(move), _taken(move)
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
    at = _square(move)
    if log is not None:
        _note_stray(s, at, colour, log)
    in_hand = _taken(move) if _taken(move) else height(s, at)
    hand = _lift(s, at, in_hand, log)
    while in_hand:
        at = NEXT[colour, at]
        if at == ARRIVAL[colour]:  # Ruling 5: never jumped
            note(log, ARRIVE, -1, at, -1, s.turn)
            _unload(s, hand, in_hand, colour, log)
            return
        if height(s, at) >= TOWER:  # Ruling 4: towers on arrival squares too
            note(log, JUMP, -1, at, -1, s.turn)
            continue
        piece = hand & 3
        hand >>= 2
        in_hand -= 1
        if at == ARRIVAL[piece]:
            _bring_home(s, piece, log)
        else:
            _drop(s, at, piece)
            note(log, DROP, HAND, at, piece, _seat_of(s, piece))


@kernel
def _unload(s: State, hand: int, in_hand: int, colour: int, log: Log) -> None:
    """At the end of the way: one's own go home, the others stay, five or more (Ruling 6).

    The mover's own come home last of all that come home in this move (Ruling 8).
    """
    for _ in range(in_hand):
        piece = hand & 3
        hand >>= 2
        if piece == colour:
            _bring_home(s, piece, log)
        else:
            _drop(s, ARRIVAL[colour], piece)
            note(log, LEAVE, HAND, ARRIVAL[colour], piece, _seat_of(s, piece))


@kernel
def _bring_home(s: State, piece: int, log: Log) -> None:
    s.home[piece] += 1
    s.quiet = 0
    note(log, GO_HOME, HAND, HOME + piece, piece, _seat_of(s, piece))


# ---- Result


@kernel
def outcome(s: State, shares: Floats) -> int:
    """Five home wins; two colours at once, and the mover's came last (Ruling 8)."""
    mover = (s.turn + s.players - 1) % s.players
    winner = -1
    for seat in range(s.players):
        shares[seat] = 0.0
        if s.home[colour_of(s, seat)] >= TO_WIN and (winner < 0 or winner == mover):
            winner = seat
    if winner >= 0:
        shares[winner] = 1.0
        return 0
    for seat in range(s.players):  # Ruling 9
        shares[seat] = 1.0 / s.players
    return 1


# ---- View


@kernel
def view(s: State, seat: int, v: State) -> None:
    """Nothing is hidden."""
    v.first_colour, v.stride, v.players = s.first_colour, s.stride, s.players
    v.turn, v.quiet = s.turn, s.quiet
    copy_all(s.home, v.home)
    copy_all(s.column, v.column)
    v.occupied, v.top_odd, v.top_high = s.occupied, s.top_odd, s.top_high


# ---- Text

MOVE_FORM = "a move is a column such as e6, a start square with a count such as d1*3, or pass"


def texts() -> dict[int, str]:
    written = {PASSING: "pass"}
    for i, square in enumerate(SQUARES):
        written[_move(i, 0)] = square
        for taken in range(1, SET + 1):
            written[_move(i, taken)] = f"{square}*{taken}"
    return written


def terms(move: str) -> dict[str, str | int]:
    if move == "pass":
        return {}
    square, _, taken = move.partition("*")
    return {"square": square, "count": int(taken or 0)}


def write(p: Plain) -> str:
    drawing = draw(p)
    columns = ",".join(f"{square}={drawing[square]}" for square in SQUARES if drawing[square])
    playing = _playing(p)
    home = "".join(f"{letter}{p.home[COLOURS.index(letter)]}" for letter in playing)
    return f"{columns} {home} {playing[p.turn]} {p.quiet}"


def draw(p: Plain) -> Drawing:
    columns = dict(zip(SQUARES, map(_pyramids, p.column), strict=True))
    homes = {f"home:{letter}": letter * home for letter, home in zip(COLOURS, p.home, strict=True)}
    return columns | {"hand": ""} | homes


def diagram(p: Plain) -> Diagram:
    """The cross; two players have one strip of it."""
    strips = {square for letter in _playing(p) for square in TRACKS[COLOURS.index(letter)]}
    rows = ([name for name in line.split() if name in strips] for line in CROSS.splitlines())
    return [[("abcdefgh".index(name[0]), name) for name in row] for row in rows if row]


@lru_cache(10_000)
def _pyramids(word: int) -> str:
    return "".join(COLOURS[word >> 2 * level & 3] for level in range(word >> _HEIGHT))


def _playing(p: Plain) -> str:
    """The colours in the game, in the order of seats."""
    return COLOURS[p.first_colour :: p.stride]


def read(text: str, options: Ints, hidden: bool) -> States:
    written, home, turn, quiet = fields(text, ("columns", "home", "turn", "quiet"))
    a = blank(STATE)
    _seat(a[0], options)
    p = plain(a)
    playing = _playing(p)
    columns: dict[str, str] = {}
    for column in written.split(","):
        square, pyramids = _read_column(column, playing)
        demand(square not in columns, "column-twice", f"{square} is given twice")
        columns[square] = pyramids
    for square, pyramids in columns.items():
        at = SQUARES.index(square)
        pieces = sum(COLOURS.index(letter) << 2 * i for i, letter in enumerate(pyramids))
        p.column[at] = len(pyramids) << _HEIGHT | pieces
        p.occupied |= 1 << at
        p.top_odd |= (COLOURS.index(pyramids[-1]) & 1) << at
        p.top_high |= (COLOURS.index(pyramids[-1]) >> 1) << at
    homes = _read_home(home, playing)
    for letter in playing:
        total = homes[letter] + sum(pyramids.count(letter) for pyramids in columns.values())
        demand(total == SET, "wrong-pyramids", f"{letter} has {total} pyramids, not {SET}")
        p.home[COLOURS.index(letter)] = homes[letter]
    p.turn = one_of(turn, tuple(playing), "turn")
    p.quiet = number(quiet, 0, QUIET_DRAW, "quiet")
    _check_end([homes[letter] for letter in playing], p.turn, p.quiet)
    return pack(p, STATE)


def _read_column(column: str, playing: str) -> tuple[str, str]:
    square, equals, pyramids = column.partition("=")
    if not equals or square not in SQUARES or not pyramids:
        raise BadNotation(column, "a column is a square and its pyramids, such as d1=bbb")
    letters(pyramids, COLOURS, "pyramid")
    strips = [TRACKS[COLOURS.index(letter)] for letter in playing]
    demand(any(square in strip for strip in strips), "off-board", f"{square} is not on this board")
    starts, arrivals = ({track[end]: i for i, track in enumerate(TRACKS)} for end in (0, -1))
    for letter in pyramids:
        demand(letter in playing, "colour-not-in-game", f"nobody plays {letter}")
        colour = COLOURS.index(letter)
        demand(arrivals.get(square) != colour, "own-arrival", f"{letter} goes home from {square}")
        demand(pyramids.count(letter) <= SET, "wrong-pyramids", f"{letter} has {SET} pyramids only")
    if square not in arrivals:
        own_start = square in starts and set(pyramids) == {COLOURS[starts[square]]}
        most = SET if own_start else TOWER
        demand(len(pyramids) <= most, "too-tall", f"{square} holds {most} such pyramids at most")
    return square, pyramids


def _read_home(home: str, playing: str) -> dict[str, int]:
    numbers = home[1::2]
    if home[::2] != playing or len(numbers) != len(playing) or not set(numbers) <= set("012345678"):
        raise BadNotation(home, f"home is {'0'.join(playing)}0, with 0 to 8 for every colour")
    return dict(zip(playing, map(int, numbers), strict=True))


def _check_end(homes: list[int], turn: int, quiet: int) -> None:
    """Who has five: the last mover, or the player opposite, carried home by one drop."""
    mover = (turn - 1) % len(homes)
    opposite = (mover + len(homes) // 2) % len(homes)
    for seat, pyramids in enumerate(homes):
        demand(
            pyramids < TO_WIN or seat == mover or (seat == opposite and pyramids == TO_WIN),
            "over-before",
            f"seat {seat + 1} had won before the last move",
        )
    demand(max(homes) < TO_WIN or quiet == 0, "over-before", "the winning move is not quiet")


# ---- Helpers

_HEIGHT, _PYRAMIDS = 48, (1 << 48) - 1
# A move is the square from bit 4 and, below, how many are taken (0: the whole column).
PASSING = len(SQUARES) << 4


@kernel
def _seat(s: State, options: Ints) -> None:
    s.players = options[PLAYERS]
    s.first_colour = options[CHOICE] if s.players == 2 else 0
    s.stride = 4 // s.players


@kernel
def colour_of(s: State, seat: int) -> int:
    return s.first_colour + s.stride * seat


@kernel
def _seat_of(s: State, colour: int) -> int:
    return (colour - s.first_colour) // s.stride


@kernel
def _drop(s: State, square: int, colour: int) -> None:
    s.column[square] += (1 << _HEIGHT) + (colour << 2 * height(s, square))
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
    odd = s.top_odd if colour & 1 else ~s.top_odd
    high = s.top_high if colour & 2 else ~s.top_high
    return s.occupied & odd & high


@kernel
def height(s: State, square: int) -> int:
    return s.column[square] >> _HEIGHT


@kernel
def pyramid(s: State, square: int, level: int) -> int:
    """The colour at a level of a column, 0 at the bottom."""
    return s.column[square] >> 2 * level & 3


@kernel
def _somebody_has_five(s: State) -> bool:
    return bool(
        s.home[0] >= TO_WIN or s.home[1] >= TO_WIN or s.home[2] >= TO_WIN or s.home[3] >= TO_WIN
    )


@kernel
def _move(square: int, taken: int) -> int:
    return square << 4 | taken


@kernel
def _square(move: int) -> int:
    return move >> 4


@kernel
def _taken(move: int) -> int:
    return move & 15


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
    pyramids = s.column[square] & _PYRAMIDS
    hand = pyramids >> 2 * left
    s.column[square] = left << _HEIGHT | pyramids & ((1 << 2 * left) - 1)
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
