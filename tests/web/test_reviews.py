"""Reviews over HTTP: made in the background, kept, and refused where there is nothing to review."""

import asyncio
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

import benben
from benben.core.position import Position
from benben.learn.reviews.review import VERSION, MoveName, Review, Sentence
from benben.store.store import Store
from benben.table.record import rebuild
from benben.web import previews, reviewing
from tests.live.playing import Match, options_of
from tests.table import asking
from tests.web.in_process import in_process, site
from tests.web.site import Person, Site, eventually, refused

__all__ = ["site"]

SOON = "d1=bbb,d8=mmmmmmmm,e2=b b4m0 b 0"  # brown's fifth pyramid can come home


def over(site: Site) -> str:
    """A table whose game is over after a move, from a position near its end; its id."""
    return won(site).table


def won(site: Site) -> Person:
    ann, _ = site.table("pyramidis", players=2, position=SOON)
    ann.do("move", {"move": "e2"})
    assert ann.look()["result"]
    return ann


def reviewed(site: Site, name: str) -> Any:
    def complete() -> bool:
        return bool(site.get(f"reviews/{name}")["complete"])

    eventually(complete, "the review is complete")
    return site.get(f"reviews/{name}")


def history(site: Site, path: str) -> list[Any]:
    """All pages of it."""
    pages = [site.get(path)]
    while "next" in pages[-1]:
        pages.append(site.get(f"{path}?first={pages[-1]['next']}"))
    return pages


def test_a_finished_table_is_reviewed_and_the_review_kept(site: Site) -> None:
    people = site.table("batisseurs", players=2)
    while not (seen := people[0].look()).get("result"):
        people[seen["to_move"]].move()
    name = people[0].table
    review = reviewed(site, name)
    pages = history(site, f"tables/{name}/history")
    steps = [step for page in pages for step in page["steps"]]
    assert [step["move"] for step in review["steps"]] == [step["move"] for step in steps]
    assert history(site, f"reviews/{name}/history") == pages
    assert review["names"] == ["Ann0", "Ann1"]
    assert review["levels"] == [0, 0]
    assert review["shares"] == people[0].look()["result"]["shares"]
    assert (review["game"], review["version"]) == ("batisseurs", VERSION)
    eventually(lambda: site.state.store.archive.review(name, VERSION), "it is stored")
    kept = site.state.store.archive.review(name, VERSION)
    assert kept is not None
    assert msgspec.json.decode(kept, type=Review).steps
    assert "Ann" not in kept, "names are the table's to tell"
    people[1].do("forget")
    assert site.get(f"reviews/{name}")["names"] == ["Ann0", ""]


def test_what_was_made_before_is_not_made_again(tmp_path: Path) -> None:
    with in_process(tmp_path) as site:
        name = over(site)
        review = reviewed(site, name)
    with in_process(tmp_path) as site:
        assert site.get(f"reviews/{name}") == review
        assert not site.state.reviews._jobs


def test_what_is_not_over_has_no_review(site: Site) -> None:
    ann, _ = site.table("objectif", players=2)
    for path in ("reviews/{}", "reviews/{}/history", "records/{}"):
        answer = site.http.get(f"/api/{path.format(ann.table)}")
        refused(answer, 409, "not-over")
        refused(site.http.get(f"/api/{path.format('nowhere')}"), 404, "no-such-table")


