"""What happens to a store happens to no event: kills, restarts, lost answers, failing disks."""

import json
import os
import random
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread, Timer
from time import sleep
from typing import Any, LiteralString
from unittest.mock import patch

import psycopg
import pytest
from sqlalchemy import Connection

from benben.store.database import StoreFailed, execute_in_postgres
from benben.store.event_log import Conflict, Owner, Stored
from benben.store.store import Store
from benben.store.tables import StoredTable
from tests.sizes import LONG
from tests.store.databases import TABLE, append, bodies, check, child, create, together, troubled
from tests.store.postgres import Postgres

# ---- A server that is killed

KILLS = 10 if LONG else 2

APPENDING = r"""
import os, sys
from threading import Thread
from benben.store.store import Store
from tests.store.databases import append

def run(name):
    number = len(store.events(name))
    while True:
        number += 1
        append(store, name, number, number, f"{name} {number}", key=str(number)).result()
        os.write(1, f"{name} {number}\n".encode())

store = Store.open(sys.argv[1])
for name in sys.argv[2:]:
    Thread(target=run, args=(name,)).start()
"""


@pytest.mark.slow
def test_a_killed_server_has_lost_nothing_it_acknowledged(store: Store, database: str) -> None:
    names = ["a", "b", "c"]
    for name in names:
        create(store, StoredTable(name, 1, "", "", listed=True))
    chance = random.Random(1)
    acknowledged = dict.fromkeys(names, 0)
    for _ in range(KILLS):
        with child(APPENDING, database, *names) as process:
            try:
                assert process.stdout is not None
                said = [process.stdout.readline() for _ in range(chance.randrange(1, 60))]
                sleep(chance.random() / 50)
            finally:
                process.kill()
            said += process.stdout
            assert process.stderr is not None
            assert not process.stderr.read()
        for name, number in (line.split() for line in said if line.endswith("\n")):
            acknowledged[name] = max(acknowledged[name], int(number))
        for name in names:
            found = bodies(store, name)
            assert found == [f"{name} {number}" for number in range(1, len(found) + 1)]
            assert len(found) >= acknowledged[name]
    assert min(acknowledged.values()) > 0


# ---- A database that goes away


