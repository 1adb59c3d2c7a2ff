"""Two servers on one PostgreSQL database beside one alone: `make bench-several` writes several.md.

The same load of people (`load.py`) plays at both. Where there are two servers the two people of a
table are at different ones, so that each has to hear of every move that the other stores.
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
from tests.table.postgres import Postgres, running

TABLES, ROUNDS, SLICE = 100, 7, 5.0  # seconds a measurement
WANTED = 1.2  # times the CPU of one server
_SIZES = (1, 2)  # servers


@dataclass
class Town:
    """Servers of one database, their load, and what was measured."""

    servers: list[Served]
    load: Load
    played: list[Played] = field(default_factory=list)
    used: list[float] = field(default_factory=list)  # seconds of CPU a move, by round

    def play(self, seconds: float) -> None:
        before = self._cpu()
        played = self.load.play(seconds)
        self.used.append((self._cpu() - before) / played.moves)
        self.played.append(played)

    def _cpu(self) -> float:
        return sum(each.cpu() for each in self.servers)


@contextmanager
def town(size: int, tables: int, postgres: Postgres, folder: Path) -> Iterator[Town]:
    """So many servers, at rest, with tables where nobody has moved yet."""
    url = postgres.fresh()
    with ExitStack() as stack:
        servers = []
        for number in range(size):
            log = folder / f"{number + 1} of {size}.log"
            servers.append(stack.enter_context(benben(f"{number + 1} of {size}", url, log)))
        for each in servers:
            each.rest()
        load = Load("benben", tables, *(each.address for each in servers))
        stack.callback(load.close)
        for each in servers:
            each.rest()
        yield Town(servers, load)


def measure(options: argparse.Namespace) -> list[Town]:
    """Turn by turn."""
    with (
        tempfile.TemporaryDirectory(prefix="benben") as folder,
        running({"max_connections": "50"}) as postgres,
        ExitStack() as stack,
    ):
        towns = [
            stack.enter_context(town(size, options.tables, postgres, Path(folder)))
            for size in _SIZES
        ]
        for each in towns:
            each.play(options.seconds / 2)
            each.played.clear()
            each.used.clear()
        for number in range(options.rounds):
            note(f"round {number + 1} of {options.rounds}")
            for each in towns:
                each.play(options.seconds)
    return towns


# ---- The report


def _row(each: Town) -> str:
    cells = [
        f"{len(each.servers)}",
        f"{_median(p.moves / p.seconds for p in each.played):,.0f}",
        f"{1e3 * _median(p.p50 for p in each.played):.1f} ms",
        f"{1e3 * _median(p.p99 for p in each.played):.1f} ms",
        f"{1e6 * _median(each.used):,.0f} µs",
    ]
    return f"| {' | '.join(cells)} |"


def _median(values: Iterator[float] | list[float]) -> float:
    return statistics.median(values)


def report(towns: list[Town], options: argparse.Namespace) -> str:
    one, two = towns
    ratio = _median(a / b for a, b in zip(two.used, one.used, strict=True))
    return "\n".join(
        [
            "# Several servers, measured",
            "",
            f"By `make bench-several`, on commit {options.commit or commit_if_known()}, "
            f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {machine()}. "
            f"Medians of {options.rounds} rounds of {options.seconds:g} s, turn by turn in one "
            "run; the ratio is the median of the rounds' ratios. The load of the last minute was "
            f"{os.getloadavg()[0]:.1f} when it ended: with much more than 2, others were at work.",
            "",
            f"At {options.tables} tables of `quadrille` two people play at random, as in "
            f"[server.md](server.md), {IN_FLIGHT} moves under way at once, on PostgreSQL. Of two "
            "servers each has one of the two people of every table: their stream and their moves. "
            "CPU is that of the servers' processes together, without PostgreSQL and the load, "
            "which share the cores.",
            "",
            "| servers | moves/s | p50 | p99 | CPU a move |",
            "|---:|---:|---:|---:|---:|",
            *map(_row, towns),
            "",
            "| | | wanted | met |",
            "|---|---:|---:|---|",
            f"| CPU a move of two servers, times that of one | {ratio:.2f} | at most {WANTED:g} "
            f"| {'yes' if ratio <= WANTED else '**no**'} |",
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
