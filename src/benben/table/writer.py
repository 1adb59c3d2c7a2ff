"""The one thread that writes. All that waits is committed together; then everybody is told.

A commit costs a write to the disk however much is in it. While one is under way others queue up,
and go into the next one together: the more there are, the less each costs.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any, TypeVar

from sqlalchemy import Connection

from benben.core.errors import BenbenError
from benben.table.appending import Append, Conflict, Stored, append_all
from benben.table.database import PATIENCE, Database, StoreFailed, passes

MOST = 500  # jobs in a transaction
_PAUSES = 0.02, 1.0  # seconds between tries: at first, and at most

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    deed: Append | Callable[[Connection], Any]
    future: Future[Any]
    deadline: float


class Writer:
    """A thread with a connection and a queue. It outlives every trouble of the database."""

    def __init__(self, database: Database) -> None:
        self.engine = database.engine(writing=True)
        self._database = database
        self._connection: Connection | None = None
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()  # None: no more will come
        self._lock = Lock()  # so that nothing is queued behind the None
        self._closed = self._ending = False
        self._thread = Thread(target=self._run, name="benben-writer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def append(self, event: Append) -> Future[Stored | Conflict]:
        return self._ask(event)

    def do(self, deed: Callable[[Connection], T]) -> T:
        """Do something in a transaction, after the events that wait already; wait for the commit.

        It may be done again from its beginning, so it must be such that twice is as good as once.
        """
        done: Future[T] = self._ask(deed)
        return done.result()

    def close(self) -> None:
        """Finish what waits; take no more."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()
        self.engine.dispose()

    def _ask(self, deed: Append | Callable[[Connection], Any]) -> Future[Any]:
        job = _Job(deed, Future(), monotonic() + PATIENCE)
        with self._lock:
            if self._closed:
                raise StoreFailed(self._database.where, "the store is closed")
            self._queue.put(job)
        return job.future

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
        """Add what is queued, or wait for something; whether there is anything to do."""
        while len(waiting) < MOST and not self._ending:
            try:
                job = self._queue.get(block=not waiting)
            except Empty:
                break
            if job is None:
                self._ending = True
            elif job.future.set_running_or_notify_cancel():
                waiting.append(job)
        return bool(waiting)

    def _try(self, jobs: list[_Job]) -> list[_Job]:
        """Commit them and tell; those that are to be tried again."""
        try:
            answers = self._commit(jobs)
        except Exception as error:
            self._disconnect()
            if passes(error):
                return [job for job in jobs if not self._given_up(job, error)]
            if len(jobs) > 1:
                return self._try_apart(jobs)
            jobs[0].future.set_exception(self._database.failed(error))
            return []
        for job, answer in zip(jobs, answers, strict=True):
            if isinstance(answer, BenbenError):
                job.future.set_exception(answer)
            else:
                job.future.set_result(answer)
        return []

    def _try_apart(self, jobs: list[_Job]) -> list[_Job]:
        """One of them spoils it for all: it alone is to fail."""
        for i, job in enumerate(jobs):
            if left := self._try([job]):
                return left + jobs[i + 1 :]
        return []

    def _given_up(self, job: _Job, error: Exception) -> bool:
        late = monotonic() >= job.deadline
        if late:
            job.future.set_exception(self._database.failed(error))
        return late

    def _commit(self, jobs: Sequence[_Job]) -> list[Any]:
        if self._connection is None:
            self._connection = self.engine.connect()
        connection = self._connection
        answers: list[Any] = [None] * len(jobs)
        with connection.begin():
            events = {i: job.deed for i, job in enumerate(jobs) if isinstance(job.deed, Append)}
            if events:
                told = append_all(connection, list(events.values()))
                for i, answer in zip(events, told, strict=True):
                    answers[i] = answer
            for i, job in enumerate(jobs):
                if not isinstance(job.deed, Append):
                    answers[i] = job.deed(connection)
        return answers

    def _disconnect(self) -> None:
        """After any trouble begin with a new connection, whatever state the old one is in."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.invalidate()
            with suppress(Exception):
                connection.close()
