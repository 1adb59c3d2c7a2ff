"""What every request meets, whatever it asks for: limits, the log, the count, the headers.

Whatever is no file of a page takes a drop before anything is looked for, so nothing is free by
leading nowhere, nor by the way its path is spelled. Pages have buckets of their own. What a route
costs beyond that, and whether it is a stream, is said where the route is (`opt={"cost": 10}`, or a
function of the request's scope; `opt={"stream": True}`) and heeded when the framework has found it.

HEAD is answered as GET, without the body.

The log has the path without its query, and no header: so there is no token in it. Of a feed's path
it has no key.
"""

import logging
import math
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import TypeAlias
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
from benben.web.errors import ApiError, no_such_path, send_problem
from benben.web.limits import Buckets, Counts, Keys, address_keys, give_back, take
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
# Another way to write a path that has a plainer one: an empty step, a step that stays or goes back,
# a slash at the end, or `%` before what needs none. RFC 3986 calls these the same as the plain one.
_ODD = re.compile(
    rb"//|/\.\.?(?:/|$)|./$|%(?:2[DEF]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])",
    re.IGNORECASE,
)
_PROBES = ("/healthz", "/readyz")  # whoever watches over the server is never put off
_KEY = re.compile(r"(/(?:feeds|mail)/).*", re.IGNORECASE)
LEVELS_PER_DROP = 3  # of bots: a table with three of level 6 costs 1 + 6 drops
_SHORT = 16  # signs of a hash: enough to tell tokens apart
_FULL = 10.0  # seconds until another stream may find room
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")  # methods that change nothing

Cost: TypeAlias = float | Callable[[HTTPScope], float]  # of a route, in drops


class _HeadersSent(BaseException):
    """A stream was asked for by HEAD: its headers are sent, and it is not to begin.

    It has to reach us through the framework, which answers every Exception.
    """


class Limiter:
    """How much each address, and each token, has asked for, and how many streams are open."""

    def __init__(self, counts: Counts) -> None:
        self._addresses, self._tokens = counts.addresses, counts.tokens
        self._pages, self._streams = counts.pages, counts.streams

    def take(self, scope: HTTPScope, drops: float = 1.0) -> None:
        """Problem if that is too much now. What a token may not have still counts as asked."""
        wait = self._wait(self._addresses, scope, drops)
        if wait == 0 and (token := self._token(scope)) is not None:
            wait = self._tokens.wait(token, drops)
        _refuse(wait)

    def take_page(self, scope: HTTPScope) -> None:
        """Problem if an address has asked for too many pages."""
        _refuse(self._wait(self._pages, scope, 1.0))

    def take_instead(self, scope: HTTPScope, drops: float) -> None:
        """As `take`, for what has taken one already."""
        give_back(self._addresses, _addresses(scope), 1.0)
        if (token := self._token(scope)) is not None:
            self._tokens.give_back(token)
        self.take(scope, drops)

    def _wait(self, buckets: Buckets, scope: HTTPScope, drops: float) -> float:
        return take(buckets, _addresses(scope), drops) if buckets.rate > 0 else 0.0

    @contextmanager
    def stream(self, scope: HTTPScope) -> Iterator[None]:
        """A place for a stream until it ends, however it ends; Problem if there is none."""
        addresses = _addresses(scope)
        for key, times in addresses:
            if not self._streams.room_for(key, times):
                words = f"{self._streams.each * times} streams are open from here: close one first"
                raise ApiError(429, "too-many-streams", words, headers=_retry(_FULL))
        if self._streams.full:
            words = "too many streams are open: try again later, or ask for the table itself"
            raise ApiError(503, "too-many-streams", words, headers=_retry(_FULL))
        with self._streams.taken(*[key for key, _ in addresses]):
            yield

    def _token(self, scope: HTTPScope) -> str | None:
        """By which the token that is shown is counted, if tokens have a limit."""
        if self._tokens.rate <= 0:
            return None
        token = token_hash(scope)
        return None if token is None else token[:_SHORT]


