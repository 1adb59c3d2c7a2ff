"""The durable store of tables. Save, then tell: what was acknowledged has been committed.

Writes go through one thread (`writer.py`), so they queue up and are committed together. Reads
happen on the thread that asks.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    bindparam,
    delete,
    func,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from benben.table.appending import Append, Conflict, NoSuchTable, Stored, insert_new
from benben.table.database import Database, StoreFailed
from benben.table.schema import events, heartbeats, programs, reminders, tables, tokens
from benben.table.writer import Transaction, Writer

__all__ = [
    "Append",
    "Conflict",
    "NewTable",
    "NoSuchTable",
    "Program",
    "Reminder",
    "Store",
    "StoreFailed",
    "Stored",
    "StoredEvent",
    "StoredTable",
]

_MOST_HASHES = 1000  # in one query


@dataclass(frozen=True)
class NewTable:
    """A table as it was made. Times are milliseconds since 1970."""

    id: str
    opened: int
    terms: str
    secret: str
    listed: bool


@dataclass(frozen=True)
class StoredTable(NewTable):
    """A table as it is now: `touched` when the last event was that touches it."""

    over: bool
    touched: int


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """What happened at a table: the first has number 1, and no number is left out."""

    number: int
    at: int
    body: str


@dataclass(frozen=True)
class Program:
    """A bot of somebody's that plays over the network, since it was registered."""

    hash: str
    name: str
    since: int


@dataclass(frozen=True)
class Reminder:
    """How whoever holds a seat, as chosen, is told that it is their turn."""

    table: str
    seat: int
    feed: str  # the hash of its key
    address: str  # of mail; empty if none is wanted
    language: str
    known: int  # turns that came by this event or an earlier one need no mail any more


