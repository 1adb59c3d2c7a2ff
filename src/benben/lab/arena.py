"""Many games between bots: every seating alike, luck shared out evenly, results kept in a file.

A *round* is every seating once, all with the same deal, opening and dice. What one bot gets by luck
in a seat, every other gets there too, so a round tells more than as many games on their own would.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import permutations, product
from pathlib import Path
from threading import Event, Lock, Thread
from typing import TypeAlias

from benben import __version__
from benben.bots.entrants import Entrant
from benben.core.chance import RandomStream
from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.kernel import fingerprint
from benben.core.paths import data_root
from benben.core.player import Cancelled
from benben.lab.ledger import CODE, FORMAT, MARK, Entry, Header, Ledger
from benben.lab.match import FAILED, draw_opening, forfeit, play_match

MOST_BOTS = 12  # with four seats that is 11,880 games a round
MOST_OPENINGS = 100  # plies
MOST_FAILURES = 3  # in a row; then a bot is out
OUT = "out"  # the reason of a game that was not played, as somebody in it is out
_AFTERTHOUGHT = 0.1  # seconds to find out that what ended a program was our own interrupt
_PATIENCE = 5.0  # seconds for players to stop thinking, when 20 ms should do

Make: TypeAlias = Callable[[str], Entrant]
Enough: TypeAlias = Callable[[Sequence[Entry]], bool]


def seatings(entrants: int, seats: int) -> list[tuple[int, ...]]:
    """Who sits where in each game of a round: everybody equally often on every seat.

    With entrants enough, every choice of them in every order; else everybody has a seat or more,
    and nobody two more than another.

    >>> seatings(3, 2)
    [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    >>> len(seatings(2, 4))
    6
    """
    if entrants >= seats:
        return list(permutations(range(entrants), seats))
    fair = {seats // entrants, -(-seats // entrants)}
    every = product(range(entrants), repeat=seats)
    return [seating for seating in every if {*map(seating.count, range(entrants))} <= fair]


def seatings_of_one(seats: int) -> list[tuple[int, ...]]:
    """The first of two entrants on each seat in turn, and the second on all the others.

    >>> seatings_of_one(3)
    [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
    """
    return [tuple(int(seat != first) for seat in range(seats)) for first in range(seats)]


class Arena:
    """Bots by name, in a game. The same arena gives the same games, apart from those by the clock.

    `seconds` is how long those think who think by the clock; it is only noted here. `openings` is
    how many moves are drawn before the bots play, the same in all of a round, so that bots without
    any luck do not play one game again and again. With `one_among` the first of two bots has one
    seat, and the second all the others. With `cpu` the seconds are of the bots' own work.
    """

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        seed: str = "0",
        seconds: float | None = None,
        *,
        openings: int = 0,
        one_among: bool = False,
        cpu: bool = False,
    ) -> None:
        if not 2 <= len(names) <= MOST_BOTS:
            raise BenbenError(f"an arena takes 2 to {MOST_BOTS} bots, not {len(names)}")
        for name in names:
            if names.count(name) > 1:
                raise BenbenError(f"{name} is named twice: two equal bots cannot be told apart")
        if one_among and len(names) != 2:
            raise BenbenError(f"one among others takes 2 bots, not {len(names)}")
        if not 0 <= openings <= MOST_OPENINGS:
            why = f"must be a whole number from 0 to {MOST_OPENINGS}"
            raise BenbenError(f"openings={openings}: {why}")
        self.game, self.names, self.seed, self.seconds = game, tuple(names), seed, seconds
        self.openings, self.one_among, self.cpu = openings, one_among, cpu
        players = game.players
        self.seatings = seatings_of_one(players) if one_among else seatings(len(names), players)

    @property
    def header(self) -> Header:
        """What must be the same for results to be put together."""
        return {
            MARK: FORMAT,
            "game": self.game.name,
            "options": self.game.options,
            "rules": self.game.rules.VERSION,
            "bots": list(self.names),
            "seed": self.seed,
            "seconds": self.seconds,
            "openings": self.openings,
            "one_among": self.one_among,
            "cpu": self.cpu,
            "benben": __version__,
            CODE: fingerprint("bots"),
        }

    @property
    def path(self) -> Path:
        """Where the results are kept unless somebody says otherwise."""
        digest = hashlib.sha256(json.dumps(self.header).encode()).hexdigest()[:12]
        return data_root() / "arena" / f"{self.game.name}-{digest}.jsonl"

    def rounds(self, games: int) -> int:
        """How many whole rounds have at least so many games."""
        return -(-games // len(self.seatings))

    def bots(self, number: int) -> tuple[str, ...]:
        """Who sits where in a game."""
        return tuple(self.names[i] for i in self.seatings[number % len(self.seatings)])

    def luck(self, number: int) -> bytes:
        """What a game's deal, opening and dice are drawn from: the same in all of its round."""
        return f"arena {number // len(self.seatings)} {self.seed}".encode("utf-8", "surrogatepass")

    def check(self, make: Make) -> None:
        """Make every bot once, and an opening: what is wrong is an error now, not after an hour."""
        dice = RandomStream(self.luck(0))
        draw_opening(self.game.deal(source=dice), self.openings, dice)
        for name in self.names:
            _close(make(name))

    def play(
        self,
        make: Make,
        rounds: int,
        ledger: Ledger,
        jobs: int = 1,
        note: Callable[[Entry], object] = lambda _: None,
        enough: Enough = lambda _: False,
    ) -> list[Entry]:
        """Play what the ledger lacks, on so many threads; then every game of the rounds, in order.

        Every thread has its own players from `make`; `note` is told of every game that is played.
        `enough` is asked about the games of each round, in the order of rounds, and the first of
        which it says so is the last: what other threads have played beyond it is not told.
        Whatever stops this, an interrupt too, stops all the players; finished games are kept.
        """
        run = _Run(self, make, rounds, ledger, note, enough)
        threads = [Thread(target=run.work, daemon=True) for _ in range(min(jobs, run.missing))]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():  # waiting without an end would hear no interrupt
                    thread.join(0.1)
        finally:
            run.cancelled.set()
            for thread in threads:
                if thread.is_alive():  # an interrupt may come before all have begun
                    thread.join(_PATIENCE)
        if run.error is not None:
            raise run.error
        return [run.entries[number] for number in range(run.total)]


class _Run:
    """What the threads share while games are played."""

    def __init__(
        self,
        arena: Arena,
        make: Make,
        rounds: int,
        ledger: Ledger,
        note: Callable[[Entry], object],
        enough: Enough,
    ) -> None:
        self.cancelled = Event()
        self.error: BaseException | None = None
        self.total = rounds * len(arena.seatings)
        self.entries: dict[int, Entry] = {}
        self._arena, self._make, self._ledger, self._note = arena, make, ledger, note
        self._enough, self._whole = enough, 0
        self._failures = dict.fromkeys(arena.names, 0)  # in a row
        self._lock = Lock()
        for entry in ledger.entries:
            if entry.game < 0 or entry.bots != arena.bots(entry.game):
                raise BenbenError(f"{ledger.path}: game {entry.game} was played by other bots")
            self._count(entry)
        self._look_at_rounds()
        missing = [number for number in range(self.total) if number not in self.entries]
        self.missing = len(missing)
        self._numbers: Iterator[int] = iter(missing)

    def work(self) -> None:
        """Play one game after another, with players of this thread's own."""
        players: dict[str, Entrant] = {}
        try:
            while not self.cancelled.is_set():
                with self._lock:
                    number = next(self._numbers, self.total)
                    if number >= self.total:
                        break
                    bots = self._arena.bots(number)
                    out = [bot for bot in bots if self._failures[bot] >= MOST_FAILURES]
                entry = _unplayed(number, bots, out) if out else self._played(number, players)
                with self._lock:
                    self._ledger.add(entry)
                    self._count(entry)
                    self._note(entry)
                    self._look_at_rounds()
        except Cancelled:
            pass
        except BaseException as error:  # a full disk, say: not one thread alone can go on
            self.error = self.error or error
            self.cancelled.set()
        finally:
            for entrant in players.values():
                _close(entrant)

    def _played(self, number: int, players: dict[str, Entrant]) -> Entry:
        bots = self._arena.bots(number)
        for bot in bots:
            if bot not in players:
                players[bot] = self._make(bot)
        seated = [players[bot] for bot in bots]
        arena = self._arena
        done = play_match(arena.game, seated, arena.luck(number), self.cancelled, arena.openings)
        if done.failures and self.cancelled.wait(_AFTERTHOUGHT):
            raise Cancelled
        for seat in done.failures:
            _close(seated[seat])  # whatever is wrong with it, it begins anew
        return Entry(
            number,
            bots,
            done.shares,
            done.reason,
            len(done.moves),
            done.decisions,
            tuple(round(each, 6) for each in done.seconds),
            done.failures,
        )

    def _look_at_rounds(self) -> None:
        """Ask about every round that has become whole, unless one before it is not."""
        size = len(self._arena.seatings)
        while self._whole * size < self.total:
            numbers = range(self._whole * size, (self._whole + 1) * size)
            if not all(number in self.entries for number in numbers):
                return
            self._whole += 1
            if self._enough([self.entries[number] for number in numbers]):
                self.total = self._whole * size

    def _count(self, entry: Entry) -> None:
        """Count a game. One that another bot's failure ended says nothing for or against."""
        self.entries.setdefault(entry.game, entry)
        if entry.reason == FAILED:
            for seat in entry.failures:
                self._failures[entry.bots[seat]] += 1
        elif entry.reason != OUT:
            for bot in entry.bots:
                self._failures[bot] = 0


def _unplayed(number: int, bots: tuple[str, ...], out: Sequence[str]) -> Entry:
    why = f"out after {MOST_FAILURES} failures in a row"
    failures = {seat: why for seat, bot in enumerate(bots) if bot in out}
    nothing = [0] * len(bots)
    shares = forfeit(bots, out)
    return Entry(number, bots, shares, OUT, 0, tuple(nothing), tuple(map(float, nothing)), failures)


def _close(entrant: Entrant) -> None:
    with suppress(Exception):  # a player that cannot even stop must not stop the others
        entrant.player.close()
