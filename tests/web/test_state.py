"""What every answer has in common: its form, its headers, its limits; and what is counted."""

import json
import logging
import re
import socket
from pathlib import Path
from typing import Any

import pytest

import benben
from benben.store.database import StoreFailed
from benben.web.limits import Buckets, Limits, address_key
from tests.web.site import Site, eventually, refused, serving


def test_the_shelf(site: Site) -> None:
    cards = {card["name"]: card for card in site.get("games")["games"]}
    assert list(cards) == benben.names()
    card = site.get("games/batisseurs")
    assert card == cards["batisseurs"]
    assert card["titles"]["fr"]
    assert card["ages"] == {"least": 5, "most": 10}
    assert card["credits"]["minutes"]["origin"] == "ours"
    assert card["credits"]["minutes"]["note"]["fr"]
    assert card["year"] is None
    assert cards["objectif"]["ages"] == {"least": 8, "most": None}
    assert cards["pyramidis"]["publishers"][1] == {"name": "Ravensburger", "year": 1991}
    assert cards["pyramidis"]["credits"]["authors"]["origin"] == "descriptions"
    assert cards["quadrille"]["honours"]["en"].startswith("Pion d’Or")
    assert "Escale à jeux" in site.get("games")["thanks"]["fr"]
    assert card["players"] == list(benben.info("batisseurs").players)
    assert [each["level"] for each in card["levels"]] == [1, 2, 3, 4, 5, 6]
    assert card["levels"][5]["names"] == {"en": "Pharaoh", "fr": "Pharaon"}
    assert "batisseurs" in refused(site.http.get("/api/games/chess"), 404, "unknown-game")["known"]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_rulebooks(site: Site, language: str) -> None:
    for name in benben.names():
        answer = site.http.get(f"/api/games/{name}/rulebook?language={language}")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
        assert answer.text.startswith(f"# {benben.info(name).titles[language]}\n")
        page = site.get(f"games/{name}/rulebook/page?language={language}")
        assert page["title"] == benben.info(name).titles[language]
        assert page["contents"][1]["id"] == "aim"
        assert set(re.findall(r'data-diagram="([^"]+)"', page["html"])) == set(page["diagrams"])
        for diagram in page["diagrams"].values():
            wanted = {key: diagram[key] for key in diagram.keys() - {"highlight", "after"}}
            assert len(site.post(f"games/{name}/positions", wanted)["steps"]) == len(
                diagram.get("moves", [])
            )
        card = site.get(f"games/{name}")
        assert {rule for rule, _ in benben.game(name).rules.REFUSALS[1:]} <= set(card["paragraphs"])
    unknown = site.http.get(f"/api/games/chess/rulebook?language={language}")
    assert "batisseurs" in refused(unknown, 404, "unknown-game")["known"]


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nothing", 404, "no-such-path"),
        ("GET", "/api/nothing/at/all", 404, "no-such-path"),
        ("GET", "/api/games/quadrille/rulebook", 400, "bad-request"),
        ("GET", "/api/games/quadrille/rulebook?language=de", 400, "bad-request"),
        ("GET", "/api/games/quadrille/rulebook?language=../en", 400, "bad-request"),
        ("DELETE", "/api/games", 405, "no-such-method"),
        ("PROPFIND", "/api/tables", 405, "no-such-method"),
        ("GET", "/api/tables/nowhere", 404, "no-such-table"),
        ("GET", "/api/tables/%00", 404, "no-such-table"),
        ("GET", "/api/tables/%ff%fe", 404, "no-such-table"),
        ("GET", "/api/tables/nowhere/events", 404, "no-such-table"),
        ("GET", "/api/tables/nowhere/record", 404, "no-such-table"),
        ("POST", "/api/tables/nowhere/move", 404, "no-such-table"),
        ("POST", "/api/tables/nowhere/seats/x", 404, "no-such-path"),
        ("POST", f"/api/tables/nowhere/seats/{'9' * 5000}", 404, "no-such-path"),
    ],
)
def test_all_troubles_have_one_form(
    site: Site, method: str, path: str, status: int, code: str
) -> None:
    refused(site.http.request(method, path, json={"move": "x"}), status, code)


def test_a_browser_that_gets_lost_is_shown_a_page(site: Site) -> None:
    answer = site.http.get("/nothing", headers={"Accept": "text/html,*/*;q=0.8"})
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert "script-src 'self'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff", b"[" * 9000, b'{"game":"\\ud800"}', b"9" * 9000]
)
def test_what_is_no_json_is_refused(site: Site, body: bytes) -> None:
    refused(site.http.post("/api/tables", content=body), 400, "bad-request")


def test_bodies_have_an_end(site: Site) -> None:
    large = json.dumps({"game": "x" * 17_000}).encode()
    refused(site.http.post("/api/tables", content=large), 413, "too-large")
    pieces = (b" " * 1000 for _ in range(40))  # nobody says how long it will be
    refused(site.http.post("/api/tables", content=pieces), 413, "too-large")


@pytest.mark.parametrize(
    "path", ["/api/games", "/healthz", "/nothing", "/metrics", "/api/tables/x"]
)
def test_every_answer_has_strict_headers(site: Site, path: str) -> None:
    headers = site.http.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers


