"""A load of moves, in a process of its own: `python -m bench.load SIDE TABLES SPREAD HOST:PORT …`.

It opens the tables and says how that went. Then each line it reads is a number of seconds to play
for, and if it is not to be as fast as possible, how many moves begin in a second; it is answered
with what was measured. Between lines it only listens.
"""

import asyncio
import random
import resource
import statistics
import sys
import time
from collections import deque

import msgspec

from bench.tables import SIDES, Side, Table
from bench.wire import Address, WireError

IN_FLIGHT = 32  # moves under way at once
OPENING = 16  # tables opened at once


class Opened(msgspec.Struct):
    tables: int
    seconds: float


class Played(msgspec.Struct):
    """`cpu` is the share of a core that this process used."""

    moves: int
    games: int
    seconds: float
    p50: float
    p99: float
    cpu: float


class Load:
    """Tables in a row: who is free takes the first, moves there, and puts it last."""

    def __init__(self, side: Side) -> None:
        self._side, self._rng = side, random.Random(1)
        self._tables: deque[Table] = deque()
        self._games = 0

    async def open(self, count: int) -> Opened:
        begun = time.perf_counter()
        left = iter(range(count))

        async def some() -> None:
            for _ in left:
                self._tables.append(await self._side.open())

        await asyncio.gather(*(some() for _ in range(min(OPENING, count))))
        return Opened(count, time.perf_counter() - begun)

    async def play(self, seconds: float, rate: float = 0.0) -> Played:
        took: list[float] = []
        cpu, begun = time.process_time(), time.perf_counter()
        self._games = 0
        if rate:
            await self._keep_pace(begun + seconds, rate, took)
        else:
            workers = min(IN_FLIGHT, len(self._tables))
            await asyncio.gather(*(self._work(begun + seconds, took) for _ in range(workers)))
        elapsed = time.perf_counter() - begun
        cuts = statistics.quantiles(took, n=100)
        share = (time.process_time() - cpu) / elapsed
        return Played(len(took), self._games, elapsed, cuts[49], cuts[98], share)

    async def _work(self, until: float, took: list[float]) -> None:
        while time.perf_counter() < until:
            await self._move(took)

    async def _keep_pace(self, until: float, rate: float, took: list[float]) -> None:
        """Moves begin by chance, as people make them, whether others are done or not."""
        at, under_way = time.perf_counter(), set()
        while (at := at + self._rng.expovariate(rate)) < until:
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            if not self._tables:
                raise WireError("the server cannot keep pace")
            under_way.add(asyncio.create_task(self._move(took)))
        await asyncio.gather(*under_way)

    async def _move(self, took: list[float]) -> None:
        table = self._tables.popleft()
        took.append(await table.move(self._rng))
        if table.over:
            table = await self._side.another(table)
            self._games += 1
        self._tables.append(table)


async def main(side: str, tables: str, *addresses: str) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    pairs = (each.rsplit(":", 1) for each in addresses)
    servers = [Address(host, int(port)) for host, port in pairs]
    load = Load(SIDES[side](*servers))
    _say(await load.open(int(tables)))
    while line := await asyncio.to_thread(sys.stdin.readline):
        _say(await load.play(*map(float, line.split())))


def _say(what: msgspec.Struct) -> None:
    sys.stdout.write(msgspec.json.encode(what).decode() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
