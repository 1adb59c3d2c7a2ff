"""The durable store of tables. Save, then tell: what was acknowledged has been committed.

Writes go through one thread (`writer.py`), so they queue up and are committed together. Reads
happen on the thread that asks.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from threading import Condition
from time import monotonic
from types import TracebackType
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    bindparam,
    delete,
    false,
    func,
    or_,
    select,
    true,
    tuple_,
    update,
)

from benben.store.archive import Archive
from benben.store.clock import DatabaseClock
from benben.store.cluster import Cluster
from benben.store.database import Database, StoreFailed, insert_new
from benben.store.event_log import (
    Conflict,
    PendingEvent,
    Stored,
    append_all,
)
from benben.store.finished import Finished
from benben.store.mail import Reminders
from benben.store.notify import Notifications, notify
from benben.store.pruning import Pruning
from benben.store.schema import (
    events,
    listeners,
    programs,
    reminders,
    server_keys,
    tables,
    tokens,
)
from benben.store.writer import Writer
from benben.table.deadlines import Deadline
from benben.table.fairness import new_secret
from benben.table.names import folded

_MOST_AT_ONCE = 1000  # in one query
_LEAVING = 1.0  # seconds for reads under way when the store is closed
_CLAIMED_FOR = 10_000  # milliseconds: longer than a claim lasts, with some difference of clocks
# In the encoded options of a table. A name cannot contain it, as its quotes are escaped.
_OVER_DAYS = '"pace":"days"'


@dataclass(frozen=True)
class NewTable:
    """A table as it was made. Times are milliseconds since 1970."""

    id: str
    opened: int
    options: str
    secret: str
    listed: bool


@dataclass(frozen=True)
class StoredTable(NewTable):
    """A table as it is now: `touched` when the last event was that touches it."""

    over: bool
    touched: int
    live: bool
    due: int | None
    bot: bool
    opener: str | None = None
    attended: int | None = None


@dataclass(frozen=True)
class Lease:
    """A table that needs a server, and that we have taken on until a time."""

    id: str
    options: str
    until: int


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """What happened at a table: the first has number 1, and no number is left out."""

    number: int
    at: int
    body: str
    key: str | None


@dataclass(frozen=True)
class Program:
    """A bot of somebody's that plays over the network, since it was registered."""

    hash: str
    name: str
    since: int


