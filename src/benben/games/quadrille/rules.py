"""Quadrille, for 2 players: who cannot step loses.

Source: an untitled French sheet, a game by Alain Couchot and Bernard Klein (Pion d'Or at
Boulogne-Billancourt, 1997); the title is ours.
Rulings are numbered as in the rulebook beside this file.
Left out: nothing.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

import numpy as np

from benben.core.bits import count, lowest, nth, pick
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
from benben.core.rules import CHOICE, LEGAL, OVER, copy_all, note, shuffle, shuffle_bounds
from benben.core.text import demand, fields, letters, number, one_of, parts

# ---- Data

VERSION = 1
COLOURS = "broy"  # blue, red, orange, yellow
FILES, RANKS = "abcdefgh", "123456"
SQUARES = tuple(file + rank for file in FILES for rank in RANKS)  # in the order of their names
TOKENS_EACH, PAWNS_EACH = 12, 2
QUIET_DRAW = 50  # Ruling 5
REGULAR, RANDOM = 0, 1
MOST_MOVES = 48
# A token can only leave the game when all but the pawns' squares are holes, doubles or single
# tokens of its colour, at most 11: the 46 tokens on the board then lie on 30 squares at most.
FEWEST_HOLES = 18
PAWN, STEP, TOKEN = 0, 1, 2  # phases
NONE = -1

# The up to eight squares around each square, as a set of bits.
NEAR = np.array(
    [
        sum(
            1 << 6 * x + y
            for x in range(file - 1, file + 2)
            for y in range(rank - 1, rank + 2)
            if 0 <= x < 8 and 0 <= y < 6 and (x, y) != (file, rank)
        )
        for file in range(8)
        for rank in range(6)
    ]
)

# Ruling 2: odd ranks b r b r …, even ranks o y o y …
REGULAR_LAYOUT = np.array([2 * (rank % 2) + file % 2 for file in range(8) for rank in range(6)])

STATE = record(
    ("turn", np.int64),  # 0 white, 1 black (Ruling 1)
    ("phase", np.int64),
    ("hand", np.int64),  # the colour the mover has to place, or NONE
    ("gift", np.int64),  # the colour just lifted, on its way to the opponent, or NONE
    ("quiet", np.int64),  # steps since the last new hole
    ("top", np.int64, 4),  # by colour: the squares whose top token it is, as a set of bits
    ("low", np.int64, 4),  # by colour: the squares where it lies under another token
    ("pawns", np.int64, 2),  # white's and black's squares
)

HAND, GIFT, RESERVE = 48, 49, 50
PLACES = (*SQUARES, "hand", "gift", "pawns:w", "pawns:b")
PIECES = COLOURS + "WB"  # tokens, then pawns
WHITE_PAWN = 4
EFFECTS = ("put", "step", "lift", "hole", "place", "discard", "give")
PUT, MOVE, LIFT, HOLE, PLACE, DISCARD, GIVE = range(7)

REASONS = ("cannot-step", "quiet")

REFUSALS = (
    ("", ""),
    ("game-over", "the game is over"),
    ("pawns-first", "all four pawns come first"),
    ("pawns-placed", "the pawns are on the board already"),
    ("step-first", "a pawn steps before the token is placed"),
    ("token-first", "the token in hand is placed before the next step"),
    ("hole", "{to} is a hole"),
    ("occupied", "there is a pawn on {to}"),
    ("colour-not-free", "your opponent controls the colour of {to}"),
    ("not-your-pawn", "you have no pawn on {from}"),
    ("not-a-step", "{to} is not one step from {from}"),
    ("two-tokens", "there are two tokens on {to} already"),
    ("same-colour", "the token on {to} is of the same colour"),
)
_GAME_OVER, _PAWNS_FIRST, _PAWNS_PLACED, _STEP_FIRST, _TOKEN_FIRST, _HOLE, _OCCUPIED = range(1, 8)
_NOT_FREE, _NOT_YOURS, _NOT_A_STEP, _TWO_TOKENS, _SAME_COLOUR = range(8, 13)


# ---- Set-up


@kernel
def bounds(s: State, options: Ints, out: Ints) -> int:
    """A shuffle of the tokens, in layout random."""
    return shuffle_bounds(48, out, 0) if options[CHOICE] == RANDOM else 0


@kernel
def deal(s: State, options: Ints, draws: Ints) -> None:
    layout = REGULAR_LAYOUT.copy()
    if options[CHOICE] == RANDOM:
        shuffle(layout, 48, draws, 0)
    for square in range(48):
        s.top[layout[square]] |= 1 << square
    s.hand = NONE
    s.gift = NONE


# ---- Legal moves: by square in the order of names, from and to


@kernel
def to_move(s: State) -> int:
    """The end is seen when a turn begins; who cannot step has lost, draw or not (Ruling 5)."""
    if s.phase == STEP and (s.quiet >= QUIET_DRAW or not _can_step(s)):
        return OVER
    return s.turn


@kernel
def moves(s: State, out: Ints) -> int:
    if to_move(s) == OVER:
        return 0
    if s.phase == PAWN:
        return _list(open_to(s, s.turn), _PUT_FROM, out, 0)
    if s.phase == TOKEN:
        return _list(_takes(s, s.hand), _PLACE_FROM, out, 0)
    n = 0
    pawns = s.pawns[s.turn]
    while pawns:
        pawn = lowest(pawns)
        pawns &= pawns - 1
        n = _list(NEAR[pawn] & open_to(s, s.turn), _STEP_FROM + 48 * pawn, out, n)
    return n


@kernel
def random_move(s: State, random: Random) -> int:
    if s.phase == PAWN:
        return _PUT_FROM + pick(open_to(s, s.turn), random)
    if s.phase == TOKEN:
        return _PLACE_FROM + pick(_takes(s, s.hand), random)
    pawn, other = lowest(s.pawns[s.turn]), nth(s.pawns[s.turn], 1)
    open_squares = open_to(s, s.turn)
    steps = NEAR[pawn] & open_squares
    n = count(steps)
    drawn = below(random, n + count(NEAR[other] & open_squares))
    if drawn < n:
        return _STEP_FROM + 48 * pawn + nth(steps, drawn)
    return _STEP_FROM + 48 * other + nth(NEAR[other] & open_squares, drawn - n)


@kernel
def forbids(s: State, move: int) -> int:
    if to_move(s) == OVER:
        return _GAME_OVER
    if move >= _STEP_FROM:
        return _forbids_step(s, (move - _STEP_FROM) // 48, (move - _STEP_FROM) % 48)
    if move >= _PLACE_FROM:
        return _forbids_token(s, 1 << move - _PLACE_FROM)
    if s.phase != PAWN:
        return _PAWNS_PLACED
    return _forbids_pawn_on(s, 1 << move)


@kernel
def _forbids_step(s: State, start: int, end: int) -> int:
    if s.phase == PAWN:
        return _PAWNS_FIRST
    if s.phase == TOKEN:
        return _TOKEN_FIRST
    if not s.pawns[s.turn] >> start & 1:
        return _NOT_YOURS
    if not NEAR[start] >> end & 1:
        return _NOT_A_STEP
    return _forbids_pawn_on(s, 1 << end)


@kernel
def _forbids_pawn_on(s: State, square: int) -> int:
    if not _tokens(s) & square:
        return _HOLE
    if _all_pawns(s) & square:
        return _OCCUPIED
    return LEGAL if open_to(s, s.turn) & square else _NOT_FREE


@kernel
def _forbids_token(s: State, square: int) -> int:
    if s.phase == PAWN:
        return _PAWNS_FIRST
    if s.phase == STEP:
        return _STEP_FIRST
    if not _tokens(s) & square:
        return _HOLE
    if _all_pawns(s) & square:
        return _OCCUPIED
    if _doubles(s) & square:
        return _TWO_TOKENS
    return LEGAL if _takes(s, s.hand) & square else _SAME_COLOUR


# ---- Play


@kernel
def play(s: State, move: int, log: Log) -> None:
    if move >= _STEP_FROM:
        _step(s, (move - _STEP_FROM) // 48, (move - _STEP_FROM) % 48, log)
    elif move >= _PLACE_FROM:
        _place(s, move - _PLACE_FROM, log)
    else:
        _put(s, move, log)


@kernel
def _put(s: State, square: int, log: Log) -> None:
    """White, black, white, black; then white steps."""
    note(log, PUT, RESERVE + s.turn, square, WHITE_PAWN + s.turn, s.turn)
    s.pawns[s.turn] |= 1 << square
    s.turn = 1 - s.turn
    if count(_all_pawns(s)) == 2 * PAWNS_EACH:
        s.phase = STEP


@kernel
def _step(s: State, start: int, end: int, log: Log) -> None:
    note(log, MOVE, start, end, WHITE_PAWN + s.turn, s.turn)
    s.pawns[s.turn] ^= 1 << start | 1 << end
    s.gift = _lift(s, start)
    note(log, LIFT, start, GIFT, s.gift, -1)
    s.quiet += 1
    if not _tokens(s) >> start & 1:
        s.quiet = 0
        note(log, HOLE, -1, start, -1, -1)
    if s.hand == NONE:
        _hand_over(s, log)
    elif not _takes(s, s.hand):  # Ruling 4
        note(log, DISCARD, HAND, -1, s.hand, -1)
        _hand_over(s, log)
    else:
        s.phase = TOKEN


@kernel
def _place(s: State, square: int, log: Log) -> None:
    note(log, PLACE, HAND, square, s.hand, -1)
    for colour in range(4):
        if s.top[colour] >> square & 1:
            s.top[colour] ^= 1 << square
            s.low[colour] |= 1 << square
    s.top[s.hand] |= 1 << square
    _hand_over(s, log)


@kernel
def _hand_over(s: State, log: Log) -> None:
    """The turn ends: what was lifted is in the opponent's hand."""
    note(log, GIVE, GIFT, HAND, s.gift, 1 - s.turn)
    s.hand = s.gift
    s.gift = NONE
    s.phase = STEP
    s.turn = 1 - s.turn


