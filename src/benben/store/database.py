"""Connections to SQLite or PostgreSQL, migrations, and the meaning of their errors."""

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from secrets import token_hex
from threading import Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, LiteralString

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, NullPool, Table, create_engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from benben.core.errors import BenbenError
from benben.core.locking import Taken, locked_if_free
from benben.core.paths import data_root

if TYPE_CHECKING:
    import psycopg
    from psycopg import AsyncConnection, Cursor

PATIENCE = 10.0  # seconds to keep retrying after a transient failure
READERS = 20  # connections at most
_LOCKED = 5  # seconds to wait for a lock at a time
_PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
_POSTGRES = {
    "client_encoding": "utf8",
    "connect_timeout": 5,
    "keepalives_idle": 5,  # so that a server that vanished is noticed within PATIENCE
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
_SETTINGS = (f"lock_timeout='{_LOCKED}s'", "idle_in_transaction_session_timeout='30s'")
_MIGRATING = 0x62656E62656E  # the advisory lock held while migrating: "benben"
_upgrading = Lock()  # Alembic keeps global state: one thread at a time

_ONE_SERVER = (
    "another server is using this file; end that one, or keep tables in PostgreSQL, "
    "which several servers can share"
)
_SQLITE = {  # by the beginning of the error's name
    "SQLITE_FULL": "the disk is full",
    "SQLITE_READONLY": "it is read-only",
    "SQLITE_NOTADB": "this is not a SQLite database; it was left alone",
    "SQLITE_CORRUPT": "the file is damaged",
    "SQLITE_CANTOPEN": "it cannot be opened",
    "SQLITE_BUSY": "another program has it locked",
    "SQLITE_IOERR": "the disk cannot be read or written to",
}
_STATES = {  # by the SQL state
    "53100": "the disk is full",
    "25006": "it is read-only",
    "55P03": "another server has a table locked",
}
_PASSING = {"08", "40", "57"}  # classes of SQL states: connections, deadlocks, restarts
_PASSING_STATES = {"53300", "55P03"}  # too many connections, a lock not given


class StoreFailed(BenbenError):
    """A database operation failed.

    An event whose append failed may be stored nevertheless, if the connection was lost during the
    commit. Repeat the append with the same key.
    """

    def __init__(self, where: str, why: str) -> None:
        self.where = where
        super().__init__(f"{where}: {why}")


class Overtaken(Exception):
    """Another writer, which does not take our locks, was quicker: the operation is retried."""


class Database:
    """A place for tables: a SQLite file, or a PostgreSQL database with psycopg 3."""

    def __init__(self, address: str | None = None) -> None:
        """By URL, else by $BENBEN_DATABASE_URL, else a file in the user's data."""
        address = address or os.environ.get("BENBEN_DATABASE_URL")
        file = str(data_root() / "benben.sqlite3")
        self.url = _url(address) if address else URL.create("sqlite", database=file)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        plain = self.url.set(drivername=self.url.get_backend_name())
        plain = plain.difference_update_query(["password", "sslpassword"])
        self.where = str(plain.database) if self.sqlite else plain.render_as_string()
        self.server = token_hex(8)  # the name of this server in the cluster

    def prepare(self) -> None:
        """Create a missing SQLite file. It holds secrets: only its owner may read it."""
        if self.sqlite:
            path = Path(str(self.url.database))
            if path.is_dir():
                raise StoreFailed(self.where, "this is a folder; name a file in it")
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch(mode=0o600)
            except PermissionError:
                return  # it may exist; if not, opening it fails with a message
            except (OSError, ValueError) as error:  # a ValueError: a null character in the name
                why = getattr(error, "strerror", None) or str(error)
                if isinstance(error, FileExistsError | NotADirectoryError):
                    why = "there is a file where its folder should be"
                raise StoreFailed(self.where, why) from error

    def check_exists(self) -> None:
        """StoreFailed if it is a file that does not exist: for commands that create none."""
        if self.sqlite and not Path(str(self.url.database)).exists():
            raise StoreFailed(self.where, "there is no such file")

    @contextmanager
    def reserved(self) -> Iterator[None]:
        """Lock a SQLite file for one server; StoreFailed if another server has locked it.

        A server on SQLite relies on being the only one that writes events. Commands that read or
        prune need no lock. PostgreSQL is for any number of servers.
        """
        if not self.sqlite:
            yield
            return
        self.prepare()
        # A file beside the resolved path: SQLite locks the file itself.
        file = Path(str(self.url.database)).resolve()
        lock = file.with_name(f"{file.name}.lock")
        with ExitStack() as stack:
            try:
                stack.enter_context(locked_if_free(lock))
            except Taken as error:
                raise StoreFailed(self.where, _ONE_SERVER) from error
            except OSError as error:
                why = "it is read-only" if isinstance(error, PermissionError) else error.strerror
                raise StoreFailed(self.where, f"{why} (no {lock.name} beside it)") from error
            yield

    def engine(self, writing: bool) -> Engine:
        """A pool of connections for reading, or a single connection for the writer."""
        options: dict[str, Any] = {"execution_options": {"server": self.server}} | (
            {"poolclass": NullPool}
            if writing
            else {
                "pool_size": 5,
                "max_overflow": READERS - 5,
                "pool_timeout": PATIENCE,
                "pool_pre_ping": not self.sqlite,
            }
        )
        if self.sqlite:
            options["connect_args"] = {"timeout": _LOCKED}  # this is SQLite's busy_timeout
        else:
            options["connect_args"] = self._postgres_options()
            # Every statement sees the last commit. Reading needs no transaction.
            options["isolation_level"] = "READ COMMITTED" if writing else "AUTOCOMMIT"
        try:
            engine = create_engine(self.url, **options)
        except ImportError as error:  # of psycopg; Python has SQLite
            why = "PostgreSQL needs psycopg: pip install benben[postgres]"
            raise StoreFailed(self.where, why) from error
        event.listen(engine, "connect", _tune_sqlite if self.sqlite else _tune_postgres)
        if self.sqlite:
            begin = "BEGIN IMMEDIATE" if writing else "BEGIN"
            event.listen(engine, "begin", lambda connection: execute_in_sqlite(connection, begin))
        elif writing:
            event.listen(
                engine, "begin", lambda connection: execute_in_postgres(connection, "BEGIN")
            )
        return engine

    def _postgres_options(self) -> dict[str, Any]:
        """Our options of connections, without those that the URL has."""
        return {name: value for name, value in _POSTGRES.items() if name not in self.url.query}

    async def listening(self) -> "AsyncConnection":
        """A connection to PostgreSQL that receives notifications."""
        from psycopg import AsyncConnection  # not installed for SQLite

        plain = self.url.set(drivername="postgresql").render_as_string(hide_password=False)
        options: Any = self._postgres_options()
        return await AsyncConnection.connect(plain, autocommit=True, **options)

    def migrate(self, engine: Engine) -> None:
        """Upgrade the schema, by one server at a time."""
        deadline = monotonic() + PATIENCE
        while True:
            try:
                with engine.begin() as connection:
                    self._upgrade(connection)
                return
            except CommandError as error:
                why = f"it was made by another version of Benben ({error})"
                raise StoreFailed(self.where, why) from error
            except Exception as error:
                # Two processes that switch to WAL at once do not wait for each other.
                if not (self.sqlite and is_transient(error)) or monotonic() > deadline:
                    raise self.failed(error) from error
            sleep(0.05)

    def _upgrade(self, connection: Connection) -> None:
        if not self.sqlite:  # SQLite is locked by BEGIN IMMEDIATE
            connection.exec_driver_sql("SET LOCAL lock_timeout = 0")  # wait for the other's steps
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATING})")
        config = Config()
        config.set_main_option("script_location", "benben.store:migrations")
        config.attributes["connection"] = connection
        with _upgrading:
            command.upgrade(config, "head")

    def failed(self, error: Exception) -> BenbenError:
        """The error to raise instead of the driver's."""
        if isinstance(error, BenbenError):
            return error
        if isinstance(error, PoolTimeout):
            return StoreFailed(self.where, "too many reads at once")
        cause = error.orig if isinstance(error, DBAPIError) else error
        name = getattr(cause, "sqlite_errorname", None) or ""
        why = _STATES.get(getattr(cause, "sqlstate", None) or "")
        for beginning, words in _SQLITE.items():
            if name.startswith(beginning):
                why = words
        detail = " ".join(str(cause).split()) or type(cause).__name__
        failure = StoreFailed(self.where, f"{why} ({detail})" if why else detail)
        failure.__cause__ = error
        return failure


