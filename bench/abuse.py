"""What one visitor can do to everybody else: `make bench-abuse` writes abuse.md.

Ten honest players play against bots at a server with its default limits, first alone and then
beside one attacker (`attacks.py`), who has an address and a process of its own. The report compares
how long the honest players wait for answers to their requests, and for the bots' moves.
"""

import argparse
import asyncio
import os
import platform
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bench.attacks import ATTACKS, REQUESTS_PER_SECOND
from bench.bots import Now, Person, Waits
from bench.measuring import HERE, TICKS, commit_if_known, cpu_of, machine, note
from bench.server import Served, benben
from bench.wire import Address, Callers
from tests.web.post import PostOffice

PLAYERS = 10
LEVEL = 3
GAME = "quadrille"
SECONDS = 24.0
SLICES = 6  # of a phase; figures are medians over slices, so that a burst of other work is left out
MOST_ELSEWHERE = 0.1  # of the machine's CPU: a slice in which others used more is measured again
WANTED = 2.0  # times the p99 without the attack
MOVE_PAUSE_SECONDS = 0.3


class Honest(Person):
    """Somebody who looks around between two moves, as a page does."""

    def __init__(self, at: Address, number: int, waits: Waits, requests: list[float]) -> None:
        callers = Callers(at, f"198.51.100.{number + 1}")
        super().__init__(at, callers, GAME, number, waits, LEVEL)
        self._requests = requests

    async def _move(self, now: Now) -> None:
        for path in (self._path, f"{self._path}/refusals"):
            await self._timed(path, self._token)
        await self._timed(self._path.replace("/api/tables/", "/t/"))
        await asyncio.sleep(MOVE_PAUSE_SECONDS)
        await super()._move(now)

    async def _timed(self, path: str, token: str = "") -> None:
        begun = time.perf_counter()
        await self._callers.get(path, token)
        self._requests.append(time.perf_counter() - begun)


@dataclass
class Phase:
    """What the honest players waited for, in seconds, by slice."""

    requests: list[list[float]] = field(default_factory=list)
    answers: list[list[float]] = field(default_factory=list)
    server_cpu: list[float] = field(default_factory=list)  # cores that the server used
    disturbed: int = 0  # slices that count although others used much of the machine


@dataclass(frozen=True)
class Row:
    attack: str
    alone: Phase
    attacked: Phase


class Usage:
    """CPU used since it was made: by the server, and by programs that are not part of this.

    Time that the host gave to other machines counts as used by others.
    """

    def __init__(self, served: Served, attacker: "subprocess.Popen[str] | None") -> None:
        self._served, self._attacker = served, attacker
        self._began, self._before = time.monotonic(), self._read()

    def _read(self) -> tuple[float, float, float]:
        """Seconds of CPU: the server's, all of ours, and all that were used or stolen."""
        user, nice, system, _idle, _wait, irq, softirq, steal = (
            int(word) for word in Path("/proc/stat").read_text().split()[1:9]
        )
        used = (user + nice + system + irq + softirq + steal) / TICKS
        server = self._served.cpu()
        attacker = cpu_of(self._attacker.pid) if self._attacker else 0.0
        return server, server + attacker + time.process_time(), used

    def cores(self) -> tuple[float, float]:
        """Cores that the server used, and the share of the machine that others used."""
        seconds = time.monotonic() - self._began
        server, ours, used = (b - a for a, b in zip(self._before, self._read(), strict=True))
        return server / seconds, max(0.0, used - ours) / seconds / (os.cpu_count() or 1)


async def _play(served: Served, attack: str, seconds: float) -> Row:
    host, port = served.address.removeprefix("http://").split(":")
    at, waits, requests = Address(host, int(port)), Waits(), list[float]()
    players = [Honest(at, number, waits, requests) for number in range(PLAYERS)]
    tasks = [asyncio.create_task(each.play()) for each in players]

    async def phase(attacker: "subprocess.Popen[str] | None") -> Phase:
        await _unless_failed(tasks, 2.0)  # what began before is not counted
        measured, spare = Phase(), SLICES
        while len(measured.requests) < SLICES:
            for each in (requests, waits.answers, waits.stored):
                each.clear()
            usage = Usage(served, attacker)
            await _unless_failed(tasks, seconds / SLICES)
            cores, elsewhere = usage.cores()
            if elsewhere > MOST_ELSEWHERE and spare:
                spare -= 1
                continue
            measured.disturbed += elsewhere > MOST_ELSEWHERE
            measured.server_cpu.append(cores)
            measured.requests.append([*requests, *waits.stored])
            measured.answers.append(list(waits.answers))
        return measured

    try:
        alone = await phase(None)
        with _attacking(attack, served.address, seconds) as process:
            line = await asyncio.to_thread(process.stdout.readline) if process.stdout else ""
            if not line:
                raise ChildProcessError(f"the attack {attack} has failed, as it says above")
            return Row(attack, alone, await phase(process))
    finally:
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _unless_failed(tasks: Sequence["asyncio.Task[None]"], seconds: float) -> None:
    done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    for each in done:
        each.result()  # players go on until they are cancelled: this raises what went wrong