# ---- Result


@kernel
def outcome(s: State, shares: Floats) -> int:
    if _can_step(s):
        shares[0] = shares[1] = 0.5
        return 1
    shares[s.turn] = 0.0
    shares[1 - s.turn] = 1.0
    return 0


# ---- View


@kernel
def view(s: State, seat: int, v: State) -> None:
    """Nothing is hidden."""
    v.turn, v.phase, v.quiet = s.turn, s.phase, s.quiet
    v.hand, v.gift = s.hand, s.gift
    copy_all(s.top, v.top)
    copy_all(s.low, v.low)
    copy_all(s.pawns, v.pawns)


# ---- Text

MOVE_FORM = "a move puts a pawn (@c3), steps (c3d4) or places the token (+f5)"
PHASES = ("pawn", "step", "token")
_LETTERS = COLOURS + "-"  # of tokens, and of none


def texts() -> dict[int, str]:
    puts = {_PUT_FROM + i: f"@{square}" for i, square in enumerate(SQUARES)}
    tokens = {_PLACE_FROM + i: f"+{square}" for i, square in enumerate(SQUARES)}
    steps = {
        _STEP_FROM + 48 * i + j: start + end
        for i, start in enumerate(SQUARES)
        for j, end in enumerate(SQUARES)
    }
    return puts | tokens | steps


