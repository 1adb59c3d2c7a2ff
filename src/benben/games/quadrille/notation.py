"""Quadrille in text: moves, positions and drawings, and the strict reading of positions."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from benben.core.effects import Diagram, Drawing, Facts
from benben.core.errors import BadNotation
from benben.core.kernel import Ints, Plain, States, blank, pack, plain
from benben.core.text import demand, fields, letters, number, one_of, parts
from benben.games.quadrille.rules import (
    COLOURS,
    FILES,
    NONE,
    PAWN,
    PAWNS_EACH,
    PIECES,
    PLACE_FROM,
    PUT_FROM,
    QUIET_DRAW,
    RANKS,
    SQUARES,
    STATE,
    STEP,
    STEP_FROM,
    TOKEN,
    TOKENS_EACH,
    WHITE_PAWN,
    takes,
)

# ---- Moves

MOVE_FORM = "a move puts a pawn (@c3), steps (c3d4) or places the token (+f5)"


def texts() -> dict[int, str]:
    puts = {PUT_FROM + i: f"@{square}" for i, square in enumerate(SQUARES)}
    tokens = {PLACE_FROM + i: f"+{square}" for i, square in enumerate(SQUARES)}
    steps = {
        STEP_FROM + 48 * i + j: start + end
        for i, start in enumerate(SQUARES)
        for j, end in enumerate(SQUARES)
    }
    return puts | tokens | steps


def parameters(move: str) -> dict[str, str | int]:
    if move[0] in "@+":
        return {"to": move[1:]}
    return {"from": move[:2], "to": move[2:]}


# ---- Positions

PHASES = ("pawn", "step", "token")
_LETTERS = COLOURS + "-"  # of tokens, and of none
_PAWN_LETTERS = PIECES[WHITE_PAWN:]  # by side


def write(p: Plain) -> str:
    board = "/".join(map("".join, zip(*map(_cells, _files(p)), strict=True)))
    white, black = map(_pawns, p.pawns)
    hand, gift = _LETTERS[p.hand], _LETTERS[p.gift]
    return f"{board} {white} {black} {'wb'[p.turn]} {PHASES[p.phase]} {hand} {gift} {p.quiet}"


def draw(p: Plain) -> Drawing:
    drawing = dict(zip(SQUARES, chain.from_iterable(map(_stacks, _files(p))), strict=True))
    drawing["hand"], drawing["gift"] = (_LETTERS[token].strip("-") for token in (p.hand, p.gift))
    for side, pawns in zip(_PAWN_LETTERS, p.pawns, strict=True):
        for square in _named(pawns):
            drawing[square] += side
        drawing[f"pawns:{side.lower()}"] = side * (PAWNS_EACH - pawns.bit_count())
    return drawing


def facts(p: Plain) -> Facts:
    """The letter of each seat's pawns, and the colours they control."""
    control = [
        "".join(letter for letter, top in zip(COLOURS, p.top, strict=True) if top & pawns)
        for pawns in p.pawns
    ]
    return {"colours": list(_PAWN_LETTERS), "control": control}


def figures(p: Plain, reason: str) -> list[int | None]:
    return []  # nothing is counted


def diagram(p: Plain) -> Diagram:
    return [[(x, file + rank) for x, file in enumerate(FILES)] for rank in RANKS[::-1]]


# A server writes and draws every position, and most of it was there before: what the functions
# below made once, they need not make again. What they keep is shared, so nobody can change it.


def _files(p: Plain) -> Iterator[tuple[int, ...]]:
    """Where tokens of each colour lie below and on top, a tuple for each of the eight files."""
    return zip(*map(_split, (*p.low, *p.top)), strict=True)


@lru_cache(1 << 12)
def _split(squares: int) -> tuple[int, ...]:
    # Most moves make a set that is not cached; a list takes a quarter of a generator's time.
    return tuple([squares >> first & 63 for first in range(0, 48, 6)])


@lru_cache(1 << 14)
def _stacks(file: tuple[int, ...]) -> tuple[str, ...]:
    """The tokens on each square of a file, bottom first."""
    return tuple(
        "".join(letter for letter, layer in zip(2 * COLOURS, file, strict=True) if layer >> i & 1)
        for i in range(6)
    )


@lru_cache(1 << 14)
def _cells(file: tuple[int, ...]) -> tuple[str, ...]:
    """The same from the top, as the board's text has them."""
    return tuple((".", stack, f"({stack})")[len(stack)] for stack in reversed(_stacks(file)))


@lru_cache(1 << 12)
def _pawns(squares: int) -> str:
    return ",".join(_named(squares)) or "-"


@lru_cache(1 << 12)
def _named(squares: int) -> tuple[str, ...]:
    """The names of a set of squares, in order."""
    return tuple(square for i, square in enumerate(SQUARES) if squares >> i & 1)


# ---- Reading

# A token can only leave the game when all but the pawns' squares are holes, doubles or single
# tokens of its colour, at most 11: the 46 tokens on the board then lie on 30 squares at most.
FEWEST_HOLES = 18


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
    _check_phase(p, has_square=p.phase == TOKEN and bool(takes(a[0], p.hand)))
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
            f"there are {total} {letter} tokens, {TOKENS_EACH} at most",
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
        (p.gift != NONE) == (p.phase == TOKEN), "wrong-gift", "there is a gift only in phase token"
    )
    if p.phase == TOKEN:
        demand(p.hand != NONE, "no-token", "phase token needs a token in hand")
        demand(has_square, "no-square", "no square takes the token in hand")
