"""The states of a seat, and which events lead from one to the other."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from benben.table import events
from benben.table.events import AnyEvent
from benben.table.seats import Away, Bot, Open, Person, Reserved, Seat
from benben.table.table import Table
from tests.live.playing import SECRET, table_options

EXPECTED = replace(table_options(), expected=("Ann", ""))
SAT = events.Sat(0, "Ann", "n")


@pytest.mark.parametrize(
    ("happened", "state"),
    [
        ([], Reserved("Ann")),
        ([events.Declined(0)], Open(declined="Ann")),
        ([SAT], Person("Ann")),
        ([events.Sat(0, "Rex", "n", program=True)], Person("Rex", program=True)),
        ([SAT, events.Stood(0)], Open()),
        ([SAT, events.Unrevealed(0)], Open()),
        ([SAT, events.Forgotten(0)], Person()),
        ([SAT, events.Left(0)], Away("Ann")),
        ([SAT, events.TakenOver(0, 2)], Away("Ann", 2)),
        ([SAT, events.Left(0), events.TakenOver(0, 2)], Away("Ann", 2)),
        ([SAT, events.TakenOver(0, 3, resigned=True)], Away("Ann", 3, resigned=True)),
        ([SAT, events.TakenOver(0, 3), events.Forgotten(0)], Away("", 3)),
        ([SAT, events.TakenOver(0, 3), events.Reclaimed(0)], Person("Ann")),
    ],
)
def test_events_change_the_state_of_a_seat(happened: Sequence[AnyEvent], state: Seat) -> None:
    table = Table(EXPECTED, SECRET)
    for event in happened:
        table.apply(event, 1)
    assert table.seats[0] == state


def test_a_bot_is_called_the_same_whenever_it_sits_down() -> None:
    table = Table(replace(EXPECTED, bot_names=("Ada", "Bo")), SECRET)
    table.apply(events.BotSeated(1, 4), 1)
    assert table.seats == [Reserved("Ann"), Bot("Bo", 4)]


def test_the_name_of_who_was_expected_can_be_erased() -> None:
    table, other = Table(EXPECTED, SECRET), Table(EXPECTED, SECRET)
    table.set_options(EXPECTED.without_expected(0))
    assert table.seats[0] == Open()
    other.apply(events.Declined(0), 1)
    other.set_options(EXPECTED.without_expected(0))
    assert other.seats[0] == Open(declined="")


def test_nobody_can_leave_a_seat_that_nobody_holds() -> None:
    with pytest.raises(AssertionError):
        Table(EXPECTED, SECRET).apply(events.Left(1), 1)
