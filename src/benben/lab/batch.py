"""Thousands of games at once, for training: one kernel steps them all.

Every game has generators of its own, seeded by the batch's seed and its place in the batch: game 7
goes the same way in a batch of 8 and in one of 8,000, on any number of threads. A game that ends is
rewarded, and the next one is dealt in its place at once: what is then seen is the new game.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from benben.core import environment as kernels
from benben.core.environment import Environment
from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.kernel import Bytes, Floats, Ints
from benben.core.position import Position
from benben.core.random import generator

LUCK, PLAY = 0, 1  # what a game's generators are for


class Batch:
    """So many games of a kind, each waiting for the decision of one seat.

    The arrays are those of the batch, and change with the next step: copy what is to be kept.

    - `seats`: who is to move, by game;
    - `observations`: what that seat sees, by game: `fields` splits them by name;
    - `masks`: which actions are legal, by game and action;
    - `rewards`: of the last step, by game and seat: 0 unless the game ended, then from -1 / (n - 1)
      for a loss to 1 for a win among n, all together 0: (n × share - 1) / (n - 1);
    - `done`: whether it ended.

    >>> import benben
    >>> batch = Batch(benben.game("quadrille"), 1000, seed=1)
    >>> for _ in range(100):
    ...     batch.step(batch.draw())
    >>> batch.observations.shape, batch.masks.shape, int(batch.done.sum())
    ((1000, 494), (1000, 400), 23)
    """

    def __init__(self, game: Game, size: int, *, seed: int = 0, threads: int = 1) -> None:
        if size < 1 or threads < 1:
            raise BenbenError(f"size={size}, threads={threads}: each must be 1 or more")
        self.environment = Environment(game)
        self.size, self.threads = size, min(threads, size)
        actions = len(self.environment.codes)
        self._records = np.zeros(size, game.rules.STATE)
        self._masks = np.zeros((size, actions), np.uint8)
        self._done = np.zeros(size, np.uint8)
        self.seats: Ints = np.zeros(size, np.int64)
        self.observations: Bytes = np.zeros((size, self.environment.size), np.uint8)
        self.masks: NDArray[np.bool_] = self._masks.view(np.bool_)
        self.rewards: Floats = np.zeros((size, game.players), np.float64)
        self.done: NDArray[np.bool_] = self._done.view(np.bool_)
        cuts = [size * part // self.threads for part in range(self.threads + 1)]
        self._parts = [slice(a, b) for a, b in pairwise(cuts)]
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self.reset(seed)

    @property
    def game(self) -> Game:
        return self.environment.game

    @property
    def fields(self) -> dict[str, Bytes]:
        """The observations by the names of their fields."""
        return self.environment.split(self.observations)

    def position(self, number: int) -> Position:
        """The whole position of a game, secrets included."""
        return Position(self.game, self._records[number : number + 1].copy())

    def reset(self, seed: int) -> None:
        """Deal all games anew."""
        numbers = range(self.size)
        self._luck = np.array([generator((seed, LUCK, number)) for number in numbers])
        self._play = np.array([generator((seed, PLAY, number)) for number in numbers])
        self.rewards[:], self._done[:] = 0, 0

        def deal(part: slice) -> None:
            kernels.begin_all(
                self._records[part],
                self.environment.blank,
                self.game.numbers,
                self._luck[part],
                self.seats[part],
            )
            self._tell(part)

        self._each(deal)

    def step(self, actions: ArrayLike) -> None:
        """Play an action in every game; if one cannot be played, none is.

        >>> import benben
        >>> batch = Batch(benben.game("quadrille"), 2)
        >>> batch.step([0, 48])
        Traceback (most recent call last):
        benben.core.errors.IllegalMove: +a1 is illegal (pawns-first): all four pawns come first
        """
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != (self.size,):
            raise BenbenError(f"there are {self.size} games, not {chosen.shape}: one action each")
        codes = self.environment.codes
        wrong = kernels.first_illegal(self._records, codes, chosen)
        if wrong >= 0:
            action = int(chosen[wrong])
            if not 0 <= action < len(codes):
                why = f"game {wrong}: there is no action {action}; they are 0 to {len(codes) - 1}"
                raise BenbenError(why)
            self.position(wrong).play(self.environment.text(action))  # says why not

        def play(part: slice) -> None:
            kernels.step_all(
                self._records[part],
                self.environment.blank,
                self.game.numbers,
                self._luck[part],
                codes,
                chosen[part],
                self.seats[part],
                self.rewards[part],
                self._done[part],
            )
            self._tell(part)

        self._each(play)

    def draw(self) -> Ints:
        """A legal action in every game, each equally likely; luck does not depend on it."""
        chosen = np.empty(self.size, np.int64)
        kernels.draw_all(self._records, self.environment.actions, self._play, chosen)
        return chosen

    def _tell(self, part: slice) -> None:
        kernels.tell_all(
            self._records[part],
            self.environment.blank,
            self.seats[part],
            self.environment.actions,
            np.empty(self.game.rules.MOST_MOVES, np.int64),
            self.observations[part],
            self._masks[part],
        )

    def _each(self, work: Callable[[slice], Any]) -> None:
        if self._pool is None:
            work(self._parts[0])
        else:
            list(self._pool.map(work, self._parts))
