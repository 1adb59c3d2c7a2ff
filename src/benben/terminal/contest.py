"""An arena in the terminal: a bar while games are played, then a table of what they say."""

import json
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from benben.core.errors import BenbenError
from benben.lab.arena import OUT, Arena, Make
from benben.lab.ledger import Entry, Ledger
from benben.lab.match import FAILED
from benben.lab.rating import Estimate, Ratings, rate

MOST_GAMES, MOST_JOBS, MOST_MS = 1_000_000, 64, 3_600_000


def check(games: int, jobs: int, time_ms: int | None = None) -> None:
    if not 1 <= games <= MOST_GAMES:
        raise BenbenError(f"games={games}: must be a whole number from 1 to {MOST_GAMES}")
    if not 1 <= jobs <= MOST_JOBS:
        raise BenbenError(f"jobs={jobs}: must be a whole number from 1 to {MOST_JOBS}")
    check_time(time_ms)


def check_time(time_ms: int | None) -> None:
    if time_ms is not None and not 1 <= time_ms <= MOST_MS:
        raise BenbenError(f"time-ms={time_ms}: must be a whole number from 1 to {MOST_MS}")


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
    make: Make,
    games: int,
    jobs: int,
    console: Console,
    *,
    path: Path | None = None,
    fresh: bool = False,
) -> Contest:
    """Play what is missing and rate it all; `console`, on stderr, shows how it goes."""
    arena.check(make)  # before anything is written, or with `fresh` thrown away
    rounds = arena.rounds(games)
    total = rounds * len(arena.seatings)
    if total != games:
        console.print(
            f"{games} games are not whole rounds of {len(arena.seatings)}: {total} it will be",
            soft_wrap=True,
        )
    with ExitStack() as stack:
        ledger = stack.enter_context(Ledger(path or arena.path, arena.header, fresh))
        earlier = len({entry.game for entry in ledger.entries if entry.game < total})
        progress = stack.enter_context(
            Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[rate]}"),
                TimeRemainingColumn(),
                console=console,
                transient=True,
                disable=not console.is_terminal,
            )
        )
        title = f"Playing {arena.game.name}"
        task = progress.add_task(title, total=total, completed=earlier, rate="")
        started = perf_counter()
        done = earlier

        def note(_: Entry) -> None:
            nonlocal done
            done += 1
            rate = (done - earlier) / max(perf_counter() - started, 1e-9)
            progress.update(task, completed=done, rate=f"{rate:,.1f} games/s")

        try:
            entries = arena.play(make, rounds, ledger, jobs, note)
        except KeyboardInterrupt:
            progress.stop()
            console.print(f"Stopped after {done} of {total} games, kept in")
            console.print(str(ledger.path), markup=False, soft_wrap=True)
            how = ", without --fresh," if fresh else ""
            console.print(f"The same command{how} goes on from there.")
            raise
    shares = np.array([entry.shares for entry in entries])
    shares = shares.reshape(rounds, len(arena.seatings), arena.game.players)
    ratings = rate(arena.seatings, shares, len(arena.names))
    return Contest(arena, ledger.path, entries, earlier, ratings)


def report(contest: Contest, console: Console) -> None:
    """For people."""
    arena, ratings = contest.arena, contest.ratings
    before = f", {contest.earlier} of them from before" if contest.earlier else ""
    rounds = f"{contest.rounds} {'round' if contest.rounds == 1 else 'rounds'}"
    console.print(
        f"{arena.game.name}, {arena.game.players} players, {len(contest.entries)} games in "
        f"{rounds}{before}; par is {ratings.par:.1%}",
        soft_wrap=True,
    )
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("Bot", overflow="fold", min_width=10)
    for title in ("Seats", "Share", "95 %", "Elo", "95 %", "Failed", "ms/move"):
        table.add_column(title, justify="right", no_wrap=True)
    for bot, standing in zip(arena.names, ratings.standings, strict=True):
        ms = contest.ms(bot)
        failed = str(len(contest.failures(bot)))
        share, elo = standing.share, standing.elo
        table.add_row(
            Text(bot),
            str(standing.seats),
            f"{share.value:.1%}",
            f"{100 * share.low:.1f}–{100 * share.high:.1f}",
            f"{round(elo.value):+d}" if elo.low < elo.high else "0",
            f"{round(elo.low):+d} to {round(elo.high):+d}" if elo.low < elo.high else "",
            f"{failed}, out" if contest.unplayed(bot) else failed,
            "" if ms is None else f"{ms:.1f}",
        )
    console.print(table)
    for line in _pairs(contest):
        console.print(line, markup=False, soft_wrap=True)
    for bot in arena.names:
        for why in sorted(set(contest.failures(bot)))[:3]:
            console.print(f"{bot} failed: {why}", markup=False, soft_wrap=True)
    console.print(f"Every game is in {contest.path}", markup=False, soft_wrap=True)


def _pairs(contest: Contest) -> list[str]:
    """Who is better than whom, as far as the games tell."""
    lines, open_pairs = [], []
    for duel in contest.ratings.duels:
        better, worse = contest.arena.names[duel.first], contest.arena.names[duel.second]
        margin = duel.margin
        if margin.value < 0:
            better, worse = worse, better
            margin = Estimate(-margin.value, -margin.high, -margin.low)
        if margin.decided:
            lines.append(
                f"{better} is better than {worse}: {100 * margin.value:.1f} points of 100 more a "
                f"game ({100 * margin.low:.1f} to {100 * margin.high:.1f})"
            )
        else:
            open_pairs.append(f"{better} and {worse}")
    if open_pairs:
        lines.append(f"Not decided: {'; '.join(open_pairs)}")
    return lines


def as_json(contest: Contest) -> str:
    """For programs: one object on one line."""
    arena, ratings = contest.arena, contest.ratings
    bots = [
        {
            "bot": bot,
            "seats": standing.seats,
            "share": _rounded(standing.share),
            "elo": _rounded(standing.elo),
            "failures": len(contest.failures(bot)),
            "unplayed": contest.unplayed(bot),
            "ms_per_move": None if (ms := contest.ms(bot)) is None else round(ms, 3),
        }
        for bot, standing in zip(arena.names, ratings.standings, strict=True)
    ]
    pairs = [
        {
            "bots": [arena.names[duel.first], arena.names[duel.second]],
            "margin": _rounded(duel.margin),
            "elo": _rounded(duel.elo),
            "decided": duel.margin.decided,
        }
        for duel in ratings.duels
    ]
    failures = [
        {"game": entry.game, "bot": entry.bots[seat], "seat": seat + 1, "why": why}
        for entry in contest.entries
        if entry.reason == FAILED
        for seat, why in entry.failures.items()
    ]
    return json.dumps(
        {
            "game": arena.game.name,
            "players": arena.game.players,
            "options": arena.game.options,
            "seed": arena.seed,
            "seconds": arena.seconds,
            "games": len(contest.entries),
            "earlier": contest.earlier,
            "rounds": contest.rounds,
            "par": round(ratings.par, 6),
            "bots": bots,
            "pairs": pairs,
            "failures": failures,
            "file": str(contest.path),
        }
    )


def _rounded(estimate: Estimate) -> dict[str, Any]:
    return {key: round(value, 6) + 0.0 for key, value in asdict(estimate).items()}
