"""The events of one transaction: which of them are next at their tables, and those stored."""

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import count
from secrets import token_hex
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, select, tuple_

from benben.core.errors import BenbenError
from benben.store.database import Overtaken, execute_in_postgres, execute_in_sqlite
from benben.store.notify import NAME, notify, pack, with_sender
from benben.store.schema import events, reminders, tables, tokens
from benben.table.deadlines import Deadline as Deadline

Row: TypeAlias = dict[str, Any]

LONGEST_TOLD = 1500  # characters of an event, 4 bytes each at most: see channel.py
_OURS, _count = token_hex(16), count()  # of this process, and of its events


def _new_mark() -> str:
    return f"{_OURS}{next(_count)}"


class Stored(msgspec.Struct, frozen=True):
    """The event is kept under this number; `repeated` if it was already, by its key."""

    number: int
    repeated: bool


class Conflict(msgspec.Struct, frozen=True):
    """Nothing was stored: another number is next. `number` is the last one there is."""

    number: int


class Owner(msgspec.Struct, frozen=True):
    """Who holds a seat, as chosen, from an event on: by the token of this hash, or nobody."""

    seat: int
    token: str | None = None


class TokenInUse(BenbenError):
    """The token holds another seat of the table already; nothing was stored."""

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
    """An event to be stored, and what becomes of its table by it (None: the same as before).

    One that does not touch its table changes nothing of it but its events and its need. With an
    owner, whoever held that seat holds it no more, and has no reminders of it.
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
    need: Deadline | None = None
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
_forget_owners = [
    delete(each).where(each.c.table_id == bindparam("table"), each.c.seat == bindparam("place"))
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
# forbids. There are few statements, however many events, and none returns rows: each step of a
# statement releases the interpreter lock and has to wait to get it back.
_INSERT_NEXT = """
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
_TOUCH_THEM = """
    UPDATE tables
    SET touched = json_extract(value, '$[1]'),
        listed = coalesce(json_extract(value, '$[2]'), listed),
        over = coalesce(json_extract(value, '$[3]'), over),
        live = coalesce(json_extract(value, '$[4]'), live)
    FROM json_each(?)
    WHERE tables.id = json_extract(value, '$[0]')
"""
_SET_NEEDS = """
    UPDATE tables
    SET due = json_extract(value, '$[1]'), bot = json_extract(value, '$[2]')
    FROM json_each(?)
    WHERE tables.id = json_extract(value, '$[0]')
"""

# PostgreSQL stores those events that are next. What is next is what was next when the statement
# began; if another server has been quicker since, it has the number, and the row is left out.
# Tables are locked in one order for all servers.
_STORE_NEXT = f"""
    WITH asked AS MATERIALIZED (
        SELECT * FROM json_to_recordset(%s::json) AS each (
            table_id text, number bigint, at bigint, body text, key text, mark text, told text,
            touches boolean, listed boolean, "over" boolean, live boolean,
            needs boolean, due bigint, bot boolean
        )
    ),
    locked AS MATERIALIZED (
        SELECT id FROM tables WHERE id = ANY(%s::text[]) ORDER BY id FOR NO KEY UPDATE
    ),
    stored AS (
        INSERT INTO events (table_id, number, at, body, key, mark)
        SELECT table_id, number, at, body, key, mark FROM asked JOIN locked ON id = table_id
        WHERE number = (
            SELECT coalesce(max(number), 0) + 1 FROM events WHERE table_id = asked.table_id
        )
        ORDER BY table_id, number
        ON CONFLICT DO NOTHING
        RETURNING mark
    ),
    changed AS (
        UPDATE tables
        SET touched = CASE WHEN touches THEN asked.at ELSE touched END,
            listed = coalesce(asked.listed, tables.listed),
            "over" = coalesce(asked."over", tables."over"),
            live = coalesce(asked.live, tables.live),
            due = CASE WHEN needs THEN asked.due ELSE tables.due END,
            bot = CASE WHEN needs THEN asked.bot ELSE tables.bot END
        FROM asked JOIN stored USING (mark)
        WHERE id = table_id AND (touches OR needs)
    )
    SELECT mark, pg_notify('{NAME}', told) FROM stored JOIN asked USING (mark)
"""


def append_next(connection: Connection, asked: Sequence[PendingEvent]) -> dict[str, Answer]:
    """Store events on PostgreSQL by one statement, outside of any transaction.

    Returns the answers, by mark, to those that were next at their tables. The others, and those
    that change the owner of a seat, are for `append_all`.
    """
    if connection.dialect.name == "postgresql":
        return _store_in_postgres(connection, [each for each in asked if each.owner is None])
    return {}


def append_all(connection: Connection, asked: Sequence[PendingEvent]) -> dict[str, Answer]:
    """Store those events that are next at their tables; the answers by mark.

    The tables are locked first, in one order for all servers. What is read after that cannot
    change before we commit; and if an earlier try of ours lost its connection while it was
    committed, we wait here until that has come to its end, and know its rows by their marks.
    """
    if not asked:
        return {}
    if connection.dialect.name == "postgresql":  # on SQLite the transaction itself is the lock
        connection.execute(_lock, {"ids": sorted({each.table for each in asked})})
    return _append(connection, asked)


