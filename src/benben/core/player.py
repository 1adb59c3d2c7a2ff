"""What a player is given and what it answers, whoever it is.

A player sees a `Turn`: its own view, what has happened in public, the legal moves, how much it may
think, and a seed. There is no position in it, so there is no secret in it. It answers with a
`Thought`: a move and, if it can, what every legal move is worth.

The same turn, seed and budget in simulations alone give the same thought. A player that thinks asks
`turn.checkpoint()` every few milliseconds. If that says that the turn is cancelled, it stops within
20 ms and raises `Cancelled`; one whose answer takes no time may as well give it.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from threading import Event
from typing import Literal, Protocol, TypeAlias

from benben.core.errors import BadBudget, NotToMove
from benben.core.position import Position, View
from benben.core.rules import CHANCE

MOST_SIMULATIONS = 100_000_000
MOST_SECONDS = 3600.0


@dataclass(frozen=True)
class Budget:
    """How much a player may think: so many simulations, or seconds; if both, whichever end first.

    With `cpu` the seconds are those the thinking thread itself was at work: whatever else a machine
    does meanwhile, a player gets no less. For measuring; people wait by the clock on the wall.

    >>> Budget(simulations=0)
    Traceback (most recent call last):
    benben.core.errors.BadBudget: simulations=0: must be a whole number from 1 to 100000000
    """

    simulations: int | None = None
    seconds: float | None = None
    cpu: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        if self.simulations is None and self.seconds is None:
            raise BadBudget("a budget is in simulations, in seconds or both: give at least one")
        n = self.simulations
        if n is not None and not (isinstance(n, int) and 1 <= n <= MOST_SIMULATIONS):
            raise BadBudget(f"simulations={n}: must be a whole number from 1 to {MOST_SIMULATIONS}")
        s = self.seconds
        if s is not None and not (isfinite(s) and 0 < s <= MOST_SECONDS):
            raise BadBudget(f"seconds={s:g}: must be more than 0, at most {MOST_SECONDS:g}")

    def within(self, seconds: float) -> "Budget":
        """The same, but no more than so many seconds.

        >>> Budget(simulations=500).within(0.05)
        Budget(simulations=500, seconds=0.05)
        >>> Budget(seconds=1.0).within(3.0)
        Budget(simulations=None, seconds=1.0)
        """
        if self.seconds is not None and self.seconds <= seconds:
            return self
        return Budget(self.simulations, seconds, self.cpu)

    def now(self) -> float:
        """The time that its seconds are counted by; only differences mean anything."""
        return time.thread_time() if self.cpu else time.perf_counter()


class Cancel(Event):
    """An event that ends long work, and may let it wait at a checkpoint before."""

    def checkpoint(self) -> bool:
        """Whether the work is cancelled. It may wait here while others need the processor."""
        return self.is_set()


def checkpoint(cancelled: Event) -> bool:
    """Whether work is cancelled, asked between two slices of some milliseconds."""
    return cancelled.checkpoint() if isinstance(cancelled, Cancel) else cancelled.is_set()


@dataclass(frozen=True)
class History:
    """What has happened in public: the start as the seat saw it, then every move and throw.

    Moves that were taken back are not in it.
    """

    start: View
    moves: tuple[str, ...] = ()


@dataclass(frozen=True)
class Turn:
    """A decision to make, as the seat to move sees it; NotToMove if there is none.

    >>> import benben
    >>> start = benben.game("objectif").deal(seed=1)
    >>> turn = Turn.at(start, (), start, Budget(simulations=100))
    >>> str(turn.view).split()[-1], turn.seat
    ('g?', 0)
    """

    view: View
    history: History
    moves: tuple[str, ...]  # the legal ones, in the game's order
    budget: Budget
    seed: int = 0
    cancelled: Event = field(default_factory=Event, compare=False)

    def __post_init__(self) -> None:
        turn = self.view.to_move
        if turn is None:
            raise NotToMove("the game is over: there is nothing to decide")
        if turn == CHANCE:
            raise NotToMove("a throw is due: there is nothing to decide")
        if turn != self.view.seat:
            whose = "a spectator" if self.view.seat is None else f"seat {self.view.seat + 1}"
            raise NotToMove(f"seat {turn + 1} is to move, and this is the view of {whose}")
        if self.seed < 0:
            raise BadBudget(f"seed={self.seed}: must be 0 or more")

    @classmethod
    def at(
        cls,
        start: Position,
        moves: Sequence[str],
        position: Position,
        budget: Budget,
        seed: int = 0,
        cancelled: Event | None = None,
    ) -> "Turn":
        """The turn of whoever is to move in a position, reached from a start by these moves."""
        seat = position.to_move
        if seat is None or seat == CHANCE:
            seat = None
        view = position.view(seat)
        history = History(start.view(seat), tuple(moves))
        return cls(view, history, tuple(view.moves()), budget, seed, cancelled or Event())

    def checkpoint(self) -> bool:
        """Whether to stop thinking. Work that is less urgent than others' may wait here."""
        return checkpoint(self.cancelled)

    @property
    def seat(self) -> int:
        seat = self.view.seat
        assert seat is not None
        return seat


Certainty: TypeAlias = Literal["exact", "proven", "estimated"]


@dataclass(frozen=True)
class Worth:
    """What a move is worth: the share of the win it can expect, and how sure that is.

    `error` is the standard error of the share: 0 when it is certain, 0.5 when nothing is known.
    It is `exact` where the game is solved, `proven` where a search saw every way to its end, and
    otherwise `estimated`.
    """

    move: str
    share: float
    error: float
    certainty: Certainty = "estimated"


@dataclass(frozen=True)
class Thought:
    """The move a player makes and, if it can tell, how it came to it.

    `worths` says what each legal move is worth, in their order; `line` how the player expects the
    game to go on, its own move first; `belief` how likely it holds each secret to be: by seat,
    the chances of what that seat may have, in the game's order.
    """

    move: str
    worths: tuple[Worth, ...] = ()
    simulations: int = 0  # or nodes
    line: tuple[str, ...] = ()
    belief: tuple[tuple[float, ...], ...] = ()


class Cancelled(Exception):
    """The answer is no longer wanted; `thought` is what there was of one so far."""

    def __init__(self, thought: Thought | None = None) -> None:
        self.thought = thought
        super().__init__("thinking was cancelled")


class Player(Protocol):
    """Somebody to play with. `name` is what a list of results calls it."""

    name: str

    def think(self, turn: Turn) -> Thought:
        """Decide; PlayerFailed if that cannot be done, Cancelled if it was no longer wanted."""

    def close(self) -> None:
        """Release what the player holds, such as a process. It may be asked to think again."""
        return
