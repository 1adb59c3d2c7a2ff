"""The store of tables: what it acknowledges has been committed.

All writes are queued for one thread, which commits them in groups (`writer.py`). Reads run on the
caller's thread (`reader.py`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, bindparam, func, select, update

from benben.store.archive import Archive
from benben.store.clock import DatabaseClock
from benben.store.cluster import Cluster
from benben.store.database import Database, StoreFailed, insert_new, is_storable
from benben.store.event_log import Conflict, PendingEvent, Stored, append_all
from benben.store.leases import Leases
from benben.store.mail import Reminders
from benben.store.notify import Notifications, notify
from benben.store.programs import Programs
from benben.store.pruning import Pruning
from benben.store.reader import Reader, batches
from benben.store.schema import events, programs, server_keys, tables, tokens
from benben.store.tables import StoredEvent, StoredTable, TableLists
from benben.store.writer import Writer
from benben.table.fairness import new_secret


class Store:
    """Tables, their events and the tokens of their seats, in SQLite or PostgreSQL.

    Every method may raise StoreFailed, and then nothing was changed in part. Methods that are not
    coroutines block, and may be called from any thread but the writer's own.
    """

    def __init__(self, database: Database) -> None:
        database.prepare()
        self._database = database
        self.now = DatabaseClock()
        self.writer, self._reader = Writer(database), Reader(database)
        self.lists = TableLists(self._reader)
        self.leases = Leases(self.writer, self._reader, self.now, self.shared)
        self.programs = Programs(self.writer, self._reader)
        self.reminders = Reminders(self.writer, self._reader)
        self.notifications = Notifications(database)
        self.cluster = Cluster(self.writer, self._reader, database.server)
        self.pruning = Pruning(self.writer, self._reader)
        self.archive = Archive(self.writer, self._reader)
        database.migrate(self.writer.engine)
        self.writer.start()
        self.server_key = self._server_key()

    @property
    def shared(self) -> bool:
        """Whether several servers may use the database: not a SQLite file."""
        return not self._database.sqlite

    @classmethod
    def open(cls, url: str | None = None) -> "Store":
        """By URL, else by $BENBEN_DATABASE_URL, else a SQLite file in the user's data."""
        return cls(Database(url))

    def close(self) -> None:
        """Finish the queued writes, then close the database."""
        self.writer.close()
        self._reader.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # ---- Tables and their events

    async def create(self, table: StoredTable) -> bool:
        """Store a new table; False if its id is taken."""
        self._reader.check(table.id, table.options, table.secret)
        row = asdict(table) | {"touched": table.opened}
        same = (table.opened, table.options, table.secret)

        def transaction(connection: Connection) -> bool:
            if insert_new(connection, tables, row):
                return True
            found = StoredTable(*connection.execute(_table, {"id": table.id}).one())
            # The same table was stored by an earlier try.
            return (found.opened, found.options, found.secret) == same

        return await self.writer.do(transaction)

    async def append(self, event: PendingEvent) -> Stored | Conflict:
        """Store an event if its number is the next of its table; returns after the commit.

        Of several events with the same number one is Stored, the others are a Conflict. An event
        with a `key` that the table already has is not stored again: the answer has its number.
        """
        self._check_event(event)
        return await self.writer.append(event)

    async def flush(self) -> None:
        """Wait until every earlier write is stored, or has failed."""
        await self.writer.do(lambda connection: None)

    async def replace_events(
        self, pending: Sequence[PendingEvent], bodies: Mapping[int, str]
    ) -> Stored | Conflict:
        """Store events of one table, and replace the bodies of earlier ones, in one transaction.

        Names and chat are erased this way. Returns the answer to the first of the events.
        """
        for event in pending:
            self._check_event(event)
        self._reader.check(*bodies.values())
        table = pending[0].table

        def transaction(connection: Connection) -> Any:  # an error is an answer too
            (answer,) = append_all(connection, pending[:1]).values()
            if isinstance(answer, Stored):
                append_all(connection, pending[1:])
                for number in sorted(bodies):
                    this = (events.c.table_id == table) & (events.c.number == number)
                    connection.execute(update(events).where(this).values(body=bodies[number]))
            return answer

        return await self.writer.do(transaction)

    async def change_options(self, table: str, change: Callable[[str], str]) -> str:
        """Replace the options of a table by what `change` returns for them; returns the new ones.

        The name of an expected player is erased this way. Other servers are notified, as they may
        have the table in memory.
        """

        def transaction(connection: Connection) -> str:
            query = select(tables.c.options).where(tables.c.id == table).with_for_update()
            text = change(connection.execute(query).scalar_one())
            connection.execute(update(tables).where(tables.c.id == table).values(options=text))
            notify(connection, [f"terms {table}"])  # other versions know this word
            return text

        return await self.writer.do(transaction)

    def table(self, id: str) -> StoredTable | None:
        """A table as it is now."""
        return self._reader.first(StoredTable, _table, id, id=id)

    def table_with_secret(self, secret: str) -> str | None:
        """The id of the table with this secret, which is published at the end of its game."""
        query = select(tables.c.id).where(tables.c.secret == secret)
        return self._reader.value(query, secret)

    def events(self, id: str, after: int = 0) -> list[StoredEvent]:
        """The events of a table that come after a number, in order."""
        return self._reader.each(StoredEvent, _events, id, id=id, after=after)

    def load(self, table: str) -> tuple[StoredTable, list[StoredEvent], dict[str, int]] | None:
        """A table, its events, and its seats by the hashes of their tokens."""
        if not is_storable(table):
            return None
        with self._reader.connection() as connection:
            found = connection.execute(_table, {"id": table}).first()
            if found is None:
                return None
            rows = connection.execute(_events, {"id": table, "after": 0}).all()
            held = connection.execute(_holders, {"id": table}).all()
        return StoredTable(*found), [StoredEvent(*row) for row in rows], dict(map(tuple, held))

    def first_events(self, table: str, most: int) -> tuple[StoredTable, list[str]] | None:
        """A table, and the bodies of its first events, at most `most`."""
        found = self.table(table)
        if found is None:
            return None
        rows = self._reader.rows(_events.limit(most), table, id=table, after=0)
        return found, [row.body for row in rows]

    def find_by_idempotency_key(self, table: str, key: str) -> int | None:
        """The number of the event that was stored with an idempotency key, if any."""
        query = select(events.c.number).where(events.c.table_id == table, events.c.key == key)
        return self._reader.value(query, table, key)

    def last_number(self, table: str) -> int:
        """The number of a table's last event; 0 if it has none."""
        return self._reader.value(_last_number, table, id=table) or 0

    def last_numbers(self, ids: Collection[str]) -> dict[str, int]:
        """The same for many tables; those without events are left out."""
        found: dict[str, int] = {}
        query = select(events.c.table_id, func.max(events.c.number)).group_by(events.c.table_id)
        for batch in batches(ids):
            rows = self._reader.rows(query.where(events.c.table_id.in_(batch)))
            found.update((table, number) for table, number in rows)
        return found

    # ---- Seats

    def seat_of_token(self, hash: str, table: str) -> int | None:
        """The seat of a token at a table."""
        query = select(tokens.c.seat).where(tokens.c.hash == hash, tokens.c.table_id == table)
        return self._reader.value(query, hash, table)

    def seats_of_tokens(self, hashes: Collection[str]) -> list[tuple[str, int]]:
        """The tables and seats of people's tokens, by table.

        Tokens of programs are left out: they may have any number of seats.
        """
        query = select(tokens.c.table_id, tokens.c.seat).distinct()
        query = query.where(tokens.c.hash.not_in(select(programs.c.hash)))
        found: set[tuple[str, int]] = set()
        for batch in batches(set(hashes)):
            rows = self._reader.rows(query.where(tokens.c.hash.in_(batch)), *batch)
            found.update((table, seat) for table, seat in rows)
        return sorted(found)

    def tokens_of(self, table: str) -> dict[str, int]:
        """The seats of a table by the hashes of their tokens."""
        return dict(map(tuple, self._reader.rows(_holders, table, id=table)))

    def _server_key(self) -> str:
        """The secret of the servers on this database, in hexadecimal; never published."""

        def transaction(connection: Connection) -> str:
            insert_new(connection, server_keys, {"name": "tokens", "value": new_secret()})
            query = select(server_keys.c.value).where(server_keys.c.name == "tokens")
            return connection.execute(query).scalar_one()

        return self.writer.do_blocking(transaction)

    def _check_event(self, event: PendingEvent) -> None:
        self._reader.check(
            event.table, event.body, event.key or "", (event.owner and event.owner.token) or ""
        )
        if max(event.number.bit_length(), event.at.bit_length()) > 63:
            raise StoreFailed(self._database.where, "numbers have 64 bits")


_table = select(tables).where(tables.c.id == bindparam("id"))
_events = (
    select(events.c.number, events.c.at, events.c.body, events.c.key)
    .where(events.c.table_id == bindparam("id"), events.c.number > bindparam("after"))
    .order_by(events.c.number)
)
_holders = (
    select(tokens.c.hash, tokens.c.seat)
    .where(tokens.c.table_id == bindparam("id"))
    .order_by(tokens.c.seat, tokens.c.hash)
)
_last_number = select(func.max(events.c.number)).where(events.c.table_id == bindparam("id"))
