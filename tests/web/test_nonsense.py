"""Requests that nobody should send: each is refused in the one form, and changes nothing."""

import json
import logging
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.web.in_process import site
from tests.web.site import Person, Site, refused

__all__ = ["site"]

OFTEN = settings(
    max_examples=settings().max_examples // 4,  # each is a request
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
GOOD: dict[str, Any] = {  # bodies that would be right, by where they are sent
    "": {
        "game": "quadrille",
        "players": 2,
        "options": {"first": 1},
        "seats": [{}, {"bot": 3}],
        "pace": {"pace": "live", "seconds": 60, "increment": 1},
        "leaver": "bot",
        "resign": "end",
        "listed": False,
        "drawn": True,
    },
    "/TABLE/seats/1": {"name": "Ann", "nonce": "n"},
    "/TABLE/move": {"move": "a1", "number": 3},
    "/TABLE/undo/answer": {"granted": True},
    "/TABLE/chat": {"text": "hm", "phrase": ""},
    "/TABLE/rematch": {"nonce": "n"},
    "/TABLE/seats/1/bot": {"level": 3},
}
WITHOUT_TOKEN = ("", "/TABLE/seats/1")  # who opens a table or sits down has none yet
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=30)
    | st.sampled_from(["\ud800", 10**4000, "\0"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
signs = st.binary(max_size=120).map(lambda raw: bytes(each for each in raw if 32 <= each != 127))
fields = signs | signs.map(lambda raw: b"Bearer " + raw) | st.just(b"application/json")
headers = st.dictionaries(
    st.sampled_from(
        [
            b"Authorization",
            b"Idempotency-Key",
            b"Last-Event-ID",
            b"Benben-Tokens",
            b"Content-Type",
            b"Accept",
            b"X-Forwarded-For",
        ]
    ),
    fields.map(bytes.strip),  # spaces around it are no part of a field
)
methods = st.sampled_from(["GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])
steps = st.sampled_from(
    [
        "tables",
        "games",
        "mine",
        "events",
        "seats",
        "0",
        "-1",
        "move",
        "record",
        "TABLE",
        "%00",
        "..",
    ]
) | st.text(max_size=12)


@st.composite
def nearly(draw: st.DrawFn, good: Any) -> Any:
    """Something with one place in it changed, or left out, or added."""
    if not isinstance(good, dict | list) or not good or draw(st.integers(0, 3)) == 0:
        return draw(values)
    if isinstance(good, list):
        place = draw(st.integers(0, len(good) - 1))
        return [*good[:place], draw(nearly(good[place])), *good[place + 1 :]]
    name = draw(st.sampled_from(sorted(good)))
    match draw(st.integers(0, 3)):
        case 0:
            return {key: value for key, value in good.items() if key != name}
        case 1:
            return good | {draw(st.text(max_size=8)): draw(values)}
    return good | {name: draw(nearly(good[name]))}


@pytest.fixture
def table(site: Site, caplog: pytest.LogCaptureFixture) -> Iterator[Person]:
    """A table where nothing changes, and whoever is to move; nothing goes wrong in the server."""
    caplog.set_level(logging.WARNING)
    first, _ = site.table()
    before = first.record().content
    yield first
    assert first.record().content == before
    assert [each for each in caplog.records if each.name.startswith("benben")] == []


def send(
    table: Person,
    method: str,
    path: str,
    content: bytes = b"",
    headers: dict[bytes, bytes] | None = None,
) -> httpx.Response | None:
    """Whatever the answer, it has the form it should have; None if it is a stream."""
    sent = {each.encode(): value.encode() for each, value in table.headers.items()} | (
        headers or {}
    )
    path = path.replace("TABLE", table.table)
    with table.site.http.stream(
        method, path, content=content, headers=list(sent.items())
    ) as answer:
        if answer.headers.get("content-type", "").startswith("text/event-stream"):
            return None
        answer.read()
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400 and method != "HEAD":
        refused(answer, answer.status_code, answer.json()["error"]["code"])
    return answer


def post(table: Person, path: str, content: bytes) -> httpx.Response:
    """A body where one of `GOOD` belongs, by somebody whose other ones would be taken."""
    asker = Person(table.site, table.table) if path in WITHOUT_TOKEN else table
    answer = send(asker, "POST", f"/api/tables{path}", content)
    assert answer is not None
    assert answer.status_code != 401
    return answer


@pytest.mark.parametrize("path", GOOD)
def test_what_is_nearly_right_is_done_or_refused(site: Site, table: Person, path: str) -> None:
    other, _ = site.table()  # what is right after all may be done there
    before = [other.record().content]

    @OFTEN
    @given(nearly(GOOD[path]))
    def ask(body: Any) -> None:
        answer = post(other, path, json.dumps(body).encode())
        now = other.record().content
        if path == "" or answer.status_code >= 400:
            assert now == before[0]
        before[0] = now

    ask()


@OFTEN
@given(path=st.sampled_from(sorted(GOOD)), content=st.binary(max_size=200), lead=st.booleans())
def test_what_is_no_json_is_refused(table: Person, path: str, content: bytes, lead: bool) -> None:
    if lead:  # right up to somewhere
        content = json.dumps(GOOD[path]).encode()[: len(content) % 12 + 1] + content
    assert post(table, path, content).status_code in (400, 404, 409, 422)


@pytest.mark.parametrize("path", GOOD)
@pytest.mark.parametrize("sign", [b"\xff", b"\xc3(", b"\xed\xa0\x80"])
def test_what_is_no_utf_8_is_refused(table: Person, path: str, sign: bytes) -> None:
    text = next(name for name, value in GOOD[path].items() if isinstance(value, str | int))
    for body in ({text: "?"}, {"?": 1}, "?"):
        content = json.dumps(body).encode().replace(b"?", sign)
        assert post(table, path, content).status_code == 400


@pytest.mark.parametrize("path", GOOD)
def test_what_is_too_large_is_refused(table: Person, path: str) -> None:
    body = json.dumps({"x": "y" * 20_000}).encode()
    assert post(table, path, body).status_code == 413


@OFTEN
@given(
    method=methods,
    path=st.sampled_from(
        ["/api/tables", "/api/tables/mine", "/api/tables/TABLE", "/api/tables/TABLE/events"]
        + [f"/api/tables/TABLE/{deed}" for deed in ("move", "chat", "record", "seats/0")]
        + ["/api/records", "/api/games", "/metrics"]
    ),
    headers=headers,
)
def test_headers_may_be_anything(
    table: Person, method: str, path: str, headers: dict[bytes, bytes]
) -> None:
    send(table, method, path, headers=headers)


@OFTEN
@given(method=methods, path=st.lists(steps, max_size=5).map("/".join), query=st.text(max_size=20))
def test_paths_may_be_anything(table: Person, method: str, path: str, query: str) -> None:
    url = f"/api/{quote(path, safe='/%')}?{quote(query, safe='&=%')}"
    send(table, method, url, headers={b"Authorization": b"Bearer nobodys"})


@pytest.mark.parametrize("path", ["/api/nothing", "/api/nothing/there", "/nothing"])
def test_where_nothing_is_it_is_said_in_the_one_form(table: Person, path: str) -> None:
    answer = send(table, "GET", path)
    assert answer is not None
    refused(answer, 404, "no-such-path")
