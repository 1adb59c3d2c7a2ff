"""Seats: taking one, giving it up, taking it back; inviting a bot, and erasing a player."""

import asyncio
from typing import Annotated, Any, TypeAlias

from litestar import Request, post
from litestar.params import JSONBody, PathParameter

from benben.live.erasure import erase_player
from benben.live.session import TableSession
from benben.store.programs import Program
from benben.table import actions
from benben.table.actions import check_free
from benben.table.events import Sat, Stood, Unrevealed
from benben.table.table import Refused
from benben.table.tokens import derived_token, hashed, new_token
from benben.web.actions import action
from benben.web.auth import (
    SHORTEST_SECRET,
    AddressDep,
    HolderDep,
    Key,
    SitterDep,
    StateDep,
    TablePath,
    TokenDep,
    secret,
)
from benben.web.errors import ApiError
from benben.web.invitations import MOST_TABLES as MOST_INVITED
from benben.web.invitations import PENDING_SECONDS
from benben.web.middleware import charge_for_bots
from benben.web.openapi import BOT_OR_NOT, for_holders, route
from benben.web.requests import Commit, Invite, Reveal, SeatBot, Sit
from benben.web.responses import BotListed, Done, Seated
from benben.web.state import AppState
from benben.web.viewers import Viewer

MOST_TABLES = 100  # that are not over, of one program

Seat: TypeAlias = Annotated[int, PathParameter(description="A seat, from 0.")]


@post(
    "/{table:str}/seats/{seat:int}",
    description=(
        "Seats are numbered from 0. The token is returned once; if the response was lost, repeat "
        f"the request with the same Idempotency-Key, of at least {SHORTEST_SECRET} characters. "
        "A bot sends its own token, and holds the seat by it. With a commitment instead of a "
        "nonce the game begins only when every seat has revealed its nonce."
    ),
    **route("Take a seat", 401, 404, 409, 413, 503, security=BOT_OR_NOT),
)
async def sit(
    app: StateDep,
    table: TablePath,
    seat: Seat,
    sitter: SitterDep,
    data: JSONBody[Sit],
    key: Key = None,
) -> Seated:
    session, name, program = await app.tables.find(table), data.name, sitter is not None
    if sitter is None:
        key = secret(key)
        token = _token(app.store.server_key, table, seat, data, key)
        holder = hashed(token)
    else:
        await check_room(app, sitter, session, seat)
        token, holder, name = "", sitter.hash, _name(sitter, data)
    command = actions.Sit(holder, seat, name, data.nonce, program, commitment=data.commitment)
    number = await app.tables.act(table, command, key)
    if last_change(session, seat) != number:  # an old key: the seat was given up since
        raise Refused("seat-taken", f"seat {seat + 1} is taken", session.table.number)
    return Seated(token, seat, Viewer(session, seat).full_view(app.tables.now()))


def _token(server_key: str, table: str, seat: int, data: Sit, key: str | None) -> str:
    """A new token, or the same one for a retry with the same key.

    It is derived from the server's key, as the table's secret is published at the end.
    """
    if key is None:
        return new_token()
    part = data.nonce + data.commitment
    return derived_token(server_key, "sit", table, str(seat), data.name, part, key)


def _name(program: Program, data: Sit) -> str:
    if data.name not in ("", program.name):
        raise ApiError(409, "bad-name", f"the bot of this token is called {program.name}")
    return program.name


async def check_room(app: AppState, program: Program, session: TableSession, seat: int) -> None:
    """Refuse a second seat at a table, and a seat at too many tables."""
    number = session.table.number
    held = dict(await asyncio.to_thread(app.store.programs.seats, program))
    if held.get(session.id, seat) != seat:
        raise Refused("seated-already", f"{program.name} is already at this table", number)
    if session.id not in held and len(held) >= MOST_TABLES:
        words = f"{program.name} sits at {MOST_TABLES} tables that are not over"
        raise Refused("too-many-tables", words, number)


def last_change(session: TableSession, seat: int) -> int:
    """The number of the last event that changed who has a seat."""
    changes = [
        entry.number
        for entry in session.entries
        if isinstance(entry.event, Sat | Stood | Unrevealed) and entry.event.seat == seat
    ]
    return changes[-1] if changes else 0


