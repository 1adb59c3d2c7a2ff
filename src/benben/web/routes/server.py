"""The server: whether it is ready, what it can do, and its metrics."""

from typing import Any

from litestar import Request, Response, get

from benben.web.auth import StateDep
from benben.web.errors import ApiError
from benben.web.metrics import CONTENT_TYPE
from benben.web.openapi import route
from benben.web.reach import is_near
from benben.web.responses import GameReadiness, ServerInfo
from benben.web.state import AppState


@get("/healthz", summary="Whether the server is there", media_type="text/plain")
async def healthz() -> str:
    return "well\n"


@get("/readyz", media_type="text/plain", **route("Whether it serves tables of every game", 503))
async def readyz(app: StateDep) -> str:
    if not app.ready:
        raise app.not_ready()
    return "ready\n"


@get("/metrics", media_type="text/plain", **route("For Prometheus", 403))
async def metrics(app: StateDep, request: Request[Any, Any, Any]) -> Response[bytes]:
    """Answered to this machine, and to the networks that the host has allowed."""
    if not app.settings.may_read_metrics(request.client.host if request.client else ""):
        raise ApiError(403, "local-only", "metrics are answered to this machine only")
    return Response(app.metrics.written(), media_type=CONTENT_TYPE)


@get("/api/server", **route("What this server can do"))
async def server_info(app: StateDep, request: Request[Any, Any, Any]) -> ServerInfo:
    games = [GameReadiness(each.game, each.ready, each.seconds) for each in app.kernels.progress]
    return ServerInfo(app.mailer.can_send, games, *_reach(app, request))


def _reach(app: AppState, request: Request[Any, Any, Any]) -> tuple[list[str], bool]:
    """The server's addresses for other machines, and whether only this machine can connect.

    Addresses in a private network are shown only there. Behind a proxy they would not work.
    """
    reach, client = app.reach, request.client
    if reach is None or reach.site:
        return [app.settings.address] if app.settings.address else [], False
    if "x-forwarded-for" in request.headers or client is None or not is_near(client.host):
        return [], False
    return reach.addresses, reach.is_local_only
