"""Erasing somebody from a table: the name and the words go, the game stays."""

import asyncio

from msgspec.structs import replace

from benben.table.events import AnyEvent, Began, Said, Sat, from_json, to_json
from benben.table.hall import Hall
from benben.table.record import Entry
from benben.table.table import Table
from benben.web.callers import Player


async def forget(player: Player) -> int:
    """The seat is nobody's any more; the number of the table's last event by it."""
    house, table = player.house, player.live.id
    async with house.seating(table):
        await _erase(house.hall, table, player.holds)
        number = await player.act(_gone_for_good, None, "forget")
        await house.hall.let_go(table, player.holds)
        house.programs.left(player.token, table)
    return number


async def _erase(hall: Hall, name: str, chosen: int) -> None:
    """In the store, and in the table in memory."""
    live = await hall.find(name)
    async with live.lock:  # nothing happens meanwhile
        rows = await asyncio.to_thread(hall.store.events, live.id)
        before = [Entry(row.number, row.at, from_json(row.body)) for row in rows]
        after = _erased(before, chosen)
        changed = [new for old, new in zip(before, after, strict=True) if old != new]
        if changed:
            bodies = {entry.number: to_json(entry.event) for entry in changed}
            await asyncio.to_thread(hall.store.replace_bodies, live.id, bodies)
        live.entries[:] = after[: len(live.entries)]
        live.table.forget(chosen)


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
