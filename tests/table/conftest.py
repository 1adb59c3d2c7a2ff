"""Fixtures for all tests of this folder."""

from tests.luck import luck
from tests.store.databases import postgres

__all__ = ["luck", "postgres"]
