"""Where games are played: on threads or processes of this machine, or on a Dask cluster.

    job = Job(game, lineups=(("5", "5"),), seed="1")
    with closing(play_games(job, range(1000), Where(jobs=2, processes=True))) as games:
        for number, played in games:
            ...

It is the same everywhere: the games, which come in the order they end in; what an interrupt does;
and that a worker that is lost costs time, but no games.
"""

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Generic, NoReturn
from uuid import uuid4

from benben.core.errors import BenbenError
from benben.lab.jobs import PATIENCE, Batch, Playable, T
from benben.lab.places import Cluster, Place, Processes, Threads

_LOOK = 0.1  # seconds: waiting without an end would hear no interrupt
_MOST_GAMES = 256  # of a batch
_MOST_LOSSES = 3  # of workers in a row, without a game between them


@dataclass(frozen=True)
class Where:
    """On so many threads or, with `processes`, processes; or on the Dask cluster at an address.

    Our own bots think without the interpreter's lock, so threads do for them. Bots written in
    Python get a processor each only as processes.
    """

    jobs: int = 1
    processes: bool = False
    cluster: str | None = None  # such as tcp://127.0.0.1:8786


HERE = Where()


def play_games(
    job: Playable[T], numbers: Iterable[int], where: Where = HERE
) -> Generator[tuple[int, T], None, None]:
    """Play the games of these numbers; each is given as soon as it is here.

    The numbers are asked for when somebody is free, so what is told meanwhile may change them.
    Whatever closes this stops all the players. An interrupt while it waits does so too; games that
    are finished by then are given before it is raised.
    """
    place = _place(where)
    try:
        yield from _Games(place, job, iter(numbers)).all()
    finally:
        place.close()


class _Games(Generic[T]):
    """The batches of a run: those under way, and those that were lost and are to come again."""

    def __init__(self, place: Place, job: Playable[T], numbers: Iterator[int]) -> None:
        self._place, self._job, self._numbers = place, job, numbers
        self._under_way: dict[Future[Batch[T]], list[int]] = {}
        self._again: deque[list[int]] = deque()
        self._pace: float | None = None  # seconds a game
        self._losses = 0

    def all(self) -> Iterator[tuple[int, T]]:
        try:
            while self._fill():
                done, _ = wait(self._under_way, _LOOK, FIRST_COMPLETED)
                for future in done:
                    yield from self._finished(future)
        except KeyboardInterrupt:
            self._place.stop()
            done, _ = wait(self._under_way, PATIENCE)
            for future in done:
                with suppress(Exception, CancelledError):
                    yield from future.result().games
            raise

    def _fill(self) -> bool:
        """Start as many batches as there is room for; whether any is under way."""
        try:
            while len(self._under_way) < self._place.room():
                numbers = self._again.popleft() if self._again else self._next()
                if not numbers:
                    break
                self._start(numbers)
        except BrokenExecutor as error:
            self._lost(error)
        return bool(self._under_way or self._again)

    def _start(self, numbers: list[int]) -> None:
        try:
            self._under_way[self._place.start(self._job, numbers)] = numbers
        except BrokenExecutor:
            self._again.appendleft(numbers)
            raise
        except Exception as error:
            self._fail(error)

    def _next(self) -> list[int]:
        size = self._place.seconds / self._pace if self._pace else 1
        return list(islice(self._numbers, max(1, min(_MOST_GAMES, int(size)))))

    def _finished(self, future: "Future[Batch[T]]") -> Iterator[tuple[int, T]]:
        numbers = self._under_way.pop(future, None)
        if numbers is None:  # it was lost with others
            return
        try:
            batch = future.result()
        except BrokenExecutor as error:
            self._again.append(numbers)
            self._lost(error)
            return
        except (Exception, CancelledError) as error:
            self._fail(error)
        if batch.games:
            self._losses = 0
            pace = max(batch.seconds / len(batch.games), 1e-6)
            self._pace = pace if self._pace is None else (self._pace + pace) / 2
        yield from batch.games

    def _fail(self, error: BaseException) -> NoReturn:
        why = self._place.explain(error)
        if why is error:
            raise error
        raise why from error

    def _lost(self, error: BrokenExecutor) -> None:
        """A worker is gone, and with it whatever was under way: it is all to be played again."""
        self._losses += 1
        self._again.extend(self._under_way.values())
        self._under_way.clear()
        if self._losses > _MOST_LOSSES:
            first = min(numbers[0] for numbers in self._again)
            raise BenbenError(f"worker after worker was lost over game {first}: {error}") from error
        self._place.mend()


def _place(where: Where) -> Place:
    key = uuid4().hex
    if where.cluster is not None:
        return Cluster(where.cluster, key)
    return Processes(where.jobs, key) if where.processes else Threads(where.jobs, key)
