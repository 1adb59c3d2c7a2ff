"""Several servers on one database: each hears of the others, and what is due is done once."""

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from benben.bots.entrants import entrant
from benben.live import bots as thinking
from benben.live import scheduler as scheduler_module
from benben.live.scheduler import LEASE_MS
from benben.live.session import TableSession
from benben.live.tables import Tables
from benben.table import actions
from benben.table.options import LiveClock
from benben.table.table import Table
from tests.live.playing import table_options
from tests.live.servers import Time, first_move, made, match, run, sit, token, until, until_session
from tests.store.postgres import Postgres

SERVING: dict[str, Any] = {"thinkers": 0}
THINKING: dict[str, Any] = {"thinkers": 1, "only_bots": True, "serves": False}
HOUR = 3_600_000


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks by themselves what is due: they are told, or know when it will be."""
    monkeypatch.setattr(scheduler_module, "POLL_SECONDS", (3600.0, 3600.0))


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody looks again and again what is due: time passes when a test says so."""
    monkeypatch.setattr(scheduler_module, "POLL_SECONDS", (0.02, 0.02))


async def bot_to_move(tables: Tables, level: int = 1) -> str:
    """A table where a person has moved, and a bot is to."""
    name = (await tables.open(made(table_options(bots=(0, level))))).id
    await sit(tables, name, 0)
    await first_move(tables, name, 0)
    return name


async def with_clock(tables: Tables) -> str:
    """A table where people have a minute."""
    name = (await tables.open(made(table_options(pace=LiveClock(60))))).id
    for seat in (0, 1):
        await sit(tables, name, seat)
    return name


async def next_move(tables: Tables, name: str) -> int:
    """Whoever's turn it is moves; the number of the event."""
    seat = (await tables.find(name)).table.to_move
    assert seat is not None
    return await first_move(tables, name, seat)


async def until_moves(session: TableSession, count: int) -> None:
    await until_session(session, lambda: len(session.table.moves) >= count)


def bot_has_moved(table: Table) -> bool:
    return len(table.moves) == 2


class Gate:
    """Keeps bots from thinking, though it is their turn and somebody has claimed it."""

    def __init__(self, tables: Tables) -> None:
        self.came = asyncio.Semaphore(0)
        self.tries = 0
        self._opened = asyncio.Event()
        tables.wait_for_bots = self._wait

    async def _wait(self, game: str, *_: object) -> None:
        self.tries += 1
        self.came.release()
        await self._opened.wait()

    def open(self) -> None:
        self._opened.set()


async def become(condition: Callable[[], Awaitable[bool]]) -> None:
    """Wait until something is so; the whole test is given up when it takes too long."""
    while not await condition():
        await asyncio.sleep(0.005)


def test_a_bots_turn_is_played_elsewhere_at_once(postgres: Postgres, patient: None) -> None:
    url = postgres.fresh()

    async def play() -> None:
        async with match(url, **SERVING) as serving, match(url, **THINKING) as thinking:
            name = await bot_to_move(serving)
            await until(serving, name, bot_has_moved)
            assert (serving.bot_pool.begun, thinking.bot_pool.begun) == (0, 1)
            await first_move(serving, name, 0)
            await until(serving, name, lambda table: len(table.moves) == 4)

    run(play())


def test_one_that_throws_first_is_played_elsewhere_too(postgres: Postgres, patient: None) -> None:
    """Throws follow from what is stored, by whoever has stored it."""
    url = postgres.fresh()

    async def play() -> None:
        async with match(url, **SERVING) as serving, match(url, **THINKING):
            chosen = table_options("batisseurs", bots=(0, 1, 1), players=3)
            name = (await serving.open(made(chosen))).id
            await sit(serving, name, 0)
            session = await serving.find(name)
            for _ in range(6):
                await until(serving, name, lambda table: table.closed or table.to_move == 0)
                position = session.table.position
                assert position is not None
                await serving.act(name, actions.Move(token(0), position.moves()[-1]))
            assert serving.bot_pool.begun == 0

    run(play())


