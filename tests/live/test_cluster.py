"""Servers on one database that race, forget, and have clocks that differ."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import text

from benben.live.erasure import erase_player
from benben.live.rematch import find_or_open_rematch
from benben.live.scheduler import LEASE_MS
from benben.live.session import TableSession
from benben.live.signals import SeatTaken
from benben.live.tables import Tables
from benben.store.clock import DatabaseClock
from benben.store.event_log import PendingEvent
from benben.store.store import Store
from benben.table import actions, events
from benben.table.deadlines import Deadline
from benben.table.options import LiveClock
from benben.table.record import TableRecord, verify
from tests.live.playing import table_options
from tests.live.servers import Time, made, match, run, sit, token
from tests.store.postgres import Postgres

HOUR = 3_600_000
Check = Callable[[], bool]


async def become(condition: Check) -> None:
    while not condition():
        await asyncio.sleep(0.005)


def texts(session: TableSession) -> str:
    """All that a server has in memory of a table, as far as it is told to anybody."""
    table = session.table
    return repr((session.entries, table.options, table.seats))


async def two_people(tables: Tables, **how: Any) -> str:
    name = (await tables.open(made(table_options(**how)))).id
    for seat in (0, 1):
        await sit(tables, name, seat)
    return name


@asynccontextmanager
async def idle(url: str, now: Time | None = None) -> AsyncIterator[Tables]:
    """A server that does nothing by itself."""
    with Store.open(url) as store:
        tables = Tables(store, now=now)
        await tables.join(serves=False)
        await tables.open_game("quadrille")
        yield tables
        await tables.close()


# ---- Erasing people


def test_erasing_somebody_before_the_game_reaches_the_other_servers(postgres: Postgres) -> None:
    url = postgres.fresh()

    async def play() -> None:
        async with match(url) as here, match(url) as there:
            name = (await here.open(made(table_options()))).id
            await sit(here, name, 0)
            await here.act(name, actions.Say(token(0), "my secret words"))
            session = await there.find(name)
            assert "Ann0" in texts(session)
            assert "my secret words" in texts(session)
            number = await erase_player(here, name, token(0))
            await become(lambda: session.table.number == number)
            assert "Ann0" not in texts(session)
            assert "my secret words" not in texts(session)
            assert session.entries == (await here.find(name)).entries
            assert session.table.seats[0].free
            for seat in (0, 1):  # the game can be played, and its record be checked
                await sit(there, name, seat)
            await there.act(name, actions.Resign(token(1)))
            record = TableRecord(
                id=name, options=session.table.options, entries=tuple(session.entries)
            )
            verify(TableRecord.parse(str(record)))

    run(play())


@pytest.mark.parametrize("heard", [True, False])
def test_erasing_somebody_expected_at_the_next_table_reaches_the_other_servers(
    postgres: Postgres, heard: bool
) -> None:
    url = postgres.fresh()

    async def play() -> None:
        async with match(url) as here, match(url) as there:
            name = await two_people(here)
            await here.act(name, actions.Resign(token(0)))
            following = await there.find(
                (await find_or_open_rematch(here, name, token(1))).session.id
            )
            assert "Ann0" in texts(following)
            if not heard:
                there.store.notifications.on("terms", lambda words: None)
            await erase_player(here, name, token(0))
            if not heard:
                await become(
                    lambda: any(seat.declined is not None for seat in following.table.seats)
                )
                assert "Ann0" in texts(following)
                there._replication._resynchronize()
            await become(lambda: "Ann0" not in texts(following))
            assert "Ann1" in texts(following)

    run(play())


# ---- Races


def test_an_event_that_is_just_being_stored_is_not_taken_for_another_servers(
    postgres: Postgres,
) -> None:
    """Somebody with an unknown token comes between the commit and what follows from it."""
    url = postgres.fresh()

    async def play() -> None:
        async with match(url) as tables:
            name = (await tables.open(made(table_options()))).id
            session, append = await tables.find(name), tables.store.append
            sat: list[str] = []
            tables.signals.subscribe(SeatTaken, lambda signal: sat.append(signal.token))

            async def append_and_look(event: PendingEvent) -> Any:
                stored = await append(event)
                asked = asyncio.create_task(session.holder("unknown"))
                await asyncio.wait([asked], timeout=0.1)
                asking.append(asked)
                return stored

            asking: list[asyncio.Task[int | None]] = []
            tables.store.append = append_and_look  # type: ignore[method-assign]
            await sit(tables, name, 0)
            assert sat == [token(0)]
            assert [await each for each in asking] == [None]
            assert await session.holder(token(0)) == 0

    run(play())


def test_a_rematch_that_meets_a_conflict_opens_one_table(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.fresh()

    async def play() -> None:
        async with match(url) as here, match(url) as there:
            name = await two_people(here)
            await here.act(name, actions.Resign(token(0)))
            await there.find(name)
            open_ = here.open

            async def open_while_others_talk(*what: Any) -> TableSession:
                if talk:
                    await there.act(name, actions.Say(token(0), talk.pop()))
                return await open_(*what)

            talk = ["well played", "another?"]
            monkeypatch.setattr(here, "open", open_while_others_talk)
            found = [
                await find_or_open_rematch(here, name, token(1)),
                await find_or_open_rematch(there, name, token(0)),
            ]
            assert not talk
            assert len({each.session.id for each in found}) == 1
            count = here.store.writer.do_blocking(
                lambda connection: connection.execute(text("SELECT count(*) FROM tables")).scalar()
            )
            assert count == 2

    run(play())


def test_a_rematch_does_not_expect_somebody_who_is_erased_meanwhile(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.fresh()

    async def play() -> None:
        async with match(url) as here, match(url) as there:
            name = await two_people(here)
            await here.act(name, actions.Resign(token(0)))
            await there.find(name)
            open_, erased = here.open, False

            async def open_while_somebody_is_erased(*what: Any) -> TableSession:
                nonlocal erased
                opened = await open_(*what)
                if not erased:
                    erased = True
                    await erase_player(there, name, token(0))
                return opened

            monkeypatch.setattr(here, "open", open_while_somebody_is_erased)
            following = (await find_or_open_rematch(here, name, token(1))).session
            assert "Ann0" not in texts(following)
            assert "Ann1" in texts(following)

    run(play())


def test_a_pause_that_two_servers_note_counts_once(postgres: Postgres) -> None:
    url, now = postgres.fresh(), Time()

    def pauses(session: TableSession) -> list[Any]:
        return [e.event for e in session.entries if isinstance(e.event, events.Paused)]

    async def play() -> None:
        async with match(url, now) as tables:
            name = await two_people(tables, pace=LiveClock(60))
            for hours in (1, 3):
                since = now.ms + hours * HOUR
                tables.store.cluster.add_downtime("quadrille", since, since + HOUR)
        now.ms += 4 * HOUR
        async with idle(url, now) as quick, idle(url, now) as slow:
            append = slow.store.append

            async def append_late(event: PendingEvent) -> Any:
                await quick.find(name)  # which notes both
                return await append(event)

            slow.store.append = append_late  # type: ignore[method-assign]
            session = await slow.find(name)
            assert len(pauses(session)) == 2
            known = await quick.find(name)
            assert session.entries == known.entries
            assert session.table.clock.left == known.table.clock.left

    run(play())


# ---- Time


@pytest.fixture
def wrong_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine's clock is an hour ahead."""
    right = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: right() + HOUR * 1_000_000)


