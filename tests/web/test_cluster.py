"""Two servers on one PostgreSQL: what each knows of the other, without a proxy before them."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from benben.store import notify as channel
from benben.web import state as state_module
from tests.store.postgres import Postgres
from tests.web.processes import ForkedProcess
from tests.web.programs import Program, invite
from tests.web.site import Message, Person, Site, eventually, refused, serving

BEAT = 0.2
PAUSE = 0.3  # seconds until a server that does not hear the others tries again


@pytest.fixture(scope="module")
def database(postgres: Postgres) -> str:
    return postgres.fresh()


@pytest.fixture(scope="module")
def servers(database: str) -> Iterator[list[Site]]:
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setattr(state_module, "HEARTBEAT", BEAT)
        patch.setattr(channel, "_PAUSES", (PAUSE, PAUSE))
        yield [stack.enter_context(serving(database)) for _ in range(2)]


def sql(site: Site, statement: str, **parameters: Any) -> list[Any]:
    """Straight to the database."""

    def do(connection: Any) -> list[Any]:
        found = connection.execute(text(statement), parameters)
        return list(found.all()) if found.returns_rows else []

    return site.state.store.writer.do_blocking(do)


def stop_listening(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    """Both servers have lost the connections by which they hear each other."""
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        sql(
            site,
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
        )
        eventually(
            lambda: caplog.text.count("cannot receive notifications") > 1,
            "it is so",
        )


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


def test_a_server_says_who_is_there_of_its_own_people(servers: list[Site]) -> None:
    one, two = servers
    ann, bob = one.table()
    with ann.listening() as heard, at(two, bob).listening() as there:
        assert next(presence(heard)) == [0]
        assert next(presence(there)) == [1]


def test_every_server_lists_a_table_where_somebody_is(servers: list[Site]) -> None:
    one, two = servers
    empty, person = one.sit(one.open(listed=True), 0), one.sit(one.open(listed=True), 0)

    def found() -> list[str]:
        return [each["id"] for each in two.get("tables")["tables"]]

    assert person.table not in found()
    person.look()
    eventually(lambda: person.table in found(), "the other server lists it")
    assert empty.table not in found()


# ---- Programs


def moved_to(site: Site, program: Program) -> Program:
    """The same program at another server."""
    return Program(site, program.name, program.token)


def listed(site: Site) -> list[str]:
    return [each["name"] for each in site.get("bots")["bots"]]


def next_of(heard: Iterator[Message]) -> Message:
    return next(message for message in heard if message.kind)


def test_a_program_plays_whichever_server_it_is_asked_and_asks(servers: list[Site]) -> None:
    one, two = servers
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


def test_a_program_has_one_stream_at_all_servers(servers: list[Site]) -> None:
    one, two = servers
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
    servers: list[Site], caplog: pytest.LogCaptureFixture
) -> None:
    one, two = servers
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


# ---- A server that dies


@pytest.mark.slow
def test_of_a_server_that_is_killed_nothing_is_left(
    servers: list[Site], database: str, tmp_path: Path
) -> None:
    one, _ = servers
    person = one.sit(one.open(listed=True), 0)
    before = {name for (name,) in sql(one, "SELECT name FROM servers")}
    rex = Program(one, "Rex", one.post("bots", {"name": "Rex"})["token"])

    def open_tables() -> list[str]:
        return [each["id"] for each in one.get("tables")["tables"]]

    with killed_in_the_end(database, tmp_path / "log") as other:
        (name,) = {name for (name,) in sql(one, "SELECT name FROM servers")} - before
        with httpx.Client(base_url=other.address) as http:
            there = Site(http, one.state)
            with at(there, person).listening(), moved_to(there, rex).listening() as calls:
                next_of(calls)
                assert listed(one) == ["Rex"]
                eventually(lambda: person.table in open_tables(), "it is in the list")
                other.kill()
        old = "UPDATE servers SET seen = seen - 20000 WHERE name = :name RETURNING name"
        assert sql(one, old, name=name)
        assert listed(one) == [], "at once, whoever removes it"
        listening = "SELECT 1 FROM listeners WHERE server = :name"
        eventually(lambda: sql(one, listening, name=name) == [], "its rows are removed")
        sql(one, "UPDATE tables SET attended = attended - 20000 WHERE id = :id", id=person.table)
        assert person.table not in open_tables()
    rex.forget()
