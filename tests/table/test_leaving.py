"""Who leaves, resigns or comes back, and who plays on for them."""

from benben.table import actions, events
from benben.table.options import Days
from benben.table.table import STAND_IN, TIME_OUT
from benben.table.views import SeatView, table_view
from tests.live.playing import Match, first, refused, table_options
from tests.table import asking


def test_who_leaves_where_people_wait_keeps_the_seat_and_is_back_by_a_move() -> None:
    match = Match(table_options(leaver="wait", pace=Days(1)))
    match.fill()
    table = match.table
    match.store(asking.leave(table, 0))
    assert match.entries[-1].event == events.Left(0)
    seat = table.seats[0]
    assert (seat.away, seat.level, seat.person) == (True, 0, True)
    assert asking.leave(table, 0) is None, "nothing more to tell"
    assert table.bot_to_move is None
    match.decide(first)
    assert not table.seats[0].away
    assert table.seats_since == table.number, "the seats have changed by it"
    match.store(asking.leave(table, 0))
    match.decide(first)
    assert [each.seat for each in table.turns] == [0, 1, 0], "they are told of their turns"
    match.store(asking.reclaim(table, 0))
    assert not table.seats[0].away
    with refused("not-away"):
        asking.reclaim(table, 0)
    assert match.rebuilt() == table
    match.store(asking.leave(table, 0))
    match.now += 25 * 3600 * 1000
    match.settle()
    assert table.result is not None, "and their time runs out"


def test_who_has_left_is_not_asked_for_an_undo() -> None:
    match = Match(table_options())
    match.fill()
    table = match.table
    match.decide(first)
    match.store(asking.ask_undo(table, 0))
    match.store(asking.leave(table, 1))
    with refused("no-undo-asked"):
        asking.answer_undo(table, 1, True)
    match.settle()
    assert match.entries[-1].event == events.Undone(0, 0), "nobody is left to be asked"
    match.decide(first)
    assert isinstance(asking.ask_undo(table, 0), events.Undone)
    match.store(asking.leave(table, 0))
    match.store(asking.ask_undo(table, 0))
    assert table.seats[0].away, "an undo that was granted at once is no coming back"
    match.decide(first)
    match.store(asking.reclaim(table, 1))
    match.store(asking.ask_undo(table, 0))
    assert table.undo is not None


def test_who_has_left_and_is_forgotten_keeps_nobody_waiting() -> None:
    match = Match(table_options())
    match.fill()
    match.store(asking.leave(match.table, 0))
    assert actions.erase(match.table, 0) == [events.Resigned(0), events.Forgotten(0)]


# ---- Giving up among three or four


def test_among_many_a_bot_plays_on_for_who_resigns() -> None:
    match = Match(table_options("objectif", players=3, resign="bot", first=1))
    match.fill()
    table = match.table
    match.store(asking.resign(table, 0))
    assert match.entries[-1].event == events.TakenOver(0, STAND_IN, resigned=True)
    assert table.bot_to_move == STAND_IN
    assert table.seats[0].resigned
    with refused("resigned"):
        asking.reclaim(table, 0)
    with refused("resigned"):
        asking.move(table, 0, "o@1")
    match.store(asking.resign(table, 1))
    assert not table.over
    assert table_view(table, None, 0).seats[1] == SeatView(
        "Ann1", STAND_IN, taken=True, away=True, resigned=True
    )
    match.store(asking.resign(table, 2))
    match.settle()
    assert table.result is not None, "nobody is left"
    assert table.result.reason == "resigned"
    assert match.rebuilt() == table


def test_who_may_come_back_is_still_in_the_game() -> None:
    match = Match(table_options("objectif", players=3, bots=(0, 0, 4), leaver="bot", resign="bot"))
    match.fill()
    match.store(asking.leave(match.table, 1))
    match.store(asking.resign(match.table, 0))
    assert not match.table.over
    match.store(asking.reclaim(match.table, 1))
    assert isinstance(asking.resign(match.table, 1), events.Resigned), "but nobody else is"


def test_leaving_for_good_and_running_out_of_time_are_resigning() -> None:
    match = Match(table_options("objectif", players=3, leaver="forfeit", resign="bot", first=1))
    match.fill()
    match.store(asking.leave(match.table, 1))
    assert match.table.seats[1].resigned
    for leaver in ("wait", "forfeit"):
        late = Match(
            table_options("objectif", players=3, leaver=leaver, resign="bot", first=1, pace=Days(1))
        )
        late.fill()
        late.now += 25 * 3600 * 1000
        late.settle()
        taken = events.TakenOver(0, STAND_IN, resigned=True, timed_out=True)
        assert late.entries[-1].event == taken
        with refused("resigned"):
            asking.reclaim(late.table, 0)
    alone = Match(
        table_options("objectif", players=3, bots=(0, 1, 1), resign="bot", first=1, pace=Days(1))
    )
    alone.fill()
    alone.now += 25 * 3600 * 1000
    alone.settle()
    assert alone.table.result is not None
    assert alone.table.result.reason == TIME_OUT
    assert Match(table_options("objectif", players=3)).table.options.resign == "end", "older tables"


def test_who_leaves_may_forfeit() -> None:
    match = Match(table_options("objectif", players=3, leaver="forfeit"))
    match.fill()
    match.store(asking.leave(match.table, 1))
    match.settle()
    assert match.table.result is not None
    assert match.table.result.shares == (0.5, 0.0, 0.5)


def test_a_bot_takes_over_and_gives_back() -> None:
    match = Match(table_options(leaver="bot"))
    match.fill()
    table = match.table
    with refused("not-away"):
        asking.reclaim(table, 0)
    match.store(asking.leave(table, 0))
    assert table.bot_to_move == STAND_IN
    with refused("away"):
        asking.move(table, 0, "@a1")
    match.decide(first)
    match.store(asking.reclaim(table, 0))
    assert table.seats[0].person
    assert table.seats[0].name == "Ann0"
    match.decide(first)
    assert asking.move(table, 0, table.position.moves()[0] if table.position else "")
    assert match.rebuilt() == table
