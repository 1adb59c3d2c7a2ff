"""HEAD, bodies that are not JSON, and requests that another website has made a browser send."""

import json
from typing import Any

import httpx
import pytest

from tests.web.site import JSON, Person, Site, eventually, refused

CROSS_SITE = {"Sec-Fetch-Site": "cross-site"}
OF_AN_ANSWER = ("date", "content-length")  # headers that may differ from one answer to the next


def send(site: Site, path: str, headers: dict[str, str], body: Any = None) -> httpx.Response:
    """A request with these headers alone."""
    content = b"" if body is None else json.dumps(body).encode()
    with httpx.Client(base_url=site.http.base_url) as http:
        return http.post(path, content=content, headers=headers)


# ---- HEAD


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/t/abc", "/rules/objectif", "/sw.js", "/healthz", "/metrics", "/nothing"),
        *("/api/games", "/api/openapi.json", "/api/tables", "/api/records", "/api/nothing"),
        *("/api/tables/nowhere", "/api/tables/TABLE", "/api/tables/TABLE/record"),
    ],
)
def test_head_is_answered_as_get_without_a_body(site: Site, path: str) -> None:
    path = path.replace("TABLE", site.open())
    whole, head = site.http.get(path), site.http.head(path)
    assert head.status_code == whole.status_code
    assert head.content == b""
    assert "content-length" in head.headers
    for headers in (whole.headers, head.headers):
        for name in OF_AN_ANSWER if path == "/metrics" else OF_AN_ANSWER[:1]:
            headers.pop(name, None)
    assert head.headers == whole.headers


def test_head_of_a_stream_leaves_nothing_open(site: Site) -> None:
    person, _ = site.table()
    token = site.post("bots", {"name": "Head"})["token"]
    answer = site.http.head(f"/api/tables/{person.table}/events", headers=person.headers)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert site.http.head("/api/tables/nowhere/events").status_code == 404
    with site.http.stream(
        "GET", "/api/bots/me/tables", headers={"Authorization": f"Bearer {token}"}
    ) as listening:
        eventually(lambda: site.state.bot_streams.open == 1, "the bot listens")
        again = site.http.head("/api/bots/me/tables", headers={"Authorization": f"Bearer {token}"})
        assert again.status_code == 200
        assert site.state.bot_streams.open == 1, "it was not displaced"
        assert listening.status_code == 200
    assert site.state.streams.open == 0
    assert site.state.counts.streams.open.total() <= 1, "the bot may still be leaving"


# ---- Bodies that are not JSON


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_body_that_is_not_json_is_refused(site: Site, kind: str) -> None:
    headers = {"Content-Type": kind} if kind else {}
    for path in ("/api/tables", "/api/bots", "/api/records", "/api/games/quadrille/opinions"):
        refused(send(site, path, headers, {"game": "quadrille"}), 415, "not-json")
    pieces = site.http.post("/api/tables", content=iter([b"{}"]), headers={"Content-Type": kind})
    refused(pieces, 415, "not-json")


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON; charset=utf-8"])
def test_json_may_say_its_charset(site: Site, kind: str) -> None:
    answer = send(site, "/api/tables", {"Content-Type": kind}, {"game": "quadrille"})
    assert answer.status_code == 201


def test_a_request_without_a_body_needs_no_type(site: Site) -> None:
    person, _ = site.table()
    answer = send(site, f"/api/tables/{person.table}/resign", person.headers)
    assert answer.status_code == 200, answer.text


def move(person: Person, headers: dict[str, str]) -> httpx.Response:
    legal = person.look()["legal"][0]["move"]
    path = f"/api/tables/{person.table}/move"
    return send(person.site, path, person.headers | headers, {"move": legal})


def test_moves_are_no_exception(site: Site) -> None:
    person, _ = site.table()
    kind = {"Content-Type": "application/json"}
    refused(move(person, {"Content-Type": "text/plain"}), 415, "not-json")
    refused(move(person, kind | CROSS_SITE), 403, "cross-site")
    assert move(person, kind | {"Sec-Fetch-Site": "same-origin"}).status_code == 200


# ---- Other websites


def test_another_website_changes_nothing(site: Site) -> None:
    person, _ = site.table()
    before = person.look()["number"]
    for path, body in (
        ("/api/tables", {"game": "quadrille"}),
        ("/api/bots", {"name": "Elsewhere"}),
        (f"/api/tables/{person.table}/resign", None),
        (f"/api/tables/{person.table}/chat", {"text": "hm"}),
    ):
        refused(send(site, path, person.headers | JSON | CROSS_SITE, body), 403, "cross-site")
    assert person.look()["number"] == before
    followed = site.http.get(f"/t/{person.table}", headers=CROSS_SITE)
    assert followed.status_code == 200, "a link may be anywhere"
