"""Reviews of finished games: their turning points, and what each decision cost."""

from litestar import Response, get
from litestar.params import FromPath

from benben.learn.reviews.review import Review
from benben.table.history import Played
from benben.table.table import Refused
from benben.web.auth import AddressDep, StateDep
from benben.web.openapi import OF_FINISHED, route
from benben.web.routes.history import GAME_PAGE, FirstStep, ReaderDep


@get("/reviews/{id:str}", **route("The review of a finished game, as far as it is", *OF_FINISHED))
async def see_review(app: StateDep, address: AddressDep, id: FromPath[str]) -> Review:
    """The review of a table that is over, or of an uploaded record. The first request begins it in
    the background: repeat the request until it is `complete`.
    """
    return await app.reviews.review(id, address)


@get(
    "/reviews/{id:str}/history",
    **route(
        "The steps of a finished game, with nothing hidden but what still is",
        *OF_FINISHED,
        answers=GAME_PAGE,
    ),
)
async def see_history(
    game_reader: ReaderDep, id: FromPath[str], first: FirstStep = 0
) -> Response[bytes]:
    """The same as for a table, also for uploaded records."""
    found = await game_reader.app.reviews.find(id, game_reader.address)
    if not found.table.closed:
        raise Refused("not-over", "the game is still on: it can be reviewed when it is over")
    played = Played(found.table, found.entries)
    return await game_reader.page(played, None, first)
