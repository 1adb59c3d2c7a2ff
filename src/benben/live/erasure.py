"""Erasure of a player's name, words and token from a table, and from the next one."""

import asyncio
from contextlib import suppress

import msgspec

from benben.live.session import TableSession
from benben.live.tables import Tables, encode_options
from benben.store.event_log import Conflict, NoSuchTable, Owner, PendingEvent
from benben.store.store import Store
from benben.table.actions import Decline, erase
from benben.table.events import to_json
from benben.table.options import TableOptions
from benben.table.record import erased
from benben.table.table import Change


async def erase_player(tables: Tables, table_id: str, token: str) -> int:
    """Erase the holder of a seat from its table; returns the number of the last event."""
    return await asyncio.shield(tables.start(_erase_player(tables, table_id, token)))


async def _erase_player(tables: Tables, table_id: str, token: str) -> int:
    session = await tables.find(table_id)
    async with session.lock:
        while True:
            player = await session.player_of(token)
            # First where they are expected: without the token they could not ask for it again.
            await erase_expected_name(tables.store, session, player)
            await _erase_from_rematch(tables, session, player)
            if await _erase_from_record(tables, session, player):
                break
        number = session.table.number
        await session.apply_automatic_events()
    return number


async def _erase_from_rematch(tables: Tables, session: TableSession, player: int) -> None:
    table = session.table
    if not table.rematch:
        return
    seat = table.rematch_seat(table.order[player])
    with suppress(NoSuchTable):  # it may have been pruned
        await tables.act(table.rematch, Decline("", seat))
        await erase_expected_name(tables.store, await tables.find(table.rematch), seat)


async def erase_expected_name(store: Store, session: TableSession, seat: int) -> None:
    """Erase the name for which a seat is reserved from the options of a table."""

    def without_name(text: str) -> str:
        return encode_options(msgspec.json.decode(text, type=TableOptions).without_expected(seat))

    options = session.table.options
    if options.without_expected(seat) != options:
        text = await store.change_options(session.id, without_name)
        session.table.set_options(msgspec.json.decode(text, type=TableOptions))


async def _erase_from_record(tables: Tables, session: TableSession, player: int) -> bool:
    """Erase name, words and token, and free the seat, in one transaction; False: try again."""
    table, at, owner = session.table, tables.now(), Owner(player)
    erasure = erase(table, table.order[player])
    pending = [
        PendingEvent(session.id, table.number + i, at, to_json(event), owner=owner)
        for i, event in enumerate(erasure, 1)
    ]
    before, after = session.entries, erased(session.entries, player)
    bodies = {
        new.number: to_json(new.event) for old, new in zip(before, after, strict=True) if old != new
    }
    if isinstance(await tables.store.replace_events(pending, bodies), Conflict):
        await session.catch_up()
        return False
    for event in erasure:
        session.apply_stored(Change(event), at, owner=owner)
    return True
