"""A game begins only when every seat has revealed the nonce it committed to."""

import asyncio
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from benben.live.session import UnknownToken
from benben.live.signals import SeatLost
from benben.live.tables import Tables
from benben.table import actions
from benben.table.events import (
    AnyEvent,
    Began,
    Committed,
    Expired,
    Paused,
    Revealed,
    Sat,
    Stood,
    Unrevealed,
)
from benben.table.history import Played, history
from benben.table.options import Days, LiveClock
from benben.table.record import Different, Entry, TableRecord, verify
from benben.table.table import START_GRACE_LIVE_MS, START_GRACE_MS
from benben.table.views import table_view
from tests.live.playing import Match, refused, table_options
from tests.live.servers import Time, made, run, token, until
from tests.live.servers import match as match_on
from tests.store.postgres import Postgres
from tests.table import asking


def commitment(nonce: str) -> str:
    return sha256(nonce.encode()).hexdigest()


def full(*nonces: str, **made: Any) -> Match:
    """A table whose seats were taken with commitments to these nonces."""
    match = Match(table_options("pyramidis", players=len(nonces), **made))
    for seat, nonce in enumerate(nonces):
        match.store(asking.sit(match.table, seat, f"Ann{seat}", commitment=commitment(nonce)))
    return match


def start(match: Match, *nonces: str) -> None:
    for seat, nonce in enumerate(nonces):
        match.store(asking.reveal(match.table, seat, nonce))
    match.settle()


def test_the_game_begins_when_all_have_revealed() -> None:
    match = full("a1", "b2")
    match.settle()
    assert not match.table.begun
    match.store(asking.reveal(match.table, 1, "b2"))
    match.settle()
    assert not match.table.begun
    match.store(asking.reveal(match.table, 0, "a1"))
    match.settle()
    assert match.table.begun
    assert match.table.nonces == {0: "a1", 1: "b2"}


def test_revealed_nonces_make_the_same_luck_as_nonces_in_clear() -> None:
    committed = full("a1", "b2", drawn=True)
    start(committed, "a1", "b2")
    clear = Match(committed.table.options)
    clear.store(asking.sit(clear.table, 0, "Ann", "a1"))
    clear.store(asking.sit(clear.table, 1, "Bob", "b2"))
    clear.settle()
    assert committed.entries[-1].event == clear.entries[-1].event


def test_no_nonce_is_revealed_before_all_have_committed() -> None:
    match = Match(table_options("pyramidis", players=2))
    match.store(asking.sit(match.table, 0, "Ann", commitment=commitment("a1")))
    with refused("not-starting"):
        asking.reveal(match.table, 0, "a1")


def test_only_the_nonce_committed_to_is_taken() -> None:
    match = full("a1", "b2")
    for other in ("a2", commitment("a1")):
        with refused("bad-nonce"):
            asking.reveal(match.table, 0, other)
    match.store(asking.reveal(match.table, 0, "a1"))
    assert asking.reveal(match.table, 0, "a1") is None, "a retry changes nothing"


@pytest.mark.parametrize("bad", ["x", "A" * 64, "a" * 63, "é" * 64])
def test_commitments_that_are_none(bad: str) -> None:
    with refused("bad-commitment"):
        asking.sit(Match(table_options()).table, 0, "Ann", commitment=bad)


def test_a_nonce_or_a_commitment_not_both() -> None:
    with refused("bad-nonce"):
        asking.sit(Match(table_options()).table, 0, "Ann", "a1", commitment=commitment("a1"))
    with refused("bad-nonce"):
        asking.sit(Match(table_options()).table, 0, "Ann")


def test_who_leaves_after_a_reveal_makes_all_nonces_void() -> None:
    match = full("a1", "b2")
    match.store(asking.reveal(match.table, 0, "a1"))
    match.store(asking.leave(match.table, 1))
    match.store(asking.sit(match.table, 1, "Eve", commitment=commitment("e3")))
    assert match.table.start_phase == "commit"
    assert match.table.start_pending == [0]
    with refused("not-starting"):
        asking.reveal(match.table, 1, "e3")
    match.store(asking.commit(match.table, 0, commitment("a4")))
    with refused("committed"):
        asking.commit(match.table, 0, commitment("a5"))
    with refused("bad-nonce"):
        asking.reveal(match.table, 0, "a1")
    start(match, "a4", "e3")
    assert match.table.nonces == {0: "a4", 1: "e3"}


