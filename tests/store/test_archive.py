"""Uploaded records: a quota for all of them, and an age."""

import asyncio
import json

from sqlalchemy import text

from benben.store.archive import BATCH, RECORD_AGE
from benben.store.store import Store
from benben.store.tables import StoredTable
from tests.store.databases import create, on_sqlite
from tests.store.test_database import earlier_version

NOW = 2 * RECORD_AGE
QUOTA = 1000


def keep(store: Store, *names: str, at: int = NOW) -> None:
    """Records of 100 bytes, each used a little later than the one before."""
    for number, name in enumerate(names):
        store.archive.save_record(name, at + number, "x" * 100)


def left(store: Store, *names: str) -> list[str]:
    return [name for name in names if store.archive.record(name) is not None]


def trim(store: Store, now: int = NOW) -> list[int]:
    """How many were removed in each step."""
    steps = []
    while gone := store.archive.trim_records(now, QUOTA):
        steps.append(gone)
    return steps


@on_sqlite
def test_the_longest_unused_records_go_when_there_are_too_many(store: Store) -> None:
    names = [f"r{i:02}" for i in range(12)]
    keep(store, *names)
    for name in names:
        store.archive.save_review(name, 1, NOW, "a review")
    asyncio.run(store.archive.touch_record("r00", NOW + 100))
    keep(store, "r01", at=NOW + 200)  # uploaded again
    assert trim(store) == [2]
    assert left(store, *names) == [name for name in names if name not in ("r02", "r03")]
    reviewed = [name for name in names if store.archive.review(name, 1)]
    assert reviewed == left(store, *names)
    assert trim(store) == []


def test_old_records_go_in_small_steps(store: Store) -> None:
    old = [f"old{i:02}" for i in range(2 * BATCH + 3)]
    for name in old:
        store.archive.save_record(name, NOW - RECORD_AGE - 1, "x")
    keep(store, "new")
    assert trim(store) == [BATCH, BATCH, 3]
    assert left(store, "new", *old) == ["new"]


@on_sqlite
def test_reading_is_noted_once_an_hour(store: Store) -> None:
    def used() -> int:
        with store.writer.engine.connect() as connection:
            return int(connection.execute(text("SELECT used FROM records")).scalar_one())

    keep(store, "r")
    hour = 3600 * 1000
    for at, noted in ((NOW + 1, NOW + 1), (NOW + hour, NOW + 1), (NOW + hour + 1, NOW + hour + 1)):
        asyncio.run(store.archive.touch_record("r", at))
        assert used() == noted
    asyncio.run(store.archive.touch_record("nothing", NOW))


def test_a_table_is_found_by_its_secret(store: Store) -> None:
    create(store, StoredTable("u", 1, "{}", "5e" * 32, listed=False))
    assert store.table_with_secret("5e" * 32) == "u"
    assert store.table_with_secret("00" * 32) is None
    assert store.table_with_secret("\x00") is None


def test_records_of_an_earlier_version_lose_names_and_chat(empty_database: str) -> None:
    events = [
        {"kind": "sat", "seat": 0, "name": "Cléo", "nonce": "n"},
        {"kind": "said", "seat": 0, "text": "my words"},
        {"kind": "said", "seat": 0, "phrase": "hello"},
    ]
    entries = [{"number": i, "at": i, "event": event} for i, event in enumerate(events, 1)]
    terms = {"game": "quadrille", "expected": ["Bob", ""], "bot_names": ["Eve", ""]}
    body = json.dumps({"benben-table": 1, "id": "t", "terms": terms, "entries": entries})
    with earlier_version(empty_database, "0010") as connection:
        row = {"body": body}
        connection.execute(text("INSERT INTO records VALUES ('r', 5, :body)"), row)
    with Store.open(empty_database) as store:
        kept = store.archive.record("r")
        assert kept is not None
        assert not [word for word in ("Cl", "my words", "Bob", "Eve") if word in kept]
        assert json.loads(kept)["entries"][2] == entries[2]
        with store.writer.engine.connect() as connection:
            found = connection.execute(text("SELECT used, size FROM records")).one()
        assert tuple(found) == (5, len(kept.encode()))
