"""The thinking time of a server's bots: who is next, and how long each may take.

Openers take turns: time is shared by the person who opened a table, not by table, so that one
person's many tables do not delay other people's bots. An opener goes to the end of the rotation
when one of its thoughts begins, and again when it ends. Within one opener it is first come, first
served, and at most `MOST_OF_ONE_OPENER` tables are in the queue at a time: the bots of further
tables wait outside until there is room.

When many wait, each thinks less. A thought that begins gets a share of the `MAX_ANSWER_SECONDS` in
which it, the next thought of each opener and its own opener's queue are to be answered. If none
waits, budgets are not changed, and neither are moves.
"""

import asyncio
import os
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from threading import Lock

from benben.bots.entrants import Entrant, entrant
from benben.core.game import Game
from benben.core.player import Cancelled, Player, Thought, Turn

MAX_ANSWER_SECONDS = 4.0  # in which a bot is to answer, by thinking less if many wait
MIN_THINK_SECONDS = 0.05  # however many wait: with less, bots would play at random
CACHED_BOTS = 4  # the best have some 24 MB each
# Tables of one opener in the queue at the same time: enough for a school class behind one address.
MOST_OF_ONE_OPENER = 40


def default_thinkers() -> int:
    """How many bots think at once by default: one for each core.

    No core is reserved for requests of people: they take little time, and people wait far longer
    for bots.
    """
    return os.cpu_count() or 1


class RecentBots:
    """A cache of the bots that moved last: what one found for its last move helps with its next.

    A bot is lent to one user at a time. While it is out, another request for the same seat gets a
    new bot.
    """

    def __init__(self) -> None:
        self._bots: OrderedDict[tuple[str, int, int], Entrant] = OrderedDict()

    def take(self, table: str, seat: int, level: int, game: Game) -> Entrant:
        """Borrow the bot of a seat; a new one if it is not in the cache."""
        return self._bots.pop((table, seat, level), None) or entrant(str(level), game)

    def put_back(self, table: str, seat: int, level: int, bot: Entrant) -> None:
        """Return a bot whose thought is complete. One that failed or was cancelled is dropped."""
        key = (table, seat, level)
        self._bots[key] = bot
        self._bots.move_to_end(key)
        if len(self._bots) > CACHED_BOTS:
            self._bots.popitem(last=False)


@dataclass(eq=False)
class _Waiting:
    """A thought that has not begun, and since when it is in its opener's queue."""

    player: Player
    turn: Turn
    since: float = 0.0
    answer: "Future[Thought]" = field(default_factory=Future)

    @property
    def wanted(self) -> bool:
        return not (self.turn.cancelled.is_set() or self.answer.cancelled())

    def drop(self) -> None:
        if self.answer.set_running_or_notify_cancel():
            self.answer.set_exception(Cancelled())


class _OpenerQueue:
    """The waiting thoughts of one opener: those in the queue, and those for which it is full."""

    def __init__(self) -> None:
        self.queue: deque[_Waiting] = deque()
        self._outside: deque[_Waiting] = deque()
        self.next_since = 0.0  # when the first of the queue became the first

    def __len__(self) -> int:
        return len(self.queue) + len(self._outside)

    def __iter__(self) -> Iterator[_Waiting]:
        yield from self.queue
        yield from self._outside

    def append(self, waiting: _Waiting, now: float) -> None:
        self._outside.append(waiting)
        self._fill(now)

    def pop(self, now: float) -> _Waiting:
        first = self.queue.popleft()
        self.next_since = now
        self._fill(now)
        return first

    def remove(self, waiting: _Waiting, now: float) -> None:
        (self.queue if waiting in self.queue else self._outside).remove(waiting)
        self._fill(now)

    def _fill(self, now: float) -> None:
        while self._outside and len(self.queue) < MOST_OF_ONE_OPENER:
            if not self.queue:
                self.next_since = now
            self.queue.append(self._outside.popleft())
            self.queue[-1].since = now


