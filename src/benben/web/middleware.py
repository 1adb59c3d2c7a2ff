"""Rate limits, the access log, metrics and security headers, for every request.

Every request that is not for a file of a page is charged before routing, including 404s and unusual
spellings of a path. Pages have buckets of their own. A route declares what it costs beyond that
(`opt={"cost": 10}`, or a function of the request's scope) and whether it is a stream
(`opt={"stream": True}`); this is applied once the route is known.

HEAD is answered as GET, without the body.

The log has paths without queries, and no headers, so that no token is in it. The keys in paths of
feeds and of links in mails are masked.
"""

import logging
import re
import time
from collections.abc import Awaitable, Iterable, Mapping
from urllib.parse import quote

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import (
    ASGIApp,
    HTTPReceiveMessage,
    HTTPResponseStartEvent,
    HTTPScope,
    Message,
    Receive,
    Scope,
    Send,
)

from benben.bots.levels import LEVELS
from benben.web.auth import token_hash
from benben.web.errors import ApiError, no_such_path, send_json
from benben.web.limits import Cost, Keys, Usage, address_keys
from benben.web.metrics import NOWHERE, Metrics
from benben.web.pages import is_file, is_page
from benben.web.state import AppState

log = logging.getLogger("benben.web.access")

HEADERS: Mapping[bytes, bytes] = {
    b"cache-control": b"no-store",
    b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'",
    b"cross-origin-resource-policy": b"same-origin",
    b"referrer-policy": b"no-referrer",
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
}
# Paths that are not normalised: an empty segment, a dot segment, a trailing slash, or an encoded
# character that needs no encoding. By RFC 3986 they are equivalent to the normalised path.
_NON_CANONICAL = re.compile(
    rb"//|/\.\.?(?:/|$)|./$|%(?:2[DEF]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])",
    re.IGNORECASE,
)
_PROBES = ("/healthz", "/readyz")  # never limited
_SECRET_PATH = re.compile(r"(/(?:feeds|mail)/).*", re.IGNORECASE)
LEVELS_PER_REQUEST = 3  # bot levels that cost as much as one request
_TOKEN_KEY_LENGTH = 16  # characters of a hash: enough to tell tokens apart
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")  # methods that change nothing


def charge(counts: Usage, scope: HTTPScope, cost: float = 1.0) -> None:
    """Raise 429 if an address or its token has sent too many requests.

    The address is charged even if the token is refused.
    """
    counts.addresses.charge(_addresses(scope), cost)
    counts.tokens.charge(_tokens(scope), cost)


def charge_instead(counts: Usage, scope: HTTPScope, cost: float) -> None:
    """Charge a request that was charged 1 before."""
    counts.addresses.refund(_addresses(scope), 1.0)
    counts.tokens.refund(_tokens(scope), 1.0)
    charge(counts, scope, cost)


def charge_for_bots(app: AppState, scope: HTTPScope, levels: Iterable[int]) -> None:
    """Charge a request for bots of these levels: higher levels think longer.

    Invalid levels are ignored here, and refused elsewhere.
    """
    cost = sum(level for level in levels if level in LEVELS) / LEVELS_PER_REQUEST
    if cost:
        charge_instead(app.counts, scope, 1 + cost)


