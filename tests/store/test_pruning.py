"""What is old is removed with all that is kept of it, and nothing else; on both databases."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any, LiteralString
from unittest.mock import patch

import pytest
from sqlalchemy import Connection, event, func, select

from benben.store.database import Database, execute_in_postgres
from benben.store.event_log import NoSuchTable, Owner, PendingEvent, Stored
from benben.store.mail import Reminder
from benben.store.pruning import Pruned
from benben.store.schema import events, metadata, reminders, tables, tokens
from benben.store.store import Store
from benben.store.tables import StoredTable
from benben.table import actions
from benben.table.options import LiveClock
from tests.live.playing import table_options
from tests.live.servers import Time, made, match, run, sit, token
from tests.store.databases import append, bodies, create, on_sqlite, submit

BEFORE = 10_000


def add(store: Store, name: str, *at: int, over: bool, opened: int = 1) -> None:
    """A table with events at these times; moves, but for the first and the end."""
    create(store, StoredTable(name, opened, "terms", "secret", listed=False))
    for number, when in enumerate(at, 1):
        ends = over and number == len(at)
        told = PendingEvent(
            name, number, when, "event", over=ends or None, touches=ends or number == 1
        )
        assert submit(store, told).result() == Stored(number, repeated=False)


@pytest.fixture
def house(database: str) -> Iterator[Store]:
    """Tables of all kinds, by what they are."""
    with Store.open(database) as store:
        add(store, "ended", 10, 20, over=True)
        add(store, "ended just then", 10, BEFORE, over=True)
        add(store, "left", 10, 20, 30, over=False)
        add(store, "slow", 10, 20, BEFORE, over=False)
        add(store, "empty", over=False)
        add(store, "new", over=False, opened=BEFORE)
        yield store


def everything(store: Store) -> set[str]:
    return {row[0] for row in store._reader.rows(select(tables.c.id))}


def rows(store: Store, table: str) -> dict[str, int]:
    """How much of a table is kept, by where."""
    return {
        each.name: store._reader.rows(
            select(func.count()).select_from(each).where(each.c.table_id == table)
        )[0][0]
        for each in (events, tokens, reminders)
    }


def test_finished_tables(house: Store) -> None:
    assert house.pruning.old(BEFORE) == ["ended"]
    before = everything(house)
    assert house.pruning.remove(sorted(before), BEFORE) == Pruned(1, 2)
    assert everything(house) == before - {"ended"}
    assert house.load("ended") is None
    assert house.events("ended") == []


def test_unfinished_tables_too(house: Store) -> None:
    """A move does not touch a table, but it is not old by then."""
    old = house.pruning.old(BEFORE, unfinished=True)
    assert old == ["empty", "ended", "left"]
    before = everything(house)
    assert house.pruning.remove(sorted(before), BEFORE, unfinished=True) == Pruned(3, 5)
    assert everything(house) == before - set(old)
    assert house.pruning.old(BEFORE, unfinished=True) == []
    assert house.pruning.remove(old, BEFORE, unfinished=True) == Pruned(), "again is no trouble"


@on_sqlite
def test_counting_removes_nothing(house: Store) -> None:
    before = everything(house)
    assert house.pruning.count(house.pruning.old(BEFORE, unfinished=True)) == Pruned(3, 5)
    assert house.pruning.count([]) == Pruned()
    assert everything(house) == before


@on_sqlite
def test_tokens_and_reminders_go_with_their_table(house: Store) -> None:
    for name in ("left", "slow"):
        number = len(house.events(name)) + 1
        told = PendingEvent(name, number, 40, "sat", touches=False, owner=Owner(0, "token"))
        submit(house, told).result()
        assert house.reminders.set(Reminder(name, 0, f"feed {name}", "", "en", 0), 50)
        assert rows(house, name) == {"events": number, "tokens": 1, "reminders": 1}
    add(house, "slow again", BEFORE, over=False)
    assert house.pruning.remove(["left"], BEFORE, unfinished=True) == Pruned(1, 4)
    assert rows(house, "left") == {"events": 0, "tokens": 0, "reminders": 0}
    assert rows(house, "slow") == {"events": 4, "tokens": 1, "reminders": 1}
    assert house.seats_of_tokens(["token"]) == [("slow", 0)]
    assert house.reminders.by_feed("feed left") is None


def test_nothing_that_refers_to_a_table_is_forgotten() -> None:
    """Who adds such a thing has it pruned: it must only call its column as the others do."""
    referring = [
        each
        for each in metadata.sorted_tables
        if any(key.column is tables.c.id for key in each.foreign_keys)
    ]
    assert {events, tokens, reminders} <= set(referring)
    assert all("table_id" in each.c for each in referring)


@on_sqlite
def test_what_was_played_meanwhile_stays(house: Store) -> None:
    old = house.pruning.old(BEFORE, unfinished=True)
    moved = PendingEvent("left", 4, BEFORE, "moved", touches=False)
    assert submit(house, moved).result() == Stored(4, repeated=False)
    assert house.pruning.remove(old, BEFORE, unfinished=True) == Pruned(2, 2)
    assert bodies(house, "left") == ["event"] * 3 + ["moved"]


def test_to_append_to_what_is_gone(house: Store) -> None:
    house.pruning.remove(["left"], BEFORE, unfinished=True)
    with pytest.raises(NoSuchTable):
        append(house, "left", 4, BEFORE, "moved").result()
    with pytest.raises(NoSuchTable):
        append(house, "left", 1, BEFORE, "moved").result()
    assert rows(house, "left")["events"] == 0


@contextmanager
def held(store: Store, deed: Callable[[], object]) -> Iterator[Thread]:
    """A thread that does something in the store, and stops before the commit until we leave."""
    going, go = Event(), Event()

    def hold(_: object) -> None:
        going.set()
        go.wait(60)

    def execute(connection: Connection, statement: LiteralString, parameters: Any) -> Any:
        if connection.in_transaction():
            return execute_in_postgres(connection, statement, parameters)
        execute_in_postgres(connection, "BEGIN")  # its transaction is its own
        found = execute_in_postgres(connection, statement, parameters)
        hold(None)
        execute_in_postgres(connection, "COMMIT")
        return found

    event.listen(store.writer.engine, "commit", hold)
    thread = Thread(target=deed)
    with patch("benben.store.event_log.execute_in_postgres", execute):
        thread.start()
        try:
            assert going.wait(60)
            yield thread
        finally:
            go.set()
            thread.join()


def test_a_server_that_writes_just_then(database: str) -> None:
    """Whoever is first: a move that was stored stays, and one too late is refused."""
    with Store.open(database) as house, Store(Database(database)) as server:
        add(house, "a", 10, over=False)
        add(house, "b", 10, over=False)
        moved = PendingEvent("a", 2, BEFORE, "moved", touches=False)
        done: list[Pruned] = []

        def remove() -> None:
            done.append(house.pruning.remove(["a", "b"], BEFORE, unfinished=True))

        with held(server, lambda: submit(server, moved).result()):
            pruning = Thread(target=remove)
            pruning.start()
            if server.shared:
                pruning.join()  # it waits for nobody
        pruning.join()
        assert done == [Pruned(1, 1)]
        assert bodies(house, "a") == ["event", "moved"]
        add(house, "c", 10, over=False)
        with held(house, lambda: house.pruning.remove(["c"], BEFORE, unfinished=True)):
            late = append(server, "c", 2, BEFORE, "moved")
        with pytest.raises(NoSuchTable):
            late.result()


@on_sqlite
def test_the_loop_of_a_server_is_told_so_too(house: Store) -> None:
    house.pruning.remove(["ended"], BEFORE)

    async def late() -> None:
        with pytest.raises(NoSuchTable):
            await house.append(PendingEvent("ended", 3, BEFORE, "said"))

    asyncio.run(late())


def test_a_clock_that_runs_out_at_a_table_that_is_gone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody tries again and again to write down what happens there."""

    async def play() -> None:
        now = Time()
        async with match(tmp_path, now) as tables:
            session = await tables.open(made(table_options(pace=LiveClock(60))))
            for seat in (0, 1):
                await sit(tables, session.id, seat)
            assert tables.store.pruning.remove([session.id], now() + 1, unfinished=True).tables == 1
            now.ms += 60_001
            with pytest.raises(NoSuchTable):
                await tables.act(session.id, actions.Say(token(0), "hm"))
            with pytest.raises(NoSuchTable):
                await tables.find(session.id)

    run(play())
    assert caplog.text == ""