class Store:
    """Tables, their events and the tokens of their seats, in SQLite or PostgreSQL.

    Every method may raise StoreFailed, and then nothing is half-written. All may be called from
    any thread but the writer's own: coroutines on an event loop, the other methods block.
    """

    def __init__(self, database: Database) -> None:
        database.prepare()
        self._database = database
        self._reading, self._readers = database.engine(writing=False), 0
        self._read_something = Condition()
        self.now = DatabaseClock()
        self.writer = Writer(database)
        self.reminders = Reminders(self.writer, self._read, self._check)
        self.notifications = Notifications(database)
        self.cluster = Cluster(self.writer, self._read, database.server)
        self.pruning = Pruning(self.writer, self._read)
        self.archive = Archive(self.writer, self._read, self._check)
        self.finished = Finished(self._read)
        database.migrate(self.writer.engine)
        self.writer.start()
        self.server_key = self._server_key()

    @property
    def shared(self) -> bool:
        """Whether several servers may use the database: not a SQLite file."""
        return not self._database.sqlite

    @property
    def server(self) -> str:
        """What other servers know us by."""
        return self._database.server

    @classmethod
    def open(cls, url: str | None = None) -> "Store":
        """By URL, else by $BENBEN_DATABASE_URL, else a SQLite file in the user's data."""
        return cls(Database(url))

    def close(self) -> None:
        """Finish what is queued, then close the database."""
        self.writer.close()
        with self._read_something:  # or nobody would close the connections that are in use
            self._read_something.wait_for(lambda: not self._readers, _LEAVING)
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

    async def create(
        self, table: NewTable, due: int | None = None, opener: str | None = None
    ) -> bool:
        """Keep a new table, which needs a server at a time, or never; False if its id is taken."""
        self._check(table.id, table.options, table.secret)
        row = asdict(table) | {"over": False, "touched": table.opened, "live": False}
        row |= {"due": due, "bot": False, "opener": opener}
        same = (table.opened, table.options, table.secret)

        def transaction(connection: Connection) -> bool:
            if insert_new(connection, tables, row):
                return True
            found = StoredTable(*connection.execute(_table, {"id": table.id}).one())
            # The same table was stored by an earlier try.
            return (found.opened, found.options, found.secret) == same

        return await self.writer.do(transaction)

    async def append(self, event: PendingEvent) -> Stored | Conflict:
        """Store an event if its number is the next of its table; return after the commit.

        Of all that race for a number one is Stored, the others have a Conflict. An event whose
        `key` the table has already is not stored again: the answer says under which number it was.
        """
        self._check_event(event)
        return await self.writer.append(event)

    async def flush(self) -> None:
        """Wait until all that was asked for before is stored, or has failed."""
        await self.writer.do(lambda connection: None)

    async def rewrite(
        self, events: Sequence[PendingEvent], bodies: Mapping[int, str]
    ) -> Stored | Conflict:
        """Store events of one table, and other texts over those of earlier ones, or none of it.

        It is how somebody's words are erased. The answer is that to the first of the events.
        """
        for event in events:
            self._check_event(event)
        self._check(*bodies.values())
        table = events[0].table
        rows = [{"id": table, "no": number, "text": bodies[number]} for number in sorted(bodies)]

        def transaction(connection: Connection) -> Any:  # an error is an answer too
            (answer,) = append_all(connection, events[:1]).values()
            if isinstance(answer, Stored):
                append_all(connection, events[1:])
                for row in rows:
                    connection.execute(_replace, row)
            return answer

        return await self.writer.do(transaction)

    async def change_options(self, table: str, change: Callable[[str], str]) -> str:
        """Replace the options of a table by what `change` returns for them; returns the new ones.

        This is how the name of somebody expected there is erased. Other servers are notified, as
        they may have the table in memory.
        """

        def transaction(connection: Connection) -> str:
            query = select(tables.c.options).where(tables.c.id == table).with_for_update()
            text = change(connection.execute(query).scalar_one())
            connection.execute(_set_options, {"table": table, "text": text})
            notify(connection, [f"terms {table}"])  # other versions know this word
            return text

        return await self.writer.do(transaction)

    def table(self, id: str) -> StoredTable | None:  # noqa: A002
        """A table as it is now."""
        found = self._read(_table, id, id=id)
        return StoredTable(*found[0]) if found else None

    def table_with_secret(self, secret: str) -> str | None:
        """The id of the table with this secret, which is known to others when its game is over."""
        found = self._read(_with_secret, secret, secret=secret)
        return str(found[0][0]) if found else None

    def events(self, id: str, after: int = 0) -> list[StoredEvent]:  # noqa: A002
        """The events of a table that come after a number, in order."""
        return [StoredEvent(*row) for row in self._read(_events, id, id=id, after=after)]

    def load(self, table: str) -> tuple[StoredTable, list[StoredEvent], dict[str, int]] | None:
        """A table, its events, and its seats by the hashes of their tokens."""
        if not _storable(table):
            return None
        try:
            with self._connected() as connection:
                found = connection.execute(_table, {"id": table}).first()
                if found is None:
                    return None
                rows = connection.execute(_events, {"id": table, "after": 0}).all()
                held = connection.execute(_holders, {"id": table}).all()
        except Exception as error:
            raise self._database.failed(error) from error
        return StoredTable(*found), [StoredEvent(*row) for row in rows], dict(map(tuple, held))

    def first_events(self, table: str, most: int) -> tuple[StoredTable, list[str]] | None:
        """A table, and the texts of its first events, at most so many."""
        found = self.table(table)
        if found is None:
            return None
        rows = self._read(_events.limit(most), table, id=table, after=0)
        return found, [row.body for row in rows]

    def number_of(self, table: str, key: str) -> int | None:
        """The number of the event that was stored with a key, if one was."""
        found = self._read(_number, table, key, id=table, key=key)
        return int(found[0][0]) if found else None

    def open_tables(self, ids: Collection[str]) -> list[StoredTable]:
        """Those of some tables that are listed and not over."""
        every = list(ids)
        rows: list[Row[*tuple[Any, ...]]] = []
        for start in range(0, len(every), _MOST_AT_ONCE):
            some = tables.c.id.in_(every[start : start + _MOST_AT_ONCE])
            rows += self._read(select(tables).where(tables.c.listed, ~tables.c.over, some))
        return [StoredTable(*row) for row in rows]

    def open_days_tables(self, most_per_opener: int, limit: int) -> list[StoredTable]:
        """Listed tables over days where somebody has a seat, the last touched first."""
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
        return [StoredTable(*row) for row in self._read(query)]

    def live_tables(self, since: int, limit: int) -> list[StoredTable]:
        """Tables to watch where something has happened since, the last touched first."""
        query = select(tables).where(tables.c.live, tables.c.touched >= since)
        query = query.order_by(tables.c.touched.desc(), tables.c.id).limit(limit)
        return [StoredTable(*row) for row in self._read(query)]

    def last_number(self, table: str) -> int:
        """The number of a table's last event; 0 if it has none."""
        return int(self._read(_last_number, table, id=table)[0][0] or 0)

    def last_numbers(self, ids: Collection[str]) -> dict[str, int]:
        """The same for many tables; those that have no events are left out."""
        found: dict[str, int] = {}
        every = list(ids)
        for start in range(0, len(every), _MOST_AT_ONCE):
            some = every[start : start + _MOST_AT_ONCE]
            query = select(events.c.table_id, func.max(events.c.number))
            query = query.where(events.c.table_id.in_(some)).group_by(events.c.table_id)
            found.update((table, number) for table, number in self._read(query))
        return found

    # ---- What is due

    def next_due(self, bots: Collection[bool], games: Collection[str] | None = None) -> int | None:
        """When a table next needs a server, for a bot's turn (True) or anything else (False).

        With `games`, only tables of those count.
        """
        times = (
            select(func.min(tables.c.due)).where(_IS_DUE, tables.c.bot == bot, _plays(games))
            for bot in bots
        )
        found = self._read_with_time(*(each.scalar_subquery() for each in times))
        return min((due for due in found if due is not None), default=None)

    def read_time(self) -> None:
        """Synchronize our clock with a shared database; `next_due` does so too."""
        self._read_with_time()

    def _read_with_time(self, *columns: ColumnElement[int]) -> Sequence[int | None]:
        """The values of these columns; and the database's time, for our clock."""
        if not self.shared:
            return self._read(select(*columns))[0] if columns else ()
        before = monotonic()
        *found, told = self._read(select(*columns, _TIME))[0]
        self.now.observe(float(told), before, monotonic())
        return found

    async def claim(
        self,
        now: int,
        until: int,
        most: int,
        bots: Collection[bool],
        games: Collection[str] | None = None,
    ) -> list[Lease]:
        """Take on what is due, the longest due first. Of all servers that try one is given a table;
        if it has not said by `until` what the table needs next, it is another's turn.

        With `games`, only tables of those are claimed.
        """
        found = select(tables.c.id).where(
            tables.c.bot.in_(bots), tables.c.due <= now, _plays(games)
        )
        found = found.order_by(tables.c.due).limit(most)
        # Its key stays as it is, so nobody has to wait who only refers to it.
        found = found.with_for_update(skip_locked=True, key_share=True)
        claim = update(tables).where(tables.c.id.in_(found.scalar_subquery())).values(due=until)
        claim_them = claim.returning(tables.c.id, tables.c.options)

        def transaction(connection: Connection) -> list[Lease]:
            rows = connection.execute(claim_them).all()
            return [Lease(id, options, until) for id, options in rows]  # noqa: A001

        return await self.writer.do(transaction)

    async def extend(self, claims: Mapping[str, int], until: int) -> None:
        """Keep tables that we have claimed until a time, each, for some time more."""
        rows = [{"table": table, "was": was, "is_due": until} for table, was in claims.items()]
        await self.writer.do(lambda connection: connection.execute(_extend, rows) and None)

    async def release(self, table: str, until: int, need: Deadline) -> None:
        """What a table that we have claimed until a time needs next; unless another has it now."""
        row = {"table": table, "was": until, "is_due": need.at, "is_bot": need.bot}

        def transaction(connection: Connection) -> None:
            connection.execute(_release, row)
            if need.bot:
                notify(connection, ["due"])

        await self.writer.do(transaction)

    async def park_bot(self, table: str, until: int, due: int | None) -> None:
        """Release our lease on a bot's turn, and suspend the turn: no person is known to be there.

        It is due at another time, or when a server reports a person (`report_person`). The
        others are notified, as one of them may know of a person. Nothing changes if another server
        has the lease by now.
        """
        row = {"table": table, "was": until, "is_due": due, "is_bot": True}

        def transaction(connection: Connection) -> None:
            connection.execute(_release, row)
            notify(connection, [f"parked {table}"])

        await self.writer.do(transaction)

    async def report_person(self, table: str, now: int) -> bool:
        """Report that a person is at a table: if its bot's turn waits, it is due now.

        Returns whether it waited. A turn that is due soon, or that a server has claimed, is not
        touched.
        """
        row = {"table": table, "now": now, "soon": now + _CLAIMED_FOR}

        def transaction(connection: Connection) -> bool:
            waited = bool(connection.execute(_resume_parked_turn, row).rowcount)
            if waited:
                notify(connection, ["due"])
            return waited

        return await self.writer.do(transaction)

    def attended(self, table: str) -> int | None:
        """When a server last reported a person at a table."""
        found = self._read(_attended, table, id=table)
        return found[0][0] if found else None

    # ---- Who sits where

    def seat_of_token(self, hash: str, table: str) -> int | None:  # noqa: A002
        """The seat of a token at a table."""
        found = self._read(_seat_of_token, hash, table, hash=hash, id=table)
        return int(found[0][0]) if found else None

    def seats_of_tokens(self, hashes: Collection[str]) -> list[tuple[str, int]]:
        """The tables and seats of some people's tokens, by table.

        Of unknown tokens nothing is said, nor of programs', which may have any number of tables.
        """
        query = select(tokens.c.table_id, tokens.c.seat).distinct()
        query = query.where(tokens.c.hash.not_in(select(programs.c.hash)))
        found: set[tuple[str, int]] = set()
        every = list(dict.fromkeys(hashes))
        for start in range(0, len(every), _MOST_AT_ONCE):
            some = every[start : start + _MOST_AT_ONCE]
            rows = self._read(query.where(tokens.c.hash.in_(some)), *some)
            found.update((table, seat) for table, seat in rows)
        return sorted(found)

    def tokens_of(self, table: str) -> dict[str, int]:
        """The seats of a table by the hashes of their tokens."""
        return dict(map(tuple, self._read(_holders, table, id=table)))

    def _server_key(self) -> str:
        """The secret of the servers on this database, in hexadecimal; never published."""

        def transaction(connection: Connection) -> str:
            row = {"name": "tokens", "value": new_secret()}
            insert_new(connection, server_keys, row)
            query = select(server_keys.c.value).where(server_keys.c.name == row["name"])
            found: str = connection.execute(query).scalar_one()
            return found

        return self.writer.do_blocking(transaction)

    # ---- Programs

    def add_program(self, program: Program) -> bool:
        """Keep a new program, if no other has its name; whether it is kept."""
        self._check(program.hash, program.name)

        def transaction(connection: Connection) -> bool:
            row = asdict(program) | {"folded": folded(program.name), "seen": program.since}
            new = insert_new(connection, programs, row)
            query = select(programs.c.name).where(programs.c.hash == program.hash)
            return new or connection.execute(query).scalar() == program.name

        return self.writer.do_blocking(transaction)

    def program(self, hash: str) -> Program | None:  # noqa: A002
        """The program that has the token of this hash."""
        return self._program(_program.where(programs.c.hash == hash), hash)

    def program_named(self, name: str) -> Program | None:
        return self._program(_program.where(programs.c.name == name), name)

    async def program_seen(self, hash: str, at: int) -> None:  # noqa: A002
        """Note that a program listens: one that does not for long, and sits nowhere, is dropped."""
        seen = update(programs).where(programs.c.hash == hash).values(seen=at)
        await self.writer.do(lambda connection: connection.execute(seen) and None)

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
            for each in (tokens, programs, listeners):
                connection.execute(delete(each).where(each.c.hash == program.hash))
            notify(connection, [f"dropped {program.hash}"])

        self.writer.do_blocking(transaction)

    # ----

    def _read(
        self, query: Select[*tuple[Any, ...]], *texts: str, **parameters: str | int
    ) -> Sequence[Row[*tuple[Any, ...]]]:
        if not all(map(_storable, texts)):
            return []  # what cannot be kept is not there
        try:
            with self._connected() as connection:
                return connection.execute(query, parameters).all()
        except Exception as error:
            raise self._database.failed(error) from error

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        """A connection to read by."""
        with self._read_something:
            self._readers += 1
        try:
            with self._reading.connect() as connection:
                yield connection
        finally:
            with self._read_something:
                self._readers -= 1
                self._read_something.notify_all()

    def _program(self, query: Select[*tuple[Any, ...]], text: str) -> Program | None:
        found = self._read(query, text)
        return Program(*found[0]) if found else None

    def _check_event(self, event: PendingEvent) -> None:
        self._check(
            event.table, event.body, event.key or "", (event.owner and event.owner.token) or ""
        )
        if max(event.number.bit_length(), event.at.bit_length()) > 63:
            raise StoreFailed(self._database.where, "numbers have 64 bits")

    def _check(self, *texts: str) -> None:
        if not all(map(_storable, texts)):
            why = "text with a null character or a lone surrogate cannot be kept"
            raise StoreFailed(self._database.where, why)


