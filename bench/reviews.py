"""What reviews take, and what they cost those who play: `make bench-reviews` writes reviews.md.

A game of every kind is played by bots and reviewed as a server does it. Then people play at a
steady pace, turn by turn with nothing else going on and while one review after the other is made.
"""

import argparse
import json
import os
import platform
import random
import statistics
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from threading import Event, Thread
from typing import Any

from benben.bots.entrants import entrant
from benben.bots.exact import prepare
from benben.core.chance import RandomStream
from benben.core.game import Game
from benben.core.player import Turn
from benben.core.record import GameRecord
from benben.core.registry import game as find
from benben.core.registry import info, names
from benben.core.rules import CHANCE
from benben.learn.reviews.making import Reviewing
from benben.learn.reviews.review import Review, game_of_record
from benben.table import actions
from benben.table.fairness import commitment, new_secret
from benben.table.options import TableOptions
from benben.table.record import Entry, TableRecord
from benben.table.table import Table
from bench.measuring import HERE, commit_if_known, machine, note
from bench.server import Load, benben

LEVEL = 4  # of the bots whose games are reviewed
WANTED_FIRST, WANTED_WHOLE, WANTED_RATIO = 3.0, 60.0, 1.5  # seconds, seconds, times
ROUNDS, SECONDS, RATE, TABLES = 5, 15.0, 25.0, 40


@dataclass
class Reviewed:
    """A review, and how long it took: on the clock, and of the processor."""

    review: Review
    first: float
    whole: float
    cpu: float


@dataclass
class Cost:
    """The 99th percentile of moves, in seconds, round by round; and reviews made meanwhile."""

    without: list[float] = field(default_factory=list)
    with_them: list[float] = field(default_factory=list)
    made: int = 0

    @property
    def ratio(self) -> float:
        pairs = zip(self.with_them, self.without, strict=True)
        return statistics.median(a / b for a, b in pairs)


# ---- A review of every kind


def play(game: Game) -> GameRecord:
    start = position = game.deal(seed=1)
    source, moves = RandomStream.seeded(1), list[str]()
    bot = entrant(str(LEVEL), game)
    while position.to_move is not None:
        if position.to_move == CHANCE:
            move = position.draw(source)
        else:
            turn = Turn.at(start, moves, position, bot.budget, len(moves))
            move = bot.player.think(turn).move
        moves.append(move)
        position = position.play(move)
    return GameRecord(start, tuple(moves))


def review(game: Game) -> Reviewed:
    record = play(game)  # kernels are loaded by now
    prepare(game)
    begun, cpu = time.perf_counter(), time.process_time()
    reviewing = Reviewing("bench", game_of_record(record))
    first = 0.0
    for _ in reviewing.steps():
        if reviewing.looked and not first:
            reviewing.review()
            first = time.perf_counter() - begun
    made = reviewing.review()
    return Reviewed(made, first, time.perf_counter() - begun, time.process_time() - cpu)


# ---- People who play meanwhile


def played_elsewhere() -> dict[str, Any]:
    """The record of a game of quadrille that was played at random, at no table of the server."""
    game, secret, drawn = find("quadrille"), new_secret(), random.Random(2)
    terms = TableOptions(
        game=game.name,
        game_options=game.options,
        rules=game.rules.VERSION,
        bots=(0,) * game.players,
        commitment=commitment(secret),
    )
    table, entries = Table(terms, secret), list[Entry]()
    while not table.closed:
        change = table.next_automatic_event(0)
        if change is None and not table.begun:
            change = actions.Sit("", len(entries), f"P{len(entries)}", "n").check(table)
        elif change is None:
            assert table.position is not None
            assert table.to_move is not None
            change = table.moved(table.to_move, drawn.choice(table.position.moves()))
        table.apply(change.event, 0, change.position)
        entries.append(Entry(len(entries) + 1, 0, change.event))
    record = TableRecord(id="elsewhere", options=terms, entries=tuple(entries))
    found: dict[str, Any] = json.loads(str(record))
    return found


