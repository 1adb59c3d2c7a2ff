"""What is due at tables, as the store has it: claimed by one, and again by another in the end."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from benben.store.event_log import Conflict, PendingEvent, Stored
from benben.store.leases import Lease
from benben.store.store import Store
from benben.store.tables import StoredTable
from benben.table.deadlines import Deadline
from tests.store.databases import create, give

T = TypeVar("T")
BOTH, BOTS, OTHERS = (False, True), (True,), (False,)


def wait(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


async def stored(store: Store, table: str, number: int, deadline: Deadline | None) -> Any:
    return await store.append(
        PendingEvent(table, number, 1, "event", touches=False, deadline=deadline)
    )


@pytest.fixture
def house(store: Store) -> Store:
    """Tables that need a server at 10, 20, …, every other one for a bot's turn; and the table t."""
    for i in range(1, 7):
        create(store, StoredTable(f"t{i}", 1, f"terms {i}", "secret", listed=False))
        wait(stored(store, f"t{i}", 1, Deadline(10 * i, bot=i % 2 == 0)))
    return store


def names(claimed: list[Lease]) -> list[str]:
    return sorted(each.id for each in claimed)


def test_a_table_needs_a_server_when_its_last_event_says(house: Store) -> None:
    assert house.leases.next_deadline(BOTH) == house.leases.next_deadline(OTHERS) == 10
    assert house.leases.next_deadline(BOTS) == 20
    assert wait(stored(house, "t1", 2, None)) == Stored(2, repeated=False)
    assert house.leases.next_deadline(BOTH) == 10, "nothing is said of it: it is as before"
    assert (before := house.table("t1")) is not None
    wait(stored(house, "t1", 3, Deadline(70)))
    assert house.leases.next_deadline(OTHERS) == 30
    wait(stored(house, "t3", 2, Deadline()))
    wait(stored(house, "t5", 2, Deadline(None, bot=False)))
    assert house.leases.next_deadline(OTHERS) == 70
    assert wait(stored(house, "t1", 3, Deadline(1))) == Conflict(3)
    assert house.leases.next_deadline(OTHERS) == 70, "what was not stored says nothing"
    assert (after := house.table("t1")) is not None
    assert after.touched == before.touched, "what a table needs does not touch it"


def test_a_new_table_may_need_a_server(store: Store) -> None:
    assert store.leases.next_deadline(BOTH) is None
    create(store, StoredTable("new", 1, "", "", listed=False, due=7))
    assert store.leases.next_deadline(OTHERS) == 7
    assert store.leases.next_deadline(BOTS) is None


def test_many_events_of_a_table_at_once_leave_the_last_need(store: Store) -> None:
    async def append() -> list[Any]:
        deadlines = (Deadline(5), Deadline(9, bot=True), None)
        return await asyncio.gather(
            *(stored(store, "t", i + 1, each) for i, each in enumerate(deadlines))
        )

    assert wait(append()) == [Stored(i, repeated=False) for i in (1, 2, 3)]
    assert (store.leases.next_deadline(OTHERS), store.leases.next_deadline(BOTS)) == (None, 9)


def test_what_is_due_is_claimed_the_longest_due_first_and_only_then(house: Store) -> None:
    assert wait(house.leases.take_due(9, 100, 10, BOTH)) == []
    assert wait(house.leases.take_due(35, 100, 1, BOTH)) == [Lease("t1", 100)]
    assert names(wait(house.leases.take_due(35, 101, 10, BOTS))) == ["t2"]
    assert names(wait(house.leases.take_due(35, 102, 10, BOTH))) == ["t3"]
    assert wait(house.leases.take_due(35, 103, 10, BOTH)) == [], "everything has somebody"
    assert house.leases.next_deadline(BOTH) == 40
    assert names(wait(house.leases.take_due(101, 200, 10, BOTH))) == ["t1", "t2", "t4", "t5", "t6"]


