"""A thread for long work of requests, shared fairly between clients.

Jobs run one at a time. Of every key (the address of a client) one job at most is in the queue of
the thread, and its next one joins at the end: a job waits for at most one job of every other key.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar
from weakref import WeakValueDictionary

P = ParamSpec("P")
T = TypeVar("T")


class FairQueue:
    """Run functions in one thread, round-robin over keys. Use it from one event loop."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        # Held by the job of a key that is in the queue; gone when no job holds or awaits it.
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._closed = False

    async def run(self, key: str, function: Callable[P, T], /, *args: P.args, **kw: P.kwargs) -> T:
        """Return the result of a function. A job is dropped if its caller is cancelled before."""
        async with self._locks.setdefault(key, asyncio.Lock()):
            if self._closed:
                raise asyncio.CancelledError
            work = partial(function, *args, **kw)
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def close(self) -> None:
        """Cancel all queued jobs. A running job is not awaited."""
        self._closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)