def terms(move: str) -> dict[str, str | int]:
    if move[0] in "@+":
        return {"to": move[1:]}
    return {"from": move[:2], "to": move[2:]}


def write(p: Plain) -> str:
    board = "/".join(map("".join, zip(*map(_cells, _files(p)), strict=True)))
    white, black = map(_pawns, p.pawns)
    hand, gift = _LETTERS[p.hand], _LETTERS[p.gift]
    return f"{board} {white} {black} {'wb'[p.turn]} {PHASES[p.phase]} {hand} {gift} {p.quiet}"


def draw(p: Plain) -> Drawing:
    drawing = dict(zip(SQUARES, chain.from_iterable(map(_stacks, _files(p))), strict=True))
    drawing["hand"], drawing["gift"] = (_LETTERS[token].strip("-") for token in (p.hand, p.gift))
    for side, pawns in zip("WB", p.pawns, strict=True):
        for square in _named(pawns):
            drawing[square] += side
        drawing[f"pawns:{side.lower()}"] = side * (PAWNS_EACH - pawns.bit_count())
    return drawing


def diagram(p: Plain) -> Diagram:
    return [[(x, file + rank) for x, file in enumerate(FILES)] for rank in RANKS[::-1]]


# Every position of every game at a server is written and drawn, and most of it was there before:
# what the functions below have made once they need not make again.


