"""Background work (opinions and reviews), with lower priority than bots that people play with.

One piece of work runs at a time, in slices of some milliseconds, in rotation. Unrequested work has
the lowest priority, and is cancelled by the next move at any table: its thread would compete with
that move for the interpreter.
"""

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Condition
from typing import ParamSpec, TypeVar

from benben.core.player import Cancel
from benben.live.bots import BotPool

REVIEW_PATIENCE = 0.25  # seconds after which a review takes a slice though bots think
_POLL_SECONDS = 0.01  # between looks whether bots still think
_LAG_SAMPLES = 10

P = ParamSpec("P")
T = TypeVar("T")


class BackgroundWork(Cancel):
    """Something to think about in slices. Its `checkpoint` waits for the next one.

    Work that is `unasked` is cancelled by the next move. It can be requested later.
    """

    def __init__(
        self, pool: "BackgroundPool", is_blocked: Callable[[], bool], patience: float, unasked: bool
    ) -> None:
        super().__init__()
        self.is_blocked, self.patience, self.unasked = is_blocked, patience, unasked
        self._pool, self._moves = pool, pool.moves()

    def checkpoint(self) -> bool:
        if not self.is_set():
            self._pool.wait_for_turn(self)
        if self.unasked and self._pool.moves() != self._moves:
            self.set()  # for good: what a search found so far is too little to go on with
        return self.is_set()


class BackgroundPool:
    """The background work of a server. `moves` counts the moves at all of its tables."""

    def __init__(self, threads: int, bots: BotPool, moves: Callable[[], int]) -> None:
        self.moves, self._bots = moves, bots
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="background")
        self._queue: deque[BackgroundWork] = deque()  # the first one runs
        self._changed = Condition()

    def opinion(self) -> BackgroundWork:
        """Work for a spectator. It pauses while bots need every processor."""
        return BackgroundWork(self, lambda: self._bots.busy, math.inf, unasked=False)

    def review(self, *, unasked: bool) -> BackgroundWork:
        """Work for later. It pauses while any bot thinks, but not without end."""
        return BackgroundWork(self, lambda: self._bots.under_way > 0, REVIEW_PATIENCE, unasked)

    async def run(
        self, work: BackgroundWork, function: Callable[P, T], *args: P.args, **kw: P.kwargs
    ) -> T:
        """Run a function that does some of the work in a thread; returns its result."""

        def call() -> T:
            try:
                return function(*args, **kw)
            finally:
                with self._changed:
                    self._leave(work)

        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    def wait_for_turn(self, work: BackgroundWork) -> None:
        """Wait until this work may run its next slice, or is cancelled."""
        with self._changed:
            if list(self._queue) == [work] and not work.is_blocked():
                return
            self._leave(work)
            self._queue.append(work)
            until = time.monotonic() + work.patience
            while not work.is_set() and time.monotonic() < until:
                if self._next is work and not work.is_blocked():
                    break
                self._changed.wait(_POLL_SECONDS)

    async def close(self) -> None:
        """Wait for the threads, whose work has to be cancelled before."""
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)

    @property
    def _next(self) -> BackgroundWork:
        """The work whose turn it is: the first in the queue that was requested."""
        return min(self._queue, key=lambda work: work.unasked)

    def _leave(self, work: BackgroundWork) -> None:
        if work in self._queue:
            self._queue.remove(work)
            self._changed.notify_all()


async def measure_lag(seconds: float) -> float:
    """Wait, and return by how many seconds the event loop was late at worst meanwhile."""
    step, worst = seconds / _LAG_SAMPLES, 0.0
    for _ in range(_LAG_SAMPLES):
        due = time.monotonic() + step
        await asyncio.sleep(step)
        worst = max(worst, time.monotonic() - due)
    return worst
