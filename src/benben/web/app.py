"""The application: made once for a server, opened when it starts, closed when it ends."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Request, Response, Router, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from benben.live.presence import GRACE_SECONDS
from benben.live.tables import BOT_MOVE_SECONDS
from benben.store.store import Store
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
from benben.web.limits import Limits, Usage
from benben.web.metrics import CONTENT_TYPE
from benben.web.middleware import Limiter, Middleware, RouteMiddleware
from benben.web.openapi import completed, config, error_responses
from benben.web.reminders import feeds
from benben.web.reminders import pages as mail
from benben.web.reminders import routes as reminders
from benben.web.reminders.mailer import PAUSES
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
from benben.web.settings import Settings
from benben.web.sse import KEEP_ALIVE
from benben.web.state import AppState


class App:
    """An ASGI application, and all that it has."""

    def __init__(self, asgi: ASGIApp, routes: Litestar, state: AppState) -> None:
        self._asgi, self._routes, self.state = asgi, routes, state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            send = self._without_traceback(send)
        await self._asgi(scope, receive, send)

    def _without_traceback(self, send: Send) -> Send:
        """Do not let the framework log a start-up error: the command reports it."""

        async def sending(message: Any) -> None:
            if message["type"] == "lifespan.startup.failed" and self.state.failure is not None:
                message = {"type": message["type"]}
            await send(message)

        return sending

    def description(self) -> dict[str, Any]:
        """What `/api/openapi.json` has; the app need not be open."""
        return completed(self._routes.openapi_schema.to_schema())


def create_app(
    store_url: str | None = None,
    *,
    store: Store | None = None,
    bot_delay: float = BOT_MOVE_SECONDS,
    keep_alive: float = KEEP_ALIVE,
    thinkers: int | None = None,
    grace: float = GRACE_SECONDS,
    limits: Limits | None = None,
    settings: Settings | None = None,
    mail_pauses: Sequence[float] = PAUSES,
) -> App:
    """Tables are kept in the store, which is given open or opened by its URL when the app starts.

    Either way it is closed with the app. As many bots as `thinkers` think at once; unless told, as
    many as there are cores. People are still there for `grace` seconds after they have gone.
    """
    counts = Usage(limits or Limits())
    state = AppState(
        store_url,
        store=store,
        bot_delay=bot_delay,
        keep_alive=keep_alive,
        thinkers=thinkers,
        grace=grace,
        counts=counts,
        settings=settings or Settings(),
        mail_pauses=mail_pauses,
    )

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        asyncio.get_running_loop().run_in_executor(None, pages.load)
        await state.open()
        try:
            yield
        finally:
            await state.close()

    _measure(state)
    limiter = Limiter(counts)
    routes = Litestar(
        [
            _api(),
            _feeds(),
            _mail(),
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


def _measure(state: AppState) -> None:
    """What is counted elsewhere, and is read when Prometheus asks."""
    metrics = state.metrics
    metrics.gauge("ready", "Whether tables are served.", lambda: state.ready)
    metrics.gauge(
        "background_running",
        "Whether background work runs: clocks, bots, heartbeats.",
        lambda: state.failure is None,
    )
    metrics.gauge(
        "games_failed",
        "Games that could not be loaded, or only without bots.",
        lambda: len(state.kernels.failed),
    )
    metrics.gauge("tables_live", "Tables in memory.", lambda: state.tables.in_memory)
    metrics.gauge(
        "streams_open",
        "Open streams of events.",
        lambda: state.streams.open + state.bot_streams.open + state.opinions.open,
    )
    metrics.counter("events_stored", "Events stored by this server.", lambda: state.tables.stored)
    metrics.counter("moves", "Moves among them.", lambda: state.tables.moves)
    metrics.counter(
        "bot_thoughts", "Thoughts that bots began.", lambda: state.tables.bot_pool.begun
    )
    metrics.counter(
        "bot_thinking_seconds",
        "Seconds that bots thought, all threads together.",
        lambda: state.tables.bot_pool.seconds,
    )
    metrics.gauge("bots_thinking", "Thoughts under way.", lambda: state.tables.bot_pool.under_way)
    metrics.gauge(
        "bots_waiting", "Thoughts that wait to begin.", lambda: state.tables.bot_pool.waiting
    )
    metrics.gauge(
        "bots_failing",
        "Tables whose bot could not move when it was last tried.",
        lambda: state.tables.bots_failing,
    )


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


def _feeds() -> Router:
    return Router(
        "/feeds",
        route_handlers=[feeds.feed],
        tags=["feeds"],
    )


def _mail() -> Router:
    return Router(
        "/mail",
        route_handlers=[mail.ask_to_confirm, mail.confirm, mail.ask_to_stop, mail.stop, mail.allow],
        guards=[require_ready],
        tags=["mail"],
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
        raise app.not_ready()
    return "ready\n"


@get(
    "/metrics",
    summary="For Prometheus",
    description="Answered to this machine, and to the networks that the host has allowed.",
    responses=error_responses(403),
    tags=["server"],
    media_type="text/plain",
)
async def metrics(app: StateDep, request: Request[Any, Any, Any]) -> Response[bytes]:
    if not app.settings.may_read_metrics(request.client.host if request.client else ""):
        raise ApiError(403, "local-only", "metrics are answered to this machine only")
    return Response(app.metrics.written(), media_type=CONTENT_TYPE)
