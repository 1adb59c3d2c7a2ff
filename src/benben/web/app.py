"""The ASGI application: its routes, what they depend on, and its metrics."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeAlias

from litestar import Litestar, Request, Response, Router, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from benben.web import kits, pages
from benben.web.auth import (
    StateDep,
    address,
    holder,
    program,
    require_ready,
    shown_token,
    sitter,
    token,
    viewer,
)
from benben.web.errors import ApiError, handle_exception
from benben.web.metrics import CONTENT_TYPE
from benben.web.middleware import Limiter, Middleware, RouteMiddleware
from benben.web.openapi import completed, config, error_responses
from benben.web.reminders import feeds
from benben.web.reminders import pages as mail
from benben.web.reminders import routes as reminders
from benben.web.requests import LARGEST_BODY
from benben.web.routes import (
    bots,
    games,
    history,
    lab,
    lessons,
    moves,
    opinions,
    positions,
    puzzles,
    records,
    rematches,
    reviews,
    seats,
    tables,
)
from benben.web.state import AppState


class App:
    """An ASGI application, and the state of its server."""

    def __init__(self, asgi: ASGIApp, routes: Litestar, state: AppState) -> None:
        self._asgi, self._routes, self.state = asgi, routes, state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            send = self._without_traceback(send)
        await self._asgi(scope, receive, send)

    def _without_traceback(self, send: Send) -> Send:
        """Remove the traceback of a start-up error, so that only the command reports it."""

        async def sending(message: Any) -> None:
            if message["type"] == "lifespan.startup.failed" and self.state.failure is not None:
                message = {"type": message["type"]}
            await send(message)

        return sending

    def description(self) -> dict[str, Any]:
        """The OpenAPI document, also of an application that has not started."""
        return completed(self._routes.openapi_schema.to_schema())


def create_app(state: AppState) -> App:
    """Return an application that opens its state at startup and closes it at shutdown."""

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        asyncio.get_running_loop().run_in_executor(None, pages.load)
        await state.open()
        try:
            yield
        finally:
            await state.close()

    for name, about, read in _GAUGES:
        state.metrics.gauge(name, about, partial(read, state))
    for name, about, read in _COUNTERS:
        state.metrics.counter(name, about, partial(read, state))
    limiter = Limiter(state.counts)
    mail_routes = [mail.ask_to_confirm, mail.confirm, mail.ask_to_stop, mail.stop, mail.allow]
    routes = Litestar(
        [
            _api(),
            Router("/feeds", route_handlers=[feeds.feed], tags=["feeds"]),
            Router("/mail", route_handlers=mail_routes, guards=[require_ready], tags=["mail"]),
            healthz,
            readyz,
            metrics,
            kits.kit,
            pages.page,
            pages.diagram,
            pages.file,
        ],
        dependencies={
            "app": Provide(_state, sync_to_thread=False),
            "address": Provide(address),
        },
        exception_handlers={Exception: handle_exception},
        lifespan=[lifespan],
        logging_config=None,
        middleware=[RouteMiddleware(limiter)],
        openapi_config=config(),
        request_max_body_size=LARGEST_BODY,
        state=State({"benben": state}),
    )
    return App(Middleware(routes, limiter, state.metrics), routes, state)


# Metrics that are read from the state when Prometheus asks.
_Read: TypeAlias = Callable[[AppState], float]
_GAUGES: list[tuple[str, str, _Read]] = [
    ("ready", "Whether tables are served.", lambda state: state.ready),
    (
        "background_running",
        "Whether background work runs: clocks, bots, heartbeats.",
        lambda state: state.failure is None,
    ),
    (
        "games_failed",
        "Games that could not be loaded, or only without bots.",
        lambda state: len(state.kernels.failed),
    ),
    ("tables_live", "Tables in memory.", lambda state: state.tables.in_memory),
    (
        "streams_open",
        "Open streams of events.",
        lambda state: state.streams.open + state.bot_streams.open + state.opinions.open,
    ),
    ("bots_thinking", "Thoughts under way.", lambda state: state.tables.bot_pool.under_way),
    ("bots_waiting", "Thoughts that wait to begin.", lambda state: state.tables.bot_pool.waiting),
    (
        "bots_failing",
        "Tables whose bot could not move when it was last tried.",
        lambda state: state.tables.bots_failing,
    ),
]
_COUNTERS: list[tuple[str, str, _Read]] = [
    ("events_stored", "Events stored by this server.", lambda state: state.tables.stored),
    ("moves", "Moves among them.", lambda state: state.tables.moves),
    ("bot_thoughts", "Thoughts that bots began.", lambda state: state.tables.bot_pool.begun),
    (
        "bot_thinking_seconds",
        "Seconds that bots thought, all threads together.",
        lambda state: state.tables.bot_pool.seconds,
    ),
]


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
            seats.commit,
            seats.reveal,
            seats.seat_bot,
            seats.leave,
            seats.reclaim,
            seats.forget,
            bots.invite,
            moves.move,
            moves.hint,
            moves.undo,
            moves.answer_undo,
            moves.resign,
            moves.chat,
            rematches.rematch,
            rematches.decline,
            moves.record,
            history.see_history,
            history.odds,
            history.refusals,
            reminders.remind,
            reminders.stop,
        ],
        dependencies={
            "viewer": Provide(viewer),
            "holder": Provide(holder),
            "token": Provide(token),
            "shown_token": Provide(shown_token),
            "sitter": Provide(sitter),
        },
        tags=["tables"],
    )
    of_bots = Router(
        "/bots",
        route_handlers=[bots.register, bots.listening, bots.events, bots.forget],
        dependencies={"program": Provide(program)},
        guards=[require_ready],
        tags=["bots"],
    )
    on_the_shelf = [
        games.games,
        games.game,
        games.rulebook,
        games.rulebook_page,
        lessons.lesson,
        lessons.show_lesson,
        positions.show_position,
        puzzles.of_today,
        puzzles.listed,
        puzzles.puzzle,
        puzzles.solution,
        puzzles.attempt,
        opinions.opinions,
        lab.reports,
        lab.report,
        lab.report_data,
    ]
    alone = [
        records.check_record,
        records.see_record,
        reviews.see_review,
        reviews.see_history,
        games.fairness,
        reminders.server_info,
    ]
    return Router("/api", route_handlers=[*on_the_shelf, at_tables, of_bots, *alone])


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
        raise app.not_ready()
    return "ready\n"


@get(
    "/metrics",
    summary="For Prometheus",
    responses=error_responses(403),
    tags=["server"],
    media_type="text/plain",
)
async def metrics(app: StateDep, request: Request[Any, Any, Any]) -> Response[bytes]:
    """Answered to this machine, and to the networks that the host has allowed."""
    if not app.settings.may_read_metrics(request.client.host if request.client else ""):
        raise ApiError(403, "local-only", "metrics are answered to this machine only")
    return Response(app.metrics.written(), media_type=CONTENT_TYPE)
