"""How long people wait for bots when many play at once: `make bench-bots` writes bots.md.

The server is a process of its own, on SQLite. Everybody plays alone against level 6, has a stream
open, and moves as soon as they may: nobody could ask more of the bots.
"""

import argparse
import asyncio
import os
import platform
import random
import statistics
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from benben.live.bots import MAX_ANSWER_SECONDS, MIN_THINK_SECONDS, default_thinkers
from benben.live.tables import BOT_MOVE_SECONDS
from bench.measuring import HERE, commit_if_known, machine, note
from bench.server import Served, benben
from bench.wire import Address, Callers, follow

GAMES = ("quadrille", "pyramidis")  # by turns; for two
LEVEL = 6
PEOPLE = (1, 10, 100)
SECONDS = 40.0
WANTED = 6.0  # seconds within which 95 of 100 answers come, at the most people
LOOKS = 0.5  # seconds between two looks at the queue
ME, BOT = 0, 1


class _Legal(msgspec.Struct):
    move: str


class Now(msgspec.Struct):
    to_move: int | None = None
    legal: list[_Legal] = []
    result: Any = None


class _Whole(Now, kw_only=True):
    number: int


class _Event(msgspec.Struct):
    kind: str
    seat: int | None = None


class _Told(msgspec.Struct):
    number: int
    event: _Event
    now: Now | None = None


_whole, _told = msgspec.json.Decoder(_Whole).decode, msgspec.json.Decoder(_Told).decode


@dataclass
class Waits:
    """Seconds from sending a move: until the bot's answer was told, and until it was stored."""

    answers: list[float] = field(default_factory=list)
    stored: list[float] = field(default_factory=list)
    games: int = 0


class Person:
    """Somebody who plays one game after another against a bot."""

    def __init__(
        self,
        at: Address,
        callers: Callers,
        game: str,
        seed: int,
        waits: Waits,
        level: int = LEVEL,
    ) -> None:
        self._at, self._callers, self._game, self._waits = at, callers, game, waits
        self._level = level
        self._rng = random.Random(seed)
        self._sent: float | None = None  # when a move went out that has no answer yet

    async def play(self) -> None:
        while True:
            stream = await self._sit_down()
            try:
                while (now := await self._turns.get()).result is None:
                    await self._move(now)
            finally:
                stream.close()
            self._waits.games += 1

    async def _sit_down(self) -> asyncio.Transport:
        seats = [{}, {"bot": self._level}]
        terms = {"game": self._game, "players": 2, "seats": seats}
        opened = await self._post("/api/tables", terms)
        self._path = f"/api/tables/{opened['id']}"
        sat = await self._post(f"{self._path}/seats/{ME}", {"name": "Ann", "nonce": "n"})
        self._token, self._number, self._sent = sat["token"], 0, None
        self._turns: asyncio.Queue[Now] = asyncio.Queue()
        path = f"{self._path}/events"
        return await follow(self._at, path, self._token, self._hear, self._callers.client)

    def _hear(self, chunk: bytes) -> None:
        for message in chunk.split(b"\n\n"):
            kind, _, rest = message.removeprefix(b"event: ").partition(b"\n")
            data = rest.partition(b"data: ")[2]
            if kind == b"table":
                whole = _whole(data)
                self._see(whole.number, whole)
            elif kind == b"event":
                told = _told(data)
                if self._sent and told.event.kind == "moved" and told.event.seat == BOT:
                    self._waits.answers.append(time.perf_counter() - self._sent)
                    self._sent = None
                if told.now is not None:
                    self._see(told.number, told.now)

    def _see(self, number: int, now: Now) -> None:
        if now.result is not None or now.to_move == ME:
            self._number = number
            self._turns.put_nowait(now)

    async def _move(self, now: Now) -> None:
        move = {"move": self._rng.choice(now.legal).move, "number": self._number}
        self._sent = begun = time.perf_counter()
        await self._callers.post(f"{self._path}/move", msgspec.json.encode(move), self._token)
        self._waits.stored.append(time.perf_counter() - begun)

    async def _post(self, path: str, body: Any) -> Any:
        return msgspec.json.decode(await self._callers.post(path, msgspec.json.encode(body)))


@dataclass(frozen=True)
class Measured:
    """So many people for a while: what they waited, and what the server says of its bots."""

    people: int
    seconds: float
    waits: Waits
    thoughts: float
    thinking: float  # seconds, of all threads together
    queue: float  # how many waited, on the average
    cpu: float  # seconds


