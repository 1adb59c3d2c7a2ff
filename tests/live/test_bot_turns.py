"""Bots' turns at tables: nobody can compute them, they wait for people, and they survive failures.

Time is what a test says it is. Where several servers share a database, one of them only thinks.
"""

import asyncio
import hashlib
import hmac
import logging
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import benben
from benben.bots.entrants import Entrant, entrant
from benben.core.player import Budget, Cancelled, Player, Thought, Turn
from benben.live import bots as thinking
from benben.live.bot_turns import ATTENDED_MS, BOT_RETRY_SECONDS, UNATTENDED_PAUSE_MS
from benben.live.rematch import find_or_open_rematch
from benben.live.session import TableSession
from benben.live.tables import Tables
from benben.table import actions, events
from benben.table.options import Days, LiveClock
from benben.table.record import Entry
from benben.table.table import STAND_IN
from tests.live.playing import table_options
from tests.live.servers import Time, first_move, made, match, run, sit, token, until
from tests.store.postgres import Postgres

SERVING: dict[str, Any] = {"thinkers": 0}
THINKING: dict[str, Any] = {"thinkers": 1, "only_bots": True, "serves": False}


async def become(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.002)


def moves(session: TableSession) -> int:
    return len(session.table.moves)


# ---- Secrets

MAX_GAMES, MOVES = 5, 6


def _public_seeds(session: TableSession, number: int) -> Iterator[int]:
    """Seeds made of what everybody at a table knows before its end."""
    about = f"{session.id} {number}"
    yield int.from_bytes(hashlib.sha256(about.encode()).digest()[:6])
    for key in ("", session.id, session.table.options.commitment):
        for text in (about, f"bot {about}"):
            yield int.from_bytes(hmac.digest(key.encode(), text.encode(), "sha256")[:6])


def _public_seed(session: TableSession, kind: int, number: int) -> int:
    return list(_public_seeds(session, number))[kind]


def _replays(session: TableSession, goal: str, seeds: Callable[[int], int]) -> bool:
    """Whether the bot on seat 1 would have moved as it did with this goal and these seeds."""
    table = session.table
    assert table.start is not None
    text = str(table.start)[:-1] + goal
    start = position = table.game.parse(text)
    bot, played = entrant("3", table.game), list[str]()
    for step in table.steps:
        if step.seat == 1:
            turn = Turn.at(start, played, position, bot.budget, seeds(step.number - 1))
            if bot.player.think(turn).move != step.move:
                return False
        played.append(step.move)
        position = position.play(step.move)
    return True


def test_nobody_can_replay_a_bot_to_find_out_its_goal(tmp_path: Path) -> None:
    """With a public seed, replaying finds the goal in every game. Without one it may happen to find
    it in some, where the bot's moves do not depend on the seed.
    """

    async def play() -> None:
        async with match(tmp_path) as tables:
            for _ in range(MAX_GAMES):
                session = await tables.open(made(table_options("objectif", bots=(0, 3))))
                await sit(tables, session.id, 0)
                for _ in range(MOVES):
                    await until(tables, session.id, lambda table: table.to_move == 0)
                    await first_move(tables, session.id, 0)
                await until(tables, session.id, lambda table: table.to_move == 0)
                if not _is_found(session, tables.store.server_key):
                    return
        raise AssertionError("the goal was found in every game")

    def _is_found(session: TableSession, key: str) -> bool:
        assert session.table.start is not None
        mine, its = list(str(session.table.start)[-2:])
        colours = {pile[0] for pile in str(session.table.start).split()[0].split("/")} - {mine}
        assert len(colours) >= 2

        kinds = len(list(_public_seeds(session, 0)))
        told = {
            goal
            for goal in colours
            for kind in range(kinds)
            if _replays(session, goal, partial(_public_seed, session, kind))
        }

        def by_the_key(number: int) -> int:
            about = f"bot {session.id} {number}".encode()
            return int.from_bytes(hmac.digest(key.encode(), about, "sha256")[:6])

        assert _replays(session, its, by_the_key), "with the true seeds it would tell"
        return told == {its}

    run(play())


# ---- One bot for each thought


class Slow(Player):
    """Takes a while to notice that it was cancelled, and notes how many threads use it at once."""

    name = "slow"

    def __init__(self) -> None:
        self.users = self.most_users = 0

    def think(self, turn: Turn) -> Thought:
        self.users += 1
        self.most_users = max(self.users, self.most_users)
        try:
            if turn.cancelled.wait(0.2):
                time.sleep(0.1)
                raise Cancelled
            return Thought(turn.moves[0])
        finally:
            self.users -= 1


