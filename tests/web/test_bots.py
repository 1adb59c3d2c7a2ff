"""Bots over HTTP: the example plays whole games, and a program is nobody but itself."""

import json
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from itertools import islice
from pathlib import Path
from time import sleep

import httpx
import pytest
from sqlalchemy import select

from benben.store.programs import Program as StoredProgram
from benben.store.schema import programs
from benben.store.tables import StoredTable
from benben.table.record import TableRecord, verify
from benben.table.tokens import hashed
from benben.web import bot_streams
from benben.web.routes import seats
from tests.store.databases import create, give
from tests.web.processes import process
from tests.web.programs import Program, invite
from tests.web.site import Person, Site, eventually, refused, serving

EXAMPLE = Path(__file__).parents[2] / "examples" / "http_bot.py"
GAMES = ["objectif", "pyramidis", "batisseurs", "quadrille"]


@contextmanager
def example(address: str, name: str, *more: str) -> Iterator[None]:
    """The example as a process of its own, from when it listens."""
    command = [sys.executable, str(EXAMPLE), address, name, *more]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            assert process.stderr.readline() == f"{name} listens\n"
            yield
        finally:
            process.terminate()


@pytest.fixture
def register(site: Site) -> Iterator[Callable[[str], Program]]:
    """Programs that are forgotten after the test, so that their names are free again."""
    known: list[Program] = []

    def register(name: str) -> Program:
        told = site.post("bots", {"name": name})
        assert told["name"] == name
        known.append(Program(site, name, told["token"]))
        return known[-1]

    yield register
    for program in known:
        site.http.post("/api/bots/me/forget", headers=program.headers)


Register = Callable[[str], Program]


def until_over(site: Site, table: str) -> TableRecord:
    """The record of a game, once it is there and has been checked."""
    with Person(site, table).listening() as heard:
        for message in heard:
            if "secret" in (message.data or {}).get("now", message.data or {}):
                break
    record = TableRecord.parse(Person(site, table).record().content)
    verify(record)
    return record


# ---- The example


def test_the_example_plays_all_games_at_once_against_bots_of_ours(
    site: Site, tmp_path: Path
) -> None:
    kept = tmp_path / "token"
    with example(str(site.http.base_url), "Argus", "--token", str(kept)):
        tables = [site.open(game, players=2, seats=[{}, {"bot": 1}]) for game in GAMES]
        for table in tables:
            Program(site, "Argus", kept.read_text()).sit(table, 0)
        for game, table in zip(GAMES, tables, strict=True):
            record = until_over(site, table)
            assert record.options.game == game
            seen = Person(site, table).look()
            assert seen["seats"][0] == {"name": "Argus", "taken": True, "program": True}
            assert seen["result"]["reason"] not in ("resignation", "time-out")


def test_two_copies_of_the_example_play_all_games_against_each_other(
    site: Site, tmp_path: Path
) -> None:
    address = str(site.http.base_url)
    kept = tmp_path / "token"
    with example(address, "Romulus", "--token", str(kept)), example(address, "Remus"):
        token = kept.read_text()
        for game in GAMES:
            table = site.open(game, players=2)
            romulus = Program(site, "Romulus", token).sit(table, 0)
            assert invite(romulus, 1, "Remus").status_code == 202
            until_over(site, table)
            names = [seat["name"] for seat in Person(site, table).look()["seats"]]
            assert names == ["Romulus", "Remus"]
    with example(address, "Romulus", "--token", str(kept)):
        assert kept.read_text() == token, "it has come back as itself"
        assert kept.stat().st_mode & 0o077 == 0
    taken = [sys.executable, str(EXAMPLE), address, "Romulus"]
    answer = subprocess.run(taken, capture_output=True, text=True, check=False)
    assert answer.returncode == 1
    assert "name-taken" in answer.stderr
    assert "Traceback" not in answer.stderr


