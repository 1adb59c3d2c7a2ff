"""The description of all this for programs, at `/api/openapi.json`.

The framework describes paths and parameters. The bodies are described by msgspec, which writes and
reads them: it also knows the tags that tell events and paces apart.
"""

from types import ModuleType
from typing import Any

import msgspec
from litestar import Request, Response, Router
from litestar.exceptions import NotFoundException
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, Example, SecurityScheme

import benben
from benben.learn import hints, opinions
from benben.table import events, history, news, options, record, views
from benben.table.options import TableOptions
from benben.table.table import Table
from benben.web import requests, responses
from benben.web.links import add_links

_REASONS: dict[int, tuple[str, str, dict[str, Any]]] = {
    400: ("The request is not of the form described here.", "bad-request", {}),
    401: ("No token, or one that is not good here.", "no-token", {}),
    403: ("Not from this address, or not from another website.", "cross-site", {}),
    404: ("There is none.", "no-such-table", {}),
    409: ("The table refuses; the number is that of its last event.", "stale", {"number": 12}),
    413: ("The body is too large.", "too-large", {}),
    415: ("The body is not JSON.", "not-json", {}),
    422: ("The game or its rules refuse.", "illegal-move", {"rule": "occupied", "parameters": {}}),
    429: ("Too much at once: Retry-After says when.", "too-many-requests", {}),
    503: ("Still starting, or the store failed: Retry-After.", "warming-up", {}),
}
_OF_ALL = (400, 429)
_SCHEMAS = "#/components/schemas/"

TOKEN: list[dict[str, list[str]]] = [{"seat": []}, {"bot": []}]
TOKEN_OR_NOT: list[dict[str, list[str]]] = [{}, *TOKEN]
BOT: list[dict[str, list[str]]] = [{"bot": []}]
BOT_OR_NOT: list[dict[str, list[str]]] = [{}, *BOT]


def error_responses(*statuses: int) -> dict[int, ResponseSpec]:
    """The answers other than a success that a path may give."""
    return {status: _trouble(status) for status in (*statuses, *_OF_ALL)}


def _trouble(status: int) -> ResponseSpec:
    words, code, detail = _REASONS[status]
    body = responses.ErrorResponse(responses.ErrorBody(code, words, detail))
    return ResponseSpec(
        responses.ErrorResponse,
        description=words,
        generate_examples=False,
        examples=[Example(summary=code, value=msgspec.to_builtins(body))],
    )


_RECORD = {
    "required": True,
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/TableRecord"}}},
}


# Each server-sent event, described in the way OpenAPI recommends.
_MESSAGE = {
    "type": "object",
    "properties": {
        "event": {"enum": ["table", "event", "present"]},
        "id": {
            "type": "string",
            "description": "The number of the last event known by it; `present` has none.",
        },
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {
                "anyOf": [
                    {"$ref": "#/components/schemas/TableView"},
                    {"$ref": "#/components/schemas/EventMessage"},
                    {"$ref": "#/components/schemas/Present"},
                ]
            },
        },
    },
    "required": ["event", "data"],
}

_OPINION = {
    "type": "object",
    "properties": {
        "event": {"const": "opinion"},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {"$ref": "#/components/schemas/Opinion"},
        },
    },
    "required": ["event", "data"],
}


class Described(JsonRenderPlugin):
    """The framework's description, with msgspec's of the bodies. It is made once."""

    _written: bytes | None = None

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        if self._written is None:
            self._written = super().render(request, completed(openapi_schema))
        return self._written


def completed(schema: dict[str, Any]) -> dict[str, Any]:
    """The framework's description of paths, with bodies, streams and links."""
    components = schema["components"] | {}
    components["schemas"] = components.get("schemas", {}) | _bodies()
    paths = schema["paths"]
    paths["/api/records"]["post"]["requestBody"] = _RECORD
    stream = paths["/api/tables/{table}/events"]["get"]
    stream["responses"]["200"]["content"]["text/event-stream"] = {"schema": _MESSAGE}
    opinion = paths["/api/games/{name}/opinions"]["post"]
    opinion["responses"]["200"]["content"]["text/event-stream"] = {"schema": _OPINION}
    add_links(paths)
    _add_refusals(paths)
    return schema | {"components": components}