def test_a_bot_is_not_used_by_two_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody resigns while it thinks: the next thought begins before the first has ended."""
    players: list[Slow] = []

    def new(name: str, game: benben.Game) -> Entrant:
        players.append(Slow())
        return Entrant(name, players[-1], Budget(seconds=1.0))

    monkeypatch.setattr(thinking, "entrant", new)

    async def play() -> None:
        async with match(tmp_path, thinkers=2) as tables:
            game = table_options("objectif", bots=(0, 0, 1), players=3, first=3, resign="bot")
            session = await tables.open(made(game))
            for seat in (0, 1):
                await sit(tables, session.id, seat)
            await become(lambda: tables.bot_pool.under_way == 1)
            await tables.act(session.id, actions.Resign(token(1)))
            await until(tables, session.id, lambda table: len(table.moves) == 1)
        assert [player.most_users for player in players] == [1, 1]

    run(play())


# ---- Bots think only while a person is there


async def bots_only(tables: Tables) -> TableSession:
    """A table whose only person left it to the bots."""
    session = await tables.open(made(table_options(bots=(0, 1), leaver="bot")))
    await sit(tables, session.id, 0)
    await tables.act(session.id, actions.Leave(token(0)))
    return session


async def parked(session: TableSession) -> None:
    """Wait until the bot to move waits for a person."""
    await become(
        lambda: session.deadline is not None and session.deadline.bot and session.lease is None
    )
    assert session.bot_turn is None


def test_bots_stop_where_nobody_is_left_and_go_on_when_somebody_is_back(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path, grace=0.05) as tables:
            session = await bots_only(tables)
            await parked(session)
            assert (moves(session), tables.bot_pool.begun) == (0, 0)
            assert tables.store.leases.next_deadline([False, True]) is None
            session.presence.stream_opened(0)
            await until(tables, session.id, lambda table: len(table.moves) > 2)
            session.presence.stream_closed(0)
            await parked(session)
            assert not session.table.closed
            session.presence.stream_opened(0)
            await until(tables, session.id, lambda table: table.closed)

    run(play())


def test_who_comes_back_to_a_bots_seat_and_acts_need_not_look(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            session = await bots_only(tables)
            await parked(session)
            await tables.act(session.id, actions.Reclaim(token(0)))
            await first_move(tables, session.id, 0)
            await until(tables, session.id, lambda table: table.to_move == 0)
            assert moves(session) == 2

    run(play())


async def long_after(
    thinking: Tables, serving: Tables, now: Time, program: bool = False, **more: Any
) -> TableSession:
    """A table where a bot moves long after the person did, and another bot is next."""
    gate = asyncio.Event()

    async def until_bots(game: str, *_: object) -> None:
        await gate.wait()

    thinking.wait_for_bots = until_bots
    chosen = table_options("objectif", bots=(0, 1, 1), players=3, first=1, **more)
    session = await serving.open(made(chosen))
    await serving.act(session.id, actions.Sit(token(0), 0, "Ann", "n", program=program))
    await first_move(serving, session.id, 0)
    await become(lambda: len(thinking.scheduler._renewing) == 1)  # its bot is about to think
    now.ms += ATTENDED_MS + 1
    gate.set()
    return session


def test_bots_wait_for_who_has_gone_and_go_on_when_a_page_looks_again(tmp_path: Path) -> None:
    now = Time()

    async def play() -> None:
        async with match(tmp_path, now) as tables:
            session = await long_after(tables, tables, now, pace=LiveClock(60))
            await parked(session)
            assert moves(session) == 2, "the bot that had begun has moved, and the next one waits"
            assert tables.store.leases.next_deadline([False, True]) is None, (
                "and nobody's clock runs"
            )
            session.presence.looked(0)
            await until(tables, session.id, lambda table: table.to_move == 0)
            assert moves(session) == 3

    run(play())


def test_a_program_need_not_look(tmp_path: Path) -> None:
    now = Time()

    async def play() -> None:
        async with match(tmp_path, now) as tables:
            session = await long_after(tables, tables, now, program=True)
            await until(tables, session.id, lambda table: table.to_move == 0)

    run(play())


def test_a_parked_turn_survives_a_restart(tmp_path: Path) -> None:
    now = Time()

    async def play() -> None:
        async with match(tmp_path, now) as tables:
            name = (await long_after(tables, tables, now)).id
            await parked(await tables.find(name))
        async with match(tmp_path, now) as tables:
            session = await tables.find(name)
            assert moves(session) == 2
            session.presence.stream_opened(0)
            await until(tables, name, lambda table: table.to_move == 0)

    run(play())


def test_a_game_over_days_goes_on_slowly_without_its_people(tmp_path: Path) -> None:
    now = Time()

    async def play() -> None:
        async with match(tmp_path, now) as tables:
            session = await long_after(tables, tables, now, pace=Days(1))
            await parked(session)
            assert moves(session) == 2
            assert (
                tables.store.leases.next_deadline([True]) == session.last_at + UNATTENDED_PAUSE_MS
            )
            now.ms += UNATTENDED_PAUSE_MS
            tables.scheduler.wake()
            await until(tables, session.id, lambda table: table.to_move == 0)

            other = await long_after(tables, tables, now, pace=Days(1))
            await parked(other)
            other.presence.looked(0)
            await until(tables, other.id, lambda table: table.to_move == 0)

    run(play())


def test_servers_that_only_think_hear_from_others_who_is_there(postgres: Postgres) -> None:
    url, now = postgres.fresh(), Time()

    async def play() -> None:
        async with match(url, now, **SERVING) as serving, match(url, now, **THINKING) as thinking:
            session = await long_after(thinking, serving, now)
            await become(lambda: moves(session) == 2)
            there = await thinking.find(session.id)
            await parked(there)
            assert thinking.store.leases.next_deadline([True]) is None
            session.presence.looked(0)
            await until(serving, session.id, lambda table: table.to_move == 0)

            other = await serving.open(made(table_options(bots=(0, 1), leaver="bot")))
            await sit(serving, other.id, 0)
            other.presence.stream_opened(0)  # they watch the bots, and do nothing
            await serving.act(other.id, actions.Leave(token(0)))
            await until(serving, other.id, lambda table: table.closed)

    run(play())


def test_who_acts_is_told_from_who_does_not(tmp_path: Path) -> None:
    """Bots' moves, throws and the clock are no sign of a person."""
    now = Time()

    async def play() -> None:
        async with match(tmp_path, now) as tables:
            chosen = table_options("batisseurs", bots=(0, 1, 1), players=3, leaver="bot")
            session = await tables.open(made(chosen))
            await sit(tables, session.id, 0)
            await until(tables, session.id, lambda table: table.to_move == 0)
            now.ms += 1000
            assert not session.acted_since(now.ms)
            await first_move(tables, session.id, 0)
            await until(tables, session.id, lambda table: table.to_move == 0)
            assert session.acted_since(now.ms)
            now.ms += 1000
            for event in (events.Paused(0, 1), events.TakenOver(0, STAND_IN, timed_out=True)):
                session.apply_remote(Entry(0, now.ms, event), None)
                assert not session.acted_since(now.ms)
            session.apply_remote(Entry(0, now.ms, events.Said(0, "still there")), None)
            assert session.acted_since(now.ms)

    run(play())


