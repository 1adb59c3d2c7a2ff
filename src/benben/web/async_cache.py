"""A cache of what takes long to make, shared by concurrent requests."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class AsyncCache(Generic[T]):
    """An LRU cache of the results of coroutines. Failures are not cached."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._tasks: OrderedDict[Hashable, asyncio.Task[T]] = OrderedDict()

    async def get(self, key: Hashable, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return the value of a key; make it if it is neither cached nor being made."""
        if key not in self._tasks:
            task = self._tasks[key] = asyncio.create_task(make())
            task.add_done_callback(partial(self._made, key))
        self._tasks.move_to_end(key)
        # Shielded from the cancellation of one of several callers.
        return await asyncio.shield(self._tasks[key])

    def _made(self, key: Hashable, task: asyncio.Task[T]) -> None:
        failed = task.cancelled() or task.exception() is not None
        if failed and self._tasks.get(key) is task:
            del self._tasks[key]
        while len(self._tasks) > self._most:
            self._tasks.popitem(last=False)
