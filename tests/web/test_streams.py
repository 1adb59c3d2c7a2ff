"""Streams of events: everything once, in order, and only what the listener may know."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import benben
from benben.core.game import Game
from tests.web.site import Message, Person, Site, serving


def take(heard: Iterator[Message], count: int) -> list[Message]:
    return list(islice((message for message in heard if message.kind), count))


def test_first_the_table_then_every_event(site: Site) -> None:
    first, second = site.table()
    with first.listening() as heard:
        (whole,) = take(heard, 1)
        assert (whole.kind, whole.number) == ("table", 3)
        assert whole.data == first.look()
        first.move()
        second.do("chat", {"text": "hm"})
        events = take(heard, 2)
    assert [(each.kind, each.number) for each in events] == [("event", 4), ("event", 5)]
    assert [each.data["event"]["kind"] for each in events] == ["moved", "said"]
    assert events[-1].data["table"] == first.look()
    assert events[-1].data["at"] >= events[0].data["at"] > 0


@pytest.mark.parametrize("known", range(8))
def test_a_stream_goes_on_without_gap_or_repeat(site: Site, known: int) -> None:
    first, second = site.table()
    for person in (first, second, first, second):
        person.move()
    with second.listening(**{"Last-Event-ID": str(known)}) as heard:
        first.move()
        events = take(heard, 8 - known)
    assert [each.number for each in events] == list(range(known + 1, 9))
    assert [each.data["number"] for each in events] == list(range(known + 1, 9))
    assert "table" in events[-1].data
    kept = second.record().json()["entries"][known:]
    assert [each.data["event"] for each in events] == [entry["event"] for entry in kept]


@pytest.mark.parametrize("nonsense", ["-1", "x", "99", "9" * 5000, ""])
def test_who_knows_no_event_of_ours_gets_the_whole_table(site: Site, nonsense: str) -> None:
    first, _ = site.table()
    with first.listening(**{"Last-Event-ID": nonsense}) as heard:
        (whole,) = take(heard, 1)
    assert (whole.kind, whole.number) == ("table", 3)


def test_the_stream_of_who_stands_up_ends(site: Site) -> None:
    name = site.open()
    person = site.sit(name, 0)
    with person.listening() as heard:
        person.do("leave")
        kinds = [each.data["event"]["kind"] for each in heard if each.kind == "event"]
    assert kinds == ["stood"], "and then the server closed it"
    assert person.ask("chat", {"text": "hm"}).status_code == 401


def test_a_silent_stream_is_kept_alive_and_ends_with_the_server(tmp_path: Path) -> None:
    with serving(tmp_path, keep_alive=0.05) as site:
        first, _ = site.table()
        with first.listening() as heard:
            assert [each.kind for each in islice(heard, 3)] == ["table", "", ""]
            assert site.house.streams.open == 1
            site.house.streams.close()
            assert all(each.kind == "" for each in heard), "it ends by itself"


def test_who_goes_is_not_waited_for(tmp_path: Path) -> None:
    with serving(tmp_path, keep_alive=0.05) as site:
        first, _ = site.table()
        with first.listening() as heard:
            take(heard, 1)
        live = site.house.hall._tables[first.table]
        while site.house.streams.open or live.watchers:
            first.look()
        assert site.house.streams.open == live.watchers == 0


def scrubbed(text: str, table: str) -> str:
    """Without what differs between any two tables."""
    text = text.replace(table, "TABLE")
    text = re.sub(r'"at":\d+', '"at":0', text)
    return re.sub(r'"commitment":"\w+"', '"commitment":""', text)


def all_that_is_seen(site: Site, moves: list[str]) -> dict[str, list[str]]:
    """Every byte that the second seat and a spectator receive while moves are played."""
    first, second = site.table("objectif", players=2, options={"first": 1})
    anybody = Person(site, first.table)
    seen: dict[str, list[str]] = {"second": [], "anybody": []}
    with second.listening() as one, anybody.listening() as other:
        for number, move in enumerate(["", *moves]):
            if move:
                (first, second)[(number - 1) % 2].do("move", {"move": move})
            for name, who, heard in (("second", second, one), ("anybody", anybody, other)):
                (message,) = take(heard, 1)
                looked = site.http.get(f"/api/tables/{who.table}", headers=who.headers)
                mine = site.http.get("/api/tables/mine", headers={"Benben-Tokens": who.token})
                texts = [message.text, looked.text, who.record().text, mine.text]
                seen[name] += [scrubbed(text, first.table) for text in texts]
    return seen


def test_other_goals_are_told_the_same_until_they_are_shown(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = benben.game("objectif", players=2, first=1)
    start = str(game.deal(seed=1))
    position = game.parse(start)
    moves: list[str] = []
    while position.to_move is not None:
        moves.append(position.moves()[len(moves) % len(position.moves())])
        position = position.play(moves[-1])
    before, goals = start.rsplit(" ", 1)
    other = next(c for c in sorted(set(before) & set("ogbpyv")) if c not in goals)
    seen = []
    for secret in (goals, other + goals[1]):
        dealt = game.parse(f"{before} {secret}")

        def deal(self: Game, *_: Any, dealt: Any = dealt, **__: Any) -> Any:
            return dealt

        monkeypatch.setattr(Game, "deal", deal)
        seen.append(all_that_is_seen(site, moves[:-1]))
    assert seen[0] == seen[1]
    assert all(f'"{before} {goals}"' not in text for text in seen[0]["second"])
    assert any(f"?{goals[1]}" in text for text in seen[0]["second"]), "their own goal is there"
    assert all("??" in text for text in seen[0]["anybody"] if '"start"' in text)
