"""Heartbeats of servers: what they keep, and what goes with a server that has none any more."""

import asyncio
from collections.abc import Iterator

import pytest

from benben.store.cluster import ALIVE_MS
from benben.store.programs import Program
from benben.store.store import Store
from benben.store.tables import StoredTable
from tests.store.databases import TABLE, append, create
from tests.store.postgres import Postgres

DAY = 24 * 3600 * 1000


@pytest.fixture
def two(postgres: Postgres) -> Iterator[tuple[Store, Store]]:
    """Two servers' stores on one database, with the listed table "t"."""
    url = postgres.fresh()
    with Store.open(url) as one, Store.open(url) as other:
        create(one, TABLE)
        yield one, other


def test_the_last_heartbeat_of_a_ready_server_is_known(store: Store, database: str) -> None:
    with Store.open(database) as second:
        one, two = store.cluster, second.cluster
        assert one.last_ready() is None
        one.heartbeat(80, ready=False)
        assert one.last_ready() is None
        one.heartbeat(100)
        two.heartbeat(90)
        assert one.last_ready() == two.last_ready() == 100
        two.heartbeat(110)
        one.heartbeat(105)
        one.heartbeat(120, ready=False)
        assert one.last_ready() == 110


def test_a_server_that_is_not_ready_does_not_hide_since_when_none_was(
    store: Store, database: str
) -> None:
    store.cluster.heartbeat(100)
    with Store.open(database) as second:
        second.cluster.heartbeat(30 * DAY, ready=False)
        assert second.cluster.last_ready() == 100
        second.cluster.heartbeat(30 * DAY + 1)
        assert second.cluster.last_ready() == 30 * DAY + 1
        store.cluster.heartbeat(31 * DAY, ready=False)
        assert second.cluster.last_ready() == 30 * DAY + 1, "the old row of the first is gone"


def test_tables_with_people_are_known_to_all_for_as_long_as_they_are_reported(
    two: tuple[Store, Store],
) -> None:
    here, there = (each.cluster for each in two)
    create(two[0], StoredTable("private", 1, "{}", "other secret", listed=False))
    assert there.attended(1000) == set()
    here.heartbeat(1000, attended={"t", "private", "unknown"})
    assert there.attended(1000) == {"t"}
    assert there.attended(1000 + ALIVE_MS - 1) == {"t"}
    assert there.attended(1000 + ALIVE_MS) == set()
    here.heartbeat(5000, attended=())
    assert there.attended(1000 + ALIVE_MS) == set(), "nobody is there any more"
    here.heartbeat(9000, attended={"t"})
    assert there.attended(1000 + ALIVE_MS) == {"t"}
    append(two[0], "t", 1, 9000, "over", over=True).result()
    assert there.attended(9001) == set()


def test_many_tables_are_reported_at_once(two: tuple[Store, Store]) -> None:
    here, there = (each.cluster for each in two)
    here.heartbeat(1000, attended={"t", *map(str, range(100_000))})
    assert there.attended(1000) == {"t"}


def test_programs_of_a_dead_server_do_not_listen_any_more(two: tuple[Store, Store]) -> None:
    here, there = (each.cluster for each in two)
    for name in ("Rex", "Max"):
        assert two[0].programs.add(Program(name, name, 1))

    def listening(now: int) -> list[str]:
        return [each.name for each in here.listening(now)]

    asyncio.run(here.listen("Rex", 1000))
    asyncio.run(there.listen("Max", 1000))
    assert listening(1000) == ["Max", "Rex"]
    here.heartbeat(1000 + ALIVE_MS)
    assert listening(1000 + ALIVE_MS) == ["Rex"]
    assert there.listeners([]) == {}, "its rows are removed"
    there.heartbeat(1000 + ALIVE_MS)
    assert listening(1000 + ALIVE_MS) == ["Rex"], "until it says again that they listen"
    asyncio.run(here.leave())
    assert listening(1000 + ALIVE_MS) == []
