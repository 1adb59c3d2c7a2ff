"""A thread for long work of requests, shared fairly between clients.

Jobs run one at a time. Every key (the address of a client) has its own queue, and queues are served
round-robin: a job waits for at most one job of every other key.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class FairQueue:
    """Run functions in one thread, round-robin over keys. Use it from one event loop."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._waiting: OrderedDict[str, deque[tuple[asyncio.Future[Any], Callable[[], Any]]]] = (
            OrderedDict()
        )
        self._busy = False
        self._closed = False

    async def run(self, key: str, function: Callable[P, T], /, *args: P.args, **kw: P.kwargs) -> T:
        """Return the result of a function. A job is dropped if its caller is cancelled before."""
        if self._closed:
            raise asyncio.CancelledError
        result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, deque()).append((result, lambda: function(*args, **kw)))
        self._start_next()
        return await result

    def close(self) -> None:
        """Cancel all queued jobs. A running job is not awaited."""
        self._closed = True
        for jobs in self._waiting.values():
            for result, _ in jobs:
                result.cancel()
        self._waiting.clear()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _start_next(self) -> None:
        while self._waiting and not self._busy:
            key, jobs = next(iter(self._waiting.items()))
            result, work = jobs.popleft()
            self._waiting.move_to_end(key)
            if not jobs:
                del self._waiting[key]
            if not result.done():
                self._busy = True
                job = asyncio.get_running_loop().run_in_executor(self._thread, work)
                job.add_done_callback(lambda done, result=result: self._finish(done, result))  # type: ignore[misc]

    def _finish(self, job: asyncio.Future[Any], result: asyncio.Future[Any]) -> None:
        self._busy = False
        if job.cancelled():
            result.cancel()
        elif (error := job.exception()) is not None:  # also marks it as retrieved
            if not result.done():
                result.set_exception(error)
        elif not result.done():
            result.set_result(job.result())
        self._start_next()
