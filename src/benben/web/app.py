"""The ASGI application: its routes, what they depend on, and its metrics."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import ModuleType
from typing import Any

from litestar import Litestar, Router
from litestar.datastructures import State
from litestar.di import Provide
from litestar.enums import ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Receive, Scope, Send

from benben.web import kits, pages
from benben.web.auth import DEPENDENCIES, require_ready
from benben.web.errors import handle_exception
from benben.web.middleware import Middleware, RouteMiddleware
from benben.web.openapi import completed, config
from benben.web.reminders import feeds
from benben.web.reminders import pages as mail
from benben.web.reminders import routes as reminders
from benben.web.requests import LARGEST_BODY
from benben.web.routes import (
    bots,
    client_errors,
    games,
    history,
    lab,
    lessons,
    moves,
    positions,
    puzzles,
    records,
    rematches,
    reviews,
    seats,
    server,
    tables,
)
from benben.web.state import AppState


class App:
    """An ASGI application, and the state of its server."""

    def __init__(self, asgi: ASGIApp, state: AppState) -> None:
        self._asgi, self.state = asgi, state

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


def create_app(state: AppState) -> App:
    """Return an application that opens its state at startup and closes it at shutdown."""

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        asyncio.get_running_loop().run_in_executor(None, pages.built_files)  # it takes a while
        await state.open()
        try:
            yield
        finally:
            await state.close()

    _declare_metrics(state)
    routes = _routes(
        lifespan=[lifespan],
        middleware=[RouteMiddleware(state.counts)],
        state=State({"benben": state}),
    )
    return App(Middleware(routes, state.counts, state.metrics), state)


def description() -> dict[str, Any]:
    """The OpenAPI document, without a server."""
    return completed(_routes().openapi_schema.to_schema())


def _routes(**options: Any) -> Litestar:
    return Litestar(
        [
            Router("/api", route_handlers=_api()),
            Router("/feeds", route_handlers=_handlers(feeds), tags=["feeds"]),
            Router("/mail", route_handlers=_handlers(mail), guards=[require_ready], tags=["mail"]),
            Router("/", route_handlers=_handlers(server), tags=["server"]),
            *_handlers(kits, pages),
        ],
        dependencies=DEPENDENCIES
        | {"game_reader": Provide(history.GameReader, sync_to_thread=False)},
        exception_handlers={Exception: handle_exception},
        logging_config=None,
        openapi_config=config(),
        request_max_body_size=LARGEST_BODY,
        **options,
    )


def _handlers(*modules: ModuleType) -> list[HTTPRouteHandler]:
    """All route handlers that are defined in these modules."""
    values = [each for module in modules for each in vars(module).values()]
    return [each for each in values if isinstance(each, HTTPRouteHandler)]


def _api() -> list[Router]:
    at_tables = _handlers(tables, seats, moves, rematches, history, reminders)
    return [
        Router("/tables", route_handlers=at_tables, tags=["tables"]),
        Router("/bots", route_handlers=_handlers(bots), guards=[require_ready], tags=["bots"]),
        Router("/", route_handlers=_handlers(games, lessons, positions), tags=["games"]),
        Router("/", route_handlers=_handlers(puzzles), tags=["puzzles"]),
        Router("/", route_handlers=_handlers(lab), tags=["lab"]),
        Router("/", route_handlers=_handlers(records), tags=["records"]),
        Router("/", route_handlers=_handlers(reviews), tags=["reviews"]),
        Router("/", route_handlers=_handlers(client_errors), tags=["server"]),
    ]


def _declare_metrics(state: AppState) -> None:
    """Declare the metrics that are read from the state when Prometheus asks."""
    gauge, counter = state.metrics.gauge, state.metrics.counter
    gauge("ready", "Whether tables are served.", lambda: state.ready)
    gauge(
        "background_running",
        "Whether background work runs: clocks, bots, heartbeats.",
        lambda: state.failure is None,
    )
    gauge(
        "games_failed",
        "Games that could not be loaded, or only without bots.",
        lambda: len(state.kernels.failed),
    )
    gauge("tables_live", "Tables in memory.", lambda: len(state.tables.sessions))
    gauge(
        "streams_open",
        "Open streams of events.",
        lambda: state.streams.open + state.bot_streams.open + state.opinions.open,
    )
    gauge("bots_thinking", "Thoughts under way.", lambda: state.tables.bot_pool.under_way)
    gauge("bots_waiting", "Thoughts that wait to begin.", lambda: state.tables.bot_pool.waiting)
    gauge(
        "bots_failing",
        "Tables whose bot could not move when it was last tried.",
        lambda: state.tables.bots_failing,
    )
    counter("events_stored", "Events stored by this server.", lambda: state.tables.stored)
    counter("moves", "Moves among them.", lambda: state.tables.moves)
    counter("bot_thoughts", "Thoughts that bots began.", lambda: state.tables.bot_pool.begun)
    counter(
        "bot_thinking_seconds",
        "Seconds that bots thought, all threads together.",
        lambda: state.tables.bot_pool.seconds,
    )
    counter(
        "client_errors", "Errors that browsers have reported.", lambda: state.client_errors.count
    )
