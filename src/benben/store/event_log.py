"""Appends events to tables, each with the next number of its table.

`append_next` and `append_all` are called by the writer. There is one statement for PostgreSQL, and
one for SQLite with two more for the columns of tables. Events that are not stored together are
divided, down to single ones, and then it is found out why.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import count
from secrets import token_hex
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import asdict
from sqlalchemy import Connection, bindparam, delete, func, insert, select, tuple_

from benben.core.errors import BenbenError
from benben.store.database import Overtaken, execute_in_postgres, execute_in_sqlite
from benben.store.notify import NAME, notify, pack, with_sender
from benben.store.schema import events, reminders, tables, tokens
from benben.table.deadlines import Deadline

MAX_PAYLOAD_CHARACTERS = 1500  # characters of an event, of at most 4 bytes each: see notify.py
_PROCESS, _count = token_hex(16), count()  # of this process, and of its events


def _new_mark() -> str:
    return f"{_PROCESS}{next(_count)}"


class Stored(msgspec.Struct, frozen=True):
    """The event has this number; `repeated` if it was stored before with the same key."""

    number: int
    repeated: bool


class Conflict(msgspec.Struct, frozen=True):
    """Nothing was stored: another number is next. `number` is that of the last event."""

    number: int


class Owner(msgspec.Struct, frozen=True):
    """The new owner of a seat, as chosen: the hash of a token, or None for nobody."""

    seat: int
    token: str | None = None


class TokenInUse(BenbenError):
    """The token already holds another seat of the table; nothing was stored."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        super().__init__(f"this token holds seat {seat + 1} already")


class NoSuchTable(BenbenError):
    """No table has this id."""

    def __init__(self, table: str) -> None:
        self.table = table
        super().__init__(f"there is no table {table!r}")


Answer: TypeAlias = Stored | Conflict | TokenInUse | NoSuchTable


class PendingEvent(msgspec.Struct, frozen=True):
    """An event to store, with the new values of its table's columns (None: unchanged).

    Unless it `touches` its table, only the deadline is changed. A new `owner` replaces the former
    one of that seat, whose reminders are deleted.
    """

    table: str
    number: int
    at: int
    body: str
    key: str | None = None
    listed: bool | None = None
    over: bool | None = None
    live: bool | None = None
    touches: bool = True
    owner: Owner | None = None
    deadline: Deadline | None = None
    mark: str = msgspec.field(default_factory=_new_mark)


