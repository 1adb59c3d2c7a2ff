"""Two workers of a Dask cluster beside one: `make bench-cluster` writes cluster.md.

Each worker is a process with one thread, in a session of its own, as on a machine of its own. Both
clusters play the same tournament, turn by turn; only one of them is at work at a time.
"""

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

import distributed
import psutil

import benben
from benben.lab.arena import Arena
from benben.lab.ledger import Entry, Ledger
from benben.lab.workers import Where
from bench.measuring import HERE, commit_if_known, machine, note

GAMES, ROUNDS = 96, 7
WANTED = 1.7  # times as fast as one worker
BOTS = ["3", "4", "uct:1000", "greedy"]


@dataclass
class Measured:
    seconds: float
    cpu: float  # seconds of the workers' own work


@dataclass
class Cluster:
    """A scheduler in this process, and its workers."""

    address: str
    workers: list[psutil.Process]
    measured: list[Measured] = field(default_factory=list)

    def play(self, arena: Arena, games: int) -> tuple[Measured, list[Entry]]:
        """The whole tournament from nothing."""
        with tempfile.TemporaryDirectory(prefix="benben") as folder:
            with Ledger(Path(folder) / "results", arena.header) as ledger:
                began, before = perf_counter(), self._cpu()
                entries = arena.play(arena.rounds(games), ledger, Where(cluster=self.address))
            return Measured(perf_counter() - began, self._cpu() - before), entries

    def _cpu(self) -> float:
        times = [worker.cpu_times() for worker in self.workers]
        return sum(each.user + each.system for each in times)


@contextmanager
def cluster(size: int) -> Iterator[Cluster]:
    made: Any = distributed.LocalCluster
    command = "-m distributed.cli.dask_worker --nthreads 1 --no-nanny --no-dashboard"
    with ExitStack() as stack:
        scheduler = stack.enter_context(
            made(n_workers=0, processes=True, host="127.0.0.1", dashboard_address=":0")
        )
        address = scheduler.scheduler_address
        workers = []
        for _ in range(size):
            worker = subprocess.Popen(
                [sys.executable, *command.split(), address],
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            stack.callback(worker.wait)
            stack.callback(worker.terminate)
            workers.append(psutil.Process(worker.pid))
        client: Any = distributed.Client
        with client(address, set_as_default=False) as connected:
            connected.wait_for_workers(size, timeout=60)
        yield Cluster(address, workers)


def measure(options: argparse.Namespace) -> list[Cluster]:
    arena = Arena(benben.game("quadrille"), BOTS, openings=4)
    with cluster(1) as one, cluster(2) as two:
        for each in (one, two):  # loads what has been compiled
            each.play(arena, 24)
        for number in range(options.rounds):
            note(f"round {number + 1} of {options.rounds}")
            results = []
            for each in (one, two):
                measured, entries = each.play(arena, options.games)
                each.measured.append(measured)
                results.append([(entry.moves, entry.shares) for entry in entries])
            assert results[0] == results[1]
        return [one, two]


# ---- The report


def report(clusters: list[Cluster], options: argparse.Namespace) -> str:
    one, two = clusters
    pairs = list(zip(one.measured, two.measured, strict=True))
    ratios = sorted(a.seconds / b.seconds for a, b in pairs)
    work = sorted(b.cpu / a.cpu for a, b in pairs)
    ratio = statistics.median(ratios)
    spread = f"{ratio:.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    works = f"{statistics.median(work):.2f} ({work[0]:.2f} to {work[-1]:.2f})"
    rows = [
        f"| {len(each.workers)} | {_median(m.seconds for m in each.measured):.1f} s "
        f"| {_median(m.cpu for m in each.measured):.1f} s "
        f"| {_median(m.cpu / m.seconds / len(each.workers) for m in each.measured):.0%} |"
        for each in clusters
    ]
    return "\n".join(
        [
            "# A cluster, measured",
            "",
            f"By `make bench-cluster`, on commit {options.commit or commit_if_known()}, "
            f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {machine()}. "
            f"Medians of {options.rounds} rounds, turn by turn in one run; a ratio is the median "
            "of the rounds' ratios, beside the least and the largest. The load of the last minute "
            f"was {os.getloadavg()[0]:.1f} when it ended: with much more than 2, others were at "
            "work, and workers had less than a processor each.",
            "",
            f"A round robin of {', '.join(f'`{bot}`' for bot in BOTS)} in `quadrille`, "
            f"{options.games} games, from connecting to the last result, on workers of Dask's "
            "with one thread each. Scheduler and arena share the processors with them. Both "
            "clusters gave the same games, move for move.",
            "",
            "| workers | time | CPU of the workers | of a processor each |",
            "|---:|---:|---:|---:|",
            *rows,
            "",
            "| | | wanted | met |",
            "|---|---:|---:|---|",
            f"| two workers, times as fast as one | {spread} | {WANTED:g} "
            f"| {'yes' if ratio >= WANTED else '**no**'} |",
            f"| CPU of two workers, times that of one | {works} | | |",
            "",
        ]
    )


def _median(values: Iterator[float]) -> float:
    return statistics.median(values)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--commit", help="to note instead of the one checked out")
    options = parser.parse_args()
    text = report(measure(options), options)
    (HERE / "cluster.md").write_text(text)
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