def test_a_mistake_of_ours_tells_nothing(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise RuntimeError("the password is swordfish")

    monkeypatch.setattr(site.state.store, "load", fail)
    answer = site.http.get("/api/tables/somewhere")
    refused(answer, 500, "internal")
    assert "swordfish" not in answer.text

    def fail_to_store(*_: Any) -> Any:
        raise StoreFailed("/secret/place", "the disk is full")

    monkeypatch.setattr(site.state.store, "load", fail_to_store)
    answer = site.http.get("/api/tables/somewhere")
    refused(answer, 503, "store-failed")
    assert int(answer.headers["retry-after"]) > 0
    assert "secret" not in answer.text


def test_a_request_that_breaks_off_is_no_mistake_of_ours(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    head = b"POST /api/bots HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    head += b"Content-Length: 30\r\n\r\n"
    with caplog.at_level(logging.INFO):
        with socket.create_connection(("127.0.0.1", site.http.base_url.port or 0)) as half:
            half.sendall(head + b'{"name": ')
        eventually(lambda: "POST /api/bots" in caplog.text, "the request is logged")
    (told,) = [each for each in caplog.messages if "POST /api/bots" in each]
    assert " 400 " in told
    assert not any(each.levelno >= logging.ERROR for each in caplog.records)


def test_what_is_counted(tmp_path: Path) -> None:
    with serving(tmp_path) as site:  # where nobody else plays or listens

        def counted() -> dict[str, float]:
            lines = site.http.get("/metrics").text.splitlines()
            pairs = [line.rsplit(" ", 1) for line in lines if not line.startswith("#")]
            return {name: float(value) for name, value in pairs}

        assert counted()["benben_moves_total"] == 0
        (person,) = site.table(people=1, seats=[{}, {"bot": 1}])
        with person.listening() as heard:
            next(heard)
            assert counted()["benben_streams_open"] == 1
            person.move()
            for message in heard:
                if message.number == 4:
                    break
        after = counted()
    assert after["benben_ready"] == 1
    assert after["benben_tables_live"] == 1
    assert after["benben_moves_total"] == 2
    assert after["benben_events_stored_total"] == 4
    assert after["benben_bot_thoughts_total"] == 1
    assert after["benben_bot_thinking_seconds_total"] > 0
    assert after["benben_bots_thinking"] == after["benben_bots_waiting"] == 0
    assert after['benben_requests_total{method="POST",status="201"}'] == 2


def test_the_description_is_whole(site: Site) -> None:
    described = site.get("openapi.json")
    text = json.dumps(described)
    for name in set(re.findall(r'"#/components/schemas/(\w+)"', text)):
        assert name in described["components"]["schemas"]
    tags = described["components"]["schemas"]["Moved"]["properties"]["kind"]
    assert tags == {"enum": ["moved"]}
    for path, methods in described["paths"].items():
        for method in methods.values():
            assert method["summary"], path
            for status, answer in method["responses"].items():
                if int(status) >= 400:
                    schema = answer["content"]["application/json"]["schema"]
                    assert schema == {"$ref": "#/components/schemas/ErrorResponse"}, (path, status)
    book = described["paths"]["/api/games/{name}/rulebook"]["get"]
    assert list(book["responses"]["200"]["content"]) == ["text/markdown"]


def test_what_the_documentation_names_is_described(site: Site) -> None:
    described = site.get("openapi.json")["paths"]
    text = (Path(__file__).parents[2] / "docs" / "http-api.md").read_text(encoding="utf-8")
    named = re.findall(r"`(?:(GET|POST) )?(/[a-z][^`?]*)", text)
    assert len(named) > 10
    for method, path in named:
        if path != "/api/openapi.json":  # which is the description
            assert (method.lower() or "get") in described[path], path
    assert not {"/", "/assets/{name}"} & set(described), "pages are for people"


def test_too_many_requests_are_put_off(tmp_path: Path) -> None:
    few = Limits(address_rate=0.01, address_burst=6, token_rate=0.01, token_burst=2)
    with serving(tmp_path, limits=few) as site:
        person = site.sit(site.open(), 0)
        assert person.ask("chat", {"text": "hm"}).status_code == 200
        assert person.ask("chat", {"text": "hm"}).status_code == 200
        answer = person.ask("chat", {"text": "hm"})
        refused(answer, 429, "too-many-requests")
        assert int(answer.headers["retry-after"]) > 1
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert site.http.get("/api/games").status_code == 200
        refused(site.http.get("/api/games"), 429, "too-many-requests")
        assert site.http.get("/healthz").status_code == 200


def test_buckets_fill_again() -> None:
    time = [0.0]
    buckets = Buckets(2.0, 4.0, lambda: time[0])
    assert [buckets.take("a") for _ in range(5)] == [0, 0, 0, 0, 0.5]
    assert buckets.take("b", 4) == 0
    time[0] += 1.0
    assert [buckets.take("a") for _ in range(3)] == [0, 0, 0.5]
    time[0] += 100.0
    assert buckets.take("a", 9) == 0, "more than a bucket holds is a full one"
    assert buckets.take("a") > 0
    assert all(Buckets(0, 0).take("a") == 0 for _ in range(9))


def test_what_is_given_back_to_a_bucket_can_be_taken_again() -> None:
    buckets = Buckets(1.0, 4.0, lambda: 0.0)
    assert buckets.take("a", 4) == 0
    buckets.refund((("a", 1),), 1)
    assert [buckets.take("a") for _ in range(2)] == [0, 1]
    buckets.refund((("nobody", 1),), 1)
    assert buckets.take("nobody", 4) == 0
    assert buckets.take("nobody") == 1


def test_what_counts_as_one_address() -> None:
    assert address_key("2001:db8::1") == address_key("2001:db8::ffff:2")
    assert address_key("2001:db8::1") == address_key("2001:db8:0:1::1"), "a /48"
    assert address_key("2001:db8::1") != address_key("2001:db8:1::1")
    assert address_key("192.0.2.1") != address_key("192.0.2.2")
    assert address_key("nowhere") == address_key("nowhere") != address_key("somewhere")
