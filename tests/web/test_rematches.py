"""Another game of the same people: seats are kept, the next one begins, and no seat is lost."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from benben.table.tokens import hashed
from tests.web.in_process import in_process, site
from tests.web.programs import Program
from tests.web.site import Person, Site, refused
from tests.web.test_bots import register
from tests.web.test_owners import MOST_STATEMENTS, deaths, dying

__all__ = ["register", "site"]

KEY = {"Idempotency-Key": "a-key-that-nobody-guesses"}


def again(person: Person, nonce: str = "n", **headers: str) -> Any:
    return person.do("rematch", {"nonce": nonce} if nonce else None, **headers)


def over(site: Site, game: str = "batisseurs", people: int = 2, **terms: Any) -> list[Person]:
    """A game that the first seat has given up."""
    sitting = site.table(game, people, resign="end", **terms)
    sitting[0].do("resign")
    return sitting


def test_whoever_asks_has_their_seat_and_the_next_one_begins(site: Site) -> None:
    terms: dict[str, Any] = {"players": 3, "seats": [{}, {}, {"bot": 2}], "leaver": "forfeit"}
    people = site.table("batisseurs", 2, resign="end", options={"first": 2}, **terms)
    refused(people[0].ask("rematch", {"nonce": "n"}), 409, "not-over")
    people[0].do("resign")
    told = again(people[1])
    assert set(told) == {"id", "seat", "token", "table"}
    assert (told["seat"], told["table"]["you"]) == (1, 1)
    assert told["table"]["seats"] == [
        {"expected": "Ann0"},
        {"name": "Ann1", "taken": True},
        people[0].look()["seats"][2],
    ]
    assert told["table"]["seats"][2]["level"] == 2
    assert told["table"]["options"]["first"] == 3
    assert told["table"]["leaver"] == "forfeit"
    assert told["table"]["drawn"] is False
    assert told["table"]["commitment"] != people[0].look()["commitment"]
    seen = people[0].look()
    assert (seen["rematch"], seen["rematch_by"]) == (told["id"], 1)
    assert people[0].record().json()["entries"][-1]["event"] == {
        "kind": "rematched",
        "table": told["id"],
        "seat": 1,
    }
    other = again(people[0])
    assert (other["id"], other["seat"]) == (told["id"], 0)
    assert other["table"]["to_move"] is not None, "all are there: it has begun"
    assert other["token"] != told["token"]
    refused(Person(site, people[0].table).ask("rematch", {"nonce": "n"}), 401, "no-token")


@pytest.mark.parametrize("game", ["objectif", "pyramidis"])
def test_if_it_was_drawn_who_begins_it_is_the_next_after_them(site: Site, game: str) -> None:
    people = site.table(game, 2, players=2, options={"first": "random"}, drawn=True)
    began = people[0].look()["to_move"]
    names = [seat["name"] for seat in people[0].look()["seats"]]
    people[0].do("resign")
    for person in people:
        told = again(person)
    assert told["table"]["to_move"] == 1 - began
    assert told["table"]["options"]["first"] == 2 - began
    assert [seat["name"] for seat in told["table"]["seats"]] == names, "nobody changes seats"


def test_where_one_seat_always_begins_everybody_moves_on(site: Site) -> None:
    people = over(site, "quadrille")
    assert [again(person)["seat"] for person in people] == [1, 0]
    assert [seat["name"] for seat in again(people[0])["table"]["seats"]] == ["Ann1", "Ann0"]
    against_bot = over(site, "quadrille", 1, seats=[{}, {"bot": 1}])[0]
    bot = against_bot.look()["seats"][1]
    assert bot == {"name": bot["name"], "level": 1}
    told = again(against_bot)
    assert told["table"]["seats"][0] == bot
    assert "to_move" in told["table"], "against bots it begins at once"


def test_the_same_old_token_is_always_the_same_seat_and_token(site: Site) -> None:
    first, second = over(site)
    with ThreadPoolExecutor(4) as pool:
        keys = [KEY, KEY, {}, {"Idempotency-Key": "another-key-to-guess"}] * 2
        told = list(pool.map(lambda key: again(first, **key), keys))
    assert len({each["token"] for each in told}) == 1
    assert len({each["id"] for each in told}) == 1
    there = Person(site, told[0]["id"], told[0]["token"])
    assert there.look()["you"] == 0
    assert site.state.store.tokens_of(there.table) == {hashed(there.token): 0}
    again(second)
    there.move() if there.look()["to_move"] == 0 else None
    assert again(first, nonce="other")["token"] == there.token, "also when it has begun"
    elsewhere, _ = over(site)
    assert again(elsewhere)["token"] != there.token


def test_without_a_nonce_it_is_only_opened(site: Site) -> None:
    """So whoever wants to can see the promise of its luck before they add to it."""
    first, _ = over(site)
    told = again(first, nonce="")
    assert (told["token"], told["seat"]) == ("", 0)
    assert "you" not in told["table"]
    assert told["table"]["seats"][0] == {"expected": "Ann0"}
    sat = again(first)
    assert (sat["id"], sat["table"]["commitment"]) == (told["id"], told["table"]["commitment"])
    assert sat["token"]
    refused(over(site)[0].ask("rematch", {"nonce": "é"}), 409, "bad-nonce")
    refused(first.ask("rematch", {"nonce": 7}), 400, "bad-request")


def test_a_kept_seat_is_nobody_elses_until_it_is_declined(site: Site) -> None:
    first, second = over(site)
    refused(second.ask("rematch/decline"), 409, "no-rematch")
    there = Person(site, again(first)["id"])
    path = f"/api/tables/{there.table}/seats/1"
    stranger = {"name": "Eve", "nonce": "n"}
    refused(site.http.post(path, json=stranger), 409, "seat-kept")
    refused(first.ask("rematch/decline"), 409, "seated-already")
    for _ in range(2):
        assert second.do("rematch/decline") == {"id": there.table}
    assert there.look()["seats"][1] == {"expected": "Ann1", "declined": True}
    kinds = [entry["event"]["kind"] for entry in there.record().json()["entries"]]
    assert kinds == ["sat", "declined"]
    sat = site.http.post(path, json=stranger)
    assert sat.status_code == 201
    refused(second.ask("rematch", {"nonce": "n"}), 409, "begun")
    assert second.do("rematch/decline") == {"id": there.table}, "nobody waits any more"


def test_whoever_declined_or_stood_up_may_still_come(site: Site) -> None:
    first, second = over(site)
    there = again(first, **KEY)
    second.do("rematch/decline")
    Person(site, there["id"], there["token"]).do("leave")
    refused(first.ask("rematch", {"nonce": "n"}, **KEY), 409, "given-up")
    assert Person(site, there["id"]).look()["seats"][0] == {}
    assert again(first)["token"] == there["token"]
    assert "to_move" in again(second)["table"]


def test_a_free_seat_is_given_to_a_bot(site: Site) -> None:
    table = site.open(players=3, game="batisseurs")
    first = site.sit(table, 0)
    refused(Person(site, table).ask("seats/1/bot", {"level": 2}), 401, "no-token")
    refused(first.ask("seats/0/bot", {"level": 2}), 409, "seat-taken")
    refused(first.ask("seats/7/bot", {"level": 2}), 404, "no-such-seat")
    refused(first.ask("seats/1/bot", {"level": 9}), 409, "no-such-level")
    first.do("seats/1/bot", {"level": 2})
    assert [seat.get("level") for seat in first.look()["seats"][1:]] == [2, None]
    first.do("seats/2/bot", {"level": 1})
    refused(first.ask("seats/2/bot", {"level": 2}), 409, "begun")
    assert "view" in first.look()
    first, _ = over(site)
    there = again(first)
    Person(site, there["id"], there["token"]).do("seats/1/bot", {})
    seats = Person(site, there["id"]).look()["seats"]
    assert seats[1] == {"name": seats[1]["name"], "level": 3}, "also one that was kept"


def test_bots_that_stood_in_or_came_later_are_told_apart(site: Site) -> None:
    table = site.open("batisseurs", players=3, leaver="bot", resign="end")
    first, second = site.sit(table, 0), site.sit(table, 1, "Bob")
    first.do("seats/2/bot", {"level": 1})
    second.do("leave")
    first.do("resign")
    bot = first.look()["seats"][2]
    there = again(first)["table"]
    assert there["seats"][1:] == [{"expected": "Bob"}, bot]


def test_whoever_is_forgotten_is_expected_nowhere(site: Site) -> None:
    first, second = over(site)
    there = again(first)
    second.do("forget")
    waiting = Person(site, there["id"], there["token"])
    assert waiting.look()["seats"][1] == {"declined": True}
    assert "Ann1" not in waiting.record().text
    waiting.do("forget")
    site.state.tables.sessions.pop(there["id"])
    site.state.tables._recent.pop(there["id"])
    for name in ("Ann0", "Ann1"):
        assert name not in Person(site, there["id"]).record().text
    assert site.sit(there["id"], 0, "Eve").look()["seats"][0]["name"] == "Eve"


def test_strangers_find_a_rematch_only_where_a_seat_is_open(site: Site) -> None:
    first, second = over(site, listed=True)
    there = again(first)["id"]

    def listed() -> bool:
        return there in [each["id"] for each in site.get("tables")["tables"]]

    assert not listed()
    Person(site, there, again(first)["token"]).look()
    second.do("rematch/decline")
    assert listed()
    site.sit(there, 1, "Eve")
    assert not listed()
    first, second = over(site, listed=True)
    there = again(first)["id"]
    assert not listed()
    Person(site, there, again(first)["token"]).do("leave")
    kept = site.state.store.table(there)
    assert kept is not None
    assert kept.listed, "who stands up leaves the seat to anybody"
    assert not listed(), "but nobody is there"


@pytest.mark.slow
def test_the_server_dies_at_some_statement_of_a_rematch(tmp_path: Path) -> None:
    def send(site: Site, survives: int) -> tuple[list[Person], httpx.Response, int]:
        people = over(site, "quadrille")
        with dying(site.state.store, survives) as begun:
            answer = people[0].ask("rematch", {"nonce": "n"}, **KEY)
        return people, answer, len(begun)

    with in_process(tmp_path) as site:
        people, answer, total = send(site, survives=MOST_STATEMENTS)
    assert answer.is_success
    assert total <= MOST_STATEMENTS
    for survives in [*deaths(total), None]:
        with in_process(tmp_path) as site:  # started again
            first, second = (Person(site, each.table, each.token) for each in people)
            told = again(first, **(KEY if (survives or 0) % 2 else {}))
            if answer.is_success:
                assert answer.json()["token"] == told["token"]
            assert site.state.store.tokens_of(told["id"]) == {hashed(told["token"]): 1}
            kinds = [
                e["event"]["kind"] for e in Person(site, told["id"]).record().json()["entries"]
            ]
            assert kinds == ["sat"]
            assert "to_move" in again(second)["table"]
            if survives is not None:
                people, answer, _ = send(site, survives)


def test_programs_are_invited_to_their_seats_and_nobody_else_is(
    site: Site, register: Callable[[str], Program]
) -> None:
    rex, eve = register("Rex"), register("Ann0")
    table = site.open()
    first = site.sit(table, 0, "Ann0")
    rex.sit(table, 1)
    first.do("resign")
    with rex.listening() as heard:
        next(heard)
        there = again(first)
        invited = next(message for message in heard if message.kind == "invited").data
    assert (invited["id"], invited["seat"]) == (there["id"], 0)
    refused(eve.ask(there["id"], 0), 409, "seat-kept")
    assert rex.ask(there["id"], 0).json()["table"]["to_move"] == 0
    told = again(Person(site, table, rex.token))
    assert (told["token"], told["table"]["you"]) == ("", 0)
    assert told["table"]["seats"][0] == {"name": "Rex", "taken": True, "program": True}


def test_a_bot_does_not_take_the_seat_of_a_person_of_its_name(
    site: Site, register: Callable[[str], Program]
) -> None:
    _, second = over(site)
    there = again(second)["id"]
    refused(register("Ann0").ask(there, 0), 409, "seat-kept")
