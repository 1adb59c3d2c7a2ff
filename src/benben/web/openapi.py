"""The OpenAPI document, at `/api/openapi.json`.

Litestar describes paths and parameters. msgspec describes bodies, which it also encodes and
decodes: it knows the tags of events and paces.
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
from benben.web.limits import Cost
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
# Errors of routes that play moves from a position, and of those for finished games.
OF_POSITIONS, OF_FINISHED = (404, 413, 422, 503), (404, 409, 503)
EVENTS = "text/event-stream"
_SCHEMAS = "#/components/schemas/"

TOKEN: list[dict[str, list[str]]] = [{"seat": []}, {"bot": []}]
TOKEN_OR_NOT: list[dict[str, list[str]]] = [{}, *TOKEN]
BOT: list[dict[str, list[str]]] = [{"bot": []}]
BOT_OR_NOT: list[dict[str, list[str]]] = [{}, *BOT]


def route(
    summary: str,
    *errors: int,
    answers: dict[int, ResponseSpec] | None = None,
    cost: Cost | None = None,
    **parameters: Any,
) -> dict[str, Any]:
    """The parameters of a route: its errors beyond those of all routes, and what it costs.

    Successful `answers` are given only if the handler's annotation does not say what they are.
    """
    responses = {status: _error_response(status) for status in (*errors, *_OF_ALL)}
    opt = {} if cost is None else {"cost": cost}
    return {"summary": summary, "responses": responses | (answers or {}), "opt": opt, **parameters}


def for_holders(summary: str, *errors: int, status: int = 200, **parameters: Any) -> dict[str, Any]:
    """The parameters of a route for holders of seats, with the errors of them all and its own."""
    errors = 401, 404, 503, *errors
    return route(summary, *errors, security=TOKEN, status_code=status, **parameters)


def for_viewers(summary: str, *errors: int, **parameters: Any) -> dict[str, Any]:
    """The parameters of a route for holders of seats and spectators."""
    return route(summary, 401, 404, 503, *errors, security=TOKEN_OR_NOT, **parameters)


def streaming(
    summary: str, event: type[msgspec.Struct], *errors: int, **parameters: Any
) -> dict[str, Any]:
    """The parameters of a route that answers with server-sent events."""
    stream = ResponseSpec(event, description="A stream.", media_type=EVENTS)
    made = route(summary, *errors, answers={200: stream}, media_type=EVENTS, **parameters)
    made["opt"]["stream"] = True
    return made


def _error_response(status: int) -> ResponseSpec:
    words, code, detail = _REASONS[status]
    body = responses.ErrorResponse(responses.ErrorBody(code, words, detail))
    return ResponseSpec(
        responses.ErrorResponse,
        description=words,
        generate_examples=False,
        examples=[Example(summary=code, value=msgspec.to_builtins(body))],
    )


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"{_SCHEMAS}{name}"}


def _sse(event: dict[str, Any], data: dict[str, Any], **more: dict[str, Any]) -> dict[str, Any]:
    """The schema of a server-sent event, in the way OpenAPI recommends."""
    text = {"type": "string", "contentMediaType": "application/json", "contentSchema": data}
    properties = {"event": event, **more, "data": text}
    return {"type": "object", "properties": properties, "required": ["event", "data"]}


_TABLE_EVENT = _sse(
    {"enum": ["table", "event", "present"]},
    {"anyOf": [_ref("TableView"), _ref("EventMessage"), _ref("Present")]},
    id={
        "type": "string",
        "description": "The number of the last event known by it; `present` has none.",
    },
)
_OPINION_EVENT = _sse({"const": "opinion"}, _ref("Opinion"))


class Described(JsonRenderPlugin):
    """Renders the completed document once."""

    _written: bytes | None = None

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        if self._written is None:
            self._written = super().render(request, completed(openapi_schema))
        return self._written


def completed(document: dict[str, Any]) -> dict[str, Any]:
    """Complete Litestar's document with bodies, streams and links."""
    components = document["components"] | {}
    components["schemas"] = components.get("schemas", {}) | _bodies()
    paths = document["paths"]
    for methods in paths.values():
        for operation in methods.values():
            if "description" in operation:  # the docstring of a route, wrapped
                operation["description"] = " ".join(operation["description"].split())
    paths["/api/records"]["post"]["requestBody"] = {
        "required": True,
        "content": {"application/json": {"schema": _ref("TableRecord")}},
    }
    for path, method, schema in (
        ("/api/tables/{table}/events", "get", _TABLE_EVENT),
        ("/api/games/{name}/opinions", "post", _OPINION_EVENT),
    ):
        content = paths[path][method]["responses"]["200"]["content"]
        content[EVENTS] = {"schema": schema}
    add_links(paths)
    _add_refusals(paths)
    return document | {"components": components}


def _add_refusals(paths: dict[str, Any]) -> None:
    """Add the errors of the middleware to all routes that change something."""
    content = {"application/json": {"schema": _ref("ErrorResponse")}}
    for path, methods in paths.items():
        for method, operation in methods.items():
            if method != "get" and path.startswith("/api/"):
                for status in (403, 415):
                    answer = {"description": _REASONS[status][0], "content": content}
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
            if field.get("type") == "object":  # else some generators take it for empty
                field.setdefault("additionalProperties", True)
    _make_whole(bodies["Effect"])
    bodies["AnyEvent"] = bodies["EventMessage"]["properties"]["event"]
    for name in ("EventMessage", "Entry"):
        bodies[name]["properties"]["event"] = _ref("AnyEvent")
    bodies["OpenTable"]["properties"]["game"]["enum"] = benben.names()
    bodies["TableView"]["examples"] = [msgspec.to_builtins(_example())]
    return bodies


def _structs(*modules: ModuleType) -> list[type[msgspec.Struct]]:
    """All structs that are defined in these modules."""
    return [
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type)
        and issubclass(each, msgspec.Struct)
        and each.__module__ == module.__name__
        and each not in (events.Event, events.SeatEvent)
    ]


def _leave_out_defaults(schema: dict[str, Any]) -> None:
    """Describe fields that are omitted at their defaults, so that a default of null never occurs.

    Type generators take fields with a default as always present.
    """
    for field in schema["properties"].values():
        if field.pop("default", ...) is None:
            kinds = [kind for kind in field.pop("anyOf") if kind != {"type": "null"}]
            field |= kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


def _make_whole(schema: dict[str, Any]) -> None:
    """A tuple is encoded with all its items, also those with a default."""
    schema["minItems"] = schema["maxItems"]
    for item in schema["prefixItems"]:
        item.pop("default", None)


def _example() -> views.TableView:
    """A new table without players."""
    card = benben.info("quadrille")
    chosen = card.resolve(None, {})
    made = TableOptions(
        game=card.name, game_options=chosen, rules=1, bots=(0, 3), commitment="5e" * 32
    )
    return views.table_view(Table(made, "00" * 32), None, 0)


async def _json_404(response: Response[Any]) -> Response[Any]:
    """Replace Litestar's own page for unknown paths below the document by a JSON error."""
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
            "/api", route_handlers=[], include_in_schema=False, after_request=_json_404
        ),
        render_plugins=[Described(path="/openapi.json")],
        use_handler_docstrings=True,
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
