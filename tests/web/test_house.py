"""Servers that share PostgreSQL are one house: who comes to any of them is known at all."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from benben.store import notify as channel
from benben.web import house as houses
from benben.web.limits import Limits, address_key
from tests.store.postgres import Postgres
from tests.web.processes import ForkedProcess
from tests.web.programs import Program, invite
from tests.web.site import Message, Person, Site, eventually, refused, serving

BURST, SLOTS = 20, 2
FROM = {"X-Forwarded-For": "192.0.2.1"}
ADDRESS = address_key("192.0.2.1")
GRACE, LONG = 1.0, 600.0
BEAT = 0.2
PAUSE = 0.3  # seconds until a server that does not hear the others tries again


@pytest.fixture(scope="module")
def database(postgres: Postgres) -> str:
    return postgres.fresh()


@pytest.fixture(scope="module")
def house(database: str) -> Iterator[list[Site]]:
    """Two servers."""
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setattr(houses, "HEARTBEAT", BEAT)
        patch.setattr(channel, "_PAUSES", (PAUSE, PAUSE))
        yield [stack.enter_context(serving(database, grace=GRACE)) for _ in range(2)]


def sql(site: Site, statement: str, **parameters: Any) -> list[Any]:
    """Straight to the database."""

    def do(connection: Any) -> list[Any]:
        found = connection.execute(text(statement), parameters)
        return list(found.all()) if found.returns_rows else []

    return site.state.store.writer.do_blocking(do)


def age(site: Site, server: str) -> None:
    """A server has said nothing for a while."""
    old = "UPDATE servers SET seen = seen - 20000 WHERE name = :name RETURNING name"
    assert sql(site, old, name=server)


def stop_listening(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    """Both servers have lost the connections by which they hear each other."""
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        sql(
            site,
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
        )
        eventually(lambda: caplog.text.count("not told what other servers do") > 1, "it is so")


@contextmanager
def killed_in_the_end(database: str, log: Path) -> Iterator[ForkedProcess]:
    """A server in a process of its own."""
    server = ForkedProcess(database, log)
    try:
        server.wait()
        yield server
    finally:
        server.kill()


def at(site: Site, person: Person) -> Person:
    """The same person at another server."""
    return Person(site, person.table, person.token)


def presence(heard: Iterator[Message]) -> Iterator[list[int]]:
    return (message.data["seats"] for message in heard if message.kind == "present")


# ---- Who is there


def test_who_is_there_is_told_at_every_server(house: list[Site]) -> None:
    one, two = house
    ann, bob = one.table()
    with ann.listening() as heard:
        present = presence(heard)
        assert next(present) == [0]
        with at(two, bob).listening() as there:
            assert [0, 1] in presence(there)
            assert next(present) == [0, 1]
        assert next(present) == [0]
        assert at(two, bob).look()["number"]
        assert next(present) == [0, 1], "who looks at the other server is there"


def test_who_goes_from_one_server_to_another_has_not_been_away(
    house: list[Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = house
    for site in house:
        monkeypatch.setattr(site.state.tables, "_grace", LONG)
    ann, bob = one.table("pyramidis", players=4)
    with ann.listening() as heard:
        present = presence(heard)
        assert next(present) == [0]
        for site in (two, one, two):
            with at(site, bob).listening() as there:
                assert [0, 1] in presence(there)
        assert next(present) == [0, 1]
        bob.do("leave")
        assert next(present) == [0], "told once, when they have left: no more is waited for"


def test_who_was_at_a_server_that_ends_is_waited_for(house: list[Site], database: str) -> None:
    one, _ = house
    ann, bob = one.table("pyramidis", players=4)
    with ann.listening() as heard:
        present = presence(heard)
        assert next(present) == [0]
        with serving(database, wait=False, grace=LONG) as third:
            eventually(
                lambda: third.http.get(f"/api/tables/{bob.table}").is_success, "it can be played"
            )
            with at(third, bob).listening() as there:
                assert [0, 1] in presence(there)
                assert next(present) == [0, 1]
                third.stop()
            eventually(lambda: third.state.closed, "it has ended")
            with bob.listening() as there:
                assert [0, 1] in presence(there)
        bob.do("leave")
        assert next(present) == [0], "it was not told in between that they had gone"
        assert not sql(
            one, "SELECT * FROM servers WHERE name = :name", name=third.state.store.server
        )


def test_who_comes_while_nothing_is_heard_is_known_afterwards(
    house: list[Site], caplog: pytest.LogCaptureFixture
) -> None:
    one, two = house
    ann, bob = one.table()
    with ann.listening() as heard:
        present = presence(heard)
        assert next(present) == [0]
        stop_listening(one, caplog)
        with at(two, bob).listening() as there:
            assert [0, 1] in presence(there)
            assert next(present) == [0, 1]


def test_a_server_that_was_thought_dead_says_again_who_is_there(house: list[Site]) -> None:
    one, two = house
    ann, bob = one.table()
    with ann.listening() as heard, at(two, bob).listening():
        present = presence(heard)
        eventually(lambda: next(present) == [0, 1], "both are there")
        sql(one, "DELETE FROM presence WHERE server = :name", name=two.state.store.server)
        rows = "SELECT seat FROM presence WHERE table_id = :table AND server = :name"
        name = two.state.store.server
        eventually(lambda: sql(one, rows, table=ann.table, name=name) == [(1,)], "it is told again")


# ---- Programs


def moved_to(site: Site, program: Program) -> Program:
    """The same program at another server."""
    return Program(site, program.name, program.token)


def listed(site: Site) -> list[str]:
    return [each["name"] for each in site.get("bots")["bots"]]


def next_of(heard: Iterator[Message]) -> Message:
    return next(message for message in heard if message.kind)


def test_a_program_plays_whichever_server_it_is_asked_and_asks(house: list[Site]) -> None:
    one, two = house
    rex = Program(one, "Rex", one.post("bots", {"name": "Rex"})["token"])
    table = one.open()
    with moved_to(two, rex).listening() as heard:
        assert next_of(heard).data == {"tables": []}
        assert listed(one) == listed(two) == ["Rex"]
        bob = one.sit(table, 1, "Bob")
        told = invite(bob, 0, "Rex")
        bob.do("leave")
        assert told.status_code == 202
        assert told.json()["name"] == "Rex"
        invited = next_of(heard)
        assert (invited.kind, invited.data["id"], invited.data["seat"]) == ("invited", table, 0)
        mine = rex.sit(table, 0)
        seated = next_of(heard)
        assert (seated.kind, seated.data["id"], seated.data["you"]) == ("seated", table, 0)
        bob = one.sit(table, 1, "Bob")
        turn = next_of(heard)
        assert (turn.kind, turn.data["your_turn"]) == ("turn", True)
        mine.move()
        bob.move()
        turn = next_of(heard)
        assert (turn.kind, turn.data["your_turn"]) == ("turn", True)
        bob.do("resign")
        over = next_of(heard)
        assert (over.kind, over.data["over"]) == ("over", True)
        other = one.open()
        there = rex.sit(other, 1)
        assert next_of(heard).kind == "seated"
        there.do("leave")
        assert next_of(heard).kind == "left"
        rex.forget()
        assert next(heard, None) is None, "it is nobody any more"
    assert listed(one) == []


def test_every_server_lists_a_table_where_somebody_is(house: list[Site]) -> None:
    one, two = house
    empty, person = one.sit(one.open(listed=True), 0), one.sit(one.open(listed=True), 0)

    def found() -> list[str]:
        return [each["id"] for each in two.get("tables")["tables"]]

    assert person.table not in found()
    person.look()
    eventually(lambda: person.table in found(), "the other server lists it")
    assert empty.table not in found()


def test_a_program_has_one_stream_in_the_house(house: list[Site]) -> None:
    one, two = house
    rex = Program(one, "Rex", one.post("bots", {"name": "Rex"})["token"])
    refused(invite(one.sit(one.open(), 1), 0, "Rex"), 409, "bot-away")
    for host, (older, newer) in enumerate(((one, two), (two, one), (one, one))):
        with moved_to(older, rex).listening() as first:
            next_of(first)
            with moved_to(newer, rex).listening() as second:
                next_of(second)
                assert next(first, None) is None
                assert listed(one) == listed(two) == ["Rex"]
                person = older.sit(older.open(), 1)
                assert invite(person, 0, "Rex", host=f"10.0.0.{host}").status_code == 202
                assert next_of(second).kind == "invited"
        eventually(lambda: listed(one) == [], "nobody listens")
    refused(invite(two.sit(two.open(), 1), 0, "Rex"), 409, "bot-away")
    rex.forget()


def test_a_program_is_told_later_what_happened_while_nothing_was_heard(
    house: list[Site], caplog: pytest.LogCaptureFixture
) -> None:
    one, two = house
    rex = Program(one, "Rex", one.post("bots", {"name": "Rex"})["token"])
    left, sat = one.open(), one.open()
    with moved_to(two, rex).listening() as heard:
        next_of(heard)
        there = rex.sit(left, 0)
        assert next_of(heard).kind == "seated"
        stop_listening(one, caplog)
        there.do("leave")
        rex.sit(sat, 0)
        one.sit(sat, 1, "Bob")
        told = {message.kind: message.data["id"] for message in (next_of(heard) for _ in range(3))}
        assert told == {"left": left, "seated": sat, "turn": sat}
        sql(one, "DELETE FROM listeners")  # as if it were thought that the server is dead
        eventually(lambda: listed(one) == ["Rex"], "it says again that it listens")
    rex.forget()


# ---- Limits


@pytest.fixture
def limited(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Site]]:
    """Two servers where nobody who has had enough gets any more."""
    monkeypatch.setattr(houses, "HEARTBEAT", BEAT)
    monkeypatch.setattr(houses, "PAUSE", BEAT)
    monkeypatch.setattr(channel, "_PAUSES", (PAUSE, PAUSE))
    database, few = postgres.fresh(), Limits(1e-6, BURST, 1e-6, BURST // 2, address_streams=SLOTS)
    with ExitStack() as stack:
        yield [stack.enter_context(serving(database, wait=False, limits=few)) for _ in range(2)]


def statuses(site: Site, many: int, **headers: str) -> list[int]:
    return [site.http.get("/api/games", headers=headers).status_code for _ in range(many)]


def test_what_one_server_has_let_through_counts_at_the_other(limited: list[Site]) -> None:
    one, two = limited
    eventually(lambda: all(each.state.counts.tokens.taken is not None for each in limited), "both")
    known = two.state.counts.addresses._buckets
    assert statuses(one, BURST - 2, **FROM) == [200] * (BURST - 2)
    eventually(lambda: known.get(ADDRESS, (BURST, 0))[0] < 2.5, "all of it is told")
    assert statuses(two, 4, **FROM) == [200, 200, 429, 429]
    assert statuses(two, 1, **FROM | {"X-Forwarded-For": "192.0.2.2"}) == [200]
    token = {"X-Forwarded-For": "192.0.2.3", "Authorization": "Bearer some-token"}
    assert statuses(one, BURST // 2, **token) == [200] * (BURST // 2)
    tokens = two.state.counts.tokens._buckets
    eventually(lambda: any(left < 0.5 for left, _ in tokens.values()), "that is told too")
    assert statuses(two, 1, **token | {"X-Forwarded-For": "192.0.2.4"}) == [429]


def test_streams_are_counted_at_all_servers_that_are_there(
    limited: list[Site], caplog: pytest.LogCaptureFixture
) -> None:
    one, two = limited
    here, there = one.state.counts.streams, two.state.counts.streams
    with here.taken(ADDRESS), there.taken(ADDRESS):
        eventually(lambda: not here.room_for(ADDRESS), "it is full")
        eventually(lambda: not there.room_for(ADDRESS), "there too")
        answer = two.http.get("/api/tables/t/events", headers=FROM)
        refused(answer, 429, "too-many-streams")
    eventually(lambda: here.room_for(ADDRESS) and there.room_for(ADDRESS), "both have gone")
    stop_listening(one, caplog)
    with here.taken(ADDRESS), here.taken(ADDRESS):
        eventually(lambda: not there.room_for(ADDRESS), "what was not heard was asked for")
        one.stop()
        eventually(lambda: there.room_for(ADDRESS), "nothing is open at a server that has ended")


# ---- A server that dies


def test_of_a_server_that_is_killed_nothing_is_left(
    house: list[Site], database: str, tmp_path: Path
) -> None:
    one, _ = house
    ann, bob = one.table()
    before = {name for (name,) in sql(one, "SELECT name FROM servers")}
    rex = Program(one, "Rex", one.post("bots", {"name": "Rex"})["token"])
    with ann.listening() as heard, killed_in_the_end(database, tmp_path / "log") as other:
        present = presence(heard)
        assert next(present) == [0]
        (name,) = {name for (name,) in sql(one, "SELECT name FROM servers")} - before
        with httpx.Client(base_url=other.address) as http:
            there = Site(http, one.state)
            with (
                at(there, bob).listening() as listening,
                moved_to(there, rex).listening() as calls,
            ):
                assert [0, 1] in presence(listening)
                assert next(present) == [0, 1]
                next_of(calls)
                assert listed(one) == ["Rex"]
                other.kill()
        age(one, name)
        assert listed(one) == [], "at once, whoever removes it"
        assert next(present) == [0]
        kept = "SELECT 1 FROM listeners UNION SELECT 1 FROM presence WHERE server = :name"
        assert sql(one, kept, name=name) == []
    rex.forget()
