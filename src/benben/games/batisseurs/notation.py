"""Bâtisseurs in text: moves, positions and drawings, and the strict reading of positions."""

from functools import lru_cache

from benben.core.bits import count, lowest
from benben.core.effects import Diagram, Drawing, Facts
from benben.core.errors import BadNotation
from benben.core.kernel import Ints, Plain, State, States, blank, pack, plain
from benben.core.rules import OPTION, OVER, PLAYERS
from benben.core.text import demand, fields, letters, number, parts
from benben.games.batisseurs.rules import (
    BASE,
    BLOCKS,
    DICE,
    PLACES,
    PYRAMID,
    ROLL,
    ROW,
    ROW_BITS,
    ROWS,
    STATE,
    STOP,
    THROW,
    THROWS,
    carried,
    placeable,
    to_move,
)

# ---- Moves

MOVE_FORM = "a move is a place such as b3, roll or stop; a throw is = and sorted faces, =aabcef"


def texts() -> dict[int, str]:
    places = {bit: f"{ROWS[bit // ROW]}{bit % ROW + 1}" for bit in BLOCKS}
    throws = {THROW + dice: f"={_faces(dice)}" for dice in THROWS.tolist()}
    return places | {ROLL: "roll", STOP: "stop"} | throws


def parameters(move: str) -> dict[str, str | int]:
    if move in ("roll", "stop"):
        return {}
    return {"dice": move[1:]} if move.startswith("=") else {"place": move}


# ---- Positions


def write(p: Plain) -> str:
    boards = []
    for blocks in _boards(p):
        boards.append("/".join(blocks[ROW * row : ROW * row + 6 - row] for row in range(6)))
    return f"{'|'.join(boards)} {p.turn + 1} {_faces(p.dice) or '-'} {p.left} {p.placed}"


def draw(p: Plain) -> Drawing:
    drawing = {"dice": _faces(p.dice)}
    for seat, blocks in enumerate(_boards(p)):
        drawing |= {PLACES[48 * seat + bit]: blocks[bit].strip(".") for bit in BLOCKS}
    return drawing


def facts(p: Plain) -> Facts:
    """Whose turn it is, also while a throw is due, and how many dice are not yet used."""
    return {"turn": p.turn, "dice": p.left}


def figures(p: Plain, reason: str) -> list[int | None]:
    """Blocks in place."""
    return [len(board) - board.count(".") for board in _boards(p)]


def diagram(p: Plain) -> Diagram:
    """The boards side by side, the top row first."""
    return [
        [
            (seat * 7 + row / 2 + i, PLACES[48 * seat + ROW * row + i])
            for seat in range(p.players)
            for i in range(6 - row)
        ]
        for row in range(5, -1, -1)
    ]


def _boards(p: Plain) -> list[str]:
    return [_board(p.won[seat], p.dots if seat == p.turn else 0) for seat in range(p.players)]


@lru_cache(10_000)  # a server writes every position, and most boards were there before
def _board(won: int, dots: int) -> str:
    """A letter for every bit of a board."""
    return "".join(
        "x" if won >> bit & 1 else "o" if dots >> bit & 1 else "." for bit in range(6 * ROW)
    )


def _faces(dice: int) -> str:
    return "".join(letter * (dice >> ROW * face & ROW_BITS) for face, letter in enumerate(ROWS))


# ---- Reading


def read(text: str, options: Ints, hidden: bool) -> States:
    boards, turn, dice, left, placed = fields(text, ("boards", "turn", "dice", "left", "placed"))
    p = plain(blank(STATE))
    p.players, p.placing = options.tolist()[PLAYERS], options.tolist()[OPTION]
    p.turn = number(turn, 1, p.players, "turn") - 1
    p.left = number(left, 0, DICE, "left")
    p.placed = number(placed, 0, DICE, "placed")
    for seat, board in enumerate(parts(boards, "|", p.players, "the boards")):
        _read_board(p, seat, board)
    faces = letters("" if dice == "-" else dice, ROWS, "face of a die")
    demand(len(faces) <= DICE, "wrong-dice", "there are six dice")
    p.dice = sum(1 << ROW * face for face in faces)
    a = pack(p, STATE)
    _check_turn(a[0], len(faces))
    return a


def _read_board(p: Plain, seat: int, board: str) -> None:
    won = dots = 0
    for row, blocks in enumerate(parts(board, "/", 6, "the rows of a board")):
        if len(blocks) != 6 - row:
            raise BadNotation(board, f"row {ROWS[row]} has {6 - row} places, not {len(blocks)}")
        for i, block in enumerate(letters(blocks, ".xo", "block")):
            won |= (block == 1) << ROW * row + i
            dots |= (block == 2) << ROW * row + i
    demand(not dots or seat == p.turn, "dots-out-of-turn", "only the seat in turn has white dots")
    for standing in (won, won | dots):  # what is won was carried by what was won
        air = standing & ~(carried(standing) | BASE)
        name = PLACES[lowest(air)] if air else ""
        demand(
            not air,
            "block-on-air",
            f"the block on {name[2:]} of seat {seat + 1} has nothing to stand on",
        )
    demand(won != PYRAMID, "over-before", f"seat {seat + 1} had won while white dots were up")
    p.won[seat] = won
    p.dots |= dots


def _check_turn(s: State, faces: int) -> None:
    """A die is used for each white dot; the others are on the table or about to be thrown."""
    dots = count(s.dots)
    demand(s.left == DICE - dots, "wrong-dice", f"{dots} white dots leave {DICE - dots} dice")
    demand(s.placed <= dots, "placed-without-dot", f"placed is {s.placed}, white dots are {dots}")
    if faces:
        demand(faces == s.left, "wrong-dice", f"{s.left} dice are unused, {faces} are shown")
        over = to_move(s) == OVER
        demand(
            s.placed > 0 or (placeable(s) != 0 and not over),
            "nothing-to-place",
            "a throw that places nothing ends the turn",
        )
    elif to_move(s) == OVER:
        demand(s.left == 0 and s.placed > 0, "nothing-to-place", "the last block came from a throw")
    else:
        demand(s.left > 0, "turn-is-over", "when all dice are used the turn stops by itself")
        demand(s.placed == 0, "placed-before-throw", "placed is 0 when the dice are to be thrown")
