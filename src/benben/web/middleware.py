"""What every request is_transient, whatever it asks for: limits, the log, the count, the headers.

The log has the path without its query, and no header: so there is no token in it. Of a feed's path
it has no key.
"""

import logging
import math
import re
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from urllib.parse import quote

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPResponseStartEvent, HTTPScope, Message, Receive, Scope, Send

from benben.table.tokens import hashed
from benben.web.auth import bearer
from benben.web.errors import Problem, send_problem
from benben.web.fast_moves import is_for_moves
from benben.web.limits import Buckets, Limits, StreamSlots, neighbourhood
from benben.web.metrics import Counts

log = logging.getLogger("benben.web.access")

HEADERS: Mapping[bytes, bytes] = {
    b"cache-control": b"no-store",
    b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'",
    b"cross-origin-resource-policy": b"same-origin",
    b"referrer-policy": b"no-referrer",
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
}
_LIMITED = ("/api", "/feeds", "/mail")
_KEY = re.compile(r"(/(?:feeds|mail)/).*", re.IGNORECASE)
_COSTLY = {("POST", "/api/records"): 10.0, ("POST", "/api/bots"): 10.0}  # drops
_STREAM = "/events"
_FULL = 10.0  # seconds until another stream may find room


class Middleware:
    """Around the whole application, so that also what leads nowhere is counted and limited."""

    def __init__(self, app: ASGIApp, limits: Limits, counts: Counts) -> None:
        self._app, self._counts = app, counts
        self._addresses = Buckets(limits.address_rate, limits.address_burst)
        self._tokens = Buckets(limits.token_rate, limits.token_burst)
        self._streams = StreamSlots(limits.address_streams, limits.streams)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _protect(message)
                self._counts.request(scope["method"], status)
            await send(message)

        try:
            problem = self._problem(scope)
            if problem is not None:
                await send_problem(problem, noting)
            else:
                with self._place(scope):
                    await self._app(scope, receive, noting)
        finally:
            # A move that was made is in its table's record: there would be nothing but moves here.
            level = logging.DEBUG if is_for_moves(scope) and status == 200 else logging.INFO
            if log.isEnabledFor(level):
                took = 1000 * (time.perf_counter() - began)
                path = _KEY.sub(r"\1***", quote(scope["path"][:200]))
                log.log(
                    level, "%s %s %s %d %.1f ms", _host(scope), scope["method"], path, status, took
                )

    def _problem(self, scope: HTTPScope) -> Problem | None:
        """Why this cannot be asked now, if so."""
        wait = self._wait(scope)
        if wait > 0:
            words = "too many requests from here: wait a moment"
            return Problem(429, "too-many-requests", words, headers=_retry(wait))
        if _is_stream(scope):
            if not self._streams.room_for(_key(scope)):
                words = f"{self._streams.each} streams are open from here: close one first"
                return Problem(429, "too-many-streams", words, headers=_retry(_FULL))
            if self._streams.full:
                words = "too many streams are open: try again later, or ask for the table itself"
                return Problem(503, "too-many-streams", words, headers=_retry(_FULL))
        return None

    def _place(self, scope: HTTPScope) -> AbstractContextManager[None]:
        """A stream has a place until it ends, however it ends."""
        return self._streams.taken(_key(scope)) if _is_stream(scope) else nullcontext()

    def _wait(self, scope: HTTPScope) -> float:
        """Seconds until this may be asked; 0 if now."""
        path = scope["path"]
        if not path.startswith(_LIMITED):
            return 0.0
        drops = _COSTLY.get((scope["method"], path), 1.0)
        wait = self._addresses.wait(_key(scope), drops)
        if wait == 0 and self._tokens.rate > 0:
            token = bearer(dict(scope["headers"]).get(b"authorization", b"").decode("latin-1"))
            wait = 0.0 if token is None else self._tokens.wait(hashed(token), drops)
        return wait


def _protect(message: HTTPResponseStartEvent) -> None:
    """Strict headers on every answer; one that has its own keeps it."""
    headers = list(message["headers"])
    own = {name.lower() for name, _ in headers}
    headers += [each for each in HEADERS.items() if each[0] not in own]
    message["headers"] = headers


def _host(scope: HTTPScope) -> str:
    client = scope.get("client")
    return client[0] if client else "-"


def _key(scope: HTTPScope) -> str:
    """Whom limits count."""
    return neighbourhood(_host(scope))


def _is_stream(scope: HTTPScope) -> bool:
    path = scope["path"]
    return path.startswith(_LIMITED) and path.endswith(_STREAM)


def _retry(seconds: float) -> dict[str, str]:
    return {"Retry-After": str(math.ceil(seconds))}
