"""The match: stored, then told; bots move, clocks end games, and a restart changes nothing."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from benben.core.registry import names
from benben.table import events as happened
from benben.table.record import TableRecord, verify
from benben.table.store import NoSuchTable, Store
from benben.table.table import Refused, Table
from benben.table.tables import Tables
from benben.table.terms import LiveClock, Terms
from benben.table.tokens import hashed, new_token
from tests.table.playing import terms


class Time:
    """Milliseconds that pass when the test says so."""

    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms


@asynccontextmanager
async def match(path: Path, now: Time | None = None) -> AsyncIterator[Tables]:
    with Store.open(f"sqlite:///{path / 'match.sqlite3'}") as store:
        tables = Tables(store, bot_delay=0.0, **({"now": now} if now else {}))  # type: ignore[arg-type]
        for game in names():
            await tables.reopen(game)
            await tables.resume(game)
        try:
            yield tables
        finally:
            await tables.close()


def run(task: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(task, 60))


def made(template: Terms) -> Any:
    def make(commitment: str) -> Terms:
        fields = {name: getattr(template, name) for name in template.__struct_fields__}
        return Terms(**(fields | {"commitment": commitment}))

    return make


async def sit(tables: Tables, name: str, seat: int) -> None:
    await tables.act(name, lambda table: table.sit(seat, f"Ann{seat}", f"n{seat}"))


async def until(tables: Tables, name: str, wanted: Any) -> None:
    """Wait until the table is as wanted."""
    loaded = await tables.find(name)
    while not wanted(loaded.table):
        await loaded.news.wait()


def first_move(seat: int) -> Any:
    def wish(table: Table) -> happened.AnyEvent:
        assert table.position is not None
        return table.move(seat, table.position.moves()[0])

    return wish


def test_a_whole_game_against_bots(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            name = await tables.open(made(terms("batisseurs", bots=(0, 1, 2), players=3)))
            await sit(tables, name, 0)
            loaded = await tables.find(name)
            while not loaded.table.closed:
                await until(tables, name, lambda table: table.closed or table.to_move == 0)
                if not loaded.table.closed:
                    await tables.act(name, first_move(0))
            record = TableRecord(id=name, terms=loaded.table.terms, entries=tuple(loaded.entries))
            assert verify(record) == loaded.table.draws
            assert {type(entry.event) for entry in record.entries} >= {
                happened.Sat,
                happened.Began,
                happened.Threw,
                happened.Moved,
                happened.Ended,
            }

    run(play())


def test_a_restart_finds_everything_and_the_bots_turn_too(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            tables._closing = True  # this match closes before its bots have thought
            name = await tables.open(made(terms(bots=(0, 1))))
            await sit(tables, name, 0)
            await tables.act(name, first_move(0))
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
            name = await tables.open(made(terms()))
            await sit(tables, name, 0)
            await sit(tables, name, 1)
            first = await tables.act(name, first_move(0), "key")
            assert await tables.act(name, first_move(0), "key") == first
            with pytest.raises(Refused, match="not to move"):
                await tables.act(name, first_move(0), "another key")
            assert len((await tables.find(name)).table.moves) == 1
            said = await tables.act(name, lambda table: table.say(0, "hm"), "talk")
            assert await tables.act(name, lambda table: table.say(0, "hm"), "talk") == said

    run(play())


def test_of_two_that_race_one_is_stored(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables, match(tmp_path) as other:
            name = await tables.open(made(terms()))
            await sit(tables, name, 0)
            await sit(tables, name, 1)
            await other.find(name)
            answers = await asyncio.gather(
                *(each.act(name, first_move(0)) for each in (tables, other, tables, other)),
                return_exceptions=True,
            )
            numbers = [answer for answer in answers if isinstance(answer, int)]
            assert len(numbers) == 1
            assert all(isinstance(each, Refused) for each in answers if each != numbers[0])
            await tables.act(name, first_move(1))
            await other.act(name, first_move(0))
            assert len((await other.find(name)).table.moves) == 3

    run(play())


def test_who_goes_away_meanwhile_leaves_nothing_half_done(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            name = await tables.open(made(terms()))
            await sit(tables, name, 0)
            await sit(tables, name, 1)
            loaded = await tables.find(name)
            asking = asyncio.ensure_future(tables.act(name, first_move(0)))
            while not loaded.lock.locked():
                await asyncio.sleep(0)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            await until(tables, name, lambda table: len(table.moves) == 1)
            assert len(loaded.entries) == loaded.table.number

    run(play())


def test_a_clock_ends_the_game_by_itself_and_stands_still_while_closed(tmp_path: Path) -> None:
    now = Time()

    async def play() -> None:
        async with match(tmp_path, now) as tables:
            name = await tables.open(made(terms(pace=LiveClock(60))))
            await sit(tables, name, 0)
            await sit(tables, name, 1)
            now.ms += 30_000
            await asyncio.to_thread(tables.store.heartbeat, "match", now.ms)
        now.ms += 3_600_000
        async with match(tmp_path, now) as tables:
            loaded = await tables.find(name)
            assert not loaded.table.over
            assert loaded.table.clock.now(0, now.ms) == 30_000
            now.ms += 30_000
            await tables.act(name, lambda table: table.say(1, "still there?"))
            assert loaded.table.result is not None
            assert loaded.table.result.shares == (0.0, 1.0)
            assert loaded.table.closed

    run(play())


def test_an_undo_stops_the_bot_that_thinks(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            tables.bot_delay = 30.0
            name = await tables.open(made(terms(bots=(0, 1))))
            await sit(tables, name, 0)
            await tables.act(name, first_move(0))
            loaded = await tables.find(name)
            thinking = loaded.thinking
            assert thinking is not None
            await tables.act(name, lambda table: table.say(0, "hm"))
            assert loaded.thinking is thinking, "talk does not disturb it"
            await tables.act(name, lambda table: table.ask_undo(0))
            assert thinking.is_set()
            assert loaded.thinking is None
            assert loaded.table.to_move == 0

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


def test_a_bots_turn_waits_until_bots_can_think(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            ready = asyncio.Event()
            asked: list[str] = []

            async def until_bots(game: str) -> None:
                asked.append(game)
                await ready.wait()

            tables.until_bots = until_bots
            name = await tables.open(made(terms(bots=(0, 1))))
            await sit(tables, name, 0)
            table = (await tables.find(name)).table
            assert table.position is not None
            move = table.position.moves()[0]
            await tables.act(name, lambda table: table.move(0, move))
            await asyncio.sleep(0.05)
            assert (asked, table.bot_to_move, len(table.moves)) == (["quadrille"], 1, 1)
            assert tables.thoughts == 0
            ready.set()
            await until(tables, name, lambda table: len(table.moves) == 2)

    run(play())


def test_only_tables_of_games_that_are_ready_go_on(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            named = [
                await tables.open(made(terms(game, bots=(0, 0), players=2)))
                for game in ("quadrille", "pyramidis")
            ]
        with Store.open(f"sqlite:///{tmp_path / 'match.sqlite3'}") as store:
            tables = Tables(store)

            def admit(game: str) -> None:
                if game == "pyramidis":
                    raise RuntimeError(game)

            tables.admit = admit
            await tables.resume("quadrille")
            assert tables.loaded == 1
            assert (await tables.find(named[0])).table.terms.game == "quadrille"
            with pytest.raises(RuntimeError, match="pyramidis"):
                await tables.find(named[1])
            await tables.close()

    run(play())
