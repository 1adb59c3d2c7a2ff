"""Quadrille: an independent, naive reading of the sheet.

Used in lockstep with the fast rules; it shares no code with them.
It follows the rule sheet and its rulings word by word, and is written to be obvious, not fast.
"""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

FILES = "abcdefgh"
RANKS = "123456"
COLOURS = "broy"
TOKENS_PER_COLOUR = 12
QUIET_LIMIT = 50

OTHER = {"w": "b", "b": "w"}
SEAT = {"w": 0, "b": 1}

# A board maps every square ("a1" to "h6") to its tokens, bottom first: "" is a hole.
Board = dict[str, str]


@cache
def all_squares() -> list[str]:
    return [file + rank for file in FILES for rank in RANKS]


def parse_board(text: str) -> Board:
    board = {}
    for rank, row in zip(reversed(RANKS), text.split("/"), strict=True):
        rest = row
        for file in FILES:
            if rest[0] == "(":
                board[file + rank] = rest[1:3]
                rest = rest[4:]
            elif rest[0] == ".":
                board[file + rank] = ""
                rest = rest[1:]
            else:
                board[file + rank] = rest[0]
                rest = rest[1:]
    return board


def board_text(board: Board) -> str:
    rows = []
    for rank in reversed(RANKS):
        row = ""
        for file in FILES:
            tokens = board[file + rank]
            if len(tokens) == 0:
                row += "."
            elif len(tokens) == 1:
                row += tokens
            else:
                row += "(" + tokens + ")"
        rows.append(row)
    return "/".join(rows)


@cache
def neighbours(square: str) -> list[str]:
    """The squares one step away in the eight directions."""
    result = []
    for other in all_squares():
        files_apart = abs(FILES.index(square[0]) - FILES.index(other[0]))
        ranks_apart = abs(RANKS.index(square[1]) - RANKS.index(other[1]))
        if max(files_apart, ranks_apart) == 1:
            result.append(other)
    return result


