"""Rematches: another table for the same players, where seats are reserved for them.

A player's token at the next table is derived from that at this one. So a lost response can be
requested again at any time, with any key, from any device that has the old token. Nobody else can
derive it, even after the table's secret is published.
"""

import asyncio
from typing import Any

from litestar import Request, post
from litestar.params import JSONBody

from benben.live.rematch import RematchSeat, find_or_open_rematch
from benben.table import actions
from benben.table.table import Refused
from benben.table.tokens import derived_token, hashed
from benben.web.auth import Key, ShownTokenDep, StateDep, TablePath
from benben.web.middleware import charge_for_bots
from benben.web.openapi import for_holders
from benben.web.requests import WantRematch
from benben.web.responses import RematchDeclined, SeatedAgain
from benben.web.routes.seats import check_room, last_change
from benben.web.state import AppState
from benben.web.viewers import Viewer


@post("/{table:str}/rematch", **for_holders("Go on at another table", 409, 413))
async def rematch(
    app: StateDep,
    request: Request[Any, Any, Any],
    table: TablePath,
    shown_token: ShownTokenDep,
    data: JSONBody[WantRematch | None] = None,
    key: Key = None,
) -> SeatedAgain:
    """After the end of a game. The first request opens a table with the same options; everybody
    takes the seat that is reserved for them there, under the same name. Seats are the same and the
    next one begins; where one seat always begins everybody moves on by one. Bots sit there already.
    Repeated requests, with any key, return the same seat and the same token.
    """
    before = (await app.tables.find(table)).table
    if not before.rematch:  # this request may open the next table
        charge_for_bots(app, request.scope, before.options.bots)
    there = await find_or_open_rematch(app.tables, table, hashed(shown_token))
    token = _token_there(there, table, shown_token)
    seated = await there.session.holder(hashed(token)) == there.seat
    if not seated and data is not None and (data.nonce or data.commitment):
        await _sit(app, there, hashed(token), data, key)
        seated = True
    await _invite_programs(app, there)
    viewer = Viewer(there.session, there.seat if seated else None)
    shown = token if seated and not there.program else ""
    return SeatedAgain(there.session.id, there.seat, shown, viewer.full_view(app.tables.now()))


def _token_there(there: RematchSeat, table: str, token: str) -> str:
    """The token at the next table; a program has one token for all its seats."""
    if there.program:
        return token
    return derived_token(there.session.table.secret, "rematch", table, token)


async def _sit(
    app: AppState, there: RematchSeat, token: str, data: WantRematch, key: str | None
) -> None:
    session, seat, name = there.session, there.seat, there.name
    if there.program:
        program = await asyncio.to_thread(app.store.programs.find, token)
        assert program is not None  # or its token would hold no seat
        await check_room(app, program, session, seat)
    sit = actions.Sit(
        token, seat, name, data.nonce, there.program, expected=True, commitment=data.commitment
    )
    try:
        number = await app.tables.act(session.id, sit, key)
    except Refused:
        if await session.holder(token) == seat:
            return  # by a concurrent request of the same player
        raise
    if last_change(session, seat) != number:
        words = "you have since given up this seat: ask again with another key"
        raise Refused("given-up", words, session.table.number)


async def _invite_programs(app: AppState, there: RematchSeat) -> None:
    """Invite the programs for which seats are reserved."""
    session = there.session
    for seat in session.table.options.programs:
        name = session.table.seats[seat].reserved_for
        if not name:
            continue
        program = await asyncio.to_thread(app.store.programs.find_by_name, name)
        if program is not None:
            await app.bot_streams.invite(program, session, seat)


@post("/{table:str}/rematch/decline", **for_holders("Do not go on at another table", 409))
async def decline(
    app: StateDep, table: TablePath, shown_token: ShownTokenDep, key: Key = None
) -> RematchDeclined:
    """The event `declined` is sent to the next table, and anybody can take the seat that was
    reserved for you. As long as it is free you can still take it.
    """
    token = hashed(shown_token)
    there = await find_or_open_rematch(app.tables, table, token, may_open=False)
    session = there.session
    seated = await session.holder(hashed(_token_there(there, table, shown_token)))
    if seated is not None:
        words = "you sit there already: give up that seat instead"
        raise Refused("seated-already", words, session.table.number)
    await app.tables.act(session.id, actions.Decline(token, there.seat), key)
    return RematchDeclined(session.id)
