"""Opinions over HTTP: they come one by one, within limits, and end with whoever asked for them."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Thread
from time import monotonic
from typing import Any

import pytest

import benben
from benben.web.opinions import EACH, MOST
from tests.configurations import GAMES, LABELS
from tests.web.in_process import site
from tests.web.site import Message, Site, eventually, messages, refused

__all__ = ["site"]

LONG = "d1=bbbbbbbb,d8=mmmmmmmm b0m0 b 0"  # it is thought about for as long as one likes


def ask(site: Site, game: str, *, reader: str = "", host: str = "10.0.0.1", **asked: Any) -> Any:
    """The answer, as it comes."""
    headers = {"X-Forwarded-For": host} | ({"Benben-Reader": reader} if reader else {})
    return site.http.stream(
        "POST", f"/api/games/{game}/opinions", json={"players": 2} | asked, headers=headers
    )


@contextmanager
def told(site: Site, game: str, **asked: Any) -> Iterator[Iterator[Message]]:
    with ask(site, game, **asked) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield (each for each in messages(answer.iter_lines()) if each.kind)


def denied(site: Site, status: int, code: str, game: str = "pyramidis", **asked: Any) -> Any:
    with ask(site, game, **asked) as answer:
        answer.read()
        return refused(answer, status, code), answer


@pytest.fixture
def briefly(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setattr(site.state.opinions, "seconds", 0.05)
    return site


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_they_come_one_by_one(briefly: Site, game: benben.Game) -> None:
    options = {name: value for name, value in game.options.items() if name != "players"}
    asked: dict[str, Any] = {"players": game.players, "options": options, "seed": 3}
    with told(briefly, game.name, **asked) as found:
        opinions = [each.data for each in found]
    assert [each["done"] for each in opinions] == [False] * (len(opinions) - 1) + [True]
    seen = briefly.post(f"games/{game.name}/positions", asked)
    moves = [each["move"] for each in seen["legal"]]
    for each in opinions:
        assert [move["move"] for move in each.get("moves", [])] == moves
        assert [(t["throw"], t["odds"]) for t in each.get("throws", [])] == [
            tuple(throw) for throw in seen.get("throws", [])
        ]


def test_what_cannot_be_thought_about_is_refused_in_time(site: Site) -> None:
    denied(site, 404, "unknown-game", "chess")
    denied(site, 422, "bad-option", players=3)
    denied(site, 422, "bad-notation", position="nonsense")
    detail, _ = denied(site, 422, "impossible-position", position=LONG.replace("b0", "b1"))
    assert detail == {"offence": "wrong-pyramids"}
    detail, _ = denied(site, 422, "illegal-move", position=LONG, moves=["d1*1", "d1*1"])
    assert (detail["rule"], detail["at"]) == ("not-your-column", 1)
    hidden = str(benben.game("objectif").deal(seed=1).view(None))
    denied(site, 422, "no-opinion", "objectif", position=hidden)
    denied(site, 400, "bad-request", reader="x" * 41)
    assert site.state.opinions.open == 0


def test_whoever_asks_anew_or_goes_away_ends_it(site: Site) -> None:
    opinions = site.state.opinions
    with told(site, "pyramidis", position=LONG) as first:
        next(first)
        with told(site, "pyramidis", position=LONG) as second:
            next(second)
            assert not any(each.data["done"] for each in first)  # its end
            assert opinions.open == 1
    eventually(lambda: opinions.open == 0, "nobody thinks any more", 5)
    eventually(lambda: not site.state.background._queue, "nobody waits for a turn", 5)


def test_several_share_one_processor_and_more_are_refused(site: Site) -> None:
    one, two, three, four = (f"10.0.1.{n}" for n in range(4))
    assert (MOST, EACH) == (4, 2)
    with _many(site, [(one, "0"), (one, "1"), (two, "0")]) as streams:
        denied(site, 503, "too-many-opinions", position=LONG, host=two, reader="1")
        with _many(site, [(three, "0")]) as last:  # its place is for who has none
            for each in (*streams, *last):
                assert next(each).data["nodes"] > 0
            _, answer = denied(site, 429, "too-many-opinions", position=LONG, host=one)
            assert answer.headers["Retry-After"] == "5"
            _, answer = denied(site, 503, "too-many-opinions", position=LONG, host=four)
            assert answer.headers["Retry-After"] == "5"
            with told(site, "pyramidis", position=LONG, host=one, reader="0") as again:
                next(again)  # who asks anew is not one more
    eventually(lambda: site.state.opinions.open == 0, "nobody thinks any more", 5)


@contextmanager
def _many(site: Site, readers: list[tuple[str, str]]) -> Iterator[list[Iterator[Message]]]:
    with ExitStack() as stack:
        yield [
            stack.enter_context(told(site, "pyramidis", position=LONG, host=host, reader=reader))
            for host, reader in readers
        ]


def test_bots_that_people_wait_for_go_first(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    thinkers = site.state.tables.bot_pool
    monkeypatch.setattr(thinkers, "under_way", 100)
    heard: list[float] = []

    def listen() -> None:
        with told(site, "pyramidis", position=LONG) as found:
            next(found)
            heard.append(monotonic())

    listener = Thread(target=listen)
    listener.start()
    eventually(lambda: site.state.opinions.open == 1, "somebody asks")
    listener.join(0.3)
    assert heard == []
    freed = monotonic()
    monkeypatch.setattr(thinkers, "under_way", 0)
    listener.join(20)
    assert heard
    assert heard[0] > freed


def test_everything_is_shown_of_what_one_has_dealt(site: Site) -> None:
    def ask(**asked: Any) -> Any:
        return site.post("games/objectif/positions", {"seed": 1} | asked)

    position = benben.game("objectif").deal(seed=1)
    whole = ask(whole=True)
    assert whole["view"] == str(position)
    assert "?" not in "".join(whole["facts"]["goals"])
    after = ask(whole=True, moves=position.moves()[:1])
    assert after["view"] == str(position.play(position.moves()[0]))
    assert ask()["view"] == str(position.view(None))
    view = str(position.view(0))
    assert ask(position=view, whole=True)["view"] == view