_lock = (
    select(tables.c.id)
    .where(tables.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(tables.c.id)
    .with_for_update(key_share=True)
)
_holding = select(tokens.c.table_id, tokens.c.hash, tokens.c.seat).where(
    tuple_(tokens.c.table_id, tokens.c.hash).in_(bindparam("new", expanding=True))
)
_delete_owners = [
    delete(each).where(each.c.table_id == bindparam("table"), each.c.seat == bindparam("seat"))
    for each in (tokens, reminders)
]
_add_owner = insert(tokens)
_owners = select(tokens.c.hash).where(
    tuple_(tokens.c.table_id, tokens.c.seat).in_(bindparam("seats", expanding=True))
)
_of_table = select(events.c.number, events.c.mark).where(events.c.table_id == bindparam("table"))
_by_key = _of_table.where(events.c.key == bindparam("key"))
_by_number = _of_table.where(events.c.number == bindparam("number"))
_last = select(
    select(func.max(events.c.number)).where(events.c.table_id == tables.c.id).scalar_subquery()
).where(tables.c.id == bindparam("table"))

# SQLite stores all events or none: a number that is not the next one becomes NULL, which the schema
# forbids. The number of statements does not depend on that of events, and none returns rows: each
# step of a statement releases the interpreter lock and has to wait to get it back.
_INSERT_EVENTS = """
    INSERT INTO events (table_id, number, at, body, key, mark)
    SELECT json_extract(value, '$[0]'),
        CASE (
            SELECT coalesce(max(number), 0) + 1 FROM events
            WHERE table_id = json_extract(value, '$[0]')
        ) WHEN json_extract(value, '$[1]') THEN json_extract(value, '$[1]') END,
        json_extract(value, '$[2]'), json_extract(value, '$[3]'),
        json_extract(value, '$[4]'), json_extract(value, '$[5]')
    FROM json_each(?)
"""
_TOUCH_TABLES = """
    UPDATE tables
    SET touched = json_extract(value, '$[1]'),
        listed = coalesce(json_extract(value, '$[2]'), listed),
        over = coalesce(json_extract(value, '$[3]'), over),
        live = coalesce(json_extract(value, '$[4]'), live)
    FROM json_each(?)
    WHERE tables.id = json_extract(value, '$[0]')
"""
_SET_DEADLINES = """
    UPDATE tables
    SET due = json_extract(value, '$[1]'), bot = json_extract(value, '$[2]')
    FROM json_each(?)
    WHERE tables.id = json_extract(value, '$[0]')
"""

# PostgreSQL stores those events that are next, as of the beginning of the statement. If another
# server has stored the number since, the row is left out. All servers lock tables in one order.
_APPEND = f"""
    WITH pending AS MATERIALIZED (
        SELECT * FROM json_to_recordset(%s::json) AS each (
            "table" text, number bigint, at bigint, body text, key text, mark text, payload text,
            touches boolean, listed boolean, "over" boolean, live boolean, deadline json
        )
    ),
    locked AS MATERIALIZED (
        SELECT id FROM tables WHERE id = ANY(%s::text[]) ORDER BY id FOR NO KEY UPDATE
    ),
    stored AS (
        INSERT INTO events (table_id, number, at, body, key, mark)
        SELECT "table", number, at, body, key, mark FROM pending JOIN locked ON id = "table"
        WHERE number = (
            SELECT coalesce(max(number), 0) + 1 FROM events WHERE table_id = pending."table"
        )
        ORDER BY "table", number
        ON CONFLICT DO NOTHING
        RETURNING mark
    ),
    changed AS (
        UPDATE tables
        SET touched = CASE WHEN touches THEN pending.at ELSE touched END,
            listed = coalesce(pending.listed, tables.listed),
            "over" = coalesce(pending."over", tables."over"),
            live = coalesce(pending.live, tables.live),
            due = CASE WHEN deadline IS NULL THEN due ELSE (deadline->>'at')::bigint END,
            bot = CASE WHEN deadline IS NULL THEN bot ELSE (deadline->>'bot')::boolean END
        FROM pending JOIN stored USING (mark)
        WHERE id = "table" AND (touches OR deadline IS NOT NULL)
    )
    SELECT mark, pg_notify('{NAME}', payload) FROM stored JOIN pending USING (mark)
"""


def append_next(connection: Connection, pending: Sequence[PendingEvent]) -> dict[str, Answer]:
    """Store events in PostgreSQL with one statement, outside of any transaction.

    Returns answers by mark, for events that were next at their tables. The others, and those that
    change the owner of a seat, are left to `append_all`.
    """
    if connection.dialect.name == "postgresql":
        return _store_in_postgres(connection, [each for each in pending if each.owner is None])
    return {}


def append_all(connection: Connection, pending: Sequence[PendingEvent]) -> dict[str, Answer]:
    """Store the events that are next at their tables; returns the answers by mark.

    The tables are locked first, in one order for all servers, so what is read afterwards does not
    change before the commit. If the connection was lost during the commit of an earlier try, the
    lock waits for the end of that commit, and its rows are recognised by their marks.
    """
    if not pending:
        return {}
    if connection.dialect.name == "postgresql":  # on SQLite the transaction itself is the lock
        connection.execute(_lock, {"ids": sorted({each.table for each in pending})})
    return _append(connection, pending)


def _append(connection: Connection, pending: Sequence[PendingEvent]) -> dict[str, Answer]:
    """Store events together; divide those that cannot be, down to single ones."""
    answers = _store(connection, pending)
    left = [each for each in pending if each.mark not in answers]
    if left and len(pending) == 1:
        answers[left[0].mark] = _explain_rejection(connection, left[0])
    elif left:
        half = (len(left) + 1) // 2
        for part in filter(None, (left[:half], left[half:])):
            answers |= _append(connection, part)
    return answers


def _store(connection: Connection, pending: Sequence[PendingEvent]) -> dict[str, Answer]:
    """Store events with one statement, and new owners of seats; returns answers to those stored."""
    owners = [each for each in pending if each.owner is not None]
    if owners:
        in_use = _in_use(connection, owners)
        pending = [each for each in pending if each.mark not in in_use]
    in_sqlite = connection.dialect.name == "sqlite"
    answers = (_store_in_sqlite if in_sqlite else _store_in_postgres)(connection, pending)
    if owners:
        _store_owners(connection, [each for each in owners if each.mark in answers])
    return answers


def _store_in_sqlite(connection: Connection, pending: Sequence[PendingEvent]) -> dict[str, Answer]:
    rows = [(e.table, e.number, e.at, e.body, e.key, e.mark) for e in pending]
    try:
        execute_in_sqlite(connection, _INSERT_EVENTS, (_json(rows),))
    except sqlite3.IntegrityError:
        return {}
    touching = [(e.table, e.at, e.listed, e.over, e.live) for e in pending if e.touches]
    if touching:
        execute_in_sqlite(connection, _TOUCH_TABLES, (_json(touching),))
    deadlines = [(e.table, e.deadline.at, e.deadline.bot) for e in pending if e.deadline]
    if deadlines:
        execute_in_sqlite(connection, _SET_DEADLINES, (_json(deadlines),))
    return {each.mark: Stored(each.number, repeated=False) for each in pending}


def _store_in_postgres(
    connection: Connection, pending: Sequence[PendingEvent]
) -> dict[str, Answer]:
    first = {each.table: each for each in reversed(pending)}  # the others come after it
    if not first:
        return {}
    messages = with_sender(connection, map(_notify_payload, first.values()))
    rows = [
        asdict(each) | {"payload": payload}
        for each, payload in zip(first.values(), messages, strict=True)
    ]
    ids = sorted(first)
    found = {mark for mark, _ in execute_in_postgres(connection, _APPEND, (_json(rows), ids))}
    return {e.mark: Stored(e.number, repeated=False) for e in first.values() if e.mark in found}


def _explain_rejection(connection: Connection, event: PendingEvent) -> Answer:
    """Why an event was not stored: the answer to it."""
    of_table = {"table": event.table}
    if event.key is not None:
        known = connection.execute(_by_key, of_table | {"key": event.key}).first()
        if known is not None:
            return Stored(known.number, repeated=known.mark != event.mark)
    last = connection.execute(_last, of_table).first()
    if last is None:
        return NoSuchTable(event.table)
    number = last[0] or 0
    if event.number != number + 1:
        if 0 < event.number <= number:
            taken = connection.execute(_by_number, of_table | {"number": event.number}).one()
            if taken.mark == event.mark:  # stored by an earlier try
                return Stored(event.number, repeated=False)
        return Conflict(number)
    seat = _in_use(connection, [event]).get(event.mark)
    if seat is None:
        raise Overtaken
    return TokenInUse(seat)


def _notify_payload(e: PendingEvent) -> str:
    """The message to other servers: whether a bot's turn has come, and the event itself.

    So servers with the table in memory need not read it. A long event is left out.
    """
    waits = "bot" if e.deadline and e.deadline.bot else "-"
    body = e.body if len(e.body) <= MAX_PAYLOAD_CHARACTERS else ""
    return f"event {e.table} {e.number} {waits} {e.at} {e.key or '-'} {body}"


def _json(rows: Sequence[tuple[Any, ...] | dict[str, Any]]) -> str:
    return msgspec.json.encode(rows).decode()


def _store_owners(connection: Connection, fresh: Iterable[PendingEvent]) -> None:
    """Replace owners of seats in the transaction of their events: a seat never has two."""
    seats = [(e.table, e.owner) for e in fresh if e.owner is not None]
    if seats and connection.dialect.name == "postgresql":
        _notify_owners(connection, seats)
    for statement in _delete_owners:
        if seats:
            rows = [{"table": table, "seat": owner.seat} for table, owner in seats]
            connection.execute(statement, rows)
    for table, owner in seats:
        if owner.token is not None:
            row = {"hash": owner.token, "table_id": table, "seat": owner.seat}
            connection.execute(_add_owner, row)


def _notify_owners(connection: Connection, seats: Sequence[tuple[str, Owner]]) -> None:
    """Notify other servers of the former and the new owners of seats."""
    had = connection.execute(_owners, {"seats": [(table, owner.seat) for table, owner in seats]})
    have = {owner.token for _, owner in seats if owner.token is not None}
    notify(connection, pack("seats", sorted({*had.scalars(), *have})))


def _in_use(connection: Connection, pending: Iterable[PendingEvent]) -> dict[str, int]:
    """The seats that new owners already hold at their tables, by the marks of the events."""
    new = {
        e.mark: ((e.table, e.owner.token), e.owner.seat)
        for e in pending
        if e.owner and e.owner.token
    }
    if not new:
        return {}
    found = connection.execute(_holding, {"new": sorted({key for key, _ in new.values()})})
    held = {(row.table_id, row.hash): row.seat for row in found}
    return {mark: held[key] for mark, (key, seat) in new.items() if held.get(key, seat) != seat}
