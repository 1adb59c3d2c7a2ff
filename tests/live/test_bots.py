"""Bots under load: served in the order they came, each for a share of the time, dropped when told.

Time is what a test says it is, and a thought lasts until the test lets it end.
"""

import asyncio
from collections.abc import Coroutine
from queue import SimpleQueue
from threading import Event
from typing import Any

import pytest

import benben
from benben.core.player import Budget, Cancelled, Player, Thought, Turn
from benben.live.bots import (
    CACHED_BOTS,
    MAX_ANSWER_SECONDS,
    MIN_THINK_SECONDS,
    MOST_OF_ONE_OPENER,
    BotPool,
    RecentBots,
)
from tests.bots.turns import some_turn

BEST = Budget(seconds=1.0)
COUNTED = Budget(simulations=8_000)


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


class Recorder(Player):
    """Notes the turns it is given, by their seeds, and thinks until it is let go or cancelled."""

    name = "recorder"

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self._begun: SimpleQueue[Turn] = SimpleQueue()
        self._may_end: SimpleQueue[None] = SimpleQueue()

    def think(self, turn: Turn) -> Thought:
        self.turns.append(turn)
        self._begun.put(turn)
        self._may_end.get()
        if turn.cancelled.is_set():
            raise Cancelled
        return Thought(turn.moves[0], simulations=turn.seed)

    def let_go(self, thoughts: int = 1) -> None:
        for _ in range(thoughts):
            self._may_end.put(None)

    async def begun(self) -> Turn:
        """The next turn that somebody begins to think about."""
        return await asyncio.to_thread(self._begun.get, timeout=30)

    @property
    def order(self) -> list[int]:
        return [turn.seed for turn in self.turns]

    @property
    def budgets(self) -> list[Budget]:
        return [turn.budget for turn in self.turns]


class Company:
    """Thinkers, and tables that ask them: a table is known by the seed of its turns."""

    def __init__(self, threads: int = 1) -> None:
        self.clock, self.player = Clock(), Recorder()
        self.bot_pool = BotPool(threads, self.clock)

    async def ask(
        self,
        table: int,
        budget: Budget = BEST,
        cancelled: Event | None = None,
        opener: str | None = None,
    ) -> asyncio.Task[Thought]:
        """A thought that is waited for, and has come to the queue; each table has its opener."""
        turn = some_turn(benben.game("quadrille"), 0, budget)
        turn = Turn(turn.view, turn.history, turn.moves, budget, table, cancelled or turn.cancelled)
        asked = self.bot_pool.think(self.player, turn, opener or str(table))
        task = asyncio.create_task(asked)
        await asyncio.sleep(0)
        return task

    async def serve(self, seconds: float = 0.0) -> Turn:
        """Another thought takes so long, and the next one begins."""
        self.clock.seconds += seconds
        self.player.let_go()
        return await self.player.begun()


def run(task: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(task, 60))


def test_first_come_first_served_however_fast_somebody_plays() -> None:
    async def play() -> None:
        here = Company()
        fast = await here.ask(0)
        await here.player.begun()
        slow = [await here.ask(table) for table in (1, 2, 3)]
        for _ in range(3):  # answered, table 0 moves at once, every time
            await here.serve()
            await fast
            fast = await here.ask(0)
            while here.player.order[-1] != 0:
                await here.serve()
                slow.append(await here.ask(here.player.order[-2]))
        assert here.player.order == [0, 1, 2, 3] * 3 + [0]
        here.player.let_go(len(slow) + 1)
        await asyncio.gather(fast, *slow)
        here.bot_pool.close()

    run(play())


def test_answers_come_to_who_asked() -> None:
    async def play() -> None:
        here = Company(threads=2)
        tasks = [await here.ask(table) for table in range(9)]
        here.player.let_go(9)
        thoughts = await asyncio.gather(*tasks)
        assert [thought.simulations for thought in thoughts] == list(range(9))
        assert (here.bot_pool.waiting, here.bot_pool.under_way) == (0, 0)
        here.bot_pool.close()

    run(play())


@pytest.mark.parametrize("budget", [BEST, COUNTED, Budget(simulations=5, seconds=0.01)])
def test_with_nobody_waiting_budgets_are_as_always(budget: Budget) -> None:
    async def play() -> None:
        here = Company(threads=2)
        tasks = [await here.ask(table, budget) for table in range(2)]
        for _ in tasks:
            await here.player.begun()
        here.player.let_go(2)
        await asyncio.gather(*tasks)
        assert here.player.budgets == [budget, budget]
        here.bot_pool.close()

    run(play())


