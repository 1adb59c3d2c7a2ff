"""Benben's server beside boardgame.io's: `make bench-server` writes server.md.

A server is one process, and so is the load (`load.py`). All servers are up at once and loaded turn
by turn, so that what else the machine does hits them alike; ratios are those of single rounds.
"""

import argparse
import os
import platform
import re
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

import msgspec

from bench.load import IN_FLIGHT, Opened, Played
from bench.measuring import HERE, commit_if_known, cpu_of, machine, note
from tests.store.postgres import running

TABLES = (10, 100, 1000)
ROUNDS, SLICE = 5, 4.0  # seconds a measurement
IDLE = 40.0  # seconds
TARGET_TABLES = 100  # the ratios below are wanted at so many tables
# Times the moves of boardgame.io in memory, and in files; times SQLite's CPU a move; per cent of a
# core.
WANTED, WANTED_DURABLE, WANTED_POSTGRES, WANTED_IDLE = 0.7, 2.3, 1.3, 2.0
OURS, OURS_TOO = "Benben, SQLite", "Benben, PostgreSQL"
THEIRS, THEIRS_DURABLE = "boardgame.io, in memory", "boardgame.io, FlatFile"
_PATIENCE = 300.0  # seconds until a server must have come to rest

T = TypeVar("T", bound=msgspec.Struct)


@dataclass
class Served:
    """A server, its load, and what was measured."""

    name: str
    side: str
    process: subprocess.Popen[str]
    address: str
    load: "Load | None" = None
    table_kb: float = 0.0  # memory that a table takes
    played: list[Played] = field(default_factory=list)
    used: list[float] = field(default_factory=list)  # seconds of CPU a move, by round

    def cpu(self) -> float:
        """Seconds of CPU this process has used."""
        return cpu_of(self.process.pid)

    def memory(self) -> int:
        """In kB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0])

    def rest(self) -> None:
        """Wait until it does next to nothing: kernels are loaded after the first answer."""
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            before = self.cpu()
            time.sleep(2.0)
            if self.cpu() - before < 0.1:
                return
        raise TimeoutError(f"{self.name} does not come to rest")

    def open(self, tables: int) -> None:
        before = self.memory()
        self.load = Load(self.side, tables, self.address)
        self.rest()
        self.table_kb = (self.memory() - before) / tables

    def play(self, seconds: float) -> Played:
        assert self.load is not None
        before = self.cpu()
        played = self.load.play(seconds)
        self.used.append((self.cpu() - before) / played.moves)
        self.played.append(played)
        return played


class Load:
    """A process that plays when it is told to."""

    def __init__(self, side: str, tables: int, *addresses: str) -> None:
        places = [each.removeprefix("http://") for each in addresses]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.load", side, str(tables), *places],
            cwd=HERE.parent,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._answer(Opened)

    def play(self, seconds: float, rate: float = 0.0) -> Played:
        """As fast as possible, or so many moves a second."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{seconds} {rate}\n")
        self._process.stdin.flush()
        return self._answer(Played)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _answer(self, kind: type[T]) -> T:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise ChildProcessError("the load has failed, as it says above")
        return msgspec.json.decode(line, type=kind)


# ---- Servers


@contextmanager
def benben(
    name: str,
    database: str,
    log: Path,
    pause: float = 0.2,
    *,
    limited: bool = False,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Served]:
    """A server that is ready, polled every `pause` seconds; `limited` has the default limits."""
    words = [sys.executable, "-m", "benben", "serve", "--port", "0"]
    words += [] if limited else ["--rate", "0"]
    words += ["--database", database]
    with serving(name, "benben", words, log, environment, pause) as served:
        yield served


@contextmanager
def boardgame_io(name: str, log: Path, folder: Path | None = None) -> Iterator[Served]:
    """With its matches in memory, or in a folder by its own storage."""
    words = ["node", str(HERE / "boardgame_io" / "server.js"), *([str(folder)] if folder else [])]
    with serving(name, "boardgame.io", words, log, {"NODE_ENV": "production"}) as served:
        yield served