def take_for_bots(app: AppState, scope: HTTPScope, levels: Iterable[int]) -> None:
    """Charge for bots of these levels, beyond what the request has taken already.

    The higher their levels, the more they will think. Problem if that is too much now. What is no
    level is refused elsewhere.
    """
    drops = sum(level for level in levels if level in LEVELS) / LEVELS_PER_DROP
    if drops:
        Limiter(app.counts).take_instead(scope, 1 + drops)


class Middleware:
    """Around the whole application, so that also what leads nowhere is counted and limited."""

    def __init__(self, app: ASGIApp, limiter: Limiter, metrics: Metrics) -> None:
        self._app, self._limiter, self._metrics = app, limiter, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        began, status, method = time.perf_counter(), 0, scope["method"]
        if method == "HEAD":
            scope, send = {**scope, "method": "GET"}, _without_body(send)

        # It awaits nothing of its own, and is asked for every message of every stream.
        def noting(message: Message) -> Awaitable[None]:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _protect(message)
                self._metrics.answered(method, status)
            return send(message)

        try:
            try:
                self._check(scope)
            except ApiError as problem:
                await send_problem(problem, noting)
            else:
                await self._app(scope, receive, noting)
        except _HeadersSent:
            pass
        finally:
            self._note(scope, method, status, time.perf_counter() - began)

    def _note(self, scope: HTTPScope, method: str, status: int, seconds: float) -> None:
        if status and not (status == 200 and _option(scope, "stream")):
            route = scope.get("path_template") or NOWHERE
            self._metrics.took(route, method, status, seconds)
        level = logging.DEBUG if status == 200 and _option(scope, "quiet") else logging.INFO
        if log.isEnabledFor(level):
            path = _KEY.sub(r"\1***", quote(scope["path"][:200]))
            took = 1000 * seconds
            log.log(level, "%s %s %s %d %.1f ms", _host(scope), method, path, status, took)

    def _check(self, scope: HTTPScope) -> None:
        """Problem if this is not answered, or not now."""
        odd = _ODD.search(scope["raw_path"]) is not None
        path = scope["path"]
        if odd or path.startswith("/api/") or scope["method"] != "GET":  # most of what is asked
            self._limiter.take(scope)
        elif is_page(path):
            self._limiter.take_page(scope)
        elif path not in _PROBES and not is_file(path):
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
        cost: Cost | None = said.get("cost")
        if cost is not None:
            self._limiter.take_instead(scope, cost(scope) if callable(cost) else cost)
        if scope["method"] not in _SAFE_METHODS and scope["path"].startswith("/api/"):
            _check_sender(scope)
        if _option(scope, "stream"):
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
            raise ApiError(400, "bad-request", "the request broke off")  # nobody reads this
        more = message["type"] == "http.request" and message.get("more_body", False)
        return message

    return receive_all


def _option(scope: HTTPScope, name: str) -> bool:
    """Whether the route of a request has an option; False if no route was found."""
    handler = scope.get("route_handler")
    return handler is not None and bool(handler.opt.get(name))


def _check_sender(scope: HTTPScope) -> None:
    """Problem if another website may have made a browser send this, without asking us first.

    A browser asks before it sends JSON elsewhere, and is refused.
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
    """Sends the headers of an answer alone; a stream ends with them."""

    async def send_headers(message: Message) -> None:
        if message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await send(message)
        if message["type"] == "http.response.start" and _begins_stream(message):
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            raise _HeadersSent

    return send_headers


def _begins_stream(message: HTTPResponseStartEvent) -> bool:
    kind = dict(message["headers"]).get(b"content-type", b"")
    return kind.startswith(b"text/event-stream")


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


def _addresses(scope: HTTPScope) -> Keys:
    """The keys that limits count a request by."""
    return address_keys(_host(scope))


def _refuse(wait: float) -> None:
    if wait > 0:
        words = "too many requests: wait a moment"
        raise ApiError(429, "too-many-requests", words, headers=_retry(wait))


def _retry(seconds: float) -> dict[str, str]:
    return {"Retry-After": str(math.ceil(seconds))}
