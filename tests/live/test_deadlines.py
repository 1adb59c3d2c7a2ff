"""Servers act at the deadlines of tables."""

import asyncio
from pathlib import Path

import pytest

from benben.live.rematch import find_or_open_rematch
from benben.live.signals import ReminderDue
from benben.live.tables import EXPIRY_MS
from benben.table import actions, events
from benben.table.options import Days
from benben.table.table import Refused
from tests.live.playing import table_options
from tests.live.servers import Time, made, match, run, sit, token, until

DAY = 24 * 3600 * 1000


def test_a_table_where_no_game_begins_is_closed(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path, expiry=600) as tables:  # time to sit down, also if busy
            played = (await tables.open(made(table_options()))).id
            for seat in (0, 1):
                await sit(tables, played, seat)
            name = (await tables.open(made(table_options(listed=True)))).id
            waiting = await tables.find(name)
            await until(tables, name, lambda table: table.expired)
            assert [type(entry.event) for entry in waiting.entries] == [events.Expired]
            assert waiting.table.closed
            assert not waiting.table.over
            assert tables.store.lists.open([name]) == []
            assert tables.store.leases.next_deadline([False, True]) is None
            with pytest.raises(Refused, match="had not begun in time"):
                await sit(tables, name, 0)
            assert not (await tables.find(played)).table.closed

    run(play())


def test_or_by_one_that_was_not_there_in_time(tmp_path: Path) -> None:
    now = Time()

    async def play() -> None:
        async with match(tmp_path, now) as tables:
            name = (await tables.open(made(table_options(listed=True)))).id
            await sit(tables, name, 1)
            assert [each.id for each in tables.store.lists.open([name])] == [name]
        now.ms += EXPIRY_MS
        async with match(tmp_path, now) as tables:
            await until(tables, name, lambda table: table.expired)
            assert tables.store.lists.open([name]) == []
            for refused in (
                tables.act(name, actions.Sit(token(0), 0, "Ann", "n")),
                tables.act(name, actions.SeatBot(token(1), 0, 3)),
                find_or_open_rematch(tables, name, token(1)),
            ):
                with pytest.raises(Refused) as error:
                    await refused
                assert (error.value.code, error.value.number) == ("expired", 2)
            await tables.act(name, actions.Leave(token(1)))
            assert tables.store.lists.open([name]) == [], "a seat is free, but nobody can sit down"

    run(play())


def test_somebody_who_comes_puts_it_off(tmp_path: Path) -> None:
    now = Time()

    async def play() -> None:
        async with match(tmp_path, now) as tables:
            name = (await tables.open(made(table_options("objectif", players=3)))).id
            assert tables.store.leases.next_deadline([False, True]) == now.ms + EXPIRY_MS
            now.ms += EXPIRY_MS - 1
            await sit(tables, name, 0)
            assert tables.store.leases.next_deadline([False, True]) == now.ms + EXPIRY_MS
        now.ms += EXPIRY_MS - 1
        async with match(tmp_path, now) as tables:
            await sit(tables, name, 1)
            await sit(tables, name, 2)
            assert (await tables.find(name)).table.begun

    run(play())


def test_reminders_come_one_by_one(tmp_path: Path) -> None:
    """Far enough apart for a busy machine: what is overdue is left out."""

    async def play() -> None:
        async with match(tmp_path, reminders=[500, 1000]) as tables:
            told: asyncio.Queue[int] = asyncio.Queue()
            tables.signals.subscribe(ReminderDue, lambda _: told.put_nowait(tables.now()))
            name = (await tables.open(made(table_options(pace=Days(1))))).id
            for seat in (0, 1):
                await sit(tables, name, seat)
            came = (await tables.find(name)).table.turns[-1].at
            times = [await told.get(), await told.get()]
            assert times[0] >= came + 500
            assert times[1] >= came + 1000
            due = came + DAY
            while (
                tables.store.leases.next_deadline([False, True]) != due
            ):  # what is due next is stored soon after
                await asyncio.sleep(0.01)
            assert told.empty()

    run(play())
