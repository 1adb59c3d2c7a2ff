"""Reviews of finished games: everybody's chances after every step, and what each decision cost.

Here is what a review is made of. `judges.py` finds out what positions and moves are worth,
`telling.py` what turned the game, and `making.py` puts it all together, step by step.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import exp
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.outcome import Result
from benben.core.player import Certainty, Thought, Worth
from benben.core.position import Position
from benben.core.record import GameRecord
from benben.core.rules import CHANCE
from benben.table.table import Table

VERSION = 2  # of how reviews are made: those of another are made again
NOTHING = 0.005  # of a share: moves that differ by less are worth the same

Grade: TypeAlias = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
# A decision that cost less than this is graded so; one that cost more is a blunder.
GRADES: tuple[tuple[float, Grade], ...] = (
    (NOTHING, "best"),
    (0.05, "good"),
    (0.1, "inaccuracy"),
    (0.2, "mistake"),
)
Shares: TypeAlias = list[float]
_ROUNDING = 1e-12
_LEVEL = re.compile("level-[1-6]")


class NotOver(BenbenError):
    """A game that is still on, or never began, has no review."""


# ---- What is told


class Judged(msgspec.Struct, frozen=True):
    """Who judged: a level, thinking so many nodes or simulations a move; 0 where it is solved."""

    level: int
    nodes: int


class Progress(msgspec.Struct, frozen=True):
    """How many decisions have been thought about thoroughly, of how many."""

    done: int
    total: int


class MoveName(msgspec.Struct, frozen=True):
    """What a move is called after: the pieces it takes first. The words are its game's own."""

    kind: Annotated[str, Meta(description="Of the effect by which they are taken.")]
    move: str
    n: Annotated[int, Meta(description="How many pieces.")] = 1
    source: str = ""
    target: str = ""
    colour: str = ""


class Sentence(msgspec.Struct, frozen=True):
    """Something to say; the words are in the catalogues: a game's own, or `general` ones."""

    id: str
    parameters: dict[str, str | int] = {}
    general: bool = False
    moves: Annotated[
        dict[str, MoveName], Meta(description="By parameter: moves, to be said in words.")
    ] = {}


class ReviewStep(msgspec.Struct, frozen=True):
    """A move or throw (no seat), and everybody's chances after it."""

    seat: int | None
    move: str
    chances: Shares
    certainty: Certainty
    best: str | None = None
    line: list[str] = []
    worth: Annotated[float, Meta(description="Of the move made, to who made it.")] = 0.0
    best_worth: float = 0.0
    lost: Annotated[float, Meta(description="The share a decision gave away.", ge=0)] = 0.0
    luck: Annotated[
        Shares | None, Meta(description="Of a throw: what it changed for each seat.")
    ] = None
    grade: Annotated[Grade | None, Meta(description="Null where there was nothing to decide.")] = (
        None
    )
    belief: Annotated[
        list[Shares] | None,
        Meta(description="By seat: the chance of each colour, as a spectator may believe."),
    ] = None


class SeatReview(msgspec.Struct, frozen=True):
    """How a seat played."""

    accuracy: Annotated[float, Meta(ge=0, le=100)]
    decisions: int
    best: Annotated[int, Meta(description="Decisions that cost nothing.")]
    lost: Annotated[float, Meta(description="All that its decisions gave away.")]
    luck: Annotated[float | None, Meta(description="All that throws gave it.")] = None
    hidden: Annotated[
        float | None,
        Meta(description="From 0, its secret was read at once, to 1, it was never guessed."),
    ] = None


