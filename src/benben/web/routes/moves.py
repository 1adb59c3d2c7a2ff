"""All that whoever holds a seat may do with it in a game."""

import msgspec
from litestar import get, post
from litestar.params import JSONBody

from benben.table.events import AnyEvent, Rematched
from benben.table.record import Entry, TableRecord
from benben.table.table import Refused, Table
from benben.table.terms import Terms
from benben.table.views import event_view
from benben.web.auth import Key, Player, PlayerDep, StateDep, TableId, ViewerDep
from benben.web.errors import refusal
from benben.web.openapi import TOKEN, TOKEN_OR_NOT, error_responses
from benben.web.requests import Move, Say, UndoAnswer
from benben.web.responses import Done, Rematch


@post(
    "/{table:str}/move",
    summary="Play a move",
    responses=error_responses(401, 404, 409, 413, 422, 503),
    security=TOKEN,
    status_code=200,
)
async def move(player: PlayerDep, data: JSONBody[Move], key: Key = None) -> Done:
    return await play(player, data, key)


async def play(player: Player, wanted: Move, key: str | None) -> Done:
    """A move, whichever way it was asked for."""

    def deed(table: Table, seat: int) -> AnyEvent:
        return table.move(seat, wanted.move, wanted.number)

    return Done(await player.act(deed, key, "move"))


@post(
    "/{table:str}/undo",
    summary="Take back your last move, or ask the others whether you may",
    responses=error_responses(401, 404, 409, 503),
    security=TOKEN,
    status_code=200,
)
async def undo(player: PlayerDep, key: Key = None) -> Done:
    return Done(await player.act(lambda table, seat: table.ask_undo(seat), key, "undo"))


@post(
    "/{table:str}/undo/answer",
    summary="Let somebody take back a move, or not",
    responses=error_responses(401, 404, 409, 413, 503),
    security=TOKEN,
    status_code=200,
)
async def answer_undo(player: PlayerDep, data: JSONBody[UndoAnswer], key: Key = None) -> Done:
    def deed(table: Table, seat: int) -> AnyEvent:
        return table.answer_undo(seat, data.granted)

    return Done(await player.act(deed, key, "undo/answer"))


@post(
    "/{table:str}/resign",
    summary="Give up the game",
    responses=error_responses(401, 404, 409, 503),
    security=TOKEN,
    status_code=200,
)
async def resign(player: PlayerDep, key: Key = None) -> Done:
    return Done(await player.act(lambda table, seat: table.resign(seat), key, "resign"))


@post(
    "/{table:str}/chat",
    summary="Say something",
    responses=error_responses(401, 404, 409, 413, 503),
    security=TOKEN,
    status_code=200,
)
async def chat(player: PlayerDep, data: JSONBody[Say], key: Key = None) -> Done:
    def deed(table: Table, seat: int) -> AnyEvent:
        return table.say(seat, data.text, data.phrase)

    return Done(await player.act(deed, key, "chat"))


@post(
    "/{table:str}/rematch",
    summary="Go on at another table",
    description=(
        "After the end: opens a table of the same terms, where everybody's seat is the next one. "
        "Bots sit there already, people sit down as at any table. Asked again it is the same one."
    ),
    responses=error_responses(401, 404, 409, 503),
    security=TOKEN,
    status_code=200,
)
async def rematch(app: StateDep, table: TableId, player: PlayerDep) -> Rematch:
    async with app.seating(table):
        old = player.loaded.table
        if not old.closed:
            error = Refused("not-over", "the game is not over yet")
            raise refusal(error, old.number)
        if not old.rematch:
            other = await app.tables.open(lambda commitment: _turned(old, commitment))
            await player.act(lambda now, _: None if now.rematch else Rematched(other), None, "")
    return Rematch((await app.tables.find(table)).table.rematch)


def _turned(old: Table, commitment: str) -> Terms:
    """The same terms, with every bot one seat on from where it sat."""
    seats = len(old.seats)
    bots = [0] * seats
    for chosen, level in enumerate(old.terms.bots):
        bots[(old.order[chosen] + 1) % seats] = level
    return msgspec.structs.replace(
        old.terms, bots=tuple(bots), rules=old.game.rules.VERSION, commitment=commitment
    )


@get(
    "/{table:str}/record",
    summary="The record of a table",
    description="Before the end as you may know it; then everything, for anybody to check.",
    responses=error_responses(401, 404, 503),
    security=TOKEN_OR_NOT,
)
async def record(viewer: ViewerDep) -> TableRecord:
    loaded = viewer.loaded
    entries = loaded.entries
    if not loaded.table.closed:
        entries = [
            Entry(each.number, each.at, event_view(loaded.table, each.event, viewer.seat))
            for each in entries
        ]
    return TableRecord(id=loaded.id, terms=loaded.table.terms, entries=tuple(entries))
