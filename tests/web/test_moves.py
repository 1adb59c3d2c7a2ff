"""Whole games over HTTP, and everything that whoever holds a seat may do."""

from concurrent.futures import ThreadPoolExecutor

import pytest

import benben
from benben.table.record import TableRecord, verify
from benben.web.routes.records import LARGEST
from tests.sizes import rotating
from tests.web.in_process import site
from tests.web.site import Person, Site, refused

__all__ = ["site"]


def play(people: list[Person], most: int) -> None:
    """Everybody plays, each from their own view, until it is over."""
    for step in range(most):
        seen = Person(people[0].site, people[0].table).look()
        if "result" in seen:
            return
        people[seen["to_move"]].move(step * 7)


@rotating("game", benben.names())
def test_a_whole_game_of_two_people(site: Site, game: str) -> None:
    people = site.table(game, players=2)
    play(people, 150)
    if "result" not in people[0].look():
        people[1].do("resign")
    seen = people[0].look()
    assert sum(seen["result"]["shares"]) == pytest.approx(1)
    record = TableRecord.parse(people[0].record().content)
    verify(record)
    assert record.secret == seen["secret"]
    told = site.http.post("/api/records", content=people[0].record().content)
    assert told.status_code == 200, told.text
    assert told.json()["table"]["result"] == seen["result"]
    assert told.json()["events"] == seen["number"]


@rotating("game", benben.names())
def test_a_game_against_a_bot(site: Site, game: str) -> None:
    (person,) = site.table(game, 1, players=2, seats=[{}, {"bot": 1}])
    moves = 0
    with person.listening() as heard:
        for message in heard:
            if not message.kind:
                continue  # only a sign that the stream is alive
            seen = message.data.get("now", {}) if message.kind == "event" else message.data
            if "secret" in seen or (seen.get("to_move") == 0 and moves == 60):
                break  # it is over, or the bot has answered long enough
            if seen.get("to_move") == 0:
                moves += 1
                person.do("move", {"move": seen["legal"][0]["move"], "number": message.number})
    assert "secret" in person.look() or moves == 60, "the stream went on until then"
    events = [each["event"] for each in person.record().json()["entries"]]
    made = [event["seat"] for event in events if event["kind"] == "moved"]
    assert made.count(0) == moves
    assert made.count(1) > 0


def test_a_move_may_be_refused_and_says_why(site: Site) -> None:
    first, second = site.table()
    number = first.look()["number"]
    assert refused(second.ask("move", {"move": "x"}), 409, "not-your-turn") == {"number": number}
    refused(first.ask("move", {"move": "x"}), 422, "bad-notation")
    moves = [each["move"] for each in first.look()["legal"]]
    first.do("move", {"move": moves[0]})
    taken = refused(second.ask("move", {"move": moves[0]}), 422, "illegal-move")
    assert set(taken) == {"rule", "parameters", "rulebook"}
    page, _, paragraph = taken["rulebook"].partition("#")
    assert page == "/rules/quadrille"
    assert f'id="{paragraph}"' in site.http.get(page).text
    stale = refused(second.ask("move", {"move": moves[1], "number": number}), 409, "stale")
    assert stale == {"number": number + 1}
    refused(first.ask("move", {"mvoe": "x"}), 400, "bad-request")
    refused(first.ask("move", {"move": 3}), 400, "bad-request")


def test_talk_between_offer_and_move_changes_no_turn(site: Site) -> None:
    def turn(person: Person) -> tuple[int, bool]:
        answer = site.http.get("/api/tables/mine", headers={"Benben-Tokens": person.token})
        (mine,) = answer.json()["tables"]
        return mine["position_since"], mine["your_turn"]

    ann, bob = site.table()
    offer = ann.look()
    assert turn(ann) == (offer["position_since"], True)
    bob.do("chat", {"text": "are you there?"})
    heard = ann.look()
    assert (heard["number"], heard["position_since"]) == (offer["number"] + 1, offer["number"])
    assert turn(ann) == (offer["number"], True)
    move = offer["legal"][0]["move"]
    moved = ann.do("move", {"move": move, "number": offer["number"]})
    assert turn(bob) == (moved["number"], True)
    assert turn(ann) == (moved["number"], False)


def test_a_key_counts_once_and_is_its_owners(site: Site) -> None:
    first, second = site.table()
    key = {"Idempotency-Key": "k"}
    move = first.look()["legal"][0]["move"]
    done = first.do("move", {"move": move}, **key)
    assert first.do("move", {"move": move}, **key) == done
    assert len(first.look()["moves"]) == 1
    other = second.look()["legal"][0]["move"]
    assert second.do("move", {"move": other}, **key) != done, "the same key of somebody else"
    assert first.do("chat", {"text": "hm"}, **key) != done, "the same key for something else"
    refused(first.ask("chat", {"text": "hm"}, **{"Idempotency-Key": "k" * 65}), 400, "bad-request")
    refused(first.ask("chat", {"text": "hm"}, **{"Idempotency-Key": "a b"}), 400, "bad-request")


