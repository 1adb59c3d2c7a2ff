"""The short way for moves: most of what a server is asked, and somebody waits for each.

What a move may look like, and what is said of all that does not, is the framework's to tell, by its
route (`routes/moves.py`). Only a request that is plainly a move is answered here, several times as
fast; every other goes on to the framework as it came.
"""

from collections.abc import Mapping

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, ReceiveMessage, Scope, Send

from benben.table import actions
from benben.table.tokens import hashed
from benben.web.auth import bearer, is_key
from benben.web.errors import problem_of, send_json, send_problem
from benben.web.requests import LARGEST_BODY, Move
from benben.web.responses import Done
from benben.web.state import AppState

_START, _END = "/api/tables/", "/move"
_decode = msgspec.json.Decoder(Move).decode


class FastMoves:
    """Before the application, behind the middleware."""

    def __init__(self, app: ASGIApp, state: AppState) -> None:
        self._app, self._state = app, state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = self._headers(scope)
        token = None if headers is None else bearer(_text(headers, b"authorization"))
        if headers is None or token is None:
            await self._app(scope, receive, send)
            return
        message = await receive()
        move = _move(message)
        if move is None:
            await self._app(scope, _after(message, receive), send)
            return
        try:
            table = scope["path"][len(_START) : -len(_END)]
            command = actions.Move(hashed(token), move.move, move.number)
            key = _text(headers, b"idempotency-key") or None
            done = Done(await self._state.tables.act(table, command, key))
        except Exception as error:
            await send_problem(problem_of(error), send)
        else:
            await send_json(200, done, send)

    def _headers(self, scope: Scope) -> Mapping[bytes, bytes] | None:
        """The headers of what may be a move; None if it is something else, or odd."""
        if scope["type"] != ScopeType.HTTP or self._state.closed or not is_for_moves(scope):
            return None
        given = list(scope["headers"])
        headers = dict(given)
        if len(headers) != len(given):
            return None  # one is there twice
        key = headers.get(b"idempotency-key")
        plain = headers.get(b"content-type") == b"application/json"
        plain = plain and headers.get(b"sec-fetch-site") != b"cross-site"
        return headers if plain and (key is None or is_key(key.decode("latin-1"))) else None


def is_for_moves(scope: HTTPScope) -> bool:
    """Whether a move is what can be asked for there."""
    path = scope["path"]
    return (
        scope["method"] == "POST"
        and path.endswith(_END)
        and path.startswith(_START)
        and path.count("/") == 4
        and not scope.get("root_path")
    )


def _move(message: ReceiveMessage) -> Move | None:
    """The whole body, if it is a move: it comes in one piece, or it is no small one."""
    if message["type"] != "http.request" or message.get("more_body"):
        return None
    body = message.get("body", b"")
    if len(body) > LARGEST_BODY:
        return None
    try:
        return _decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _after(message: ReceiveMessage, receive: Receive) -> Receive:
    """What is still to be received, with a message put back."""
    waiting = [message]

    async def receive_again() -> ReceiveMessage:
        return waiting.pop() if waiting else await receive()

    return receive_again


def _text(headers: Mapping[bytes, bytes], name: bytes) -> str:
    return headers.get(name, b"").decode("latin-1")