def test_who_leaves_before_the_table_is_full_leaves_the_others_their_commitments() -> None:
    match = Match(table_options("pyramidis", players=4))
    for seat, nonce in enumerate(("a1", "b2")):
        match.store(asking.sit(match.table, seat, f"P{seat}", commitment=commitment(nonce)))
    match.store(asking.leave(match.table, 1))
    assert match.table.commitments == {0: commitment("a1")}


def test_who_leaves_a_full_table_makes_all_nonces_void() -> None:
    """A nonce may have been sent, and the server may claim that the other one left before."""
    match = full("a1", "b2")
    match.store(asking.leave(match.table, 1))
    match.store(asking.sit(match.table, 1, "Eve", commitment=commitment("e3")))
    assert (match.table.start_phase, match.table.start_pending) == ("commit", [0])


def test_who_leaves_when_all_have_revealed_makes_all_nonces_void() -> None:
    match = full("a1", "b2")
    match.store(asking.reveal(match.table, 0, "a1"))
    match.store(asking.reveal(match.table, 1, "b2"))
    match.store(asking.leave(match.table, 1))  # another server was quicker than the deal
    match.store(asking.sit(match.table, 1, "Eve", "e3"))
    assert (match.table.start_phase, match.table.start_pending) == ("commit", [0])


def test_a_retry_is_answered_after_seats_were_drawn() -> None:
    for secret in (str(n) * 64 for n in range(5)):
        match = Match(table_options("pyramidis", players=2, drawn=True), secret)
        for seat, nonce in enumerate(("a1", "b2")):
            match.store(asking.sit(match.table, seat, f"P{seat}", commitment=commitment(nonce)))
        start(match, "a1", "b2")
        for chosen, nonce in enumerate(("a1", "b2")):
            assert asking.reveal(match.table, match.table.order[chosen], nonce) is None
            with refused("begun"):
                asking.reveal(match.table, match.table.order[chosen], "x")


@pytest.mark.parametrize(
    ("pace", "listed", "grace"),
    [
        (None, False, START_GRACE_MS),
        (None, True, START_GRACE_LIVE_MS),
        (LiveClock(60), False, START_GRACE_LIVE_MS),
        (Days(3), True, 3 * START_GRACE_MS),
    ],
)
def test_a_seat_that_does_not_reveal_in_time_is_freed(
    pace: object, listed: bool, grace: int
) -> None:
    match = full("a1", "b2", pace=pace, listed=listed)
    since = match.entries[-1].at
    match.store(asking.reveal(match.table, 0, "a1"))
    assert asking.next_event(match.table, since + grace - 1) is None
    assert asking.next_event(match.table, since + grace) == Unrevealed(1)
    match.now = since + grace
    match.settle()
    assert match.table.seats[1].free
    assert match.table.seats[0].taken
    assert match.table.nonces == match.table.commitments == {}
    assert match.rebuilt() == match.table


def test_every_seat_that_does_not_reveal_in_time_is_freed() -> None:
    match = full("a1", "b2", "c3", "d4")
    match.store(asking.reveal(match.table, 2, "c3"))
    match.now += START_GRACE_MS
    match.settle()
    freed = [entry.event for entry in match.entries if isinstance(entry.event, Unrevealed)]
    assert freed == [Unrevealed(0), Unrevealed(1), Unrevealed(3)]
    assert [seat.taken for seat in match.table.seats] == [False, False, True, False]
    match.store(asking.sit(match.table, 0, "Eve", "e5"))
    match.settle()
    assert match.table.seats[0].taken


def test_the_deadline_begins_anew_when_no_server_was_there() -> None:
    match = full("a1", "b2")
    back = match.now + START_GRACE_MS
    match.store(Paused(match.now, back))
    assert asking.next_event(match.table, back + START_GRACE_MS - 1) is None
    assert asking.next_event(match.table, back + START_GRACE_MS) == Unrevealed(0)


def test_a_nonce_in_clear_stays_when_others_become_void() -> None:
    match = Match(table_options("pyramidis", players=4))
    match.store(asking.sit(match.table, 0, "Ann", "a1"))
    for seat, nonce in enumerate(("b2", "c3", "d4"), 1):
        match.store(asking.sit(match.table, seat, f"P{seat}", commitment=commitment(nonce)))
    match.store(asking.reveal(match.table, 1, "b2"))
    match.store(asking.leave(match.table, 3))
    match.store(asking.seat_bot(match.table, 3, 1))
    assert match.table.start_pending == [1, 2]


