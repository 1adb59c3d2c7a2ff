"""The application: made once for a server, opened when it starts, closed when it ends."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from litestar import Litestar, Response, Router, get
from litestar.datastructures import State
from litestar.di import Provide

from benben.table.hall import BOT_DELAY
from benben.table.store import Store
from benben.web import (
    bots,
    feeds,
    games,
    looking,
    pages,
    playing,
    records,
    reminders,
    seats,
    tables,
)
from benben.web.callers import TheHouse, player, program, sitter, viewer, when_ready
from benben.web.courier import PAUSES
from benben.web.errors import Problem, answer
from benben.web.express import Express
from benben.web.gate import Gate
from benben.web.house import House
from benben.web.limits import Limits
from benben.web.metrics import written
from benben.web.openapi import config, troubles
from benben.web.outside import Outside
from benben.web.requests import LARGEST_BODY
from benben.web.streams import KEEP_ALIVE


def create_app(
    store_url: str | None = None,
    *,
    store: Store | None = None,
    bot_delay: float = BOT_DELAY,
    keep_alive: float = KEEP_ALIVE,
    limits: Limits | None = None,
    outside: Outside | None = None,
    mail_pauses: Sequence[float] = PAUSES,
) -> Litestar:
    """Tables are kept in the store, which is given open or opened by its URL when the app starts.

    Either way it is closed with the app.
    """
    house = House(
        store_url,
        store=store,
        bot_delay=bot_delay,
        keep_alive=keep_alive,
        outside=outside or Outside(),
        mail_pauses=mail_pauses,
    )

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        await house.open()
        try:
            yield
        finally:
            await house.close()

    app = Litestar(
        [_api(), _feeds(), healthz, readyz, metrics, pages.page, pages.file],
        dependencies={"house": Provide(_house, sync_to_thread=False)},
        exception_handlers={Exception: answer},
        lifespan=[lifespan],
        logging_config=None,
        openapi_config=config(),
        request_max_body_size=LARGEST_BODY,
        state=State({"house": house}),
    )
    app.asgi_handler = Gate(Express(app.asgi_handler, house), limits or Limits(), house.counts)
    return app


def _house(state: State) -> House:
    house: TheHouse = state.house
    return house


def _api() -> Router:
    at_tables = Router(
        "/tables",
        route_handlers=[
            tables.open_table,
            tables.open_tables,
            tables.mine,
            tables.see_table,
            tables.events,
            seats.sit,
            seats.leave,
            seats.reclaim,
            seats.forget,
            bots.invite,
            playing.move,
            playing.undo,
            playing.answer_undo,
            playing.resign,
            playing.chat,
            playing.rematch,
            playing.record,
            looking.see_history,
            looking.odds,
            reminders.remind,
            reminders.stop,
        ],
        dependencies={
            "viewer": Provide(viewer),
            "player": Provide(player),
            "sitter": Provide(sitter),
        },
        guards=[when_ready],
        tags=["tables"],
    )
    of_bots = Router(
        "/bots",
        route_handlers=[bots.register, bots.listening, bots.events, bots.forget],
        dependencies={"program": Provide(program)},
        guards=[when_ready],
        tags=["bots"],
    )
    on_the_shelf = [games.games, games.game, games.rulebook]
    alone = [records.check_record, reminders.house_card]
    return Router("/api", route_handlers=[*on_the_shelf, at_tables, of_bots, *alone])


def _feeds() -> Router:
    return Router(
        "/feeds",
        route_handlers=[feeds.feed, feeds.ask_to_stop, feeds.stop],
        guards=[when_ready],
        tags=["feeds"],
    )


@get("/healthz", summary="Whether the server is there", tags=["house"], media_type="text/plain")
async def healthz() -> str:
    return "well\n"


@get(
    "/readyz",
    summary="Whether it serves tables",
    responses=troubles(503),
    tags=["house"],
    media_type="text/plain",
)
async def readyz(house: TheHouse) -> str:
    if not house.ready:
        words = "the server is still preparing the games"
        raise Problem(503, "warming-up", words, headers={"Retry-After": "2"})
    return "ready\n"


@get("/metrics", summary="For Prometheus", tags=["house"], media_type="text/plain")
async def metrics(house: TheHouse) -> Response[str]:
    streams = house.streams.open + house.programs.open
    text = written(house.counts, house.hall, streams, house.ready)
    return Response(text, media_type="text/plain; version=0.0.4")
