"""The rows of tables and their events, and lists of tables."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import func, select

from benben.store.reader import Reader, batches
from benben.store.schema import tables, tokens

# In the encoded options of a table. A name cannot contain it, as its quotes are escaped.
_OVER_DAYS = '"pace":"days"'


@dataclass(frozen=True)
class StoredTable:
    """The row of a table: see schema.py. Times are milliseconds since 1970."""

    id: str
    opened: int
    options: str
    secret: str
    listed: bool
    over: bool = False
    touched: int = 0
    live: bool = False
    due: int | None = None
    bot: bool = False
    opener: str | None = None
    attended: int | None = None


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event of a table, numbered from 1 without gaps."""

    number: int
    at: int
    body: str
    key: str | None


class TableLists:
    """Part of the store. Every method may raise StoreFailed; times are milliseconds since 1970."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def open(self, ids: Collection[str]) -> list[StoredTable]:
        """The tables with these ids that are listed and not over."""
        query = select(tables).where(tables.c.listed, ~tables.c.over)
        parts = (query.where(tables.c.id.in_(batch)) for batch in batches(ids))
        return [table for part in parts for table in self._reader.each(StoredTable, part)]

    def open_over_days(self, most_per_opener: int, limit: int) -> list[StoredTable]:
        """Listed tables over days with a seat taken, the last touched first."""
        place = func.row_number().over(
            partition_by=func.coalesce(tables.c.opener, tables.c.id),
            order_by=(tables.c.touched.desc(), tables.c.id),
        )
        seated = select(tokens.c.hash).where(tokens.c.table_id == tables.c.id).exists()
        ranked = (
            select(tables.c.id, place.label("place"))
            .where(tables.c.listed, ~tables.c.over, tables.c.options.contains(_OVER_DAYS), seated)
            .subquery()
        )
        query = select(tables).join(ranked, ranked.c.id == tables.c.id)
        query = query.where(ranked.c.place <= most_per_opener)
        query = query.order_by(tables.c.touched.desc(), tables.c.id).limit(limit)
        return self._reader.each(StoredTable, query)

    def live(self, since: int, limit: int) -> list[StoredTable]:
        """Tables to watch that have been touched since a time, the last touched first."""
        query = select(tables).where(tables.c.live, tables.c.touched >= since)
        query = query.order_by(tables.c.touched.desc(), tables.c.id).limit(limit)
        return self._reader.each(StoredTable, query)

    def count_finished(self, since: int) -> int:
        """The number of finished tables that have been touched since a time."""
        query = select(func.count()).select_from(tables)
        return int(self._reader.value(query.where(tables.c.over, tables.c.touched >= since)))

    def finished(self, since: int, after: str, most: int) -> list[tuple[str, str, str]]:
        """The ids, options and secrets of at most `most` tables whose id comes after another."""
        query = select(tables.c.id, tables.c.options, tables.c.secret)
        query = query.where(tables.c.over, tables.c.touched >= since, tables.c.id > after)
        rows = self._reader.rows(query.order_by(tables.c.id).limit(most))
        return [(table, options, secret) for table, options, secret in rows]
