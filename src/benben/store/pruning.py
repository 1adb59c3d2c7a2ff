"""Removal of old tables and records, with everything that belongs to them."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, exists, func, or_, select, true

from benben.store.part import Part
from benben.store.schema import events, metadata, records, reviews, tables

BATCH = 100  # tables in a transaction: servers wait for it, and so does Ctrl-C

_OF_TABLES = [
    each
    for each in metadata.sorted_tables
    if any(key.column is tables.c.id for key in each.foreign_keys)
]


@dataclass(frozen=True)
class Pruned:
    """Numbers of tables, and of their events."""

    tables: int = 0
    events: int = 0

    def __add__(self, more: "Pruned") -> "Pruned":
        return Pruned(self.tables + more.tables, self.events + more.events)


class Pruning(Part):
    """Removal of old tables and records."""

    def old(self, before: int, unfinished: bool = False) -> list[str]:
        """The ids of finished tables whose last event was before a time; or of all such tables."""
        query = select(tables.c.id).where(_is_old(before, unfinished)).order_by(tables.c.id)
        return [row.id for row in self._reader.rows(query)]

    def count(self, ids: Sequence[str]) -> Pruned:
        """What would be removed with these tables."""
        query = select(func.count()).select_from(events).where(events.c.table_id.in_(ids))
        return Pruned(len(ids), self._reader.value(query))

    def old_records(self, before: int) -> int:
        """How many records were last used before a time."""
        query = select(func.count()).select_from(records).where(records.c.used < before)
        return int(self._reader.value(query))

    def remove_records(self, before: int) -> int:
        """Remove these records and old reviews without a game; returns how many records."""
        uploaded = exists().where(records.c.id == reviews.c.of)
        left = uploaded | exists().where(tables.c.id == reviews.c.of)

        def transaction(connection: Connection) -> int:
            gone = connection.execute(delete(records).where(records.c.used < before)).rowcount
            connection.execute(delete(reviews).where(reviews.c.at < before, ~left))
            return gone

        return self._writer.do_blocking(transaction)

    def remove(self, ids: Sequence[str], before: int, unfinished: bool = False) -> Pruned:
        """Remove those of these tables that are still old; returns what was removed.

        Tables that are locked, as an event is being stored, are left out.
        """
        lock = select(tables.c.id).where(tables.c.id.in_(ids)).order_by(tables.c.id)
        lock = lock.with_for_update(skip_locked=True)

        def transaction(connection: Connection) -> Pruned:
            # Read again after the lock: a move may have been stored before it.
            locked = connection.execute(lock).scalars().all()
            still = select(tables.c.id).where(tables.c.id.in_(locked), _is_old(before, unfinished))
            gone = connection.execute(still).scalars().all()
            rows = {
                each.name: connection.execute(
                    delete(each).where(each.c.table_id.in_(gone))
                ).rowcount
                for each in _OF_TABLES
            }
            connection.execute(delete(reviews).where(reviews.c.of.in_(gone)))
            connection.execute(delete(tables).where(tables.c.id.in_(gone)))
            return Pruned(len(gone), rows[events.name])

        return self._writer.do_blocking(transaction)


def _is_old(before: int, unfinished: bool) -> ColumnElement[bool]:
    """Moves do not touch a table, so its last event is looked at too."""
    last = select(events.c.at).where(events.c.table_id == tables.c.id)
    last_at = last.order_by(events.c.number.desc()).limit(1).scalar_subquery()
    wanted = true() if unfinished else tables.c.over
    return (tables.c.touched < before) & or_(last_at.is_(None), last_at < before) & wanted
