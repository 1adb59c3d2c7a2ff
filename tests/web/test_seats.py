"""Tables are opened and found, seats are taken and given up, and tokens stay with their owners."""

import logging
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from benben.store.tables import StoredTable
from benben.table.tokens import derived_token, hashed
from benben.web.limits import Limits
from tests.store.databases import append, create, give
from tests.web.in_process import in_process, site
from tests.web.site import Person, Site, refused

__all__ = ["site"]


def sit(site: Site, table: str, seat: int, body: Any = None, **headers: str) -> Any:
    wanted = {"name": "Bob" if seat else "Ann", "nonce": "n"} if body is None else body
    return site.http.post(f"/api/tables/{table}/seats/{seat}", json=wanted, headers=headers)


def test_a_table_is_as_it_was_asked_for(site: Site) -> None:
    pace = {"pace": "live", "seconds": 300, "increment": 5}
    answer = site.http.post(
        "/api/tables",
        json={
            "game": "batisseurs",
            "players": 3,
            "options": {"first": 2},
            "seats": [{}, {"bot": 4}, {}],
            "pace": pace,
            "leaver": "bot",
            "resign": "end",
            "listed": True,
            "drawn": True,
        },
    )
    assert answer.status_code == 201
    opened = answer.json()
    seen = Person(site, opened["id"]).look()
    assert opened["table"] == seen
    assert opened["commitment"] == seen["commitment"]
    assert seen["pace"] == pace
    assert seen["options"]["first"] == 2
    assert (seen["leaver"], seen["resign"]) == ("bot", "end")
    assert (seen["listed"], seen["drawn"]) == (True, True)
    assert [seat.get("level") for seat in seen["seats"]] == [None, 4, None]
    assert seen["seats"][0] == {"left": 300_000}


def test_a_table_asked_for_twice_with_a_key_is_one(site: Site) -> None:
    def opened(key: str, **terms: Any) -> Any:
        headers = {"Idempotency-Key": key} if key else {}
        return site.http.post("/api/tables", json={"game": "quadrille"} | terms, headers=headers)

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(opened, ["a-key-nobody-guesses"] * 4))
    assert [answer.status_code for answer in answers] == [201] * 4
    assert len({answer.text for answer in answers}) == 1
    name = answers[0].json()["id"]
    site.sit(name, 0)
    site.state.tables.sessions.pop(name)  # a server that was started again knows it too
    again = opened("a-key-nobody-guesses").json()
    assert again["id"] == name
    assert again["table"]["seats"][0]["name"] == "Ann"
    others = [opened("a-key-nobody-guesses", listed=True), opened("another-key-of-16")]
    others += [opened("short"), opened("short"), opened(""), opened("")]
    assert len({name, *(answer.json()["id"] for answer in others)}) == 7
    refused(opened("k" * 65), 400, "bad-request")


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({"game": "chess"}, 422, "unknown-game"),
        ({"game": "quadrille", "players": 3}, 422, "bad-option"),
        ({"game": "quadrille", "options": {"players": 2}}, 422, "bad-option"),
        ({"game": "quadrille", "options": {"name": "x"}}, 422, "bad-option"),
        ({"game": "objectif", "options": {"first": int("9" * 3000)}}, 422, "bad-option"),
        ({"game": "quadrille", "seats": [{}]}, 422, "bad-option"),
        ({"game": "quadrille", "seats": [{"bot": 7}, {}]}, 422, "bad-option"),
        ({"game": "quadrille", "seats": [{"bot": 1}, {"bot": 1}]}, 422, "bad-option"),
        ({"game": "quadrille", "pace": {"pace": "live", "seconds": 0}}, 422, "bad-option"),
        ({"game": "quadrille", "pace": {"pace": "never"}}, 400, "bad-request"),
        ({"game": "quadrille", "leaver": "cry"}, 400, "bad-request"),
        ({"game": "quadrille", "resign": "cry"}, 400, "bad-request"),
        ({"game": "quadrille", "colour": "red"}, 400, "bad-request"),
        ({"game": 7}, 400, "bad-request"),
        ({}, 400, "bad-request"),
        ([], 400, "bad-request"),
        (None, 400, "bad-request"),
    ],
)
def test_tables_that_cannot_be(site: Site, asked: Any, status: int, code: str) -> None:
    refused(site.http.post("/api/tables", json=asked), status, code)


