"""Erasing somebody from a table: the name and the words go, the game stays."""

import asyncio

from msgspec.structs import replace

from benben.table.events import AnyEvent, Began, Said, Sat, from_json, to_json
from benben.table.record import Entry
from benben.table.table import Table
from benben.table.tables import Tables
from benben.web.auth import Player


async def forget(player: Player) -> int:
    """The seat is nobody's any more; the number of the table's last event by it."""
    app, table = player.app, player.loaded.id
    async with app.seating(table):
        await _erase(app.tables, table, player.holds)
        number = await player.act(_gone_for_good, None, "forget")
        await app.tables.let_go(table, player.holds)
        app.bot_streams.left(player.token, table)
    return number


async def _erase(tables: Tables, name: str, chosen: int) -> None:
    """In the store, and in the table in memory."""
    loaded = await tables.find(name)
    async with loaded.lock:  # nothing happens meanwhile
        rows = await asyncio.to_thread(tables.store.events, loaded.id)
        before = [Entry(row.number, row.at, from_json(row.body)) for row in rows]
        after = _erased(before, chosen)
        changed = [new for old, new in zip(before, after, strict=True) if old != new]
        if changed:
            bodies = {entry.number: to_json(entry.event) for entry in changed}
            await asyncio.to_thread(tables.store.replace_bodies, loaded.id, bodies)
        loaded.entries[:] = after[: len(loaded.entries)]
        loaded.table.forget(chosen)


def _erased(entries: list[Entry], chosen: int) -> list[Entry]:
    """The same events without a name or a word of this seat's. Only luck needs the nonce."""
    seat, kept = chosen, []
    for entry in entries:
        event = entry.event
        match event:
            case Began(order, _, _):
                seat = order[chosen]
            case Sat(who) if who == chosen:
                event = replace(event, name="")
            case Said(who) if who == seat:
                event = replace(event, text="")
        kept.append(Entry(entry.number, entry.at, event))
    return kept


def _gone_for_good(table: Table, seat: int) -> AnyEvent | None:
    """What becomes of the seat of somebody who cannot come back; None if nobody waits for them."""
    if not table.playable or table.over or table.seats[seat].away:
        return None
    if table.begun and table.terms.leaver == "wait":
        return table.resign(seat)
    return table.leave(seat)