def _files(p: Plain) -> Iterator[tuple[int, ...]]:
    """Where tokens of each colour lie below and on top, a tuple for each of the eight files."""
    return zip(*map(_split, (*p.low, *p.top)), strict=True)


@lru_cache(1 << 12)
def _split(squares: int) -> list[int]:
    return [squares >> first & 63 for first in range(0, 48, 6)]


@lru_cache(1 << 14)
def _stacks(file: tuple[int, ...]) -> list[str]:
    """The tokens on each square of a file, bottom first."""
    return [
        "".join(letter for letter, layer in zip(2 * COLOURS, file, strict=True) if layer >> i & 1)
        for i in range(6)
    ]


@lru_cache(1 << 14)
def _cells(file: tuple[int, ...]) -> list[str]:
    """The same from the top, as the board's text has them."""
    return [(".", stack, f"({stack})")[len(stack)] for stack in reversed(_stacks(file))]


@lru_cache(1 << 12)
def _pawns(squares: int) -> str:
    return ",".join(_named(squares)) or "-"


@lru_cache(1 << 12)
def _named(squares: int) -> tuple[str, ...]:
    """The names of a set of squares, in order."""
    return tuple(square for i, square in enumerate(SQUARES) if squares >> i & 1)


def read(text: str, options: Ints, hidden: bool) -> States:
    board, white, black, turn, phase, hand, gift, quiet = fields(
        text, ("board", "white", "black", "turn", "phase", "hand", "gift", "quiet")
    )
    p = plain(blank(STATE))
    for rank, row in zip(RANKS[::-1], parts(board, "/", 6, "the ranks"), strict=True):
        _read_rank(p, rank, row)
    for side, squares in enumerate((white, black)):
        _read_pawns(p, side, squares)
    p.turn = one_of(turn, ("w", "b"), "turn")
    p.phase = one_of(phase, PHASES, "phase")
    p.hand = one_of(hand, ("-", *COLOURS), "hand") - 1
    p.gift = one_of(gift, ("-", *COLOURS), "gift") - 1
    p.quiet = number(quiet, 0, QUIET_DRAW, "quiet")
    _check_tokens(p)
    _check_pawns(p)
    a = pack(p, STATE)
    _check_phase(p, has_square=p.phase == TOKEN and bool(_takes(a[0], p.hand)))
    _check_gone(p)
    return a


def _read_rank(p: Plain, rank: str, row: str) -> None:
    """A hole, a token, or two in brackets, on each of eight squares."""
    stacks: list[str] = []
    rest = row
    while rest:
        if rest[0] == "(":
            stack, bracket, rest = rest[1:].partition(")")
            if not bracket or len(stack) != 2:
                raise BadNotation(row, "brackets hold two tokens, such as (br)")
            demand(stack[0] != stack[1], "same-colour", f"{stack}: a token lies on another colour")
        else:
            stack, rest = rest[0].replace(".", ""), rest[1:]
        stacks.append(stack)
    if len(stacks) != 8:
        raise BadNotation(row, f"rank {rank} has 8 squares, not {len(stacks)}")
    for file, stack in zip(FILES, stacks, strict=True):
        square = SQUARES.index(file + rank)
        tokens = letters(stack, COLOURS, "token")
        if tokens:
            p.top[tokens[-1]] |= 1 << square
        if len(tokens) == 2:
            p.low[tokens[0]] |= 1 << square


def _read_pawns(p: Plain, side: int, squares: str) -> None:
    for square in squares.split(",") if squares != "-" else []:
        if square not in SQUARES:
            raise BadNotation(squares, "pawns are squares in order, such as c3,d4, or -")
        bit = 1 << SQUARES.index(square)
        demand(not (p.pawns[0] | p.pawns[1]) & bit, "two-pawns", f"two pawns stand on {square}")
        demand(
            any(top & bit for top in p.top), "pawn-on-hole", f"a pawn stands on the hole {square}"
        )
        p.pawns[side] |= bit


def _check_tokens(p: Plain) -> None:
    for letter, total in zip(COLOURS, _totals(p), strict=True):
        demand(
            total <= TOKENS_EACH,
            "too-many-tokens",
            f"there are {total} tokens {letter}, {TOKENS_EACH} at most",
        )


