"""Whoever has gone leaves nothing behind: no timer and no entry."""

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from benben.table.loaded import LoadedTable
from benben.table.store import Owner, Program, Store
from benben.table.tables import Tables
from benben.web.bot_streams import BotStreams
from benben.web.streams import Streams
from benben.web.viewers import Viewer
from tests.table.playing import terms

PROGRAM = Program("hash", "Rex", 0)


class Server:
    """Tables with streams of people and of a program, without a server."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.streams, self.bots = Streams(tables), BotStreams(tables)

    async def open(self) -> LoadedTable:
        return await self.tables.open(lambda _: terms())

    def nothing_left(self, *tables: LoadedTable) -> None:
        assert self.streams.open == self.bots.open == 0
        assert not self.streams._followed
        assert not self.bots._listeners
        for loaded in tables:
            assert not loaded.streams
            assert loaded.present == []
            assert loaded.timer is None


@asynccontextmanager
async def server(folder: Path) -> AsyncIterator[Server]:
    store = Store.open(f"sqlite:///{folder / 'tables.sqlite3'}")
    tables = Tables(store)
    try:
        yield Server(tables)
    finally:
        await tables.close()
        store.close()


def _timers() -> int:
    """How many times the loop means to do something later."""
    scheduled = asyncio.get_running_loop()._scheduled  # type: ignore[attr-defined]
    return sum(not each.cancelled() for each in scheduled)


async def _rest() -> None:
    """Until everything that was ended has ended."""
    for _ in range(3):
        await asyncio.sleep(0)


def test_a_table_that_only_a_program_watches_is_not_woken_for_people(tmp_path: Path) -> None:
    async def test() -> None:
        async with server(tmp_path) as all_:
            loaded = await all_.open()
            before = _timers()
            program = all_.bots.follow(PROGRAM)
            await anext(program)
            person = all_.streams.follow(Viewer(loaded, 0), None)
            await anext(person)
            all_.bots.sat(loaded, Owner(1, PROGRAM.hash))
            await person.aclose()
            assert _timers() == before, "nobody is left to be kept awake"
            await program.aclose()
            await _rest()
            all_.nothing_left(loaded)

    asyncio.run(test())


@pytest.mark.parametrize("seed", range(3))
def test_thousands_come_and_go_in_every_order(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)

    async def test() -> None:
        async with server(tmp_path) as all_:
            tables = [await all_.open() for _ in range(3)]
            before = _timers()
            people: list[AsyncGenerator[bytes, None]] = []
            programs: list[AsyncGenerator[bytes, None]] = []
            for _ in range(3000):
                loaded = dice.choice(tables)
                match dice.randrange(6):
                    case 0 | 1:
                        chosen = dice.choice([None, 0, 1])
                        stream = all_.streams.follow(Viewer(loaded, chosen), dice.choice([None, 0]))
                        await anext(stream)
                        people.append(stream)
                    case 2:
                        program = Program(f"hash{dice.randrange(5)}", "Rex", 0)
                        bot = all_.bots.follow(program)
                        await anext(bot)
                        programs.append(bot)
                    case 3:
                        token = f"hash{dice.randrange(5)}"
                        all_.bots.sat(loaded, Owner(dice.randrange(2), token))
                        if dice.randrange(2):
                            await asyncio.sleep(0)
                        if dice.randrange(2):
                            all_.bots.left(loaded, token)
                    case 4 if people:
                        await people.pop(dice.randrange(len(people))).aclose()
                    case 5 if programs:
                        await programs.pop(dice.randrange(len(programs))).aclose()
            assert people
            assert programs
            rest = [*people, *programs]
            dice.shuffle(rest)
            for stream in rest:
                await stream.aclose()
            await _rest()
            all_.nothing_left(*tables)
            assert _timers() == before

    asyncio.run(test())
