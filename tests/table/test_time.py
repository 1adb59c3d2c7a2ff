"""Time at a table: clocks that run out, stand still, or earn an increment."""

import math
from collections.abc import Callable
from itertools import groupby

import pytest

from benben.table import events
from benben.table.options import Days, LiveClock
from benben.table.table import STAND_IN, TIME_OUT
from tests.live.playing import Match, at_random, first, refused, table_options
from tests.table import asking


def test_a_clock_that_has_run_out_loses() -> None:
    match = Match(table_options(pace=LiveClock(60)))
    match.fill()
    match.now += 59_000
    match.settle()
    assert not match.table.over
    match.now += 1_000
    match.settle()
    assert match.table.result is not None
    assert match.table.result.shares == (0.0, 1.0)
    assert match.table.result.reason == TIME_OUT


def test_or_lets_a_bot_play_on() -> None:
    match = Match(table_options(pace=LiveClock(60), leaver="bot"))
    match.fill()
    match.now += 61_000
    match.settle()
    assert match.table.bot_to_move == STAND_IN
    match.decide(first)
    with refused("no-time"):
        asking.reclaim(match.table, 0)
    days = Match(table_options(pace=Days(1), leaver="bot"))
    days.fill()
    days.now += 25 * 3600 * 1000
    days.settle()
    days.decide(first)
    days.store(asking.reclaim(days.table, 0))
    days.decide(first)
    assert days.table.clock.now(0, days.now) > 23 * 3600 * 1000


def test_no_clock_runs_while_the_house_is_closed() -> None:
    match = Match(table_options(pace=LiveClock(60)))
    match.fill()
    match.now += 50_000
    closed = match.now
    match.now += 3_600_000
    match.store(events.Paused(closed, match.now))
    match.settle()
    assert not match.table.over
    assert 9_000 <= match.table.clock.now(0, match.now) <= 10_000


# ---- Clocks: an increment for each turn

SECOND = 1000


def think(match: Match, choose: Callable[[tuple[str, ...]], str] = first) -> None:
    """Whoever is to move decides after a second."""
    match.now += SECOND
    match.decide(choose)


def left(match: Match) -> list[int]:
    """By seat, to a second: every event here takes a few milliseconds more."""
    assert match.rebuilt().clock == match.table.clock, "the record tells the same"
    times = [match.table.clock.now(seat, match.now) for seat in range(match.table.game.players)]
    return [math.ceil(each / SECOND) for each in times]


@pytest.mark.parametrize("seed", range(8))
def test_a_turn_of_many_throws_and_placings_earns_one_increment(seed: int) -> None:
    secret = f"{seed:064}"
    match = Match(
        table_options("batisseurs", first=1, pace=LiveClock(600, 5), secret=secret), secret
    )
    match.fill()
    choose, decided = at_random(seed), []
    for _ in range(40):
        if match.table.to_move is None:
            break
        decided.append(match.table.to_move)
        think(match, choose)
    turns = [seat for seat, _ in groupby(decided)]
    assert any(len(list(each)) > 3 for _, each in groupby(decided)), "some turns are long"
    if not match.table.over and turns[-1] == match.table.to_move:
        turns.pop()  # it is not over yet
    spent = [decided.count(seat) for seat in (0, 1)]
    assert left(match) == [600 - spent[seat] + 5 * turns.count(seat) for seat in (0, 1)]


def test_while_a_throw_is_due_no_clock_runs() -> None:
    match = Match(table_options("batisseurs", first=1, pace=LiveClock(600, 5)))
    match.fill(begin=False)
    match.store(asking.next_event(match.table, match.now))
    match.now += 50 * SECOND  # the dice lie there; the server was slow, or away
    match.settle()
    assert match.table.to_move == 0
    assert left(match) == [600, 600]


def test_a_pause_in_a_turn_earns_nothing() -> None:
    match = Match(table_options("batisseurs", first=1, pace=LiveClock(600, 5)))
    match.fill()
    think(match)
    closed = match.now
    match.now += 3600 * SECOND
    match.store(events.Paused(closed, match.now))
    assert match.table.to_move == 0
    assert left(match) == [599, 600]


def test_a_turn_taken_back_and_played_again_earns_one_increment() -> None:
    match = Match(table_options(bots=(0, 1), pace=LiveClock(600, 5)))
    match.fill()
    for _ in range(3):
        think(match)
        think(match)
        match.store(asking.ask_undo(match.table, 0))
    assert left(match) == [600 - 3 + 5, 600 - 3 + 5]
    think(match)
    think(match)
    assert left(match) == [600 - 4 + 5, 600 - 4 + 5]
    think(match)
    assert left(match) == [600 - 5 + 10, 600 - 4 + 5], "the next turn earns its own"


def test_who_only_grants_an_undo_has_had_no_turn() -> None:
    match = Match(table_options(pace=LiveClock(600, 5)))
    match.fill()
    think(match)
    match.store(asking.ask_undo(match.table, 0))
    match.now += SECOND
    match.store(asking.answer_undo(match.table, 1, granted=True))
    assert left(match) == [600 - 1 + 5, 600 - 1]
    think(match)
    think(match)
    assert left(match) == [600 - 2 + 5, 600 - 2 + 5]


def test_a_placing_taken_back_within_a_turn_changes_nothing_of_it() -> None:
    match = Match(table_options("batisseurs", first=1, bots=(0, 1), pace=Days(1)))
    match.fill()
    while match.table.to_move != 0 or match.table.steps[-1].seat != 0:
        think(match)
    before = left(match)
    match.store(asking.ask_undo(match.table, 0))
    assert match.table.to_move == 0
    assert left(match) == before
    think(match)
    assert left(match) == [before[0] - 1, before[1]], "the days of a turn begin once"


def test_who_has_run_out_of_time_earns_none() -> None:
    match = Match(table_options(pace=LiveClock(60, 5), leaver="bot"))
    match.fill()
    match.now += 61 * SECOND
    match.settle()
    match.decide(first)
    assert left(match)[0] == 0
    with refused("no-time"):
        asking.reclaim(match.table, 0)
    lost = Match(table_options(pace=LiveClock(60, 5)))
    lost.fill()
    lost.now += 61 * SECOND
    lost.settle()
    assert left(lost) == [0, 60]
