"""Bâtisseurs: an independent, naive reading of the sheet.

Used in lockstep with the fast rules; it shares no code with them.
It follows the rule sheet and its rulings word by word, and is written to be obvious, not fast.
"""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from math import factorial

ROWS = "abcdef"
ROW_LENGTHS = {"a": 6, "b": 5, "c": 4, "d": 3, "e": 2, "f": 1}
ALL_BLOCKS = 21
ALL_DICE = 6

FREE = "."
WON = "x"
WHITE_DOT = "o"

# A board maps every place ("a1" to "f1") to FREE, WON or WHITE_DOT.
Board = dict[str, str]


@cache
def all_places() -> list[str]:
    """The 21 places of a board, row by row from the bottom."""
    return [row + str(number) for row in ROWS for number in range(1, ROW_LENGTHS[row] + 1)]


def empty_board() -> Board:
    return dict.fromkeys(all_places(), FREE)


def parse_board(text: str) -> Board:
    board = {}
    for row, marks in zip(ROWS, text.split("/"), strict=True):
        for number, mark in enumerate(marks, start=1):
            board[row + str(number)] = mark
    return board


def board_text(board: Board) -> str:
    rows = []
    for row in ROWS:
        marks = ""
        for number in range(1, ROW_LENGTHS[row] + 1):
            marks += board[row + str(number)]
        rows.append(marks)
    return "/".join(rows)


def count_blocks(board: Board) -> int:
    return len(board) - list(board.values()).count(FREE)


@cache
def places_below(place: str) -> list[str]:
    """The places that must carry a block at `place`: b3 needs a3 and a4; row a needs none."""
    row = place[0]
    number = int(place[1])
    if row == "a":
        return []
    row_below = ROWS[ROWS.index(row) - 1]
    return [row_below + str(number), row_below + str(number + 1)]


def can_place(board: Board, place: str) -> bool:
    """Is the place free and carried? White dots carry as well as won blocks do (Ruling 2)."""
    if board[place] != FREE:
        return False
    return all(board[below] != FREE for below in places_below(place))


class State:
    def __init__(
        self,
        boards: list[Board],
        turn: int,
        dice: list[str],
        left: int,
        placed: int,
        placing: str,
    ) -> None:
        self.boards = boards
        self.turn = turn  # seat from 0
        self.dice = dice  # the unused faces on the table; none when a throw is due
        self.left = left  # dice not yet used this turn
        self.placed = placed  # blocks placed since the last throw
        self.placing = placing  # "all" or "free"

    @classmethod
    def parse(cls, text: str, options: dict[str, object]) -> State:
        boards, turn, dice, left, placed = text.split(" ")
        return cls(
            boards=[parse_board(board) for board in boards.split("|")],
            turn=int(turn) - 1,
            dice=[] if dice == "-" else list(dice),
            left=int(left),
            placed=int(placed),
            placing=str(options.get("placing", "all")),
        )

    def text(self) -> str:
        boards = "|".join(board_text(board) for board in self.boards)
        dice = "".join(sorted(self.dice)) if self.dice else "-"
        return f"{boards} {self.turn + 1} {dice} {self.left} {self.placed}"

    def copy(self) -> State:
        return State(
            boards=[dict(board) for board in self.boards],
            turn=self.turn,
            dice=list(self.dice),
            left=self.left,
            placed=self.placed,
            placing=self.placing,
        )

    def winner(self) -> int | None:
        """The seat with 21 blocks on the own board, white dots included (Ruling 6)."""
        for seat, board in enumerate(self.boards):
            if count_blocks(board) == ALL_BLOCKS:
                return seat
        return None

    def throw_is_due(self) -> bool:
        """No face lies on the table while the game is on: the dice are about to be thrown.

        (With all six dice used the turn stops by itself, so that never waits for a move.)
        """
        return self.winner() is None and self.dice == []

    def placements(self) -> list[str]:
        """Every place of the mover's board where an unused die can put a block now."""
        board = self.boards[self.turn]
        return [
            place for place in all_places() if place[0] in self.dice and can_place(board, place)
        ]

    def to_move(self) -> int | None:
        if self.winner() is not None:
            return None
        if self.throw_is_due():
            return -1
        return self.turn

    def moves(self) -> list[str]:
        if self.winner() is not None or self.throw_is_due():
            return []
        placements = self.placements()
        if self.placing == "all" and placements:
            # Ruling 3: go on while any unused die of this throw can place a block.
            return placements
        if self.placed >= 1:
            return [*placements, "roll", "stop"]
        return placements

    def throws(self) -> dict[str, Fraction]:
        if not self.throw_is_due():
            return {}
        result = {}
        for faces in sorted_faces(self.left):
            orders = factorial(self.left)
            for row in ROWS:
                orders //= factorial(faces.count(row))
            result["=" + faces] = Fraction(orders, 6**self.left)
        return result

    def play(self, move: str) -> State:
        after = self.copy()
        if move.startswith("="):
            after.dice = list(move[1:])
            after.placed = 0
            if not after.placements():
                # The throw places nothing: all blocks placed this turn are lost.
                after.end_turn(FREE)
        elif move == "roll":
            after.dice = []
            after.placed = 0
        elif move == "stop":
            after.end_turn(WON)
        else:
            after.boards[after.turn][move] = WHITE_DOT
            after.dice.remove(move[0])
            after.left -= 1
            after.placed += 1
            if after.winner() is not None:
                # Ruling 6: the game is over at once; everything stays as it lies.
                pass
            elif after.left == 0:
                # Ruling 4: nothing to roll, the turn stops by itself, blocks won.
                after.end_turn(WON)
        return after

    def end_turn(self, white_dots_become: str) -> None:
        """Win or lose the mover's white dots, and give the next seat six dice to throw."""
        board = self.boards[self.turn]
        for place in all_places():
            if board[place] == WHITE_DOT:
                board[place] = white_dots_become
        self.turn = (self.turn + 1) % len(self.boards)
        self.dice = []
        self.left = ALL_DICE
        self.placed = 0

    def shares(self) -> list[Fraction] | None:
        winner = self.winner()
        if winner is None:
            return None
        return [Fraction(1 if seat == winner else 0) for seat in range(len(self.boards))]

    def reason(self) -> str | None:
        if self.winner() is None:
            return None
        return "complete"


def sorted_faces(number: int) -> list[str]:
    """Every sorted string of `number` row letters."""
    if number == 0:
        return [""]
    return [
        shorter + row
        for shorter in sorted_faces(number - 1)
        for row in ROWS
        if shorter == "" or shorter[-1] <= row
    ]


def start(options: dict[str, object], rng: random.Random) -> State:
    players = int(str(options.get("players", 2)))
    first = options.get("first", 1)
    turn = rng.randrange(players) if first == "random" else int(str(first)) - 1
    return State(
        boards=[empty_board() for _ in range(players)],
        turn=turn,
        dice=[],
        left=ALL_DICE,
        placed=0,
        placing=str(options.get("placing", "all")),
    )
