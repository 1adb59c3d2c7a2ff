"""The databases, for all tests of this folder."""

from tests.table.databases import database, postgres, sqlite_url, store

__all__ = ["database", "postgres", "sqlite_url", "store"]
