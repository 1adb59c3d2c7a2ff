"""The databases, for all tests of this folder."""

from tests.luck import luck
from tests.store.databases import (
    database,
    empty_database,
    postgres,
    sqlite_url,
    store,
)

__all__ = [
    "database",
    "empty_database",
    "luck",
    "postgres",
    "sqlite_url",
    "store",
]