@pytest.mark.slow
def test_the_example_goes_on_after_the_server_was_killed_and_no_token_is_logged(
    tmp_path: Path,
) -> None:
    log = tmp_path / "log"
    files = [tmp_path / "Castor", tmp_path / "Pollux"]
    with (
        process(f"sqlite:///{tmp_path / 'house.sqlite3'}", log) as server,
        httpx.Client(base_url=server.address, timeout=60) as http,
    ):
        site = Site(http, None)  # type: ignore[arg-type]  # it is in another process
        table = site.open("objectif", players=3)  # no luck ends it early
        person = site.sit(table, 2)
        with (
            example(server.address, "Castor", "--token", str(files[0])),
            example(server.address, "Pollux", "--token", str(files[1])),
        ):
            for seat, name in enumerate(("Castor", "Pollux")):
                assert invite(person, seat, name).status_code == 202
            _play_until_others_have_moved(person)
            server.die()
            server.wait()
            _play_until_others_have_moved(person)
        tokens = [person.token, *(file.read_text() for file in files)]
    text = log.read_text()
    assert f"/api/tables/{table}/events 200" in text
    assert not any(each in text or hashed(each) in text for each in tokens)


def _play_until_others_have_moved(person: Person) -> None:
    """A round: both programs and the person have moved, whoever begins."""
    missing = {0, 1, 2}
    with person.listening() as heard:
        for message in heard:
            seen = (message.data or {}).get("now", message.data or {})
            event = message.data["event"] if message.kind == "event" else {}
            if event.get("kind") == "moved":
                missing.discard(event["seat"])
            if not missing:
                return
            assert "secret" not in seen, "the game is over"
            if "legal" in seen:
                body = {"move": seen["legal"][-1]["move"], "number": message.number}
                assert person.ask("move", body).status_code in (200, 409)


# ---- Registering


def test_a_name_is_one_bots(site: Site, register: Register) -> None:
    program = register("Żółw-Bot 🤖")
    again = site.http.post("/api/bots", json={"name": program.name})
    refused(again, 409, "name-taken")
    for name in ("", " Rex", "x" * 25, "a\0b", "a\nb"):
        refused(site.http.post("/api/bots", json={"name": name}), 409, "bad-name")
    for body in (None, {}, {"name": 3}, {"name": "Rex", "level": 9}):
        refused(site.http.post("/api/bots", json=body), 400, "bad-request")
    kept = site.state.store.programs.find_by_name(program.name)
    assert isinstance(kept, StoredProgram)
    assert kept.hash == hashed(program.token), "the token itself is not kept"


def test_only_a_bots_own_token_is_good(site: Site, register: Register) -> None:
    program, name = register("Rex"), site.open()
    person = site.sit(name, 0)
    for token in ("x", person.token, program.token + "x", hashed(program.token)):
        stranger = Program(site, "Rex", token)
        for answer in (
            site.http.get("/api/bots/me/tables", headers=stranger.headers),
            site.http.post("/api/bots/me/forget", headers=stranger.headers),
            stranger.ask(name, 1),
        ):
            refused(answer, 401, "no-token")
            assert answer.headers["www-authenticate"] == "Bearer"
    refused(site.http.get("/api/bots/me/tables"), 401, "no-token")
    refused(Person(site, name, program.token).ask("resign"), 401, "no-token")
    assert program.ask(name, 1).status_code == 201


# ---- Sitting


def test_one_token_holds_a_seat_at_each_of_many_tables(site: Site, register: Register) -> None:
    program, other = register("Rex"), register("Max")
    first, second = site.open(), site.open()
    answer = program.ask(first, 1)
    assert (answer.status_code, answer.json()["token"], answer.json()["seat"]) == (201, "", 1)
    here, there = Person(site, first, program.token), program.sit(second, 0)
    opponents = [site.sit(first, 0), other.sit(second, 1)]
    assert [here.look()["you"], there.look()["you"]] == [1, 0]
    there.move()
    opponents[0].move()
    here.move()
    opponents[1].move()
    assert [len(each.look()["moves"]) for each in (here, there)] == [2, 2]
    assert here.look()["seats"][1] == {"name": "Rex", "taken": True, "program": True}
    assert "program" not in here.look()["seats"][0]
    mine = site.http.get("/api/tables/mine", headers={"Benben-Tokens": program.token})
    assert mine.json() == {"tables": []}, "its stream tells it"
    there.do("forget")
    refused(there.ask("resign"), 401, "no-token")
    here.do("resign")


