"""Dependencies of routes that authenticate: the holder of a seat, a program, or a spectator.

A token belongs to the seat that was chosen. If seats are drawn, `table.order` maps it to the seat
where its holder sits.
"""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath, HeaderParameter, SkipValidation
from litestar.types import HTTPScope

from benben.live.session import UnknownToken
from benben.store.programs import Program
from benben.table.tokens import hashed
from benben.web.errors import no_token
from benben.web.limits import address_key
from benben.web.state import AppState
from benben.web.viewers import Viewer

LONGEST_TOKEN = 100
LONGEST_KEY, KEY_SIGNS = 64, "^[!-~]+$"
SHORTEST_SECRET = 16  # characters of a key that nobody can guess, and that is as good as a token

Key: TypeAlias = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        description="Drawn by you: the same request with the same key is done once.",
        min_length=1,
        max_length=LONGEST_KEY,
        pattern=KEY_SIGNS,
        required=False,
    ),
]


# Dependencies of handlers. They are made by the server, so there is nothing to validate.
StateDep: TypeAlias = NamedDependency[SkipValidation[AppState]]
ViewerDep: TypeAlias = NamedDependency[SkipValidation[Viewer]]
ProgramDep: TypeAlias = NamedDependency[SkipValidation[Program]]
SitterDep: TypeAlias = NamedDependency[SkipValidation[Program | None]]
TablePath: TypeAlias = FromPath[str]
AddressDep: TypeAlias = NamedDependency[SkipValidation[str]]


@dataclass
class SeatHolder(Viewer):
    """A viewer with the token of a seat."""

    chosen: int


HolderDep: TypeAlias = NamedDependency[SkipValidation[SeatHolder]]
TokenDep: TypeAlias = NamedDependency[SkipValidation[str]]
ShownTokenDep: TypeAlias = NamedDependency[SkipValidation[str]]


def secret(key: str | None) -> str | None:
    """Return a key if it can identify a client without a token; None if it could be guessed."""
    return key if key is not None and len(key) >= SHORTEST_SECRET else None


def header(scope: HTTPScope, name: bytes) -> str | None:
    """Return the first header with this name, which is in lowercase."""
    for each, value in scope["headers"]:
        if each == name:
            return value.decode("latin-1")
    return None


def bearer_token(scope: HTTPScope) -> str | None:
    """Return the bearer token of a request, if it has one."""
    scheme, _, token = (header(scope, b"authorization") or "").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not 0 < len(token) <= LONGEST_TOKEN:
        return None
    return token


def token_hash(scope: HTTPScope) -> str | None:
    """Return the hash of a request's bearer token, if it has one; computed once per request."""
    state: dict[str, Any] = scope.setdefault("state", {})
    if "token_hash" not in state:
        token = bearer_token(scope)
        state["token_hash"] = None if token is None else hashed(token)
    return state["token_hash"]


async def app(state: State) -> AppState:
    """The state of the server."""
    return state.benben


async def address(request: Request[Any, Any, Any]) -> str:
    """The key by which the address of a client is limited."""
    return address_key(request.client.host if request.client else "-")


async def viewer(request: Request[Any, Any, Any], app: StateDep, table: TablePath) -> Viewer:
    """The viewer of a table: with a token, the holder of a seat; else a spectator."""
    if "authorization" in request.headers:
        return await holder(request, app, table)
    return Viewer(await app.tables.find(table), None)


async def holder(request: Request[Any, Any, Any], app: StateDep, table: TablePath) -> SeatHolder:
    """The holder of the seat of a bearer token; 401 if it has none at this table."""
    session = await app.tables.find(table)
    seat = await session.holder(require_token(token_hash(request.scope)))
    if seat is None:
        raise UnknownToken
    return SeatHolder(session, seat)


async def token(request: Request[Any, Any, Any], app: StateDep, table: TablePath) -> str:
    """The hash of a bearer token for an action, which checks whether it holds a seat."""
    await app.tables.find(table)
    return require_token(token_hash(request.scope))


async def shown_token(request: Request[Any, Any, Any], app: StateDep, table: TablePath) -> str:
    """The bearer token itself, from which the token of a rematch is derived."""
    await app.tables.find(table)
    return require_token(bearer_token(request.scope))


def require_token(token: str | None) -> str:
    """Return a token, or its hash, if there is one; else raise 401 `no-token`."""
    if token is None:
        raise no_token("this takes a seat's token, as Authorization: Bearer TOKEN")
    return token


async def program(request: Request[Any, Any, Any], app: StateDep) -> Program:
    """The program of a bearer token; 401 if there is none."""
    token = token_hash(request.scope)
    found = None if token is None else await asyncio.to_thread(app.store.programs.find, token)
    if found is None:
        raise no_token("this takes the token of a bot, as Authorization: Bearer TOKEN")
    return found


async def sitter(request: Request[Any, Any, Any], app: StateDep) -> Program | None:
    """The program that sits down, if there is a bearer token; None for a person."""
    return await program(request, app) if "authorization" in request.headers else None


async def require_ready(
    connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler
) -> None:
    """Guard routes that concern the tables of all games: 503 until every game is ready.

    A coroutine, as Litestar would run a function in a thread.
    """
    app: StateDep = connection.app.state.benben
    if not app.ready:
        raise app.not_ready()


DEPENDENCIES = {
    each.__name__: Provide(each)
    for each in (app, address, viewer, holder, token, shown_token, program, sitter)
}