async def _play(served: Served, people: int, seconds: float) -> Measured:
    host, port = served.address.removeprefix("http://").split(":")
    at, waits, queue = Address(host, int(port)), Waits(), []
    callers = Callers(at)
    before, cpu, begun = _counted(served), served.cpu(), time.perf_counter()
    everybody = [
        asyncio.create_task(Person(at, callers, GAMES[i % len(GAMES)], i, waits).play())
        for i in range(people)
    ]
    while (elapsed := time.perf_counter() - begun) < seconds:
        done, _ = await asyncio.wait(everybody, timeout=LOOKS, return_when=asyncio.FIRST_EXCEPTION)
        for each in done:
            each.result()  # nobody ends by themselves: this raises what went wrong
        queue.append((await asyncio.to_thread(_counted, served))["benben_bots_waiting"])
    after, used = _counted(served), served.cpu() - cpu
    for each in everybody:
        each.cancel()
    await asyncio.gather(*everybody, return_exceptions=True)
    thoughts = after["benben_bot_thoughts_total"] - before["benben_bot_thoughts_total"]
    key = "benben_bot_thinking_seconds_total"
    thinking, waiting = after[key] - before[key], statistics.mean(queue)
    return Measured(people, elapsed, waits, thoughts, thinking, waiting, used)


def _counted(served: Served) -> dict[str, float]:
    with urllib.request.urlopen(f"{served.address}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    pairs = [line.rsplit(" ", 1) for line in lines if not line.startswith("#")]
    return {name: float(value) for name, value in pairs}


def measure(people: int, seconds: float) -> Measured:
    """On a fresh server, at rest."""
    with tempfile.TemporaryDirectory(prefix="benben") as name:
        folder = Path(name)
        file = f"sqlite:///{folder / 'tables.sqlite3'}"
        with benben("Benben", file, folder / "log") as served:
            served.rest()
            note(f"{people} against level {LEVEL}")
            return asyncio.run(_play(served, people, seconds))


# ---- The report


def _at(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def _row(each: Measured) -> str:
    answers, stored = each.waits.answers, each.waits.stored
    held = sum(wait < BOT_MOVE_SECONDS + 0.05 for wait in answers) / len(answers)
    cells = [
        f"{each.people}",
        f"{len(answers):,}",
        f"{_at(answers, 0.5):.2f} s",
        f"{_at(answers, 0.95):.2f} s",
        f"{max(answers):.2f} s",
        f"{100 * held:.0f} %",
        f"{each.thoughts / each.seconds:.1f}",
        f"{1000 * each.thinking / each.thoughts:.0f} ms",
        f"{each.queue:.0f}",
        f"{1000 * _at(stored, 0.95):.0f} ms",
        f"{100 * each.cpu / each.seconds:.0f} %",
    ]
    return f"| {' | '.join(cells)} |"


def report(measured: list[Measured], options: argparse.Namespace) -> str:
    most = measured[-1]
    p95 = _at(most.waits.answers, 0.95)
    thinkers = os.environ.get("BENBEN_THINKERS") or default_thinkers()
    return "\n".join(
        [
            "# Bots under load",
            "",
            f"By `make bench-bots`, on commit {options.commit or commit_if_known()}, "
            f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {machine()}; "
            f"bots at a time (`--thinkers`): {thinkers}. The load of the last minute was "
            f"{os.getloadavg()[0]:.1f} when it ended: with much more than 2, others were at work.",
            "",
            f"A fresh server on SQLite for each row. Everybody plays {' or '.join(GAMES)} for two "
            f"against level {LEVEL}, which thinks for a second when nobody waits, and moves, at "
            f"random, as soon as it is their turn, for {options.seconds:g} s; where a game ends "
            "they open another table. All begin at once. A wait is from sending a move to the "
            "bot's answer on one's stream.",
            "",
            "A thought is cut so that all who wait are answered within some "
            f"{MAX_ANSWER_SECONDS:g} s, but never below {1000 * MIN_THINK_SECONDS:.0f} ms. A bot "
            f"takes {BOT_MOVE_SECONDS:g} s at least, so "
            "that people can follow: *held* are the answers that were ready before. *Stored* is "
            "how long people's own moves took, of which 95 of 100 were quicker.",
            "",
            "| people | answers | p50 | p95 | longest | held | thoughts/s | a thought | waiting "
            "| stored | server's CPU |",
            "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
            *map(_row, measured),
            "",
            "| | | wanted | met |",
            "|---|---:|---:|---|",
            f"| p95 of {most.people} people | {p95:.2f} s | under {WANTED:g} s "
            f"| {'yes' if p95 < WANTED else '**no**'} |",
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.bots", description=__doc__)
    parser.add_argument("--commit", default="", help="which one this is, where Git cannot say")
    parser.add_argument("--people", type=int, nargs="*", default=PEOPLE)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of a row")
    parser.add_argument("--output", type=Path, default=HERE / "bots.md")
    options = parser.parse_args()
    text = report([measure(each, options.seconds) for each in options.people], options)
    options.output.write_text(text, "utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