def _append(connection: Connection, asked: Sequence[PendingEvent]) -> dict[str, Answer]:
    """What is not stored together is divided, down to single events."""
    answers = _store(connection, asked)
    left = [each for each in asked if each.mark not in answers]
    if left and len(asked) == 1:
        answers[left[0].mark] = _why_not(connection, left[0])
    elif left:
        half = (len(left) + 1) // 2
        for part in filter(None, (left[:half], left[half:])):
            answers |= _append(connection, part)
    return answers


def _store(connection: Connection, asked: Sequence[PendingEvent]) -> dict[str, Answer]:
    """Store events by one statement, with new owners of seats; answers to those stored."""
    owners = [each for each in asked if each.owner is not None]
    if owners:
        in_use = _in_use(connection, owners)
        asked = [each for each in asked if each.mark not in in_use]
    in_sqlite = connection.dialect.name == "sqlite"
    answers = (_store_in_sqlite if in_sqlite else _store_in_postgres)(connection, asked)
    if owners:
        _store_owners(connection, [each for each in owners if each.mark in answers])
    return answers


def _store_in_sqlite(connection: Connection, asked: Sequence[PendingEvent]) -> dict[str, Answer]:
    rows = [(e.table, e.number, e.at, e.body, e.key, e.mark) for e in asked]
    try:
        execute_in_sqlite(connection, _INSERT_NEXT, (_json(rows),))
    except sqlite3.IntegrityError:
        return {}
    touching = [(e.table, e.at, e.listed, e.over, e.live) for e in asked if e.touches]
    if touching:
        execute_in_sqlite(connection, _TOUCH_THEM, (_json(touching),))
    needs = [(e.table, e.need.at, e.need.bot) for e in asked if e.need is not None]
    if needs:
        execute_in_sqlite(connection, _SET_NEEDS, (_json(needs),))
    return {each.mark: Stored(each.number, repeated=False) for each in asked}


def _store_in_postgres(connection: Connection, asked: Sequence[PendingEvent]) -> dict[str, Answer]:
    first = {each.table: each for each in reversed(asked)}  # the others have to wait for it
    if not first:
        return {}
    messages = with_sender(connection, map(_news, first.values()))
    rows = [_row(*each) for each in zip(first.values(), messages, strict=True)]
    ids = sorted(first)
    found = {mark for mark, _ in execute_in_postgres(connection, _STORE_NEXT, (_json(rows), ids))}
    return {e.mark: Stored(e.number, repeated=False) for e in first.values() if e.mark in found}


def _why_not(connection: Connection, event: PendingEvent) -> Answer:
    """The answer to an event that was not stored just now."""
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
            if taken.mark == event.mark:  # an earlier try has got through after all
                return Stored(event.number, repeated=False)
        return Conflict(number)
    seat = _in_use(connection, [event]).get(event.mark)
    if seat is None:
        raise Overtaken
    return TokenInUse(seat)


def _row(e: PendingEvent, told: str) -> Row:
    need = e.need or Deadline()
    return {
        "table_id": e.table,
        "number": e.number,
        "at": e.at,
        "body": e.body,
        "key": e.key,
        "mark": e.mark,
        "told": told,
        "touches": e.touches,
        "listed": e.listed,
        "over": e.over,
        "live": e.live,
        "needs": e.need is not None,
        "due": need.at,
        "bot": need.bot,
    }


def _news(e: PendingEvent) -> str:
    """What other servers are told: the event itself, unless it is long, so that those who have its
    table need not read it; and whether a bot's turn waits for somebody who thinks.
    """
    waits = "bot" if e.need is not None and e.need.bot else "-"
    body = e.body if len(e.body) <= LONGEST_TOLD else ""
    return f"event {e.table} {e.number} {waits} {e.at} {e.key or '-'} {body}"


def _json(rows: Sequence[tuple[Any, ...] | Row]) -> str:
    return msgspec.json.encode(rows).decode()


def _store_owners(connection: Connection, fresh: Iterable[PendingEvent]) -> None:
    """In the transaction of the events by which they change: a seat has one owner, always."""
    seats = [(e.table, e.owner) for e in fresh if e.owner is not None]
    if seats and connection.dialect.name == "postgresql":
        _tell_owners(connection, seats)
    for statement in _forget_owners:
        if seats:
            rows = [{"table": table, "place": owner.seat} for table, owner in seats]
            connection.execute(statement, rows)
    for table, owner in seats:
        if owner.token is not None:
            row = {"hash": owner.token, "table_id": table, "seat": owner.seat}
            connection.execute(_add_owner, row)


def _tell_owners(connection: Connection, seats: Sequence[tuple[str, Owner]]) -> None:
    """Whose seats change: those who had them, and those who have them then."""
    had = connection.execute(_owners, {"seats": [(table, owner.seat) for table, owner in seats]})
    have = {owner.token for _, owner in seats if owner.token is not None}
    notify(connection, pack("seats", sorted({*had.scalars(), *have})))


def _in_use(connection: Connection, asked: Iterable[PendingEvent]) -> dict[str, int]:
    """Other seats of their tables that the new owners hold, by the marks of the events."""
    new = {
        e.mark: ((e.table, e.owner.token), e.owner.seat) for e in asked if e.owner and e.owner.token
    }
    if not new:
        return {}
    found = connection.execute(_holding, {"new": sorted({key for key, _ in new.values()})})
    held = {(row.table_id, row.hash): row.seat for row in found}
    return {mark: held[key] for mark, (key, seat) in new.items() if held.get(key, seat) != seat}
