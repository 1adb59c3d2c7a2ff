"""Playing the games of a study: what its file lacks, here or in processes of their own."""

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context

from benben.bots.exact import prepare
from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.lab.balance.notes import Notes
from benben.lab.balance.study import Study, bot_of
from benben.lab.balance.watching import GameNote

_WAITING = 2  # games for each process that nobody plays yet
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
    note: Callable[[GameNote], object] = lambda _: None,
) -> list[GameNote]:
    """Play what the file lacks; then every game of the rounds, in order.

    `note` is told of every game that is played. Whatever stops this, an interrupt too, finished
    games are kept.
    """
    total = rounds * study.round_size
    missing = [number for number in range(total) if number not in notes.games]
    for played in _played(study, missing, jobs):
        notes.add(played)
        note(played)
    return [notes.games[number] for number in range(total)]


def _played(study: Study, numbers: Sequence[int], jobs: int) -> Iterator[GameNote]:
    if jobs == 1 or len(numbers) < 2:
        for number in numbers:
            yield study.play(number)
        return
    # Fork would copy the compiler's threads and locks in whatever state they are.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_leave_interrupts)
    try:
        waiting = iter(numbers)
        under_way: set[Future[GameNote]] = set()
        while True:
            for number in islice(waiting, jobs * _WAITING - len(under_way)):
                under_way.add(pool.submit(_play, study, number))
            if not under_way:
                return
            done, under_way = wait(under_way, _LOOK, FIRST_COMPLETED)
            for future in done:
                yield future.result()
    except BrokenExecutor as error:
        raise BenbenError(f"a process that played games was lost: {error}") from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C is meant for whoever started this process, who then ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play(study: Study, number: int) -> GameNote:
    if study.game not in _prepared:
        prepare_study(study)
    return study.play(number)
