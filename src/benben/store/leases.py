"""Deadlines of tables, and leases on tables whose deadline has come.

Both are in the column `due`: a lease moves the deadline to its end, so another server takes over
unless the lease is extended or released. A bot's turn without a deadline is parked.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic

import msgspec
from sqlalchemy import ColumnElement, Connection, bindparam, false, func, or_, select, true, update

from benben.store.clock import DatabaseClock
from benben.store.notify import notify
from benben.store.part import Part
from benben.store.reader import Reader
from benben.store.schema import tables
from benben.store.writer import Writer
from benben.table.deadlines import Deadline

_LONGER_THAN_LEASES_MS = 10_000  # a deadline that is nearer may be the end of a lease


@dataclass(frozen=True)
class Lease:
    """The exclusive right to act at a table, until a time."""

    id: str
    until: int


class Leases(Part):
    """Deadlines and leases.

    `bots` selects bots' turns (True), all other deadlines (False), or both. With `games`, only
    tables of those games are selected.
    """

    def __init__(self, writer: Writer, reader: Reader, clock: DatabaseClock, shared: bool) -> None:
        super().__init__(writer, reader)
        self._clock, self._shared = clock, shared

    def next_deadline(
        self, bots: Collection[bool], games: Collection[str] | None = None
    ) -> int | None:
        """When the next deadline is."""
        times = (
            select(func.min(tables.c.due)).where(_HAS_DEADLINE, tables.c.bot == bot, _plays(games))
            for bot in bots
        )
        found = self._read_with_time(*(each.scalar_subquery() for each in times))
        return min((due for due in found if due is not None), default=None)

    def read_time(self) -> None:
        """Synchronize our clock with a shared database; `next_deadline` does so too."""
        self._read_with_time()

    def _read_with_time(self, *columns: ColumnElement[int]) -> Sequence[int | None]:
        """The values of these columns; the clock is set by the database's time."""
        if not self._shared:
            return self._reader.rows(select(*columns))[0] if columns else ()
        before = monotonic()
        *found, time = self._reader.rows(select(*columns, _TIME))[0]
        self._clock.observe(float(time), before, monotonic())
        return found

    async def take_due(
        self,
        now: int,
        until: int,
        most: int,
        bots: Collection[bool],
        games: Collection[str] | None = None,
    ) -> list[Lease]:
        """Lease tables whose deadline has come, the longest due first.

        Of several servers that try, one gets the lease.
        """
        found = select(tables.c.id).where(
            tables.c.bot.in_(bots), tables.c.due <= now, _plays(games)
        )
        found = found.order_by(tables.c.due).limit(most)
        # The key does not change, so rows that refer to the table can be inserted meanwhile.
        found = found.with_for_update(skip_locked=True, key_share=True)
        take = update(tables).where(tables.c.id.in_(found.scalar_subquery())).values(due=until)
        take = take.returning(tables.c.id)

        def transaction(connection: Connection) -> list[Lease]:
            return [Lease(row.id, until) for row in connection.execute(take)]

        return await self._writer.do(transaction)

    async def extend(self, leases: Mapping[str, int], until: int) -> None:
        """Extend leases, by table; those that have been lost are ignored."""
        rows = [{"table": table, "was": was, "is_due": until} for table, was in leases.items()]
        await self._writer.do(lambda connection: connection.execute(_extend, rows) and None)

    async def release(
        self, table: str, until: int, deadline: Deadline, *, parked: bool = False
    ) -> None:
        """Replace a lease by the table's next deadline; a lease that has been lost is ignored.

        A bot's turn is `parked` if no person is known to be there: it is due then, or when a server
        reports a person (`report_person`). The others are notified, as one of them may know of one.
        """
        row = {"table": table, "was": until, "is_due": deadline.at, "is_bot": deadline.bot}

        def transaction(connection: Connection) -> None:
            connection.execute(_release, row)
            if deadline.bot:
                notify(connection, [f"parked {table}" if parked else "due"])

        await self._writer.do(transaction)

    async def report_person(self, table: str, now: int) -> bool:
        """Report that a person is at a table; returns whether its bot's turn was parked.

        Such a turn is due now. A turn that is due soon, or leased by a server, is not changed.
        """
        row = {"table": table, "now": now, "soon": now + _LONGER_THAN_LEASES_MS}

        def transaction(connection: Connection) -> bool:
            parked = bool(connection.execute(_resume_parked_turn, row).rowcount)
            if parked:
                notify(connection, ["due"])
            return parked

        return await self._writer.do(transaction)

    def attended_at(self, table: str) -> int | None:
        """When a server last reported a person at a table."""
        query = select(tables.c.attended).where(tables.c.id == table)
        return self._reader.value(query, table)


_HAS_DEADLINE = tables.c.due.is_not(None)
_TIME = func.extract("epoch", func.clock_timestamp()) * 1000  # of PostgreSQL, in milliseconds
_leased = (tables.c.id == bindparam("table")) & (tables.c.due == bindparam("was"))
_extend = update(tables).where(_leased).values(due=bindparam("is_due"))
_release = (
    update(tables)
    .where(_leased)
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


def _plays(games: Collection[str] | None) -> ColumnElement[bool]:
    """Whether a table is of one of these games; None: any.

    Options are JSON that begins with the game. JSON functions would fail for all tables if one text
    were invalid, so prefixes are compared.
    """
    if games is None:
        return true()
    prefixes = (f'{{"game":{msgspec.json.encode(game).decode()},' for game in games)
    return or_(false(), *(tables.c.options.startswith(each, autoescape=True) for each in prefixes))
