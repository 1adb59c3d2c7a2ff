"""Background work takes turns, gives way to bots, and ends with a move if nobody asked for it."""

import asyncio
import time
from collections.abc import Iterator
from threading import Event, Thread

import pytest

from benben.core.player import Cancel, checkpoint
from benben.live.background import (
    REVIEW_PATIENCE,
    BackgroundPool,
    BackgroundWork,
    measure_lag,
)
from benben.live.bots import BotPool

SOON = 10.0  # seconds, for busy machines


class House:
    """Bots and background work of a server without tables."""

    def __init__(self) -> None:
        self.bots, self.moves = BotPool(1), 0
        self.pool = BackgroundPool(3, self.bots, lambda: self.moves)

    def close(self) -> None:
        asyncio.run(self.pool.close())
        self.bots.close()


@pytest.fixture
def house() -> Iterator[House]:
    house = House()
    yield house
    house.close()


def passed(work: BackgroundWork) -> Event:
    """Come to a checkpoint in a thread; set when it is passed."""
    done = Event()

    def come() -> None:
        work.checkpoint()
        done.set()

    Thread(target=come).start()
    return done


def test_a_plain_event_has_no_turn_to_wait_for() -> None:
    event, cancel = Event(), Cancel()
    assert (checkpoint(event), checkpoint(cancel)) == (False, False)
    event.set()
    cancel.set()
    assert (checkpoint(event), checkpoint(cancel)) == (True, True)


def test_work_takes_turns(house: House) -> None:
    first, second = house.pool.opinion(), house.pool.review(unasked=False)
    assert not first.checkpoint(), "it is alone"
    waiting = passed(second)
    assert not waiting.wait(0.05), "the first one has its slice"
    again = passed(first)
    assert waiting.wait(SOON)
    assert not again.wait(0.05)
    second.set()
    assert passed(second).wait(SOON), "what is cancelled waits for nobody"
    first.set()
    assert again.wait(SOON)


def test_an_opinion_rests_while_bots_need_every_processor(house: House) -> None:
    house.bots.under_way = 100
    done = passed(house.pool.opinion())
    assert not done.wait(2 * REVIEW_PATIENCE)
    house.bots.under_way = 0
    assert done.wait(SOON)


def test_a_review_rests_while_a_bot_thinks_but_not_for_ever(house: House) -> None:
    work = house.pool.review(unasked=False)
    house.bots.under_way = 1
    began = time.monotonic()
    assert not work.checkpoint()
    assert time.monotonic() - began >= REVIEW_PATIENCE
    house.bots.under_way = 0
    work.set()
    assert work.checkpoint()


def test_what_nobody_asked_for_comes_last(house: House) -> None:
    thinking, unasked = house.pool.opinion(), house.pool.review(unasked=True)
    unasked.patience = SOON
    assert not thinking.checkpoint()
    last = passed(unasked)
    assert not last.wait(0.05)
    asked = passed(house.pool.opinion())
    again = passed(thinking)
    assert asked.wait(SOON), "it came later, but somebody waits"
    assert not last.is_set()
    unasked.unasked = False  # somebody has asked for it by now
    thinking.set()
    assert again.wait(SOON)
    unasked.set()
    assert last.wait(SOON)


def test_a_move_ends_what_nobody_asked_for(house: House) -> None:
    asked, unasked = house.pool.review(unasked=False), house.pool.review(unasked=True)
    asked.patience = unasked.patience = 0.0
    assert not unasked.checkpoint()
    house.moves += 1
    assert unasked.checkpoint()
    assert unasked.is_set()
    assert not asked.checkpoint()


def test_a_function_that_ends_leaves_its_turn_to_others(house: House) -> None:
    first, second = house.pool.opinion(), house.pool.opinion()

    async def think() -> None:
        assert not await house.pool.run(first, first.checkpoint)
        assert not await house.pool.run(second, second.checkpoint)

    asyncio.run(asyncio.wait_for(think(), SOON))


def test_the_lag_of_an_event_loop() -> None:
    async def measured() -> float:
        lag = asyncio.create_task(measure_lag(0.1))
        await asyncio.sleep(0.02)
        time.sleep(0.2)
        return await lag

    assert asyncio.run(measured()) > 0.1
