"""What is kept of finished games: records that people brought, and reviews.

A review may be made again at any time: another of the same version takes its place.
"""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select, update

from benben.table.appending import insert_new
from benben.table.schema import records, reviews
from benben.table.writer import Writer


class Kept:
    """Part of the store. Every method may raise StoreFailed; times are milliseconds since 1970."""

    def __init__(
        self,
        writer: Writer,
        read: Callable[..., Sequence[Row[*tuple[Any, ...]]]],
        check: Callable[..., None],
    ) -> None:
        self._writer, self._read, self._check = writer, read, check

    def record(self, id: str) -> str | None:  # noqa: A002
        """The record that was brought, if it is here."""
        found = self._read(_record, id, id=id)
        return str(found[0][0]) if found else None

    def keep_record(self, id: str, at: int, body: str) -> None:  # noqa: A002
        """Keep a record; one that was brought before has been brought again."""
        self._check(id, body)
        row = {"id": id, "brought": at, "body": body}

        def transaction(connection: Connection) -> None:
            if not insert_new(connection, "records", [row], "id"):
                connection.execute(_brought, {"known": id, "now": at})

        self._writer.do(transaction)

    def review(self, of: str, version: int) -> str | None:
        """A review of a table or record, made by this version."""
        found = self._read(_review, of, of=of, version=version)
        return str(found[0][0]) if found else None

    def keep_review(self, of: str, version: int, at: int, body: str) -> None:
        """Keep a review, in the place of an earlier one."""
        self._check(of, body)
        row = {"of": of, "version": version, "at": at, "body": body}
        other = {"known": of, "made_by": version, "now": at, "text": body}

        def transaction(connection: Connection) -> None:
            if not insert_new(connection, "reviews", [row], "of"):
                connection.execute(_replace, other)

        self._writer.do(transaction)


_record = select(records.c.body).where(records.c.id == bindparam("id"))
_brought = (
    update(records).where(records.c.id == bindparam("known")).values(brought=bindparam("now"))
)
_review = select(reviews.c.body).where(
    reviews.c.of == bindparam("of"), reviews.c.version == bindparam("version")
)
_replace = (
    update(reviews)
    .where(reviews.c.of == bindparam("known"), reviews.c.version == bindparam("made_by"))
    .values(at=bindparam("now"), body=bindparam("text"))
)
