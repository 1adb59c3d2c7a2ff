"""Records that people upload: what is refused, what is stored of them, and for how long."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from benben.table.record import TableRecord, anonymized
from benben.web import state
from benben.web.limits import Limits
from benben.web.routes.records import LARGEST
from benben.web.settings import Settings
from tests.web.in_process import in_process, site
from tests.web.site import Person, Site, eventually, refused
from tests.web.test_previews import built, seen

__all__ = ["built", "site"]

PHISHING = "Your account is locked. Sign in at evil.example to keep it."


def over(site: Site) -> Person:
    """Somebody at a table where two have talked and played."""
    table = site.open()
    first, second = site.sit(table, 0, "Cléopâtre"), site.sit(table, 1, "Bob")
    first.do("chat", {"text": "my words"})
    first.move()
    second.do("resign")
    return first


def elsewhere(person: Person) -> Any:
    """The record of a table that is not here, as far as anybody can tell."""
    record = person.record().json()
    played = [each for each in record["entries"] if each["event"]["kind"] != "moved"]
    for number, each in enumerate(played, 1):
        each["number"] = number
    return record | {"id": "elsewhere", "entries": played}


def upload(site: Site, record: Any) -> httpx.Response:
    return site.http.post("/api/records", json=record)


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("sat", "name", "'&<>" * 50_000),
        ("sat", "name", PHISHING * 2),
        ("sat", "nonce", "n" * 1000),
        ("said", "text", "x" * 301),
        ("said", "phrase", PHISHING),
    ],
)
def test_long_texts_are_refused(site: Site, kind: str, field: str, value: str) -> None:
    record = over(site).record().json()
    event = next(each for each in record["entries"] if each["event"]["kind"] == kind)
    event["event"][field] = value
    assert refused(upload(site, record), 422, "bad-record") == {"number": event["number"]}


def test_large_records_are_refused(site: Site) -> None:
    refused(site.http.post("/api/records", content=b" " * (LARGEST + 1)), 413, "too-large")


def test_names_and_chat_of_an_uploaded_record_are_not_stored(site: Site, built: None) -> None:
    record = elsewhere(over(site))
    name = upload(site, record).json()["id"]
    parsed = TableRecord.parse(json.dumps(record))
    assert TableRecord.parse(json.dumps(site.get(f"records/{name}"))) == anonymized(parsed)
    assert site.get(f"reviews/{name}")["names"] == ["", ""]
    assert seen(site, f"/review/{name}")["og:title"] == "A table for Quadrille"
    stored = site.state.store.archive.record(name)
    assert stored is not None
    assert "Cléo" not in stored
    assert "my words" not in stored


def test_who_was_forgotten_does_not_come_back_with_an_old_record(site: Site) -> None:
    first = over(site)
    record = first.record().json()
    first.do("forget")
    name = upload(site, record | {"id": "another"}).json()["id"]
    assert name == first.table, "it is the same game, whatever id the file has"
    for path in (f"records/{name}", f"reviews/{name}", f"tables/{name}"):
        assert "Cléo" not in json.dumps(site.get(path), ensure_ascii=False)


def test_the_server_removes_records_beyond_the_quota(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "TRIM_INTERVAL", 0.01)
    monkeypatch.setattr(state, "TRIM_STEP", 0.01)
    with in_process(tmp_path, settings=Settings(records_max_mb=1)) as site:
        kept = site.state.store.archive
        for number in range(5):
            kept.save_record(f"r{number}", site.state.tables.now(), "x" * 300_000)
        eventually(lambda: kept.record("r1") is None, "the oldest ones go")
        assert [number for number in range(5) if kept.record(f"r{number}")] == [2, 3, 4]


def test_a_record_costs_by_its_size(tmp_path: Path) -> None:
    few = Limits(1e-6, 40, 0, 0)
    with in_process(tmp_path, limits=few, wait=False) as site:

        def statuses(size: int, host: str) -> list[int]:
            body, headers = b" " * size, {"X-Forwarded-For": host}
            answers = [
                site.http.post("/api/records", content=body, headers=headers) for _ in range(5)
            ]
            return [answer.status_code for answer in answers]

        assert statuses(9_999, "192.0.2.1") == [422] * 4 + [429]
        assert statuses(100_000, "192.0.2.2") == [422] * 2 + [429] * 3
        assert statuses(400_000, "192.0.2.3") == [422] + [429] * 4
        unsaid = site.http.post(
            "/api/records", content=iter([b"{}"]), headers={"X-Forwarded-For": "192.0.2.4"}
        )
        assert unsaid.status_code == 422
        assert statuses(10, "192.0.2.4") == [429] * 5, "it counted as large"


def test_tokens_cost_by_their_number(tmp_path: Path) -> None:
    with in_process(tmp_path, limits=Limits(1e-6, 12, 0, 0), wait=False) as site:

        def statuses(tokens: int, host: str) -> list[int]:
            headers = {"Benben-Tokens": " ".join(["x" * 32] * tokens), "X-Forwarded-For": host}
            asked = [site.http.get("/api/tables/mine", headers=headers) for _ in range(13)]
            return [answer.status_code for answer in asked]

        assert statuses(10, "192.0.2.1") == [200] * 12 + [429]
        assert statuses(50, "192.0.2.2") == [200] * 2 + [429] * 11
