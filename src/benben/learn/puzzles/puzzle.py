"""Puzzles: positions of real games in which one move is clearly best, or the only one that wins.

They are data, `puzzles.json` beside a game's rules, made by `benben puzzles mine` (`lab/mining.py`)
and checked by `benben puzzles check`. A puzzle is what the seat to move sees, and knows of every
legal move what it is worth, how certain that is, and what follows it.
"""

from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from benben.core.errors import BadNotation, BenbenError
from benben.core.game import Game
from benben.core.player import Budget, Certainty, History, Thought, Turn, Worth
from benben.core.position import Position, View
from benben.core.registry import info, restore
from benben.learn.hints import Advice, advice

FORMAT = 1
GRADES = range(1, 7)  # the easiest level that finds the solution reliably
GAP = 0.05  # of a share: at least so much better is the solution than any other move
SAME = 1e-9  # moves whose worths differ by less come to the same
FILE = "puzzles.json"

Phase = Literal["opening", "middle", "end"]
# What is asked for: the one move that is proven to win, the one that is not proven to lose, or the
# one that is clearly best.
Task = Literal["win", "save", "best"]
# What is told of a move: it does what was asked for; it is proven to lose; it does not win, or not
# surely, as another does; it is worth less.
Why = Literal["win", "save", "best", "loses", "no-win", "worse"]


class NoPuzzle(BenbenError):
    """There is no such puzzle, or none of such a game."""


class BadPuzzles(BenbenError):
    """A file of puzzles that cannot be read."""


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A legal move: its worth, and what follows when all play their best.

    A line ends where luck decides, and when it has told enough. Where something is hidden it is
    what would happen in one `position` of all that may be.
    """

    move: str
    share: float
    certainty: Certainty
    line: tuple[str, ...] = ()
    position: str = ""

    @property
    def wins(self) -> bool:
        return self.certainty == "proven" and self.share == 1

    @property
    def loses(self) -> bool:
        return self.certainty == "proven" and self.share == 0


class Puzzle(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A position, as the seat to move sees it, and its solution."""

    id: str
    options: dict[str, str | int]
    position: str
    seat: int  # from 0
    solution: str
    also: tuple[str, ...] = ()  # moves that come to the same
    best: float  # what the solution is worth, in shares of the win
    second: float  # and the best of the other moves
    certainty: Certainty
    nodes: int  # each move, or all of them, was judged with; 0 where it was looked up
    grade: int
    found: tuple[int, ...]  # how often each level found it
    phase: Phase
    answers: tuple[Answer, ...]  # of every legal move, in the game's order
    checked: int = 0  # nodes with which it was judged again, and held

    def game(self, name: str) -> Game:
        return restore(name, self.options)

    def view(self, name: str) -> View:
        """What the seat to move sees."""
        return self.game(name).parse_view(self.position, self.seat)

    @property
    def task(self) -> Task:
        if self.answer(self.solution).wins:
            return "win"
        others = [answer for answer in self.answers if answer.move not in self.right]
        return "save" if all(answer.loses for answer in others) else "best"

    def why(self, move: str) -> Why:
        """What is to be told of a legal move."""
        if move in self.right:
            return self.task
        if self.answer(move).loses:
            return "loses"
        return "no-win" if self.task == "win" else "worse"

    @property
    def right(self) -> tuple[str, ...]:
        """Every move that solves it."""
        return (self.solution, *self.also)

    def answer(self, move: str) -> Answer:
        """What is known of a legal move; BadNotation if it is none."""
        for answer in self.answers:
            if answer.move == move:
                return answer
        raise BadNotation(move, "not a legal move of this puzzle")

    def start(self, name: str, answer: Answer) -> Position | View:
        """Where the line of an answer begins."""
        return self.game(name).parse(answer.position) if answer.position else self.view(name)


class Made(msgspec.Struct, frozen=True):
    """How the puzzles of a game were made."""

    command: str
    seed: str
    games: int  # of bots, that were looked through
    nodes: int
    benben: str  # its version


class Checked(msgspec.Struct, frozen=True):
    """Judged anew with so many nodes: those that did not hold were dropped."""

    nodes: int
    dropped: tuple[str, ...]


class Collection(msgspec.Struct, frozen=True, kw_only=True):
    """All puzzles of a game."""

    format: int = FORMAT
    game: str
    rules: int  # their version
    made: Made
    checked: Checked | None = None
    puzzles: tuple[Puzzle, ...] = ()

    def puzzle(self, wanted: str) -> Puzzle:
        """The one of this id; NoPuzzle if there is none."""
        for puzzle in self.puzzles:
            if puzzle.id == wanted:
                return puzzle
        raise NoPuzzle(f"{self.game} has no puzzle {wanted}")


def read(text: bytes) -> Collection:
    """Puzzles from their file; BadPuzzles if it is not of the form it must have."""
    try:
        found = msgspec.json.decode(text, type=Collection)
    except msgspec.DecodeError as error:
        raise BadPuzzles(f"these are not puzzles: {error}") from error
    if found.format != FORMAT:
        raise BadPuzzles(f"puzzles of format {found.format}; this is for {FORMAT}")
    return found


def write(collection: Collection) -> bytes:
    """The file: what they have in common, then a line for each puzzle."""
    head = msgspec.json.encode(msgspec.structs.replace(collection, puzzles=()))
    lines = b",\n".join(map(msgspec.json.encode, collection.puzzles))
    return head.removesuffix(b"]}") + b"\n" + lines + b"\n]}\n"


@cache
def puzzles(name: str) -> Collection | None:
    """The puzzles of a game, or None if it has none; no rule is needed for that."""
    file = files("benben.games") / info(name).name / FILE
    try:
        return read(file.read_bytes())
    except FileNotFoundError:
        return None


def collection(name: str) -> Collection:
    """The puzzles of a game; NoPuzzle if it has none."""
    found = puzzles(name)
    if found is None or not found.puzzles:
        raise NoPuzzle(f"{name} has no puzzles")
    return found


def advised(name: str, puzzle: Puzzle) -> Advice:
    """Where to look, and why the solution is good, as hints tell it."""
    view = puzzle.view(name)
    worths = tuple(Worth(each.move, each.share, 0.0, each.certainty) for each in puzzle.answers)
    turn = Turn(view, History(view), tuple(view.moves()), Budget(simulations=1))
    return advice(turn, Thought(puzzle.solution, worths))