class BotPool:
    """Threads in which players think, and the queue for them. `now` returns seconds."""

    def __init__(self, threads: int | None = None, now: Callable[[], float] = time.monotonic):
        self._count, self._now = threads or default_thinkers(), now
        self._threads = ThreadPoolExecutor(self._count, thread_name_prefix="bot")
        self._lock = Lock()  # of all that follows
        self._queues = OrderedDict[str, _OpenerQueue]()  # by opener, the next one first
        self.under_way = 0
        self.begun = 0  # thoughts since the start
        self.seconds = 0.0  # that they took, in all threads together

    @property
    def waiting(self) -> int:
        """How many thoughts have not begun; those that are cancelled are no longer among them."""
        with self._lock:
            self._drop_unwanted()
            return self._waiting_now()

    @property
    def busy(self) -> bool:
        """Whether every thread, or every processor, is taken."""
        return self.under_way >= min(self._count, default_thinkers())

    async def think(self, player: Player, turn: Turn, opener: str) -> Thought:
        """Let a player think in a thread; Cancelled if the turn is cancelled.

        `opener` identifies the person who opened the table: openers take turns.
        """
        waiting = _Waiting(player, turn)
        with self._lock:
            # One call for each thought: it takes the first one of the queue at that time.
            self._threads.submit(self._think_next)
            self._queues.setdefault(opener, _OpenerQueue()).append(waiting, self._now())
        return await asyncio.wrap_future(waiting.answer)

    def close(self) -> None:
        """Drop the queue, and wait for thoughts under way, which should be cancelled before."""
        with self._lock:
            for line in self._queues.values():
                for each in line:
                    each.drop()
            self._queues.clear()
        self._threads.shutdown(cancel_futures=True)

    def _think_next(self) -> None:
        with self._lock:
            self._drop_unwanted()
            if not self._queues:
                return
            opener, line = next(iter(self._queues.items()))
            first = line.pop(self._now())
            self._rotate(opener)
            if not first.answer.set_running_or_notify_cancel():
                return
            self.begun += 1
            self.under_way += 1
            turn = self._shorten_budget(first, opener, line)
        try:
            thought = self._timed(first.player, turn, opener)
        except BaseException as error:
            first.answer.set_exception(error)
        else:
            first.answer.set_result(thought)

    def _timed(self, player: Player, turn: Turn, opener: str) -> Thought:
        begun = self._now()
        try:
            return player.think(turn)
        finally:
            with self._lock:
                self.under_way -= 1
                self.seconds += self._now() - begun
                self._rotate(opener)

    def _rotate(self, opener: str) -> None:
        """Let all other openers come first; one with nothing to think about leaves the rotation."""
        if opener in self._queues:
            self._queues.move_to_end(opener)
            if not self._queues[opener]:
                del self._queues[opener]

    def _shorten_budget(self, first: _Waiting, opener: str, line: _OpenerQueue) -> Turn:
        """The turn with a budget that leaves time for the waiting thoughts."""
        if self._waiting_now() <= self._count - self.under_way:
            return first.turn  # there is a thread for each of the others
        now = self._now()
        share = min(
            (since + MAX_ANSWER_SECONDS - now) / max(1.0, place / self._count)
            for since, place in self._waits(first, opener, line)
        )
        return replace(first.turn, budget=first.turn.budget.within(max(MIN_THINK_SECONDS, share)))

    def _waits(
        self, first: _Waiting, opener: str, line: _OpenerQueue
    ) -> Iterator[tuple[float, int]]:
        """What the time of a thought depends on: since when others wait, and their places.

        These are the next thought of every other opener, and all in the queue of this one. How many
        more another opener has does not count: that is no reason to think less.
        """
        others = [each for key, each in self._queues.items() if key != opener]
        yield first.since, 1
        for place, other in enumerate(others, 2):
            yield other.next_since, place
        place, lengths = 1, [len(other.queue) for other in others]
        for rounds, each in enumerate(line.queue, 1):
            lengths = [length for length in lengths if length >= rounds]
            place += len(lengths) + 1
            yield each.since, place

    def _waiting_now(self) -> int:
        return sum(map(len, self._queues.values()))

    def _drop_unwanted(self) -> None:
        now = self._now()
        for opener, line in list(self._queues.items()):
            for each in [each for each in line if not each.wanted]:
                line.remove(each, now)
                each.drop()
            if not line:
                del self._queues[opener]