class Store:
    """Tables, their events and the tokens of their seats, in SQLite or PostgreSQL.

    Every method may raise StoreFailed, and then nothing is half-written. All may be called from
    any thread but the writer's own, where the callbacks of `append`'s futures run.
    """

    def __init__(self, database: Database) -> None:
        database.prepare()
        self._database = database
        self._reading = database.engine(writing=False)
        self.writer = Writer(database)
        database.migrate(self.writer.engine)
        self.writer.start()

    @property
    def shared(self) -> bool:
        """Whether several servers may use the database: not a SQLite file."""
        return not self._database.sqlite

    @classmethod
    def open(cls, url: str | None = None) -> "Store":
        """By URL, else by $BENBEN_DATABASE_URL, else a SQLite file in the user's data."""
        return cls(Database(url))

    def close(self) -> None:
        """Finish what waits, then let go of the database."""
        self.writer.close()
        self._reading.dispose()

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self.close()

    # ---- Tables and their events

    def create(self, table: NewTable, tokens: Mapping[int, str] | None = None) -> None:
        """Keep a new table, with the hashes of tokens by seat. The same twice counts once."""
        self.writer.do(self._creating(table, tokens or {}))

    async def create_soon(self, table: NewTable) -> None:
        """The same, for whoever waits on an event loop."""
        await self.writer.do_soon(self._creating(table, {}))

    def _creating(self, table: NewTable, tokens: Mapping[int, str]) -> Transaction[None]:
        self._check(table.id, table.terms, table.secret)
        row = asdict(table) | {"over": False, "touched": table.opened}
        same = (table.opened, table.terms, table.secret)

        def transaction(connection: Connection) -> None:
            if not insert_new(connection, "tables", [row], "id"):
                found = connection.execute(_table, {"id": table.id}).one()
                if (found.opened, found.terms, found.secret) != same:
                    why = f"there is another table {table.id!r}"
                    raise StoreFailed(self._database.where, why)
            for seat, hash_ in tokens.items():
                self._add_token(connection, table.id, seat, hash_)

        return transaction

    def append(
        self,
        table: str,
        number: int,
        at: int,
        body: str,
        key: str | None = None,
        listed: bool | None = None,
        over: bool | None = None,
    ) -> Future[Stored | Conflict]:
        """Store an event if `number` is the next of its table; the future tells after the commit.

        Of all that race for a number one is Stored, the others have a Conflict. An event whose
        `key` the table has already is not stored again: the answer says under which number it was.
        """
        self._check(table, body, key or "")
        return self.writer.append(Append(table, number, at, body, key, listed, over))

    def append_soon(self, event: Append) -> asyncio.Future[Stored | Conflict]:
        """The same, for whoever waits on an event loop."""
        self._check(event.table, event.body, event.key or "")
        return self.writer.append_soon(event)

    def replace_bodies(self, table: str, bodies: Mapping[int, str]) -> None:
        """Write other texts over those of some events, to erase what somebody said."""
        self._check(*bodies.values())
        rows = [{"id": table, "no": number, "text": bodies[number]} for number in sorted(bodies)]

        def transaction(connection: Connection) -> None:
            for row in rows:
                if connection.execute(_replace, row).rowcount != 1:
                    why = f"table {table!r} has no event {row['no']}"
                    raise StoreFailed(self._database.where, why)

        self.writer.do(transaction)

    def table(self, id: str) -> StoredTable | None:  # noqa: A002
        """A table as it is now."""
        found = self._read(_table, id, id=id)
        return StoredTable(*found[0]) if found else None

    def events(self, id: str, after: int = 0) -> list[StoredEvent]:  # noqa: A002
        """The events of a table that come after a number, in order."""
        return [StoredEvent(*row) for row in self._read(_events, id, id=id, after=after)]

    def number_of(self, table: str, key: str) -> int | None:
        """The number of the event that was stored with a key, if one was."""
        found = self._read(_number, table, key, id=table, key=key)
        return int(found[0][0]) if found else None

    def open_tables(self, limit: int) -> list[StoredTable]:
        """Listed tables that are not over, the last touched first."""
        query = select(tables).where(tables.c.listed, ~tables.c.over)
        query = query.order_by(tables.c.touched.desc(), tables.c.id).limit(limit)
        return [StoredTable(*row) for row in self._read(query)]

    def unfinished(self) -> list[tuple[str, str]]:
        """The ids and terms of all tables that are not over, the last touched first."""
        query = select(tables.c.id, tables.c.terms).where(~tables.c.over)
        query = query.order_by(tables.c.touched.desc(), tables.c.id)
        return [(row.id, row.terms) for row in self._read(query)]

    # ---- Who sits where

    def add_token(self, table: str, seat: int, hash: str) -> None:  # noqa: A002
        """Let whoever has the token of this hash act for a seat."""
        self.writer.do(self._adding_token(table, seat, hash))

    async def add_token_soon(self, table: str, seat: int, hash: str) -> None:  # noqa: A002
        """The same, for whoever waits on an event loop."""
        await self.writer.do_soon(self._adding_token(table, seat, hash))

    def _adding_token(self, table: str, seat: int, hash: str) -> Transaction[None]:  # noqa: A002
        self._check(table, hash)

        def transaction(connection: Connection) -> None:
            if connection.execute(_table, {"id": table}).one_or_none() is None:
                raise NoSuchTable(table)
            self._add_token(connection, table, seat, hash)

        return transaction

    def drop_tokens(self, table: str, seat: int) -> None:
        """Let nobody act for a seat any more who could until now, nor be reminded of it."""

        def transaction(connection: Connection) -> None:
            for each in (tokens, reminders):
                gone = delete(each).where(each.c.table_id == table, each.c.seat == seat)
                connection.execute(gone)

        self.writer.do(transaction)

    def who(self, hash: str, table: str) -> int | None:  # noqa: A002
        """The seat of a token at a table."""
        found = self._read(_who, hash, table, hash=hash, id=table)
        return int(found[0][0]) if found else None

    def mine(self, hashes: Collection[str]) -> list[tuple[str, int]]:
        """The tables and seats of some people's tokens, by table.

        Of unknown tokens nothing is said, nor of programs', which may have any number of tables.
        """
        query = select(tokens.c.table_id, tokens.c.seat).distinct()
        query = query.where(tokens.c.hash.not_in(select(programs.c.hash)))
        found: set[tuple[str, int]] = set()
        every = list(dict.fromkeys(hashes))
        for start in range(0, len(every), _MOST_HASHES):
            some = every[start : start + _MOST_HASHES]
            rows = self._read(query.where(tokens.c.hash.in_(some)), *some)
            found.update((table, seat) for table, seat in rows)
        return sorted(found)

    def tokens_of(self, table: str) -> dict[str, int]:
        """The seats of a table by the hashes of their tokens."""
        query = select(tokens.c.hash, tokens.c.seat).where(tokens.c.table_id == table)
        rows = self._read(query.order_by(tokens.c.seat, tokens.c.hash), table)
        return dict(map(tuple, rows))

    # ---- Reminders

    def set_reminder(self, reminder: Reminder) -> bool:
        """Keep it instead of the seat's earlier one, if somebody holds the seat; whether so."""
        self._check(reminder.table, reminder.feed, reminder.address, reminder.language)
        row = {"table_id" if name == "table" else name: v for name, v in vars(reminder).items()}
        seat = (tokens.c.table_id == reminder.table) & (tokens.c.seat == reminder.seat)

        def transaction(connection: Connection) -> bool:
            if connection.execute(select(tokens.c.hash).where(seat)).first() is None:
                return False
            connection.execute(delete(reminders).where(_reminds(reminder.table, reminder.seat)))
            return insert_new(connection, "reminders", [row], "seat") == 1

        return self.writer.do(transaction)

    def reminder(self, table: str, seat: int) -> Reminder | None:
        return self._reminder(_reminds(table, seat), table)

    def reminder_by_feed(self, feed: str) -> Reminder | None:
        """The one whose feed has the key of this hash."""
        return self._reminder(reminders.c.feed == feed, feed)

    def set_known(self, reminder: Reminder, known: int) -> bool:
        """Note up to where nothing is to be mailed; of all servers that try one does it."""
        same = (reminders.c.feed == reminder.feed) & (reminders.c.known == reminder.known)

        def transaction(connection: Connection) -> bool:
            done = connection.execute(update(reminders).where(same).values(known=known))
            return done.rowcount == 1

        return self.writer.do(transaction)

    def drop_reminder(self, table: str, seat: int) -> None:
        def transaction(connection: Connection) -> None:
            connection.execute(delete(reminders).where(_reminds(table, seat)))

        self.writer.do(transaction)

    # ---- BotStreams

    def add_program(self, program: Program) -> bool:
        """Keep a new program, if no other has its name; whether it is kept."""
        self._check(program.hash, program.name)

        def transaction(connection: Connection) -> bool:
            new = insert_new(connection, "programs", [asdict(program)], "hash")
            query = select(programs.c.name).where(programs.c.hash == program.hash)
            return bool(new) or connection.execute(query).scalar() == program.name

        return self.writer.do(transaction)

    def program(self, hash: str) -> Program | None:  # noqa: A002
        """The program that has the token of this hash."""
        return self._program(select(programs).where(programs.c.hash == hash), hash)

    def program_named(self, name: str) -> Program | None:
        return self._program(select(programs).where(programs.c.name == name), name)

    def seats_of(self, program: Program, over: bool = False) -> list[tuple[str, int]]:
        """The tables and seats of a program, by table; also at tables that are over, if wanted."""
        query = select(tokens.c.table_id, tokens.c.seat).where(tokens.c.hash == program.hash)
        if not over:
            query = query.join(tables).where(~tables.c.over)
        rows = self._read(query.order_by(tokens.c.table_id), program.hash)
        return [(table, seat) for table, seat in rows]

    def drop_program(self, program: Program) -> None:
        """Forget a program and its token, and with it who held its seats."""
        held = select(tokens.c.table_id, tokens.c.seat).where(tokens.c.hash == program.hash)
        its = tuple_(reminders.c.table_id, reminders.c.seat).in_(held)

        def transaction(connection: Connection) -> None:
            connection.execute(delete(reminders).where(its))
            for each in (tokens, programs):
                connection.execute(delete(each).where(each.c.hash == program.hash))

        self.writer.do(transaction)

    # ---- Servers

    def heartbeat(self, server: str, at: int) -> None:
        """Note that a server is alive, so that the next one knows since when none was."""

        def transaction(connection: Connection) -> None:
            dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
            insert = dialect.insert(heartbeats).values(server=server, at=at)
            connection.execute(
                insert.on_conflict_do_update(
                    index_elements=["server"], set_={"at": insert.excluded.at}
                )
            )

        self.writer.do(transaction)

    def last_heartbeat(self) -> int | None:
        """When any server was last known to be alive."""
        found: int | None = self._read(select(func.max(heartbeats.c.at)))[0][0]
        return found

    # ----

    def _read(
        self, query: Select[*tuple[Any, ...]], *texts: str, **parameters: str | int
    ) -> Sequence[Row[*tuple[Any, ...]]]:
        if not all(map(_storable, texts)):
            return []  # what cannot be kept is not there
        try:
            with self._reading.connect() as connection:
                return connection.execute(query, parameters).all()
        except Exception as error:
            raise self._database.failed(error) from error

    def _program(self, query: Select[*tuple[Any, ...]], text: str) -> Program | None:
        found = self._read(query, text)
        return Program(*found[0]) if found else None

    def _reminder(self, which: ColumnElement[bool], text: str) -> Reminder | None:
        found = self._read(select(reminders).where(which), text)
        return Reminder(*found[0]) if found else None

    def _add_token(self, connection: Connection, table: str, seat: int, hash_: str) -> None:
        row = {"hash": hash_, "table_id": table, "seat": seat}
        if not insert_new(connection, "tokens", [row], "hash"):
            mine = (tokens.c.hash == hash_) & (tokens.c.table_id == table)
            if connection.execute(select(tokens.c.seat).where(mine)).scalar() != seat:
                raise StoreFailed(self._database.where, "this token is of another seat")

    def _check(self, *texts: str) -> None:
        if not all(map(_storable, texts)):
            why = "a text with a null character or half a surrogate pair cannot be kept"
            raise StoreFailed(self._database.where, why)


_table = select(tables).where(tables.c.id == bindparam("id"))
_events = (
    select(events.c.number, events.c.at, events.c.body)
    .where(events.c.table_id == bindparam("id"), events.c.number > bindparam("after"))
    .order_by(events.c.number)
)
_number = select(events.c.number).where(
    events.c.table_id == bindparam("id"), events.c.key == bindparam("key")
)
_who = select(tokens.c.seat).where(
    tokens.c.hash == bindparam("hash"), tokens.c.table_id == bindparam("id")
)
_replace = (
    update(events)
    .where(events.c.table_id == bindparam("id"), events.c.number == bindparam("no"))
    .values(body=bindparam("text"))
)


def _reminds(table: str, seat: int) -> ColumnElement[bool]:
    return (reminders.c.table_id == table) & (reminders.c.seat == seat)


def _storable(text: str) -> bool:
    """Whether both databases can keep this text; PostgreSQL has no null character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text
