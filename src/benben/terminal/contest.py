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
from benben.lab.rating import Estimate, Ratings, Sprt, rate
from benben.terminal.speech import joined, say

MOST_GAMES, MOST_JOBS, MOST_MS = 1_000_000, 64, 3_600_000
MOST_POINTS = 49.0  # of 100, above one half


def check(games: int, jobs: int, time_ms: int | None = None) -> None:
    if not 1 <= games <= MOST_GAMES:
        raise BenbenError(f"games={games}: must be a whole number from 1 to {MOST_GAMES}")
    if not 1 <= jobs <= MOST_JOBS:
        raise BenbenError(f"jobs={jobs}: must be a whole number from 1 to {MOST_JOBS}")
    check_time(time_ms)


def check_time(time_ms: int | None) -> None:
    if time_ms is not None and not 1 <= time_ms <= MOST_MS:
        raise BenbenError(f"time-ms={time_ms}: must be a whole number from 1 to {MOST_MS}")


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
    sprt: Sprt | None = None,
) -> Contest:
    """Play what is missing and rate it all; `console`, on stderr, shows how it goes.

    With a test that has seen nothing yet, play only until it is decided, `games` at most.
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
        title = say("playing", game=arena.game.name)
        task = progress.add_task(title, total=total, completed=earlier, rate="")
        started = perf_counter()
        done = earlier

        def note(_: Entry) -> None:
            nonlocal done
            done += 1
            rate = (done - earlier) / max(perf_counter() - started, 1e-9)
            progress.update(task, completed=done, rate=say("playing.rate", rate=f"{rate:,.1f}"))

        def enough(played: Sequence[Entry]) -> bool:
            if sprt is None:
                return False
            sprt.add(_share(arena.names[0], played))
            return sprt.verdict is not None

        try:
            entries = arena.play(make, rounds, ledger, jobs, note, enough)
        except KeyboardInterrupt:
            progress.stop()
            console.print(say("arena.stopped", done=done, total=total))
            console.print(str(ledger.path), markup=False, soft_wrap=True)
            console.print(say("arena.go-on-fresh" if fresh else "arena.go-on"))
            raise
    shares = np.array([entry.shares for entry in entries])
    shares = shares.reshape(-1, len(arena.seatings), arena.game.players)
    ratings = rate(arena.seatings, shares, len(arena.names))
    return Contest(arena, ledger.path, entries, min(earlier, len(entries)), ratings, sprt)


def _share(bot: str, played: Sequence[Entry]) -> float:
    """What a bot got of the points of some games."""
    won = (s for e in played for name, s in zip(e.bots, e.shares, strict=True) if name == bot)
    return sum(won) / len(played)


def report(contest: Contest, console: Console) -> None:
    """For people."""
    arena, ratings = contest.arena, contest.ratings
    before = say("arena.before", earlier=contest.earlier) if contest.earlier else ""
    title = say(
        "arena.title",
        game=arena.game.name,
        players=arena.game.players,
        games=len(contest.entries),
        n=contest.rounds,
        before=before,
        par=f"{ratings.par:.1%}",
    )
    console.print(title, soft_wrap=True)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(say("arena.bot"), overflow="fold", min_width=10)
    for title in ("seats", "share", "interval", "elo", "interval", "failed", "ms"):
        table.add_column(say(f"arena.{title}"), justify="right", no_wrap=True)
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
            say("arena.range", low=f"{round(elo.low):+d}", high=f"{round(elo.high):+d}")
            if elo.low < elo.high
            else "",
            say("arena.out", failed=failed) if contest.unplayed(bot) else failed,
            "" if ms is None else f"{ms:.1f}",
        )
    console.print(table)
    for line in [*_pairs(contest), *_tested(contest)]:
        console.print(line, markup=False, soft_wrap=True)
    for bot in arena.names:
        for why in sorted(set(contest.failures(bot)))[:3]:
            console.print(say("arena.why", bot=bot, why=why), markup=False, soft_wrap=True)
    console.print(say("arena.file", file=contest.path), markup=False, soft_wrap=True)


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
            by, low, high = (f"{100 * x:.1f}" for x in (margin.value, margin.low, margin.high))
            lines.append(say("arena.better", better=better, worse=worse, by=by, low=low, high=high))
        else:
            open_pairs.append(joined([better, worse], "and"))
    if open_pairs:
        lines.append(say("arena.open", pairs=say("scene.then").join(open_pairs)))
    return lines


def _tested(contest: Contest) -> list[str]:
    """What the sequential test says, if there was one."""
    sprt = contest.sprt
    if sprt is None:
        return []
    first, second = contest.arena.names
    verdict = {True: "high", False: "low", None: "open"}[sprt.verdict]
    return [
        say(
            f"arena.sprt.{verdict}",
            first=first,
            second=second,
            low=f"{sprt.low:.1%}",
            high=f"{sprt.high:.1%}",
            ratio=f"{sprt.ratio:+.2f}",
            bound=f"{sprt.bound:.2f}",
        )
    ]


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
            "openings": arena.openings,
            "one_among": arena.one_among,
            "cpu": arena.cpu,
            "games": len(contest.entries),
            "earlier": contest.earlier,
            "rounds": contest.rounds,
            "par": round(ratings.par, 6),
            "bots": bots,
            "pairs": pairs,
            "sprt": None if contest.sprt is None else _test(contest.sprt),
            "failures": failures,
            "file": str(contest.path),
        }
    )


def _test(sprt: Sprt) -> dict[str, Any]:
    return {
        "low": round(sprt.low, 6),
        "high": round(sprt.high, 6),
        "ratio": round(sprt.ratio, 6) + 0.0,
        "bound": round(sprt.bound, 6),
        "stronger": sprt.verdict,
    }


def _rounded(estimate: Estimate) -> dict[str, Any]:
    return {key: round(value, 6) + 0.0 for key, value in asdict(estimate).items()}