@pytest.mark.parametrize(("threads", "waiting"), [(1, 40), (2, 100), (2, 40)])
def test_a_queue_is_answered_in_time(threads: int, waiting: int) -> None:
    """All come at once: each thinks for the same share, and the last has its answer in time."""

    async def play() -> None:
        here = Company(threads)
        tasks = [await here.ask(table) for table in range(threads)]
        for _ in tasks:
            await here.player.begun()
        tasks += [await here.ask(table) for table in range(threads, threads + waiting)]
        took = 0.0
        for _ in range(waiting):
            took = (await here.serve(took / threads)).budget.seconds or 0.0
        shares = here.player.budgets[threads:]
        share = MAX_ANSWER_SECONDS * threads / waiting
        assert [each.seconds for each in shares[:-1]] == pytest.approx([share] * (waiting - 1))
        assert here.clock.seconds - 100.0 + share / threads <= MAX_ANSWER_SECONDS + 1e-9
        here.player.let_go(threads)
        await asyncio.gather(*tasks)
        here.bot_pool.close()

    run(play())


def test_budgets_shrink_as_the_queue_grows_and_not_below_the_least() -> None:
    async def play() -> None:
        here = Company()
        tasks = [await here.ask(0)]
        await here.player.begun()
        given = []
        for more in (1, 2, 4, 8, 120, 200):
            tasks += [await here.ask(len(tasks) + i) for i in range(more + 1)]
            given.append((await here.serve()).budget.seconds)
        # 2, 4, 8, 16, … share the time; nobody has more than their level has.
        assert given[:4] == [1.0, 1.0, MAX_ANSWER_SECONDS / 8, MAX_ANSWER_SECONDS / 16]
        assert given[4:] == [MIN_THINK_SECONDS, MIN_THINK_SECONDS]
        here.player.let_go(len(tasks))
        await asyncio.gather(*tasks)
        here.bot_pool.close()

    run(play())


def test_who_has_waited_too_long_already_thinks_as_little_as_can_be() -> None:
    async def play() -> None:
        here = Company()
        tasks = [await here.ask(table) for table in range(3)]
        await here.player.begun()
        assert (await here.serve(seconds=2 * MAX_ANSWER_SECONDS)).budget == Budget(
            seconds=MIN_THINK_SECONDS
        )
        here.player.let_go(2)
        await asyncio.gather(*tasks)
        assert here.player.budgets[-1] == BEST, "nobody waited for the last"
        here.bot_pool.close()

    run(play())


def test_simulations_are_cut_by_time_when_others_wait() -> None:
    async def play() -> None:
        here = Company()
        tasks = [await here.ask(table, COUNTED) for table in range(9)]
        await here.player.begun()
        assert (await here.serve()).budget == Budget(
            simulations=8_000, seconds=MAX_ANSWER_SECONDS / 8
        )
        here.player.let_go(8)
        await asyncio.gather(*tasks)
        here.bot_pool.close()

    run(play())


def test_cancelled_while_it_waits_it_leaves_at_once() -> None:
    async def play() -> None:
        here, stop = Company(), Event()
        first, dropped = await here.ask(0), await here.ask(1, cancelled=stop)
        await here.player.begun()
        last = await here.ask(2)
        assert (here.bot_pool.waiting, here.bot_pool.under_way) == (2, 1)
        stop.set()
        assert here.bot_pool.waiting == 1
        with pytest.raises(Cancelled):
            await dropped
        assert not first.done(), "somebody thinks on"
        assert (await here.serve()).budget == BEST, "nobody waits any more"
        here.player.let_go()
        assert [(await task).simulations for task in (first, last)] == [0, 2]
        assert here.player.order == [0, 2]
        here.bot_pool.close()

    run(play())


def test_who_no_longer_waits_for_the_answer_leaves_too() -> None:
    async def play() -> None:
        here = Company()
        first, gone, last = [await here.ask(table) for table in range(3)]
        await here.player.begun()
        gone.cancel()
        await asyncio.wait([gone])
        assert here.bot_pool.waiting == 1
        here.player.let_go(2)
        await asyncio.gather(first, last)
        assert here.player.order == [0, 2]
        here.bot_pool.close()

    run(play())


def test_cancelled_while_it_thinks() -> None:
    async def play() -> None:
        here, stop = Company(), Event()
        thinking, other = await here.ask(0, cancelled=stop), await here.ask(1)
        await here.player.begun()
        stop.set()
        await here.serve()
        with pytest.raises(Cancelled):
            await thinking
        here.player.let_go()
        assert (await other).simulations == 1
        here.bot_pool.close()

    run(play())


