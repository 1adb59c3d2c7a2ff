"""The tables of a server: stored, then told; bots move, clocks run, a restart changes nothing."""

import asyncio
import gc
import json
import threading
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import event

from benben.core.errors import BenbenError
from benben.live import scheduler
from benben.live import tables as tables_module
from benben.live.session import TableSession
from benben.live.tables import Tables
from benben.store import event_log as appending
from benben.store.database import StoreFailed
from benben.store.event_log import NoSuchTable, PendingEvent
from benben.store.store import Store
from benben.store.tables import StoredTable
from benben.table import actions, events
from benben.table.deadlines import Deadline
from benben.table.options import LiveClock
from benben.table.record import Entry, TableRecord, verify
from benben.table.table import Refused, Table
from benben.table.tokens import hashed, new_token
from tests.live.playing import SECRET, table_options
from tests.live.servers import Time, first_move, made, match, run, sit, token, until, until_session
from tests.live.sessions import unstored_session
from tests.store.databases import append, create
from tests.store.postgres import Postgres


def test_a_whole_game_against_bots(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            name = (
                await tables.open(made(table_options("batisseurs", bots=(0, 1, 2), players=3)))
            ).id
            await sit(tables, name, 0)
            session = await tables.find(name)
            while not session.table.closed:
                await until(tables, name, lambda table: table.closed or table.to_move == 0)
                if not session.table.closed:
                    await first_move(tables, name, 0)
            record = TableRecord(
                id=name, options=session.table.options, entries=tuple(session.entries)
            )
            assert verify(record) == session.table.draws
            assert {type(entry.event) for entry in record.entries} >= {
                events.Sat,
                events.Began,
                events.Threw,
                events.Moved,
                events.Ended,
            }

    run(play())


def test_a_restart_finds_everything_and_the_bots_turn_too(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            tables.bot_turns.close()  # this server closes before its bots have thought
            name = (await tables.open(made(table_options(bots=(0, 1))))).id
            await sit(tables, name, 0)
            await first_move(tables, name, 0)
            before = (await tables.find(name)).table
            assert before.bot_to_move == 1
        async with match(tmp_path) as tables:
            await until(tables, name, lambda table: table.to_move == 0)
            table = (await tables.find(name)).table
            assert table.moves[: len(before.moves)] == before.moves
            assert len(table.moves) == 2

    run(play())


def test_a_key_counts_once(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            name = (await tables.open(made(table_options()))).id
            await sit(tables, name, 0)
            await sit(tables, name, 1)
            first = await first_move(tables, name, 0, "key")
            assert await first_move(tables, name, 0, "key") == first
            with pytest.raises(Refused, match="not the turn of seat 1"):
                await first_move(tables, name, 0, "another key")
            assert len((await tables.find(name)).table.moves) == 1
            said = await tables.act(name, actions.Say(token(0), "hm"), "talk")
            assert await tables.act(name, actions.Say(token(0), "hm"), "talk") == said

    run(play())


def test_of_two_that_race_one_is_stored(postgres: Postgres) -> None:
    url = postgres.fresh()

    async def play() -> None:
        async with match(url) as tables, match(url) as other:
            name = (await tables.open(made(table_options()))).id
            await sit(tables, name, 0)
            await sit(tables, name, 1)
            await other.find(name)
            answers = await asyncio.gather(
                *(first_move(each, name, 0) for each in (tables, other, tables, other)),
                return_exceptions=True,
            )
            numbers = [answer for answer in answers if isinstance(answer, int)]
            assert len(numbers) == 1
            assert all(isinstance(each, Refused) for each in answers if each != numbers[0])
            await first_move(tables, name, 1)
            await other.act(name, actions.Move(token(0), "@c3"))
            assert len((await other.find(name)).table.moves) == 3

    run(play())


def test_who_goes_away_meanwhile_leaves_nothing_half_done(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            name = (await tables.open(made(table_options()))).id
            await sit(tables, name, 0)
            await sit(tables, name, 1)
            session = await tables.find(name)
            asking = asyncio.ensure_future(first_move(tables, name, 0))
            while not session.lock.locked():
                await asyncio.sleep(0)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            await until(tables, name, lambda table: len(table.moves) == 1)
            assert len(session.entries) == session.table.number

    run(play())


def test_a_table_that_may_be_watched_is_live_while_the_game_is_on(tmp_path: Path) -> None:
    now = Time()

    async def play() -> None:
        async with match(tmp_path, now) as tables:
            name = (await tables.open(made(table_options(watchable=True)))).id
            private = (await tables.open(made(table_options()))).id

            def live() -> list[tuple[str, int]]:
                return [(table.id, table.touched) for table in tables.store.lists.live(0, 9)]

            for seat in (0, 1):
                await sit(tables, private, seat)
            await sit(tables, name, 0)
            assert live() == []
            await sit(tables, name, 1)
            began = now.ms
            assert live() == [(name, began)]
            now.ms += 59_999
            await first_move(tables, name, 0)
            assert live() == [(name, began)], "not every move is worth telling"
            now.ms += 1
            await first_move(tables, name, 1)
            assert live() == [(name, began + 60_000)]
            await tables.act(name, actions.Resign(token(0)))
            assert live() == []

    run(play())


def test_a_clock_ends_the_game_by_itself_and_stands_still_while_closed(tmp_path: Path) -> None:
    now = Time()

    async def play() -> None:
        async with match(tmp_path, now) as tables:
            name = (await tables.open(made(table_options(pace=LiveClock(60))))).id
            await sit(tables, name, 0)
            await sit(tables, name, 1)
            now.ms += 30_000
            await asyncio.to_thread(tables.store.cluster.heartbeat, now.ms)
        now.ms += 3_600_000
        async with match(tmp_path, now) as tables:
            session = await tables.find(name)
            assert not session.table.over
            assert session.table.clock.now(0, now.ms) == 30_000
            now.ms += 30_000
            await tables.act(name, actions.Say(token(1), "still there?"))
            assert session.table.result is not None
            assert session.table.result.shares == (0.0, 1.0)
            assert session.table.closed

    run(play())


def test_an_undo_stops_the_bot_that_thinks(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            tables.bot_turns.min_seconds = 30.0
            name = (await tables.open(made(table_options(bots=(0, 1))))).id
            await sit(tables, name, 0)
            await first_move(tables, name, 0)
            session = await tables.find(name)
            thinking = session.bot_turn
            assert thinking is not None
            await tables.act(name, actions.Say(token(0), "hm"))
            assert session.bot_turn is thinking, "talk does not disturb it"
            await tables.act(name, actions.AskUndo(token(0)))
            assert thinking.cancelled.is_set()
            assert session.bot_turn is None
            assert session.table.to_move == 0

    run(play())


def test_there_is_no_such_table(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            for _ in range(2):
                with pytest.raises(NoSuchTable, match="there is no table 'nowhere'"):
                    await tables.find("nowhere")

    run(play())


def test_tokens_are_not_kept_as_they_are() -> None:
    token = new_token()
    assert len(token) >= 32
    assert token not in hashed(token)
    assert hashed(token) == hashed(token) != hashed(new_token())


def queries(store: Store) -> list[str]:
    """The statements by which the store is read from now on."""
    seen: list[str] = []

    def note(_: object, __: object, statement: str, *more: object) -> None:
        seen.append(statement)

    event.listen(store._reader._engine, "before_cursor_execute", note)
    return seen


def test_a_refused_move_reads_nothing_where_nobody_else_writes(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            name = (await tables.open(made(table_options()))).id
            await sit(tables, name, 0)
            await sit(tables, name, 1)
            read = queries(tables.store)
            for refusal, command in (
                ("not the turn of seat 2", actions.Move(token(1), "@a1")),
                ("the table has moved on", actions.Move(token(0), "@a1", 0)),
                ("pawns-first", actions.Move(token(0), "a1a2")),
                ("of no seat", actions.Move("nobody's", "@a1")),
            ):
                for key in (None, "key"):
                    with pytest.raises(BenbenError, match=refusal):
                        await tables.act(name, command, key)
            assert read == []

    run(play())


def test_a_bots_turn_waits_until_bots_can_think(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            ready = asyncio.Event()
            asked: list[str] = []

            async def until_bots(game: str, *_: object) -> None:
                asked.append(game)
                await ready.wait()

            tables.wait_for_bots = until_bots
            name = (await tables.open(made(table_options(bots=(0, 1))))).id
            await sit(tables, name, 0)
            table = (await tables.find(name)).table
            await first_move(tables, name, 0)
            await asyncio.sleep(0.05)
            assert (asked, table.bot_to_move, len(table.moves)) == (["quadrille"], 1, 1)
            assert tables.bot_pool.begun == 0
            ready.set()
            await until(tables, name, lambda table: len(table.moves) == 2)

    run(play())


def test_what_is_due_is_tried_again_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last one sits down, and neither the deal nor the throw can be stored at first."""
    monkeypatch.setattr(scheduler, "LEASE_MS", 200)  # it is tried again when the lease expires

    async def play() -> None:
        async with match(tmp_path) as tables:
            name = (await tables.open(made(table_options("batisseurs", first=1)))).id
            await sit(tables, name, 0)
            append, failing = tables.store.append, {"began", "threw"}

            def fail_once(asked: PendingEvent) -> Any:
                kind = json.loads(asked.body)["kind"]
                if kind in failing:
                    failing.remove(kind)
                    raise StoreFailed("here", "the disk is full")
                return append(asked)

            monkeypatch.setattr(tables.store, "append", fail_once)
            await sit(tables, name, 1)  # is stored, and so acknowledged
            await until(tables, name, lambda table: table.to_move is not None)
            assert not failing

    run(play())


def test_who_stops_waiting_for_a_table_leaves_one_copy_of_it(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            name = (await tables.open(made(table_options()))).id
        async with match(tmp_path) as tables:
            tables._recent.clear()
            tables.sessions.clear()
            load, loads, go = tables.store.load, [], threading.Event()

            def slow(table: str) -> Any:
                loads.append(table)
                go.wait()
                return load(table)

            tables.store.load = slow  # type: ignore[method-assign]
            waiting = [asyncio.ensure_future(tables.find(name)) for _ in range(3)]
            await asyncio.sleep(0.01)
            waiting[0].cancel()
            await asyncio.sleep(0)
            waiting.append(asyncio.ensure_future(tables.find(name)))
            await asyncio.sleep(0)
            go.set()
            found = [await each for each in waiting[1:]]
            assert len(set(map(id, found))) == 1
            assert loads == [name]
            assert not tables._loading

    run(play())


def test_a_table_in_use_is_the_one_everybody_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many others are asked for: one with a bot that thinks, not one with a clock."""
    monkeypatch.setattr(tables_module, "MAX_UNUSED", 3)

    async def play() -> None:
        async with match(tmp_path) as tables:
            tables.bot_turns.min_seconds = 30.0
            clocked = (await tables.open(made(table_options(pace=LiveClock(60))))).id
            botted = (await tables.open(made(table_options(bots=(0, 1))))).id
            for name, seats in ((clocked, (0, 1)), (botted, (0,))):
                for seat in seats:
                    await sit(tables, name, seat)
            await first_move(tables, botted, 0)
            used = weakref.ref(await tables.find(botted))
            others = [(await tables.open(made(table_options()))).id for _ in range(20)]
            gc.collect()  # sessions refer to themselves
            loads = queries(tables.store)
            for name in others:
                await tables.find(name)
            await asyncio.sleep(0)  # the event loop refers to the table that woke this task
            gc.collect()
            assert loads, "what nobody used was forgotten"
            assert len(tables.sessions) == 3 + 1
            assert used() is not None
            assert await tables.find(botted) is used()

    run(play())


def due_of(store: Store, name: str) -> int:
    stored = store.table(name)
    assert stored is not None
    assert stored.due is not None
    return stored.due


def test_only_tables_of_games_that_are_ready_go_on(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            tables.bot_turns.close()  # this server closes before its bots have thought
            named = {}
            for game, options in (("quadrille", {}), ("pyramidis", {"players": 2, "first": 1})):
                named[game] = (
                    await tables.open(made(table_options(game, bots=(0, 1), **options)))
                ).id
                await sit(tables, named[game], 0)
                await first_move(tables, named[game], 0)
        with Store.open(f"sqlite:///{tmp_path / 'match.sqlite3'}") as store:
            for name in named.values():  # what the other server had leased is due at once
                await store.leases.release(name, due_of(store, name), Deadline(1, bot=True))
            tables = Tables(store, bot_delay=0.0)
            await tables.join()
            await tables.open_game("quadrille")
            running = asyncio.create_task(tables.scheduler.run())
            await until(tables, named["quadrille"], lambda table: table.to_move == 0)
            assert due_of(store, named["pyramidis"]) == 1, "it is left to servers that can play it"
            other = await tables.find(named["pyramidis"])
            assert other.table.bot_to_move == 1
            await tables.open_game("pyramidis")
            await until(tables, named["pyramidis"], lambda table: table.to_move == 0)
            running.cancel()
            await asyncio.wait([running])
            await tables.close()

    run(play())


# ---- What another server has stored


class Others:
    """Two servers of one database. What the one is told is handed on when a test says so."""

    def __init__(self, one: Tables, other: Tables) -> None:
        self.one, self.other = one, other
        self._told: asyncio.Queue[list[str]] = asyncio.Queue()
        other.store.notifications.on("event", self._told.put_nowait)

    async def begin(self) -> TableSession:
        """A game that has begun, as the other server has it."""
        name = (await self.one.open(made(table_options()))).id
        for seat in (0, 1):
            await sit(self.one, name, seat)
        session = await self.other.find(name)
        await self.news(session.table.number)
        assert session.table.begun
        return session

    async def news(self, count: int) -> list[list[str]]:
        """The next events that are told, each as the words that a server hears."""
        return [await self._told.get() for _ in range(count)]

    async def same(self, session: TableSession) -> bool:
        return session.entries == (await self.one.find(session.id)).entries


@asynccontextmanager
async def others(url: str) -> AsyncIterator[Others]:
    async with match(url) as one, match(url) as other:
        yield Others(one, other)


async def until_known(session: TableSession, number: int) -> None:
    await until_session(session, lambda: session.table.number >= number)


def test_an_event_comes_with_the_news_of_it(postgres: Postgres) -> None:
    async def play() -> None:
        async with others(postgres.fresh()) as both:
            session = await both.begin()
            await first_move(both.one, session.id, 0, "a key")
            await both.one.act(session.id, actions.Say(token(1), "two  words, été “ok”"))
            for words in await both.news(2):
                both.other._replication._on_event(words)  # there is no time to read anything
            assert await both.same(session)
            assert len(session._keys) == 1

    run(play())


def test_a_long_one_is_read(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(appending, "MAX_PAYLOAD_CHARACTERS", 10)

    async def play() -> None:
        async with others(postgres.fresh()) as both:
            session = await both.begin()
            number = await first_move(both.one, session.id, 0)
            (words,) = await both.news(1)
            both.other._replication._on_event(words)
            assert session.table.number == number - 1
            await until_known(session, number)
            assert await both.same(session)

    run(play())


def test_the_longest_that_is_told_can_be_sent(postgres: Postgres) -> None:
    name = "t" * 64
    with Store.open(postgres.fresh()) as store:
        create(store, StoredTable(name, 0, "{}", "", listed=False))
        for number, character in enumerate("x𝕏", 1):
            body, key = character * appending.MAX_PAYLOAD_CHARACTERS, f"{number:064}"
            append(store, name, number, 2**62, body, key=key).result()
        assert store.last_number(name) == 2


def test_what_was_missed_is_read(postgres: Postgres) -> None:
    async def play() -> None:
        async with others(postgres.fresh()) as both:
            session = await both.begin()
            for seat in (0, 1):
                number = await first_move(both.one, session.id, seat)
            _, last = await both.news(2)
            both.other._replication._on_event(last)
            assert session.table.number == number - 2, "the last does not come before the first"
            await until_known(session, number)
            both.other._replication._on_event(last)
            assert await both.same(session), "nor twice"

    run(play())


def test_a_command_that_changes_nothing_is_checked_against_the_latest_events(
    postgres: Postgres,
) -> None:
    """Somebody has left and come back at one server: they can leave at another that is behind."""

    async def play() -> None:
        async with others(postgres.fresh()) as both:
            session = await both.begin()
            known = session.table.number
            for command in (actions.Leave(token(0)), actions.Reclaim(token(0))):
                await both.one.act(session.id, command)
            left, _ = await both.news(2)
            both.other._replication._on_event(left)
            await until_known(session, known + 1)
            assert session.table.seats[0].away
            assert await both.other.act(session.id, actions.Leave(token(0))) == known + 3
            assert session.table.seats[0].away

    run(play())


def test_while_something_is_being_stored_here_nothing_comes_in_between(postgres: Postgres) -> None:
    async def play() -> None:
        async with others(postgres.fresh()) as both:
            session = await both.begin()
            number = await first_move(both.one, session.id, 0)
            (words,) = await both.news(1)
            async with session.lock:
                both.other._replication._on_event(words)
                assert session.table.number == number - 1
            await until_known(session, number)
            assert await both.same(session)

    run(play())


def test_erasing_a_name_reserves_no_other_seat_again() -> None:
    """Somebody expected has sat down and left: anybody may sit there since."""
    expecting = replace(table_options(), expected=("Ann", "Bob"))
    session = unstored_session(Table(expecting, SECRET))
    session.apply_remote(Entry(1, 1, events.Sat(1, "Bob", "n")), None)
    session.apply_remote(Entry(2, 2, events.Stood(1)), None)
    session.table.set_options(expecting.without_expected(0))
    assert [seat.reserved_for for seat in session.table.seats] == ["", ""]
