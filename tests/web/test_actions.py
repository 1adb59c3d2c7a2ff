"""Actions at a table by `web/actions.py`: what is answered to requests of every form."""

import json
import logging
import re
import socket
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.web.site import Person, Site, eventually, refused

MOVE = {"move": "@a1"}
TOO_LARGE = json.dumps(MOVE).encode() + b" " * 20_000


def ask(person: Person, body: Any, path: str = "move", **headers: str) -> httpx.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return person.site.http.post(
        f"/api/tables/{person.table}/{path}",
        content=content,
        headers=person.headers | {"Content-Type": "application/json"} | headers,
    )


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (MOVE, {}),
        (MOVE | {"number": 3}, {}),
        (MOVE | {"number": None}, {"Idempotency-Key": "k"}),
        (MOVE, {"Content-Type": "application/json; charset=utf-8"}),
    ],
)
def test_a_move_is_played_and_broadcast(site: Site, body: Any, headers: dict[str, str]) -> None:
    first, second = site.table()
    with second.listening() as heard:
        answer = ask(first, body, **headers)
        assert (answer.status_code, answer.json()) == (200, {"number": 4})
        for message in heard:
            if message.kind == "event":
                assert message.data["event"]["move"] == MOVE["move"]
                break


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        ({"move": "@a9"}, {}, 422, "bad-notation"),
        ({"move": "a1a2"}, {}, 422, "illegal-move"),
        ({"move": "@a1", "number": 0}, {}, 409, "stale"),
        (b"", {}, 400, "bad-request"),
        (b"{", {}, 400, "bad-request"),
        (b'{"move": "@a1"} x', {}, 400, "bad-request"),
        (b'{"move": "\xff"}', {}, 400, "bad-request"),
        (b"[" * 5000, {}, 400, "bad-request"),
        (TOO_LARGE, {}, 413, "too-large"),
        (MOVE, {"Content-Type": "text/plain"}, 415, "not-json"),
        (MOVE, {"Authorization": "Bearer nobodys"}, 401, "no-token"),
        (MOVE, {"Authorization": "Bearer " + "x" * 101}, 401, "no-token"),
        (MOVE, {"Authorization": "Basic abc"}, 401, "no-token"),
        (MOVE, {"Authorization": ""}, 401, "no-token"),
    ],
)
def test_a_refused_request_changes_nothing(
    site: Site, body: Any, headers: dict[str, str], status: int, code: str
) -> None:
    first, _ = site.table()
    before = first.record().content
    refused(ask(first, body, **headers), status, code)
    assert first.record().content == before


WRONG_KEY = {
    "message": "Expected `str` matching regex '^[!-~]+$'",
    "key": "key",
    "source": "header",
}


@pytest.mark.parametrize(
    ("body", "key", "wrong"),
    [
        ({}, "k", [("Object missing required field `move`", "data")]),
        ([], "k", [("Expected `object`, got `array`", "data")]),
        ({"move": 7}, "k", [("Expected `str`, got `int`", "move")]),
        ({"move": "@a1", "more": 1}, "k", [("Object contains unknown field `more`", "data")]),
        ({"move": "@a1", "number": "x"}, "k", [("Expected `int | null`, got `str`", "number")]),
        ({"move": 7}, "two words", [("Expected `str`, got `int`", "move"), WRONG_KEY]),
        (MOVE, "two words", [WRONG_KEY]),
        (MOVE, "x" * 65, [WRONG_KEY | {"message": "Expected `str` of length <= 64"}]),
    ],
)
def test_every_part_of_the_wrong_form_is_named(
    site: Site, body: Any, key: str, wrong: list[Any]
) -> None:
    first, _ = site.table()
    detail = refused(ask(first, body, **{"Idempotency-Key": key}), 400, "bad-request")
    assert detail["wrong"] == [
        each if isinstance(each, dict) else {"message": each[0], "key": each[1], "source": "body"}
        for each in wrong
    ]