def test_open_tables_are_listed_until_they_begin(site: Site) -> None:
    name, hidden = site.open(listed=True), site.open()
    first = site.sit(name, 0, "Éva")
    first.look()
    (listed,) = [each for each in site.get("tables")["tables"] if each["id"] == name]
    assert listed["seats"][0] == {"name": "Éva", "taken": True}
    assert hidden not in [each["id"] for each in site.get("tables")["tables"]]
    site.sit(name, 1)
    assert name not in [each["id"] for each in site.get("tables")["tables"]]
    assert first.look()["to_move"] == 0


def listed(site: Site) -> list[str]:
    return [each["id"] for each in site.get("tables")["tables"]]


def test_open_tables_are_listed_while_somebody_is_there_the_newest_first(site: Site) -> None:
    empty, left = site.open(listed=True), site.sit(site.open(listed=True), 0)
    people = [site.sit(site.open(listed=True), 0) for _ in range(2)]
    for person in people:
        person.look()
    found = listed(site)
    assert empty not in found, "nobody sits there"
    assert left.table not in found, "nobody is there"
    assert found.index(people[1].table) < found.index(people[0].table)
    left.look()
    assert left.table in listed(site)
    left.do("leave")
    assert left.table not in listed(site)


def test_a_game_over_days_is_listed_while_its_people_are_away(site: Site) -> None:
    pace = {"pace": "days", "days": 3}
    empty = site.open(listed=True, pace=pace)
    waiting = site.sit(site.open(listed=True, pace=pace), 0)
    assert waiting.table in listed(site)
    assert empty not in listed(site), "nobody sits there"


def test_the_list_has_few_tables_that_one_address_has_opened(tmp_path: Path) -> None:
    with in_process(tmp_path, limits=Limits()) as site:

        def opened(host: str) -> str:
            body = {"game": "quadrille", "listed": True}
            answer = site.http.post("/api/tables", json=body, headers={"X-Forwarded-For": host})
            person = site.sit(answer.json()["id"], 0)
            person.look()
            return person.table

        honest = opened("198.51.100.1")
        many = [opened("203.0.113.7") for _ in range(4)]
        assert listed(site) == [*reversed(many[1:]), honest]