def test_a_bot_has_one_seat_at_a_table_and_one_name(site: Site, register: Register) -> None:
    program, name = register("Rex"), site.open()
    refused(program.ask(name, 0, {"nonce": "n", "name": "Max"}), 409, "bad-name")
    key = {"Idempotency-Key": "k"}
    assert program.ask(name, 0, {"nonce": "n", "name": "Rex"}, **key).status_code == 201
    assert program.ask(name, 0, **key).status_code == 201, "the same again is done once"
    refused(program.ask(name, 0), 409, "seat-taken")
    assert refused(program.ask(name, 1), 409, "seated-already") == {"number": 1}
    refused(site.http.post(f"/api/tables/{name}/seats/1", json={"nonce": "n"}), 409, "bad-name")


def test_nobody_plays_at_any_number_of_tables(
    site: Site, register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "MOST_TABLES", 2)
    program = register("Rex")
    tables = [program.sit(site.open(), 0) for _ in range(2)]
    refused(program.ask(site.open(), 0), 409, "too-many-tables")
    tables[0].do("leave")
    program.sit(site.open(), 0)


def test_undo_against_bots_is_free_whoever_runs_them(site: Site, register: Register) -> None:
    program, name = register("Rex"), site.open()
    person = site.sit(name, 0)
    bot = program.sit(name, 1)
    person.move()
    bot.move()
    person.do("undo")
    assert "moves" not in person.look()
    person.move()
    bot.move()
    bot.do("undo")
    assert person.look()["undo"]["seat"] == 1, "people are asked"
    refused(bot.ask("undo/answer", {"granted": True}), 409, "no-undo-asked")
    person.do("undo/answer", {"granted": True})
    assert len(person.look()["moves"]) == 1


# ---- Listening


def test_a_bot_is_told_where_it_sits_and_when_it_is_its_turn(
    site: Site, register: Register
) -> None:
    program = register("Rex")
    waiting, over = program.sit(site.open(), 0), program.sit(site.open(), 1)
    site.sit(over.table, 0)
    over.do("resign")
    with program.listening() as heard:
        first = next(heard)
        assert first.kind == "tables"
        assert [each["id"] for each in first.data["tables"]] == [waiting.table]
        name = site.open("objectif", players=2, options={"first": 1})
        person = site.sit(name, 0)
        bot = program.sit(name, 1)
        person.move()
        person.do("chat", {"text": "your turn"})
        bot.move()
        person.move()
        bot.do("resign")
        waiting.do("leave")
        told = list(islice(heard, 5))
    assert [each.kind for each in told] == ["seated", "turn", "turn", "over", "left"]
    assert [each.data["id"] for each in told] == [name] * 4 + [waiting.table]
    assert [each.data["your_turn"] for each in told[:4]] == [False, True, True, False]
    assert [each.data["over"] for each in told[:4]] == [False, False, False, True]
    assert {each.data["you"] for each in told[:4]} == {1}


