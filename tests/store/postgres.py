"""A PostgreSQL server of our own, for tests and measurements."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg

from deploy import postgres
from tests.store.migrated import migrate

# For tests: the machine does not lose its power meanwhile.
QUICK = {
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "16MB",
    "max_connections": "100",
}


class Postgres(postgres.Postgres):
    """A server in a temporary folder, with any number of databases."""

    def __init__(self, settings: Mapping[str, str] = QUICK) -> None:
        super().__init__(Path(tempfile.mkdtemp(prefix="benben")), settings)
        self._names = count()
        self._has_template = False

    def empty(self) -> str:
        """The URL of a new database without tables."""
        return self.create(f"t{next(self._names)}")

    def fresh(self) -> str:
        """The URL of a new database with our tables: a copy of one that was migrated once."""
        if not self._has_template:
            migrate(self.create("template_migrated"))
            self._has_template = True
        name = f"t{next(self._names)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template_migrated")
        return self.url(name)


@contextmanager
def running(settings: Mapping[str, str] = QUICK) -> Iterator[Postgres]:
    """A running server, whose data are deleted in the end."""
    server = Postgres(settings)
    try:
        server.make()
        server.start()
        yield server
    finally:
        server.kill()
        shutil.rmtree(server.folder)
