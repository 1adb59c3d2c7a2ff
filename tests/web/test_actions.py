"""Moves have a short way past the framework: whoever takes it is told the same."""

import json
import logging
import re
import socket
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from benben.table import actions
from benben.web import fast_moves
from benben.web.routes import moves
from tests.web.site import Person, Site, eventually, refused

QUICK, LONG = "application/json", "application/json; charset=utf-8"
MOVE = {"move": "@a1"}


def ask(person: Person, body: Any, way: str = QUICK, **headers: str) -> httpx.Response:
    """Which way it goes is told by the content's type, which means the same in both."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return person.site.http.post(
        f"/api/tables/{person.table}/move",
        content=content,
        headers=person.headers | {"Content-Type": way} | headers,
    )


def told(answer: httpx.Response, table: str) -> tuple[int, dict[str, str], Any]:
    """All there is in an answer but the hour."""
    headers = {name: value for name, value in answer.headers.items() if name != "date"}
    return answer.status_code, headers, json.loads(answer.text.replace(table, "TABLE"))


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes which way was taken by each move that was made."""
    taken: list[str] = []

    class Quick(actions.Move):
        def __init__(self, *arguments: Any) -> None:
            taken.append(QUICK)
            super().__init__(*arguments)

    class Long(actions.Move):
        def __init__(self, *arguments: Any) -> None:
            taken.append(LONG)
            super().__init__(*arguments)

    monkeypatch.setattr(fast_moves, "commands", SimpleNamespace(Move=Quick))
    monkeypatch.setattr(moves, "commands", SimpleNamespace(Move=Long))
    return taken


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (MOVE, {}),
        (MOVE | {"number": 3}, {}),
        (MOVE | {"number": None}, {"Idempotency-Key": "k"}),
    ],
)
def test_a_move_is_made_and_told_the_same_both_ways(
    site: Site, ways: list[str], body: Any, headers: dict[str, str]
) -> None:
    answers = []
    for way in (QUICK, LONG):
        first, second = site.table()
        with second.listening() as heard:
            answer = ask(first, body, way, **headers)
            answers.append(told(answer, first.table))
            for message in heard:
                if message.kind == "event":
                    assert message.data["event"]["move"] == MOVE["move"]
                    break
        assert answer.status_code == 200
    assert ways == [QUICK, LONG]
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        ({"move": "@a9"}, {}),
        ({"move": "a1a2"}, {}),
        ({"move": 7}, {}),
        ({"move": "@a1", "number": 0}, {}),
        ({"move": "@a1", "more": 1}, {}),
        ({}, {}),
        ([], {}),
        (b"", {}),
        (b"{", {}),
        (b'{"move": "\xff"}', {}),
        (b"[" * 5000, {}),
        (json.dumps(MOVE).encode() + b" " * 20_000, {}),
        (MOVE, {"Idempotency-Key": "two words"}),
        (MOVE, {"Idempotency-Key": "x" * 65}),
        (MOVE, {"Authorization": "Bearer nobodys"}),
        (MOVE, {"Authorization": "Basic abc"}),
        (MOVE, {"Authorization": ""}),
    ],
)
def test_what_is_refused_is_refused_the_same_both_ways(
    site: Site, body: Any, headers: dict[str, str]
) -> None:
    answers = []
    for way in (QUICK, LONG):
        first, _ = site.table()
        before = first.record().content
        answers.append(told(ask(first, body, way, **headers), first.table))
        assert first.record().content == before
    assert answers[0] == answers[1]
    assert 400 <= answers[0][0] < 500


def test_whose_turn_it_is_not_and_where_no_table_is(site: Site) -> None:
    first, second = site.table()
    for way in (QUICK, LONG):
        refused(ask(second, MOVE, way), 409, "not-your-turn")
        refused(ask(Person(site, "nowhere", first.token), MOVE, way), 404, "no-such-table")


def test_a_key_spent_one_way_is_spent_on_the_other(site: Site) -> None:
    first, _ = site.table()
    key = {"Idempotency-Key": "k"}
    done = ask(first, MOVE, QUICK, **key)
    assert done.status_code == 200
    assert ask(first, MOVE, LONG, **key).json() == ask(first, MOVE, QUICK, **key).json()
    assert ask(first, MOVE, LONG, **key).json() == done.json()
    assert len(first.look()["moves"]) == 1


def test_a_body_in_pieces_goes_the_long_way(site: Site, ways: list[str]) -> None:
    first, _ = site.table()
    at = urlsplit(str(site.http.base_url))
    with socket.create_connection((at.hostname, at.port)) as line:
        body = json.dumps(MOVE).encode()
        head = (
            f"POST /api/tables/{first.table}/move HTTP/1.1\r\nHost: x\r\n"
            f"Authorization: Bearer {first.token}\r\nContent-Type: {QUICK}\r\n"
            f"Content-Length: {len(body)}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
        ).encode()
        line.sendall(head + body[:5])
        going_on = b"HTTP/1.1 100 Continue\r\n\r\n"  # said when the first piece has been read
        assert line.recv(len(going_on), socket.MSG_WAITALL) == going_on
        line.sendall(body[5:])
        assert line.recv(100).startswith(b"HTTP/1.1 200 OK")
    assert ways == [LONG]


def test_a_header_twice_goes_the_long_way(site: Site, ways: list[str]) -> None:
    first, _ = site.table()
    headers = [("Authorization", f"Bearer {first.token}"), ("Content-Type", QUICK)]
    twice = [*headers, ("X-Thing", "1"), ("X-Thing", "2")]
    path = f"/api/tables/{first.table}/move"
    assert site.http.post(path, json=MOVE, headers=twice).status_code == 200
    assert ways == [LONG]


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