_program = select(programs.c.hash, programs.c.name, programs.c.since)
_table = select(tables).where(tables.c.id == bindparam("id"))
_with_secret = select(tables.c.id).where(tables.c.secret == bindparam("secret"))
_events = (
    select(events.c.number, events.c.at, events.c.body, events.c.key)
    .where(events.c.table_id == bindparam("id"), events.c.number > bindparam("after"))
    .order_by(events.c.number)
)
_number = select(events.c.number).where(
    events.c.table_id == bindparam("id"), events.c.key == bindparam("key")
)
_seat_of_token = select(tokens.c.seat).where(
    tokens.c.hash == bindparam("hash"), tokens.c.table_id == bindparam("id")
)
_holders = (
    select(tokens.c.hash, tokens.c.seat)
    .where(tokens.c.table_id == bindparam("id"))
    .order_by(tokens.c.seat, tokens.c.hash)
)
_last_number = select(func.max(events.c.number)).where(events.c.table_id == bindparam("id"))
_IS_DUE = tables.c.due.is_not(None)
_TIME = func.extract("epoch", func.clock_timestamp()) * 1000  # of PostgreSQL, in milliseconds
_claimed = (tables.c.id == bindparam("table")) & (tables.c.due == bindparam("was"))
_extend = update(tables).where(_claimed).values(due=bindparam("is_due"))
_release = (
    update(tables)
    .where(_claimed)
    .values(due=bindparam("is_due", type_=tables.c.due.type), bot=bindparam("is_bot"))
)
_resume_parked_turn = (
    update(tables)
    .where(
        tables.c.id == bindparam("table"),
        tables.c.bot,
        tables.c.due.is_(None) | (tables.c.due > bindparam("soon")),
    )
    .values(due=bindparam("now"), attended=bindparam("now"))
)
_attended = select(tables.c.attended).where(tables.c.id == bindparam("id"))
_set_options = (
    update(tables).where(tables.c.id == bindparam("table")).values(options=bindparam("text"))
)
_replace = (
    update(events)
    .where(events.c.table_id == bindparam("id"), events.c.number == bindparam("no"))
    .values(body=bindparam("text"))
)


def _plays(games: Collection[str] | None) -> ColumnElement[bool]:
    """Whether one of these games is played at a table; None: any.

    Terms are JSON that begins with the game. A text that is not would make JSON functions fail for
    all tables; so the beginning is compared.
    """
    if games is None:
        return true()
    beginnings = (f'{{"game":{msgspec.json.encode(game).decode()},' for game in games)
    return or_(
        false(), *(tables.c.options.startswith(each, autoescape=True) for each in beginnings)
    )


def _storable(text: str) -> bool:
    """Whether both databases can keep this text; PostgreSQL has no null character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text
