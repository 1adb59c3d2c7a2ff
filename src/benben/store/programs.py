"""Registered programs, which play over the network, and their seats."""

from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, select, tuple_, update

from benben.store.database import insert_new
from benben.store.notify import notify
from benben.store.part import Part
from benben.store.schema import listeners, programs, reminders, tables, tokens
from benben.table.names import folded


@dataclass(frozen=True)
class Program:
    """A bot that plays over the network; `since` is when it was registered."""

    hash: str
    name: str
    since: int


class Programs(Part):
    """Registered programs."""

    def add(self, program: Program) -> bool:
        """Store a new program; False if another one has its name."""
        self._reader.check(program.hash, program.name)
        row = asdict(program) | {"folded": folded(program.name), "seen": program.since}

        def transaction(connection: Connection) -> bool:
            new = insert_new(connection, programs, row)
            query = select(programs.c.name).where(programs.c.hash == program.hash)
            return new or connection.execute(query).scalar() == program.name

        return self._writer.do_blocking(transaction)

    def find(self, hash: str) -> Program | None:
        """The program with the token of this hash."""
        return self._reader.first(Program, _program.where(programs.c.hash == hash), hash)

    def find_by_name(self, name: str) -> Program | None:
        return self._reader.first(Program, _program.where(programs.c.name == name), name)

    async def seen(self, hash: str, at: int) -> None:
        """Note that a program listens. One that does not for long, and has no seat, is deleted."""
        seen = update(programs).where(programs.c.hash == hash).values(seen=at)
        await self._writer.do(lambda connection: connection.execute(seen) and None)

    def seats(self, program: Program, over: bool = False) -> list[tuple[str, int]]:
        """The tables and seats of a program, by table; with `over`, also at finished tables."""
        query = select(tokens.c.table_id, tokens.c.seat).where(tokens.c.hash == program.hash)
        if not over:
            query = query.join(tables).where(~tables.c.over)
        rows = self._reader.rows(query.order_by(tokens.c.table_id), program.hash)
        return [(table, seat) for table, seat in rows]

    def delete(self, program: Program) -> None:
        """Delete a program, its token, and the reminders of its seats."""
        held = select(tokens.c.table_id, tokens.c.seat).where(tokens.c.hash == program.hash)
        its = tuple_(reminders.c.table_id, reminders.c.seat).in_(held)

        def transaction(connection: Connection) -> None:
            connection.execute(delete(reminders).where(its))
            for each in (tokens, programs, listeners):
                connection.execute(delete(each).where(each.c.hash == program.hash))
            notify(connection, [f"dropped {program.hash}"])

        self._writer.do_blocking(transaction)


_program = select(programs.c.hash, programs.c.name, programs.c.since)
