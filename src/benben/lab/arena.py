"""Many games between bots: every seating alike, luck shared out evenly, results kept in a file.

A *round* is every seating once, all with the same deal and dice. What one bot gets by luck in a
seat, every other gets there too, so a round tells more than as many games on their own would.
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
from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.kernel import fingerprint
from benben.core.paths import data_root
from benben.core.player import Cancelled
from benben.lab.ledger import CODE, FORMAT, MARK, Entry, Header, Ledger
from benben.lab.match import FAILED, forfeit, play_match

MOST_BOTS = 12  # with four seats that is 11,880 games a round
MOST_FAILURES = 3  # in a row; then a bot is out
OUT = "out"  # the reason of a game that was not played, as somebody in it is out
_AFTERTHOUGHT = 0.1  # seconds to find out that what ended a program was our own interrupt
_PATIENCE = 5.0  # seconds for players to stop thinking, when 20 ms should do

Make: TypeAlias = Callable[[str], Entrant]


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


class Arena:
    """Bots by name, in a game. The same arena gives the same games, apart from those by the clock.

    `seconds` is how long those think who think by the clock; it is only noted here.
    """

    def __init__(
        self, game: Game, names: Sequence[str], seed: str = "0", seconds: float | None = None
    ) -> None:
        if not 2 <= len(names) <= MOST_BOTS:
            raise BenbenError(f"an arena takes 2 to {MOST_BOTS} bots, not {len(names)}")
        for name in names:
            if names.count(name) > 1:
                raise BenbenError(f"{name} is named twice: two equal bots cannot be told apart")
        self.game, self.names, self.seed, self.seconds = game, tuple(names), seed, seconds
        self.seatings = seatings(len(names), game.players)

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
        """What a game's deal and dice are drawn from: the same in all of its round."""
        return f"arena {number // len(self.seatings)} {self.seed}".encode("utf-8", "surrogatepass")

    def check(self, make: Make) -> None:
        """Make every bot once: an unknown one is an error now, not after an hour."""
        for name in self.names:
            _close(make(name))

    def play(
        self,
        make: Make,
        rounds: int,
        ledger: Ledger,
        jobs: int = 1,
        note: Callable[[Entry], object] = lambda _: None,
    ) -> list[Entry]:
        """Play what the ledger lacks, on so many threads; then every game of the rounds, in order.

        Every thread has its own players from `make`; `note` is told of every game that is played.
        Whatever stops this, an interrupt too, stops all the players; finished games are kept.
        """
        run = _Run(self, make, rounds, ledger, note)
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
    ) -> None:
        self.cancelled = Event()
        self.error: BaseException | None = None
        self.total = rounds * len(arena.seatings)
        self.entries: dict[int, Entry] = {}
        self._arena, self._make, self._ledger, self._note = arena, make, ledger, note
        self._failures = dict.fromkeys(arena.names, 0)  # in a row
        self._lock = Lock()
        for entry in ledger.entries:
            if entry.game < 0 or entry.bots != arena.bots(entry.game):
                raise BenbenError(f"{ledger.path}: game {entry.game} was played by other bots")
            self._count(entry)
        missing = [number for number in range(self.total) if number not in self.entries]
        self.missing = len(missing)
        self._numbers: Iterator[int] = iter(missing)

    def work(self) -> None:
        """Play one game after another, with players of this thread's own."""
        players: dict[str, Entrant] = {}
        try:
            while not self.cancelled.is_set():
                with self._lock:
                    number = next(self._numbers, None)
                    if number is None:
                        break
                    bots = self._arena.bots(number)
                    out = [bot for bot in bots if self._failures[bot] >= MOST_FAILURES]
                entry = _unplayed(number, bots, out) if out else self._played(number, players)
                with self._lock:
                    self._ledger.add(entry)
                    self._count(entry)
                    self._note(entry)
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
        done = play_match(self._arena.game, seated, self._arena.luck(number), self.cancelled)
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
