"""Rematches: another table for the people of a finished game, with a seat reserved for each."""

import asyncio
from dataclasses import dataclass

from benben.live.erasure import erase_expected_name
from benben.live.session import TableSession
from benben.live.tables import Tables
from benben.table import events
from benben.table.table import Change, Refused
from benben.table.tokens import derived_id


@dataclass(frozen=True)
class RematchSeat:
    """The seat that is reserved for a player at the next table."""

    session: TableSession
    seat: int
    name: str
    program: bool


async def find_or_open_rematch(
    tables: Tables, table_id: str, token: str, *, may_open: bool = True
) -> RematchSeat:
    """Where the holder of a seat of a finished game goes on.

    If nobody has asked for a rematch yet, the next table is opened; Refused unless `may_open`.
    """
    return await asyncio.shield(tables.start(_find_rematch(tables, table_id, token, may_open)))


async def _find_rematch(tables: Tables, table_id: str, token: str, may_open: bool) -> RematchSeat:
    session = await tables.find(table_id)
    async with session.lock:
        table = session.table
        player = await session.player_of(token)
        try:
            table.check_not_expired()
            if not table.closed:
                raise Refused("not-over", "the game is not over yet")
            while not table.rematch:
                if may_open:
                    other = await _open_rematch(tables, session)
                    rematched = events.Rematched(other.id, table.order[player])
                    await session.append(Change(rematched))
                elif not await session.is_behind():
                    raise Refused("no-rematch", "nobody has asked for a rematch")
        except Refused as error:
            raise session.at_number(error) from None
    seat = table.order[player]
    there = await tables.find(table.rematch)
    name, program = table.seats[seat].name, table.seats[seat].program
    return RematchSeat(there, table.rematch_seat(seat), name, program)


async def _open_rematch(tables: Tables, session: TableSession) -> TableSession:
    """Open the next table, or find the one that an earlier try or another server has opened."""
    table = session.table
    # Its id cannot be guessed, but is the same for all who try at once.
    next_id = derived_id(tables.store.server_key, "rematch", session.id)
    other = await tables.open(table.rematch_options, next_id, session.opener)
    if other.table.closed:  # a server died long ago before it stored the rematch
        other = await tables.open(table.rematch_options, opener=session.opener)
    for seat, name in enumerate(table.rematch_options("").expected):
        if not name:  # erased, perhaps after the other table was opened
            await erase_expected_name(tables.store, other, seat)
    return other