def _add_refusals(paths: dict[str, Any]) -> None:
    """What the middleware may answer to whatever changes something."""
    trouble = {"application/json": {"schema": {"$ref": f"{_SCHEMAS}ErrorResponse"}}}
    for path, methods in paths.items():
        for method, operation in methods.items():
            if method != "get" and path.startswith("/api/"):
                for status in (403, 415):
                    answer = {"description": _REASONS[status][0], "content": trouble}
                    operation["responses"].setdefault(str(status), answer)


def _bodies() -> dict[str, Any]:
    structs = _structs(
        responses, requests, events, history, hints, news, opinions, options, record, views
    )
    _, bodies = msgspec.json.schema_components(structs, ref_template=f"{_SCHEMAS}{{name}}")
    for each in structs:
        if each.__struct_config__.omit_defaults:
            _leave_out_defaults(bodies[each.__name__])
    for body in bodies.values():
        for field in body.get("properties", {}).values():
            if field.get("type") == "object":  # unless said, some take it for an empty one
                field.setdefault("additionalProperties", True)
    _make_whole(bodies["Effect"])
    bodies["AnyEvent"] = bodies["EventMessage"]["properties"]["event"]
    for name in ("EventMessage", "Entry"):
        bodies[name]["properties"]["event"] = {"$ref": f"{_SCHEMAS}AnyEvent"}
    bodies["OpenTable"]["properties"]["game"]["enum"] = benben.names()
    bodies["TableView"]["examples"] = [msgspec.to_builtins(_example())]
    return bodies


def _structs(*modules: ModuleType) -> list[type[msgspec.Struct]]:
    """All that are written there."""
    return [
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type)
        and issubclass(each, msgspec.Struct)
        and each.__module__ == module.__name__
        and each is not events.Event
    ]


def _leave_out_defaults(schema: dict[str, Any]) -> None:
    """What has its default is not sent: then it is not there, and never null where that is it.

    Programs that make types of this take what has a default to be there always.
    """
    for field in schema["properties"].values():
        if field.pop("default", ...) is None:
            kinds = [kind for kind in field.pop("anyOf") if kind != {"type": "null"}]
            field |= kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


def _make_whole(schema: dict[str, Any]) -> None:
    """A tuple is sent with all its items, also those that have a default."""
    schema["minItems"] = schema["maxItems"]
    for item in schema["prefixItems"]:
        item.pop("default", None)


def _example() -> views.TableView:
    """A table where nobody sits yet."""
    card = benben.info("quadrille")
    chosen = card.resolve(None, {})
    made = TableOptions(
        game=card.name, game_options=chosen, rules=1, bots=(0, 3), commitment="5e" * 32
    )
    return views.table_view(Table(made, "00" * 32), None, 0)


async def _one_form(response: Response[Any]) -> Response[Any]:
    """The framework would answer unknown paths below its description with a page of its own."""
    if response.status_code == 404:
        raise NotFoundException
    return response


def config() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="Benben",
        version=benben.__version__,
        description=(
            "Tables of four board games. Seats are numbered from 0; times are milliseconds since "
            "1970. Every answer that is not a success is an `ErrorResponse`."
        ),
        openapi_router=Router(
            "/api", route_handlers=[], include_in_schema=False, after_request=_one_form
        ),
        render_plugins=[Described(path="/openapi.json")],
        components=Components(
            security_schemes={
                "seat": SecurityScheme(
                    type="http", scheme="bearer", description="The token of one seat."
                ),
                "bot": SecurityScheme(
                    type="http",
                    scheme="bearer",
                    description="The token of a bot, at every table where it sits.",
                ),
            }
        ),
    )
