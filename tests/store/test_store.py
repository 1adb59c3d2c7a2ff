"""What is kept of tables, on both databases: numbers without holes, keys that count once."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import replace
from threading import Barrier, Event, Thread
from time import sleep

import pytest
from sqlalchemy import event, text

from benben.store.database import Database, StoreFailed
from benben.store.event_log import Conflict, NoSuchTable, Owner, PendingEvent, Stored, TokenInUse
from benben.store.mail import Reminder
from benben.store.programs import Program
from benben.store.store import Store
from benben.store.tables import StoredTable
from benben.store.writer import MAX_JOBS
from benben.table.deadlines import Deadline
from tests.store.databases import (
    TABLE,
    append,
    bodies,
    create,
    give,
    replace_events,
    submit,
    together,
)
from tests.store.postgres import Postgres

STRANGE = "🏛️ ḫt-nṯr «Écoute…» \u202e\ud7ff\U0010ffff '; DROP TABLE events; -- \n\t\\ %s :at {x}"


@contextmanager
def held(store: Store) -> Iterator[None]:
    """The writer stops in the middle of its next transaction, until we leave."""
    going, go = Event(), Event()

    def hold(_: object) -> None:
        going.set()
        go.wait(60)

    event.listen(store.writer.engine, "commit", hold)
    first = append(store, "t", 10**6, 0, "a gap, so that nothing is stored")
    try:
        assert going.wait(60)
        yield
    finally:
        go.set()
        assert isinstance(first.result(), Conflict)


# ---- Tables


def test_a_table_is_kept_as_it_was_made(store: Store) -> None:
    table = StoredTable(STRANGE, 1_700_000_000_000, STRANGE, STRANGE, listed=False)
    create(store, table)
    assert store.table(STRANGE) == replace(table, touched=table.opened)
    assert store.table("another") is None
    assert store.events("another") == []


def test_the_same_table_twice_counts_once_and_another_is_not_kept(store: Store) -> None:
    append(store, "t", 1, 5, "event", listed=False).result()
    create(store, TABLE)
    kept = store.table("t")
    assert kept is not None
    assert (kept.touched, kept.listed) == (5, False)
    assert create(store, TABLE)
    assert not create(store, StoredTable("t", 1000, TABLE.options, "another secret", listed=True))
    assert store.table("t") == kept


def test_an_event_that_does_not_touch_its_table_leaves_it_as_it_was(store: Store) -> None:
    async def both() -> list[Stored | Conflict]:
        quiet = store.append(PendingEvent("t", 1, 7, "a move", touches=False))
        return [await quiet, await store.append(PendingEvent("t", 2, 9, "an end", over=True))]

    kept = store.table("t")
    assert kept is not None
    assert asyncio.run(both()) == [Stored(1, repeated=False), Stored(2, repeated=False)]
    assert store.table("t") == replace(kept, touched=9, over=True)
    assert bodies(store) == ["a move", "an end"]


def test_many_are_stored_at_once_and_one_of_another_number_spoils_nothing(store: Store) -> None:
    """Those that are next at their tables go in together; if one is not, each is looked at."""
    names = [f"t{i}" for i in range(9)]
    for name in names:
        create(store, replace(TABLE, id=name))

    async def asked(numbers: Mapping[str, int]) -> list[Stored | Conflict]:
        events = [
            PendingEvent(name, number, 5, f"{name} {number}") for name, number in numbers.items()
        ]
        return await asyncio.gather(*map(store.append, events))

    assert asyncio.run(asked(dict.fromkeys(names, 1))) == [Stored(1, repeated=False)] * 9
    numbers = dict.fromkeys(names, 2) | {"t3": 1, "t5": 3}
    wanted = {"t3": Conflict(1), "t5": Conflict(1)}
    told = asyncio.run(asked(numbers))
    assert told == [wanted.get(name, Stored(2, repeated=False)) for name in names]
    stored = {name: [event.body for event in store.events(name)] for name in names}
    assert stored == {
        name: [f"{name} 1"] + ([] if name in wanted else [f"{name} 2"]) for name in names
    }


def test_live_tables_are_those_where_something_has_happened_the_last_first(store: Store) -> None:
    async def happens(*events: PendingEvent) -> None:
        await asyncio.gather(*map(store.append, events))

    for name in "abc":
        create(store, replace(TABLE, id=name))
    assert store.lists.live(0, 10) == []
    begun = [
        PendingEvent(name, 1, at, "", live=True) for name, at in (("a", 50), ("b", 60), ("c", 40))
    ]
    asyncio.run(happens(*begun))
    assert [table.id for table in store.lists.live(0, 10)] == ["b", "a", "c"]
    assert [table.id for table in store.lists.live(50, 1)] == ["b"]
    late = PendingEvent("c", 1, 80, "", live=False)  # another was quicker: nothing changes by it
    asyncio.run(
        happens(PendingEvent("a", 2, 70, ""), PendingEvent("b", 2, 70, "", live=False), late)
    )
    assert [table.id for table in store.lists.live(0, 10)] == ["a", "c"]
    assert [table.id for table in store.lists.live(41, 10)] == ["a"]


def test_a_closed_store_says_so_to_those_who_wait_on_a_loop(store: Store) -> None:
    async def late() -> None:
        await store.append(PendingEvent("t", 1, 1, "late"))

    store.close()
    with pytest.raises(StoreFailed, match="closed"):
        asyncio.run(late())


def test_open_tables_are_listed_and_not_over(store: Store) -> None:
    for i, name in enumerate("abcde"):
        create(store, StoredTable(name, 2000 + i, "", "", listed=name != "b"))
    append(store, "c", 1, 9000, "", over=True).result()
    append(store, "a", 1, 8000, "").result()
    append(store, "d", 1, 2500, "", listed=False).result()
    assert {table.id for table in store.lists.open("abcdet")} == {"e", "a", "t"}
    assert [table.id for table in store.lists.open("ab")] == ["a"]
    assert store.lists.open([]) == []
    append(store, "d", 2, 2600, "", listed=True).result()
    append(store, "b", 1, 9500, "", listed=True, over=False).result()
    assert {table.id for table in store.lists.open("abcd")} == {"d", "b", "a"}


def test_open_tables_over_days_are_those_with_a_seat_taken(store: Store) -> None:
    days, live = '{"pace":{"pace":"days","days":2}}', '{"pace":{"pace":"live"}}'
    for i, name in enumerate("abcdef"):
        options = live if name == "b" else days
        opener = "eve" if name in "cdef" else "ann"
        create(store, StoredTable(name, 2000 + i, options, "", listed=True, opener=opener))
        if name != "f":
            give(store, name, 0, f"token of {name}")
    assert [table.id for table in store.lists.open_over_days(2, 9)] == ["a", "c", "d"]
    assert [table.id for table in store.lists.open_over_days(2, 1)] == ["a"]


# ---- Events


def test_events_come_back_in_order_as_they_were(store: Store) -> None:
    for number in range(1, 13):
        answer = append(store, "t", number, 1000 * number, f"{number} {STRANGE}").result()
        assert answer == Stored(number, repeated=False)
    assert bodies(store) == [f"{number} {STRANGE}" for number in range(1, 13)]
    assert [(each.number, each.at) for each in store.events("t", after=10)] == [
        (11, 11000),
        (12, 12000),
    ]
    assert store.events("t", after=12) == []
    kept = store.table("t")
    assert kept is not None
    assert kept.touched == 12000


@pytest.mark.parametrize("number", [-1, 0, 1, 2, 4, 1000, 2**40])
def test_only_the_next_number_is_stored(store: Store, number: int) -> None:
    append(store, "t", 1, 1, "first").result()
    append(store, "t", 2, 2, "second").result()
    assert append(store, "t", number, 3, "third", over=True).result() == Conflict(2)
    assert bodies(store) == ["first", "second"]
    kept = store.table("t")
    assert kept is not None
    assert (kept.over, kept.touched) == (False, 2)


def test_events_sent_one_after_another_without_waiting_are_stored_in_order(store: Store) -> None:
    with held(store):
        asked = [append(store, "t", number, 1, str(number)) for number in (1, 2, 2, 4, 3)]
    answers = [each.result() for each in asked]
    assert answers == [
        Stored(1, repeated=False),
        Stored(2, repeated=False),
        Conflict(2),
        Conflict(2),
        Stored(3, repeated=False),
    ]
    assert bodies(store) == ["1", "2", "3"]


def test_an_event_of_no_table_is_refused_and_those_beside_it_are_stored(store: Store) -> None:
    with held(store):
        lost = append(store, "no table", 1, 1, "")
        good = append(store, "t", 1, 1, "good")
    with pytest.raises(NoSuchTable, match="there is no table 'no table'"):
        lost.result()
    assert good.result() == Stored(1, repeated=False)


def test_one_that_cannot_be_stored_does_not_spoil_it_for_others(store: Store) -> None:
    with held(store):
        good = append(store, "t", 1, 1, "good")
        bad = append(store, "t", 2, 2, "no such seat", owner=Owner(2**70, "hash"))
        next_ = append(store, "t", 2, 2, "next")
    assert good.result() == Stored(1, repeated=False)
    with pytest.raises(StoreFailed):
        bad.result()
    assert next_.result() == Stored(2, repeated=False)
    assert bodies(store) == ["good", "next"]


@pytest.mark.parametrize("bad", ["a\0b", "\ud800"])
def test_texts_that_not_every_database_can_keep_are_refused_by_both(store: Store, bad: str) -> None:
    deeds: list[Callable[[], object]] = [
        lambda: append(store, "t", 1, 1, bad).result(),
        lambda: append(store, "t", 1, 1, "", key=bad).result(),
        lambda: create(store, StoredTable(bad, 1, "", "", listed=True)),
        lambda: replace_events(store, [PendingEvent("t", 1, 1, "")], {1: bad}),
        lambda: append(store, "t", 1, 1, "", owner=Owner(0, bad)).result(),
    ]
    with pytest.raises(StoreFailed, match="64 bits"):
        append(store, "t", 1, 2**70, "beyond the end of time").result()
    for deed in deeds:
        with pytest.raises(StoreFailed, match="null character"):
            deed()
    assert store.table(bad) is None
    assert store.seat_of_token(bad, "t") is None
    assert store.events("t") == store.events(bad) == []


def test_a_caller_who_goes_away_leaves_the_others_alone(store: Store) -> None:
    with held(store):
        gone = append(store, "t", 1, 1, "gone")
        assert gone.cancel()
        stays = append(store, "t", 2, 1, "stays")
    assert stays.result() == Stored(2, repeated=False)
    with pytest.raises(CancelledError):
        gone.result()
    assert bodies(store) == ["gone", "stays"], "what is in the queue is stored"


def test_bodies_are_replaced_in_their_places_with_the_event_that_says_so(store: Store) -> None:
    for number in range(1, 5):
        append(store, "t", number, number, f"said {number}", key=str(number)).result()
    erasing = [PendingEvent("t", 5, 5, "left"), PendingEvent("t", 6, 5, "erased")]
    assert replace_events(store, erasing, {2: "", 4: STRANGE}) == Stored(5, repeated=False)
    assert bodies(store) == ["said 1", "", "said 3", STRANGE, "left", "erased"]
    assert append(store, "t", 7, 5, "again", key="2").result() == Stored(2, repeated=True)
    assert replace_events(store, [PendingEvent("t", 6, 5, "late")], {1: "gone"}) == Conflict(6)
    assert bodies(store)[0] == "said 1", "all of it or nothing"
    with pytest.raises(NoSuchTable):
        replace_events(store, [PendingEvent("none", 1, 5, "late")], {})


def test_nothing_is_rewritten_if_another_event_was_first(store: Store) -> None:
    append(store, "t", 1, 1, "said").result()
    append(store, "t", 2, 1, "first").result()
    erasing = [PendingEvent("t", 2, 1, "left"), PendingEvent("t", 3, 1, "erased")]
    assert replace_events(store, erasing, {1: ""}) == Conflict(2)
    assert bodies(store) == ["said", "first"]


def test_what_is_to_be_replaced_may_still_be_waiting(store: Store) -> None:
    with held(store):
        append(store, "t", 1, 1, "said")
        eraser = Thread(
            target=replace_events,
            args=(store, [PendingEvent("t", 2, 1, "forgotten")], {1: "erased"}),
        )
        eraser.start()
    eraser.join()
    assert bodies(store) == ["erased", "forgotten"]


# ---- Keys


def test_an_event_repeated_with_its_key_counts_once(store: Store) -> None:
    assert append(store, "t", 1, 1, "one", key="k").result() == Stored(1, repeated=False)
    assert append(store, "t", 2, 2, "two", key=STRANGE).result() == Stored(2, repeated=False)
    for number in (1, 3, 70):
        again = append(store, "t", number, 9, "one again", key="k", listed=False, over=True)
        assert again.result() == Stored(1, repeated=True)
    assert append(store, "t", 3, 9, "", key=STRANGE).result() == Stored(2, repeated=True)
    assert bodies(store) == ["one", "two"]
    kept = store.table("t")
    assert kept is not None
    assert (kept.listed, kept.over, kept.touched) == (True, False, 2), "nothing is written"


def test_keys_are_of_one_table(store: Store) -> None:
    create(store, StoredTable("u", 1, "", "", listed=True))
    assert append(store, "t", 1, 1, "t", key="k").result() == Stored(1, repeated=False)
    assert append(store, "u", 1, 1, "u", key="k").result() == Stored(1, repeated=False)


def test_repeats_that_wait_together_count_once(store: Store) -> None:
    with held(store):
        asked = [append(store, "t", number, 1, str(number), key="k") for number in (1, 1, 2, 3)]
        other = append(store, "t", 2, 1, "other")
    assert [each.result() for each in asked] == [
        Stored(1, repeated=False),
        Stored(1, repeated=True),
        Stored(1, repeated=True),
        Stored(1, repeated=True),
    ]
    assert other.result() == Stored(2, repeated=False)
    assert bodies(store) == ["1", "other"]


# ---- Races


def race(stores: list[Store], threads: int, events: int, keyed: bool) -> Counter[str]:
    """All threads try to be first at every number; how often each body was stored as new."""
    stored: Counter[str] = Counter()
    ready = Barrier(threads)

    def run(i: int) -> None:
        ready.wait()
        for number in range(1, events + 1):
            key = f"key {number}" if keyed else None
            mine = f"{number} by {i}"
            answer = append(stores[i % len(stores)], "t", number, number, mine, key=key).result()
            if isinstance(answer, Conflict):
                assert not keyed
                assert answer.number >= number
            else:
                assert answer.number == number
                stored[mine] += not answer.repeated
                assert keyed or not answer.repeated

    together([Thread(target=run, args=(i,)) for i in range(threads)])
    return +stored


@pytest.mark.parametrize("servers", [1, 2])
@pytest.mark.parametrize("keyed", [False, True])
def test_of_those_that_race_exactly_one_is_stored(
    store: Store, database: str, servers: int, keyed: bool
) -> None:
    with Store.open(database) as second:
        won = race([store, second][:servers], threads=12, events=15, keyed=keyed)
        assert Counter(bodies(store)) == won
        assert len(won) == 15
        assert second.events("t") == store.events("t")


def test_two_servers_at_many_tables_do_not_hinder_each_other(store: Store, database: str) -> None:
    names = [f"table {i}" for i in range(20)]
    for name in names:
        create(store, StoredTable(name, 1, "", "", listed=True))
    won: Counter[str] = Counter()
    again: list[object] = []

    def run(server: Store, order: list[str]) -> None:
        for number in range(1, 6):
            asked = [(name, append(server, name, number, 1, "")) for name in order]
            won.update(name for name, each in asked if isinstance(each.result(), Stored))

    with Store.open(database) as second:
        for server in (store, second):
            event.listen(server.writer.engine, "rollback", again.append)
        together(
            [
                Thread(target=run, args=(store, names)),
                Thread(target=run, args=(second, names[::-1])),
            ]
        )
    assert won == Counter(dict.fromkeys(names, 5))
    assert all(len(bodies(store, name)) == 5 for name in names)
    assert not again, "they wait for one another and need not try again"


@pytest.mark.parametrize("key", [None, "k"])
def test_what_another_program_writes_without_our_locks_is_seen(
    store: Store, database: str, key: str | None
) -> None:
    with Database(database).engine(writing=True).connect() as other:
        row = {"key": key}
        other.execute(text("INSERT INTO events VALUES ('t', 1, 1, 'theirs', :key, 'm')"), row)
        ours = append(store, "t", 1, 1, "ours", key=key)
        next_ = append(store, "t", 2, 1, "next")
        sleep(0.1)  # so that the writer comes upon what is not yet committed
        other.commit()
        assert ours.result() == (Stored(1, repeated=True) if key else Conflict(1))
        assert next_.result() == Stored(2, repeated=False)
    assert bodies(store) == ["theirs", "next"]


def test_more_than_one_transaction_holds_is_stored_too(store: Store) -> None:
    commits: list[object] = []
    event.listen(store.writer.engine, "commit", commits.append)
    numbers = range(1, 2 * MAX_JOBS + 2)
    with held(store):
        new = [append(store, "t", number, 1, str(number), key=str(number)) for number in numbers]
        taken = [append(store, "t", number, 1, "") for number in numbers]
    assert [each.result() for each in new] == [Stored(n, repeated=False) for n in numbers]
    assert {each.result() for each in taken} == {Conflict(numbers[-1])}
    assert len(commits) == 1 + 5
    assert bodies(store) == [str(number) for number in numbers]


def test_all_that_waits_is_committed_together(store: Store) -> None:
    commits: list[object] = []
    names = [f"table {i}" for i in range(50)]
    for name in names:
        create(store, StoredTable(name, 1, "", "", listed=True))
    event.listen(store.writer.engine, "commit", commits.append)
    with held(store):
        asked = [append(store, name, number, 1, "") for number in (1, 2, 3) for name in names]
        assert not any(each.done() for each in asked), "nobody is told before the commit"
    assert {each.result() for each in asked} == {Stored(n, repeated=False) for n in (1, 2, 3)}
    assert len(commits) == 2, "one by which the writer was held, one for all the others"


def test_each_of_many_is_answered_for_itself(store: Store) -> None:
    """Some are next at their tables, and told so together; the others are looked at one by one."""
    for name in ("u", "v", "w"):
        create(store, StoredTable(name, 1, "", "", listed=True))
    append(store, "u", 1, 1, "known", key="k").result()
    with held(store):
        next_ = append(store, "t", 1, 5, "next", listed=False, over=True)
        after = append(store, "t", 2, 6, "after")
        again = append(store, "u", 2, 2, "again", key="k")
        gap = append(store, "v", 2, 2, "gap")
        twice = [append(store, "w", 1, 1, body) for body in ("one", "other")]
        owned = append(store, "v", 1, 1, "sat", owner=Owner(0, "hash"))
        nowhere = append(store, "none", 1, 1, "")
    assert next_.result() == Stored(1, repeated=False)
    assert after.result() == Stored(2, repeated=False)
    assert again.result() == Stored(1, repeated=True)
    assert gap.result() in (Conflict(0), Conflict(1))
    assert [each.result() for each in twice] == [Stored(1, repeated=False), Conflict(1)]
    assert owned.result() == Stored(1, repeated=False)
    with pytest.raises(NoSuchTable):
        nowhere.result()
    assert {name: bodies(store, name) for name in "tuvw"} == {
        "t": ["next", "after"],
        "u": ["known"],
        "v": ["sat"],
        "w": ["one"],
    }
    kept = store.table("t")
    assert kept is not None
    assert (kept.listed, kept.over, kept.touched) == (False, True, 6)
    assert store.seat_of_token("hash", "v") == 0


def test_on_postgresql_a_move_is_one_statement(postgres: Postgres) -> None:
    """With what its table needs next, and telling the others; no transaction is begun for it."""
    begun: list[object] = []
    with Store.open(postgres.fresh()) as store:
        create(store, TABLE)
        event.listen(store.writer.engine, "begin", begun.append)
        event.listen(store.writer.engine, "before_cursor_execute", begun.append)
        move = PendingEvent("t", 1, 5, "moved", touches=False, deadline=Deadline(9, bot=True))
        assert submit(store, move).result() == Stored(1, repeated=False)
        kept = store.table("t")
    assert not begun
    assert kept is not None
    assert (kept.due, kept.bot, kept.touched) == (9, True, TABLE.opened)


# ---- Tokens and servers


def test_a_token_tells_table_and_seat(store: Store) -> None:
    create(store, StoredTable("u", 1, "", "", listed=True))
    for table, seat, token in (("u", 0, "hash a"), ("u", 1, "hash b"), ("t", 3, "hash d")):
        give(store, table, seat, token)
    assert store.seat_of_token("hash b", "u") == 1
    assert store.seat_of_token("hash d", "t") == 3
    assert store.seat_of_token("hash d", "u") is None
    assert store.seat_of_token("unknown", "u") is None
    assert store.tokens_of("u") == {"hash a": 0, "hash b": 1}
    assert store.tokens_of("none") == {}
    every = ["hash d", "unknown", "hash c", "hash b"]
    assert store.seats_of_tokens(every) == [("t", 3), ("u", 1)]
    assert store.seats_of_tokens(every + [f"unknown {i}" for i in range(40_000)]) == [
        ("t", 3),
        ("u", 1),
    ]
    assert store.seats_of_tokens([]) == []
    give(store, "u", 1, "hash c")
    assert store.tokens_of("u") == {"hash a": 0, "hash c": 1}, "a seat has one owner"
    give(store, "u", 1, None)
    give(store, "u", 7, None)
    assert store.tokens_of("u") == {"hash a": 0}
    assert store.seat_of_token("hash c", "u") is None


def test_a_token_is_of_one_seat_of_each_table_there_is(store: Store) -> None:
    give(store, "t", 0, "hash")
    create(store, StoredTable("u", 1, "", "", listed=True))
    commits: list[object] = []
    event.listen(store.writer.engine, "commit", commits.append)
    with held(store):
        asked = [
            append(store, "t", 2, 1, "", owner=Owner(1, "hash")),
            append(store, "none", 1, 1, "", owner=Owner(1, "other")),
            append(store, "u", 1, 1, "", owner=Owner(1, "hash")),
        ]
    with pytest.raises(TokenInUse, match="holds seat 1 already"):
        asked[0].result()
    with pytest.raises(NoSuchTable):
        asked[1].result()
    assert asked[2].result() == Stored(1, repeated=False)
    assert len(commits) == 2, "a refusal does not break up what is committed together"
    assert (store.seat_of_token("hash", "t"), store.seat_of_token("hash", "u")) == (0, 1)
    assert store.seats_of_tokens(["hash"]) == [("t", 0), ("u", 1)]
    assert bodies(store) == ["sat"]


def test_programs_and_their_seats(store: Store) -> None:
    program = Program("hash", STRANGE, 1_700_000_000_000)
    assert store.programs.add(program)
    assert store.programs.add(program), "the same twice counts once"
    assert not store.programs.add(Program("other hash", STRANGE, 1))
    assert store.programs.find("hash") == store.programs.find_by_name(STRANGE) == program
    for unknown in ("other hash", "\0"):
        assert store.programs.find(unknown) is store.programs.find_by_name(unknown) is None
    create(store, StoredTable("u", 1, "", "", listed=True))
    give(store, "u", 0, "hash")
    give(store, "u", 1, "a person's")
    give(store, "t", 1, "hash")
    append(store, "t", 2, 1, "", over=True).result()
    assert store.programs.seats(program) == [("u", 0)]
    assert store.programs.seats(program, over=True) == [("t", 1), ("u", 0)]
    assert store.seats_of_tokens(["hash", "a person's"]) == [("u", 1)]
    store.programs.delete(program)
    assert store.programs.find("hash") is None
    assert store.programs.seats(program, over=True) == []
    assert store.tokens_of("u") == {"a person's": 1}
    assert store.programs.add(Program("other hash", STRANGE, 1)), "its name is free again"


def test_a_program_that_nobody_uses_is_dropped(store: Store) -> None:
    day = 24 * 3600 * 1000
    for name in ("unused", "listening", "seated"):
        assert store.programs.add(Program(name, name, 1))
    asyncio.run(store.programs.seen("listening", 2 * day))
    give(store, "t", 0, "seated")
    store.cluster.heartbeat(30 * day)
    assert store.programs.find("unused") is not None, "not yet"
    store.cluster.heartbeat(31 * day)
    assert store.programs.find("unused") is None
    assert store.programs.add(Program("another", "unused", 1)), "its name is free again"
    assert store.programs.find("listening") is not None
    store.cluster.heartbeat(33 * day)
    assert store.programs.find("listening") is None
    assert store.programs.find("seated") is not None


def test_a_program_that_is_dropped_has_no_reminders(store: Store) -> None:
    program = Program("hash", "Rex", 1)
    assert store.programs.add(program)
    create(store, StoredTable("u", 1, "", "", listed=True))
    give(store, "u", 0, "hash")
    give(store, "u", 1, "a person's")
    theirs = Reminder("u", 1, "feed b", "ann@example.org", "en", 0)
    assert store.reminders.set(Reminder("u", 0, "feed a", "", "en", 0), 1)
    assert store.reminders.set(theirs, 1)
    store.programs.delete(program)
    assert store.reminders.of_seat("u", 0) is None
    assert store.reminders.of_seat("u", 1) is not None


def test_of_programs_that_want_a_name_at_once_one_gets_it(store: Store, database: str) -> None:
    ready, got = Barrier(8), []
    with Store.open(database) as second:

        def run(i: int) -> None:
            ready.wait()
            got.append((store, second)[i % 2].programs.add(Program(f"hash {i}", "Rex", i)))

        together([Thread(target=run, args=(i,)) for i in range(8)])
    assert sorted(got) == [False] * 7 + [True]


# ---- Opening and closing


def test_what_was_stored_is_there_when_it_is_opened_again(database: str) -> None:
    with Store.open(database) as first:
        create(first, TABLE)
        append(first, "t", 1, 1, "one", key="k", owner=Owner(0, "hash")).result()
    with Store.open(database) as second:
        assert bodies(second) == ["one"]
        assert second.seat_of_token("hash", "t") == 0
        assert append(second, "t", 2, 1, "one", key="k").result() == Stored(1, repeated=True)
        assert append(second, "t", 2, 1, "two").result() == Stored(2, repeated=False)


def test_closing_finishes_what_waits(database: str) -> None:
    store = Store.open(database)
    create(store, TABLE)
    with held(store):
        asked = [append(store, "t", number, 1, str(number)) for number in range(1, 101)]
        closing = Thread(target=store.close)
        closing.start()
    closing.join()
    assert [each.result() for each in asked] == [
        Stored(number, repeated=False) for number in range(1, 101)
    ]
    with pytest.raises(StoreFailed, match="the store is closed"):
        append(store, "t", 101, 1, "").result()
    store.close()
    with Store.open(database) as again:
        assert len(bodies(again)) == 100
