"""Migrated databases for tests, copied from one that was migrated once per process."""

import tempfile
from functools import cache
from pathlib import Path

from benben.store.database import Database


def migrate(url: str) -> None:
    """Create all tables in an empty database."""
    database = Database(url)
    database.prepare()
    engine = database.engine(writing=True)
    database.migrate(engine)
    engine.dispose()


@cache
def _sqlite_template() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "template.sqlite3"
        migrate(f"sqlite:///{path}")
        return path.read_bytes()


def sqlite_file(path: Path) -> str:
    """The URL of a SQLite database with our tables; one that is there already stays as it is."""
    if not path.exists():
        path.touch(mode=0o600)
        path.write_bytes(_sqlite_template())
    return f"sqlite:///{path}"
