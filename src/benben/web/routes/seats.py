"""Taking a seat, giving it up, taking it back, and being forgotten."""

import asyncio
from typing import Annotated, Any, TypeAlias

from litestar import Request, post
from litestar.params import JSONBody, PathParameter

from benben.live.erasure import erase_player
from benben.live.session import TableSession
from benben.store.programs import Program
from benben.table import actions
from benben.table.events import Sat, Stood, Unrevealed
from benben.table.table import Refused
from benben.table.tokens import derived_token, hashed, new_token
from benben.web.actions import action
from benben.web.auth import (
    SHORTEST_SECRET,
    Key,
    SitterDep,
    StateDep,
    TablePath,
    TokenDep,
    secret,
)
from benben.web.errors import ApiError
from benben.web.middleware import take_for_bots
from benben.web.openapi import BOT_OR_NOT, TOKEN, error_responses
from benben.web.requests import Commit, Reveal, SeatBot, Sit
from benben.web.responses import Done, Seated
from benben.web.state import AppState
from benben.web.viewers import Viewer

MOST_TABLES = 100  # that are not over, of one program

Seat: TypeAlias = Annotated[int, PathParameter(description="A seat, from 0.")]


@post(
    "/{table:str}/seats/{seat:int}",
    summary="Take a seat",
    description=(
        "Seats are numbered from 0. The token is told once; who lost the answer asks again with "
        f"the same Idempotency-Key, which must have {SHORTEST_SECRET} signs at least for that. "
        "A bot sends the token it has, and holds the seat by it. With a commitment instead of a "
        "nonce the game begins only when every seat has revealed its nonce."
    ),
    responses=error_responses(401, 404, 409, 413, 503),
    security=BOT_OR_NOT,
)
async def sit(
    app: StateDep,
    table: TablePath,
    seat: Seat,
    sitter: SitterDep,
    data: JSONBody[Sit],
    key: Key = None,
) -> Seated:
    session = await app.tables.find(table)
    if sitter is None:
        key = secret(key)
        token = _token(app.store.server_key, table, seat, data, key)
        command = actions.Sit(
            hashed(token), seat, data.name, data.nonce, commitment=data.commitment
        )
    else:
        await check_room(app, sitter, session, seat)
        token = ""
        command = actions.Sit(
            sitter.hash,
            seat,
            _name(sitter, data),
            data.nonce,
            program=True,
            commitment=data.commitment,
        )
    number = await app.tables.act(table, command, key)
    if last_change(session, seat) != number:  # an old key: somebody else sits there by now
        raise Refused("seat-taken", f"seat {seat + 1} is taken", session.table.number)
    return Seated(token, seat, Viewer(session, seat).look(app.tables.now()))


def _token(server_key: str, table: str, seat: int, data: Sit, key: str | None) -> str:
    """A new token; the same again for a retry with the same key.

    It is derived by the server's own key: the table's secret is published at the end.
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
    """A token holds one seat of a table, and nobody can play at any number of them."""
    number = session.table.number
    held = dict(await asyncio.to_thread(app.store.programs.seats, program))
    if held.get(session.id, seat) != seat:
        raise Refused("seated-already", f"{program.name} is already at this table", number)
    if session.id not in held and len(held) >= MOST_TABLES:
        words = f"{program.name} sits at {MOST_TABLES} tables that are not over"
        raise Refused("too-many-tables", words, number)


def last_change(session: TableSession, seat: int) -> int:
    """The event since which the same person has this seat."""
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


@post(
    "/{table:str}/seats/{seat:int}/bot",
    summary="Give a free seat to a bot",
    description="By whoever has a seat of the table, before the game; also if it is kept.",
    responses=error_responses(401, 404, 409, 413, 503),
    security=TOKEN,
    status_code=200,
)
async def seat_bot(
    app: StateDep,
    request: Request[Any, Any, Any],
    table: TablePath,
    seat: Seat,
    token: TokenDep,
    data: JSONBody[SeatBot],
    key: Key = None,
) -> Done:
    take_for_bots(app, request.scope, [data.level])
    session = await app.tables.find(table)
    players = len(session.table.seats)
    app.kernels.require_ready(session.table.options.game, players, [data.level])
    return Done(await app.tables.act(table, actions.SeatBot(token, seat, data.level), key))


leave = action(
    actions.Leave,
    "Give up your seat",
    description=(
        "Before the game the seat is free again, and its token forgotten. Then it is as the table "
        "was made: the others wait, a bot plays on, or it is resigning."
    ),
)

reclaim = action(
    actions.Reclaim,
    "Take the seat back that you have left",
    description="From the bot that plays for you, or from those who wait: a move does that too.",
)


@post(
    "/{table:str}/forget",
    summary="Erase your name and what you said, and forget your token",
    description=(
        "Moves and the table's luck stay. As you cannot come back, a game that is on goes on with "
        "a bot in your place where the table allows that, and else is lost; before the game your "
        "seat is free again."
    ),
    responses=error_responses(401, 404, 409, 503),
    security=TOKEN,
    status_code=200,
)
async def forget(app: StateDep, table: TablePath, token: TokenDep) -> Done:
    return Done(await erase_player(app.tables, table, token))
