"""Numbered games between bots, and how a process plays some of them.

A job says all there is to know, and is small enough to be sent anywhere: game number 7 of a job
is the same game whoever plays it, unless its bots think by the clock. `lab/workers.py` has the
games of a job played, here or elsewhere. `Job` is what an arena plays; a balance study has a job of
its own kind (`lab/balance/running.py`).
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Condition, Event, get_ident
from time import perf_counter
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from benben.bots.entrants import Entrant, entrant
from benben.bots.exact import prepare
from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.player import Cancelled
from benben.lab.code import code_here
from benben.lab.match import Played, play_match

PATIENCE = 5.0  # seconds for players to stop thinking, when 20 ms should do
_AFTERTHOUGHT = 0.1  # seconds to find out that what ended a program was our own interrupt
_REMEMBERED = 100  # runs that have ended, of which a late batch may still come

Make: TypeAlias = Callable[[str], Entrant]
Players: TypeAlias = dict[str, Entrant]  # by their names
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Playable(Protocol[T_co]):
    """A job of any kind: it can be sent elsewhere, and plays each of its games by the number."""

    def play(self, number: int, players: Players, stop: Event) -> T_co:
        """Play a game; Cancelled, as soon as it is to stop.

        `players` are this thread's own, which are kept for its next game and closed at the end.
        """


@dataclass(frozen=True)
class Job:
    """Games between bots. A *round* is every lineup once, all with the same deal and dice.

    `seconds`, and with `cpu` of whose work, is how long those think who think by the clock;
    `openings` is how many moves are drawn before the bots play. `make` makes a player from its
    name, if names do not mean what they always do; to be sent elsewhere it must be importable.

    >>> import benben
    >>> job = Job(benben.game("quadrille"), (("3", "4"), ("4", "3")))
    >>> job.bots(7), job.luck(7) == job.luck(6) != job.luck(5)
    (('4', '3'), True)
    """

    game: Game
    lineups: tuple[tuple[str, ...], ...]  # who sits where in each game of a round
    seed: str = "0"
    seconds: float | None = None
    openings: int = 0
    cpu: bool = False
    make: Make | None = None

    def bots(self, number: int) -> tuple[str, ...]:
        """Who sits where in a game."""
        return self.lineups[number % len(self.lineups)]

    def luck(self, number: int) -> bytes:
        """What a game's deal, opening and dice are drawn from: the same in all of its round."""
        return f"arena {number // len(self.lineups)} {self.seed}".encode("utf-8", "surrogatepass")

    def entrant(self, name: str) -> Entrant:
        """A new player of that name."""
        if self.make is not None:
            return self.make(name)
        if name.partition("@")[0] in ("6", "exact"):  # to play alike from the first game on
            prepare(self.game, surely=name == "exact")
        return entrant(name, self.game, self.seconds, self.cpu)

    def play(self, number: int, players: Players, stop: Event) -> Played:
        bots = self.bots(number)
        for bot in bots:
            if bot not in players:
                players[bot] = self.entrant(bot)
        seated = [players[bot] for bot in bots]
        played = play_match(self.game, seated, self.luck(number), stop, self.openings)
        if played.failures:
            check_stop(stop)
        for seat in played.failures:
            close(seated[seat])  # whatever is wrong with it, it begins anew
        return played


def check_stop(stop: Event) -> None:
    """After a failure: Cancelled, if what ended a program was our own interrupt."""
    if stop.wait(_AFTERTHOUGHT):
        raise Cancelled


class Batch(NamedTuple, Generic[T]):
    """What came of games that were played in one go, and how long they took."""

    games: list[tuple[int, T]]
    seconds: float


class _Run:
    """What this process has of a run: players for each of its threads, until it is to stop."""

    def __init__(self) -> None:
        self.stop = Event()
        self.players: dict[int, Players] = {}  # by the thread
        self.busy = 0


_runs: dict[str, _Run] = {}  # by their keys
_ended: list[str] = []
_changed = Condition()


def play_batch(key: str, job: Playable[T], numbers: Sequence[int]) -> Batch[T]:
    """Play some games of a run, with players of this thread's own, which are kept for the next.

    When the run is ended meanwhile, these are the games that were finished.
    """
    began = perf_counter()
    games: list[tuple[int, T]] = []
    with _changed:
        if key in _ended:
            return Batch([], 0.0)
        run = _runs.setdefault(key, _Run())
        players = run.players.setdefault(get_ident(), {})
        run.busy += 1
    try:
        for number in numbers:
            games.append((number, job.play(number, players, run.stop)))
    except Cancelled:
        pass
    finally:
        with _changed:
            run.busy -= 1
            _changed.notify_all()
        if run.stop.is_set():
            _close(players)
    return Batch(games, perf_counter() - began)


def play_batch_elsewhere(code: str, key: str, job: Playable[T], numbers: Sequence[int]) -> Batch[T]:
    """The same in another process, if it has the same rules and bots (`code_here`)."""
    if code != code_here():
        raise BenbenError("a worker has another version of Benben, or of what it is made with")
    try:
        return play_batch(key, job, numbers)
    except BenbenError as error:  # kinds of it that take other arguments cannot be sent
        raise BenbenError(str(error)) from None


def end_run(key: str) -> None:
    """Stop whoever thinks in this run, in this process, and close its players."""
    with _changed:
        _ended.append(key)
        del _ended[:-_REMEMBERED]
        run = _runs.pop(key, None)
        if run is None:
            return
        run.stop.set()
        _changed.wait_for(lambda: not run.busy, PATIENCE)
    for players in run.players.values():
        _close(players)


def end_all_runs() -> None:
    for key in list(_runs):
        end_run(key)


def close(entrant: Entrant) -> None:
    """Close a player. One that cannot even stop must not stop the others."""
    with suppress(Exception):
        entrant.player.close()


def _close(players: Players) -> None:
    while players:
        with suppress(KeyError):  # another thread may be closing them
            close(players.popitem()[1])
