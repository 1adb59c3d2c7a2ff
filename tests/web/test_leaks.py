"""Whoever has gone leaves nothing behind: no timer and no entry."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from benben.live.session import TableSession
from benben.live.signals import SeatLost, SeatTaken
from benben.live.tables import Tables
from benben.store.programs import Program
from benben.store.store import Store
from benben.table import actions
from benben.web.bot_streams import BotStreams
from benben.web.streams import Streams
from benben.web.viewers import Viewer
from tests.live.playing import table_options

PROGRAM = Program("hash", "Rex", 0)


class Server:
    """Tables with streams of people and of a program, without a server."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.streams, self.bots = Streams(tables), BotStreams(tables)

    async def open(self) -> TableSession:
        return await self.tables.open(lambda _: table_options())

    async def listen(
        self, session: TableSession, chosen: int | None, after: int | None = None
    ) -> "Subscriber":
        """Somebody who has been told something."""
        told = asyncio.Event()

        async def write(text: bytes) -> None:
            told.set()

        following = self.streams.follow(Viewer(session, chosen), after, write)
        person = Subscriber(asyncio.create_task(following))
        await told.wait()
        return person

    async def connect(self, program: Program) -> "Subscriber":
        """A program that has been told where it sits."""
        told = asyncio.Event()

        async def write(text: bytes) -> None:
            told.set()

        stream = Subscriber(asyncio.create_task(self.bots.follow(program, write)))
        await told.wait()
        return stream

    def nothing_left(self, *tables: TableSession) -> None:
        assert self.streams.open == self.bots.open == 0
        assert not self.streams._subscribers
        assert not self.bots._streams
        for session in tables:
            assert not session.presence._streams
            assert session.presence.seats == []


class Subscriber:
    """Somebody who reads a stream."""

    def __init__(self, following: asyncio.Task[None]) -> None:
        self._following = following

    async def aclose(self) -> None:
        """Go away."""
        self._following.cancel()
        await asyncio.wait([self._following])


@asynccontextmanager
async def server(folder: Path, grace: float = 0.0) -> AsyncIterator[Server]:
    store = Store.open(f"sqlite:///{folder / 'tables.sqlite3'}")
    tables = Tables(store, grace=grace)
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
            session = await all_.open()
            program = await all_.connect(PROGRAM)
            before = _timers()
            person = await all_.listen(session, 0)
            all_.bots.on_seat_taken(SeatTaken(session, 1, PROGRAM.hash))
            await person.aclose()
            assert _timers() == before, "nobody is left to be kept awake"
            await program.aclose()
            await _rest()
            all_.nothing_left(session)

    asyncio.run(test())


@pytest.mark.parametrize("seed", range(3))
def test_thousands_come_and_go_in_every_order(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)

    async def test() -> None:
        async with server(tmp_path) as all_:
            tables = [await all_.open() for _ in range(3)]
            before = _timers()
            people: list[Subscriber] = []
            programs: list[Subscriber] = []
            for _ in range(3000):
                session = dice.choice(tables)
                match dice.randrange(6):
                    case 0 | 1:
                        chosen = dice.choice([None, 0, 1])
                        after = dice.choice([None, 0])
                        people.append(await all_.listen(session, chosen, after))
                    case 2:
                        program = Program(f"hash{dice.randrange(5)}", "Rex", 0)
                        programs.append(await all_.connect(program))
                    case 3:
                        token = f"hash{dice.randrange(5)}"
                        all_.bots.on_seat_taken(SeatTaken(session, dice.randrange(2), token))
                        if dice.randrange(2):
                            await asyncio.sleep(0)
                        if dice.randrange(2):
                            all_.bots.on_seat_lost(SeatLost(session, token))
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


def test_whoever_was_there_is_waited_for_by_one_timer_and_not_for_ever(tmp_path: Path) -> None:
    async def test() -> None:
        async with server(tmp_path, grace=0.05) as all_:
            session = await all_.tables.open(lambda _: table_options())
            for seat in (0, 1):
                await all_.tables.act(session.id, actions.Sit(f"hash{seat}", seat, f"P{seat}", "n"))
            before = _timers()
            for _ in range(20):
                for seat in (0, 1):
                    session.presence.stream_opened(seat)
                    session.presence.stream_closed(seat)
                    session.presence.looked(seat)
            assert session.presence.seats == [0, 1]
            assert _timers() == before + 1
            await asyncio.sleep(0.5)
            assert session.presence.seats == []
            assert _timers() == before
            session.presence.looked(0)
        assert _timers() == 0

    asyncio.run(test())
