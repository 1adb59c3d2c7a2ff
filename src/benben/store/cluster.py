"""The servers that share a PostgreSQL database: which are there, and who is at each of them.

A server says all the time that it is there; of one that does not, the others remove what it wrote.
What it wrote is compared with what it knows whenever it says so, so a write that was lost, or a
server that was thought dead, is no trouble for long.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    bindparam,
    delete,
    func,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import insert as insert_in_postgres

from benben.store.notify import NAME, of_many, signed, tell
from benben.store.schema import listeners, presence, programs, servers, tables
from benben.store.writer import Writer

DEAD = 15_000  # milliseconds after which a server that has said nothing is not there any more
_MOST_AT_ONCE = 1000  # in one query


@dataclass(frozen=True)
class Heartbeat:
    """The other servers that are there; those found dead just now, and the tables they had."""

    others: Set[str]
    dead: Set[str]
    tables: Set[str]


@dataclass(frozen=True)
class Listening:
    """A program that listens, at one of the servers, since a time."""

    hash: str
    name: str
    server: str
    since: int


class Cluster:
    """Part of the store, for PostgreSQL only; `ours` is the server whose store it is.

    Every method may raise StoreFailed; times are milliseconds since 1970.
    """

    def __init__(
        self, writer: Writer, read: Callable[..., Sequence[Row[*tuple[Any, ...]]]], ours: str
    ) -> None:
        self._writer, self._read, self.ours = writer, read, ours

    async def beat(self, now: int) -> Heartbeat:
        """We are there. What is left of servers that are not is removed, and those told."""
        old = select(servers.c.name).where(servers.c.seen < now - DEAD)
        old = old.with_for_update(skip_locked=True)  # another may be at it
        bury = delete(servers).where(servers.c.name.in_(old)).returning(servers.c.name)
        others = select(servers.c.name).where(servers.c.name != self.ours)
        late = presence.c.until <= now  # which everybody knows by themselves
        lost = presence.c.until.is_(None) & _nowhere(presence.c.server)

        def transaction(connection: Connection) -> Heartbeat:
            self._say_we_are_there(connection, now)
            dead = connection.execute(bury).scalars().all()
            connection.execute(delete(presence).where(late))
            swept = connection.execute(delete(presence).where(lost).returning(presence.c.table_id))
            left = set(swept.scalars())
            self._tell_present(connection, left)
            connection.execute(delete(listeners).where(_nowhere(listeners.c.server)))
            tell(connection, of_many("dead", dead))
            return Heartbeat(set(connection.execute(others).scalars()), set(dead), left)

        return await self._writer.do(transaction)

    async def leave(self, until: int) -> None:
        """We end; whoever was here may go to another server, and is waited for until a time."""
        waits = update(presence).where(presence.c.server == self.ours).values(until=until)

        def transaction(connection: Connection) -> None:
            left = connection.execute(waits.returning(presence.c.table_id)).scalars()
            self._tell_present(connection, left)
            connection.execute(delete(listeners).where(listeners.c.server == self.ours))
            connection.execute(delete(servers).where(servers.c.name == self.ours))
            tell(connection, [f"dead {self.ours}"])

        await self._writer.do(transaction)

    async def notify(self, messages: Sequence[str]) -> None:
        """What is to be known by others and is kept nowhere."""
        await self._writer.do(lambda connection: tell(connection, messages))

    # ---- Who is there

    async def set_present(self, now: int, seats: Mapping[str, Collection[int]]) -> None:
        """The seats, as chosen, of whoever is here, at each of these tables."""
        here = [(table, seat) for table in seats for seat in seats[table]]
        row = {
            "ours": self.ours,
            "now": now,
            "ids": list(seats),
            "here": [table for table, _ in here],
            "seats": [seat for _, seat in here],
        }

        def transaction(connection: Connection) -> None:
            messages = signed(connection, _present_at(seats))
            connection.execute(_set_present, row | {"messages": messages})

        await self._writer.do(transaction)

    def present_elsewhere(self, ids: Collection[str]) -> dict[str, dict[int, int | None]]:
        """The seats whose people are at other servers, by table, and until when if that is told."""
        found: dict[str, dict[int, int | None]] = {}
        for row in self._read_many(_present_elsewhere, ids):
            seats = found.setdefault(row.table_id, {})
            until = seats.get(row.seat, 0)
            seats[row.seat] = None if row.until is None or until is None else max(row.until, until)
        return found

    def waiting_elsewhere(self, now: int) -> set[str]:
        """The listed tables, not over, where somebody is at another server."""
        return {row.table_id for row in self._read(_waiting_elsewhere, ours=self.ours, now=now)}

    def present_here(self) -> dict[str, set[int]]:
        """The seats whose people are here, by table, as the others know it."""
        found: dict[str, set[int]] = {}
        for row in self._read(_present.where(presence.c.server == self.ours)):
            found.setdefault(row.table_id, set()).add(row.seat)
        return found

    def _tell_present(self, connection: Connection, ids: Iterable[str]) -> None:
        tell(connection, _present_at(ids))

    # ---- Programs that listen

    async def listen(self, program: str, now: int) -> int:
        """The program of this hash listens here and nowhere else; since when."""
        new = insert_in_postgres(listeners).values(hash=program, server=self.ours, since=now)
        later = func.greatest(new.excluded.since, listeners.c.since + 1)
        change = {"server": new.excluded.server, "since": later}
        put = new.on_conflict_do_update(index_elements=["hash"], set_=change)

        def transaction(connection: Connection) -> int:
            self._say_we_are_there(connection, now)
            since = int(connection.execute(put.returning(listeners.c.since)).scalar_one())
            tell(connection, [f"listens {program} {since}"])
            return since

        return await self._writer.do(transaction)

    async def stop_listening(self, program: str, since: int) -> None:
        """Unless it listens elsewhere, or again."""
        its = (listeners.c.hash == program) & (listeners.c.server == self.ours)
        stop = delete(listeners).where(its, listeners.c.since == since)
        await self._writer.do(lambda connection: connection.execute(stop) and None)

    def listening(self, now: int) -> list[Listening]:
        """All programs that listen at servers that are there, by name."""
        return self._listening(_listening.order_by(programs.c.name), now)

    def listening_program(self, program: str, now: int) -> Listening | None:
        found = self._listening(_listening.where(listeners.c.hash == program), now)
        return found[0] if found else None

    def listeners(self, hashes: Collection[str]) -> dict[str, "Listening"]:
        """What is kept of these programs, and of all that listen here, whoever is there."""
        ours = or_(listeners.c.server == self.ours, listeners.c.hash.in_(list(hashes)))
        return {row.hash: Listening(*row) for row in self._read(_kept.where(ours))}

    def _listening(self, query: Select[*tuple[Any, ...]], now: int) -> list[Listening]:
        return [Listening(*row) for row in self._read(query.where(servers.c.seen > now - DEAD))]

    # ----

    def _say_we_are_there(self, connection: Connection, now: int) -> None:
        """With whatever we write, as it goes with us."""
        new = insert_in_postgres(servers).values(name=self.ours, seen=now)
        seen = {"seen": new.excluded.seen}
        connection.execute(new.on_conflict_do_update(index_elements=["name"], set_=seen))

    def _read_many(
        self, query: Select[*tuple[Any, ...]], ids: Collection[str]
    ) -> Iterable[Row[*tuple[Any, ...]]]:
        every = list(ids)
        for start in range(0, len(every), _MOST_AT_ONCE):
            some = every[start : start + _MOST_AT_ONCE]
            yield from self._read(query, ours=self.ours, ids=some)


_present = select(presence.c.table_id, presence.c.seat, presence.c.until)
_present_elsewhere = _present.where(
    presence.c.server != bindparam("ours"),
    presence.c.table_id.in_(bindparam("ids", expanding=True)),
)
_waiting_elsewhere = (
    select(presence.c.table_id)
    .distinct()
    .join(tables, tables.c.id == presence.c.table_id)
    .where(
        presence.c.server != bindparam("ours"),
        or_(presence.c.until.is_(None), presence.c.until > bindparam("now")),
        tables.c.listed,
        ~tables.c.over,
    )
)
# One statement, as it is done whenever somebody comes or goes. Not at a table that is being
# removed, which we would wait for.
_set_present = text(
    f"""
    WITH we AS (
        INSERT INTO servers (name, seen) VALUES (:ours, :now)
        ON CONFLICT (name) DO UPDATE SET seen = excluded.seen
    ),
    here AS MATERIALIZED (
        SELECT * FROM unnest(CAST(:here AS text[]), CAST(:seats AS integer[])) AS each (id, seat)
    ),
    gone AS (
        DELETE FROM presence
        WHERE server = :ours AND table_id = ANY(CAST(:ids AS text[]))
            AND (table_id, seat) NOT IN (SELECT id, seat FROM here)
    ),
    kept AS MATERIALIZED (
        SELECT id FROM tables WHERE id = ANY(CAST(:here AS text[])) ORDER BY id FOR KEY SHARE
    ),
    come AS (
        INSERT INTO presence (table_id, seat, server)
        SELECT id, seat, :ours FROM here JOIN kept USING (id)
        ON CONFLICT (table_id, seat, server) DO UPDATE SET until = NULL
    )
    SELECT pg_notify('{NAME}', each) FROM unnest(CAST(:messages AS text[])) AS each
    """
)
_kept = select(listeners.c.hash, programs.c.name, listeners.c.server, listeners.c.since).join(
    programs, programs.c.hash == listeners.c.hash
)
_listening = _kept.join(servers, servers.c.name == listeners.c.server)


def _nowhere(server: ColumnElement[str]) -> ColumnElement[bool]:
    return server.not_in(select(servers.c.name))


def _present_at(ids: Iterable[str]) -> list[str]:
    """What is told if other people are at these tables than before."""
    return of_many("present", sorted(set(ids)))
