"""Actions in a game, hints, and the record of a table."""

from collections.abc import Sequence

from litestar import Response, get, post
from litestar.params import JSONBody

from benben.learn import hints
from benben.table import actions
from benben.table.record import Entry, TableRecord
from benben.table.table import Table
from benben.table.views import options_view, visible_event
from benben.web.actions import action
from benben.web.auth import Key, StateDep, TablePath, TokenDep, ViewerDep
from benben.web.openapi import for_holders, for_viewers
from benben.web.requests import AskHint, Move, Say, UndoAnswer
from benben.web.responses import HintGiven
from benben.web.routes.history import GAME_RECORD, ReaderDep

move = action(
    actions.Move,
    "Play a move",
    body=Move,
    errors=(422,),
    quiet=True,  # the table's record has it
)


@post("/{table:str}/hints", **for_holders("Be given a hint", 409, 413, cost=5.0))  # a bot thinks
async def hint(
    app: StateDep, table: TablePath, token: TokenDep, data: JSONBody[AskHint], key: Key = None
) -> HintGiven:
    """For the seat to move, if all others are bots (else 409 `no-hints`). It is stored before it is
    returned. A seat's `hints` count the positions with hints: a stronger one in the same position,
    or the same again, is not counted again.
    """
    session = await app.tables.find(table)
    command = actions.AskHint(token, data.strength, data.number)
    number, thought = await app.tables.hints.advise(session, command, hints.adviser, key)
    assert isinstance(thought, hints.Advice)
    return HintGiven(number, hints.hint(thought, data.strength))


undo = action(actions.AskUndo, "Take back your last move, or ask the others whether you may")

answer_undo = action(
    actions.AnswerUndo, "Let somebody take back a move, or not", name="answer_undo", body=UndoAnswer
)

resign = action(
    actions.Resign,
    "Give up the game",
    description=(
        "It is over for all, or a bot plays on for you to the end: see `resign` of the table. If "
        "nobody else is left in the game it is over in any case."
    ),
)

chat = action(actions.Say, "Say something", body=Say)


@get("/{table:str}/record", **for_viewers("The record of a table", answers=GAME_RECORD))
async def record(game_reader: ReaderDep, viewer: ViewerDep) -> Response[bytes]:
    """Before the end only what you may know; after it everything, for anybody to verify."""
    session, seat = viewer.session, viewer.seat
    # Snapshots for a thread.
    name, table, entries = session.id, session.table, tuple(session.entries)
    if table.closed:
        whole = TableRecord(id=name, options=table.options, entries=entries)
        return await game_reader.answer(len(entries), lambda: whole)
    return await game_reader.answer(len(entries), lambda: _seen(name, table, entries, seat))


def _seen(name: str, table: Table, entries: Sequence[Entry], seat: int | None) -> TableRecord:
    """The part of an unfinished game's record that a viewer may know."""
    seen = (Entry(each.number, each.at, visible_event(table, each.event, seat)) for each in entries)
    return TableRecord(id=name, options=options_view(table), entries=tuple(seen))
