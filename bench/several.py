"""Two servers on one PostgreSQL database beside one alone: `make bench-several` writes several.md.

The same load of people (`load.py`) plays at both. Of two servers it is measured how they do where
the two people of a table are always at different ones, so that each has to hear of every move that
the other stores; and where it is chance that spreads people, or requests.
"""

import argparse
import os
import platform
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bench.load import IN_FLIGHT, Played
from bench.measuring import HERE, commit_if_known, machine, note
from bench.server import Load, Served, benben
from bench.tables import Spread
from tests.store.postgres import Postgres, running

TABLES, ROUNDS, SLICE = 200, 5, 6.0  # seconds a measurement
RATES = (200.0, 0.0)  # moves a second; 0: as many as there can be
WANTED = 1.2  # times the CPU of one server
_SPREADS = {
    Spread.APART: "opponents at different servers",
    Spread.PEOPLE: "each person at one by chance",
    Spread.REQUESTS: "each request at one by chance",
}


@dataclass(frozen=True)
class Measured:
    played: Played
    used: float  # seconds of CPU a move


@dataclass
class Town:
    """Servers of one database, their load, and what was measured."""

    servers: list[Served]
    load: Load
    spread: Spread
    measured: dict[float, list[Measured]] = field(default_factory=dict)  # by rate

    def play(self, seconds: float, rate: float) -> Measured:
        before = self._cpu()
        played = self.load.play(seconds, rate)
        return Measured(played, (self._cpu() - before) / played.moves)

    def _cpu(self) -> float:
        return sum(each.cpu() for each in self.servers)


@contextmanager
def town(
    size: int, tables: int, postgres: Postgres, folder: Path, spread: Spread = Spread.APART
) -> Iterator[Town]:
    """So many servers, at rest, with tables where nobody has moved yet."""
    url = postgres.fresh()
    with ExitStack() as stack:
        servers = []
        for number in range(size):
            name = f"{number + 1} of {size}, {spread}"
            servers.append(stack.enter_context(benben(name, url, folder / f"{name}.log")))
        for each in servers:
            each.rest()
        load = Load("benben", tables, *(each.address for each in servers), spread=spread)
        stack.callback(load.close)
        for each in servers:
            each.rest()
        yield Town(servers, load, spread)


def measure(options: argparse.Namespace) -> list[Town]:
    """Turn by turn."""
    with (
        tempfile.TemporaryDirectory(prefix="benben") as folder,
        running({"max_connections": "250"}) as postgres,
        ExitStack() as stack,
    ):
        sizes = [(1, Spread.APART), *((2, spread) for spread in _SPREADS)]
        towns = [
            stack.enter_context(town(size, options.tables, postgres, Path(folder), spread))
            for size, spread in sizes
        ]
        for each in towns:
            each.play(options.seconds / 2, 0.0)
        for number in range(options.rounds):
            note(f"round {number + 1} of {options.rounds}")
            for rate in RATES:
                for each in towns:
                    each.measured.setdefault(rate, []).append(each.play(options.seconds, rate))
    return towns


# ---- The report


def _row(rate: float, each: Town) -> str:
    played = [measured.played for measured in each.measured[rate]]
    cells = [
        f"{rate:g} moves/s" if rate else "all they can take",
        "1" if len(each.servers) == 1 else f"{len(each.servers)}, {_SPREADS[each.spread]}",
        f"{_median(p.moves / p.seconds for p in played):,.0f}",
        f"{1e3 * _median(p.p50 for p in played):.1f} ms",
        f"{1e3 * _median(p.p99 for p in played):.1f} ms",
        f"{1e6 * _median(measured.used for measured in each.measured[rate]):,.0f} µs",
    ]
    return f"| {' | '.join(cells)} |"


def _verdict(rate: float, one: Town, two: Town) -> str:
    pairs = zip(two.measured[rate], one.measured[rate], strict=True)
    ratios = sorted(a.used / b.used for a, b in pairs)
    ratio = statistics.median(ratios)
    load = f"at {rate:g} moves/s" if rate else "as fast as can be"
    return (
        f"| CPU a move of two servers, times that of one, {load}, {_SPREADS[two.spread]} "
        f"| {ratio:.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}) "
        f"| at most {WANTED:g} | {'yes' if ratio <= WANTED else '**no**'} |"
    )


def _median(values: Iterator[float]) -> float:
    return statistics.median(values)


def report(towns: list[Town], options: argparse.Namespace) -> str:
    one, *others = towns
    return "\n".join(
        [
            "# Several servers, measured",
            "",
            f"By `make bench-several`, on commit {options.commit or commit_if_known()}, "
            f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {machine()}. "
            f"Medians of {options.rounds} rounds of {options.seconds:g} s, turn by turn in one "
            "run; a ratio is the median of the rounds' ratios, beside the least and the largest. "
            "The load of the last minute was "
            f"{os.getloadavg()[0]:.1f} when it ended: with much more than 2, others were at work.",
            "",
            f"At {options.tables} tables of `quadrille` two people play at random, as in "
            "[server.md](server.md), on PostgreSQL. Two servers are measured thrice: where each "
            "has one of the two people of every table, their stream and their moves, which is the "
            "worst there can be; where each person is at one by chance, and stays there; and "
            "where each stream and each move is at one by chance, as our nginx spreads them. "
            "Moves begin by chance, so many a second, as people make them; or as fast as can be, "
            f"{IN_FLIGHT} under way at once, and then more of them are stored together where there "
            "is one server. CPU is that of the servers' processes together, without PostgreSQL "
            "and the load, which share the cores.",
            "",
            "| load | servers | moves/s | p50 | p99 | CPU a move |",
            "|---|---|---:|---:|---:|---:|",
            *(_row(rate, each) for rate in RATES for each in towns),
            "",
            "| | | wanted | met |",
            "|---|---:|---:|---|",
            *(_verdict(rate, one, two) for rate in RATES for two in others),
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.several", description=__doc__)
    parser.add_argument("--commit", default="", help="which one this is, where Git cannot say")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, default=SLICE, help="of a round")
    parser.add_argument("--output", type=Path, default=HERE / "several.md")
    options = parser.parse_args()
    text = report(measure(options), options)
    options.output.write_text(text, "utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
