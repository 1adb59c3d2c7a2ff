"""Real databases for tests: SQLite files, and a PostgreSQL server of our own.

They are migrated already, unless a fixture is called empty.
"""

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from sqlalchemy import event

from benben.store.event_log import Conflict, Owner, PendingEvent, Stored
from benben.store.store import Store
from benben.store.tables import StoredTable
from tests.store.migrated import sqlite_file
from tests.store.postgres import Postgres, running

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A running server, one for all tests of a process."""
    with running() as server:
        yield server


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return sqlite_file(tmp_path / "benben.sqlite3")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """The URL of a new database, of either kind."""
    if request.param == "sqlite":
        return str(request.getfixturevalue("sqlite_url"))
    server: Postgres = request.getfixturevalue("postgres")
    return server.fresh()


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without tables, of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.sqlite3'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.empty()


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """A store with the table "t" in it."""
    with Store.open(database) as opened:
        create(opened, TABLE)
        yield opened


# For tests of what does not depend on the dialect of SQL.
on_sqlite = pytest.mark.parametrize("database", ["sqlite"], indirect=True)

TABLE = StoredTable("t", 1000, '{"game": "quadrille"}', "secret", listed=True)


_loop = asyncio.new_event_loop()  # in a thread, for tests without a loop
Thread(target=_loop.run_forever, name="test loop", daemon=True).start()


def append(store: Store, *event: Any, **more: Any) -> Future[Stored | Conflict]:
    return submit(store, PendingEvent(*event, **more))


def submit(store: Store, event: PendingEvent) -> Future[Stored | Conflict]:
    """The future of `Store.append`, when the event is in the writer's queue."""
    future = asyncio.run_coroutine_threadsafe(store.append(event), _loop)
    asyncio.run_coroutine_threadsafe(asyncio.sleep(0), _loop).result()  # it was handed over
    return future


def create(store: Store, table: StoredTable) -> bool:
    return asyncio.run_coroutine_threadsafe(store.create(table), _loop).result()


def replace_events(
    store: Store, events: Sequence[PendingEvent], bodies: Mapping[int, str]
) -> Stored | Conflict:
    return asyncio.run_coroutine_threadsafe(store.replace_events(events, bodies), _loop).result()


def give(store: Store, table: str, seat: int, token: str | None) -> None:
    """Let a token hold a seat, by the table's next event; or none."""
    number = len(store.events(table)) + 1
    stored = append(store, table, number, 1, "sat", owner=Owner(seat, token)).result()
    assert stored == Stored(number, repeated=False)


def bodies(store: Store, table: str = "t") -> list[str]:
    """What the events of a table say. That their numbers have no hole is checked on the way."""
    found = store.events(table)
    assert [event.number for event in found] == list(range(1, len(found) + 1))
    return [event.body for event in found]


def together(threads: list[Thread]) -> None:
    """Start them all and wait for them all."""
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def child(program: str, *arguments: str) -> subprocess.Popen[str]:
    """A process of its own that can import Benben; what it prints can be read."""
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        env=os.environ | {"PYTHONPATH": path, "PYTHONUNBUFFERED": "1"},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def troubled(store: Store, pragma: str) -> Iterator[None]:
    """Whatever is written now goes wrong in SQLite."""
    trouble = [True]

    def begin(connection: Any) -> None:
        if trouble:
            connection.exec_driver_sql(f"PRAGMA {pragma}")

    # By its own thread, which may be going through those who listen just now.
    store.writer.do_blocking(lambda _: event.listen(store.writer.engine, "begin", begin))
    try:
        yield
    finally:
        trouble.clear()


def check(path: Path) -> str:
    """What SQLite finds wrong with a file, or ok."""
    connection = sqlite3.connect(path)
    try:
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])
    finally:
        connection.close()
