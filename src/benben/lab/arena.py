"""Many games between bots: every seating alike, luck shared out evenly, results kept in a file.

A *round* is every seating once, all with the same deal, opening and dice. What one bot gets by luck
in a seat, every other gets there too, so a round tells more than as many games on their own would.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

from benben import __version__
from benben.core.chance import RandomStream
from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.paths import data_root
from benben.lab.code import code_of
from benben.lab.gamefile import Header
from benben.lab.jobs import Job, Make, close
from benben.lab.ledger import CODE, FORMAT, MARK, Entry, Ledger
from benben.lab.match import FAILED, Played, draw_opening, forfeit
from benben.lab.seatings import gauntlet as one_against_each
from benben.lab.seatings import seatings
from benben.lab.workers import HERE, Where, play_games

MOST_BOTS = 24  # that is 552 games a round, or up to 924 for three
MOST_OPENINGS = 100  # plies
MOST_FAILURES = 3  # in a row; then a bot is out
OUT = "out"  # the reason of a game that was not played, as somebody in it is out

Enough: TypeAlias = Callable[[Sequence[Entry]], bool]


class Arena:
    """Bots by name, in a game. The same arena gives the same games, apart from those by the clock.

    `seconds` is how long those think who think by the clock. `openings` is how many moves
    are drawn before the bots play, the same in all of a round, so that bots without any luck do not
    play one game again and again. In a `gauntlet` the first bot plays against each of the others,
    who have all seats but one. With `cpu` the seconds are of the bots' own work.
    """

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        seed: str = "0",
        seconds: float | None = None,
        *,
        openings: int = 0,
        gauntlet: bool = False,
        cpu: bool = False,
    ) -> None:
        if not 2 <= len(names) <= MOST_BOTS:
            raise BenbenError(f"an arena takes 2 to {MOST_BOTS} bots, not {len(names)}")
        for name in names:
            if names.count(name) > 1:
                raise BenbenError(f"{name} is named twice: two equal bots cannot be told apart")
        if not 0 <= openings <= MOST_OPENINGS:
            why = f"must be a whole number from 0 to {MOST_OPENINGS}"
            raise BenbenError(f"openings={openings}: {why}")
        self.game, self.names, self.seed, self.seconds = game, tuple(names), seed, seconds
        self.openings, self.gauntlet, self.cpu = openings, gauntlet, cpu
        self.seatings = (one_against_each if gauntlet else seatings)(len(names), game.players)

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
            "gauntlet": self.gauntlet,
            "cpu": self.cpu,
            "benben": __version__,
            CODE: code_of(self.game.name),
        }

    @property
    def path(self) -> Path:
        """Where the results are kept unless somebody says otherwise."""
        digest = hashlib.sha256(json.dumps(self.header).encode()).hexdigest()[:12]
        return data_root() / "arena" / f"{self.game.name}-{digest}.jsonl"

    def rounds(self, games: int) -> int:
        """How many whole rounds have at least so many games."""
        return -(-games // len(self.seatings))

    def job(self, make: Make | None = None) -> Job:
        """Its games, with players by `make` or by what their names always mean."""
        lineups = tuple(tuple(self.names[i] for i in seating) for seating in self.seatings)
        return Job(self.game, lineups, self.seed, self.seconds, self.openings, self.cpu, make)

    def check(self, make: Make | None = None) -> None:
        """Make every bot once, and an opening: what is wrong is an error now, not after an hour."""
        job = self.job(make)
        dice = RandomStream(job.luck(0))
        draw_opening(self.game.deal(source=dice), self.openings, dice)
        for name in self.names:
            close(job.entrant(name))

    def play(
        self,
        rounds: int,
        ledger: Ledger,
        where: Where = HERE,
        make: Make | None = None,
        note: Callable[[Entry], object] = lambda _: None,
        enough: Enough = lambda _: False,
    ) -> list[Entry]:
        """Play what the ledger lacks; then every game of the rounds, in order.

        `note` is told of every game that is played. `enough` is asked about the games of each
        round, in the order of rounds, and the first of which it says so is the last: what others
        have played beyond it is not told. Whatever stops this, an interrupt too, stops all the
        players; finished games are kept.
        """
        run = _Run(self.job(make), rounds, ledger, note, enough)
        if not run.complete:
            with closing(play_games(run.job, run.numbers(), where)) as games:
                for number, played in games:
                    run.take(_entry(number, run.job.bots(number), played))
                    if run.complete:
                        break
        return [run.entries[number] for number in range(run.total)]


class _Run:
    """What is known while games are played: those there are, and who is out."""

    def __init__(
        self,
        job: Job,
        rounds: int,
        ledger: Ledger,
        note: Callable[[Entry], object],
        enough: Enough,
    ) -> None:
        self.job = job
        self.total = rounds * len(job.lineups)
        self.entries: dict[int, Entry] = {}
        self._ledger, self._note = ledger, note
        self._enough, self._whole = enough, 0
        self._failures: dict[str, int] = {}  # in a row
        for entry in ledger.entries:
            if entry.game < 0 or entry.bots != job.bots(entry.game):
                raise BenbenError(f"{ledger.path}: game {entry.game} was played by other bots")
            self._count(entry)
        self._look_at_rounds()

    @property
    def complete(self) -> bool:
        """Whether all rounds that are wanted are there."""
        return self._whole * len(self.job.lineups) >= self.total

    def numbers(self) -> Iterator[int]:
        """The games to play, one after another; those of a bot that is out are not."""
        number = 0
        while number < self.total:
            if number not in self.entries:
                bots = self.job.bots(number)
                out = [bot for bot in bots if self._failures.get(bot, 0) >= MOST_FAILURES]
                if out:
                    self.take(_unplayed(number, bots, out))
                else:
                    yield number
            number += 1

    def take(self, entry: Entry) -> None:
        """Keep a game."""
        self._ledger.add(entry)
        self._count(entry)
        self._note(entry)
        self._look_at_rounds()

    def _look_at_rounds(self) -> None:
        """Ask about every round that has become whole, unless one before it is not."""
        size = len(self.job.lineups)
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
                bot = entry.bots[seat]
                self._failures[bot] = self._failures.get(bot, 0) + 1
        elif entry.reason != OUT:
            for bot in entry.bots:
                self._failures[bot] = 0


def _entry(number: int, bots: tuple[str, ...], played: Played) -> Entry:
    return Entry(
        number,
        bots,
        played.shares,
        played.reason,
        str(played.start),
        played.moves,
        played.decisions,
        tuple(round(each, 6) for each in played.seconds),
        played.failures,
    )


def _unplayed(number: int, bots: tuple[str, ...], out: Sequence[str]) -> Entry:
    why = f"out after {MOST_FAILURES} failures in a row"
    failures = {seat: why for seat, bot in enumerate(bots) if bot in out}
    nothing = (0,) * len(bots)
    shares = forfeit(bots, out)
    return Entry(number, bots, shares, OUT, "", (), nothing, tuple(map(float, nothing)), failures)
