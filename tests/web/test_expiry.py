"""A table that was closed before its game: what whoever comes there is told."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

import pytest

from tests.web.following import Follower
from tests.web.in_process import site
from tests.web.site import Person, Site, eventually, refused
from tests.web.test_bots import Register, register

__all__ = ["register", "site"]


@contextmanager
def expiring_after(site: Site, expiry_ms: int) -> Iterator[None]:
    """Let tables without a game expire this long after their last event."""
    deadlines = site.state.tables.deadlines
    usual, deadlines._expiry = deadlines._expiry, expiry_ms
    try:
        yield
    finally:
        deadlines._expiry = usual


def expire(site: Site, person: Person) -> None:
    """Let a person's table expire right after an event."""
    with expiring_after(site, 0):
        person.do("chat", {"phrase": "hello"})


@pytest.fixture
def waiting(site: Site) -> Person:
    return site.sit(site.open(listed=True), 1, "Ann")


def test_it_is_told_to_those_who_wait_and_to_those_who_come(site: Site, waiting: Person) -> None:
    with waiting.listening() as stream:
        follower = Follower()
        follower.hear(next(stream))
        assert "expired" not in follower.table
        expire(site, waiting)
        for message in stream:
            follower.hear(message)
            if message.kind == "event" and message.data["event"]["kind"] == "expired":
                break
    seen = waiting.look()
    assert seen["expired"] is True
    assert "secret" not in seen
    assert "result" not in seen
    assert follower.table == seen


def test_nobody_finds_a_seat_there(site: Site, waiting: Person) -> None:
    expire(site, waiting)
    listed = [each["id"] for each in site.get("tables")["tables"]]
    assert waiting.table not in listed
    stranger = Person(site, waiting.table)
    number = waiting.look()["number"]
    body = {"name": "Bob", "nonce": "n"}
    assert refused(stranger.ask("seats/0", body), 409, "expired") == {"number": number}
    refused(waiting.ask("seats/0/bot", {"level": 3}), 409, "expired")
    refused(waiting.ask("move", {"move": "x", "number": number}), 409, "expired")
    refused(waiting.ask("rematch", {"nonce": "n"}), 409, "expired")
    assert waiting.look()["number"] == number
    waiting.do("leave")
    assert waiting.table not in [each["id"] for each in site.get("tables")["tables"]]


def test_it_is_over_among_ones_own_tables(site: Site, waiting: Person) -> None:
    def mine() -> tuple[bool, bool, bool]:
        answer = site.http.get("/api/tables/mine", headers={"Benben-Tokens": waiting.token})
        (table,) = answer.json()["tables"]
        return table["begun"], table["over"], table["expired"]

    assert mine() == (False, False, False)
    expire(site, waiting)
    assert mine() == (False, True, True)


def test_its_record_says_what_there_was(site: Site, waiting: Person) -> None:
    expire(site, waiting)
    answer = Person(site, waiting.table).record()
    kinds = [each["event"]["kind"] for each in answer.json()["entries"]]
    assert kinds == ["sat", "said", "expired"]
    checked = site.http.post("/api/records", content=answer.content)
    refused(checked, 422, "bad-record")
    history = site.get(f"tables/{waiting.table}/history")
    assert (history["steps"], history["notices"]) == ([], [])


def test_a_bot_that_waits_there_is_told(site: Site, register: Register) -> None:
    program = register("Rex")
    bot = program.sit(site.open(), 0)
    with program.listening() as heard:
        assert [each["id"] for each in next(heard).data["tables"]] == [bot.table]
        expire(site, bot)
        (told,) = islice(heard, 1)
    assert (told.kind, told.data["id"]) == ("over", bot.table)
    assert (told.data["over"], told.data["expired"]) == (True, True)
    with program.listening() as heard:
        assert next(heard).data["tables"] == []


def test_it_is_closed_by_a_server_that_runs(site: Site, waiting: Person) -> None:
    """Without anybody who acts there."""
    with expiring_after(site, 100):
        other = Person(site, site.open())
        eventually(lambda: other.look().get("expired"), "it is closed")
    assert "expired" not in waiting.look()
