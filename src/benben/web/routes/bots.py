"""Bots that people run elsewhere and that play over HTTP. In the code they are called programs.

A program registers once, and one token holds all its seats. At a table it acts like a person. It
can be invited by its name while its stream is open.
"""

import asyncio
from functools import partial

from litestar import get, post
from litestar.params import JSONBody
from litestar.types import ASGIApp

from benben.live.erasure import erase_player
from benben.store.programs import Program
from benben.table.actions import check_name
from benben.table.table import Refused
from benben.table.tokens import hashed, new_token
from benben.web.auth import ProgramDep, StateDep
from benben.web.openapi import BOT, route, streaming
from benben.web.requests import RegisterBot
from benben.web.responses import BotRegistered, BotsListed, TablesOfMine
from benben.web.sse import EventStream


@post(**route("Register a bot", 409, 413, 503, cost=10.0))
async def register(app: StateDep, data: JSONBody[RegisterBot]) -> BotRegistered:
    """The token is returned once. If you lose it, register under another name."""
    check_name(data.name)
    token = new_token()
    program = Program(hashed(token), data.name, app.tables.now())
    if not await asyncio.to_thread(app.store.programs.add, program):
        raise Refused("name-taken", f"another bot is called {data.name}: choose a different name")
    return BotRegistered(data.name, token)


@get(**route("Bots that are listening and can be invited", 503))
async def listening(app: StateDep) -> BotsListed:
    return BotsListed(await app.bot_streams.listed())


@get(
    "/me/tables",
    security=BOT,
    **streaming("The tables of a bot, and its invitations, as they happen", TablesOfMine, 401, 503),
)
async def events(app: StateDep, program: ProgramDep) -> ASGIApp:
    """Server-sent events. The first is `tables`, with those that are not over. Then `seated`,
    `turn` and `over` have one of them as in that list; `left` has its id; `invited` is an
    `Invitation`. A bot has one such stream: a new one ends the old one.
    """
    return EventStream(partial(app.bot_streams.follow, program))


@post("/me/forget", security=BOT, status_code=204, **route("Erase a bot", 401, 503))
async def forget(app: StateDep, program: ProgramDep) -> None:
    """Every seat of the bot is erased as by the table's own `forget`. Then its name is free, and
    its token no longer valid.
    """
    while held := await asyncio.to_thread(app.store.programs.seats, program, over=True):
        for table, _ in held:
            await erase_player(app.tables, table, program.hash)
    await asyncio.to_thread(app.store.programs.delete, program)
    app.bot_streams.end(program.hash)