# ---- Openers


def test_a_table_knows_its_opener_and_so_does_a_rematch(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            session = await tables.open(made(table_options()), opener="ann")
            for seat in (0, 1):
                await sit(tables, session.id, seat)
            await tables.act(session.id, actions.Resign(token(0)))
            again = (await find_or_open_rematch(tables, session.id, token(0))).session
            assert (session.opener, again.opener) == ("ann", "ann")
        async with match(tmp_path) as tables:
            assert (await tables.find(again.id)).opener == "ann"
            assert (await tables.open(made(table_options()))).opener is None

    run(play())


# ---- Bots that fail


class Broken(Player):
    """Fails until it is repaired."""

    name = "broken"
    works = False

    def think(self, turn: Turn) -> Thought:
        if not self.works:
            raise ZeroDivisionError("no idea")
        return Thought(turn.moves[0])


def test_a_bot_that_fails_is_tried_less_and_less_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now, player = Time(), Broken()
    monkeypatch.setattr(
        thinking, "entrant", lambda name, game: Entrant(name, player, Budget(seconds=1.0))
    )

    async def play() -> None:
        async with match(tmp_path, now) as tables:
            session = await tables.open(made(table_options(bots=(0, 1))))
            await sit(tables, session.id, 0)
            session.presence.stream_opened(0)
            await first_move(tables, session.id, 0)
            pauses: list[int] = []
            for tries in range(1, 10):
                while session.bot_failures < tries:
                    await asyncio.sleep(0.002)
                await parked(session)
                due = tables.store.leases.next_deadline([True])
                assert due is not None
                pauses.append(due - now.ms)
                assert tables.bots_failing == 1
                now.ms += pauses[-1]
                tables.scheduler.wake()
            shortest, longest = BOT_RETRY_SECONDS
            assert pauses == [min(longest, shortest * 2**n) * 1000 for n in range(9)]
            player.works = True
            await become(lambda: session.bot_failures == 10 or moves(session) == 2)
            now.ms += round(1000 * longest)
            tables.scheduler.wake()
            await until(tables, session.id, lambda table: len(table.moves) == 2)
            assert tables.bots_failing == 0

    with caplog.at_level(logging.INFO, "benben.live"):
        run(play())
    told = [each for each in caplog.records if "could not move" in each.message]
    assert len(told) >= 9
    assert [each.exc_info is not None for each in told] == [True] + [False] * (len(told) - 1)
    assert any("plays again" in each.message for each in caplog.records)