def test_only_tables_of_the_games_asked_for_are_claimed(store: Store) -> None:
    games = {"q": "quadrille", "q2": "quadrille2", "o": "objectif", "u": "un_known", "x": ""}
    for name, game in games.items():
        chosen = f'{{"game":"{game}","options":{{}}}}' if game else 'no JSON: "game":'
        create(store, StoredTable(name, 1, chosen, "secret", listed=False))
        wait(stored(store, name, 1, Deadline(ord(name[0]), bot=True)))
    assert store.leases.next_deadline(BOTH, ["quadrille"]) == ord("q")
    assert (
        store.leases.next_deadline(BOTH, ["chess"]) is store.leases.next_deadline(BOTH, []) is None
    )
    assert wait(store.leases.take_due(999, 2000, 10, BOTH, [])) == []
    assert names(wait(store.leases.take_due(999, 2000, 10, BOTH, ["quadrille"]))) == ["q"]
    assert wait(store.leases.take_due(999, 2000, 10, BOTH, ["unXknown"])) == []
    both = wait(store.leases.take_due(999, 2000, 10, BOTH, ["un_known", "objectif"]))
    assert names(both) == ["o", "u"]
    assert names(wait(store.leases.take_due(999, 2000, 10, BOTH))) == ["q2", "x"]


def test_of_servers_that_claim_at_the_same_time_one_is_given_a_table(
    house: Store, database: str
) -> None:
    for i in range(40):
        create(house, StoredTable(f"u{i}", 1, "", "", listed=False))
        wait(stored(house, f"u{i}", 1, Deadline(i)))
    with Store.open(database) as other:

        async def claim_all() -> list[list[Lease]]:
            tries = (each.leases.take_due(99, 500, 3, BOTH) for each in (house, other) * 20)
            return await asyncio.gather(*tries)

        claimed = [each.id for some in wait(claim_all()) for each in some]
    assert len(claimed) == len(set(claimed)) == 46


def test_a_claim_is_released_or_extended_by_who_has_it(house: Store) -> None:
    (mine,) = wait(house.leases.take_due(10, 100, 10, BOTH))
    wait(house.leases.extend({mine.id: mine.until}, 150))
    wait(house.leases.extend({mine.id: mine.until}, 999))
    wait(house.leases.release(mine.id, mine.until, Deadline()))
    assert names(wait(house.leases.take_due(149, 300, 1, OTHERS))) == ["t3"]
    for until in (149, 151):
        wait(house.leases.release(mine.id, until, Deadline()))
    assert "t1" in names(wait(house.leases.take_due(150, 300, 10, BOTH))), (
        "it was nobody's to release"
    )
    wait(house.leases.release(mine.id, 300, Deadline(400, bot=True)))
    assert (house.leases.next_deadline(OTHERS), house.leases.next_deadline(BOTS)) == (300, 300)
    assert "t1" in names(wait(house.leases.take_due(400, 500, 10, BOTS)))
    wait(house.leases.release(mine.id, 500, Deadline()))
    assert "t1" not in names(wait(house.leases.take_due(10_000, 20_000, 10, BOTH)))


def test_an_event_says_what_is_due_whoever_has_claimed_it(house: Store) -> None:
    (mine,) = wait(house.leases.take_due(10, 100, 10, BOTH))
    wait(stored(house, mine.id, 2, Deadline(5_000)))
    wait(house.leases.release(mine.id, mine.until, Deadline()))
    wait(house.leases.take_due(100, 9_000, 10, BOTH))
    assert house.leases.next_deadline(BOTH) == 5_000


def test_the_last_numbers_of_tables(house: Store) -> None:
    assert house.last_number("t1") == 1
    assert house.last_number("t") == house.last_number("nowhere") == 0
    give(house, "t1", 0, "token")
    assert house.last_numbers(["t1", "t2", "t", "nowhere"]) == {"t1": 2, "t2": 1}


def test_downtimes_are_kept_by_game_and_forgotten_after_long(store: Store) -> None:
    store.cluster.add_downtime("quadrille", 100, 200)
    store.cluster.add_downtime("quadrille", 100, 250)  # told again: it went on
    store.cluster.add_downtime("quadrille", 300, 310)
    store.cluster.add_downtime("objectif", 100, 190)
    assert store.cluster.downtimes("quadrille") == [(100, 250), (300, 310)]
    assert store.cluster.downtimes("objectif") == [(100, 190)]
    store.cluster.add_downtime("pyramidis", 10**11, 10**11 + 1)
    assert store.cluster.downtimes("quadrille") == []