def test_who_only_thinks_does_nothing_else(postgres: Postgres, hasty: None) -> None:
    url, now = postgres.fresh(), Time()

    async def play() -> None:
        async with match(url, now, **SERVING) as serving:
            waiting, bots = await with_clock(serving), await bot_to_move(serving)
            before = (await serving.find(waiting)).table.number
        now.ms += HOUR
        async with match(url, now, **THINKING) as thinking:
            await until(thinking, bots, bot_has_moved)
            assert thinking.stored == 1
            assert (await thinking.find(waiting)).table.number == before
            assert (thinking.store.leases.next_deadline([True]), thinking.bot_pool.begun) == (
                None,
                1,
            )
        async with match(url, now, **SERVING) as serving:
            await until(serving, waiting, lambda table: table.closed)

    run(play())


def test_a_server_that_ends_lets_go_of_what_it_had_claimed(postgres: Postgres, hasty: None) -> None:
    url, now = postgres.fresh(), Time()

    async def play() -> None:
        async with match(url, now, **SERVING) as serving:
            async with match(url, now, **THINKING) as ends:
                gate = Gate(ends)
                name = await bot_to_move(serving)
                await gate.came.acquire()
            assert serving.store.leases.next_deadline([True]) == now.ms
            async with match(url, now, **THINKING):
                await until(serving, name, bot_has_moved)

    run(play())


def test_what_a_dead_server_had_claimed_is_taken_over(postgres: Postgres, hasty: None) -> None:
    url, now = postgres.fresh(), Time()

    async def play() -> None:
        async with match(url, now, **SERVING) as serving:
            async with match(url, now, **THINKING) as dies:
                gate = Gate(dies)
                name = await bot_to_move(serving)
                await gate.came.acquire()
                dies.scheduler._renewing.clear()  # it says no goodbye, as one that is killed
            assert serving.store.leases.next_deadline([True]) == now.ms + LEASE_MS, (
                "nobody knows that it is dead"
            )
            async with match(url, now, **THINKING) as other:
                now.ms += LEASE_MS - 1
                await bot_to_move(serving)
                await become(lambda: asyncio.sleep(0, other.moves == 1))
                assert not bot_has_moved((await serving.find(name)).table)
                now.ms += 1
                await until(serving, name, bot_has_moved)

    run(play())


def test_a_claim_holds_for_as_long_as_a_bot_thinks(postgres: Postgres, hasty: None) -> None:
    url, now = postgres.fresh(), Time()

    async def play() -> None:
        async with (
            match(url, now, **SERVING) as serving,
            match(url, now, **THINKING) as one,
            match(url, now, **THINKING) as two,
        ):
            gates = [Gate(one), Gate(two)]
            name = await bot_to_move(serving)
            await become(lambda: asyncio.sleep(0, any(gate.tries for gate in gates)))
            for _ in range(8):
                now.ms += LEASE_MS // 2

                async def extended() -> bool:
                    due = await asyncio.to_thread(serving.store.leases.next_deadline, [True])
                    return due == now.ms + LEASE_MS

                await become(extended)
            assert sum(gate.tries for gate in gates) == 1
            for gate in gates:
                gate.open()
            await until(serving, name, bot_has_moved)
            assert one.bot_pool.begun + two.bot_pool.begun == 1
            assert serving.store.leases.next_deadline([True]) is None

    run(play())


def test_of_several_servers_one_does_what_is_due(postgres: Postgres) -> None:
    url = postgres.fresh()

    async def play() -> None:
        async with AsyncExitStack() as stack:
            serving = await stack.enter_async_context(match(url, **SERVING))
            others = [await stack.enter_async_context(match(url, **THINKING)) for _ in range(3)]
            found = await asyncio.gather(*(bot_to_move(serving) for _ in range(30)))
            for name in found:
                await until(serving, name, bot_has_moved)
            assert sum(each.bot_pool.begun for each in others) == len(found)

    run(play())


