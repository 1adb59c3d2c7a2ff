"""What takes long is made once for all who ask, and failures are not cached."""

import asyncio

import pytest

from benben.web.async_cache import AsyncCache


def test_concurrent_callers_share_one_result_though_one_is_cancelled() -> None:
    async def test() -> None:
        made, gate = [], asyncio.Event()

        async def make() -> int:
            made.append(1)
            await gate.wait()
            return 7

        cache = AsyncCache[int](2)
        callers = [asyncio.create_task(cache.get("a", make)) for _ in range(3)]
        await asyncio.sleep(0)
        callers[0].cancel()
        gate.set()
        assert await asyncio.gather(*callers[1:]) == [7, 7]
        assert await cache.get("a", make) == 7
        assert len(made) == 1

    asyncio.run(test())


def test_a_failure_is_made_again_and_displaces_nothing() -> None:
    async def test() -> None:
        async def fail() -> str:
            raise OSError("gone")

        async def name(key: str) -> str:
            return key

        cache = AsyncCache[str](1)
        assert await cache.get("a", lambda: name("first")) == "first"
        with pytest.raises(OSError, match="gone"):
            await cache.get("b", fail)
        assert await cache.get("a", lambda: name("again")) == "first"
        assert await cache.get("b", lambda: name("b")) == "b"
        await asyncio.sleep(0)
        assert await cache.get("a", lambda: name("again")) == "again", "the oldest was dropped"

    asyncio.run(test())