class TurningPoint(msgspec.Struct, frozen=True):
    """Where the game turned: a step, and by how much a seat's chance changed."""

    at: int
    seat: int
    change: float
    idea: Sentence


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game, as far as it has been thought about."""

    id: str
    game: str
    options: dict[str, str | int]
    version: int = VERSION
    table: Annotated[
        str, Meta(description="The id of its table; empty if only its record was brought here.")
    ] = ""
    names: list[str]
    levels: list[int]
    shares: Shares
    reason: str
    exact: bool
    by: Judged
    progress: Progress
    complete: bool
    start: Shares
    steps: Annotated[list[ReviewStep], Meta(description="None until all were looked at once.")]
    seats: list[SeatReview]
    turns: Annotated[list[TurningPoint], Meta(description="At most three, the weightiest first.")]
    decided: Sentence | None
    colours: Annotated[list[str], Meta(description="In the order of beliefs.")] = []
    positions: Annotated[
        list[str], Meta(description="Whole, in text: before the first step, and after each.")
    ] = []


# ---- What is reviewed


@dataclass(frozen=True)
class FinishedGame:
    """A game that is over: where it began, what was played, by whom, and how it ended."""

    start: Position
    steps: tuple[tuple[int | None, str], ...]  # a seat and its move, or no seat and a throw
    names: tuple[str, ...]
    levels: tuple[int, ...]
    result: Result

    @property
    def game(self) -> Game:
        return self.start.game

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(move for _, move in self.steps)

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """Before the first step, and after each."""
        found = [self.start]
        for _, move in self.steps:
            found.append(found[-1].play(move))
        return tuple(found)

    @cached_property
    def texts(self) -> list[str]:
        """The same, written."""
        return [str(position) for position in self.positions]

    @cached_property
    def decisions(self) -> tuple[int, ...]:
        """The steps in which a seat had a choice."""
        return tuple(
            i
            for i, (seat, _) in enumerate(self.steps)
            if seat is not None and len(self.positions[i].moves()) > 1
        )


def game_of_table(table: Table) -> FinishedGame:
    """The game of a table; NotOver if it is still on, or there was none."""
    if table.expired:
        raise NotOver("this table was closed before a game began: there is nothing to review")
    if table.start is None or table.result is None or not table.closed:
        raise NotOver("the game is still on: it can be reviewed when it is over")
    return FinishedGame(
        table.start,
        tuple((step.seat, step.move) for step in table.steps),
        tuple(seat.name for seat in table.seats),
        tuple(0 if seat.taken else seat.level for seat in table.seats),
        table.result,
    )


def game_of_record(record: GameRecord) -> FinishedGame:
    """The game of a record as text; NotOver if it is still on."""
    if record.result is None:
        raise NotOver("the game is still on: it can be reviewed when it is over")
    steps = []
    for position, move in zip(record.positions(), record.moves, strict=False):
        steps.append((None if position.to_move == CHANCE else position.to_move, move))
    seats = record.seats or ("human",) * record.game.players
    levels = tuple(int(each[6:]) if _LEVEL.fullmatch(each) else 0 for each in seats)
    names = tuple("" if each == "human" else each for each in seats)
    return FinishedGame(record.start, tuple(steps), names, levels, record.result)


# ---- What was found out


@dataclass
class Findings:
    """What is known of each position (one more than steps) and decision; judges fill it in."""

    chances: list[Shares]
    certainty: list[Certainty]
    thoughts: dict[int, Thought] = field(default_factory=dict)
    beliefs: list[list[Shares]] = field(default_factory=list)  # after each step
    done: int = 0  # decisions thought about thoroughly
    exact: bool = False


def decision(game: FinishedGame, found: Findings, at: int) -> tuple[Worth, Worth] | None:
    """What the move made was worth, and the best; None if that is not known."""
    thought = found.thoughts.get(at)
    if thought is None:
        return None
    worths = {each.move: each for each in thought.worths}
    played = worths.get(game.steps[at][1])
    best = worths.get(thought.move)
    if played is None or best is None:
        return None
    return played, best


def grade_of(lost: float) -> Grade:
    for below, grade in GRADES:
        if lost < below:
            return grade
    return "blunder"


def accuracy_of(losses: Sequence[float]) -> float:
    """From 0 to 100: the mean over decisions, of which each lost share costs as on Lichess."""
    if not losses:
        return 100.0
    each = [103.1669 * exp(-4.354 * lost) - 3.1669 for lost in losses]
    return sum(min(100.0, max(0.0, one)) for one in each) / len(each)


def step_of(game: FinishedGame, found: Findings, at: int) -> ReviewStep:
    """What there is to tell of a step."""
    seat, move = game.steps[at]
    chances, before = found.chances[at + 1], found.chances[at]
    belief = found.beliefs[at] if found.beliefs else None
    if seat is None:
        luck = [after - was for after, was in zip(chances, before, strict=True)]
        return ReviewStep(seat, move, chances, found.certainty[at + 1], luck=luck, belief=belief)
    pair = decision(game, found, at)
    if pair is None:  # the only move
        worth = chances[seat]
        return ReviewStep(
            seat, move, chances, found.certainty[at + 1], move, [], worth, worth, belief=belief
        )
    played, best = pair
    thought = found.thoughts[at]
    lost = best.share - played.share
    if lost < _ROUNDING:
        best, lost = played, 0.0
    is_choice = best.share - min(each.share for each in thought.worths) >= NOTHING
    return ReviewStep(
        seat,
        move,
        chances,
        found.certainty[at + 1],
        best=best.move,
        line=list(thought.line) if thought.line[:1] == (best.move,) else [best.move],
        worth=played.share,
        best_worth=best.share,
        lost=lost,
        grade=grade_of(lost) if is_choice else None,
        belief=belief,
    )