def is_transient(error: Exception) -> bool:
    """Whether a failure is transient, and worth a retry."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    name = getattr(cause, "sqlite_errorname", None)
    if name is not None:
        return str(name).startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))
    if isinstance(error, Overtaken):
        return True
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    state = getattr(cause, "sqlstate", None)
    if state is None:  # no server was reached
        return type(cause).__name__ == "OperationalError"
    return state[:2] in _PASSING or state in _PASSING_STATES


def execute_in_sqlite(
    connection: Connection, statement: str, parameters: tuple[str, ...] = ()
) -> None:
    """Execute a statement of the hot path that returns no rows; raises the driver's errors.

    An insert takes 1.5 µs by the driver, 6 by SQLAlchemy's `exec_driver_sql`, and 14 by `text`.
    """
    sqlite = connection.connection.driver_connection
    assert sqlite is not None
    sqlite.execute(statement, parameters).close()


def execute_in_postgres(
    connection: Connection, statement: LiteralString, parameters: tuple[Any, ...] = ()
) -> "Cursor[Any]":
    """The same for PostgreSQL, in a transaction of its own unless one has begun."""
    postgres: psycopg.Connection[Any] | None = connection.connection.driver_connection
    assert postgres is not None
    return postgres.execute(statement, parameters)


def is_storable(text: str) -> bool:
    """Whether both databases can store a text; PostgreSQL has no null character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def insert_new(connection: Connection, table: Table, row: Mapping[str, Any]) -> bool:
    """Insert a row unless its key is there already; whether it was inserted."""
    insert = _insert(connection, table).on_conflict_do_nothing()
    return connection.execute(insert.returning(*table.primary_key), row).first() is not None


