"""Routes for the actions of a seat's holder, which are most requests of a server.

Litestar routes and describes them, and handles their errors. `_Endpoint` parses the request and
responds: Litestar's own parsing of parameters and bodies makes a move a third slower
(docs/decisions/0014).
"""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from litestar import Litestar, post
from litestar.enums import ScopeType
from litestar.exceptions import ClientException, ValidationException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.handlers import HTTPRouteHandler
from litestar.params import Body
from litestar.types import ASGIApp, Receive, Scope, Send

from benben.table.actions import Action
from benben.web.auth import (
    KEY_SIGNS,
    LONGEST_KEY,
    Key,
    TablePath,
    header,
    require_token,
    token_hash,
)
from benben.web.errors import send_json
from benben.web.openapi import for_holders
from benben.web.requests import LARGEST_BODY
from benben.web.responses import Done
from benben.web.state import AppState

_KeyText = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_KEY, pattern=KEY_SIGNS)]


def action(
    kind: type[Action],
    summary: str,
    *,
    name: str = "",
    description: str | None = None,
    body: type[msgspec.Struct] | None = None,
    errors: tuple[int, ...] = (),
    quiet: bool = False,
) -> HTTPRouteHandler:
    """Return the route of an action, whose arguments are a token's hash and the body's fields.

    `name` is its name in the OpenAPI document. Successful `quiet` requests are logged at DEBUG.
    """

    async def without_body(table: TablePath, key: Key = None) -> Done:
        raise NotImplementedError("answered by _Endpoint")

    async def with_body(table: TablePath, data: Any, key: Key = None) -> Done:
        raise NotImplementedError("answered by _Endpoint")

    described = without_body if body is None else with_body
    described.__name__ = name or kind.name
    if body is not None:
        described.__annotations__["data"] = Annotated[body, Body()]
        errors = (*errors, 413)
    parameters = for_holders(summary, 409, *errors)
    parameters["opt"]["quiet"] = quiet
    return post(
        f"/{{table:str}}/{kind.name}",
        description=description,
        middleware=[_Endpoint(kind, body)],
        **parameters,
    )(described)


class _Endpoint:
    """A Litestar middleware of one route that answers instead of calling the route's handler."""

    def __init__(self, kind: Callable[..., Action], body: type[msgspec.Struct] | None) -> None:
        self._action = kind
        self._decode = None if body is None else msgspec.json.Decoder(body).decode

    def __call__(self, app: ASGIApp) -> ASGIApp:
        return self._answer

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == ScopeType.HTTP
        app: AppState = Litestar.from_scope(scope).state.benben
        table, token, wrong = scope["path_params"]["table"], token_hash(scope), []
        fields: tuple[Any, ...] = ()
        if self._decode is not None:
            content = await _read(receive)
            try:
                fields = msgspec.structs.astuple(self._decode(content))
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                wrong.append(_wrong_body(content, error))
        key = header(scope, b"idempotency-key")
        if key is not None:
            try:
                msgspec.convert(key, _KeyText)
            except msgspec.ValidationError as error:
                wrong.append({"message": str(error), "key": "key", "source": "header"})
        if token is None or wrong:
            await app.tables.find(table)
            require_token(token)
            raise ValidationException(extra=wrong)
        done = Done(await app.tables.act(table, self._action(token, *fields), key))
        await send_json(200, done, send)


async def _read(receive: Receive) -> bytes:
    """Return the whole body of a request."""
    content, more = b"", True
    while more:
        message: Any = await receive()
        content += message.get("body", b"")
        if len(content) > LARGEST_BODY:
            raise RequestEntityTooLarge
        more = message.get("more_body", False)
    return content


def _wrong_body(content: bytes, error: Exception) -> dict[str, str]:
    """Describe a body of the wrong form. Raise 400 if it is not JSON."""
    message, field = "a JSON body is required", ""
    if content:
        try:
            msgspec.json.decode(content)
        except msgspec.DecodeError as syntax:
            raise ClientException(str(syntax)) from syntax
        message, _, field = str(error).partition(" - at `$.")
    return {"message": message, "key": field.rstrip("`") or "data", "source": "body"}