def test_of_moves_at_the_same_time_one_is_made(site: Site) -> None:
    first, _ = site.table()
    moves = [each["move"] for each in first.look()["legal"]][:6]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda move: first.ask("move", {"move": move}), moves))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409, 409, 409]
    assert len(first.look()["moves"]) == 1


def test_undo_is_asked_for_and_answered(site: Site) -> None:
    first, second = site.table()
    refused(first.ask("undo"), 409, "nothing-to-undo")
    first.move()
    first.do("undo")
    assert second.look()["undo"]["seat"] == 0
    refused(first.ask("undo/answer", {"granted": True}), 409, "no-undo-asked")
    second.do("undo/answer", {"granted": False})
    assert "undo" not in second.look()
    first.do("undo")
    second.do("undo/answer", {"granted": True})
    assert first.look()["to_move"] == 0
    assert first.look().get("moves", []) == []
    refused(second.ask("undo/answer", {}), 400, "bad-request")


def test_talk_and_phrases(site: Site) -> None:
    first, second = site.table()
    first.do("chat", {"text": "Bonjour à toi"})
    second.do("chat", {"phrase": "hello"})
    refused(first.ask("chat", {"phrase": "nonsense"}), 409, "no-such-phrase")
    refused(first.ask("chat", {}), 409, "bad-talk")
    said = [each["event"] for each in first.record().json()["entries"][-2:]]
    assert [each.get("text", each.get("phrase")) for each in said] == ["Bonjour à toi", "hello"]
    (stranger,) = site.table(people=1, listed=True)
    refused(stranger.ask("chat", {"text": "hm"}), 409, "phrases-only")


def test_leaving_is_as_the_table_was_made(site: Site) -> None:
    first, second = site.table(leaver="bot")
    second.do("leave")
    assert first.look()["seats"][1] == {"name": "Ann1", "level": 3, "taken": True, "away": True}
    refused(second.ask("move", {"move": "x"}), 409, "away")
    second.do("reclaim")
    refused(second.ask("reclaim"), 409, "not-away")
    second.do("resign")
    refused(first.ask("resign"), 409, "over")
    first, second = site.table()
    second.do("leave")
    assert first.look()["seats"][1] == {"name": "Ann1", "taken": True, "away": True}
    number = first.look()["number"]
    assert second.do("leave")["number"] == number, "it is known already"
    notice = site.get(f"tables/{first.table}/history")["notices"][0]
    assert (notice["kind"], notice["seat"], notice["after"]) == ("left", 1, 0)


def test_among_many_the_game_goes_on_without_who_resigns(site: Site) -> None:
    people = site.table("objectif", 3, players=3)
    assert people[0].look()["resign"] == "bot"
    people[0].do("resign")
    seen = people[1].look()
    assert "result" not in seen
    assert seen["seats"][0] == {
        "name": "Ann0",
        "level": 3,
        "taken": True,
        "away": True,
        "resigned": True,
    }
    refused(people[0].ask("reclaim"), 409, "resigned")
    (notice,) = site.get(f"tables/{people[0].table}/history")["notices"]
    assert (notice["kind"], notice["level"], notice["resigned"]) == ("taken-over", 3, True)
    two, three = site.table()[0], site.table("objectif", 3, players=3, resign="end")[0]
    for each in (two, three):
        assert each.look()["resign"] == "end"
        each.do("resign")
        assert "result" in each.look()


def test_a_record_that_was_changed_is_refused(site: Site) -> None:
    first, second = site.table("batisseurs", players=2)
    refused(site.http.post("/api/records", content=first.record().content), 422, "bad-record")
    first.do("resign")
    record = first.record().json()
    threw = next(each for each in record["entries"] if each["event"]["kind"] == "threw")
    number = threw["number"]
    threw["event"]["draw"] += 1
    detail = refused(site.http.post("/api/records", json=record), 422, "bad-record")
    assert detail == {"number": number}
    for nonsense in (b"", b"[", b"{}", b"\xff", b"[" * 100_000, b'{"x":' * 100_000):
        refused(site.http.post("/api/records", content=nonsense), 422, "bad-record")
    record["terms"]["options"] = {}
    refused(site.http.post("/api/records", json=record), 422, "bad-record")
    refused(site.http.post("/api/records", content=b" " * (LARGEST + 1)), 413, "too-large")
    assert second.look()["result"]["shares"] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("kind", "field", "value"), [("moved", "seat", 1), ("ended", "shares", [1.0, 0.0])]
)
def test_a_record_of_what_did_not_happen_is_refused(
    site: Site, kind: str, field: str, value: object
) -> None:
    first, _ = site.table()
    first.move()
    first.do("resign")
    record = first.record().json()
    assert site.http.post("/api/records", json=record).status_code == 200
    forged = next(each for each in record["entries"] if each["event"]["kind"] == kind)
    forged["event"][field] = value
    detail = refused(site.http.post("/api/records", json=record), 422, "bad-record")
    assert detail == {"number": forged["number"]}
