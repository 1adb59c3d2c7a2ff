"""What the games of an arena say: tables for people, one line for programs."""

import json
from dataclasses import asdict
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from benben.lab.match import FAILED
from benben.lab.rating import Estimate, Ratings, Sprt
from benben.terminal.contest import Contest
from benben.terminal.speech import joined, say

MOST_IN_WORDS = 4  # bots of whom every pair is told in a line
MOST_WITH_DIGITS = 6  # bots whose crosstable has room for tenths of points


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
    for i in _ranking(ratings):
        bot, standing = arena.names[i], ratings.standings[i]
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
    if len(arena.names) > 2:
        console.print(say("arena.crosstable"), soft_wrap=True)
        console.print(_crosstable(contest))
    pairs = _pairs(contest) if len(arena.names) <= MOST_IN_WORDS else []
    for line in [*pairs, *_tested(contest)]:
        console.print(line, markup=False, soft_wrap=True)
    for bot in arena.names:
        for why in sorted(set(contest.failures(bot)))[:3]:
            console.print(say("arena.why", bot=bot, why=why), markup=False, soft_wrap=True)
    console.print(say("arena.file", file=contest.path), markup=False, soft_wrap=True)
    if contest.records is not None:
        line = say("arena.records", folder=contest.records)
        console.print(line, markup=False, soft_wrap=True)


def _ranking(ratings: Ratings) -> list[int]:
    """Who is how strong, the best first."""
    elo = [standing.elo.value for standing in ratings.standings]
    return sorted(range(len(elo)), key=lambda i: -elo[i])


def _crosstable(contest: Contest) -> Table:
    """What everybody got of everybody, in points of 100."""
    names, order = contest.arena.names, _ranking(contest.ratings)
    digits = 1 if len(names) <= MOST_WITH_DIGITS else 0
    cells: dict[tuple[int, int], str] = {}
    for duel in contest.ratings.duels:
        shown = "{}" if duel.margin.decided else "({})"
        for row, column, score in (
            (duel.first, duel.second, duel.score),
            (duel.second, duel.first, 1 - duel.score),
        ):
            cells[row, column] = shown.format(f"{100 * score:.{digits}f}")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", justify="right")
    table.add_column(say("arena.bot"), overflow="fold", min_width=10)
    for rank in range(len(names)):
        table.add_column(str(rank + 1), justify="right", no_wrap=True)
    for rank, row in enumerate(order, 1):
        line = ["–" if row == column else cells.get((row, column), "") for column in order]
        table.add_row(str(rank), Text(names[row]), *line)
    return table


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
            "score": round(duel.score, 6),
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
            "gauntlet": arena.gauntlet,
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
            "records": None if contest.records is None else str(contest.records),
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