def test_viewers_see_who_is_awaited() -> None:
    match = full("a1", "b2")
    seen = table_view(match.table, None, match.now)
    assert seen.starting is not None
    assert (seen.starting.phase, seen.starting.seats) == ("reveal", [0, 1])
    assert [seat.commitment for seat in seen.seats] == [commitment("a1"), commitment("b2")]
    start(match, "a1", "b2")
    seen = table_view(match.table, None, match.now)
    assert seen.starting is None
    assert [seat.commitment for seat in seen.seats] == ["", ""]


def test_viewers_see_commitments_to_nonces_in_clear_too() -> None:
    """A device notes what was fixed before it revealed its own nonce."""
    match = Match(table_options("pyramidis", players=4, bots=(0, 0, 1, 1)))
    match.store(asking.sit(match.table, 0, "Ann", "a1"))
    assert not any(seat.commitment for seat in table_view(match.table, None, match.now).seats)
    match.store(asking.sit(match.table, 1, "Bob", commitment=commitment("b2")))
    seen = [seat.commitment for seat in table_view(match.table, None, match.now).seats]
    assert seen == [commitment("a1"), commitment("b2"), "", ""]


def played(match: Match) -> Match:
    match.store(asking.resign(match.table, 0))
    match.settle()
    return match


def test_records_with_commitments_verify() -> None:
    match = full("a1", "b2")
    match.store(asking.reveal(match.table, 0, "a1"))
    match.store(asking.leave(match.table, 1))
    match.store(asking.sit(match.table, 1, "Eve", commitment=commitment("e3")))
    match.store(asking.commit(match.table, 0, commitment("a4")))
    start(match, "a4", "e3")
    assert verify(played(match).record) > 0


def test_an_expired_table_waits_for_nobody() -> None:
    match = full("a1", "b2")
    assert match.table.start_pending == [0, 1]
    match.store(Expired())
    assert match.table.start_pending == []
    assert table_view(match.table, 0, match.now).starting is None


@pytest.mark.parametrize(
    ("events", "number"),
    [
        # Another nonce than the one committed to.
        (
            [Sat(0, "Ann", "", commitment=commitment("a1")), Sat(1, "Bob", "b2"), Revealed(0, "x")],
            3,
        ),
        # The last seat was taken when the first nonce was known.
        (
            [
                Sat(0, "Ann", "", commitment=commitment("a1")),
                Revealed(0, "a1"),
                Sat(1, "Bob", "b2"),
            ],
            2,
        ),
        # A nonce that became void.
        (
            [
                Sat(0, "Ann", "", commitment=commitment("a1")),
                Sat(1, "Bob", "", commitment=commitment("b2")),
                Revealed(0, "a1"),
                Stood(1),
                Sat(1, "Eve", "e3"),
                Revealed(0, "a1"),
            ],
            6,
        ),
        # The game began before every seat had revealed.
        ([Sat(0, "Ann", "", commitment=commitment("a1")), Sat(1, "Bob", "b2")], 3),
        # A commitment was exchanged when another nonce was known, or a seat was.
        (
            [
                Sat(0, "Ann", "", commitment=commitment("a1")),
                Sat(1, "Bob", "", commitment=commitment("b2")),
                Revealed(1, "b2"),
                Committed(0, commitment("x")),
                Revealed(0, "x"),
            ],
            4,
        ),
        (
            [
                Sat(0, "Ann", "", commitment=commitment("a1")),
                Sat(1, "Bob", "", commitment=commitment("b2")),
                Revealed(1, "b2"),
                Sat(0, "Ann", "x"),
            ],
            4,
        ),
        # The server saw a nonce and said that another player had left before.
        (
            [
                Sat(0, "Ann", "", commitment=commitment("a1")),
                Sat(1, "Bob", "", commitment=commitment("b2")),
                Stood(1),
                Sat(1, "Bob", "x"),
                Revealed(0, "a1"),
            ],
            5,
        ),
        # A seat was freed before its time.
        (
            [
                Sat(0, "Ann", "", commitment=commitment("a1")),
                Sat(1, "Bob", "", commitment=commitment("b2")),
                Unrevealed(1),
            ],
            3,
        ),
        # Which of them counts is not said.
        ([Sat(0, "Ann", "a1", commitment=commitment("a1"))], 1),
        ([Sat(0, "Ann", "")], 1),
    ],
)
def test_verify_finds_what_was_revealed_wrongly(events: list[AnyEvent], number: int) -> None:
    honest = Match(table_options("pyramidis", players=2))
    honest.fill()
    played(honest)
    began = next(e.event for e in honest.entries if isinstance(e.event, Began))
    rest = [e.event for e in honest.entries if e.number > 3]
    entries = tuple(Entry(i, i, event) for i, event in enumerate([*events, began, *rest], 1))
    record = TableRecord(id="table", options=honest.table.options, entries=entries)
    with pytest.raises(Different) as found:
        verify(record)
    assert found.value.number == number


