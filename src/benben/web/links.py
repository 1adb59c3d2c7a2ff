"""OpenAPI links: which requests may follow a response, so that a program can play by them."""

from typing import Any

_TABLE = "/api/tables/{table}"
_SIT = f"post {_TABLE}/seats/{{seat}}"
_SEE = f"get {_TABLE}"
_REMATCH = f"post {_TABLE}/rematch"
_ACTIONS = (
    "move hints undo undo/answer resign chat leave reclaim forget rematch rematch/decline reminders"
).split()

_HERE = {"path.table": "$request.path.table"}
_THERE = {"path.table": "$response.body#/id"}
_BY_TOKEN = _HERE | {"header.Authorization": "Bearer {$response.body#/token}"}

Link = tuple[str, str, dict[str, Any], Any]  # name, target, parameters, body

_SEATS: list[Link] = [
    ("see", _SEE, _THERE, None),
    ("sit", _SIT, _THERE | {"path.seat": 0}, None),
    ("sit-beside", _SIT, _THERE | {"path.seat": 1}, None),
]
_LINKS: dict[tuple[str, str], list[Link]] = {
    ("post /api/tables", "201"): _SEATS,
    (_REMATCH, "200"): [
        ("see", _SEE, _BY_TOKEN | _THERE, None),
        *((action, f"post {_TABLE}/{action}", _BY_TOKEN | _THERE, None) for action in _ACTIONS),
    ],
    (_SIT, "201"): [
        ("see", _SEE, _BY_TOKEN, None),
        ("events", f"{_SEE}/events", _BY_TOKEN, None),
        ("record", f"{_SEE}/record", _BY_TOKEN, None),
        ("mine", "get /api/tables/mine", {"header.Benben-Tokens": "$response.body#/token"}, None),
        *((action, f"post {_TABLE}/{action}", _BY_TOKEN, None) for action in _ACTIONS),
    ],
    (_SEE, "200"): [
        (
            "move",
            f"post {_TABLE}/move",
            _HERE,
            {"move": "$response.body#/legal/0/move", "number": "$response.body#/number"},
        ),
    ],
    (f"{_SEE}/record", "200"): [("check", "post /api/records", {}, "$response.body")],
}


def add_links(paths: dict[str, Any]) -> None:
    """Add links to the responses that they follow from."""
    for (source, status), links in _LINKS.items():
        answer = _operation(paths, source)["responses"][status]
        answer["links"] = {each[0]: _as_json(paths, each) for each in links}


def _as_json(paths: dict[str, Any], link: Link) -> dict[str, Any]:
    _, target, parameters, body = link
    written = {"operationId": _operation(paths, target)["operationId"], "parameters": parameters}
    return written if body is None else written | {"requestBody": body}


def _operation(paths: dict[str, Any], label: str) -> dict[str, Any]:
    method, path = label.split()
    return paths[path][method]
