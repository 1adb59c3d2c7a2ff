"""Group commit: one thread executes all queued writes in one transaction.

A commit costs one write to the disk, whatever its size. Jobs that arrive during a commit wait for
the next one and share its cost. Results are delivered after the commit.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any, TypeAlias, TypeVar

import msgspec
from sqlalchemy import Connection

from benben.core.errors import BenbenError
from benben.store.database import PATIENCE, Database, StoreFailed, is_transient
from benben.store.event_log import Conflict, PendingEvent, Stored, append_all, append_next

MAX_JOBS = 500  # jobs in a transaction
_PAUSES = 0.02, 1.0  # seconds between tries: at first, and at most

T = TypeVar("T")
Transaction: TypeAlias = Callable[[Connection], T]  # idempotent: it may be retried


class _Job(msgspec.Struct, frozen=True, eq=False):
    transaction: PendingEvent | Transaction[Any]
    future: Future[Any] | asyncio.Future[Any]
    deadline: float


class Writer:
    """A thread with a connection and a queue. It survives any failure of the database."""

    def __init__(self, database: Database) -> None:
        self.engine = database.engine(writing=True)
        self.on_commit: Callable[[float], None] = lambda seconds: None  # called in the thread
        self._database = database
        self._connection: Connection | None = None
        self._queue: SimpleQueue[list[_Job]] = SimpleQueue()  # an empty list is the last item
        self._pending: dict[asyncio.AbstractEventLoop, list[_Job]] = {}  # of the current iteration
        self._lock = Lock()  # so that nothing is queued after the last item
        self._closed = self._ending = False
        self._thread = Thread(target=self._run, name="benben-writer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def append(self, event: PendingEvent) -> asyncio.Future[Stored | Conflict]:
        """Store an event if it is the next of its table, in the order of the calls."""
        return self._enqueue(event)

    def do(self, transaction: Transaction[T]) -> asyncio.Future[T]:
        """Run a function in a transaction, after the events that are already queued.

        It has to be idempotent: after a transient failure it is run again.
        """
        return self._enqueue(transaction)

    def do_blocking(self, transaction: Transaction[T]) -> T:
        """Like `do`, for a thread without an event loop: wait for the commit."""
        done: Future[T] = Future()
        self._put([_Job(transaction, done, monotonic() + PATIENCE)])
        return done.result()

    def _enqueue(self, transaction: PendingEvent | Transaction[Any]) -> asyncio.Future[Any]:
        """Queue a job; all jobs of one iteration of an event loop are queued together."""
        loop = asyncio.get_running_loop()
        if loop not in self._pending:
            self._pending[loop] = []
            loop.call_soon(self._enqueue_pending, loop)
        future: asyncio.Future[Any] = loop.create_future()
        self._pending[loop].append(_Job(transaction, future, monotonic() + PATIENCE))
        return future

    def _enqueue_pending(self, loop: asyncio.AbstractEventLoop) -> None:
        jobs = self._pending.pop(loop)
        try:
            self._put(jobs)
        except StoreFailed as error:
            _resolve_futures(jobs, [error] * len(jobs))

    def close(self) -> None:
        """Finish the queued jobs; accept no more."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put([])
        self._thread.join()
        self.engine.dispose()

    def _put(self, jobs: list[_Job]) -> None:
        with self._lock:
            if self._closed:
                raise StoreFailed(self._database.where, "the store is closed")
            self._queue.put(jobs)

    # ---- In the thread

    def _run(self) -> None:
        waiting: list[_Job] = []
        shortest, longest = _PAUSES
        pause = shortest
        while self._take(waiting):
            waiting = self._try(waiting)
            if waiting:
                sleep(pause)
                pause = min(2 * pause, longest)
            else:
                pause = shortest
        self._disconnect()

    def _take(self, waiting: list[_Job]) -> bool:
        """Add the queued jobs, or wait for one; returns False at the end of the queue."""
        while len(waiting) < MAX_JOBS and not self._ending:
            try:
                jobs = self._queue.get(block=not waiting)
            except Empty:
                break
            self._ending = not jobs
            waiting.extend(jobs)
        return bool(waiting)

    def _try(self, jobs: list[_Job]) -> list[_Job]:
        """Commit jobs and deliver the answers; returns the jobs to retry."""
        begun = monotonic()
        try:
            answers = self._commit(jobs)
        except Exception as error:
            self._disconnect()
            if is_transient(error):
                return [job for job in jobs if not self._given_up(job, error)]
            if len(jobs) > 1:
                return self._try_each(jobs)
            answers = [self._database.failed(error)]
        else:
            self.on_commit(monotonic() - begun)
        _resolve_futures(jobs, answers)
        return []

    def _try_each(self, jobs: list[_Job]) -> list[_Job]:
        """Run each job by itself, so that one that fails does not fail the others."""
        for i, job in enumerate(jobs):
            if left := self._try([job]):
                return left + jobs[i + 1 :]
        return []

    def _given_up(self, job: _Job, error: Exception) -> bool:
        late = monotonic() >= job.deadline
        if late:
            _resolve_futures([job], [self._database.failed(error)])
        return late

    def _commit(self, jobs: Sequence[_Job]) -> list[Any]:
        if self._connection is None:
            self._connection = self.engine.connect()
        connection = self._connection
        transactions = [job.transaction for job in jobs]
        events = [each for each in transactions if isinstance(each, PendingEvent)]
        answers: dict[Any, Any] = {**append_next(connection, events)}  # by job, or mark of an event
        left = [each for each in events if each.mark not in answers]
        if left or len(events) < len(jobs):
            with connection.begin():
                answers |= append_all(connection, left)
                for job in jobs:
                    if not isinstance(job.transaction, PendingEvent):
                        answers[job] = job.transaction(connection)
        return [
            answers[each.mark if isinstance(each, PendingEvent) else job]
            for job, each in zip(jobs, transactions, strict=True)
        ]

    def _disconnect(self) -> None:
        """Close the connection: after a failure its state is unknown."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.invalidate()
            with suppress(Exception):
                connection.close()


def _resolve_futures(jobs: Sequence[_Job], answers: Sequence[Any]) -> None:
    """Deliver answers to the callers of jobs; an answer may be an error."""
    of_loops: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
    for job, answer in zip(jobs, answers, strict=True):
        future = job.future
        if isinstance(future, asyncio.Future):
            of_loops.setdefault(future.get_loop(), []).append((future, answer))
        else:
            _resolve(future, answer)
    for loop, resolved in of_loops.items():
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(_resolve_all, resolved)


def _resolve_all(resolved: Sequence[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, answer in resolved:
        if not future.done():  # its task may have been cancelled
            _resolve(future, answer)


def _resolve(future: Future[Any] | asyncio.Future[Any], answer: Any) -> None:
    if isinstance(answer, BenbenError):
        future.set_exception(answer)
    else:
        future.set_result(answer)
