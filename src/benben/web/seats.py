"""Taking a seat, giving it up, taking it back, and being forgotten.

A seat is an event of the table, its token a row of the store: the two change together, under the
table's `seating` lock.
"""

import asyncio
from typing import Annotated

from litestar import post
from litestar.params import JSONBody, PathParameter

from benben.table.events import AnyEvent, Sat, Stood
from benben.table.hall import Live, hashed, new_token
from benben.table.table import Table
from benben.web.answers import Done, Seated
from benben.web.callers import Key, TableId, TheHouse, ThePlayer, act, own_key
from benben.web.errors import Problem
from benben.web.forgetting import erase, gone_for_good
from benben.web.openapi import TOKEN, troubles
from benben.web.requests import Sit
from benben.web.viewers import Viewer

SHORTEST_KEY = 16  # of one that is as good as a token: nobody may guess it


@post(
    "/{table:str}/seats/{seat:int}",
    summary="Take a seat",
    description=(
        "Seats are numbered from 0. The token is told once; who lost the answer asks again with "
        f"the same Idempotency-Key, which must have {SHORTEST_KEY} signs at least for that."
    ),
    responses=troubles(404, 409, 413, 503),
)
async def sit(
    house: TheHouse,
    table: TableId,
    seat: Annotated[int, PathParameter(description="A seat, from 0.")],
    data: JSONBody[Sit],
    key: Key = None,
) -> Seated:
    known = key if key is not None and len(key) >= SHORTEST_KEY else None
    whose = own_key(known, "sit", str(seat), data.name, data.nonce)
    token = new_token()
    async with house.seating(table):
        number = await act(house, table, lambda now: now.sit(seat, data.name, data.nonce), whose)
        live = await house.hall.find(table)
        if _last_change(live, seat) != number:  # an old key: somebody else sits there by now
            words = f"seat {seat + 1} is taken"
            raise Problem(409, "seat-taken", words, {"number": live.table.number})
        await asyncio.to_thread(house.store.add_token, table, seat, hashed(token))
    return Seated(token, seat, Viewer(live, seat).look(house.hall.now()))


def _last_change(live: Live, seat: int) -> int:
    """The event since which the same person has this seat."""
    changes = [
        entry.number
        for entry in live.entries
        if isinstance(entry.event, Sat | Stood) and entry.event.seat == seat
    ]
    return changes[-1] if changes else 0


@post(
    "/{table:str}/leave",
    summary="Give up your seat",
    description=(
        "Before the game the seat is free again, and its token forgotten. Then it is as the table "
        "was made: the others wait, a bot plays on, or the game is lost."
    ),
    responses=troubles(401, 404, 409, 503),
    security=TOKEN,
    status_code=200,
)
async def leave(
    house: TheHouse,
    table: TableId,
    player: ThePlayer,
    key: Key = None,
) -> Done:
    events: list[AnyEvent | None] = []

    def deed(now: Table, seat: int) -> AnyEvent | None:
        events.append(now.leave(seat))
        return events[-1]

    async with house.seating(table):
        number = await player.act(deed, key, "leave")
        if events and isinstance(events[-1], Stood):
            await asyncio.to_thread(house.store.drop_tokens, table, player.holds)
    return Done(number)


@post(
    "/{table:str}/reclaim",
    summary="Take your seat back from the bot that plays for you",
    responses=troubles(401, 404, 409, 503),
    security=TOKEN,
    status_code=200,
)
async def reclaim(player: ThePlayer, key: Key = None) -> Done:
    return Done(await player.act(lambda table, seat: table.reclaim(seat), key, "reclaim"))


@post(
    "/{table:str}/forget",
    summary="Erase your name and what you said, and forget your token",
    description=(
        "Moves and the table's luck stay. As you cannot come back, a game that is on goes on with "
        "a bot in your place where the table allows that, and else is lost; before the game your "
        "seat is free again."
    ),
    responses=troubles(401, 404, 409, 503),
    security=TOKEN,
    status_code=200,
)
async def forget(house: TheHouse, table: TableId, player: ThePlayer) -> Done:
    async with house.seating(table):
        await erase(house.hall, table, player.holds)
        number = await player.act(gone_for_good, None, "forget")
        await asyncio.to_thread(house.store.drop_tokens, table, player.holds)
    return Done(number)