class Middleware:
    """Wraps the whole application, so that 404s too are limited, counted and logged."""

    def __init__(self, app: ASGIApp, counts: Usage, metrics: Metrics) -> None:
        self._app, self._counts, self._metrics = app, counts, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        began, status, method = time.perf_counter(), 0, scope["method"]
        if method == "HEAD":
            scope, send = {**scope, "method": "GET"}, _without_body(send)
            scope.setdefault("state", {})["head"] = True  # streams end after their headers

        # Not a coroutine: it is called for every message of every stream, and awaits nothing.
        def send_recorded(message: Message) -> Awaitable[None]:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _add_security_headers(message)
                self._metrics.answered(method, status)
            return send(message)

        try:
            self._check(scope)
        except ApiError as error:
            await send_json(error.status, error.body, send_recorded, error.headers)
        else:
            await self._app(scope, receive, send_recorded)
        finally:
            self._record(scope, method, status, time.perf_counter() - began)

    def _record(self, scope: HTTPScope, method: str, status: int, seconds: float) -> None:
        if status and not (status == 200 and _option(scope, "stream")):
            route = scope.get("path_template") or NOWHERE
            self._metrics.took(route, method, status, seconds)
        level = logging.DEBUG if status == 200 and _option(scope, "quiet") else logging.INFO
        if log.isEnabledFor(level):
            path = _SECRET_PATH.sub(r"\1***", quote(scope["path"][:200]))
            took = 1000 * seconds
            log.log(level, "%s %s %s %d %.1f ms", _host(scope), method, path, status, took)

    def _check(self, scope: HTTPScope) -> None:
        """Raise ApiError if a request is limited, or its path is not normalised."""
        non_canonical = _NON_CANONICAL.search(scope["raw_path"]) is not None
        path = scope["path"]
        if non_canonical or path.startswith("/api/") or scope["method"] != "GET":  # most requests
            charge(self._counts, scope)
        elif is_page(path):
            self._counts.pages.charge(_addresses(scope), 1.0)
        elif path not in _PROBES and not is_file(path):
            charge(self._counts, scope)
        if non_canonical:
            raise no_such_path()


class RouteMiddleware(ASGIMiddleware):
    """Applies the options of the route that the framework has found."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, counts: Usage) -> None:
        self._counts = counts

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        assert scope["type"] == ScopeType.HTTP
        options = scope["route_handler"].opt
        cost: Cost | None = options.get("cost")
        if cost is not None:
            charge_instead(self._counts, scope, cost(scope) if callable(cost) else cost)
        if scope["method"] not in _SAFE_METHODS and scope["path"].startswith("/api/"):
            _check_sender(scope)
        if _option(scope, "stream"):
            received = _require_full_body(receive) if scope["method"] == "POST" else receive
            with self._counts.streams.hold(_addresses(scope)):
                await next_app(scope, received, send)
        else:
            await next_app(scope, _require_full_body(receive), send)


def _require_full_body(receive: Receive) -> Receive:
    """Raise 400 if the client disconnects within the body; Litestar would log an error."""
    more = True

    async def receive_all() -> HTTPReceiveMessage:
        nonlocal more
        message: HTTPReceiveMessage = await receive()  # type: ignore[assignment]
        if message["type"] == "http.disconnect" and more:
            raise ApiError(400, "bad-request", "the request broke off")  # nobody reads this
        more = message["type"] == "http.request" and message.get("more_body", False)
        return message

    return receive_all


def _option(scope: HTTPScope, name: str) -> bool:
    """Whether the route of a request has an option. False if no route was found."""
    handler = scope.get("route_handler")
    return handler is not None and bool(handler.opt.get(name))


def _check_sender(scope: HTTPScope) -> None:
    """Raise 403 or 415 if a page of another site may have sent this request (CSRF).

    A browser sends JSON to another site only after a preflight request, which is refused.
    """
    headers = dict(scope["headers"])
    if headers.get(b"sec-fetch-site") == b"cross-site":
        raise ApiError(403, "cross-site", "a page of another website cannot change anything here")
    has_body = headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers
    kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
    if has_body and kind != b"application/json":
        raise ApiError(
            415, "not-json", "the body must be JSON: send Content-Type: application/json"
        )


def _without_body(send: Send) -> Send:
    """Send the headers of a response only."""

    async def send_headers(message: Message) -> None:
        if message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await send(message)

    return send_headers


def _add_security_headers(message: HTTPResponseStartEvent) -> None:
    """Add the security headers that a response does not set itself."""
    headers = list(message["headers"])
    own = {name.lower() for name, _ in headers}
    headers += [each for each in HEADERS.items() if each[0] not in own]
    message["headers"] = headers


def _host(scope: HTTPScope) -> str:
    client = scope.get("client")
    return client[0] if client else "-"


def _addresses(scope: HTTPScope) -> Keys:
    """The keys by which a request is limited."""
    return address_keys(_host(scope))


def _tokens(scope: HTTPScope) -> Keys:
    """The key of a request's bearer token, if it has one."""
    token = token_hash(scope)
    return () if token is None else ((token[:_TOKEN_KEY_LENGTH], 1),)
