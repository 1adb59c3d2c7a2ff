"""The archive of finished games: uploaded records, and reviews.

`trim_records` enforces a quota and a maximum age of uploaded records in small steps. A review can
be made again at any time; it replaces the one of the same version.
"""

from contextlib import suppress

from sqlalchemy import Connection, Update, delete, exists, func, select, update

from benben.store.database import StoreFailed, insert_new, upsert
from benben.store.part import Part
from benben.store.reader import Reader
from benben.store.schema import records, reviews
from benben.store.writer import Writer

RECORD_AGE = 30 * 24 * 3600 * 1000  # milliseconds since a record was last read or uploaded
BATCH = 10  # records removed in a transaction: moves wait for it
_SAME_USE = 3600 * 1000  # milliseconds in which another reading is not noted
_MOST_NOTED = 10_000  # records whose last noted reading is cached


class Archive(Part):
    """Uploaded records, and reviews."""

    def __init__(self, writer: Writer, reader: Reader) -> None:
        super().__init__(writer, reader)
        self._noted: dict[str, int] = {}  # by record, when its reading was last noted

    def record(self, id: str) -> str | None:
        """An uploaded record, if there is one with this id."""
        return self._reader.value(select(records.c.body).where(records.c.id == id), id)

    def save_record(self, id: str, at: int, body: str) -> None:
        """Store a record, or note that it was uploaded again."""
        self._reader.check(id, body)
        row = {"id": id, "used": at, "size": len(body.encode()), "body": body}

        def transaction(connection: Connection) -> None:
            if not insert_new(connection, records, row):
                connection.execute(_use(id, at))

        self._writer.do_blocking(transaction)

    async def touch_record(self, id: str, at: int) -> None:
        """Update when a record was last used: at most once an hour. A failure is ignored."""
        if at - self._noted.get(id, 0) < _SAME_USE:
            return
        if len(self._noted) >= _MOST_NOTED:
            self._noted.clear()
        self._noted[id] = at
        with suppress(StoreFailed):
            await self._writer.do(lambda connection: connection.execute(_use(id, at)) and None)

    def trim_records(self, now: int, most_bytes: int) -> int:
        """Remove a batch of records that are too old or exceed the quota, with their reviews.

        Those unused for longest are removed first. Returns how many were removed.
        """
        longest_unused = select(records.c.id, records.c.used, records.c.size)
        longest_unused = longest_unused.order_by(records.c.used, records.c.id)
        rows = self._reader.rows(longest_unused.limit(BATCH))
        total = int(self._reader.value(select(func.coalesce(func.sum(records.c.size), 0))))
        gone = []
        for row in rows:
            if total <= most_bytes and row.used >= now - RECORD_AGE:
                break
            gone.append(row.id)
            total -= row.size
        if not gone:
            return 0
        last = rows[len(gone) - 1].used

        def transaction(connection: Connection) -> int:
            # A record that was used in the meantime is not removed.
            old = records.c.id.in_(gone) & (records.c.used <= last)
            removed = connection.execute(delete(records).where(old)).rowcount
            still = exists().where(records.c.id == reviews.c.of)
            connection.execute(delete(reviews).where(reviews.c.of.in_(gone), ~still))
            return removed

        return self._writer.do_blocking(transaction)

    def review(self, of: str, version: int) -> str | None:
        """The review of a table or record that was made by this version, if any."""
        query = select(reviews.c.body).where(reviews.c.of == of, reviews.c.version == version)
        return self._reader.value(query, of)

    def save_review(self, of: str, version: int, at: int, body: str) -> None:
        """Store a review; it replaces an earlier one."""
        self._reader.check(of, body)
        row = {"of": of, "version": version, "at": at, "body": body}
        self._writer.do_blocking(lambda connection: upsert(connection, reviews, row))


def _use(id: str, at: int) -> Update:
    return update(records).where(records.c.id == id).values(used=at)
