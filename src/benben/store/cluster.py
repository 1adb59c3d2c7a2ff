"""The servers on a database: heartbeats, downtimes, and the programs that listen at each.

Several servers can share a PostgreSQL database. Each stores a heartbeat every few seconds. Rows of
a server without a recent heartbeat are deleted by the others.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import (
    ARRAY,
    Connection,
    Text,
    any_,
    delete,
    func,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert as insert_in_postgres

from benben.store.database import upsert
from benben.store.mail import expire_reminders
from benben.store.notify import notify
from benben.store.part import Part
from benben.store.reader import Reader
from benben.store.schema import downtimes, listeners, programs, servers, tables, tokens
from benben.store.writer import Writer

ALIVE_MS = 15_000  # milliseconds after its last heartbeat for which a server counts as alive
_LONG_GONE = 24 * 3600 * 1000  # milliseconds until the row of a server that has ended is deleted
_UNUSED = 30 * 24 * 3600 * 1000  # milliseconds without listening, for a program without a seat
_REMEMBERED = 60 * 24 * 3600 * 1000  # milliseconds: longer than anybody has for a turn


@dataclass(frozen=True)
class Listening:
    """A program that listens at a server, since a time."""

    hash: str
    name: str
    server: str
    since: int


class Cluster(Part):
    """The servers on a database; `ours` is the server whose store it is."""

    def __init__(self, writer: Writer, reader: Reader, ours: str) -> None:
        super().__init__(writer, reader)
        self.ours = ours

    # ---- Which servers are alive

    def heartbeat(self, now: int, *, ready: bool = True, attended: Collection[str] = ()) -> None:
        """Store that this server is alive, and whether all its games are ready to be played.

        `attended` are the open tables with a person at this server: others list them too. Expired
        rows are deleted, among them the listeners of dead servers.
        """
        row: dict[str, str | int] = {"name": self.ours, "seen": now}
        if ready:
            row["ready"] = now
        unused = programs.c.hash.not_in(select(tokens.c.hash)) & (programs.c.seen < now - _UNUSED)
        alive = select(servers.c.name).where(servers.c.seen > now - ALIVE_MS)
        # A table that is locked, as an event is being stored, is reported by the next heartbeat.
        ids = any_(literal(list(attended), ARRAY(Text)))
        here = select(tables.c.id).where(tables.c.id == ids, tables.c.listed)
        here = here.with_for_update(skip_locked=True, key_share=True)
        report = update(tables).where(tables.c.id.in_(here.scalar_subquery())).values(attended=now)

        def transaction(connection: Connection) -> None:
            expire_reminders(connection, now)
            connection.execute(delete(programs).where(unused))
            upsert(connection, servers, row)
            if ready:  # until then the older rows say since when no server was
                connection.execute(delete(servers).where(servers.c.seen < now - _LONG_GONE))
            connection.execute(delete(listeners).where(listeners.c.server.not_in(alive)))
            if attended:
                connection.execute(report)

        self._writer.do_blocking(transaction)

    def last_ready(self) -> int | None:
        """When any server last said that its games were ready to be played."""
        return self._reader.value(select(func.max(servers.c.ready)))

    def attended(self, now: int) -> set[str]:
        """The open listed tables where a person is, by the heartbeats of all servers."""
        query = select(tables.c.id).where(tables.c.listed, ~tables.c.over)
        return {
            row.id for row in self._reader.rows(query.where(tables.c.attended > now - ALIVE_MS))
        }

    async def leave(self) -> None:
        """Delete the listeners of this server, which ends."""
        leave = delete(listeners).where(listeners.c.server == self.ours)
        await self._writer.do(lambda connection: connection.execute(leave) and None)

    async def notify(self, messages: Sequence[str]) -> None:
        """Send messages that are stored nowhere to the other servers."""
        await self._writer.do(lambda connection: notify(connection, messages))

    # ---- When no server was alive

    def add_downtime(self, game: str, since: int, until: int) -> None:
        """Store a time in which no server was ready for a game."""
        row = {"game": game, "since": since, "until": until}
        old = delete(downtimes).where(downtimes.c.until < until - _REMEMBERED)

        def transaction(connection: Connection) -> None:
            connection.execute(old)
            upsert(connection, downtimes, row)

        self._writer.do_blocking(transaction)

    def downtimes(self, game: str) -> list[tuple[int, int]]:
        """The times in which no server was ready for a game, in order."""
        query = select(downtimes.c.since, downtimes.c.until).where(downtimes.c.game == game)
        return [
            (row.since, row.until) for row in self._reader.rows(query.order_by(downtimes.c.since))
        ]

    # ---- Programs that listen

    async def listen(self, program: str, now: int) -> int:
        """Note that a program listens here and nowhere else; returns since when."""
        new = insert_in_postgres(listeners).values(hash=program, server=self.ours, since=now)
        later = func.greatest(new.excluded.since, listeners.c.since + 1)
        change = {"server": new.excluded.server, "since": later}
        put = new.on_conflict_do_update(index_elements=["hash"], set_=change)

        def transaction(connection: Connection) -> int:
            upsert(connection, servers, {"name": self.ours, "seen": now})
            since = int(connection.execute(put.returning(listeners.c.since)).scalar_one())
            notify(connection, [f"listens {program} {since}"])
            return since

        return await self._writer.do(transaction)

    async def stop_listening(self, program: str, since: int) -> None:
        """Undo `listen`, unless the program listens elsewhere or again by now."""
        its = (listeners.c.hash == program) & (listeners.c.server == self.ours)
        stop = delete(listeners).where(its, listeners.c.since == since)
        await self._writer.do(lambda connection: connection.execute(stop) and None)

    def listening(self, now: int) -> list[Listening]:
        """All programs that listen at servers that are alive, by name."""
        query = _listening.where(servers.c.seen > now - ALIVE_MS).order_by(programs.c.name)
        return self._reader.each(Listening, query)

    def listening_program(self, program: str, now: int) -> Listening | None:
        alive = servers.c.seen > now - ALIVE_MS
        return self._reader.first(
            Listening, _listening.where(listeners.c.hash == program, alive), program
        )

    def listeners(self, hashes: Collection[str]) -> dict[str, "Listening"]:
        """The rows of these programs and of all that listen here, also those of dead servers."""
        ours = or_(listeners.c.server == self.ours, listeners.c.hash.in_(list(hashes)))
        return {each.hash: each for each in self._reader.each(Listening, _listeners.where(ours))}


_listeners = select(listeners.c.hash, programs.c.name, listeners.c.server, listeners.c.since).join(
    programs, programs.c.hash == listeners.c.hash
)
_listening = _listeners.join(servers, servers.c.name == listeners.c.server)
