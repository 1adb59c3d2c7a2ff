"""The places `lab/workers.py` has games played in: threads, processes, a Dask cluster."""

import signal
from collections.abc import Sequence
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from os import _exit
from queue import SimpleQueue
from threading import Thread
from time import monotonic, sleep
from typing import Any, Protocol

from benben.core.errors import BenbenError
from benben.lab.code import code_here
from benben.lab.jobs import (
    PATIENCE,
    Batch,
    Playable,
    T,
    end_all_runs,
    end_run,
    play_batch,
    play_batch_elsewhere,
)

_CONNECTING = 10.0  # seconds to find a cluster, and one worker there
_COUNTING = 1.0  # seconds until the workers of a cluster are counted again


class Place(Protocol):
    """Somebody to play batches of games."""

    seconds: float  # how long a batch should take; 0 for one game at a time

    def room(self) -> int:
        """How many batches to have under way."""

    def start(self, job: Playable[T], numbers: Sequence[int]) -> "Future[Batch[T]]":
        """Have them played; BrokenExecutor, as of the future, if a worker was lost."""

    def explain(self, error: BaseException) -> BaseException:
        """What is to be told of what a future raised."""

    def mend(self) -> None:
        """Go on after a loss."""

    def stop(self) -> None:
        """Have all players stop, and batches end with what they have. It may be called again."""

    def close(self) -> None:
        """Stop, and leave nothing behind."""


class Threads:
    """Threads of this process. They are daemons: one that hangs cannot keep the program alive."""

    seconds = 0.0

    def __init__(self, count: int, key: str) -> None:
        self._count, self._key = count, key
        self._threads: list[Thread] = []
        self._waiting: SimpleQueue[tuple[Future[Any], partial[Any]] | None] = SimpleQueue()

    def room(self) -> int:
        return self._count

    def start(self, job: Playable[T], numbers: Sequence[int]) -> "Future[Batch[T]]":
        future: Future[Batch[T]] = Future()
        self._waiting.put((future, partial(play_batch, self._key, job, numbers)))
        if len(self._threads) < self._count:
            thread = Thread(target=self._work, daemon=True)
            thread.start()
            self._threads.append(thread)
        return future

    def explain(self, error: BaseException) -> BaseException:
        return error

    def mend(self) -> None:
        return

    def stop(self) -> None:
        end_run(self._key)

    def close(self) -> None:
        self.stop()
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join(PATIENCE)

    def _work(self) -> None:
        while (item := self._waiting.get()) is not None:
            future, play = item
            try:
                future.set_result(play())
            except BaseException as error:
                future.set_exception(error)


class Processes:
    """Processes of this machine. They stop when our end of a pipe is closed, or we are no more."""

    seconds = 0.2

    def __init__(self, count: int, key: str) -> None:
        self._count, self._key = count, key
        self._open()

    def room(self) -> int:
        return 2 * self._count  # one to play, and one that is already there

    def start(self, job: Playable[T], numbers: Sequence[int]) -> "Future[Batch[T]]":
        return self._pool.submit(play_batch_elsewhere, code_here(), self._key, job, numbers)

    def explain(self, error: BaseException) -> BaseException:
        return error

    def mend(self) -> None:
        self.close()
        self._open()

    def stop(self) -> None:
        self._ours.close()

    def close(self) -> None:
        self.stop()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._theirs.close()

    def _open(self) -> None:
        # Fork would copy the compiler's threads and locks in whatever state they are.
        context = get_context("spawn")
        self._theirs, self._ours = context.Pipe(duplex=False)
        self._pool: Executor = ProcessPoolExecutor(
            self._count, context, initializer=_serve, initargs=(self._theirs,)
        )


def _serve(pipe: "Connection[Any, Any]") -> None:
    """In a process of ours: Ctrl-C is meant for whoever started it, who closes the pipe then."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        with suppress(EOFError, OSError):
            pipe.recv_bytes()
        end_all_runs()
        sleep(PATIENCE)
        _exit(1)  # something does not stop; nobody waits for it

    Thread(target=watch, daemon=True).start()


class Cluster:
    """The workers of a Dask scheduler, however many there are by and by.

    What a lost worker had under way the scheduler gives to others.
    """

    seconds = 0.5

    def __init__(self, address: str, key: str) -> None:
        self._key = key
        try:
            import distributed
        except ImportError as error:
            why = "a cluster needs Dask: pip install 'benben[cluster]'"
            raise BenbenError(why) from error
        dask: Any = distributed  # it has no types to speak of
        self._killed: type[Exception] = dask.KilledWorker
        try:
            self._client = dask.Client(address, timeout=_CONNECTING, set_as_default=False)
        except (OSError, ValueError, ImportError) as error:
            raise BenbenError(f"no cluster answers at {address}: {error}") from error
        try:
            self._client.wait_for_workers(1, timeout=_CONNECTING)
        except OSError as error:
            self._client.close()
            raise BenbenError(f"the cluster at {address} has no workers") from error
        self._executor: Executor = self._client.get_executor(pure=False)
        self._room, self._counted = 1, 0.0

    def room(self) -> int:
        if monotonic() > self._counted + _COUNTING:
            with suppress(OSError):  # if it is gone, what is under way will tell
                self._room = 2 * max(1, sum(self._client.nthreads().values()))
            self._counted = monotonic()
        return self._room

    def start(self, job: Playable[T], numbers: Sequence[int]) -> "Future[Batch[T]]":
        return self._executor.submit(play_batch_elsewhere, code_here(), self._key, job, numbers)

    def explain(self, error: BaseException) -> BaseException:
        if isinstance(error, BenbenError):
            return error
        if isinstance(error, self._killed):
            return BenbenError(f"worker after worker was lost: {error}")
        if isinstance(error, (CancelledError, OSError)):
            return BenbenError("the cluster is gone")
        return BenbenError(f"a worker of the cluster cannot play: {type(error).__name__}: {error}")

    def mend(self) -> None:
        return

    def stop(self) -> None:
        with suppress(Exception):  # of a cluster that is gone
            self._client.run(end_run, self._key, on_error="ignore")

    def close(self) -> None:
        self.stop()
        self._executor.shutdown(wait=False)
        self._client.close()