class State:
    def __init__(
        self,
        board: Board,
        pawns: dict[str, list[str]],
        turn: str,
        phase: str,
        hand: str,
        gift: str,
        quiet: int,
    ) -> None:
        self.board = board
        self.pawns = pawns  # "w" and "b" to the squares of that player's pawns
        self.turn = turn  # "w" or "b"
        self.phase = phase  # "pawn", "step" or "token"
        self.hand = hand  # the token the mover has to place, or "-"
        self.gift = gift  # the token just lifted, or "-"
        self.quiet = quiet  # steps since the last new hole

    @classmethod
    def parse(cls, text: str, options: dict[str, object]) -> State:
        del options  # no option changes the play: the layout only matters at the start
        board, white, black, turn, phase, hand, gift, quiet = text.split(" ")
        return cls(
            board=parse_board(board),
            pawns={
                "w": [] if white == "-" else white.split(","),
                "b": [] if black == "-" else black.split(","),
            },
            turn=turn,
            phase=phase,
            hand=hand,
            gift=gift,
            quiet=int(quiet),
        )

    def text(self) -> str:
        board = board_text(self.board)
        white = ",".join(sorted(self.pawns["w"])) if self.pawns["w"] else "-"
        black = ",".join(sorted(self.pawns["b"])) if self.pawns["b"] else "-"
        return (
            f"{board} {white} {black} {self.turn} {self.phase} {self.hand} {self.gift} {self.quiet}"
        )

    def copy(self) -> State:
        return State(
            board=dict(self.board),
            pawns={"w": list(self.pawns["w"]), "b": list(self.pawns["b"])},
            turn=self.turn,
            phase=self.phase,
            hand=self.hand,
            gift=self.gift,
            quiet=self.quiet,
        )

    def is_available(self, square: str) -> bool:
        """At least one token and no pawn."""
        has_token = self.board[square] != ""
        has_pawn = square in self.pawns["w"] or square in self.pawns["b"]
        return has_token and not has_pawn

    def colour(self, square: str) -> str:
        """The top token's colour."""
        return self.board[square][-1]

    def controlled(self, player: str) -> list[str]:
        """The colours under the player's pawns."""
        return [self.colour(square) for square in self.pawns[player]]

    def may_enter(self, square: str) -> bool:
        """May the mover put or step a pawn here: available, and its colour free for the mover?"""
        if not self.is_available(square):
            return False
        return self.colour(square) not in self.controlled(OTHER[self.turn])

    def pawn_puts(self) -> list[str]:
        return ["@" + square for square in all_squares() if self.may_enter(square)]

    def steps(self) -> list[str]:
        return [
            origin + target
            for origin in self.pawns[self.turn]
            for target in neighbours(origin)
            if self.may_enter(target)
        ]

    def token_places(self) -> list[str]:
        """Available squares that hold exactly one token, of another colour than the hand's."""
        result = []
        for square in all_squares():
            if not self.is_available(square):
                continue
            if len(self.board[square]) == 1 and self.board[square] != self.hand:
                result.append("+" + square)
        return result

    def reason(self) -> str | None:
        """Why the game is over; only looked at when a turn begins, which is the step phase."""
        if self.phase != "step":
            return None
        if not self.steps():
            return "cannot-step"  # first, even when 50 quiet steps are complete (Ruling 5)
        if self.quiet >= QUIET_LIMIT:
            return "quiet"
        return None

    def to_move(self) -> int | None:
        if self.reason() is not None:
            return None
        return SEAT[self.turn]

    def moves(self) -> list[str]:
        if self.reason() is not None:
            return []
        if self.phase == "pawn":
            return self.pawn_puts()
        if self.phase == "step":
            return self.steps()
        return self.token_places()

    def throws(self) -> dict[str, Fraction]:
        return {}  # no chance in this game

    def play(self, move: str) -> State:
        after = self.copy()
        if move[0] == "@":
            after.put_pawn(move[1:])
        elif move[0] == "+":
            after.place_token(move[1:])
        else:
            after.step(move[:2], move[2:])
        return after

    def put_pawn(self, square: str) -> None:
        self.pawns[self.turn].append(square)
        self.turn = OTHER[self.turn]
        if len(self.pawns["w"]) == 2 and len(self.pawns["b"]) == 2:
            self.phase = "step"

    def step(self, origin: str, target: str) -> None:
        # 1. Step.
        self.pawns[self.turn].remove(origin)
        self.pawns[self.turn].append(target)
        # 2. Hand over the top token of the square just left.
        self.gift = self.board[origin][-1]
        self.board[origin] = self.board[origin][:-1]
        if self.board[origin] == "":
            self.quiet = 0
        else:
            self.quiet += 1
        # 3. Place the token handed over the turn before, if there is one and it has a place.
        if self.hand == "-":
            self.end_turn()
        elif not self.token_places():
            self.end_turn()  # Ruling 4: the token in hand leaves the game
        else:
            self.phase = "token"

    def place_token(self, square: str) -> None:
        self.board[square] += self.hand
        self.end_turn()

    def end_turn(self) -> None:
        """The gift reaches the opponent's hand, and the opponent's turn begins."""
        self.hand = self.gift
        self.gift = "-"
        self.turn = OTHER[self.turn]
        self.phase = "step"

    def shares(self) -> list[Fraction] | None:
        reason = self.reason()
        if reason is None:
            return None
        if reason == "quiet":
            return [Fraction(1, 2), Fraction(1, 2)]
        loser = SEAT[self.turn]
        return [Fraction(0 if seat == loser else 1) for seat in range(2)]


def start(options: dict[str, object], rng: random.Random) -> State:
    if options.get("layout", "regular") == "random":
        tokens = list(COLOURS * TOKENS_PER_COLOUR)
        rng.shuffle(tokens)
        board = dict(zip(all_squares(), tokens, strict=True))
    else:
        board = {}
        for square in all_squares():
            tile = "br" if square[1] in "135" else "oy"
            board[square] = tile[FILES.index(square[0]) % 2]
    return State(
        board=board,
        pawns={"w": [], "b": []},
        turn="w",
        phase="pawn",
        hand="-",
        gift="-",
        quiet=0,
    )