commit = action(
    actions.Commit,
    "Commit to a new nonce",
    description=(
        "Before the game, when the table's `starting` has the phase `commit`: a seat of the full "
        "table was freed, and nonces may be known, so every seat needs a new one."
    ),
    body=Commit,
)

reveal = action(
    actions.Reveal,
    "Reveal the nonce you committed to",
    description=(
        "When the table's `starting` has the phase `reveal`: every seat is taken and has "
        "committed. The game begins when every seat has revealed; a seat that has not by the "
        "deadline is freed."
    ),
    body=Reveal,
)


@post("/{table:str}/seats/{seat:int}/bot", **for_holders("Give a free seat to a bot", 409, 413))
async def seat_bot(
    app: StateDep,
    request: Request[Any, Any, Any],
    table: TablePath,
    seat: Seat,
    token: TokenDep,
    data: JSONBody[SeatBot],
    key: Key = None,
) -> Done:
    """By anybody with a seat at the table, before the game; also for a reserved seat."""
    charge_for_bots(app, request.scope, [data.level])
    session = await app.tables.find(table)
    players = len(session.table.seats)
    app.kernels.require_ready(session.table.options.game, players, [data.level])
    return Done(await app.tables.act(table, actions.SeatBot(token, seat, data.level), key))


@post(
    "/{table:str}/seats/{seat:int}/invite",
    description=(
        "By anybody with a seat at the table. The bot is notified at once, and sits down if it "
        "accepts; until then the seat is free. An address has one pending invitation of a bot, for "
        f"{PENDING_SECONDS:.0f} seconds at most, and invites it to {MOST_INVITED} tables at a time."
    ),
    **for_holders("Invite a bot to a seat", 409, 413, status=202, tags=["bots"]),
)
async def invite(
    app: StateDep, address: AddressDep, holder: HolderDep, seat: Seat, data: JSONBody[Invite]
) -> BotListed:
    session = holder.session
    try:
        check_free(session.table, seat, data.bot)
        return await _invite(app, address, session, seat, data.bot)
    except Refused as error:
        error.number = session.table.number
        raise


async def _invite(
    app: AppState, address: str, session: TableSession, seat: int, name: str
) -> BotListed:
    program = await asyncio.to_thread(app.store.programs.find_by_name, name)
    if program is None:
        number = {"number": session.table.number}
        raise ApiError(404, "no-such-bot", f"no bot is called {name[:40]!r}", number)
    if await asyncio.to_thread(app.store.seat_of_token, program.hash, session.id) is not None:
        raise Refused("seated-already", f"{program.name} is already at this table")
    seated = dict(await asyncio.to_thread(app.store.programs.seats, program))
    invitations = app.bot_streams.invitations
    answered = [
        each
        for each in invitations.unanswered(program, address)
        if await asyncio.to_thread(app.store.seat_of_token, program.hash, each) is not None
    ]
    invitations.add(program, address, session.id, seated=seated.keys(), answered=answered)
    invited = await app.bot_streams.invite(program, session, seat)
    if invited is None:
        invitations.remove(program, address, session.id)
        raise Refused("bot-away", f"{program.name} is not listening now")
    return invited


leave = action(
    actions.Leave,
    "Give up your seat",
    description=(
        "Before the game the seat is free again, and its token no longer valid. Later, the table's "
        "`leaver` decides: the others wait, a bot plays on, or it counts as resigning."
    ),
)

reclaim = action(
    actions.Reclaim,
    "Take the seat back that you have left",
    description="Play on, instead of a bot or after the others have waited. A move does that too.",
)


@post(
    "/{table:str}/forget",
    **for_holders("Erase your name and what you said, and forget your token", 409),
)
async def forget(app: StateDep, table: TablePath, token: TokenDep) -> Done:
    """Moves and the table's luck stay. You cannot come back: if the game is on, a bot takes your
    place where the table allows that, and else you lose; before the game your seat is free again.
    """
    return Done(await erase_player(app.tables, table, token))
