"""Being told that it is one's turn, where a game takes days: by a private feed, and by mail."""

import asyncio

from litestar import get, post
from litestar.params import JSONBody

from benben.table.hall import hashed, new_token
from benben.table.store import Reminder
from benben.table.terms import Days
from benben.web.answers import HouseCard, RemindersSet
from benben.web.callers import Player, TableId, TheHouse, ThePlayer, no_token
from benben.web.errors import Problem
from benben.web.openapi import TOKEN, troubles
from benben.web.outside import LONGEST_ADDRESS, is_mail_address
from benben.web.requests import Remind


@get("/house", summary="What this house can do", responses=troubles(), tags=["house"])
async def house_card(house: TheHouse) -> HouseCard:
    return HouseCard(house.courier.carries)


@post(
    "/{table:str}/reminders",
    summary="Be told when it is your turn",
    description=(
        "At a table with days for each move. The feed's address is told once and for you alone; "
        "asking again gives another, and ends the earlier one. Mail is sent only with an address."
    ),
    responses=troubles(401, 404, 409, 413, 422, 503),
    security=TOKEN,
    status_code=200,
)
async def remind(house: TheHouse, player: ThePlayer, data: JSONBody[Remind]) -> RemindersSet:
    _check(player, data.email)
    key, table = new_token(), player.live.table
    reminder = Reminder(
        table=player.live.id,
        seat=player.holds,
        feed=hashed(key),
        address=data.email,
        language=data.language,
        known=table.number,  # who asks now knows how it stands now
    )
    if not await asyncio.to_thread(house.store.set_reminder, reminder):
        raise no_token("the seat was given up meanwhile")
    return RemindersSet(f"/feeds/{key}")


def _check(player: Player, address: str) -> None:
    """Whether somebody can be reminded so."""
    number = {"number": player.live.table.number}
    if not isinstance(player.live.table.terms.pace, Days):
        words = "reminders are for tables with days for each move"
        raise Problem(409, "not-by-days", words, number)
    if not address:
        return
    if not is_mail_address(address):
        words = f"an address is like ann@example.org, {LONGEST_ADDRESS} plain signs at most"
        raise Problem(422, "bad-address", words)
    if not player.house.courier.carries:
        words = "this house sends no mail: leave the address out, and use the feed"
        raise Problem(409, "no-mail", words, number)


@post(
    "/{table:str}/reminders/stop",
    summary="Have no more reminders",
    description="Ends the feed, and the mail.",
    responses=troubles(401, 404, 503),
    security=TOKEN,
    status_code=204,
)
async def stop(house: TheHouse, table: TableId, player: ThePlayer) -> None:
    await asyncio.to_thread(house.store.drop_reminder, table, player.holds)
