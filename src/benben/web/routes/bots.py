"""Bots that people run elsewhere and that play over HTTP. In the code they are called programs.

A program registers once, and one token holds all its seats. At a table it acts like a person. It
can be invited by its name while its stream is open.
"""

import asyncio
from functools import partial

from litestar import get, post
from litestar.openapi import ResponseSpec
from litestar.params import JSONBody
from litestar.types import ASGIApp

from benben.live.erasure import erase_player
from benben.live.session import TableSession
from benben.store.programs import Program
from benben.table.actions import check_free, check_name
from benben.table.table import Refused
from benben.table.tokens import hashed, new_token
from benben.web.auth import AddressDep, HolderDep, ProgramDep, StateDep
from benben.web.errors import ApiError
from benben.web.invitations import MOST_TABLES, PENDING_SECONDS, Refusal
from benben.web.openapi import BOT, TOKEN, error_responses
from benben.web.requests import Invite, RegisterBot
from benben.web.responses import BotListed, BotRegistered, BotsListed, TablesOfMine
from benben.web.routes.seats import Seat
from benben.web.sse import EventStream


@post(
    summary="Register a bot",
    responses=error_responses(409, 413, 503),
    opt={"cost": 10.0},
)
async def register(app: StateDep, data: JSONBody[RegisterBot]) -> BotRegistered:
    """The token is returned once. If you lose it, register under another name."""
    check_name(data.name)
    token = new_token()
    program = Program(hashed(token), data.name, app.tables.now())
    if not await asyncio.to_thread(app.store.programs.add, program):
        raise ApiError(
            409, "name-taken", f"another bot is called {data.name}: choose a different name"
        )
    return BotRegistered(data.name, token)


@get(summary="Bots that are listening and can be invited", responses=error_responses(503))
async def listening(app: StateDep) -> BotsListed:
    return BotsListed(await app.bot_streams.listed())


@get(
    "/me/tables",
    summary="The tables of a bot, and its invitations, as they happen",
    responses=error_responses(401, 503)
    | {200: ResponseSpec(TablesOfMine, description="A stream.", media_type="text/event-stream")},
    security=BOT,
    media_type="text/event-stream",
    opt={"stream": True},
)
async def events(app: StateDep, program: ProgramDep) -> ASGIApp:
    """Server-sent events. The first is `tables`, with those that are not over. Then `seated`,
    `turn` and `over` have one of them as in that list; `left` has its id; `invited` is an
    `Invitation`. A bot has one such stream: a new one ends the old one.
    """
    return EventStream(partial(app.bot_streams.follow, program))


@post(
    "/me/forget",
    summary="Erase a bot",
    responses=error_responses(401, 503),
    security=BOT,
    status_code=204,
)
async def forget(app: StateDep, program: ProgramDep) -> None:
    """Every seat of the bot is erased as by the table's own `forget`. Then its name is free, and
    its token no longer valid.
    """
    while held := await asyncio.to_thread(app.store.programs.seats, program, over=True):
        for table, _ in held:
            await erase_player(app.tables, table, program.hash)
    await asyncio.to_thread(app.store.programs.delete, program)
    app.bot_streams.end(program)


@post(
    "/{table:str}/seats/{seat:int}/invite",
    summary="Invite a bot to a seat",
    description=(
        "By anybody with a seat at the table. The bot is notified at once, and sits down if it "
        "accepts; until then the seat is free. An address has one pending invitation of a bot, for "
        f"{PENDING_SECONDS:.0f} seconds at most, and invites it to {MOST_TABLES} tables at a time."
    ),
    responses=error_responses(401, 404, 409, 413, 503),
    security=TOKEN,
    status_code=202,
    tags=["bots"],
)
async def invite(
    app: StateDep, address: AddressDep, holder: HolderDep, seat: Seat, data: JSONBody[Invite]
) -> BotListed:
    session = holder.session
    number = {"number": session.table.number}
    try:
        check_free(session.table, seat, data.bot)
    except Refused as error:
        error.number = session.table.number
        raise
    program = await asyncio.to_thread(app.store.programs.find_by_name, data.bot)
    if program is None:
        raise ApiError(404, "no-such-bot", f"no bot is called {data.bot[:40]!r}", number)
    if await asyncio.to_thread(app.store.seat_of_token, program.hash, session.id) is not None:
        raise ApiError(409, "seated-already", f"{program.name} is already at this table", number)
    seated = dict(await asyncio.to_thread(app.store.programs.seats, program))
    invitations = app.bot_streams.invitations
    answered = [
        each
        for each in invitations.unanswered(program.hash, address)
        if await asyncio.to_thread(app.store.seat_of_token, program.hash, each) is not None
    ]
    refusal = invitations.add(
        program.hash, address, session.id, seated=seated.keys(), answered=answered
    )
    _check_invited(program, session, refusal)
    invited = await app.bot_streams.invite(program, session, seat)
    if invited is None:
        invitations.remove(program.hash, address, session.id)
        raise ApiError(409, "bot-away", f"{program.name} is not listening now", number)
    return invited


def _check_invited(program: Program, session: TableSession, refusal: Refusal | None) -> None:
    """Raise Refused if an address has invited a program too often."""
    if refusal == "pending":
        words = f"you have just invited {program.name} to another table: wait for its answer"
        raise Refused("invitation-pending", words, session.table.number)
    if refusal == "full":
        words = f"{program.name} has {MOST_TABLES} tables that you invited it to"
        raise Refused("too-many-tables", words, session.table.number)
