"""Clocks: what is spent, what is earned, and what is nobody's."""

from benben.table.clock import Clock
from benben.table.options import Days, LiveClock, NoClock


def test_time_is_spent_by_who_thinks() -> None:
    clock = Clock(LiveClock(60, 5), 2)
    clock.start(0, 1000)
    assert clock.runs_out_at == 61_000
    assert (clock.now(0, 11_000), clock.now(1, 11_000)) == (50_000, 60_000)
    clock.start(1, 11_000)
    assert clock.left == [55_000, 60_000]
    clock.start(1, 20_000)  # still the same turn
    assert clock.now(1, 21_000) == 50_000
    clock.start(None, 21_000)  # a throw is due
    assert clock.runs_out_at is None
    assert clock.left == [55_000, 50_000], "the turn is not over"
    clock.start(1, 30_000)
    clock.start(None, 31_000, over=True)
    assert clock.left == [55_000, 54_000]


def test_there_is_never_less_than_nothing_left() -> None:
    clock = Clock(LiveClock(1), 2)
    clock.start(0, 0)
    assert clock.now(0, 5_000) == 0
    clock.start(1, 5_000)
    assert clock.left[0] == 0


def test_days_begin_anew_with_each_turn() -> None:
    day = 24 * 3600 * 1000
    clock = Clock(Days(2), 2)
    clock.start(0, 0)
    clock.start(1, day)
    clock.start(0, day + 5)
    assert clock.now(0, day + 5) == 2 * day
    assert clock.runs_out_at == 3 * day + 5


def test_a_pause_counts_only_where_it_met_the_turn() -> None:
    clock = Clock(LiveClock(60), 2)
    clock.start(0, 10_000)
    clock.pause(0, 5_000)  # before the turn
    assert clock.now(0, 12_000) == 58_000
    clock.pause(5_000, 20_000)  # half of it
    assert clock.now(0, 21_000) == 59_000
    clock.pause(30_000, 40_000)
    assert clock.now(0, 41_000) == 49_000


def test_without_a_clock_nothing_runs_out() -> None:
    clock = Clock(NoClock(), 4)
    clock.start(2, 0)
    assert clock.runs_out_at is None
    assert not clock.runs


def test_a_pause_counts_once_however_often_it_is_noted() -> None:
    clock = Clock(LiveClock(60), 2)
    clock.start(0, 1_000)
    for _ in range(2):
        clock.pause(11_000, 21_000)
    assert clock.now(0, 21_000) == 50_000
    clock.pause(11_000, 26_000)  # it went on for longer
    assert clock.now(0, 26_000) == 50_000
    clock.pause(30_000, 40_000)
    assert clock.now(0, 40_000) == 46_000
