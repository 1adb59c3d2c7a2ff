"""Looking back at a game, and ahead at a throw."""

from typing import Annotated

from litestar import get
from litestar.params import QueryParameter

from benben.table.history import HistoryView, history, risk
from benben.table.table import Refused
from benben.web.auth import ViewerDep
from benben.web.errors import refusal
from benben.web.openapi import TOKEN_OR_NOT, error_responses
from benben.web.responses import Odds


@get(
    "/{table:str}/history",
    summary="Every step of the game so far, and what was said",
    responses=error_responses(401, 404, 503),
    security=TOKEN_OR_NOT,
)
async def see_history(viewer: ViewerDep) -> HistoryView:
    return history(viewer.loaded.table, viewer.loaded.entries, viewer.seat)


@get(
    "/{table:str}/odds",
    summary="How likely it is that the throw after a move is in vain",
    responses=error_responses(401, 404, 409, 422, 503),
    security=TOKEN_OR_NOT,
    sync_to_thread=True,
)
def odds(
    viewer: ViewerDep,
    move: Annotated[str, QueryParameter(description="A legal move, such as roll.", max_length=40)],
) -> Odds:
    table = viewer.loaded.table
    if table.position is None or table.to_move is None:
        raise refusal(Refused("not-on", "no move can be made at this table now"), table.number)
    return Odds(risk(table.game, table.position.view(viewer.seat), move))