@contextmanager
def serving(
    name: str,
    side: str,
    words: list[str],
    log: Path,
    environment: Mapping[str, str],
    pause: float = 0.2,
) -> Iterator[Served]:
    """A process that writes where it serves; one of ours is ready, polled every `pause` seconds."""
    with log.open("w") as errors:
        process = subprocess.Popen(
            words, env=os.environ | environment, stdout=subprocess.PIPE, stderr=errors, text=True
        )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.search(r"is at (http://[\d.]+:\d+)", line):
                served = Served(name, side, process, found[1])
                break
        else:
            raise ChildProcessError(f"{name} does not start: {log.read_text()}")
        if side == "benben":
            _until_ready(served.address, pause)
        yield served
        if served.load is not None:
            served.load.close()
    finally:
        process.terminate()
        process.wait()


def _until_ready(address: str, pause: float = 0.2) -> None:
    """Kernels may have to be compiled first."""
    while True:
        try:
            urllib.request.urlopen(f"{address}/readyz").close()
            return
        except urllib.error.HTTPError as error:
            error.close()
        time.sleep(pause)


@contextmanager
def all_servers(folder: Path) -> Iterator[list[Served]]:
    """Fresh ones, at rest. PostgreSQL waits for the disk, which is its default."""
    with ExitStack() as stack:
        postgres = stack.enter_context(running({"max_connections": "50"}))
        file = f"sqlite:///{folder / 'tables.sqlite3'}"
        servers = [
            stack.enter_context(benben(OURS, file, folder / "sqlite.log")),
            stack.enter_context(benben(OURS_TOO, postgres.fresh(), folder / "postgres.log")),
            stack.enter_context(
                boardgame_io(THEIRS_DURABLE, folder / "flat_file.log", folder / "matches")
            ),
            stack.enter_context(boardgame_io(THEIRS, folder / "in_memory.log")),
        ]
        for each in servers:
            each.rest()
        yield servers


# ---- Measuring


def measure(tables: int, rounds: int, seconds: float) -> list[Served]:
    """Every server under load, turn by turn."""
    with (
        tempfile.TemporaryDirectory(prefix="benben") as folder,
        all_servers(Path(folder)) as servers,
    ):
        play_in_turn(servers, tables, rounds, seconds)
    return servers


def play_in_turn(servers: Sequence[Served], tables: int, rounds: int, seconds: float) -> None:
    """Open the tables at every server, then play at one server after another in each round."""
    for each in servers:
        each.open(tables)
        each.play(seconds / 2)
        each.played.clear()
        each.used.clear()
    for number in range(rounds):
        note(f"{tables} tables, round {number + 1} of {rounds}")
        for each in servers:
            each.play(seconds)


def idle(tables: int, seconds: float) -> float:
    """Per cent of a core that a server takes while nobody moves at its tables."""
    with tempfile.TemporaryDirectory(prefix="benben") as name:
        folder = Path(name)
        file = f"sqlite:///{folder / 'tables.sqlite3'}"
        with benben(OURS, file, folder / "log") as served:
            served.rest()
            served.open(tables)
            note(f"{tables} tables, nobody moves")
            before, begun = served.cpu(), time.monotonic()
            time.sleep(seconds)
            return 100 * (served.cpu() - before) / (time.monotonic() - begun)


# ---- The report


