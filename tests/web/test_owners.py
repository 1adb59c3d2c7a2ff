"""A seat has one owner: whenever a server dies, and whatever is asked again after it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import pytest
from sqlalchemy import Connection, event

from benben.store.database import execute_in_sqlite
from benben.store.store import Store
from benben.table.tokens import hashed
from tests.sizes import LONG
from tests.web.in_process import in_process, site
from tests.web.site import Person, Site

__all__ = ["site"]

KEY = {"Idempotency-Key": "a-key-that-nobody-guesses"}
MOST_STATEMENTS = 40  # more than any of these takes


@contextmanager
def dying(store: Store, after: int) -> Iterator[list[str]]:
    """Let the store fail for good after some statements; those that were begun."""
    seen: list[str] = []
    engine = store.writer.engine

    def begin(statement: str) -> None:
        seen.append(statement)
        if len(seen) > after:
            raise RuntimeError("the server is dead")

    def count(*arguments: Any) -> None:
        begin(str(arguments[2]) if len(arguments) > 2 else "COMMIT")

    def straight(connection: Connection, statement: str, parameters: tuple[str, ...] = ()) -> None:
        if connection.engine is engine:  # the process has other servers
            begin(statement)
        execute_in_sqlite(connection, statement, parameters)

    event.listen(engine, "before_cursor_execute", count)
    event.listen(engine, "commit", count)
    try:
        with (
            patch("benben.store.event_log.execute_in_sqlite", straight),
            patch("benben.store.database.execute_in_sqlite", straight),
        ):
            yield seen
    finally:
        event.remove(engine, "before_cursor_execute", count)
        event.remove(engine, "commit", count)


def sit(site: Site, table: str, name: str = "Ann", **headers: str) -> httpx.Response:
    body = {"name": name, "nonce": "n"}
    return site.http.post(f"/api/tables/{table}/seats/0", json=body, headers=headers)


def check_owner(site: Site, table: str) -> str | None:
    """Who sits on the first seat, by name: they have one token, and nobody else has any."""
    held = [token for token, seat in site.state.store.tokens_of(table).items() if seat == 0]
    name: str | None = Person(site, table).look()["seats"][0].get("name")
    assert len(held) == (name is not None)
    return name


Act = Callable[[Site, str, str], httpx.Response]


def _sit(site: Site, table: str, token: str) -> httpx.Response:
    return sit(site, table, **KEY)


def _do(what: str) -> Act:
    def act(site: Site, table: str, token: str) -> httpx.Response:
        return Person(site, table, token).ask(what, **KEY)

    return act


def deaths(total: int) -> list[int]:
    """After how many of so many statements a server dies: some, or in a long run any number."""
    return list(range(total)) if LONG else sorted({total // 3, total - 1})


@dataclass
class Request:
    """What was sent to a server that died, and what it answered."""

    table: str
    token: str
    answer: httpx.Response
    statements: int


@pytest.mark.slow
@pytest.mark.parametrize("what", ["sit", "leave", "reclaim", "forget", "forget in the game"])
def test_the_server_dies_at_some_statement_and_is_asked_again(tmp_path: Path, what: str) -> None:
    act = _sit if what == "sit" else _do(what.split()[0])

    def send(site: Site, survives: int) -> Request:
        table = site.open(leaver="bot")
        token = "" if what == "sit" else sit(site, table).json()["token"]
        if what in ("reclaim", "forget in the game"):
            site.sit(table, 1, "Bob")
        if what == "reclaim":
            Person(site, table, token).do("leave")
        with dying(site.state.store, survives) as begun:
            answer = act(site, table, token)
        return Request(table, token, answer, len(begun))

    with in_process(tmp_path) as site:
        sent = send(site, survives=MOST_STATEMENTS)
    assert sent.answer.is_success
    assert sent.statements <= MOST_STATEMENTS
    for survives in deaths(sent.statements):
        with in_process(tmp_path) as site:  # started again
            _check_sent_again(site, sent, what, act)
            sent = send(site, survives)
    with in_process(tmp_path) as site:
        _check_sent_again(site, sent, what, act)


def _check_sent_again(site: Site, sent: Request, what: str, act: Act) -> None:
    table, token = sent.table, sent.token
    check_owner(site, table)
    again = act(site, table, token)
    owner = check_owner(site, table)
    if sent.answer.is_success and not what.startswith("forget"):
        assert again.is_success, "the same key is answered again"
    held = site.state.store.tokens_of(table)
    record = Person(site, table).record().json()["entries"]
    kinds = [entry["event"]["kind"] for entry in record]
    if what == "sit":
        assert again.is_success
        assert kinds == ["sat"]
        assert held == {hashed(again.json()["token"]): 0}
        assert owner == "Ann"
    elif what == "leave":
        assert again.is_success
        assert kinds == ["sat", "stood"]
        assert held == {}
    elif what == "reclaim":
        assert kinds.count("reclaimed") == 1
        assert set(held.values()) == {0, 1}
    else:
        assert hashed(token) not in held
        assert owner is None
        assert "Ann" not in str(record)
        assert Person(site, table, token).ask("chat", {"text": "hm"}).status_code == 401
    if what in ("leave", "forget"):
        newcomer = sit(site, table, "Bob")
        assert newcomer.is_success
        assert check_owner(site, table) == "Bob"
        assert Person(site, table, token).ask("resign").status_code == 401


def test_who_lost_the_answer_has_one_token_in_the_end(site: Site) -> None:
    table = site.open()
    first, second = sit(site, table, **KEY), sit(site, table, **KEY)
    assert first.json()["token"] == second.json()["token"]
    assert site.state.store.tokens_of(table) == {hashed(first.json()["token"]): 0}


def test_who_left_and_lost_the_answer_is_told_again(site: Site) -> None:
    table = site.open()
    person = site.sit(table, 0)
    number = person.do("leave", **KEY)["number"]
    assert person.do("leave", **KEY)["number"] == number
    assert person.ask("leave").status_code == 401
