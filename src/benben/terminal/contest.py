"""An arena in the terminal: what may be asked for, and a bar while games are played."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
from rich.console import Console

from benben.core.errors import BenbenError
from benben.lab.arena import OUT, Arena
from benben.lab.jobs import Make
from benben.lab.ledger import Entry, Ledger
from benben.lab.match import FAILED
from benben.lab.rating import Ratings, Sprt, rate
from benben.lab.records import record_of
from benben.lab.workers import HERE, Where
from benben.terminal.bar import counting_bar
from benben.terminal.saves import keep
from benben.terminal.speech import say

MOST_GAMES, MOST_JOBS, MOST_MS = 1_000_000, 64, 3_600_000
MOST_POINTS = 49.0  # of 100, above one half


def check(games: int, time_ms: int | None = None) -> None:
    if not 1 <= games <= MOST_GAMES:
        raise BenbenError(f"games={games}: must be a whole number from 1 to {MOST_GAMES}")
    check_time(time_ms)


def check_time(time_ms: int | None) -> None:
    if time_ms is not None and not 1 <= time_ms <= MOST_MS:
        raise BenbenError(f"time-ms={time_ms}: must be a whole number from 1 to {MOST_MS}")


def place(jobs: int, processes: bool, cluster: str | None) -> Where:
    """Where games are to be played, as the options say."""
    if not 1 <= jobs <= MOST_JOBS:
        raise BenbenError(f"jobs={jobs}: must be a whole number from 1 to {MOST_JOBS}")
    if cluster is not None and (processes or jobs > 1):
        raise BenbenError(say("arena.one-place"))
    return Where(jobs, processes, cluster)


def sequential(points: float | None, arena: Arena) -> Sprt | None:
    """The test whether the first of two bots has so many points of 100 more than half of them."""
    if points is None:
        return None
    if not 0 < points <= MOST_POINTS:
        raise BenbenError(f"sprt={points:g}: must be more than 0, at most {MOST_POINTS:g}")
    if len(arena.names) != 2 or arena.game.players != 2:
        raise BenbenError("sprt is for two bots in a game of two")
    return Sprt(0.5, 0.5 + points / 100)


def names(bots: str) -> list[str]:
    """The bots of a list such as `3,4,greedy`."""
    found = [name.strip() for name in bots.split(",")]
    if not all(found):
        raise BenbenError(f"bots={bots}: names with a comma between them, such as 3,4,greedy")
    return found


@dataclass(frozen=True)
class Contest:
    """An arena that has been played, and what its games say."""

    arena: Arena
    path: Path
    entries: Sequence[Entry]  # of whole rounds, in order
    earlier: int  # how many of them were in the file before
    ratings: Ratings
    sprt: Sprt | None = None
    records: Path | None = None  # the folder they are written to

    @property
    def rounds(self) -> int:
        return len(self.entries) // len(self.arena.seatings)

    def failures(self, bot: str) -> list[str]:
        """Why a bot failed, each time."""
        return [
            why
            for entry in self.entries
            if entry.reason == FAILED
            for seat, why in entry.failures.items()
            if entry.bots[seat] == bot
        ]

    def unplayed(self, bot: str) -> int:
        """How many games it lost because it was out."""
        out = [{e.bots[seat] for seat in e.failures} for e in self.entries if e.reason == OUT]
        return sum(bot in bots for bots in out)

    def ms(self, bot: str) -> float | None:
        """How long it thought about a move, on average."""
        seated = [(e, s) for e in self.entries for s, name in enumerate(e.bots) if name == bot]
        decisions = sum(entry.decisions[seat] for entry, seat in seated)
        seconds = sum(entry.seconds[seat] for entry, seat in seated)
        return 1000 * seconds / decisions if decisions else None


def run(
    arena: Arena,
    games: int,
    console: Console,
    where: Where = HERE,
    make: Make | None = None,
    *,
    path: Path | None = None,
    fresh: bool = False,
    sprt: Sprt | None = None,
    records: Path | None = None,
) -> Contest:
    """Play what is missing and rate it all; `console`, on stderr, shows how it goes.

    With a test that has seen nothing yet, play only until it is decided, `games` at most. Games
    are also written as records to a folder, those that were there before too.
    """
    arena.check(make)  # before anything is written, or with `fresh` thrown away
    rounds = arena.rounds(games)
    total = rounds * len(arena.seatings)
    if total != games:
        each = len(arena.seatings)
        console.print(say("arena.whole", games=games, each=each, total=total), soft_wrap=True)
    with ExitStack() as stack:
        ledger = stack.enter_context(Ledger(path or arena.path, arena.header, fresh))
        earlier = len({entry.game for entry in ledger.entries if entry.game < total})
        progress = stack.enter_context(counting_bar(console))
        title = say("playing", game=arena.game.name)
        task = progress.add_task(title, total=total, completed=earlier, rate="")
        started = perf_counter()
        done = earlier

        def note(entry: Entry) -> None:
            nonlocal done
            done += 1
            if records is not None:
                _record(records, ledger.path, arena, entry)
            rate = (done - earlier) / max(perf_counter() - started, 1e-9)
            progress.update(task, completed=done, rate=say("playing.rate", rate=f"{rate:,.1f}"))

        def enough(played: Sequence[Entry]) -> bool:
            if sprt is None:
                return False
            sprt.add(_share(arena.names[0], played))
            return sprt.verdict is not None

        try:
            if records is not None:
                for entry in ledger.entries:
                    _record(records, ledger.path, arena, entry, again=False)
            entries = arena.play(rounds, ledger, where, make, note, enough)
        except KeyboardInterrupt:
            progress.stop()
            console.print(say("arena.stopped", done=done, total=total))
            console.print(str(ledger.path), markup=False, soft_wrap=True)
            console.print(say("arena.go-on-fresh" if fresh else "arena.go-on"))
            raise
    shares = np.array([entry.shares for entry in entries])
    shares = shares.reshape(-1, len(arena.seatings), arena.game.players)
    ratings = rate(arena.seatings, shares, len(arena.names))
    earlier = min(earlier, len(entries))
    return Contest(arena, ledger.path, entries, earlier, ratings, sprt, records)


def _record(folder: Path, ledger: Path, arena: Arena, entry: Entry, again: bool = True) -> None:
    """Write a game to the folder, under the name of the file of results and its number."""
    if entry.start:
        path = folder / f"{ledger.stem}-{entry.game:06}.txt"
        if again or not path.exists():
            keep(str(record_of(arena.game, entry)), path)


def _share(bot: str, played: Sequence[Entry]) -> float:
    """What a bot got of the points of some games."""
    won = (s for e in played for name, s in zip(e.bots, e.shares, strict=True) if name == bot)
    return sum(won) / len(played)