def test_servers_go_by_the_databases_clock(postgres: Postgres, wrong_clock: None) -> None:
    url = postgres.fresh()

    async def play() -> None:
        async with match(url) as tables:
            assert abs(tables.now() - round(1000 * time.time())) < 60_000  # time.time() is right
            name = (await tables.open(made(table_options()))).id
            await tables.store.append(
                PendingEvent(name, 1, 1, "{}", deadline=Deadline(tables.now() + LEASE_MS, bot=True))
            )
            await asyncio.to_thread(tables.store.cluster.heartbeat, tables.now())
            assert tables.store.cluster.last_ready() == pytest.approx(tables.now(), abs=60_000)

    run(play())


def test_a_server_whose_clock_is_ahead_takes_no_lease_that_another_has(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.fresh()

    async def play() -> None:
        async with match(url) as here:
            name = (await here.open(made(table_options()))).id
            due = here.now() + LEASE_MS
            await here.store.append(PendingEvent(name, 1, 1, "{}", deadline=Deadline(due)))
            right = time.time_ns
            monkeypatch.setattr(time, "time_ns", lambda: right() + HOUR * 1_000_000)
            async with idle(url) as there:
                assert await there.scheduler._serve_due() <= due
            assert here.store.leases.next_deadline([False]) == due

    run(play())


def test_a_slow_answer_of_the_database_does_not_spoil_our_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seconds = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: seconds[0])
    clock = DatabaseClock()
    clock.observe(5_000_000, 99.0, 101.0)
    assert clock() == 5_000_000
    clock.observe(5_000_100, 99.0, 101.0)
    assert clock() == 5_000_000, "it may have been told just before the answer came"
    seconds[0] += 2
    assert clock() == 5_002_000
    clock.observe(5_002_500, 101.99, 102.01)
    assert clock() == 5_002_490, "it cannot have been right"
    clock.observe(5_000_000, 102.0, 102.0)
    assert clock() == 5_000_000, "the database's clock was set"
