"""Hints at a table: who may ask, what is stored, how it is counted."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benben.bots.entrants import Entrant
from benben.core.game import Game
from benben.core.player import Budget, Cancelled, Player, Thought, Turn
from benben.live.tables import Tables
from benben.table.actions import AskHint, Move, Say
from benben.table.events import Hinted, TakenOver
from benben.table.history import Played, history
from benben.table.options import LiveClock
from benben.table.record import Different, Entry, TableRecord, rebuild, verify
from benben.table.table import Refused
from benben.table.views import table_view
from tests.live.playing import Match, first, refused, table_options
from tests.live.servers import made, match, run, sit, token, until
from tests.table import asking


def against_bots(**more: Any) -> Match:
    played = Match(table_options(bots=(0, 1), **more))
    played.fill()
    return played


def hints(played: Match) -> list[int]:
    return [seat.hints for seat in table_view(played.table, None, 0).seats]


# ---- The table


def test_a_position_counts_once_however_strong_and_often() -> None:
    played = against_bots()
    table = played.table
    played.store(asking.hint(table, 0, "nudge"))
    assert hints(played) == [1, 0]
    assert asking.hint(table, 0, "nudge") is None
    played.store(asking.hint(table, 0, "move"))
    assert asking.hint(table, 0, "idea") is None
    assert hints(played) == [1, 0]
    played.play(first, 2)
    played.store(asking.hint(table, 0, "idea"))
    assert hints(played) == [2, 0]


def test_it_changes_nothing_but_the_count() -> None:
    played = against_bots(pace=LiveClock(60, 5))
    table = played.table
    before = table_view(table, 0, played.now)
    played.store(asking.hint(table, 0, "move"))
    after = table_view(table, 0, played.now - 10)
    assert (after.view, after.to_move, after.moves) == (before.view, 0, before.moves)
    assert [seat.left for seat in after.seats] == [seat.left for seat in before.seats]
    assert asking.next_event(table, played.now) is None
    assert [turn.seat for turn in table.turns] == [0]


def test_taking_a_move_back_takes_no_hint_back() -> None:
    played = against_bots()
    table = played.table
    played.store(asking.hint(table, 0, "move"))
    played.play(first, 2)
    played.store(asking.ask_undo(table, 0))
    assert hints(played) == [1, 0]
    assert asking.hint(table, 0, "move") is None, "the same position again"


def test_who_may_not_ask() -> None:
    played = against_bots()
    table = played.table
    with refused("stale"):
        asking.hint(table, 0, "nudge", number=1)
    played.play(first, 1)
    with refused("not-your-turn"):
        asking.hint(table, 0, "nudge")
    with refused("not-seated"):
        asking.hint(table, 1, "nudge")
    played.play(first)
    with refused("over"):
        asking.hint(table, 0, "nudge")
    two = Match(table_options())
    with refused("not-seated"):
        asking.hint(two.table, 0, "nudge")
    two.fill()
    with refused("no-hints"):
        asking.hint(two.table, 0, "nudge")
    two.store(TakenOver(1, 3))
    with refused("no-hints"):  # a bot, but in somebody's place
        asking.hint(two.table, 0, "nudge")


def test_the_record_tells_and_is_checked() -> None:
    played = against_bots()
    played.store(asking.hint(played.table, 0, "nudge"))
    played.play(first)
    played.settle()
    assert played.rebuilt().hints == played.table.hints
    record = TableRecord.parse(str(played.record))
    verify(record)
    noticed = history(Played(played.table, played.entries), None).notices
    assert [(each.kind, each.seat, each.after, each.strength) for each in noticed] == [
        ("hinted", 0, 0, "nudge")
    ]
    forged = [
        Entry(
            each.number,
            each.at,
            Hinted(1, "nudge") if isinstance(each.event, Hinted) else each.event,
        )
        for each in record.entries
    ]
    with pytest.raises(Different, match="another seat was to move"):
        verify(TableRecord(id="x", options=record.options, entries=tuple(forged)))
    assert len(rebuild(record.options, record.secret, record.entries).hints[0]) == 1


# ---- The server


class Slow(Player):
    """Thinks until it may answer, or is told to stop."""

    name = "slow"

    def __init__(self, go: bool = True) -> None:
        self.thoughts: list[Turn] = []
        self.go = threading.Event()
        if go:
            self.go.set()

    def think(self, turn: Turn) -> Thought:
        self.thoughts.append(turn)
        while not self.go.wait(0.005):
            if turn.cancelled.is_set():
                raise Cancelled
        return Thought(turn.moves[0])

    def adviser(self, _: Game) -> Entrant:
        return Entrant(self.name, self, Budget(simulations=1))


async def advise(
    tables: Tables, name: str, action: AskHint, adviser: Callable[[Game], Entrant]
) -> tuple[int, Thought]:
    return await tables.hints.advise(await tables.find(name), action, adviser)


async def begun(tables: Tables) -> str:
    name = (await tables.open(made(table_options(bots=(0, 1))))).id
    await sit(tables, name, 0)
    await until(tables, name, lambda table: table.to_move == 0)
    return name


def test_it_is_stored_and_thought_of_once(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path, thinkers=0) as tables:
            player = Slow()
            name = await begun(tables)
            asked = AskHint(token(0), "nudge")
            number, thought = await advise(tables, name, asked, player.adviser)
            session = await tables.find(name)
            assert session.entries[-1].event == Hinted(0, "nudge")
            assert session.entries[-1].number == number
            again = await advise(tables, name, asked, player.adviser)
            assert again == (number, thought)
            await tables.act(name, Say(token(0), phrase="hello"))
            stronger = AskHint(token(0), "move")
            assert (await advise(tables, name, stronger, player.adviser))[1] is thought
            assert len(player.thoughts) == 1
            assert player.thoughts[0].view.seat == 0

    run(play())


def test_a_table_that_moves_on_stops_it_and_nothing_counts(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            player = Slow(go=False)
            name = await begun(tables)
            asked = AskHint(token(0), "move")
            hint = asyncio.create_task(advise(tables, name, asked, player.adviser))
            while not player.thoughts:
                await asyncio.sleep(0.005)
            session = await tables.find(name)
            assert session.table.position is not None
            await tables.act(name, Move(token(0), session.table.position.moves()[0]))
            with pytest.raises(Refused, match="moved on"):
                await hint
            assert player.thoughts[0].cancelled.is_set()
            assert session.table.hints == [{}, {}]

    run(play())


def test_whoever_may_not_ask_makes_nobody_think(tmp_path: Path) -> None:
    async def play() -> None:
        async with match(tmp_path) as tables:
            player = Slow()
            name = (await tables.open(made(table_options()))).id
            await sit(tables, name, 0)
            await sit(tables, name, 1)
            with pytest.raises(Refused, match="bots"):
                await advise(tables, name, AskHint(token(0), "move"), player.adviser)
            assert not player.thoughts

    run(play())
