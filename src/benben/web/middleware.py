"""What every request meets, whatever it asks for: limits, the log, the count, the headers.

Whatever is no page takes a drop before anything is looked for, so nothing is free by leading
nowhere, nor by the way its path is spelled. What a route costs beyond that, and whether it is a
stream, is said where the route is (`opt={"cost": 10}`, `opt={"stream": True}`) and heeded when the
framework has found it.

The log has the path without its query, and no header: so there is no token in it. Of a feed's path
it has no key.
"""

import logging
import math
import re
import time
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
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

from benben.table.tokens import hashed
from benben.web.auth import bearer
from benben.web.errors import Problem, no_such_path, send_problem
from benben.web.fast_moves import is_for_moves
from benben.web.limits import Counts, address_key
from benben.web.metrics import MOVE, NOWHERE, Metrics
from benben.web.pages import is_page

log = logging.getLogger("benben.web.access")

HEADERS: Mapping[bytes, bytes] = {
    b"cache-control": b"no-store",
    b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'",
    b"cross-origin-resource-policy": b"same-origin",
    b"referrer-policy": b"no-referrer",
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
}
# Another way to write a path that has a plainer one: an empty step, a step that stays or goes back,
# a slash at the end, or `%` before what needs none. RFC 3986 calls these the same as the plain one.
_ODD = re.compile(
    rb"//|/\.\.?(?:/|$)|./$|%(?:2[DEF]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])",
    re.IGNORECASE,
)
_PROBES = ("/healthz", "/readyz")  # whoever watches over the server is never put off
_KEY = re.compile(r"(/(?:feeds|mail)/).*", re.IGNORECASE)
_SHORT = 16  # signs of a hash: enough to tell tokens apart
_FULL = 10.0  # seconds until another stream may find room


class Limiter:
    """How much each address, and each token, has asked for, and how many streams are open."""

    def __init__(self, counts: Counts) -> None:
        self._addresses, self._tokens = counts.addresses, counts.tokens
        self._streams = counts.streams

    def take(self, scope: HTTPScope, drops: float = 1.0) -> None:
        """Problem if that is too much now. What a token may not have still counts as asked."""
        wait = self._addresses.wait(_address(scope), drops)
        if wait == 0 and (token := self._token(scope)) is not None:
            wait = self._tokens.wait(token, drops)
        if wait > 0:
            words = "too many requests: wait a moment"
            raise Problem(429, "too-many-requests", words, headers=_retry(wait))

    def take_instead(self, scope: HTTPScope, drops: float) -> None:
        """As `take`, for what has taken one already."""
        self._addresses.give_back(_address(scope))
        if (token := self._token(scope)) is not None:
            self._tokens.give_back(token)
        self.take(scope, drops)

    @contextmanager
    def stream(self, scope: HTTPScope) -> Iterator[None]:
        """A place for a stream until it ends, however it ends; Problem if there is none."""
        address = _address(scope)
        if not self._streams.room_for(address):
            words = f"{self._streams.each} streams are open from here: close one first"
            raise Problem(429, "too-many-streams", words, headers=_retry(_FULL))
        if self._streams.full:
            words = "too many streams are open: try again later, or ask for the table itself"
            raise Problem(503, "too-many-streams", words, headers=_retry(_FULL))
        with self._streams.taken(address):
            yield

    def _token(self, scope: HTTPScope) -> str | None:
        """By which the token that is shown is counted, if tokens have a limit."""
        if self._tokens.rate <= 0:
            return None
        token = bearer(dict(scope["headers"]).get(b"authorization", b"").decode("latin-1"))
        return None if token is None else hashed(token)[:_SHORT]