def test_a_table_that_cannot_be_read_breaks_no_list(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    person, store = site.sit(site.open(listed=True), 0), site.state.store
    person.look()
    kept = store.table(person.table)
    assert kept is not None
    bad = {"unreadable": kept.options.replace("quadrille", "chess"), "nonsense": "{"}
    for name, terms in bad.items():
        create(store, StoredTable(name, kept.opened, terms, "secret", listed=True))
        give(store, name, 0, hashed(person.token))
    by_days = '{"pace":{"pace":"days"}'  # a table over days is listed though nobody is there
    create(store, StoredTable("by-days", kept.opened, by_days, "secret", listed=True))
    give(store, "by-days", 0, hashed(person.token))
    waiting = site.state.tables.waiting_tables

    async def with_bad() -> set[str]:
        return {*await waiting(), *bad}

    monkeypatch.setattr(site.state.tables, "waiting_tables", with_bad)
    found = listed(site)
    assert person.table in found
    assert not {*bad, "by-days"} & set(found)
    mine = site.http.get("/api/tables/mine", headers={"Benben-Tokens": person.token})
    assert [each["id"] for each in mine.json()["tables"]] == [person.table]
    assert "table unreadable is left out of a list" in caplog.text
    for name in (*bad, "by-days"):
        append(store, name, 2, 1, "{}", over=True).result()


def test_live_tables_can_be_watched_where_their_players_allow_it(site: Site) -> None:
    def live() -> dict[str, Any]:
        return {each["id"]: each for each in site.get("tables")["live"]}

    name, friends = site.open(listed=True), site.open("objectif", players=2, watchable=True)
    not_these = [site.open(), site.open(listed=True, watchable=False)]
    tables = [name, friends, *not_these]
    for table in tables:
        site.sit(table, 0)
    assert live().keys().isdisjoint(tables), "none has begun"
    people = [site.sit(table, 1, "Bob") for table in tables]
    assert live().keys() >= {name, friends}
    assert live().keys().isdisjoint(not_these)
    told = live()[friends]
    assert told.keys() == {"id", "game", "options", "pace", "moves", "seats"}
    assert (told["game"], told["moves"]) == ("objectif", 0)
    assert [seat["name"] for seat in told["seats"]] == ["Ann", "Bob"]
    assert [person.look().get("watchable", False) for person in people] == [
        True,
        True,
        False,
        False,
    ]
    assert Person(site, friends).look()["facts"]["goals"] == ["?", "?"], "secrets stay secret"
    people[1].do("resign")
    assert friends not in live()


def test_a_table_where_nothing_happens_is_live_no_more(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = site.table(watchable=True)
    now = site.state.tables.now()
    for passed, there in ((14, True), (16, False)):
        monkeypatch.setattr(site.state.tables, "now", lambda at=now + passed * 60_000: at)
        found = people[0].table in [each["id"] for each in site.get("tables")["live"]]
        assert found is there


def test_a_seat_is_taken_by_one(site: Site) -> None:
    name = site.open()
    answer = sit(site, name, 0)
    assert answer.status_code == 201
    assert answer.json()["seat"] == answer.json()["table"]["you"] == 0
    refused(sit(site, name, 0), 409, "seat-taken")
    assert refused(sit(site, name, 2), 404, "no-such-seat") == {"number": 1}
    for seat in (-1, 100, int("9" * 4300)):
        refused(sit(site, name, seat), 404, "no-such-seat")
    refused(sit(site, name, 1, {"name": "", "nonce": "n"}), 409, "bad-name")
    refused(sit(site, name, 1, {"name": "Bob", "nonce": "é"}), 409, "bad-nonce")
    refused(sit(site, name, 1, {"name": "Bob"}), 409, "bad-nonce")
    refused(sit(site, name, 1, {"name": "Bob", "nonce": 1}), 400, "bad-request")
    refused(sit(site, "nowhere", 0), 404, "no-such-table")
    assert sit(site, name, 1).status_code == 201
    refused(sit(site, name, 0), 409, "begun")


def test_who_lost_the_answer_gets_another_token_by_the_key(site: Site) -> None:
    name, key = site.open(), {"Idempotency-Key": "a-key-nobody-guesses"}
    first, second = sit(site, name, 0, **key), sit(site, name, 0, **key)
    assert second.status_code == 201
    assert second.json()["table"]["number"] == 1
    for answer in (first, second):
        assert Person(site, name, answer.json()["token"]).look()["you"] == 0
    refused(sit(site, name, 0, {"name": "Bob", "nonce": "n"}, **key), 409, "seat-taken")
    Person(site, name, second.json()["token"]).do("leave")
    assert sit(site, name, 0).status_code == 201
    refused(sit(site, name, 0, **key), 409, "seat-taken")
    short = {"Idempotency-Key": "1"}
    assert sit(site, name, 1, **short).status_code == 201
    refused(sit(site, name, 1, **short), 409, "begun")


def test_only_a_seats_own_token_is_good(site: Site) -> None:
    first, second = site.table()
    elsewhere, _ = site.table()
    for token in ("x", elsewhere.token, first.token + "x", "x" * 5000, "é"):
        answer = site.http.post(
            f"/api/tables/{first.table}/resign",
            headers=[(b"Authorization", f"Bearer {token}".encode())],
        )
        refused(answer, 401, "no-token")
        assert answer.headers["www-authenticate"] == "Bearer"
    refused(Person(site, first.table).ask("resign"), 401, "no-token")
    for shown in ("Bearer", "Basic abc", first.token):
        refused(Person(site, first.table).ask("resign", Authorization=shown), 401, "no-token")
    seen = site.http.get(f"/api/tables/{first.table}", headers={"Authorization": "Bearer x"})
    refused(seen, 401, "no-token")
    assert "you" not in Person(site, first.table).look()
    assert [first.look()["you"], second.look()["you"]] == [0, 1]


def test_tokens_are_nobody_elses_business(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        first, second = site.table()
        first.move()
        site.http.get(f"/api/games?token={first.token}")
        site.http.get("/api/tables/mine", headers={"Benben-Tokens": first.token})
        shown = second.record().text + site.http.get(f"/api/tables/{first.table}").text
    client = ("httpx", "httpcore")  # it is in this process too, and may know what it sends
    logged = [each.getMessage() for each in caplog.records if not each.name.startswith(client)]
    assert any(f"POST /api/tables/{first.table}/move 200" in line for line in logged)
    said = "\n".join(logged) + shown + site.http.get("/metrics").text
    for person in (first, second):
        assert person.token not in said
        assert hashed(person.token) not in said


def test_drawn_seats_go_with_their_tokens(site: Site) -> None:
    moved = set()
    for _ in range(12):
        people = site.table("objectif", 3, players=3, drawn=True)
        order = people[0].record().json()["entries"][3]["event"]["order"]
        assert [person.look()["you"] for person in people] == order
        for chosen, person in enumerate(people):
            assert person.look()["seats"][order[chosen]]["name"] == f"Ann{chosen}"
            assert ("legal" in person.look()) == (person.look()["to_move"] == order[chosen])
        turn = people[0].look()["to_move"]
        people[order.index(turn)].move()
        moved.add(tuple(order))
        if len(moved) > 1:
            break
    assert len(moved) > 1


def test_my_tables_and_whose_turn_it_is(site: Site) -> None:
    first, second = site.table()
    waiting = site.sit(site.open(), 1)
    tokens = " ".join([first.token, waiting.token, "nonsense"])
    answer = site.http.get("/api/tables/mine", headers={"Benben-Tokens": tokens}).json()
    told = {each["id"]: each for each in answer["tables"]}
    assert set(told) == {first.table, waiting.table}
    assert told[first.table]["your_turn"] is True
    assert told[first.table]["to_move"] == told[first.table]["you"] == 0
    assert (told[waiting.table]["begun"], told[waiting.table]["you"]) == (False, 1)
    first.move()
    answer = site.http.get("/api/tables/mine", headers={"Benben-Tokens": first.token}).json()
    assert answer["tables"][0]["your_turn"] is False
    second.do("resign")
    answer = site.http.get("/api/tables/mine", headers={"Benben-Tokens": first.token}).json()
    assert answer["tables"][0]["over"] is True
    many = {"Benben-Tokens": " ".join(["x"] * 51)}
    refused(site.http.get("/api/tables/mine", headers=many), 400, "bad-request")
    refused(site.http.get("/api/tables/mine"), 400, "bad-request")


@pytest.mark.parametrize("drawn", [False, True])
def test_who_wants_to_be_forgotten_is(site: Site, drawn: bool) -> None:
    name = site.open(drawn=drawn, leaver="bot")
    first, second = site.sit(name, 0, "Cléopâtre"), site.sit(name, 1, "Bob")
    first.do("chat", {"text": "my secret"})
    second.do("chat", {"text": "yours"})
    first.do("forget")
    refused(first.ask("chat", {"text": "hm"}), 401, "no-token")
    seat = 1 - second.look()["you"]
    assert second.look()["seats"][seat] == {"level": 3, "taken": True, "away": True}
    second.do("resign")
    for text in (second.record().text, str(second.look())):
        assert "Cléopâtre" not in text
        assert "my secret" not in text
        assert "Bob" in text
    site.state.tables.sessions.pop(name)  # it is gone from the store, not only from memory
    assert "Cléopâtre" not in second.record().text
    assert "yours" in second.record().text
    checked = site.http.post("/api/records", content=second.record().content)
    assert checked.status_code == 200, checked.text


# ---- Nonces


def test_seats_commit_to_nonces_and_reveal_them(site: Site) -> None:
    nonces = ["a1b2", "c3d4"]
    table = site.open("pyramidis", players=2)
    people = []
    for seat, nonce in enumerate(nonces):
        body = {"name": f"Ann{seat}", "commitment": sha256(nonce.encode()).hexdigest()}
        people.append(Person(site, table, sit(site, table, seat, body).json()["token"]))
    starting = people[0].look()["starting"]
    assert (starting["phase"], starting["seats"]) == ("reveal", [0, 1])
    refused(people[0].ask("reveal", {"nonce": "other"}), 409, "bad-nonce")
    refused(people[0].ask("commit", {"commitment": "00" * 32}), 409, "committed")
    people[0].do("reveal", {"nonce": nonces[0]})
    people[1].do("leave")
    refused(people[1].ask("reveal", {"nonce": nonces[1]}), 401, "no-token")
    body = {"name": "Eve", "commitment": sha256(b"e5").hexdigest()}
    people[1] = Person(site, table, sit(site, table, 1, body).json()["token"])
    assert people[0].look()["starting"]["phase"] == "commit"
    people[0].do("commit", {"commitment": sha256(b"f6").hexdigest()})
    people[0].do("reveal", {"nonce": "f6"})
    people[1].do("reveal", {"nonce": "e5"})
    assert people[0].look()["to_move"] is not None


def test_a_token_cannot_be_computed_from_the_published_secret(site: Site) -> None:
    table, key = site.open(), "an-idempotency-key"
    token = sit(site, table, 0, **{"Idempotency-Key": key}).json()["token"]
    assert sit(site, table, 0, **{"Idempotency-Key": key}).json()["token"] == token
    bob = site.sit(table, 1, "Bob")
    bob.do("resign")
    secret = bob.look()["secret"]
    for known in ((table, "0", "Ann", "n", key), ("0", "Ann", "n", key)):
        assert derived_token(secret, "sit", *known) != token
