"""The bots of a server that think: who waits, whose turn is next, and how long each may take.

First come, first served. A table has one thought at a time and comes last for its next one, so
between two of its thoughts everybody who was waiting has been served: who plays fast gets no more
than others.

When many wait, each thinks less. A thought that begins is given an equal share of the time in which
it and all that wait are to be answered, each counted from when it came. With nobody waiting a
budget is what it always is, and so is the move.
"""

import asyncio
import os
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from threading import Lock

from benben.bots.entrants import Entrant, entrant
from benben.core.game import Game
from benben.core.player import Cancelled, Player, Thought, Turn

WITHIN = 4.0  # seconds in which whoever comes is to be answered
LEAST = 0.05  # seconds of thinking, however many wait: with less, bots would play at random
RECENT = 4  # bots that are kept: the best have some 24 MB each


def default_thinkers() -> int:
    """How many bots think at once unless told: one a core.

    No core is kept for people. What they do takes little, and they wait far longer for bots: on two
    cores a hundred of them would never be answered within `WITHIN` if only one bot could think.
    """
    return os.cpu_count() or 1


class RecentBots:
    """The bots that played last: what one found for its last move is of use for its next."""

    def __init__(self) -> None:
        self._bots: OrderedDict[tuple[str, int, int], Entrant] = OrderedDict()

    def bot(self, table: str, seat: int, level: int, game: Game) -> Entrant:
        """Who plays a seat of a table."""
        key = (table, seat, level)
        bot = self._bots.pop(key, None) or entrant(str(level), game)
        self._bots[key] = bot
        if len(self._bots) > RECENT:
            self._bots.popitem(last=False)
        return bot


@dataclass(eq=False)
class _Waiting:
    """A thought that has not begun, and since when it is waited for."""

    player: Player
    turn: Turn
    since: float
    answer: "Future[Thought]" = field(default_factory=Future)

    @property
    def wanted(self) -> bool:
        return not (self.turn.cancelled.is_set() or self.answer.cancelled())

    def drop(self) -> None:
        if self.answer.set_running_or_notify_cancel():
            self.answer.set_exception(Cancelled())


class Thinkers:
    """Threads in which players think, and the queue before them. `now` tells seconds."""

    def __init__(self, threads: int | None = None, now: Callable[[], float] = time.monotonic):
        self._count, self._now = threads or default_thinkers(), now
        self._threads = ThreadPoolExecutor(self._count, thread_name_prefix="bot")
        self._lock = Lock()  # of all that follows
        self._queue: deque[_Waiting] = deque()
        self.under_way = 0
        self.begun = 0  # thoughts since the start
        self.seconds = 0.0  # that they took, in all threads together

    @property
    def waiting(self) -> int:
        """How many thoughts have not begun; those that are cancelled are no longer among them."""
        with self._lock:
            self._drop_unwanted()
            return len(self._queue)

    @property
    def busy(self) -> bool:
        """Whether every thread, or every processor, has somebody to think."""
        return self.under_way >= min(self._count, default_thinkers())

    async def think(self, player: Player, turn: Turn) -> Thought:
        """What a player thinks when it is its turn; Cancelled, or as it fails, if it does not."""
        asked = _Waiting(player, turn, self._now())
        with self._lock:
            # As many calls as thoughts: each takes whichever is first by then.
            self._threads.submit(self._think_next)
            self._queue.append(asked)
        return await asyncio.wrap_future(asked.answer)

    def close(self) -> None:
        """Nobody is served any more; what is under way comes to its end, which can be cancelled."""
        with self._lock:
            while self._queue:
                self._queue.popleft().drop()
        self._threads.shutdown(cancel_futures=True)

    def _think_next(self) -> None:
        with self._lock:
            self._drop_unwanted()
            if not self._queue:
                return
            first = self._queue.popleft()
            if not first.answer.set_running_or_notify_cancel():
                return
            self.begun += 1
            self.under_way += 1
            turn = self._hurried(first)
        try:
            thought = self._timed(first.player, turn)
        except BaseException as error:
            first.answer.set_exception(error)
        else:
            first.answer.set_result(thought)

    def _timed(self, player: Player, turn: Turn) -> Thought:
        begun = self._now()
        try:
            return player.think(turn)
        finally:
            with self._lock:
                self.under_way -= 1
                self.seconds += self._now() - begun

    def _hurried(self, first: _Waiting) -> Turn:
        """The turn of who begins to think, with no more time than those who wait leave."""
        if len(self._queue) <= self._count - self.under_way:
            return first.turn  # there is a thread for each of the others
        now = self._now()
        share = min(
            (each.since + WITHIN - now) / max(1.0, place / self._count)
            for place, each in enumerate((first, *self._queue), 1)
        )
        return replace(first.turn, budget=first.turn.budget.within(max(LEAST, share)))

    def _drop_unwanted(self) -> None:
        for each in [each for each in self._queue if not each.wanted]:
            self._queue.remove(each)
            each.drop()
