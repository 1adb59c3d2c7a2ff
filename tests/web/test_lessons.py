"""Lessons over HTTP: what is told of them, and what the learner sees."""

from typing import Any

import pytest

import benben
from benben.learn.lessons import Language, script
from tests.sizes import rotating
from tests.web.in_process import site
from tests.web.site import Site, refused

__all__ = ["site"]

LANGUAGES: tuple[Language, ...] = ("en", "fr")


@pytest.mark.parametrize("language", LANGUAGES)
@rotating("name", benben.names())
def test_a_lesson_as_it_is_told(site: Site, name: str, language: Language) -> None:
    written, told = script(name), site.get(f"games/{name}/lesson?language={language}")
    assert told["game"] == name
    assert told["options"] == written.game.options
    assert told["seat"] == written.seat
    assert site.get(f"games/{name}")["lesson"] == told["minutes"] == written.lesson.minutes
    for number, (chapter, seen) in enumerate(zip(written.chapters, told["chapters"], strict=True)):
        assert seen["title"] == chapter.title[language]
        assert seen["view"] == str(written.start(number).view(written.seat))
        for step, shown in zip(chapter.steps, seen["steps"], strict=True):
            assert shown["say"] == step.say[language]
            assert shown.get("done", "") == (step.done[language] if step.done else "")
            assert shown.get("wrong", "") == (step.wrong[language] if step.wrong else "")
            assert shown.get("moves", []) == list(step.moves)
            assert shown.get("replies", []) == list(step.replies)
            assert shown.get("highlight", []) == list(step.highlight)
            assert shown.get("rule", "") == step.rule


@rotating("name", benben.names())
def test_it_can_be_played_to_its_end(site: Site, name: str) -> None:
    """As a page does: every step with its replies, the first move of those accepted."""
    written, told = script(name), site.get(f"games/{name}/lesson?language=en")
    for number, chapter in enumerate(told["chapters"]):
        moves: list[str] = []
        shown = at(site, name, number, moves)
        assert shown["view"] == chapter["view"]
        for step in chapter["steps"]:
            if "moves" in step:
                assert shown["to_move"] == told["seat"]
                assert set(step["moves"]) <= {each["move"] for each in shown["legal"]}
            moves += step.get("moves", [])[:1] + step.get("replies", [])
            shown = at(site, name, number, moves)
            assert [each["move"] for each in shown["steps"]] == moves
    assert shown["result"]["shares"][written.seat] == 1


def test_secrets_stay_secret(site: Site) -> None:
    """Before the end nothing that is sent has the other's goal."""
    written = script("objectif")
    seen = []
    told = site.get("games/objectif/lesson?language=en")
    for number, chapter in enumerate(told["chapters"]):
        seen.append(chapter["view"])
        moves: list[str] = []
        for step in chapter["steps"]:
            shown = at(site, "objectif", number, moves)
            seen += [shown["view"], shown["start"]["view"]]
            assert shown["facts"]["goals"].count("?") == 1
            moves += step.get("moves", [])[:1] + step.get("replies", [])
    for view in seen:
        goals = view.split()[-1]
        assert goals[1 - written.seat] == "?"
        assert goals[written.seat] != "?"


def test_what_is_refused(site: Site) -> None:
    refused(site.http.get("/api/games/chess/lesson?language=en"), 404, "unknown-game")
    refused(site.http.get("/api/games/quadrille/lesson?language=de"), 400, "bad-request")
    refused(site.http.get("/api/games/quadrille/lesson"), 400, "bad-request")
    path = "/api/games/quadrille/lesson/positions"
    refused(site.http.post(path, json={"chapter": 99}), 422, "bad-option")
    refused(site.http.post(path, json={"chapter": -1}), 422, "bad-option")
    refused(site.http.post(path, json={"seat": 1}), 400, "bad-request")
    wrong = refused(site.http.post(path, json={"moves": ["@d3", "@d3"]}), 422, "illegal-move")
    assert wrong["at"] == 1
    refused(site.http.post("/api/games/chess/lesson/positions", json={}), 404, "unknown-game")


def test_why_not_is_told(site: Site) -> None:
    shown = at(site, "quadrille", 0, [], refusals=True)
    assert any("c3d4" in each["moves"] for each in shown["refusals"])


def test_a_game_without_a_lesson(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benben.web.routes.lessons.written", lambda name: None)
    refused(site.http.get("/api/games/quadrille/lesson?language=en"), 404, "no-lesson")
    refused(site.http.post("/api/games/quadrille/lesson/positions", json={}), 404, "no-lesson")


def at(site: Site, name: str, chapter: int, moves: list[str], **more: Any) -> Any:
    return site.post(f"games/{name}/lesson/positions", {"chapter": chapter, "moves": moves} | more)
