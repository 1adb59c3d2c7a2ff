"""The events of one transaction: which of them are next at their tables, and those stored."""

import sqlite3
from collections.abc import Iterable, Sequence, Set
from contextlib import suppress
from functools import cache
from itertools import count
from secrets import token_hex
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.sql.dml import ReturningInsert

from benben.core.errors import BenbenError
from benben.store.database import Overtaken, execute_in_postgres, execute_in_sqlite
from benben.store.notify import NAME, of_many, signed, tell
from benben.store.schema import events, metadata, reminders, tables, tokens
from benben.table.deadlines import Deadline as Deadline

Row: TypeAlias = dict[str, Any]
Held: TypeAlias = dict[tuple[str, str], int]  # seats by table and hash of the token

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
_last = select(
    tables.c.id,
    select(func.max(events.c.number)).where(events.c.table_id == tables.c.id).scalar_subquery(),
).where(tables.c.id.in_(bindparam("ids", expanding=True)))
_touch = (
    update(tables)
    .where(tables.c.id == bindparam("table"))
    .values(
        touched=bindparam("when"),
        listed=func.coalesce(bindparam("is_listed", type_=tables.c.listed.type), tables.c.listed),
        over=func.coalesce(bindparam("is_over", type_=tables.c.over.type), tables.c.over),
        live=func.coalesce(bindparam("is_live", type_=tables.c.live.type), tables.c.live),
    )
)
_set_need = (
    update(tables)
    .where(tables.c.id == bindparam("table"))
    .values(due=bindparam("is_due", type_=tables.c.due.type), bot=bindparam("is_bot"))
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

# The same for SQLite in two statements, however many events there are: each step of a statement
# releases the interpreter lock and has to wait to get it back. A number that is not the next one
# becomes NULL, which the schema forbids, so all events are stored or none.
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

# And for PostgreSQL in one, whose transaction is its own. What is next is what was next when the
# statement began; if another server has been quicker since, it has the number, and the row is left
# out. Tables are locked in one order for all servers.
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


def append_next(connection: Connection, asked: Sequence[PendingEvent]) -> Set[str]:
    """The usual case on PostgreSQL, outside of any transaction: the marks of the events that are
    next at their tables, and stored now. What is to be said of the others has to be looked at.
    """
    plain = [each for each in asked if each.owner is None and _fits(each)]
    if connection.dialect.name != "postgresql" or not plain:
        return frozenset()
    rows = [_row(*each) for each in zip(plain, signed(connection, map(_news, plain)), strict=True)]
    ids = sorted({each.table for each in plain})
    found = execute_in_postgres(connection, _STORE_NEXT, (_json(rows), ids))
    return {mark for mark, _ in found}


def append_all(connection: Connection, asked: Sequence[PendingEvent]) -> Sequence[Answer]:
    """Store those events that are next at their tables, in the order they were asked for."""
    if connection.dialect.name == "sqlite" and all(map(_fits, asked)):
        owners = [each for each in asked if each.owner is not None]
        held = _held(connection, owners)
        if all(_other_seat(held, each) is None for each in owners):
            with suppress(IntegrityError, sqlite3.IntegrityError):
                return _append_next(connection, asked, owners)
    return _append_some(connection, asked)


def _append_next(
    connection: Connection, asked: Sequence[PendingEvent], owners: Sequence[PendingEvent]
) -> list[Stored]:
    """The usual case: every event is the next of its table, and no table has two."""
    rows = [(e.table, e.number, e.at, e.body, e.key, e.mark) for e in asked]
    execute_in_sqlite(connection, _INSERT_NEXT, (_json(rows),))
    touching = [(e.table, e.at, e.listed, e.over, e.live) for e in asked if e.touches]
    if touching:
        execute_in_sqlite(connection, _TOUCH_THEM, (_json(touching),))
    needs = [(e.table, e.need.at, e.need.bot) for e in asked if e.need is not None]
    if needs:
        execute_in_sqlite(connection, _SET_NEEDS, (_json(needs),))
    _store_owners(connection, owners)
    return [Stored(each.number, repeated=False) for each in asked]


def _fits(e: PendingEvent) -> bool:
    """Whether its numbers fit in 64 bits: SQLite reads larger ones in JSON as inexact."""
    return max(e.number.bit_length(), e.at.bit_length()) < 64


def _json(rows: Sequence[tuple[Any, ...] | Row]) -> str:
    return msgspec.json.encode(rows).decode()


def _append_some(connection: Connection, asked: Sequence[PendingEvent]) -> list[Answer]:
    """Look which events are next at their tables.

    The tables are locked first, in one order for all servers. What is read after that cannot
    change before we commit; and if an earlier try of ours lost its connection while it was
    committed, we wait here until that has come to its end, and know its rows by their marks.
    """
    ids = sorted({each.table for each in asked})
    connection.execute(_lock, {"ids": ids})  # on SQLite the transaction itself is the lock
    last: dict[str, int] = {id_: top or 0 for id_, top in connection.execute(_last, {"ids": ids})}
    keyed = _keyed(connection, asked)
    held = _held(connection, asked)
    taken = _marks(connection, (each for each in asked if each.number <= last.get(each.table, 0)))
    fresh: list[PendingEvent] = []
    answers: list[Answer] = []
    for each in asked:
        known = keyed.get((each.table, each.key))
        if known is not None:
            number, mark = known
            answers.append(Stored(number, repeated=mark != each.mark))
        elif each.table not in last:
            answers.append(NoSuchTable(each.table))
        elif taken.get((each.table, each.number)) == each.mark:
            answers.append(Stored(each.number, repeated=False))
        elif each.number != last[each.table] + 1:
            answers.append(Conflict(last[each.table]))
        elif (seat := _other_seat(held, each)) is not None:
            answers.append(TokenInUse(seat))
        else:
            last[each.table] = each.number
            if each.key is not None:
                keyed[each.table, each.key] = each.number, each.mark
            if each.owner is not None:
                _change_owner(held, each.table, each.owner)
            fresh.append(each)
            answers.append(Stored(each.number, repeated=False))
    if fresh:
        _insert(connection, fresh)
    return answers


def _insert(connection: Connection, fresh: Sequence[PendingEvent]) -> None:
    rows = [
        {"table_id": e.table, "number": e.number, "at": e.at}
        | {"body": e.body, "key": e.key, "mark": e.mark}
        for e in fresh
    ]
    if insert_new(connection, "events", rows, "number") != len(rows):
        raise Overtaken
    touched: dict[str, Row] = {}
    for e in fresh:
        if not e.touches:
            continue
        changes = {"is_listed": e.listed, "is_over": e.over, "is_live": e.live}
        row = touched.setdefault(e.table, {"table": e.table} | dict.fromkeys(changes))
        row["when"] = e.at
        row.update({name: value for name, value in changes.items() if value is not None})
    if touched:
        connection.execute(_touch, list(touched.values()))
    needs = {e.table: e.need for e in fresh if e.need is not None}  # the last of each
    if needs:
        rows = [{"table": t, "is_due": n.at, "is_bot": n.bot} for t, n in needs.items()]
        connection.execute(_set_need, rows)
    _store_owners(connection, fresh)
    tell(connection, map(_news, fresh))


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
    tell(connection, of_many("seats", sorted({*had.scalars(), *have})))


def insert_new(connection: Connection, table: str, rows: Sequence[Row], returning: str) -> int:
    """Insert the rows whose keys are not there yet; how many those are."""
    statement = _insert_new(connection.dialect.name, table, returning)
    return len(connection.execute(statement, list(rows)).all())


@cache
def _insert_new(dialect: str, table: str, returning: str) -> ReturningInsert[Any]:
    into = metadata.tables[table]
    statement = (sqlite if dialect == "sqlite" else postgresql).insert(into)
    return statement.on_conflict_do_nothing().returning(into.c[returning])


def _keyed(
    connection: Connection, asked: Iterable[PendingEvent]
) -> dict[tuple[str, str | None], tuple[int, str]]:
    """Number and mark of the events that have such keys already."""
    keys = sorted({(each.table, each.key) for each in asked if each.key is not None})
    if not keys:
        return {}
    query = select(events.c.table_id, events.c.key, events.c.number, events.c.mark)
    found = connection.execute(query.where(tuple_(events.c.table_id, events.c.key).in_(keys)))
    return {(table, key): (number, mark) for table, key, number, mark in found}


def _held(connection: Connection, asked: Iterable[PendingEvent]) -> Held:
    """The seats that tokens to be given one hold already."""
    new = sorted({(e.table, e.owner.token) for e in asked if e.owner and e.owner.token})
    if not new:
        return {}
    found = connection.execute(_holding, {"new": new})
    return {(table, token): seat for table, token, seat in found}


def _other_seat(held: Held, event: PendingEvent) -> int | None:
    """The seat its token holds, if that is another one of the table."""
    if event.owner is None or event.owner.token is None:
        return None
    seat = held.get((event.table, event.owner.token))
    return None if seat == event.owner.seat else seat


def _change_owner(held: Held, table: str, owner: Owner) -> None:
    for key, seat in list(held.items()):
        if key[0] == table and seat == owner.seat:
            del held[key]
    if owner.token is not None:
        held[table, owner.token] = owner.seat


def _marks(connection: Connection, asked: Iterable[PendingEvent]) -> dict[tuple[str, int], str]:
    """The marks of the events that have such numbers already."""
    numbers = sorted({(each.table, each.number) for each in asked if each.number > 0})
    if not numbers:
        return {}
    query = select(events.c.table_id, events.c.number, events.c.mark)
    found = connection.execute(query.where(tuple_(events.c.table_id, events.c.number).in_(numbers)))
    return {(table, number): mark for table, number, mark in found}
