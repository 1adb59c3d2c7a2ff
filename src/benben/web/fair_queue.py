"""Long work in a thread, shared fairly between those who ask for it.

Jobs run one at a time. Every key (the address of a client) has a queue of its own, and keys take
turns: however many jobs one key has waiting, a job of another key waits for one of them at most.
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
        """The result of a function. A job whose caller is cancelled before it starts is dropped."""
        if self._closed:
            raise asyncio.CancelledError
        result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, deque()).append((result, lambda: function(*args, **kw)))
        self._start_next()
        return await result

    def close(self) -> None:
        """Cancel all jobs that wait. A job that runs is not waited for."""
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