def test_bodies_are_checked_as_those_of_other_routes(site: Site) -> None:
    """Hints are asked for by a handler of Litestar's: it describes the same mistakes the same."""
    first, _ = site.table()
    bodies: list[Any] = [b"{", [], 7, None, {"number": "x"}, {"other": 1}, {"number": 1.5}]
    for body in bodies:
        by_litestar = ask(first, body, "hints", **{"Idempotency-Key": "a b"})
        if isinstance(body, dict):
            body |= MOVE
        ours = ask(first, body, **{"Idempotency-Key": "a b"})
        assert (ours.status_code, ours.json()) == (400, by_litestar.json())
        assert ours.headers["content-type"] == by_litestar.headers["content-type"]


def test_the_table_and_the_token_are_checked_before_the_form(site: Site) -> None:
    first, second = site.table()
    refused(ask(second, MOVE), 409, "not-your-turn")
    for body in (MOVE, {"zz": 1}):
        refused(ask(Person(site, "nowhere", first.token), body), 404, "no-such-table")
        refused(ask(Person(site, first.table), body), 401, "no-token")


def test_a_request_with_a_key_is_executed_once(site: Site) -> None:
    first, _ = site.table()
    key = {"Idempotency-Key": "k"}
    done = ask(first, MOVE, **key)
    assert done.status_code == 200
    assert ask(first, MOVE, **key).json() == done.json()
    assert len(first.look()["moves"]) == 1


def test_a_body_may_come_in_pieces(site: Site) -> None:
    first, _ = site.table()
    at = urlsplit(str(site.http.base_url))
    with socket.create_connection((at.hostname, at.port)) as line:
        body = json.dumps(MOVE).encode()
        head = (
            f"POST /api/tables/{first.table}/move HTTP/1.1\r\nHost: x\r\n"
            f"Authorization: Bearer {first.token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
        ).encode()
        line.sendall(head + body[:5])
        going_on = b"HTTP/1.1 100 Continue\r\n\r\n"  # sent when the first piece has been read
        assert line.recv(len(going_on), socket.MSG_WAITALL) == going_on
        line.sendall(body[5:])
        assert line.recv(100).startswith(b"HTTP/1.1 200 OK")


def test_a_large_body_in_pieces_is_refused(site: Site) -> None:
    first, _ = site.table()
    pieces = iter([TOO_LARGE[:10_000], TOO_LARGE[10_000:]])
    headers = first.headers | {"Content-Type": "application/json"}
    answer = site.http.post(f"/api/tables/{first.table}/move", content=pieces, headers=headers)
    refused(answer, 413, "too-large")


def test_of_a_repeated_header_the_first_counts(site: Site) -> None:
    first, second = site.table()
    path = f"/api/tables/{first.table}/move"
    repeated = [
        ("Authorization", f"Bearer {first.token}"),
        ("Authorization", f"Bearer {second.token}"),
        ("Content-Type", "application/json"),
    ]
    assert site.http.post(path, json=MOVE, headers=repeated).status_code == 200


def test_other_methods_are_refused(site: Site) -> None:
    first, _ = site.table()
    path = f"/api/tables/{first.table}/move"
    refused(site.http.get(path, headers=first.headers), 405, "no-such-method")
    assert site.http.options(path).headers["allow"] == "OPTIONS, POST"


def test_moves_that_were_made_are_not_logged_and_others_are(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = site.table()
    with caplog.at_level(logging.INFO, logger="benben.web.access"):
        ask(first, MOVE)
        ask(first, MOVE)
        ask(second, {"move": "@a1"})
        eventually(lambda: caplog.text.count(f"{first.table}/move") >= 2, "two are logged")
    lines = [line for line in caplog.messages if f"{first.table}/move" in line]
    assert [re.findall(r" (\d{3}) ", line)[0] for line in lines] == ["409", "422"]
