"""Puzzles over HTTP: listed, shown as the mover sees them, tried and solved."""

import pytest

import benben
from benben.learn.puzzles.daily import of_the_day, today
from benben.learn.puzzles.puzzle import collection
from tests.web.in_process import site
from tests.web.site import Site, refused

__all__ = ["site"]

GAMES = pytest.mark.parametrize("name", benben.names())


@GAMES
def test_the_list_gives_nothing_away(site: Site, name: str) -> None:
    told = site.get(f"puzzles/{name}")
    assert told["game"] == name
    assert [each["id"] for each in told["puzzles"]] == [
        each.id for each in collection(name).puzzles
    ]
    fields = {"id", "game", "grade", "players", "phase", "task", "certainty"}
    assert all(set(each) == fields for each in told["puzzles"])
    assert site.get(f"games/{name}")["puzzles"] == len(told["puzzles"])


@GAMES
def test_one_is_shown_tried_and_solved(site: Site, name: str) -> None:
    for puzzle in collection(name).puzzles[::13]:
        path = f"puzzles/{name}/{puzzle.id}"
        shown = site.get(path)
        assert shown["position"]["view"] == puzzle.position
        assert shown["position"]["to_move"] == shown["seat"] == puzzle.seat
        legal = [each["move"] for each in shown["position"]["legal"]]
        assert legal == [answer.move for answer in puzzle.answers]
        assert set(shown["nudge"]) <= set(shown["position"]["drawing"])
        right = site.get(f"{path}/solution")
        assert right == site.post(f"{path}/try", {"move": puzzle.solution})
        assert right["right"]
        assert right["why"] == shown["task"]
        assert right["idea"]["id"]
        for answer in puzzle.answers:
            told = site.post(f"{path}/try", {"move": answer.move})
            assert told["right"] == (answer.move in puzzle.right)
            assert told["share"] == answer.share
            moves = [step["move"] for step in told["line"]["steps"]]
            assert moves in ([], [answer.move, *answer.line])
            assert moves or name == "objectif"
            assert told["line"]["start"]["view"] == puzzle.position


def test_secrets_are_shown_only_at_the_end_of_a_line(site: Site) -> None:
    for puzzle in collection("objectif").puzzles[::9]:
        told = site.get(f"puzzles/objectif/{puzzle.id}/solution")
        assert told["imagined"]
        hidden = told["line"]["view"].split()[-1].count("?")
        assert (hidden == 0) == ("result" in told["line"])


def test_the_puzzle_of_the_day(site: Site) -> None:
    before, told, after = today(), site.get("puzzles/today"), today()
    of_days = [of_the_day(day) for day in (before, after)]  # it may be midnight
    found = [(name, puzzle.id) for name, puzzle in of_days]
    assert (told["puzzle"]["game"], told["puzzle"]["id"]) in found
    name, puzzle = of_the_day(today().replace(year=2030, month=2, day=3))
    told = site.get("puzzles/today?date=2030-02-03")
    assert told["date"] == "2030-02-03"
    assert (told["puzzle"]["game"], told["puzzle"]["id"]) == (name, puzzle.id)


def test_what_is_refused(site: Site) -> None:
    refused(site.http.get("/api/puzzles/chess"), 404, "unknown-game")
    refused(site.http.get("/api/puzzles/chess/abc"), 404, "unknown-game")
    refused(site.http.get("/api/puzzles/quadrille/zzzzzz"), 404, "no-such-puzzle")
    refused(site.http.get("/api/puzzles/quadrille/zzzzzz/solution"), 404, "no-such-puzzle")
    refused(site.http.get("/api/puzzles/today?date=yesterday"), 422, "bad-option")
    refused(site.http.get("/api/puzzles/today?date=2026-02-30"), 422, "bad-option")
    path = f"/api/puzzles/quadrille/{collection('quadrille').puzzles[0].id}/try"
    refused(site.http.post(path, json={"move": "h9"}), 422, "bad-notation")
    refused(site.http.post(path, json={}), 400, "bad-request")
    refused(site.http.post(path, json={"move": "a1b2", "seat": 1}), 400, "bad-request")
    illegal = {"move": "@a1"}
    assert refused(site.http.post(path, json=illegal), 422, "illegal-move")["rule"]
    refused(site.http.get(path), 405, "no-such-method")
