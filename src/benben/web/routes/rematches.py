"""Another game of the same people: everybody's seat is kept until they come or decline.

Whoever holds a seat is known by its token, at the next table too: the token there is derived from
the one here. So a lost answer can be asked for again at any time, by any key, on any device that
has the old token; and nobody else can make it, not even when the table's secret is told at the end.
"""

import asyncio
from typing import Any

from litestar import Request, post
from litestar.params import JSONBody

from benben.live.rematch import RematchSeat, find_rematch
from benben.table import actions
from benben.table.table import Refused
from benben.table.tokens import derived_token, hashed
from benben.web.auth import Key, ShownTokenDep, StateDep, TablePath
from benben.web.middleware import take_for_bots
from benben.web.openapi import TOKEN, error_responses
from benben.web.requests import WantRematch
from benben.web.responses import RematchDeclined, SeatedAgain
from benben.web.routes.seats import check_room, last_change
from benben.web.state import AppState
from benben.web.viewers import Viewer


@post(
    "/{table:str}/rematch",
    summary="Go on at another table",
    description=(
        "After the end. Whoever asks first opens a table of the same terms; everybody who asks "
        "takes the seat that is kept for them there, under the same name. Seats are the same and "
        "the next one begins; where one seat always begins everybody moves on by one. Bots sit "
        "there already. Asked again, by any key, it is the same seat and the same token."
    ),
    responses=error_responses(401, 404, 409, 413, 503),
    security=TOKEN,
    status_code=200,
)
async def rematch(
    app: StateDep,
    request: Request[Any, Any, Any],
    table: TablePath,
    shown_token: ShownTokenDep,
    data: JSONBody[WantRematch | None] = None,
    key: Key = None,
) -> SeatedAgain:
    before = (await app.tables.find(table)).table
    if not before.rematch:  # this request may open the next table
        take_for_bots(app, request.scope, before.options.bots)
    there = await find_rematch(app.tables, table, hashed(shown_token))
    token = _token_there(there, table, shown_token)
    seated = await there.session.holder(hashed(token)) == there.seat
    if not seated and data is not None and (data.nonce or data.commitment):
        await _sit(app, there, hashed(token), data, key)
        seated = True
    await _invite_programs(app, there)
    viewer = Viewer(there.session, there.seat if seated else None)
    told = token if seated and not there.program else ""
    return SeatedAgain(there.session.id, there.seat, told, viewer.look(app.tables.now()))


def _token_there(there: RematchSeat, table: str, token: str) -> str:
    """A program has one token for all its seats."""
    if there.program:
        return token
    return derived_token(there.session.table.secret, "rematch", table, token)


async def _sit(
    app: AppState, there: RematchSeat, token: str, data: WantRematch, key: str | None
) -> None:
    session, seat = there.session, there.seat
    if there.program:
        program = await asyncio.to_thread(app.store.programs.find, token)
        assert program is not None  # or its token would hold no seat
        await check_room(app, program, session, seat)
    command = actions.Sit(
        token,
        seat,
        there.name,
        data.nonce,
        there.program,
        expected=True,
        commitment=data.commitment,
    )
    try:
        number = await app.tables.act(session.id, command, key)
    except Refused:
        if await session.holder(token) == seat:
            return  # the same person has asked twice at once
        raise
    if last_change(session, seat) != number:
        words = "you have since given up this seat: ask again with another key"
        raise Refused("given-up", words, session.table.number)


async def _invite_programs(app: AppState, there: RematchSeat) -> None:
    """Programs that played are told that they are expected."""
    session = there.session
    for seat in session.table.options.programs:
        kept_for = session.table.seats[seat].reserved_for
        if not kept_for:
            continue
        program = await asyncio.to_thread(app.store.programs.find_by_name, kept_for)
        if program is not None:
            await app.bot_streams.invite(program, session, seat)


@post(
    "/{table:str}/rematch/decline",
    summary="Do not go on at another table",
    description=(
        "Whoever waits there is told by the event `declined`, and the seat that was kept for you "
        "is open to anybody. As long as it is free you can still come."
    ),
    responses=error_responses(401, 404, 409, 503),
    security=TOKEN,
    status_code=200,
)
async def decline(
    app: StateDep, table: TablePath, shown_token: ShownTokenDep, key: Key = None
) -> RematchDeclined:
    token = hashed(shown_token)
    there = await find_rematch(app.tables, table, token, may_open=False)
    session = there.session
    seated = await session.holder(hashed(_token_there(there, table, shown_token)))
    if seated is not None:
        words = "you sit there already: give up that seat instead"
        raise Refused("seated-already", words, session.table.number)
    await app.tables.act(session.id, actions.Decline(token, there.seat), key)
    return RematchDeclined(session.id)
