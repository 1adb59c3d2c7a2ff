"""A PostgreSQL server of our own, for tests and measurements."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from deploy import postgres

# For tests: the machine does not lose its power meanwhile.
QUICK = {
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "16MB",
    "max_connections": "100",
}


class Postgres(postgres.Postgres):
    """In a temporary folder, with as many databases as are wanted."""

    def __init__(self, settings: Mapping[str, str] = QUICK) -> None:
        super().__init__(Path(tempfile.mkdtemp(prefix="benben")), settings)
        self._names = count()

    def fresh(self) -> str:
        """The URL of a new database."""
        return self.create(f"t{next(self._names)}")


@contextmanager
def running(settings: Mapping[str, str] = QUICK) -> Iterator[Postgres]:
    """A running server; its data are gone in the end."""
    server = Postgres(settings)
    try:
        server.make()
        server.start()
        yield server
    finally:
        server.kill()
        shutil.rmtree(server.folder)
