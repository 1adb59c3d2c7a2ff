"""Looking back at a game, and ahead at a throw."""

import threading
from typing import Any

import httpx
import pytest

import benben
from benben.core.effects import Effect, follow
from benben.core.registry import names
from benben.core.rules import CHANCE
from benben.table import history as history_view
from benben.web.limits import Buckets
from benben.web.routes import history as history_routes
from tests.web.in_process import site
from tests.web.site import Person, Site, refused

__all__ = ["site"]


@pytest.mark.parametrize("game", names())
def test_the_effects_of_all_steps_lead_to_the_drawing_of_now(site: Site, game: str) -> None:
    people = site.table(game, people=2, players=2)
    for _ in range(8):
        people[people[0].look()["to_move"]].move(3)
    spectator = Person(site, people[0].table)
    seen, history = spectator.look(), site.get(f"tables/{spectator.table}/history")
    assert [step["move"] for step in history["steps"]] == seen["moves"]
    assert {step.get("seat") for step in history["steps"]} <= {0, 1, None}
    drawing, facts = history["start"], history["facts"]
    for step in history["steps"]:
        drawing = follow(drawing, [Effect(*each) for each in step["effects"]])
        assert step.get("facts") != facts, "only what has changed is told"
        facts = step.get("facts", facts)
    assert drawing == seen["drawing"]
    assert facts == seen["facts"]
    assert history["number"] == seen["number"]


def test_a_long_history_comes_in_pages(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = site.table()
    ann.do("chat", {"text": "oh"})
    for mover in (ann, bob, ann, bob, ann):
        mover.move()
    path = f"tables/{ann.table}/history"
    whole = site.get(path)
    assert "next" not in whole
    monkeypatch.setattr(history_view, "STEPS_PER_PAGE", 2)
    pages = [site.get(path), site.get(f"{path}?first=2"), site.get(f"{path}?first=4")]
    assert [page.get("next") for page in pages] == [2, 4, None]
    assert [step for page in pages for step in page["steps"]] == whole["steps"]
    assert [len(page["said"]) for page in pages] == [1, 0, 0]
    drawing = whole["start"]
    for page in pages:
        assert page["start"] == drawing
        for step in page["steps"]:
            drawing = follow(drawing, [Effect(*each) for each in step["effects"]])
    assert site.get(f"{path}?first=1000")["steps"] == []
    refused(site.http.get(f"/api/{path}?first=-1"), 400, "bad-request")


def test_what_was_said_is_in_it_and_what_was_taken_back_is_not(site: Site) -> None:
    ann, bob = site.table()
    ann.move()
    ann.do("chat", {"text": "oh"})
    ann.do("undo")
    bob.do("undo/answer", {"granted": True})
    history = site.get(f"tables/{ann.table}/history")
    assert history["steps"] == []
    assert [(line["seat"], line["text"]) for line in history["said"]] == [(0, "oh")]


def test_what_else_happened_is_told_beside_the_steps(site: Site) -> None:
    ann, bob = site.table(leaver="bot")
    ann.move()
    ann.do("undo")
    bob.do("undo/answer", {"granted": False})
    bob.move()
    bob.do("undo")
    ann.do("undo/answer", {"granted": True})
    bob.do("leave")
    bob.do("reclaim")
    bob.do("resign")
    notices = site.get(f"tables/{ann.table}/history")["notices"]
    assert [(each["kind"], each["seat"], each["after"]) for each in notices[:6]] == [
        ("undo-asked", 0, 1),
        ("undo-refused", 1, 1),
        ("undo-asked", 1, 2),
        ("undone", 1, 1),  # so many are left
        ("taken-over", 1, 1),
        ("reclaimed", 1, notices[5]["after"]),  # the bot may have moved meanwhile
    ]
    assert notices[4]["level"] == 3
    assert notices[-1]["kind"] == "resigned"
    kept = {each["number"]: each for each in ann.record().json()["entries"]}
    for each in notices:
        assert kept[each["number"]]["event"]["kind"] == each["kind"]
        assert kept[each["number"]]["at"] == each["at"]


def test_before_the_game_there_is_nothing_to_look_back_at(site: Site) -> None:
    table = site.open()
    assert site.get(f"tables/{table}/history") == {
        "number": 0,
        "start": {},
        "facts": {},
        "steps": [],
        "said": [],
        "notices": [],
    }
    refused(site.http.get(f"/api/tables/{table}/odds?move=roll"), 409, "not-on")


def test_how_risky_another_throw_is(site: Site) -> None:
    """As often as the turn is over after a throw, without anything that could be placed."""
    people = site.table("batisseurs", people=2, players=2)
    while True:
        seen = people[0].look()
        mover = people[seen["to_move"]]
        if "roll" in [each["move"] for each in mover.look()["legal"]]:
            break
        mover.move()
    after = benben.game("batisseurs").parse(seen["view"]).play("roll")
    in_vain = [odds for throw, odds in after.chance() if after.play(throw).to_move == CHANCE]
    assert 0 < sum(in_vain) < 1
    assert _odds(mover, "roll").json()["bust"] == pytest.approx(sum(in_vain))
    assert _odds(mover, "stop").json()["bust"] == 0  # the next throw is another's
    refused(_odds(mover, "xyzzy"), 422, "bad-notation")
    refused(_odds(mover, "=abc"), 422, "illegal-move")


def test_nobody_weighs_a_throw_in_a_game_without_dice(site: Site) -> None:
    ann, _ = site.table("quadrille")
    assert _odds(ann, "@c3").json() == {"bust": None}


def _odds(person: Person, move: str) -> httpx.Response:
    return person.site.http.get(
        f"/api/tables/{person.table}/odds", params={"move": move}, headers=person.headers
    )


@pytest.mark.parametrize("what", ["history", "record"])
def test_a_long_game_counts_several_times_and_is_encoded_in_a_thread(
    site: Site, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    ann, _ = site.table()
    for _ in range(7):
        ann.do("chat", {"text": "oh"})
    threads: list[str] = []
    encode = history_routes._encode

    def noting(answer: Any) -> bytes:
        threads.append(threading.current_thread().name)
        return encode(answer)

    monkeypatch.setattr(history_routes, "_encode", noting)
    monkeypatch.setattr(history_routes, "EVENTS_PER_REQUEST", 2)
    monkeypatch.setattr(site.state.counts, "addresses", Buckets(1e-6, 14))  # one more for each
    assert ann.look()["number"] == 10
    path = f"/api/tables/{ann.table}/{what}"
    assert [site.http.get(path).status_code for _ in range(3)] == [200, 200, 429]
    answer = site.http.get(path)
    refused(answer, 429, "too-many-requests")
    assert answer.headers["retry-after"]
    assert len(threads) == 2
    assert all(each.startswith("replay") for each in threads)