def test_no_clock_is_stopped_by_a_server_that_joins(postgres: Postgres) -> None:
    url, now = postgres.fresh(), Time()

    async def left(tables: Tables, name: str) -> int:
        return (await tables.find(name)).table.clock.now(0, now.ms)

    async def beat(tables: Tables) -> None:
        await asyncio.to_thread(tables.store.cluster.heartbeat, now.ms)

    async def play() -> None:
        async with match(url, now, **THINKING) as thinking:
            async with match(url, now, **SERVING) as first:
                name = await with_clock(first)
                await beat(first)
                now.ms += 10_000
                async with match(url, now, **SERVING) as second:
                    assert await left(second, name) == await left(first, name) == 50_000
                await beat(first)
            for _ in range(2):  # nobody serves for an hour; and who comes does not see the table
                now.ms += HOUR
                async with match(url, now, **SERVING) as serving:
                    await beat(serving)
            now.ms += HOUR
            async with match(url, now, **SERVING) as serving:
                assert await left(serving, name) == 50_000
                assert await left(thinking, name) == 50_000
                now.ms += 10_000
                async with match(url, now, **SERVING) as joining:
                    assert await left(joining, name) == 40_000

    run(play())


def test_who_only_thinks_knows_when_nobody_could_play(postgres: Postgres) -> None:
    """Whoever reads a table first notes when its clock stood still; also who was there before."""
    url, now = postgres.fresh(), Time()

    async def play() -> None:
        async with match(url, now, **SERVING) as serving:
            name = await with_clock(serving)
            await asyncio.to_thread(serving.store.cluster.heartbeat, now.ms)
        async with match(url, now, **THINKING) as thinking:
            now.ms += HOUR
            async with match(url, now, **SERVING) as serving:
                for tables in (thinking, serving):
                    assert (await tables.find(name)).table.clock.now(0, now.ms) == 60_000

    run(play())


def test_who_follows_a_table_elsewhere_is_told(postgres: Postgres, patient: None) -> None:
    url = postgres.fresh()

    async def play() -> None:
        async with match(url) as here, match(url) as there:
            name = (await here.open(made(table_options()))).id
            session = await there.find(name)
            for seat in (0, 1):
                await sit(here, name, seat)
            for count in range(6):
                await next_move(here, name)
                await until_moves(session, count + 1)

    run(play())


def test_who_looks_elsewhere_sees_what_was_acknowledged(postgres: Postgres) -> None:
    url = postgres.fresh()

    async def play() -> None:
        async with match(url) as here, match(url) as there:
            names = [(await here.open(made(table_options()))).id for _ in range(5)]

            async def use(name: str) -> None:
                for seat in (0, 1):
                    await sit(here, name, seat)
                for count in range(10):
                    at, other = (here, there) if count % 2 else (there, here)
                    number = await next_move(at, name)
                    assert (await other.find(name)).table.number >= number

            await asyncio.gather(*map(use, names))

    run(play())


@pytest.mark.slow
def test_the_command_thinks_until_it_is_told_to_stop(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it was thinking about is thought about by another, here a quicker bot."""
    monkeypatch.setattr(thinking, "entrant", lambda _, game: entrant("1", game))
    url = postgres.fresh()

    async def play(command: asyncio.subprocess.Process) -> None:
        assert command.stdout is not None
        assert command.stderr is not None
        assert await command.stdout.readline() == b"Bots think here, one at a time\n"
        async with match(url, **SERVING) as serving:
            name = await bot_to_move(serving, level=6)

            async def claimed() -> bool:
                due = await asyncio.to_thread(serving.store.leases.next_deadline, [True])
                return due is not None and due > serving.now()

            await become(claimed)
            command.send_signal(signal.SIGINT)
            told = await command.stderr.read()
            assert await command.wait() == 0, told
            assert b"Traceback" not in told
            async with match(url, **THINKING):
                await until(serving, name, bot_has_moved)

    async def with_command() -> None:
        words = ["-m", "benben", "think", "--database", url, "--thinkers", "1"]
        command = await asyncio.create_subprocess_exec(
            sys.executable, *words, stdout=PIPE, stderr=PIPE
        )
        try:
            await play(command)
        finally:
            if command.returncode is None:
                command.kill()
                await command.wait()

    run(with_command())
