"""The house: stored, then told; bots move, clocks end games, and a restart changes nothing."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from benben.table import events as happened
from benben.table.hall import Hall, hashed, new_token
from benben.table.record import Record, verify
from benben.table.store import NoSuchTable, Store
from benben.table.table import Refused, Table
from benben.table.terms import Live, Terms
from tests.table.playing import terms


class Time:
    """Milliseconds that pass when the test says so."""

    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms


@asynccontextmanager
async def house(path: Path, now: Time | None = None) -> AsyncIterator[Hall]:
    with Store.open(f"sqlite:///{path / 'house.sqlite3'}") as store:
        hall = Hall(store, bot_delay=0.0, **({"now": now} if now else {}))  # type: ignore[arg-type]
        await hall.reopen()
        await hall.resume()
        try:
            yield hall
        finally:
            await hall.close()


def run(task: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(task, 60))


def made(template: Terms) -> Any:
    def make(commitment: str) -> Terms:
        fields = {name: getattr(template, name) for name in template.__struct_fields__}
        return Terms(**(fields | {"commitment": commitment}))

    return make


async def sit(hall: Hall, name: str, seat: int) -> None:
    await hall.act(name, lambda table: table.sit(seat, f"Ann{seat}", f"n{seat}"))


async def until(hall: Hall, name: str, wanted: Any) -> None:
    """Wait until the table is as wanted."""
    live = await hall.find(name)
    while not wanted(live.table):
        await live.news.wait()


def first_move(seat: int) -> Any:
    def wish(table: Table) -> happened.AnyEvent:
        assert table.position is not None
        return table.move(seat, table.position.moves()[0])

    return wish


def test_a_whole_game_against_bots(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as hall:
            name = await hall.open(made(terms("batisseurs", bots=(0, 1, 2), players=3)))
            await sit(hall, name, 0)
            live = await hall.find(name)
            while not live.table.closed:
                await until(hall, name, lambda table: table.closed or table.to_move == 0)
                if not live.table.closed:
                    await hall.act(name, first_move(0))
            record = Record(id=name, terms=live.table.terms, entries=tuple(live.entries))
            assert verify(record) == live.table.draws
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
        async with house(tmp_path) as hall:
            hall._closing = True  # this house closes before its bots have thought
            name = await hall.open(made(terms(bots=(0, 1))))
            await sit(hall, name, 0)
            await hall.act(name, first_move(0))
            before = (await hall.find(name)).table
            assert before.bot_to_move == 1
        async with house(tmp_path) as hall:
            await until(hall, name, lambda table: table.to_move == 0)
            table = (await hall.find(name)).table
            assert table.moves[: len(before.moves)] == before.moves
            assert len(table.moves) == 2

    run(play())


def test_a_key_counts_once(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as hall:
            name = await hall.open(made(terms()))
            await sit(hall, name, 0)
            await sit(hall, name, 1)
            first = await hall.act(name, first_move(0), "key")
            assert await hall.act(name, first_move(0), "key") == first
            with pytest.raises(Refused, match="not to move"):
                await hall.act(name, first_move(0), "another key")
            assert len((await hall.find(name)).table.moves) == 1
            said = await hall.act(name, lambda table: table.say(0, "hm"), "talk")
            assert await hall.act(name, lambda table: table.say(0, "hm"), "talk") == said

    run(play())


def test_of_two_that_race_one_is_stored(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as hall, house(tmp_path) as other:
            name = await hall.open(made(terms()))
            await sit(hall, name, 0)
            await sit(hall, name, 1)
            await other.find(name)
            answers = await asyncio.gather(
                *(each.act(name, first_move(0)) for each in (hall, other, hall, other)),
                return_exceptions=True,
            )
            numbers = [answer for answer in answers if isinstance(answer, int)]
            assert len(numbers) == 1
            assert all(isinstance(each, Refused) for each in answers if each != numbers[0])
            await hall.act(name, first_move(1))
            await other.act(name, first_move(0))
            assert len((await other.find(name)).table.moves) == 3

    run(play())


def test_who_goes_away_meanwhile_leaves_nothing_half_done(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as hall:
            name = await hall.open(made(terms()))
            await sit(hall, name, 0)
            await sit(hall, name, 1)
            live = await hall.find(name)
            asking = asyncio.ensure_future(hall.act(name, first_move(0)))
            while not live.lock.locked():
                await asyncio.sleep(0)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            await until(hall, name, lambda table: len(table.moves) == 1)
            assert len(live.entries) == live.table.number

    run(play())


def test_a_clock_ends_the_game_by_itself_and_stands_still_while_closed(tmp_path: Path) -> None:
    now = Time()

    async def play() -> None:
        async with house(tmp_path, now) as hall:
            name = await hall.open(made(terms(pace=Live(60))))
            await sit(hall, name, 0)
            await sit(hall, name, 1)
            now.ms += 30_000
            await asyncio.to_thread(hall.store.heartbeat, "house", now.ms)
        now.ms += 3_600_000
        async with house(tmp_path, now) as hall:
            live = await hall.find(name)
            assert not live.table.over
            assert live.table.clock.now(0, now.ms) == 30_000
            now.ms += 30_000
            await hall.act(name, lambda table: table.say(1, "still there?"))
            assert live.table.result is not None
            assert live.table.result.shares == (0.0, 1.0)
            assert live.table.closed

    run(play())


def test_an_undo_stops_the_bot_that_thinks(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as hall:
            hall.bot_delay = 30.0
            name = await hall.open(made(terms(bots=(0, 1))))
            await sit(hall, name, 0)
            await hall.act(name, first_move(0))
            live = await hall.find(name)
            thinking = live.thinking
            assert thinking is not None
            await hall.act(name, lambda table: table.say(0, "hm"))
            assert live.thinking is thinking, "talk does not disturb it"
            await hall.act(name, lambda table: table.ask_undo(0))
            assert thinking.is_set()
            assert live.thinking is None
            assert live.table.to_move == 0

    run(play())


def test_there_is_no_such_table(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as hall:
            for _ in range(2):
                with pytest.raises(NoSuchTable, match="there is no table 'nowhere'"):
                    await hall.find("nowhere")

    run(play())


def test_tokens_are_not_kept_as_they_are() -> None:
    token = new_token()
    assert len(token) >= 32
    assert token not in hashed(token)
    assert hashed(token) == hashed(token) != hashed(new_token())