@contextmanager
def reviewing_all_the_time(
    address: str, record: dict[str, Any], ids: Iterator[int]
) -> Iterator[list[int]]:
    """One review after the other is asked for, each of another copy of a record."""
    stop, made = Event(), list[int]()

    def work() -> None:
        while not stop.is_set():
            number = next(ids)
            brought = _post(f"{address}/api/records", record | {"id": f"copy-{number}"})["id"]
            while not stop.is_set() and not _get(f"{address}/api/reviews/{brought}")["complete"]:
                stop.wait(0.7)  # as the page does
            made.append(number)

    thread = Thread(target=work)
    thread.start()
    try:
        yield made
    finally:
        stop.set()
        thread.join()


def cost(rounds: int, seconds: float) -> Cost:
    found, ids = Cost(), count()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/tables.sqlite3"
        with benben("Benben", url, Path(folder) / "log") as served:
            record = played_elsewhere()
            load = Load("benben", TABLES, served.address)
            load.play(seconds / 3, RATE)
            for number in range(rounds):
                note(f"people play, round {number + 1} of {rounds}")
                served.rest()
                found.without.append(load.play(seconds, RATE).p99)
                with reviewing_all_the_time(served.address, record, ids) as made:
                    time.sleep(1.0)
                    found.with_them.append(load.play(seconds, RATE).p99)
                found.made += len(made)
            load.close()
    return found


def _post(url: str, body: Any, token: str = "") -> Any:
    return _asked(urllib.request.Request(url, json.dumps(body).encode(), method="POST"), token)


def _get(url: str, token: str = "") -> Any:
    return _asked(urllib.request.Request(url), token)


def _asked(request: urllib.request.Request, token: str) -> Any:
    request.add_header("Content-Type", "application/json")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


# ---- What came of it


def _row(each: Reviewed) -> str:
    made = each.review
    sure = "exact" if made.exact else f"{made.by.nodes:,} nodes" if made.by.nodes else "estimated"
    met = each.first < WANTED_FIRST and each.whole < WANTED_WHOLE
    return (
        f"| {made.game} | {made.options['players']} | {len(made.steps)} | {made.progress.total} "
        f"| {sure} | {each.first:.2f} s | {each.whole:.1f} s | {each.cpu:.1f} s "
        f"| {'yes' if met else '**no**'} |"
    )


def report(reviews: list[Reviewed], played: Cost, options: argparse.Namespace) -> str:
    ratio = played.ratio
    return "\n".join(
        [
            "# Reviews of finished games",
            "",
            f"By `make bench-reviews`, on commit {options.commit or commit_if_known()}, "
            f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {machine()}. The "
            f"load of the last minute was {os.getloadavg()[0]:.1f} when it ended: with much more "
            "than 2, others were at work, and times on the clock are longer than they would be.",
            "",
            f"A game of each kind between bots of level {LEVEL}, reviewed in one thread with "
            "kernels loaded: until all of it was looked at once, until it was complete, and the "
            f"seconds of the processor that took. Wanted: a first look within {WANTED_FIRST:g} s, "
            f"and all of it within {WANTED_WHOLE:g} s.",
            "",
            "| game | players | steps | decisions | each | first look | whole | processor | met |",
            "|---|---:|---:|---:|---|---:|---:|---:|---|",
            *map(_row, reviews),
            "",
            f"People make {RATE:g} moves a second at {TABLES} tables, turn by turn alone and while "
            f"one review after the other is made ({played.made} were meanwhile): the 99th "
            f"percentile of how long a move takes until both have been told, medians of "
            f"{len(played.without)} rounds of {options.seconds:g} s; the ratio is the median of "
            "the rounds' own.",
            "",
            "| alone | with reviews | ratio | wanted | met |",
            "|---:|---:|---:|---:|---|",
            f"| {1000 * statistics.median(played.without):.1f} ms "
            f"| {1000 * statistics.median(played.with_them):.1f} ms | {ratio:.2f} "
            f"| under {WANTED_RATIO:g} | {'yes' if ratio < WANTED_RATIO else '**no**'} |",
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.reviews", description=__doc__)
    parser.add_argument("--commit", default="", help="which one this is, where Git cannot say")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--output", type=Path, default=HERE / "reviews.md")
    options = parser.parse_args()
    reviews = []
    for name in names():
        for players in info(name).players:
            note(f"a review of {name} for {players}")
            reviews.append(review(find(name, players=players)))
    written = report(reviews, cost(options.rounds, options.seconds), options)
    options.output.write_text(written, "utf-8")
    sys.stdout.write(written)


if __name__ == "__main__":
    main()
