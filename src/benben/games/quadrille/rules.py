"""Quadrille, for 2 players: who cannot step loses.

Source: an untitled French sheet, a game by Alain Couchot and Bernard Klein (Pion d'Or at
Boulogne-Billancourt, 1997); the title is ours.
Rulings are numbered as in the rulebook beside this file.
Left out: nothing.
"""

import numpy as np

from benben.core.bits import count, lowest, nth, pick
from benben.core.kernel import Floats, Ints, Log, State, copy_all, kernel, record
from benben.core.random import Random, below
from benben.core.rules import LEGAL, OPTION, OVER, note, shuffle, shuffle_bounds

# ---- Data

VERSION = 1
COLOURS = "broy"  # blue, red, orange, yellow
FILES, RANKS = "abcdefgh", "123456"
SQUARES = tuple(file + rank for file in FILES for rank in RANKS)  # in the order of their names
TOKENS_EACH, PAWNS_EACH = 12, 2
QUIET_DRAW = 50  # Ruling 5
REGULAR, RANDOM = 0, 1
MOST_MOVES = 48
PAWN, STEP, TOKEN = 0, 1, 2  # phases
NONE = -1

# The up to eight squares around each square, as a set of bits.
_AT = [divmod(square, 6) for square in range(48)]
NEAR = np.array(
    [
        sum(1 << i for i, (x, y) in enumerate(_AT) if max(abs(x - file), abs(y - rank)) == 1)
        for file, rank in _AT
    ]
)

# Ruling 2: odd ranks b r b r …, even ranks o y o y …
REGULAR_LAYOUT = np.array([2 * (rank % 2) + file % 2 for file, rank in _AT])

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

# Moves: a pawn put on each square, a token placed on each, a step from each to each.
PUT_FROM, PLACE_FROM, STEP_FROM = 0, 48, 96

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
    ("pawns-placed", "all pawns are already on the board"),
    ("step-first", "a pawn must step before the token is placed"),
    ("token-first", "the token in hand must be placed before the next step"),
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
    return shuffle_bounds(48, out, 0) if options[OPTION] == RANDOM else 0


@kernel
def deal(s: State, options: Ints, draws: Ints) -> None:
    layout = REGULAR_LAYOUT.copy()
    if options[OPTION] == RANDOM:
        shuffle(layout, 48, draws, 0)
    for square in range(48):
        s.top[layout[square]] |= 1 << square
    s.hand = s.gift = NONE


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
        return _list(open_to(s, s.turn), PUT_FROM, out, 0)
    if s.phase == TOKEN:
        return _list(takes(s, s.hand), PLACE_FROM, out, 0)
    n = 0
    pawns = s.pawns[s.turn]
    while pawns:
        pawn = lowest(pawns)
        pawns &= pawns - 1
        n = _list(NEAR[pawn] & open_to(s, s.turn), STEP_FROM + 48 * pawn, out, n)
    return n


@kernel
def random_move(s: State, random: Random) -> int:
    if s.phase == PAWN:
        return PUT_FROM + pick(open_to(s, s.turn), random)
    if s.phase == TOKEN:
        return PLACE_FROM + pick(takes(s, s.hand), random)
    pawn, other = lowest(s.pawns[s.turn]), nth(s.pawns[s.turn], 1)
    open_squares = open_to(s, s.turn)
    steps = NEAR[pawn] & open_squares
    n = count(steps)
    drawn = below(random, n + count(NEAR[other] & open_squares))
    if drawn < n:
        return STEP_FROM + 48 * pawn + nth(steps, drawn)
    return STEP_FROM + 48 * other + nth(NEAR[other] & open_squares, drawn - n)


@kernel
def forbids(s: State, move: int) -> int:
    if to_move(s) == OVER:
        return _GAME_OVER
    if move >= STEP_FROM:
        return _forbids_step(s, (move - STEP_FROM) // 48, (move - STEP_FROM) % 48)
    if move >= PLACE_FROM:
        return _forbids_token(s, 1 << move - PLACE_FROM)
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
    return LEGAL if takes(s, s.hand) & square else _SAME_COLOUR


# ---- Play


@kernel
def play(s: State, move: int, log: Log) -> None:
    if move >= STEP_FROM:
        _step(s, (move - STEP_FROM) // 48, (move - STEP_FROM) % 48, log)
    elif move >= PLACE_FROM:
        _place(s, move - PLACE_FROM, log)
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
    elif not takes(s, s.hand):  # Ruling 4
        note(log, DISCARD, HAND, -1, s.hand, -1)
        _hand_over(s, log)
    else:
        s.phase = TOKEN


@kernel
def _place(s: State, square: int, log: Log) -> None:
    note(log, PLACE, HAND, square, s.hand, -1)
    for colour in range(4):
        s.low[colour] |= s.top[colour] & 1 << square
        s.top[colour] &= ~(1 << square)
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


# ---- Helpers


@kernel
def _can_step(s: State) -> bool:
    pawns = s.pawns[s.turn]
    near = NEAR[lowest(pawns)] | NEAR[lowest(pawns & pawns - 1)]
    return bool(near & open_to(s, s.turn))


@kernel
def open_to(s: State, side: int) -> int:
    """Available squares of the colours free for a side: a token, no pawn, not controlled."""
    squares = 0
    for colour in range(4):
        if not s.top[colour] & s.pawns[1 - side]:
            squares |= s.top[colour]
    return squares & ~_all_pawns(s)


@kernel
def takes(s: State, token: int) -> int:
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
        s.top[colour] |= s.low[colour] & bit
        s.low[colour] &= ~bit
    return lifted
