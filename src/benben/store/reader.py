"""Reads on the threads that ask for them, with a pool of connections."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Condition
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import Connection, Row, Select

from benben.store.database import Database, StoreFailed, is_storable

_CLOSE_SECONDS = 1.0  # to wait for reads under way
_BATCH = 1000  # values in one query

T = TypeVar("T")
Query: TypeAlias = Select[*tuple[Any, ...]]
Kind: TypeAlias = Callable[..., T]  # of objects made of the columns of a row
AnyRow: TypeAlias = Row[*tuple[Any, ...]]


def batches(values: Iterable[T]) -> Iterator[list[T]]:
    """Values in lists that are short enough for one query."""
    every = list(values)
    for start in range(0, len(every), _BATCH):
        yield every[start : start + _BATCH]


class Reader:
    """Runs queries. Every method may raise StoreFailed."""

    def __init__(self, database: Database) -> None:
        self._database, self._engine = database, database.engine(writing=False)
        self._active = 0  # connections in use
        self._released = Condition()

    def rows(self, query: Query, *texts: str, **values: str | int) -> Sequence[AnyRow]:
        """The rows of a query; none if one of the texts in it cannot be stored."""
        if not all(map(is_storable, texts)):
            return []
        with self.connection() as connection:
            return connection.execute(query, values).all()

    def each(self, kind: Kind[T], query: Query, *texts: str, **values: str | int) -> list[T]:
        """The rows of a query, as objects with their columns."""
        return [kind(*row) for row in self.rows(query, *texts, **values)]

    def first(self, kind: Kind[T], query: Query, *texts: str, **values: str | int) -> T | None:
        """The first row of a query, if there is one."""
        return next(iter(self.each(kind, query, *texts, **values)), None)

    def value(self, query: Query, *texts: str, **values: str | int) -> Any:
        """The first value of the first row; None if there is no row."""
        found = self.rows(query, *texts, **values)
        return found[0][0] if found else None

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """A connection for several queries."""
        with self._released:
            self._active += 1
        try:
            with self._engine.connect() as connection:
                yield connection
        except Exception as error:
            raise self._database.failed(error) from error
        finally:
            with self._released:
                self._active -= 1
                self._released.notify_all()

    def check(self, *texts: str) -> None:
        """StoreFailed if one of these texts cannot be stored."""
        if not all(map(is_storable, texts)):
            why = "text with a null character or a lone surrogate cannot be kept"
            raise StoreFailed(self._database.where, why)

    def close(self) -> None:
        with self._released:  # else connections in use would stay open
            self._released.wait_for(lambda: not self._active, _CLOSE_SECONDS)
        self._engine.dispose()