class Middleware:
    """Around the whole application, so that also what leads nowhere is counted and limited."""

    def __init__(self, app: ASGIApp, limiter: Limiter, metrics: Metrics) -> None:
        self._app, self._limiter, self._metrics = app, limiter, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        # It awaits nothing of its own, and is asked for every message of every stream.
        def noting(message: Message) -> Awaitable[None]:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _protect(message)
                self._metrics.answered(scope["method"], status)
            return send(message)

        try:
            try:
                self._check(scope)
            except Problem as problem:
                await send_problem(problem, noting)
            else:
                await self._app(scope, receive, noting)
        finally:
            self._note(scope, status, time.perf_counter() - began)

    def _note(self, scope: HTTPScope, status: int, seconds: float) -> None:
        method, of_moves = scope["method"], is_for_moves(scope)
        if status and not (status == 200 and _is_stream(scope)):
            route = scope.get("path_template") or (MOVE if of_moves else NOWHERE)
            self._metrics.took(route, method, status, seconds)
        # A move that was made is in its table's record: there would be nothing but moves here.
        level = logging.DEBUG if of_moves and status == 200 else logging.INFO
        if log.isEnabledFor(level):
            path = _KEY.sub(r"\1***", quote(scope["path"][:200]))
            took = 1000 * seconds
            log.log(level, "%s %s %s %d %.1f ms", _host(scope), method, path, status, took)

    def _check(self, scope: HTTPScope) -> None:
        """Problem if this is not answered, or not now."""
        odd = _ODD.search(scope["raw_path"]) is not None
        if odd or not _is_free(scope):
            self._limiter.take(scope)
        if odd:
            raise no_such_path()


class RouteMiddleware(ASGIMiddleware):
    """Within the framework, where it is known which route was found."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, limiter: Limiter) -> None:
        self._limiter = limiter

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        assert scope["type"] == ScopeType.HTTP
        said = scope["route_handler"].opt
        if "cost" in said:
            self._limiter.take_instead(scope, said["cost"])
        if _is_stream(scope):
            received = _whole(receive) if scope["method"] == "POST" else receive
            with self._limiter.stream(scope):
                await next_app(scope, received, send)
        else:
            await next_app(scope, _whole(receive), send)


def _whole(receive: Receive) -> Receive:
    """What is received; Problem if it breaks off. For the framework that would be a mistake."""
    more = True

    async def receive_all() -> HTTPReceiveMessage:
        nonlocal more
        message: HTTPReceiveMessage = await receive()  # type: ignore[assignment]
        if message["type"] == "http.disconnect" and more:
            raise Problem(400, "bad-request", "the request broke off")  # nobody reads this
        more = message["type"] == "http.request" and message.get("more_body", False)
        return message

    return receive_all


def _is_stream(scope: HTTPScope) -> bool:
    """Whether its route is one; nothing is known before a route was found."""
    handler = scope.get("route_handler")
    return handler is not None and bool(handler.opt.get("stream"))


def _is_free(scope: HTTPScope) -> bool:
    """Whether it is a page, a file of a page, or a question whether the server is well."""
    path = scope["path"]
    if path.startswith("/api/"):  # most of what is asked
        return False
    return scope["method"] in ("GET", "HEAD") and (path in _PROBES or is_page(path))


def _protect(message: HTTPResponseStartEvent) -> None:
    """Strict headers on every answer; one that has its own keeps it."""
    headers = list(message["headers"])
    headers += _missing(tuple([name for name, _ in headers]))
    message["headers"] = headers


@lru_cache
def _missing(names: tuple[bytes, ...]) -> list[tuple[bytes, bytes]]:
    """Those that an answer with these has not: few kinds of answers are most of them."""
    own = {name.lower() for name in names}
    return [each for each in HEADERS.items() if each[0] not in own]


def _host(scope: HTTPScope) -> str:
    client = scope.get("client")
    return client[0] if client else "-"


def _address(scope: HTTPScope) -> str:
    """Whom limits count."""
    return address_key(_host(scope))


def _retry(seconds: float) -> dict[str, str]:
    return {"Retry-After": str(math.ceil(seconds))}