def test_one_that_fails_keeps_nobody_waiting() -> None:
    class Broken(Recorder):
        def think(self, turn: Turn) -> Thought:
            super().think(turn)
            raise ZeroDivisionError

    async def play() -> None:
        here = Company()
        well, here.player = here.player, Broken()
        broken = await here.ask(0)
        here.player.let_go()
        here.player = well
        here.player.let_go()
        assert (await (await here.ask(1))).simulations == 1
        with pytest.raises(ZeroDivisionError):
            await broken
        assert here.bot_pool.under_way == 0
        here.bot_pool.close()

    run(play())


def test_closing_drops_those_who_wait_and_ends_with_those_who_think() -> None:
    async def play() -> None:
        here = Company()
        tasks = [await here.ask(table) for table in range(4)]
        await here.player.begun()
        closing = asyncio.create_task(asyncio.to_thread(here.bot_pool.close))
        for task in tasks[1:]:
            with pytest.raises(Cancelled):
                await task
        assert not closing.done()
        here.player.let_go()
        assert (await tasks[0]).simulations == 0
        await closing
        assert here.player.order == [0]

    run(play())


def test_thoughts_and_their_seconds_are_counted() -> None:
    async def play() -> None:
        here = Company()
        task = await here.ask(0)
        await here.player.begun()
        here.clock.seconds += 0.75
        here.player.let_go()
        await task
        assert (here.bot_pool.begun, here.bot_pool.seconds) == (1, 0.75)
        here.bot_pool.close()

    run(play())


# ---- Openers


@pytest.mark.parametrize("threads", [1, 2])
def test_many_tables_of_one_opener_delay_another_by_one_thought(threads: int) -> None:
    async def play() -> None:
        here = Company(threads)
        tasks = [await here.ask(table, opener="A") for table in range(150)]
        for _ in range(threads):
            await here.player.begun()
        for _ in range(20):
            await here.serve(seconds=1.0)
        tasks.append(await here.ask(1000, opener="B"))
        turn = await here.serve(seconds=1.0)
        assert turn.seed == 1000, "the next thought is B's"
        assert turn.budget == BEST, "and none of its time is cut"
        tasks.append(await here.ask(1001, opener="B"))
        assert 1001 in [(await here.serve()).seed for _ in range(threads + 1)], "they take turns"
        here.player.let_go(len(tasks))
        await asyncio.gather(*tasks)
        here.bot_pool.close()

    run(play())


def test_an_opener_with_many_tables_is_served_between_others_who_play_fast() -> None:
    async def play() -> None:
        here = Company()
        tasks = [await here.ask(table, opener="A") for table in range(4)]
        await here.player.begun()
        for _ in range(4):  # B and C have moved again each time
            tasks += [await here.ask(100, opener="B"), await here.ask(200, opener="C")]
        while len(here.player.order) < len(tasks):
            await here.serve()
        assert here.player.order == [0, 100, 200, 1, 100, 200, 2, 100, 200, 3, 100, 200]
        here.player.let_go()
        await asyncio.gather(*tasks)
        here.bot_pool.close()

    run(play())


def test_tables_beyond_the_most_of_one_opener_wait_outside_the_queue() -> None:
    """Those in the queue share the time as if there were no more."""

    async def play() -> None:
        here = Company()
        tasks = [await here.ask(0, opener="A")]
        await here.player.begun()
        more = range(1, 3 * MOST_OF_ONE_OPENER + 1)
        tasks += [await here.ask(table, opener="A") for table in more]
        assert here.bot_pool.waiting == len(more)
        share = (await here.serve()).budget.seconds
        assert share == pytest.approx(MAX_ANSWER_SECONDS / (MOST_OF_ONE_OPENER + 1))
        here.player.let_go(len(tasks))
        await asyncio.gather(*tasks)
        assert here.player.order == list(range(len(tasks))), "nobody is refused or overtaken"
        here.bot_pool.close()

    run(play())


# ---- Bots between two thoughts


def test_the_last_bots_are_kept_for_their_next_moves() -> None:
    bots, game = RecentBots(), benben.game("quadrille")
    first = bots.take("a", 0, 6, game)
    bots.put_back("a", 0, 6, first)
    assert bots.take("a", 0, 6, game) is first
    assert bots.take("a", 0, 6, game) is not first, "it is lent to one at a time"
    bots.put_back("a", 0, 6, first)
    assert bots.take("a", 1, 6, game) is not first
    assert bots.take("a", 0, 5, game).budget != first.budget
    for number in range(CACHED_BOTS):
        bots.put_back(str(number), 0, 1, bots.take(str(number), 0, 1, game))
    assert bots.take("a", 0, 6, game) is not first