@contextmanager
def _attacking(name: str, url: str, seconds: float) -> Iterator["subprocess.Popen[str]"]:
    words = [sys.executable, "-m", "bench.attacks", name, url, str(4 * seconds + 60)]
    process = subprocess.Popen(words, cwd=HERE.parent, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def measure(attack: str, seconds: float) -> Row:
    """On a fresh server."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        office = PostOffice(free.getsockname()[1])
    with tempfile.TemporaryDirectory(prefix="benben") as name, office.open():
        folder = Path(name)
        file = f"sqlite:///{folder / 'tables.sqlite3'}"
        mail = office.environment()
        with benben("Benben", file, folder / "log", limited=True, environment=mail) as served:
            served.rest()
            note(attack)
            return asyncio.run(_play(served, attack, seconds))


# ---- The report


def _at(slices: Sequence[Sequence[float]], share: float) -> float:
    """The median over slices of a quantile."""
    found = [sorted(each)[int(share * (len(each) - 1) + 0.5)] for each in slices if each]
    return statistics.median(found)


def _cells(alone: list[list[float]], attacked: list[list[float]]) -> tuple[list[str], float]:
    figures = [_at(each, share) for share in (0.5, 0.99) for each in (alone, attacked)]
    ratio = figures[3] / figures[2]
    return [*(f"{1000 * each:.0f}" for each in figures), f"{ratio:.1f}"], ratio


def _row(row: Row) -> str:
    requests, slower = _cells(row.alone.requests, row.attacked.requests)
    answers, later = _cells(row.alone.answers, row.attacked.answers)
    met = "yes" if max(slower, later) <= WANTED else "**no**"
    what = (ATTACKS[row.attack].__doc__ or "").partition("\n")[0]
    cpu = [f"{statistics.median(each.server_cpu):.2f}" for each in (row.alone, row.attacked)]
    disturbed = str(row.alone.disturbed + row.attacked.disturbed)
    cells = [f"`{row.attack}`: {what}", *requests, *answers, *cpu, disturbed, met]
    return f"| {' | '.join(cells)} |"


def report(rows: list[Row], options: argparse.Namespace) -> str:
    return "\n".join(
        [
            "# Abuse",
            "",
            f"By `make bench-abuse`, on commit {options.commit or commit_if_known()}, "
            f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {machine()}. The "
            f"load average was {os.getloadavg()[0]:.1f} at the end: well above 3 means that other "
            "programs were running.",
            "",
            f"For each row a fresh server on SQLite with default limits, and {PLAYERS} players "
            f"from {PLAYERS} addresses, each against a bot of level {LEVEL} in {GAME}. They play "
            f"for {options.seconds:g} s alone, then for {options.seconds:g} s beside one attacker "
            f"from one address, who sends at most {REQUESTS_PER_SECOND:g} requests a second. "
            "Server, players and attacker share the machine. *Requests* are moves, tables, "
            "refusals and pages; *bots* is the time from a move to the bot's answer, at least "
            "800 ms by design. `nothing` is a row without an attack: its ratio is the noise of the "
            "machine. Milliseconds, without | with the attack; the ratio is that of p99. "
            f"Each phase has {SLICES} slices, and a figure is the median of those of the slices. "
            f"A slice in which other programs or other machines used more than "
            f"{100 * MOST_ELSEWHERE:.0f} % of the CPU is measured again, {SLICES} times at most in "
            "a phase; *disturbed* are those that count nevertheless. *CPU* is cores that the "
            "server used.",
            "",
            f"Wanted: p99 at most {WANTED:g} times that without the attack, of requests and bots.",
            "",
            "| attack | requests p50 | with | p99 | with | ratio | bots p50 | with | p99 | with "
            "| ratio | CPU | with | disturbed | met |",
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|",
            *map(_row, rows),
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.abuse", description=__doc__)
    parser.add_argument("--commit", default="", help="which one this is, where Git cannot say")
    parser.add_argument("--only", nargs="*", choices=list(ATTACKS), default=list(ATTACKS))
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each of two phases")
    parser.add_argument("--output", type=Path, default=HERE / "abuse.md")
    options = parser.parse_args()
    rows: list[Row] = []
    for each in options.only:
        rows.append(measure(each, options.seconds))
        note(_row(rows[-1]))
        options.output.write_text(report(rows, options), "utf-8")  # nothing is lost by Ctrl-C


if __name__ == "__main__":
    main()
