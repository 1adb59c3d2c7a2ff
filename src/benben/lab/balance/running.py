"""Playing the games of a study: here, in processes of their own, or on a Dask cluster.

A game is the same wherever it is played; what is lost on the way is played again another time.
"""

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from typing import Any

from benben.bots.exact import prepare
from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.lab.balance.notes import Notes
from benben.lab.balance.study import Study, bot_of
from benben.lab.balance.watching import GameNote

_WAITING = 2  # games for each process that nobody plays yet
_CONNECTING = 10.0  # seconds to find a cluster
_LOOK = 0.1  # seconds: waiting without an end would hear no interrupt

_prepared: set[Game] = set()


def prepare_study(study: Study) -> None:
    """Have solutions at hand, so that games are judged alike from the first one on.

    Every bot is made once: what is wrong with a name is an error now, not after an hour.
    """
    if study.game not in _prepared:
        prepare(study.game, surely="exact" in study.bots)
        _prepared.add(study.game)
    for bot in study.bots:
        bot_of(bot, study.game).player.close()


def play_study(
    study: Study,
    rounds: int,
    notes: Notes,
    jobs: int = 1,
    cluster: str | None = None,
    note: Callable[[GameNote], object] = lambda _: None,
) -> list[GameNote]:
    """Play what the file lacks; then every game of the rounds, in order.

    On so many processes, or on the cluster at an address. `note` is told of every game that is
    played. Whatever stops this, an interrupt too, finished games are kept.
    """
    total = rounds * study.round_size
    missing = [number for number in range(total) if number not in notes.games]
    games: Iterator[GameNote] = iter(())
    if cluster is None and (jobs == 1 or len(missing) < 2):
        games = map(study.play, missing)
    elif missing:
        games = _elsewhere(study, missing, jobs, cluster)
    for played in games:
        notes.add(played)
        note(played)
    return [notes.games[number] for number in range(total)]


def _elsewhere(
    study: Study, numbers: Sequence[int], jobs: int, cluster: str | None
) -> Iterator[GameNote]:
    waiting = iter(numbers)
    under_way: set[Future[GameNote]] = set()
    with _cluster(cluster) if cluster is not None else _processes(jobs) as (pool, workers):
        while True:
            for number in islice(waiting, workers * _WAITING - len(under_way)):
                under_way.add(pool.submit(_play, study, number))
            if not under_way:
                return
            done, under_way = wait(under_way, _LOOK, FIRST_COMPLETED)
            for future in done:
                yield future.result()


@contextmanager
def _processes(jobs: int) -> Iterator[tuple[Executor, int]]:
    """So many processes of this machine, which end with us."""
    # Fork would copy the compiler's threads and locks in whatever state they are.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_leave_interrupts)
    try:
        yield pool, jobs
    except BrokenExecutor as error:
        raise BenbenError(f"a process that played games was lost: {error}") from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """The workers of a Dask scheduler. What a lost one had under way is given to others."""
    try:
        import distributed
    except ImportError as error:
        raise BenbenError("a cluster needs Dask: pip install 'benben[cluster]'") from error
    dask: Any = distributed  # it has no types to speak of
    try:
        client = dask.Client(address, timeout=_CONNECTING, set_as_default=False)
    except (OSError, ValueError, ImportError) as error:
        raise BenbenError(f"no cluster answers at {address}: {error}") from error
    with client:
        workers = sum(client.nthreads().values())
        if not workers:
            raise BenbenError(f"the cluster at {address} has no workers")
        pool: Executor = client.get_executor(pure=False)
        try:
            yield pool, workers
        except (CancelledError, dask.KilledWorker, OSError) as error:
            raise BenbenError(f"the cluster at {address} is gone: {error}") from error
        finally:
            pool.shutdown(wait=False)


def _leave_interrupts() -> None:
    """Ctrl-C is meant for whoever started this process, who then ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play(study: Study, number: int) -> GameNote:
    """In another process."""
    if study.game not in _prepared:
        prepare_study(study)
    return study.play(number)