def test_a_bot_is_told_when_it_has_to_reveal_and_when_it_has_lost_its_seat(
    site: Site, register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, name = register("Rex"), site.open("pyramidis", players=2)
    nonce = sha256(b"n1").hexdigest()
    with program.listening() as heard:
        assert next(heard).kind == "tables"
        assert program.ask(name, 0, {"commitment": nonce}).status_code == 201
        site.sit(name, 1)
        seated, starting = islice(heard, 2)
        assert (seated.kind, seated.data["starting"]) == ("seated", None)
        assert (starting.kind, starting.data["starting"]) == ("starting", "reveal")
        monkeypatch.setattr("benben.table.table.START_GRACE_MS", 0)
        Person(site, name, program.token).do("chat", {"phrase": "hello"})
        assert next(heard).kind == "left"


def test_who_listens_is_listed_and_can_be_invited(site: Site, register: Register) -> None:
    program, name = register("Rex"), site.open("batisseurs", players=3)
    person = site.sit(name, 0)
    refused(invite(person, 1, "Rex"), 409, "bot-away")
    refused(invite(person, 1, "nobody\0"), 404, "no-such-bot")
    with program.listening() as heard:
        next(heard)
        listed = site.get("bots")["bots"]
        assert [each["name"] for each in listed] == ["Rex"]
        refused(invite(person, 0, "Rex"), 409, "seat-taken")
        refused(invite(person, 3, "Rex"), 404, "no-such-seat")
        refused(invite(Person(site, "nowhere", person.token), 0, "Rex"), 404, "no-such-table")
        for stranger in (Person(site, name), Person(site, name, "x"), site.sit(site.open(), 0)):
            stranger.table = name
            refused(invite(stranger, 2, "Rex"), 401, "no-token")
        answer = invite(person, 2, "Rex")
        assert (answer.status_code, answer.json()) == (202, listed[0])
        told = next(heard)
        assert (told.kind, told.data["id"], told.data["seat"]) == ("invited", name, 2)
        assert told.data["table"] == Person(site, name).look()
        assert Person(site, name).look()["seats"][2] == {}, "it is free until it is taken"
        program.sit(name, 2)
        refused(invite(person, 1, "Rex"), 409, "seated-already")
        site.sit(name, 1)
        refused(invite(person, 1, "Rex"), 409, "begun")
    person.do("resign")


def test_an_address_does_not_keep_a_bot_for_itself(
    site: Site, register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = register("Rex")
    hosts = [site.sit(site.open(), 0) for _ in range(3)]
    with program.listening():
        eventually(lambda: site.get("bots")["bots"], "it listens")
        assert invite(hosts[0], 1, "Rex").status_code == 202
        refused(invite(hosts[1], 1, "Rex"), 409, "invitation-pending")
        assert invite(hosts[1], 1, "Rex", host="10.0.0.9").status_code == 202
        program.sit(hosts[0].table, 1)
        monkeypatch.setattr("benben.web.invitations.MOST_TABLES", 1)
        refused(invite(hosts[2], 1, "Rex"), 409, "too-many-tables")
        hosts[0].do("resign")
        assert invite(hosts[2], 1, "Rex").status_code == 202


def test_it_is_noted_that_a_bot_listens(site: Site, register: Register) -> None:
    program = register("Rex")

    def seen() -> int:
        with site.state.store.writer.engine.connect() as connection:
            query = select(programs.c.seen).where(programs.c.hash == hashed(program.token))
            return int(connection.execute(query).scalar_one())

    before = seen()
    sleep(0.01)
    with program.listening() as heard:
        next(heard)
        eventually(lambda: seen() > before, "it is noted")


def test_a_table_that_cannot_be_read_does_not_keep_a_bot_from_listening(
    site: Site, register: Register
) -> None:
    program, store = register("Rex"), site.state.store
    table = program.sit(site.open(), 0).table
    kept = store.table(table)
    assert kept is not None
    terms = kept.options.replace("quadrille", "chess")
    create(store, StoredTable("unreadable-bot", 1, terms, "secret", listed=False))
    give(store, "unreadable-bot", 0, hashed(program.token))
    with program.listening() as heard:
        assert [each["id"] for each in next(heard).data["tables"]] == [table]
    give(store, "unreadable-bot", 0, None)  # or the bot could not be forgotten


def test_a_bot_has_one_stream(site: Site, register: Register) -> None:
    program = register("Rex")
    with program.listening() as old, program.listening() as new:
        next(new)
        assert [each.kind for each in old] == ["tables"], "and then it ended"
        assert [each["name"] for each in site.get("bots")["bots"]] == ["Rex"]
        assert invite(site.sit(site.open(), 1), 0, "Rex").status_code == 202
        assert next(new).kind == "invited"


def test_a_bots_stream_is_kept_alive_and_ends_with_the_server(tmp_path: Path) -> None:
    with serving(tmp_path, keep_alive=0.05) as site:
        program = Program(site, "Rex", site.post("bots", {"name": "Rex"})["token"])
        bot = program.sit(site.open(), 0)
        with program.listening() as heard:
            kinds = [each.kind for each in islice(heard, 4)]  # a comment may come first
            assert set(kinds) == {"tables", ""}
            assert kinds.count("tables") == 1
            assert "benben_streams_open 1.0\n" in site.http.get("/metrics").text
        eventually(lambda: not site.get("bots")["bots"], "the bot's stream has ended")
        with program.listening() as heard, bot.listening() as table:
            next(heard)
            next(table)
            site.state.end_streams()
            assert {each.kind for each in (*heard, *table)} <= {"", "present"}, (
                "they end by themselves"
            )
        assert site.http.get("/healthz").status_code == 200


def test_who_does_not_read_is_let_go(
    site: Site, register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_streams, "MOST_WAITING", 0)
    program = register("Rex")
    with program.listening() as heard:
        next(heard)
        invite(site.sit(site.open(), 1), 0, "Rex")
        assert list(heard) == []


# ---- Secrets, and being forgotten


def test_a_bots_token_is_nobody_elses_business(
    site: Site, register: Register, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        program, name = register("Rex"), site.open()
        person = site.sit(name, 0)
        with program.listening() as heard, person.listening() as watched:
            assert invite(person, 1, "Rex").status_code == 202
            bot = program.sit(name, 1)
            person.move()
            bot.move()
            shown = [each.text for each in (*islice(heard, 3), *islice(watched, 4))]
        refused(program.ask(name, 0), 409, "seated-already")
        shown += [person.record().text, json.dumps(person.look()), json.dumps(site.get("bots"))]
    client = ("httpx", "httpcore")  # it is in this process too, and may know what it sends
    logged = [each.getMessage() for each in caplog.records if not each.name.startswith(client)]
    assert any("POST /api/bots 201" in line for line in logged)
    assert any("GET /api/bots/me/tables 200" in line for line in logged)
    said = "\n".join(logged + shown) + site.http.get("/metrics").text
    assert program.token not in said
    assert hashed(program.token) not in said


def test_a_bot_that_is_forgotten_leaves_no_name(site: Site, register: Register) -> None:
    program = register("Ozymandias")
    tables = [site.open(leaver="bot"), site.open(), site.open(), site.open()]
    people = [site.sit(table, 0) for table in tables[:3]]
    bots = [program.sit(table, 1) for table in tables]
    bots[0].do("chat", {"text": "look on my works"})
    people[2].do("resign")
    with program.listening() as heard:
        next(heard)
        program.forget()
        assert {each.kind for each in heard} <= {"left", "over", "turn"}, "and then it ended"
    refused(site.http.get("/api/bots/me/tables", headers=program.headers), 401, "no-token")
    for table, bot in zip(tables, bots, strict=True):
        refused(bot.ask("chat", {"text": "hm"}), 401, "no-token")
        site.state.tables.sessions.pop(table)  # it is gone from the store, not only from memory
        text = Person(site, table).record().text
        assert "Ozymandias" not in text
        assert "look on my works" not in text
    assert people[0].look()["seats"][1]["level"] == 3, "a bot of ours plays on"
    assert people[1].look()["result"]["shares"] == [1.0, 0.0]
    assert Person(site, tables[3]).look()["seats"][1] == {}
    people[0].do("resign")
    register("Ozymandias")


def test_no_bot_is_called_almost_like_another(site: Site) -> None:
    assert site.http.post("/api/bots", json={"name": "Rexona"}).status_code == 201
    for name in ("Rexona", "REXONA", "Rex\u043ena"):
        refused(site.http.post("/api/bots", json={"name": name}), 409, "name-taken")


def test_of_many_invitations_at_once_one_is_sent(site: Site, register: Register) -> None:
    program = register("Rex")
    hosts = [site.sit(site.open(), 0) for _ in range(8)]
    with program.listening(), ThreadPoolExecutor(8) as threads:
        eventually(lambda: site.get("bots")["bots"], "it listens")
        answers = list(threads.map(lambda host: invite(host, 1, "Rex").status_code, hosts))
    assert sorted(answers) == [202] + 7 * [409]