def _check_gone(p: Plain) -> None:
    """A token leaves the game only where no square takes it (Ruling 4)."""
    gone = 48 - sum(_totals(p))
    holes = 48 - sum(top.bit_count() for top in p.top)
    demand(
        gone == 0 or holes >= FEWEST_HOLES,
        "too-few-tokens",
        f"tokens are missing ({gone}), but there were squares to take them",
    )


def _totals(p: Plain) -> list[int]:
    """Tokens of each colour on the board and in hands."""
    return [
        p.top[colour].bit_count() + p.low[colour].bit_count() + (p.hand, p.gift).count(colour)
        for colour in range(4)
    ]


def _check_pawns(p: Plain) -> None:
    white, black = (pawns.bit_count() for pawns in p.pawns)
    if p.phase == PAWN:
        demand(
            (white, black) == ((0, 0), (1, 0), (1, 1), (2, 1))[min(white + black, 3)]
            and p.turn == (white + black) % 2,
            "wrong-pawns",
            "white, black, white, black put their pawns in turn",
        )
    else:
        demand(
            white == PAWNS_EACH and black == PAWNS_EACH, "wrong-pawns", "each side has two pawns"
        )
    for colour, letter in enumerate(COLOURS):
        both = bool(p.top[colour] & p.pawns[0]) and bool(p.top[colour] & p.pawns[1])
        demand(not both, "colour-not-free", f"both sides control {letter}")


def _check_phase(p: Plain, has_square: bool) -> None:
    untouched = sum(top.bit_count() for top in p.top) == 48 and not any(p.low) and p.quiet == 0
    if p.phase == PAWN or (p.phase == STEP and p.hand == NONE):
        demand(untouched, "tokens-moved", "no token moves before white's first step")
        demand(p.phase == PAWN or p.turn == 0, "no-token", "only white's first turn has no token")
    demand(
        (p.gift != NONE) == (p.phase == TOKEN), "wrong-gift", "a gift is there in phase token only"
    )
    if p.phase == TOKEN:
        demand(p.hand != NONE, "no-token", "phase token needs a token in hand")
        demand(has_square, "no-square", "no square takes the token in hand")


# ---- Helpers

# Moves: a pawn put on each square, a token placed on each, a step from each to each.
_PUT_FROM, _PLACE_FROM, _STEP_FROM = 0, 48, 96


@kernel
def _can_step(s: State) -> bool:
    open_squares = open_to(s, s.turn)
    pawns = s.pawns[s.turn]
    return bool(
        NEAR[lowest(pawns)] & open_squares or NEAR[lowest(pawns & pawns - 1)] & open_squares
    )


@kernel
def open_to(s: State, side: int) -> int:
    """Available squares of the colours free for a side: a token, no pawn, not controlled."""
    squares = 0
    for colour in range(4):
        if not s.top[colour] & s.pawns[1 - side]:
            squares |= s.top[colour]
    return squares & ~_all_pawns(s)


@kernel
def _takes(s: State, token: int) -> int:
    """Available squares with exactly one token, of another colour.

    The square just left is one of them, if it still has a token (Ruling 3).
    """
    return _tokens(s) & ~s.top[token] & ~_doubles(s) & ~_all_pawns(s)


@kernel
def _list(squares: int, base: int, out: Ints, n: int) -> int:
    while squares:
        out[n] = base + lowest(squares)
        squares &= squares - 1
        n += 1
    return n


@kernel
def _all_pawns(s: State) -> int:
    return s.pawns[0] | s.pawns[1]


@kernel
def _tokens(s: State) -> int:
    return s.top[0] | s.top[1] | s.top[2] | s.top[3]


@kernel
def _doubles(s: State) -> int:
    return s.low[0] | s.low[1] | s.low[2] | s.low[3]


@kernel
def _lift(s: State, square: int) -> int:
    """Take the top token of a square; its colour."""
    bit = 1 << square
    lifted = 0
    while not s.top[lifted] & bit:
        lifted += 1
    s.top[lifted] ^= bit
    for colour in range(4):
        if s.low[colour] & bit:
            s.low[colour] ^= bit
            s.top[colour] |= bit
    return lifted