def _rows(tables: int, servers: list[Served]) -> list[str]:
    rows = []
    for each in servers:
        ratio = _ratio(each, servers[-1])
        cells = [
            f"{tables:,}",
            each.name,
            f"{_median(p.moves / p.seconds for p in each.played):,.0f}",
            f"{ratio:.2f}",
            f"{1e3 * _median(p.p50 for p in each.played):.1f} ms",
            f"{1e3 * _median(p.p99 for p in each.played):.1f} ms",
            f"{1e6 * _median(each.used):,.0f} µs",
            f"{100 * _median(p.cpu for p in each.played):.0f} %",
            f"{each.table_kb:.0f} kB",
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return rows


def _ratio(ours: Served, theirs: Served) -> float:
    """The median of the rounds' ratios."""
    return _median(a.moves / b.moves for a, b in zip(ours.played, theirs.played, strict=True))


def _median(values: Iterator[float] | list[float]) -> float:
    return statistics.median(values)


def _verdicts(measured: dict[int, list[Served]], idling: float, most: int) -> list[str]:
    lines = []
    for tables, (ours, ours_too, durable, in_memory) in measured.items():
        if tables != TARGET_TABLES:
            continue
        for theirs, wanted in ((in_memory, WANTED), (durable, WANTED_DURABLE)):
            ratio = _ratio(ours, theirs)
            lines.append(
                f"| moves on SQLite beside {theirs.name}, {tables} tables | {ratio:.2f} "
                f"| at least {wanted:g} | {_met(ratio >= wanted)} |"
            )
        cpu = _median(a / b for a, b in zip(ours_too.used, ours.used, strict=True))
        lines.append(
            f"| CPU a move on PostgreSQL beside SQLite, {tables} tables | {cpu:.2f} "
            f"| at most {WANTED_POSTGRES:g} | {_met(cpu <= WANTED_POSTGRES)} |"
        )
    lines.append(
        f"| {most:,} idle tables, {2 * most:,} streams | {idling:.2f} % of a core "
        f"| under {WANTED_IDLE:g} % | {_met(idling < WANTED_IDLE)} |"
    )
    return lines


def _met(met: bool) -> str:
    return "yes" if met else "**no**"


def _python() -> str:
    """The interpreter and how it was built: one without profile-guided optimization is slower."""
    built = sysconfig.get_config_var("CONFIG_ARGS") or ""
    optimized = "with" if "--enable-optimizations" in built else "without"
    return f"Python {platform.python_version()} built {optimized} `--enable-optimizations`"


def report(measured: dict[int, list[Served]], idling: float, options: argparse.Namespace) -> str:
    load = os.getloadavg()[0]
    return "\n".join(
        [
            "# The server, measured",
            "",
            f"By `make bench-server`, on commit {options.commit or commit_if_known()}, "
            f"{datetime.now(UTC):%Y-%m-%d}, {_python()}, {machine()}. "
            f"Medians of {options.rounds} rounds of {options.seconds:g} s. The servers are loaded "
            f"in turn in each round; a ratio is the median of the rounds' ratios. The load average "
            f"of the last minute was {load:.1f} at the end: if it is much more than 2, other work "
            "ran on the machine.",
            "",
            "At every table two people play at random, each with an open stream. A move ends when "
            "both streams have received it; times are from sending it to the second of these. "
            f"{IN_FLIGHT} moves are in flight at once (10 at 10 tables), and the next one begins "
            "when one ends. When a game ends, another table is opened.",
            "",
            "Benben plays `quadrille`: it is for two, and a move is one event, as there are no "
            "throws. The player to move receives all legal moves with their effects. Every move is "
            "on disk before it is broadcast (SQLite: `synchronous=FULL`; PostgreSQL: `fsync=on`). "
            "boardgame.io plays a simpler game of steps on as many squares and sends no legal "
            "moves. It stores its matches in memory, where they are lost when it stops, or by its "
            "`FlatFile` in files, without waiting until they are on disk.",
            "",
            "The load generator is one Python process for all servers. It shares the cores with "
            "the server, and does not limit it while it takes much less than a core. Memory is "
            "the growth of the server by a table with its two connections. Where the CPU time of "
            "a move goes is in [profile.md](profile.md).",
            "",
            "| live tables | server | moves/s | ratio | p50 | p99 | CPU a move | load's CPU "
            "| memory a table |",
            "|---:|---|---:|---:|---:|---:|---:|---:|---:|",
            *(row for tables, servers in measured.items() for row in _rows(tables, servers)),
            "",
            "| | | wanted | met |",
            "|---|---:|---:|---|",
            *_verdicts(measured, idling, max(measured)),
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.server", description=__doc__)
    parser.add_argument("--commit", default="", help="which one this is, where Git cannot say")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, default=SLICE, help="of a round, for each server")
    parser.add_argument("--idle", type=float, default=IDLE, help="seconds")
    parser.add_argument("--tables", type=int, nargs="*", default=TABLES)
    parser.add_argument("--output", type=Path, default=HERE / "server.md")
    options = parser.parse_args()
    measured = {each: measure(each, options.rounds, options.seconds) for each in options.tables}
    text = report(measured, idle(max(options.tables), options.idle), options)
    options.output.write_text(text, "utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
