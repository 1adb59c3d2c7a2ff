"""Whole games at random, in batches over threads."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from threading import Event

import numpy as np

from benben.core import engine
from benben.core.game import Game
from benben.core.random import generator

BATCH = 1000  # games a kernel call: milliseconds, so that an interrupt is soon heard


@dataclass(frozen=True)
class Playouts:
    """What came of it. `decisions` are players' moves; throws are not counted."""

    games: int
    decisions: int
    seconds: float
    shares: tuple[float, ...]  # the average of each seat


def playouts(
    game: Game,
    games: int | None = None,
    *,
    seconds: float | None = None,
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[int], object] | None = None,
) -> Playouts:
    """Deal and play games at random: so many, or for so long.

    Games are made in batches seeded by (seed, batch number): the same games, whatever the threads.

    >>> import benben
    >>> benben.playouts(benben.game("objectif"), 10).decisions
    240
    """
    if (games is None) == (seconds is None):
        raise ValueError("say either how many games or how many seconds")
    if threads < 1:
        raise ValueError(f"threads must be 1 or more, not {threads}")
    numbers = count()
    enough = Event()
    started = time.perf_counter()

    def work() -> tuple[int, int, np.ndarray[tuple[int], np.dtype[np.float64]]]:
        played = decisions = 0
        totals = np.zeros(game.players, np.float64)
        while not enough.is_set():
            number = next(numbers)
            size = BATCH if games is None else min(BATCH, games - number * BATCH)
            if size <= 0 or (seconds is not None and time.perf_counter() - started >= seconds):
                break
            random = generator((seed, number))
            decisions += engine.playouts(game.blank(), game.numbers, size, random, totals)
            played += size
            if progress is not None:
                progress(size)
        return played, decisions, totals

    with ThreadPoolExecutor(threads) as pool:
        try:
            parts = [job.result() for job in [pool.submit(work) for _ in range(threads)]]
        finally:
            enough.set()
    elapsed = time.perf_counter() - started
    played = sum(part[0] for part in parts)
    totals = sum((part[2] for part in parts), np.zeros(game.players))
    return Playouts(
        played, sum(part[1] for part in parts), elapsed, tuple((totals / max(played, 1)).tolist())
    )