def upsert(connection: Connection, table: Table, row: Mapping[str, Any]) -> None:
    """Insert a row, or set these columns of the row that has its primary key."""
    keys = [column.name for column in table.primary_key]
    insert = _insert(connection, table).values(row)
    connection.execute(insert.on_conflict_do_update(index_elements=keys, set_=row))


def _insert(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    return (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)


def _url(address: str) -> URL:
    try:
        url = make_url(address)
    except (ArgumentError, ValueError) as error:
        why = "it is not valid; write postgresql://user@host/name or sqlite:///file"
        raise StoreFailed("the database URL", why) from error
    if url.drivername in ("postgres", "postgresql", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    if url.drivername not in ("sqlite", "sqlite+pysqlite"):
        why = f"tables are kept in sqlite:///… or postgresql://…, not in {url.drivername}"
        raise StoreFailed("the database URL", why)
    if url.database in (None, "", ":memory:"):
        raise StoreFailed("the database URL", "a database in memory keeps nothing; name a file")
    return url


def _tune_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions begin when we say so, not when Python does
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}").close()


def _tune_postgres(connection: Any, _: object) -> None:
    connection.autocommit = True  # transactions begin when we say so, not with any statement
    for setting in _SETTINGS:
        connection.execute(f"SET {setting}")