def test_too_many_reviews_are_refused_for_a_while(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [over(site) for _ in range(3)]
    eventually(lambda: not site.state.reviews._jobs, "the first looks are done")
    for name in names:  # as if they had not been made
        site.state.reviews._known.pop(name, None)
        forget_review(site.state.store, name)
    monkeypatch.setattr(reviewing, "MOST_WAITING", 0)
    site.state.tables.bot_pool.under_way += 1  # a bot thinks: reviews wait for it
    try:
        assert site.get(f"reviews/{names[0]}")["complete"] is False
        answer = site.http.get(f"/api/reviews/{names[1]}")
        refused(answer, 503, "busy")
        assert int(answer.headers["retry-after"]) > 0
    finally:
        site.state.tables.bot_pool.under_way -= 1
    monkeypatch.undo()
    assert reviewed(site, names[0])["complete"]
    assert reviewed(site, names[1])["complete"]


def test_two_who_ask_at_once_share_one_review(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second request must not replace the job that the thread works on."""
    name = unreviewed(site)
    reviews, begun = site.state.reviews, 0
    begin = reviews._begin

    def counting(*args: Any, **more: Any) -> Any:
        nonlocal begun
        begun += 1
        return begin(*args, **more)

    monkeypatch.setattr(reviews, "_begin", counting)
    site.state.tables.bot_pool.under_way += 1  # reviews stand still meanwhile
    try:
        with ThreadPoolExecutor(4) as people:
            asked = [people.submit(site.get, f"reviews/{name}") for _ in range(4)]
            assert not any(each.result()["complete"] for each in asked)
        assert begun == 1
    finally:
        site.state.tables.bot_pool.under_way -= 1
    assert reviewed(site, name)["complete"]


def test_one_address_has_two_reviews_made_at_a_time(site: Site) -> None:
    first, second, third = (unreviewed(site) for _ in range(3))

    def ask(name: str, host: str) -> Any:
        return site.http.get(f"/api/reviews/{name}", headers={"X-Forwarded-For": host})

    site.state.tables.bot_pool.under_way += 1
    try:
        assert ask(first, "10.0.0.1").json()["complete"] is False
        assert ask(second, "10.0.0.1").json()["complete"] is False
        answer = ask(third, "10.0.0.1")
        refused(answer, 429, "busy")
        assert int(answer.headers["retry-after"]) > 0
        assert ask(first, "10.0.0.1").is_success, "one that is being made can be asked for again"
        assert ask(third, "10.0.0.2").is_success
        assert ask(third, "10.0.0.1").is_success, "another address has begun it"
    finally:
        site.state.tables.bot_pool.under_way -= 1
    for name in (first, second, third):
        assert reviewed(site, name)["complete"]


def unreviewed(site: Site) -> str:
    """A table whose game is over, as if nobody had looked at it yet."""
    name = over(site)
    eventually(lambda: not site.state.reviews._jobs, "the first look is done")
    site.state.reviews._known.pop(name, None)
    forget_review(site.state.store, name)
    return name


def test_a_brought_record_is_rebuilt_once_for_all_who_ask(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = bring(site, of_another_server())["id"]
    site.state.reviews._uploaded._tasks.clear()
    rebuilt: list[str] = []
    gate = threading.Event()

    def counting(*args: Any) -> Any:
        rebuilt.append(threading.current_thread().name)
        gate.wait(10)
        return rebuild(*args)

    monkeypatch.setattr(reviewing, "rebuild", counting)
    with ThreadPoolExecutor(3) as people:
        asked = [people.submit(site.get, f"records/{name}") for _ in range(3)]
        eventually(lambda: rebuilt, "it is being rebuilt")
        time.sleep(0.05)  # the others come meanwhile
        gate.set()
        assert all(each.result()["id"] == "elsewhere123" for each in asked)
    assert len(rebuilt) == 1
    assert rebuilt[0].startswith("replay"), "not in a thread that reads the store"


def forget_review(store: Store, name: str) -> None:
    store.archive.save_review(name, VERSION, 0, "no review")


def test_when_a_game_ends_what_decided_it_is_known_soon(site: Site) -> None:
    eventually(lambda: not site.state.reviews._jobs, "nothing else is being reviewed")
    name = over(site)
    kept = site.state.store.archive
    eventually(lambda: kept.review(name, VERSION), "it was looked at")
    decided = msgspec.json.decode(kept.review(name, VERSION) or "", type=Review).decided
    assert decided is not None
    said: previews.Catalogues = {"en": {"review.said.small-steps": "{name} won by small steps."}}
    assert decided.id == "small-steps"

    async def preview(path: str) -> str:
        return (await site.state.previews.of(path, "en", site.state.store, said)).about

    for path in (f"/t/{name}", f"/review/{name}"):
        assert asyncio.run(preview(path)) == "Ann0 won by small steps."
    missing = previews._sentence_text(decided, "pyramidis", ["Ann", "Bob"], {})
    assert missing == "", "a sentence without words is left out"


def test_a_preview_names_moves_as_people_do() -> None:
    best, move = MoveName("lift", "d1*3", 3, "d1", "hand", "b"), MoveName("pass", "pass", 1)
    about: dict[str, str | int] = {"seat": 1, "percent": 12, "move": "pass", "best": "d1*3"}
    sentence = Sentence("cost", about, general=True, moves={"move": move, "best": best})
    said: dict[str, previews.Message] = {
        "review.said.cost": "{name} gave away {percent}% with {move}. Better: {best}.",
        "pyramidis.named.lift": [
            [
                "n",
                {
                    "one": "{n} pyramid from {source}",
                    "other": "{n} {colour} pyramids from {source}",
                },
            ]
        ],
        "pyramidis.named.pass": "a pass",
        "pyramidis.colour.b": "brown",
    }
    told = previews._sentence_text(sentence, "pyramidis", ["Ann", "Bob"], said)
    assert told == "Bob gave away 12% with a pass. Better: 3 brown pyramids from d1."


@pytest.mark.parametrize(("name", "shown"), [("Éva", "qu’Éva"), ("Bob", "que Bob"), ("", "que 2")])
def test_a_preview_shortens_words_before_a_vowel(name: str, shown: str) -> None:
    sentence = Sentence("suspect", {"other": 1}, general=False)
    elision: previews.Message = [["other", {"vowel": "qu’", "other": "que "}], "{other} cache"]
    said = {"objectif.said.suspect": elision, "seat.number": "{n}"}
    told = previews._sentence_text(sentence, "objectif", ["Ann", name], said)
    assert told == f"{shown} cache"


# ---- Records that are brought


def test_a_record_that_is_brought_is_kept_by_a_stable_id(site: Site) -> None:
    ann = won(site)
    record = ann.record().json()
    assert bring(site, record)["id"] == ann.table, "the table is here"
    assert bring(site, record | {"id": "elsewhere123"})["id"] == ann.table, "whatever it is called"
    elsewhere = of_another_server()
    name = bring(site, elsewhere)["id"]
    assert name not in (ann.table, "elsewhere123")
    assert bring(site, elsewhere)["id"] == name
    assert site.get(f"records/{name}")["terms"] == elsewhere["terms"]
    assert site.get(f"records/{ann.table}") == record
    assert reviewed(site, name)["names"] == ["", ""]
    assert (reviewed(site, name)["table"], reviewed(site, ann.table)["table"]) == ("", ann.table)
    assert len(site.get(f"reviews/{name}/history")["steps"]) == 1


def of_another_server() -> Any:
    match = Match(options_of(benben.game("pyramidis", players=2), position=SOON))
    match.fill()
    match.store(asking.move(match.table, 0, "e2"))
    match.settle()
    return json.loads(str(match.record)) | {"id": "elsewhere123"}


def bring(site: Site, record: Any) -> Any:
    answer = site.http.post("/api/records", content=json.dumps(record))
    assert answer.is_success, answer.text
    return answer.json()


def test_a_record_that_was_tampered_with_is_refused_and_not_kept(site: Site) -> None:
    ann = won(site)
    record = ann.record().json()
    moved = next(each for each in record["entries"] if each["event"]["kind"] == "moved")
    moved["event"]["move"] = "d1*1"
    answer = site.http.post("/api/records", content=json.dumps(record))
    detail = refused(answer, 422, "bad-record")
    assert detail["number"] > moved["number"], "the result does not follow"
    elsewhere = ann.record().json() | {"id": "elsewhere456"}
    elsewhere["terms"]["position"] = SOON.replace("m0", "m4")
    answer = site.http.post("/api/records", content=json.dumps(elsewhere))
    refused(answer, 422, "bad-record")


# ---- Tables that begin from a position


def middle(game: benben.Game, steps: int = 12) -> Position:
    position = game.deal(seed=5)
    for _ in range(steps):
        chance = position.chance()
        position = position.play(chance[0][0] if chance else position.moves()[0])
    return position


@pytest.mark.parametrize("name", benben.names())
def test_a_table_from_a_position_plays_verifies_and_is_played_again(site: Site, name: str) -> None:
    game = benben.game(name, players=2)
    position = middle(game)
    if game.hides:  # only against bots
        people = site.table(
            name, people=1, players=2, position=str(position), seats=[{}, {"bot": 1}]
        )
    else:
        people = site.table(name, players=2, position=str(position))
    seen = people[0].look()
    assert seen["custom_position"]
    assert seen["start"] == str(position.view(0))
    told = site.http.get(f"/api/tables/{people[0].table}/record").json()
    assert told["terms"]["position"] == str(position.view(None)), "secrets stay secret"
    if not game.hides:
        people[seen["to_move"]].move()
    people[-1].do("resign")
    record = people[0].record().json()
    assert record["terms"]["position"] == str(position)
    assert bring(site, record)["id"] == people[0].table
    rematch = people[0].do("rematch", {"nonce": "again"})
    terms = site.http.get(f"/api/tables/{rematch['id']}/record").json()["terms"]
    assert terms["position"] == ""


def test_moves_lead_on_from_a_position_and_a_bot_may_sit_anywhere(site: Site) -> None:
    game = benben.game("quadrille")
    start = game.deal(seed=1)
    first = start.moves()[0]
    table = site.open(
        "quadrille", position=str(start), moves=[first], seats=[{"bot": 0}, {"bot": 1}]
    )
    ann = site.sit(table, 0)
    eventually(lambda: ann.look()["to_move"] == 0, "the bot has moved")
    seen = ann.look()
    assert seen["start"] == str(start.play(first))
    assert len(seen["moves"]) >= 1


def test_a_chosen_position_is_refused_where_it_would_deceive_others(site: Site) -> None:
    objectif, quadrille = (str(middle(benben.game(name))) for name in ("objectif", "quadrille"))
    for asked in (
        {"game": "quadrille", "position": quadrille, "listed": True},
        {"game": "quadrille", "position": quadrille, "watchable": True},
        {"game": "objectif", "position": objectif},
        {"game": "objectif", "position": objectif, "seats": [{}, {}]},
    ):
        refused(site.http.post("/api/tables", json=asked), 422, "bad-position-table")


def test_a_position_that_cannot_be_begun_with_is_refused(site: Site) -> None:
    def asked(**terms: Any) -> Any:
        return site.http.post("/api/tables", json={"game": "pyramidis", "players": 2} | terms)

    refused(asked(position="nonsense"), 422, "bad-notation")
    detail = refused(asked(position="d1=bbb,d8=mmmmmmmm b0m0 b 0"), 422, "impossible-position")
    assert detail["offence"] == "wrong-pyramids"
    refused(asked(position=SOON, moves=["d8*1"]), 422, "illegal-move")
    assert refused(asked(position=SOON, moves=["e2"]), 422, "bad-option")["option"] == "position"
    assert refused(asked(moves=["e2"]), 422, "bad-option")["option"] == "moves"
    hidden = benben.game("objectif", players=2).deal(seed=1).view(0)
    answer = site.http.post("/api/tables", json={"game": "objectif", "position": str(hidden)})
    assert answer.status_code == 422
