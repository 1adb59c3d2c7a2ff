"""Two servers on one PostgreSQL database beside one alone: `make bench-several` writes several.md.

The same load of people (`load.py`) plays at both. As behind our nginx, all requests of a table go
to one of the two servers, by the table's id.
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
from tests.store.postgres import Postgres, running

TABLES, ROUNDS, SLICE = 200, 5, 6.0  # seconds a measurement
RATES = (200.0, 0.0)  # moves a second; 0: as fast as they can
# Times the CPU a move of one server, and times its moves when all play as fast as they can.
WANTED_CPU, WANTED_MOVES = 1.15, 1.0


@dataclass(frozen=True)
class Measured:
    played: Played
    used: float  # seconds of CPU a move


@dataclass
class Cluster:
    """Servers of one database, their load, and what was measured."""

    servers: list[Served]
    load: Load
    measured: dict[float, list[Measured]] = field(default_factory=dict)  # by rate

    def play(self, seconds: float, rate: float) -> Measured:
        before = self._cpu()
        played = self.load.play(seconds, rate)
        return Measured(played, (self._cpu() - before) / played.moves)

    def _cpu(self) -> float:
        return sum(each.cpu() for each in self.servers)


@contextmanager
def cluster(size: int, tables: int, postgres: Postgres, folder: Path) -> Iterator[Cluster]:
    """Some servers, at rest, with tables where nobody has moved yet."""
    url = postgres.fresh()
    with ExitStack() as stack:
        servers = []
        for number in range(size):
            name = f"{number + 1} of {size}"
            servers.append(stack.enter_context(benben(name, url, folder / f"{name}.log")))
        for each in servers:
            each.rest()
        load = Load("benben", tables, *(each.address for each in servers))
        stack.callback(load.close)
        for each in servers:
            each.rest()
        yield Cluster(servers, load)


def measure(options: argparse.Namespace) -> list[Cluster]:
    """Turn by turn."""
    with (
        tempfile.TemporaryDirectory(prefix="benben") as folder,
        running({"max_connections": "250"}) as postgres,
        ExitStack() as stack,
    ):
        clusters = [
            stack.enter_context(cluster(size, options.tables, postgres, Path(folder)))
            for size in (1, 2)
        ]
        for each in clusters:
            each.play(options.seconds / 2, 0.0)
        for number in range(options.rounds):
            note(f"round {number + 1} of {options.rounds}")
            for rate in RATES:
                for each in clusters:
                    each.measured.setdefault(rate, []).append(each.play(options.seconds, rate))
    return clusters


# ---- The report


def _row(rate: float, each: Cluster) -> str:
    played = [measured.played for measured in each.measured[rate]]
    cells = [
        f"{rate:g} moves/s" if rate else "as fast as they can",
        str(len(each.servers)),
        f"{_median(p.moves / p.seconds for p in played):,.0f}",
        f"{1e3 * _median(p.p50 for p in played):.1f} ms",
        f"{1e3 * _median(p.p99 for p in played):.1f} ms",
        f"{1e6 * _median(measured.used for measured in each.measured[rate]):,.0f} µs",
    ]
    return f"| {' | '.join(cells)} |"


def _verdicts(rate: float, one: Cluster, two: Cluster) -> list[str]:
    pairs = [*zip(two.measured[rate], one.measured[rate], strict=True)]
    load = f"at {rate:g} moves/s" if rate else "as fast as they can"
    cpu = [a.used / b.used for a, b in pairs]
    met = statistics.median(cpu) <= WANTED_CPU
    lines = [_verdict(f"CPU a move, {load}", cpu, f"at most {WANTED_CPU:g}", met)]
    if not rate:
        moves = [a.played.moves / b.played.moves for a, b in pairs]
        met = statistics.median(moves) >= WANTED_MOVES
        lines.append(_verdict(f"moves/s, {load}", moves, f"at least {WANTED_MOVES:g}", met))
    return lines


def _verdict(what: str, ratios: list[float], wanted: str, met: bool) -> str:
    spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
    return (
        f"| {what}, two servers beside one | {statistics.median(ratios):.2f} ({spread}) "
        f"| {wanted} | {'yes' if met else '**no**'} |"
    )


def _median(values: Iterator[float]) -> float:
    return statistics.median(values)


def report(clusters: list[Cluster], options: argparse.Namespace) -> str:
    one, two = clusters
    return "\n".join(
        [
            "# Several servers, measured",
            "",
            f"By `make bench-several`, on commit {options.commit or commit_if_known()}, "
            f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {machine()}. "
            f"Medians of {options.rounds} rounds of {options.seconds:g} s. One server and two "
            "are loaded in turn in each round; a ratio is the median of the rounds' ratios, with "
            "the smallest and the largest in brackets. The load average of the last minute was "
            f"{os.getloadavg()[0]:.1f} at the end: if it is much more than 2, other work ran on "
            "the machine.",
            "",
            f"At {options.tables} tables of `quadrille` two people play at random, as in "
            "[server.md](server.md), on PostgreSQL. Each of two servers serves the tables that a "
            "hash of the id routes to it: moves and streams of both people, as behind our nginx. "
            "Moves begin at random times at a given rate, as people make them; or as fast as they "
            f"can, {IN_FLIGHT} in flight at once, and then one server stores more of them in a "
            "transaction than two. CPU is that of all server processes together, without "
            "PostgreSQL and the load generator, which share the cores.",
            "",
            "| load | servers | moves/s | p50 | p99 | CPU a move |",
            "|---|---|---:|---:|---:|---:|",
            *(_row(rate, each) for rate in RATES for each in clusters),
            "",
            "| | | wanted | met |",
            "|---|---:|---:|---|",
            *(line for rate in RATES for line in _verdicts(rate, one, two)),
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