def test_postgresql_restarts_while_threads_append(postgres: Postgres) -> None:
    enough = 20 if LONG else 5  # events of everybody between two restarts
    names = [f"table {i}" for i in range(8 if LONG else 4)]
    acknowledged: dict[str, list[str]] = {name: [] for name in names}
    failures: list[str] = []
    stop = Event()

    def run(name: str) -> None:
        number = 0
        while not stop.is_set():
            number += 1
            said = f"{name} {number}"
            try:
                answer = append(store, name, number, number, said, key=said).result()
            except StoreFailed as error:  # it took longer than we are patient; the same again
                failures.append(str(error))
                number -= 1
                continue
            assert answer in (Stored(number, repeated=False), Stored(number, repeated=True))
            acknowledged[name].append(said)

    with Store.open(postgres.fresh()) as store:
        for name in names:
            create(store, StoredTable(name, 1, "", "", listed=True))
        threads = [Thread(target=run, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for how in (signal.SIGQUIT, signal.SIGINT):
            before = {name: len(acknowledged[name]) for name in names}
            while any(len(acknowledged[name]) < before[name] + enough for name in names):
                assert all(thread.is_alive() for thread in threads)
                sleep(0.01)
            postgres.stop(how)
            sleep(0.05)
            postgres.start()
        before = {name: len(acknowledged[name]) for name in names}
        while any(len(acknowledged[name]) < before[name] + enough for name in names):
            assert all(thread.is_alive() for thread in threads)
            sleep(0.01)
        stop.set()
        for thread in threads:
            thread.join()
        for name in names:
            assert bodies(store, name) == acknowledged[name]


def test_a_database_out_of_reach_fails_and_works_again(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benben.store.writer.PATIENCE", 0.1)
    url = postgres.fresh()
    with Store.open(url) as store:
        create(store, TABLE)
        postgres.stop()
        try:
            asked = [append(store, "t", number, 1, str(number)) for number in (1, 2, 3)]
            for each in asked:
                with pytest.raises(StoreFailed, match=r"benben@/t\d+.*: .*connection"):
                    each.result()
            with pytest.raises(StoreFailed, match="connection"):
                store.events("t")
            with pytest.raises(StoreFailed, match="connection"):
                create(store, StoredTable("u", 1, "", "", listed=True))
            with pytest.raises(StoreFailed, match="connection"):
                Store.open(url)
        finally:
            postgres.start()
        monkeypatch.undo()
        assert bodies(store) == []
        assert append(store, "t", 1, 1, "back").result() == Stored(1, repeated=False)
        assert bodies(store) == ["back"]


# ---- An answer that is lost


@contextmanager
def committing(store: Store, how: Callable[[Any], None]) -> Iterator[None]:
    """The next commit is done otherwise, and so is known to nobody: the connection is lost.

    It may be that of a statement whose transaction is its own.
    """
    dialect: Any = store.writer.engine.dialect
    commit, left = dialect.do_commit, [True]

    def lose(connection: Any) -> None:
        dialect.do_commit = commit
        left.clear()
        how(connection)
        if dialect.name == "sqlite":
            raise _busy()
        connection.close()
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    def execute(connection: Connection, statement: LiteralString, parameters: Any) -> Any:
        alone = left and not connection.in_transaction()
        if alone:
            execute_in_postgres(connection, "BEGIN")
        found = execute_in_postgres(connection, statement, parameters)
        if alone:
            lose(connection.connection.driver_connection)
        return found

    dialect.do_commit = lambda connection: lose(connection.dbapi_connection)
    try:
        with patch("benben.store.event_log.execute_in_postgres", execute):
            yield
    finally:
        dialect.do_commit = commit


def _busy() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorname = "SQLITE_BUSY"
    return error


@pytest.mark.parametrize("lost", ["before", "after"])
def test_a_commit_of_which_no_answer_comes_counts_once(store: Store, lost: str) -> None:
    append(store, "t", 1, 1, "one").result()
    with committing(store, lambda each: each.commit() if lost == "after" else each.rollback()):
        keyed = append(store, "t", 2, 2, "two", key="k", over=True).result()
    assert keyed == Stored(2, repeated=False)
    with committing(store, lambda each: each.commit() if lost == "after" else each.rollback()):
        assert append(store, "t", 3, 3, "three").result() == Stored(3, repeated=False)
    with committing(store, lambda each: each.commit() if lost == "after" else each.rollback()):
        assert create(store, StoredTable("u", 1, "", "", listed=True))
    with committing(store, lambda each: each.commit() if lost == "after" else each.rollback()):
        sat = append(store, "u", 1, 1, "sat", owner=Owner(0, "hash")).result()
    assert sat == Stored(1, repeated=False)
    assert bodies(store) == ["one", "two", "three"]
    kept = store.table("t")
    assert kept is not None
    assert (kept.over, kept.touched) == (True, 3)
    assert store.seat_of_token("hash", "u") == 0


def test_a_number_lost_to_another_while_no_answer_came_is_a_conflict(
    store: Store, database: str
) -> None:
    with Store.open(database) as second:

        def overtake(connection: Any) -> None:
            connection.rollback()
            append(second, "t", 1, 1, "second").result()

        with committing(store, overtake):
            assert append(store, "t", 1, 1, "first").result() == Conflict(1)
    assert bodies(store) == ["second"]


def test_a_commit_still_under_way_when_its_connection_is_lost_is_waited_for(
    postgres: Postgres,
) -> None:
    """The old session of a lost connection may commit when we have already come back."""
    url = postgres.fresh()
    with Store.open(url) as store, psycopg.connect(url) as session:
        create(store, TABLE)

        def linger(connection: Any) -> None:
            (row,) = connection.execute("SELECT * FROM events").fetchall()
            connection.rollback()
            session.execute("SELECT id FROM tables WHERE id = 't' FOR NO KEY UPDATE")
            session.execute("INSERT INTO events VALUES (%s, %s, %s, %s, %s, %s)", row)
            Timer(0.2, session.commit).start()

        with committing(store, linger):
            answer = append(store, "t", 1, 1, "one").result()
        assert answer == Stored(1, repeated=False)
        assert bodies(store) == ["one"]


# ---- A disk that fails


@pytest.mark.parametrize(
    ("pragma", "why"),
    [("query_only=ON", "it is read-only"), ("max_page_count=1", "the disk is full")],
)
def test_events_that_cannot_be_written_fail_and_the_next_are_stored(
    sqlite_url: str, pragma: str, why: str
) -> None:
    with Store.open(sqlite_url) as store:
        create(store, TABLE)
        append(store, "t", 1, 1, "one").result()
        with troubled(store, pragma):
            asked = [append(store, "t", 2, 2, "x" * 50_000) for _ in range(5)]
            for each in asked:
                with pytest.raises(StoreFailed, match=why):
                    each.result()
            assert bodies(store) == ["one"], "it can still be read"
        assert append(store, "t", 2, 2, "y" * 50_000).result() == Stored(2, repeated=False)
        assert bodies(store) == ["one", "y" * 50_000]


LIMITED = """
import json, os, resource, sys
from benben.store.database import StoreFailed
from benben.store.store import Store
from benben.store.tables import StoredTable
from tests.store.databases import append, create

path = sys.argv[1]
with Store.open(f"sqlite:///{path}") as store:
    create(store, StoredTable("t", 1, "", "", True))
    limit = os.path.getsize(path + "-wal") + 300_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    told, failed = [], []
    for number in range(1, 101):
        body = str(number) * 10_000
        try:
            told.append(append(store, "t", len(told) + 1, 1, body).result().number)
        except StoreFailed as error:
            failed.append(str(error))
            if len(failed) == 3:
                resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
                full = len(told)
        if len(failed) >= 3 and len(told) == full + 3:
            break
    kept = [event.number for event in store.events("t")]
print(json.dumps({"told": told, "failed": failed, "kept": kept}))
"""


def test_a_full_disk_loses_nothing_and_is_survived(tmp_path: Path) -> None:
    with child(LIMITED, str(tmp_path / "limited.sqlite3")) as process:
        out, err = process.communicate()
    assert process.returncode == 0, err
    said = json.loads(out)
    assert len(said["failed"]) == 3
    assert all("the disk" in why for why in said["failed"])
    assert said["told"] == said["kept"] == list(range(1, len(said["told"]) + 1))
    assert len(said["told"]) > 3
    with Store.open(f"sqlite:///{tmp_path / 'limited.sqlite3'}") as store:
        assert len(bodies(store)) == len(said["told"])
    assert check(tmp_path / "limited.sqlite3") == "ok"


READING = """
import os, sys, tempfile
from pathlib import Path
from benben.store.database import StoreFailed
from benben.store.store import Store
from benben.store.tables import StoredTable
from tests.store.databases import append, create

root = os.geteuid() == 0  # who may write anything, and so has to be somebody else for a while
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "benben.sqlite3")
    url = f"sqlite:///{path}"
    with Store.open(url) as store:
        create(store, StoredTable("t", 1, "", "", True))
        append(store, "t", 1, 1, "one").result()
    path.chmod(0o400)
    Path(folder).chmod(0o500)
    if root:
        os.chown(path, 65534, 65534)
        os.chown(folder, 65534, 65534)
        os.seteuid(65534)
    for place in (url, f"sqlite:///{folder}/another.sqlite3"):
        try:
            Store.open(place)
        except StoreFailed as error:
            print(error)
    if root:
        os.seteuid(0)
    Path(folder).chmod(0o700)
    path.chmod(0o600)
    with Store.open(url) as store:
        print(append(store, "t", 2, 1, "two").result(), len(store.events("t")))
"""


@pytest.mark.slow
def test_a_file_that_may_only_be_read_is_refused_at_once() -> None:
    with child(READING) as process:
        out, err = process.communicate()
    assert process.returncode == 0, err
    first, second, third = out.splitlines()
    assert "benben.sqlite3: it is read-only" in first
    assert "another.sqlite3: it cannot be opened" in second
    assert third == "Stored(number=2, repeated=False) 2"


@pytest.mark.parametrize("garbage", [b"these are no tables\n" * 100, os.urandom(10_000)])
def test_a_file_that_is_no_database_is_left_alone(
    sqlite_url: str, tmp_path: Path, garbage: bytes
) -> None:
    path = tmp_path / "benben.sqlite3"
    path.write_bytes(garbage)
    with pytest.raises(StoreFailed, match=r"benben.sqlite3: this is not a SQLite database"):
        Store.open(sqlite_url)
    assert path.read_bytes() == garbage
    path.unlink()
    with Store.open(sqlite_url) as store:
        create(store, TABLE)
        assert append(store, "t", 1, 1, "one").result() == Stored(1, repeated=False)


def test_a_file_that_another_program_keeps_locked_is_waited_for(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benben.store.database._LOCKED", 0.05)
    with Store.open(sqlite_url) as store:
        create(store, TABLE)
        monkeypatch.setattr("benben.store.writer.PATIENCE", 0.0)
        other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreFailed, match="another program has it locked"):
            append(store, "t", 1, 1, "late").result()
        monkeypatch.undo()
        waiting = [append(store, "t", number, 1, str(number)) for number in (1, 2)]
        sleep(0.15)  # so that the writer tries more than once
        other.execute("COMMIT")
        other.close()
        assert [each.result() for each in waiting] == [
            Stored(1, repeated=False),
            Stored(2, repeated=False),
        ]


def test_reads_go_on_while_something_is_written(store: Store) -> None:
    """Nobody sees half of a transaction: a table is over in the same moment as its last event."""
    seen: list[tuple[bool, int]] = []
    stop = Event()

    def read() -> None:
        while not stop.is_set():
            kept = store.table("t")
            assert kept is not None
            seen.append((kept.over, len(store.events("t"))))

    def write() -> None:
        for number in range(1, 51):
            append(store, "t", number, 1, "", over=number == 50).result()
        stop.set()

    together([Thread(target=read), Thread(target=read), Thread(target=write)])
    assert seen
    assert all(events == 50 for over, events in seen if over)
