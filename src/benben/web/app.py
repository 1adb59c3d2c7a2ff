"""The application: made once for a server, opened when it starts, closed when it ends."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from litestar import Litestar, Response, Router, get
from litestar.datastructures import State
from litestar.di import Provide

from benben.table.store import Store
from benben.table.tables import BOT_DELAY
from benben.web import pages
from benben.web.auth import StateDep, player, program, sitter, viewer, when_ready
from benben.web.errors import answer
from benben.web.fast_moves import FastMoves
from benben.web.limits import Limits
from benben.web.metrics import written
from benben.web.middleware import Middleware
from benben.web.openapi import config, error_responses
from benben.web.reminders import feeds
from benben.web.reminders import routes as reminders
from benben.web.reminders.mailer import PAUSES
from benben.web.requests import LARGEST_BODY
from benben.web.routes import bots, games, history, moves, records, seats, tables
from benben.web.settings import Settings
from benben.web.state import AppState
from benben.web.streams import KEEP_ALIVE


def create_app(
    store_url: str | None = None,
    *,
    store: Store | None = None,
    bot_delay: float = BOT_DELAY,
    keep_alive: float = KEEP_ALIVE,
    limits: Limits | None = None,
    settings: Settings | None = None,
    mail_pauses: Sequence[float] = PAUSES,
) -> Litestar:
    """Tables are kept in the store, which is given open or opened by its URL when the app starts.

    Either way it is closed with the app.
    """
    state = AppState(
        store_url,
        store=store,
        bot_delay=bot_delay,
        keep_alive=keep_alive,
        settings=settings or Settings(),
        mail_pauses=mail_pauses,
    )

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        await state.open()
        try:
            yield
        finally:
            await state.close()

    app = Litestar(
        [_api(), _feeds(), healthz, readyz, metrics, pages.page, pages.file],
        dependencies={"app": Provide(_state, sync_to_thread=False)},
        exception_handlers={Exception: answer},
        lifespan=[lifespan],
        logging_config=None,
        openapi_config=config(),
        request_max_body_size=LARGEST_BODY,
        state=State({"benben": state}),
    )
    app.asgi_handler = Middleware(
        FastMoves(app.asgi_handler, state), limits or Limits(), state.counts
    )
    return app


def _state(state: State) -> AppState:
    ours: StateDep = state.benben
    return ours


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
            moves.move,
            moves.undo,
            moves.answer_undo,
            moves.resign,
            moves.chat,
            moves.rematch,
            moves.record,
            history.see_history,
            history.odds,
            reminders.remind,
            reminders.stop,
        ],
        dependencies={
            "viewer": Provide(viewer),
            "player": Provide(player),
            "sitter": Provide(sitter),
        },
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
    alone = [records.check_record, reminders.server_info]
    return Router("/api", route_handlers=[*on_the_shelf, at_tables, of_bots, *alone])


def _feeds() -> Router:
    return Router(
        "/feeds",
        route_handlers=[feeds.feed, feeds.ask_to_stop, feeds.stop],
        tags=["feeds"],
    )


@get("/healthz", summary="Whether the server is there", tags=["server"], media_type="text/plain")
async def healthz() -> str:
    return "well\n"


@get(
    "/readyz",
    summary="Whether it serves tables of every game",
    responses=error_responses(503),
    tags=["server"],
    media_type="text/plain",
)
async def readyz(app: StateDep) -> str:
    if not app.ready:
        raise app.preparation.not_ready()
    return "ready\n"


@get("/metrics", summary="For Prometheus", tags=["server"], media_type="text/plain")
async def metrics(app: StateDep) -> Response[str]:
    streams = app.streams.open + app.bot_streams.open
    text = written(app.counts, app.tables, streams, app.ready)
    return Response(text, media_type="text/plain; version=0.0.4")
