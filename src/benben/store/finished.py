"""Finished tables, page by page, for whoever goes through all of them."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Row, func, select

from benben.store.schema import tables


class Finished:
    """Part of the store. Every method may raise StoreFailed; times are milliseconds since 1970."""

    def __init__(self, read: Callable[..., Sequence[Row[*tuple[Any, ...]]]]) -> None:
        self._read = read

    def count(self, since: int) -> int:
        """How many finished tables have been touched since a time."""
        query = select(func.count()).select_from(tables)
        return int(self._read(query.where(tables.c.over, tables.c.touched >= since))[0][0])

    def page(self, since: int, after: str, most: int) -> list[tuple[str, str, str]]:
        """The ids, options and secrets of at most `most` tables whose id comes after another."""
        query = select(tables.c.id, tables.c.options, tables.c.secret)
        query = query.where(tables.c.over, tables.c.touched >= since, tables.c.id > after)
        rows = self._read(query.order_by(tables.c.id).limit(most))
        return [(table, options, secret) for table, options, secret in rows]
