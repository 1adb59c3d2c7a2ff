"""Looking back at a game, and ahead at a throw or at what is refused."""

import asyncio
from typing import Annotated

from litestar import get
from litestar.params import QueryParameter

from benben.table.history import HistoryView, Played, history, risk
from benben.table.table import Refused
from benben.web.auth import StateDep, ViewerDep
from benben.web.openapi import TOKEN_OR_NOT, error_responses
from benben.web.responses import Odds, Refusals


@get(
    "/{table:str}/history",
    summary="Every step of the game so far, what was said, and what else happened",
    responses=error_responses(401, 404, 503),
    security=TOKEN_OR_NOT,
)
async def see_history(app: StateDep, viewer: ViewerDep) -> HistoryView:
    loaded = viewer.loaded
    played = Played(loaded.table, loaded.entries)  # as it is now: a thread may look at it
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(app.replaying, history, played, viewer.seat)


@get(
    "/{table:str}/odds",
    summary="How likely it is that the throw after a move is in vain",
    responses=error_responses(401, 404, 409, 422, 503),
    security=TOKEN_OR_NOT,
)
async def odds(
    app: StateDep,
    viewer: ViewerDep,
    move: Annotated[str, QueryParameter(description="A legal move, such as roll.", max_length=40)],
) -> Odds:
    table = viewer.loaded.table
    if table.position is None or table.to_move is None:
        raise Refused("not-on", "no move can be made at this table now", table.number)
    view, loop = table.position.view(viewer.seat), asyncio.get_running_loop()
    return Odds(await loop.run_in_executor(app.replaying, risk, table.game, view, move))


@get(
    "/{table:str}/refusals",
    summary="Why each move that is not legal now is refused",
    description="To the seat to move; nobody else is told anything.",
    responses=error_responses(401, 404, 503),
    security=TOKEN_OR_NOT,
)
async def refusals(app: StateDep, viewer: ViewerDep) -> Refusals:
    table = viewer.loaded.table
    number, position = table.number, table.position
    if position is None or not viewer.loaded.views.decides(viewer.seat):
        return Refusals(number, [])
    view, loop = position.view(viewer.seat), asyncio.get_running_loop()
    return Refusals(number, await loop.run_in_executor(app.replaying, view.refusals))