# ---- By a server that runs


async def sit_committed(tables: Tables, name: str, seat: int, nonce: str) -> None:
    command = actions.Sit(token(seat), seat, f"P{seat}", commitment=commitment(nonce))
    await tables.act(name, command)


def test_a_server_frees_a_seat_and_lists_the_table_again(tmp_path: Path) -> None:
    lost, now = [], Time()

    async def play() -> None:
        async with match_on(tmp_path, now) as tables:
            tables.signals.subscribe(SeatLost, lambda signal: lost.append(signal.token))
            name = (await tables.open(made(table_options("pyramidis", players=2, listed=True)))).id
            await sit_committed(tables, name, 0, "a1")
            assert len(tables.store.lists.open([name])) == 1
            await sit_committed(tables, name, 1, "b2")
            assert tables.store.lists.open([name]) == [], "there is no free seat"
            await tables.act(name, actions.Reveal(token(0), "a1"))
            now.ms += START_GRACE_LIVE_MS
            tables.scheduler.wake()
            await until(tables, name, lambda table: table.seats[1].free)
            assert len(tables.store.lists.open([name])) == 1
            with pytest.raises(UnknownToken):
                await tables.act(name, actions.Reveal(token(1), "b2"))
            await sit_committed(tables, name, 1, "c3")

    run(play())
    assert lost == [token(1)]


def test_nobody_loses_a_seat_because_the_server_was_down(tmp_path: Path) -> None:
    now = Time()

    async def play() -> None:
        async with match_on(tmp_path, now) as tables:
            name = (
                await tables.open(made(table_options("pyramidis", players=2, pace=LiveClock(60))))
            ).id
            for seat, nonce in enumerate(("a1", "b2")):
                await sit_committed(tables, name, seat, nonce)
            await asyncio.to_thread(tables.store.cluster.heartbeat, now.ms)
        now.ms += START_GRACE_LIVE_MS
        async with match_on(tmp_path, now) as tables:
            for seat, nonce in enumerate(("a1", "b2")):
                await tables.act(name, actions.Reveal(token(seat), nonce))
            assert (await tables.find(name)).table.begun

    run(play())


def test_seats_commit_and_reveal_at_different_servers(postgres: Postgres) -> None:
    url = postgres.fresh()

    async def play() -> None:
        async with match_on(url) as here, match_on(url) as there:
            name = (await here.open(made(table_options("pyramidis", players=2)))).id
            await sit_committed(here, name, 0, "a1")
            await sit_committed(there, name, 1, "b2")
            await asyncio.gather(
                there.act(name, actions.Reveal(token(0), "a1")),
                here.act(name, actions.Leave(token(1))),
                return_exceptions=True,  # the reveal may come too late
            )
            await sit_committed(here, name, 1, "c3")
            await there.act(name, actions.Commit(token(0), commitment("d4")))
            await there.act(name, actions.Reveal(token(1), "c3"))
            await here.act(name, actions.Reveal(token(0), "d4"))
            assert (await there.find(name)).table.begun
            kinds = [type(entry.event) for entry in (await here.find(name)).entries]
            assert kinds.count(Began) == 1

    run(play())


def test_the_history_says_who_lost_a_seat() -> None:
    match = full("a1", "b2")
    match.now += START_GRACE_MS
    match.settle()
    match.store(asking.sit(match.table, 1, "Eve", "e3"))
    told = history(Played(match.table, match.entries), None).notices
    assert [(each.kind, each.seat, each.name) for each in told] == [
        ("unrevealed", 0, "Ann0"),
        ("unrevealed", 1, "Ann1"),
    ]
