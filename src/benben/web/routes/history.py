"""The history of a game, the odds of a throw, and why moves are refused."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

import msgspec
from litestar import MediaType, Request, Response, get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import QueryParameter, SkipValidation

from benben.table.history import STEPS_PER_PAGE, HistoryView, Played, history, risk
from benben.table.record import TableRecord
from benben.table.table import Refused
from benben.web.auth import AddressDep, StateDep, ViewerDep
from benben.web.middleware import charge
from benben.web.openapi import for_viewers
from benben.web.responses import Odds, Refusals

EVENTS_PER_REQUEST = 500  # a longer game costs as much as several requests

FirstStep: TypeAlias = Annotated[
    int,
    QueryParameter(
        description="The first step of the page, as `next` of the page before.", ge=0, le=1_000_000
    ),
]

GAME_PAGE = {200: ResponseSpec(HistoryView, description="A page of the game.")}
GAME_RECORD = {200: ResponseSpec(TableRecord, description="The whole record.")}

_encode = msgspec.json.Encoder().encode


@dataclass
class GameReader:
    """Reads whole games for one request, outside the event loop."""

    app: StateDep
    address: AddressDep
    request: Request[Any, Any, Any]

    async def answer(self, events: int, build: Callable[[], msgspec.Struct]) -> Response[bytes]:
        """Build and encode an answer that grows with its game.

        Long games cost more; raise 429 if the client has sent too many requests.
        """
        if events > EVENTS_PER_REQUEST:  # the middleware has counted one
            charge(self.app.counts, self.request.scope, events // EVENTS_PER_REQUEST)
        body = await self.app.replaying.run(self.address, lambda: _encode(build()))
        return Response(body, media_type=MediaType.JSON)

    async def page(self, played: Played, seat: int | None, first: int) -> Response[bytes]:
        """One page. The first one costs as much as the whole game, as it reads all events."""
        events = 0 if first else len(played.entries)
        return await self.answer(events, lambda: history(played, seat, first))


ReaderDep: TypeAlias = NamedDependency[SkipValidation[GameReader]]


@get(
    "/{table:str}/history",
    description=f"Up to {STEPS_PER_PAGE} steps from `first` on.",
    **for_viewers(
        "The steps of the game so far, what was said, and what else happened", answers=GAME_PAGE
    ),
)
async def see_history(
    game_reader: ReaderDep, viewer: ViewerDep, first: FirstStep = 0
) -> Response[bytes]:
    played = Played(viewer.session.table, viewer.session.entries)  # for a thread: as it is now
    return await game_reader.page(played, viewer.seat, first)


@get(
    "/{table:str}/odds",
    **for_viewers("How likely it is that the throw after a move is in vain", 409, 422),
)
async def odds(
    app: StateDep,
    address: AddressDep,
    viewer: ViewerDep,
    move: Annotated[str, QueryParameter(description="A legal move, such as roll.", max_length=40)],
) -> Odds:
    table = viewer.session.table
    if table.position is None or table.to_move is None:
        raise Refused("not-on", "no move can be made at this table now", table.number)
    view = table.position.view(viewer.seat)
    return Odds(await app.replaying.run(address, risk, table.game, view, move))


@get("/{table:str}/refusals", **for_viewers("Why each move that is not legal now is refused"))
async def refusals(app: StateDep, address: AddressDep, viewer: ViewerDep) -> Refusals:
    """For the seat to move; empty for everybody else."""
    table = viewer.session.table
    number, position = table.number, table.position
    if position is None or not viewer.session.views.decides(viewer.seat):
        return Refusals(number, [])
    view = position.view(viewer.seat)
    return Refusals(number, await app.replaying.run(address, view.refusals))
