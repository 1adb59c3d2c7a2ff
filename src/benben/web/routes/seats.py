"""Taking a seat, giving it up, taking it back, and being forgotten.

A seat is an event of the table, its token a row of the store: the two change together, under the
table's `seating` lock.
"""

import asyncio
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from litestar import post
from litestar.params import JSONBody, PathParameter

from benben.table.events import AnyEvent, Sat, Stood
from benben.table.loaded import LoadedTable
from benben.table.store import Program
from benben.table.table import Table
from benben.table.tokens import hashed, new_token
from benben.web.auth import (
    SHORTEST_SECRET,
    Key,
    PlayerDep,
    SitterDep,
    StateDep,
    TableId,
    act,
    own_key,
    secret,
)
from benben.web.errors import Problem
from benben.web.forgetting import forget as forget_seat
from benben.web.openapi import BOT_OR_NOT, TOKEN, error_responses
from benben.web.requests import Sit
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
        "A bot sends the token it has, and holds the seat by it."
    ),
    responses=error_responses(401, 404, 409, 413, 503),
    security=BOT_OR_NOT,
)
async def sit(
    app: StateDep,
    table: TableId,
    seat: Seat,
    sitter: SitterDep,
    data: JSONBody[Sit],
    key: Key = None,
) -> Seated:
    new = _person(data, seat, key) if sitter is None else _program(sitter, data, seat, key)

    def wish(now: Table) -> Sat:
        return now.sit(seat, new.name, data.nonce, new.program)

    async with app.seating(table):
        if sitter is not None:
            await _check_room(app, sitter, table, seat)
        number = await act(app, table, wish, new.key)
        loaded = await app.tables.find(table)
        if _last_change(loaded, seat) != number:  # an old key: somebody else sits there by now
            words = f"seat {seat + 1} is taken"
            raise Problem(409, "seat-taken", words, {"number": loaded.table.number})
        await app.tables.give(loaded, seat, new.hash)
        viewer = Viewer(loaded, seat)
        app.bot_streams.sat(new.hash, viewer)
    return Seated(new.token, seat, viewer.look(app.tables.now()))


@dataclass(frozen=True)
class _Newcomer:
    name: str
    hash: str  # of the token that holds the seat
    token: str  # which only who does not know it yet is told
    key: str | None
    program: bool


def _person(data: Sit, seat: int, key: str | None) -> _Newcomer:
    whose = own_key(secret(key), "sit", str(seat), data.name, data.nonce)
    token = new_token()
    return _Newcomer(data.name, hashed(token), token, whose, program=False)


def _program(program: Program, data: Sit, seat: int, key: str | None) -> _Newcomer:
    if data.name not in ("", program.name):
        raise Problem(409, "bad-name", f"the bot of this token is called {program.name}")
    whose = own_key(key, "sit", program.hash, str(seat), data.nonce)
    return _Newcomer(program.name, program.hash, "", whose, program=True)


async def _check_room(app: AppState, program: Program, table: str, seat: int) -> None:
    """A token holds one seat of a table, and nobody can play at any number of them."""
    number = (await app.tables.find(table)).table.number
    held = dict(await asyncio.to_thread(app.store.seats_of, program))
    if held.get(table, seat) != seat:
        words = f"{program.name} sits at this table already"
        raise Problem(409, "seated-already", words, {"number": number})
    if table not in held and len(held) >= MOST_TABLES:
        words = f"{program.name} sits at {MOST_TABLES} tables that are not over"
        raise Problem(409, "too-many-tables", words, {"number": number})


def _last_change(loaded: LoadedTable, seat: int) -> int:
    """The event since which the same person has this seat."""
    changes = [
        entry.number
        for entry in loaded.entries
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
    responses=error_responses(401, 404, 409, 503),
    security=TOKEN,
    status_code=200,
)
async def leave(
    app: StateDep,
    table: TableId,
    player: PlayerDep,
    key: Key = None,
) -> Done:
    events: list[AnyEvent | None] = []

    def deed(now: Table, seat: int) -> AnyEvent | None:
        events.append(now.leave(seat))
        return events[-1]

    async with app.seating(table):
        number = await player.act(deed, key, "leave")
        if events and isinstance(events[-1], Stood):
            await app.tables.let_go(table, player.holds)
            app.bot_streams.left(player.token, table)
    return Done(number)


@post(
    "/{table:str}/reclaim",
    summary="Take your seat back from the bot that plays for you",
    responses=error_responses(401, 404, 409, 503),
    security=TOKEN,
    status_code=200,
)
async def reclaim(player: PlayerDep, key: Key = None) -> Done:
    return Done(await player.act(lambda table, seat: table.reclaim(seat), key, "reclaim"))


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
async def forget(player: PlayerDep) -> Done:
    return Done(await forget_seat(player))
