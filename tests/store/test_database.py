"""Where the store is: databases of this version and of others, places, and their names."""

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier, Thread

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

from benben.store import database as databases
from benben.store.database import Database, StoreFailed
from benben.store.mail import Reminder
from benben.store.schema import metadata
from benben.store.store import Store
from benben.store.tables import StoredTable
from tests.store.databases import TABLE, bodies, create, give, together

# ---- Versions


def test_migrations_make_what_the_schema_says(empty_database: str) -> None:
    with Store.open(empty_database) as store, store.writer.engine.connect() as connection:
        options = {"compare_type": True, "compare_server_default": True}
        context = MigrationContext.configure(connection, opts=options)
        assert context.get_current_revision() == "0015"
        assert compare_metadata(context, metadata) == []


@contextmanager
def earlier_version(url: str, revision: str) -> Iterator[Connection]:
    """A database as an earlier version made it in an empty one."""
    place = Database(url)
    place.prepare()
    engine = place.engine(writing=True)
    config = Config()
    config.set_main_option("script_location", "benben.store:migrations")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        yield connection
    engine.dispose()


def test_what_an_earlier_version_kept_is_still_there(empty_database: str) -> None:
    with earlier_version(empty_database, "0001") as connection:
        keys = inspect(connection).get_pk_constraint("tokens")["constrained_columns"]
        assert keys == ["hash"], "it is as that version made it"
        made = "INSERT INTO tables VALUES ('t', 1, '{}', 'secret', :no, :no, 1)"
        connection.execute(text(made), {"no": False})
        connection.execute(text("INSERT INTO events VALUES ('t', 1, 1, 'event', 'k', 'm')"))
        connection.execute(text("INSERT INTO tokens VALUES ('a', 't', 0), ('b', 't', 1)"))
        connection.execute(text("INSERT INTO heartbeats VALUES ('s', 5)"))
    with Store.open(empty_database) as store:
        assert store.tokens_of("t") == {"a": 0, "b": 1}
        assert (bodies(store), store.cluster.last_ready()) == (["event"], 5)
        create(store, StoredTable("u", 1, "", "", listed=True))
        give(store, "u", 1, "a")
        assert (store.seat_of_token("a", "t"), store.seat_of_token("a", "u")) == (0, 1)
        with store.writer.engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_addresses_that_nobody_confirmed_are_dropped_and_feeds_stay(empty_database: str) -> None:
    with earlier_version(empty_database, "0003") as connection:
        made = "INSERT INTO tables VALUES ('t', 1, '{}', 'secret', :no, :no, 1)"
        connection.execute(text(made), {"no": False})
        row = "INSERT INTO reminders VALUES ('t', 0, 'feed', 'ann@example.org', 'fr', 3)"
        connection.execute(text(row))
    with Store.open(empty_database) as store:
        assert store.reminders.by_feed("feed") == Reminder("t", 0, "feed", "", "fr", 3)


def test_servers_that_start_at_once_migrate_once(empty_database: str) -> None:
    ready = Barrier(6)
    opened: list[Store] = []

    def run() -> None:
        ready.wait()
        opened.append(Store.open(empty_database))

    together([Thread(target=run) for _ in range(6)])
    for store in opened:
        create(store, TABLE)
        store.close()
    assert len(opened) == 6


def test_a_database_of_a_later_version_is_left_alone(database: str) -> None:
    with Store.open(database) as store, store.writer.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreFailed, match="made by another version of Benben"):
        Store.open(database)


# ---- Places


def test_where_the_store_is_unless_somebody_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: str
) -> None:
    monkeypatch.setenv("BENBEN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("BENBEN_DATABASE_URL", raising=False)
    with Store.open() as store:
        create(store, TABLE)
    path = tmp_path / "data" / "benben.sqlite3"
    assert path.read_bytes().startswith(b"SQLite format 3")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600, "it holds secrets"
    monkeypatch.setenv("BENBEN_DATABASE_URL", database)
    with Store.open() as store:
        assert store.table("t") is None
        create(store, StoredTable("elsewhere", 1, "", "", listed=True))
    with Store.open(database) as store:
        assert store.table("elsewhere") is not None


def test_sqlite_is_asked_to_lose_nothing(sqlite_url: str) -> None:
    with Store.open(sqlite_url) as store, store.writer.engine.connect() as connection:
        asked = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert asked == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 5000,
    }


@pytest.mark.parametrize("secret", ["me:hushhush@127.0.0.1:1/n", "127.0.0.1:1/n?password=hushhush"])
def test_a_password_is_not_shown(secret: str) -> None:
    with pytest.raises(StoreFailed, match=r"127\.0\.0\.1:1/n") as failure:
        Store.open(f"postgresql://{secret}")
    assert "hushhush" not in str(failure.value)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("mysql://host/name", "sqlite:///… or postgresql://…"),
        ("postgresql+asyncpg://host/name", "sqlite:///… or postgresql://…"),
        ("sqlite://", "in memory keeps nothing"),
        ("sqlite:///:memory:", "in memory keeps nothing"),
        ("not a url", "the database URL: it is not valid"),
        ("sqlite:////dev/null/benben.sqlite3", "there is a file where its folder should be"),
    ],
)
def test_urls_that_name_no_place_for_tables(url: str, why: str) -> None:
    with pytest.raises(StoreFailed, match=why):
        Store.open(url)


def test_postgresql_without_its_driver_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def create_engine(*_: object, **__: object) -> None:
        raise ModuleNotFoundError("No module named 'psycopg'")

    monkeypatch.setattr(databases, "create_engine", create_engine)
    with pytest.raises(StoreFailed, match=r"pip install benben\[postgres\]"):
        Store.open("postgresql://host/name")


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_plain_postgresql_urls_are_taken_with_psycopg_3(scheme: str) -> None:
    database = Database(f"{scheme}://me@host:123/name?sslmode=require&connect_timeout=3")
    assert database.url.drivername == "postgresql+psycopg"
    assert database.engine(writing=True).dialect.driver == "psycopg"
