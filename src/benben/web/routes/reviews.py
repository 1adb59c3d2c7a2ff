"""Looking back at finished games: what turned them, and what each decision cost."""

import asyncio

from litestar import get
from litestar.params import FromPath

from benben.learn.reviews.review import Review
from benben.table.history import HistoryView, Played, history
from benben.table.table import Refused
from benben.web.auth import StateDep
from benben.web.openapi import error_responses


@get(
    "/reviews/{id:str}",
    summary="The review of a finished game, as far as it is",
    description=(
        "Of a table that is over, or of a record that was brought. Asking has it made, in the "
        "background: ask again until it is `complete`."
    ),
    responses=error_responses(404, 409, 503),
    tags=["reviews"],
)
async def see_review(app: StateDep, id: FromPath[str]) -> Review:  # noqa: A002
    return await app.reviews.review(id)


@get(
    "/reviews/{id:str}/history",
    summary="Every step of a finished game, with nothing hidden but what still is",
    description="The same as of a table, also for records that were brought.",
    responses=error_responses(404, 409, 503),
    tags=["reviews"],
)
async def see_history(app: StateDep, id: FromPath[str]) -> HistoryView:  # noqa: A002
    found = await app.reviews.find(id)
    if not found.table.closed:
        raise Refused("not-over", "the game is still on: it can be reviewed when it is over")
    loop = asyncio.get_running_loop()
    played = Played(found.table, found.entries)
    return await loop.run_in_executor(app.replaying, history, played, None)
