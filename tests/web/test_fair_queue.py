"""Jobs of one key wait behind each other; another key waits for one of them at most."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from benben.web.fair_queue import FairQueue


def run(test: Callable[[FairQueue], Coroutine[Any, Any, None]]) -> None:
    async def with_queue() -> None:
        queue = FairQueue("test")
        try:
            await test(queue)
        finally:
            queue.close()

    asyncio.run(with_queue())


async def settle() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


def test_many_jobs_of_one_key_do_not_delay_another_by_more_than_one() -> None:
    async def test(queue: FairQueue) -> None:
        done: list[str] = []
        gate = threading.Event()
        blocking = asyncio.create_task(queue.run("a", gate.wait))
        many = [asyncio.create_task(queue.run("a", done.append, f"a{n}")) for n in range(40)]
        await settle()
        other = asyncio.create_task(queue.run("b", done.append, "b"))
        third = asyncio.create_task(queue.run("c", done.append, "c"))
        await settle()
        gate.set()
        await asyncio.gather(blocking, *many, other, third)
        assert done.index("b") <= 1
        assert done.index("c") <= 2
        own = [each for each in done if each.startswith("a")]
        assert own == [f"a{n}" for n in range(40)], "its own jobs stay in order"

    run(test)


def test_a_result_or_an_error_reaches_its_caller() -> None:
    async def test(queue: FairQueue) -> None:
        assert await queue.run("a", pow, 2, 5) == 32
        assert await queue.run("a", int, "11", base=2) == 3
        with pytest.raises(ZeroDivisionError):
            await queue.run("a", divmod, 1, 0)
        assert await queue.run("b", threading.get_ident) != threading.get_ident()

    run(test)


def test_a_job_nobody_waits_for_is_not_started() -> None:
    async def test(queue: FairQueue) -> None:
        done: list[int] = []
        gate = threading.Event()
        running = asyncio.create_task(queue.run("a", gate.wait))
        waiting = [asyncio.create_task(queue.run("a", done.append, n)) for n in range(3)]
        await settle()
        waiting[1].cancel()
        running.cancel()
        await settle()
        gate.set()
        await asyncio.gather(waiting[0], waiting[2])
        assert done == [0, 2]

    run(test)


def test_closing_cancels_what_waits() -> None:
    async def test(queue: FairQueue) -> None:
        gate = threading.Event()
        running = asyncio.create_task(queue.run("a", gate.wait))
        waiting = asyncio.create_task(queue.run("b", gate.wait))
        await settle()
        queue.close()
        gate.set()
        await asyncio.wait([running, waiting])
        assert waiting.cancelled()
        with pytest.raises(asyncio.CancelledError):
            await queue.run("a", gate.wait)

    run(test)
