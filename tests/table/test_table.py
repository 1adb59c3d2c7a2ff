"""A table by its record: who may do what when, and the same table again by replay."""

from itertools import groupby
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import benben
from benben.core.errors import BadNotation, BadOption, IllegalMove
from benben.table import events as happened
from benben.table.table import PHRASES, STAND_IN, TIME_OUT, Refused, Table
from benben.table.terms import Days, Leaver, Live, Terms
from tests.configurations import GAMES, LABELS
from tests.table.playing import SECRET, House, at_random, first, terms, terms_of


def refused(code: str) -> "pytest.RaisesExc[Refused]":
    return pytest.raises(Refused, check=lambda error: error.code == code)


# ---- Terms


@pytest.mark.parametrize(
    ("bots", "why"),
    [
        ((0,), "one for each of 2 seats"),
        ((0, 7), "0 for a person, or 1 to 6"),
        ((0, -1), "0 for a person"),
        ((3, 3), "at least one seat is a person's"),
    ],
)
def test_bots_that_cannot_be(bots: tuple[int, ...], why: str) -> None:
    with pytest.raises(BadOption, match=why):
        Table(terms(bots=bots), SECRET)


@pytest.mark.parametrize("pace", [Live(0), Live(60, -1), Live(10**6), Days(0), Days(99)])
def test_paces_that_cannot_be(pace: Live | Days) -> None:
    with pytest.raises(BadOption, match="must be a whole number"):
        Table(terms(pace=pace), SECRET)


# ---- Sitting down


def test_the_game_begins_when_every_seat_is_taken() -> None:
    house = House(terms("objectif", players=3, bots=(0, 2, 0)))
    table = house.table
    house.store(table.sit(0, "Ann", "a1"))
    house.settle()
    assert not table.begun
    with refused("not-begun"):
        table.move(0, "o@1")
    with refused("seat-taken"):
        table.sit(0, "Bob", "b2")
    with refused("seat-taken"):
        table.sit(1, "Bob", "b2")  # a bot's
    with refused("no-such-seat"):
        table.sit(3, "Bob", "b2")
    house.store(table.sit(2, "Bob", "b2"))
    house.settle()
    assert table.begun
    assert [type(entry.event) for entry in house.entries[-1:]] == [happened.Began]
    with refused("begun"):
        table.sit(2, "Cy", "c3")


def test_a_seat_given_up_before_the_game_is_free_again() -> None:
    house = House(terms())
    house.store(house.table.sit(0, "Ann", "a1"))
    house.store(house.table.leave(0))
    assert house.table.seats[0].free
    house.store(house.table.sit(0, "Bob", "b2"))
    house.store(house.table.sit(1, "Cy", "c3"))
    house.settle()
    assert house.table.nonces == {0: "b2", 1: "c3"}
    assert house.table.begun


@pytest.mark.parametrize("name", ["", " Ann", "A" * 25, "a\nb", "a\x00"])
def test_names_that_are_none(name: str) -> None:
    with refused("bad-name"):
        House(terms()).table.sit(0, name, "a1")


@pytest.mark.parametrize("nonce", ["", "a b", "é", "x" * 65, "a\n"])
def test_nonces_that_are_none(nonce: str) -> None:
    with refused("bad-nonce"):
        House(terms()).table.sit(0, "Ann", nonce)


def test_drawn_seats_move_people_and_bots() -> None:
    orders = set()
    for secret in ("aa" * 32, "bb" * 32, "cc" * 32, "dd" * 32):
        house = House(terms("pyramidis", bots=(0, 0, 3, 0), drawn=True, secret=secret), secret)
        house.fill()
        began = house.entries[-1].event
        assert isinstance(began, happened.Began)
        assert sorted(began.order) == [0, 1, 2, 3]
        for chosen, seat in enumerate(began.order):
            expected = "" if chosen == 2 else f"Ann{chosen}"
            assert house.table.seats[seat].name == expected
        assert house.table.seats[began.order[2]].level == 3
        orders.add(began.order)
    assert len(orders) > 1


# ---- Moving


def test_the_order_of_checks() -> None:
    house = House(terms())
    house.fill()
    table = house.table
    with refused("no-such-seat"):
        table.move(7, "nonsense")
    with refused("not-your-turn"):
        table.move(1, "nonsense", number=99)
    with refused("stale"):
        table.move(0, "nonsense", number=99)
    with pytest.raises(BadNotation):
        table.move(0, "nonsense", number=table.number)
    with pytest.raises(IllegalMove, match="pawns-first"):
        table.move(0, "a1b2", number=table.number)
    house.store(table.move(0, "@a1", number=table.number))
    assert table.to_move == 1
    house.store(table.resign(1))
    house.settle()
    with refused("over"):
        table.move(0, "nonsense", number=99)


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_whole_games_end_and_come_back_by_replay(game: benben.Game) -> None:
    house = House(terms_of(game))
    house.fill()
    house.play(at_random(game.players))
    table = house.table
    assert table.over
    assert table.closed
    ended = house.entries[-1].event
    assert isinstance(ended, happened.Ended)
    assert table.position is not None
    assert table.position.result is not None
    assert ended.shares == table.position.result.shares
    assert ended.secret == SECRET
    again = house.rebuilt()
    assert again == table
    assert again.due(house.now) is None


def test_a_bots_turn_is_found_again_after_a_restart() -> None:
    house = House(terms(bots=(0, 4)))
    house.fill()
    assert house.table.bot_to_move is None
    house.decide(first)
    assert house.table.bot_to_move == house.rebuilt().bot_to_move == 4


def test_a_throw_that_was_not_stored_is_thrown_again_the_same() -> None:
    house = House(terms("batisseurs"))
    house.fill(begin=False)
    house.store(house.table.due(house.now))
    again = house.rebuilt()
    threw = house.table.due(house.now)
    assert isinstance(threw, happened.Threw)
    assert again.due(house.now + 5) == threw


def test_a_turn_comes_when_another_seat_has_decided() -> None:
    house = House(terms("batisseurs", players=3, bots=(0, 0, 2), first=1))
    house.fill()
    table, choose = house.table, at_random(5)
    deciders = []
    while not table.over:
        deciders.append(table.to_move)
        house.decide(choose)
    wanted = [seat for seat, _ in groupby(deciders) if seat != 2]  # the bot's turns are nobody's
    assert [each.seat for each in table.turns] == wanted
    assert len(wanted) < len(table.steps), "a turn has several moves and throws"
    assert house.rebuilt().turns == table.turns
    at = {entry.number: entry.at for entry in house.entries}
    assert all(at[each.number] == each.at for each in table.turns)


def test_a_turn_that_is_taken_back_comes_again_and_none_comes_to_who_is_away() -> None:
    house = House(terms(leaver="bot"))
    house.fill()
    table = house.table
    house.decide(first)
    house.store(table.ask_undo(0))
    house.store(table.answer_undo(1, True))
    assert [each.seat for each in table.turns] == [0, 1, 0]
    house.store(table.leave(1))
    house.decide(first)
    assert table.to_move == 1
    assert len(table.turns) == 3
    house.store(table.reclaim(1))
    assert len(table.turns) == 3, "who comes back knows"


# ---- Taking back


def test_against_bots_an_undo_is_free_and_takes_back_their_replies() -> None:
    house = House(terms(bots=(0, 1)))
    house.fill()
    house.play(first, 5)
    assert house.table.to_move == 1
    moves = house.table.moves
    house.store(house.table.ask_undo(0))
    assert house.table.moves == moves[:4]
    assert house.table.to_move == 0
    assert house.rebuilt() == house.table


def test_programs_are_not_asked_for_an_undo_but_ask_people() -> None:
    house = House(terms("batisseurs", players=3, first=1))
    table = house.table
    house.store(table.sit(0, "Rex", "n0", program=True))
    house.fill()
    assert [seat.program for seat in table.seats] == [True, False, False]
    house.decide(first)
    while table.to_move == 0:
        house.decide(first)
    while not any(step.seat == 1 for step in table.steps):
        house.decide(first)
    house.store(table.ask_undo(1))
    with refused("no-undo-asked"):
        table.answer_undo(0, True)
    house.store(table.answer_undo(2, True))
    assert table.undo is None
    assert not any(step.seat == 1 for step in table.steps)
    assert house.rebuilt() == table


def test_among_people_everybody_must_agree() -> None:
    house = House(terms("pyramidis", bots=(0, 0, 1, 0), first=1))
    house.fill()
    house.play(first, 2)
    table = house.table
    house.store(table.ask_undo(0))
    assert table.undo == happened.UndoAsked(0, 0)
    with refused("undo-asked"):
        table.ask_undo(1)
    with refused("no-undo-asked"):
        table.answer_undo(0, True)  # one's own
    house.store(table.answer_undo(1, True))
    assert table.moves
    with refused("no-undo-asked"):
        table.answer_undo(1, True)  # twice
    house.store(table.answer_undo(3, True))
    assert table.moves == ()
    assert table.undo is None
    assert table.to_move == 0


def test_one_refusal_is_enough_and_a_move_is_one() -> None:
    house = House(terms())
    house.fill()
    house.decide(first)
    table = house.table
    house.store(table.ask_undo(0))
    house.store(table.answer_undo(1, False))
    assert table.undo is None
    assert len(table.moves) == 1
    house.store(table.ask_undo(0))
    house.decide(first)
    with refused("no-undo-asked"):
        table.answer_undo(1, True)


def test_no_undo_crosses_a_throw_and_no_draw_is_used_twice() -> None:
    house = House(terms("batisseurs", bots=(0, 1), first=1))
    house.fill()
    table = house.table
    with refused("nothing-to-undo"):
        table.ask_undo(0)
    draws = []
    undone = 0
    choose = at_random(3)
    while not table.over:
        mine = table.to_move == 0
        before = table.moves
        house.decide(choose)
        if mine and table.to_move == 0 and undone < 5:
            if table.moves[:-1] == before:
                house.store(table.ask_undo(0))
                assert table.moves == before
                undone += 1
            else:
                with refused("thrown-since"):
                    table.ask_undo(0)
    draws = [each.event.draw for each in house.entries if isinstance(each.event, happened.Threw)]
    assert undone == 5
    assert draws == sorted(set(draws))


# ---- Leaving


def test_who_leaves_where_people_wait_keeps_the_seat() -> None:
    house = House(terms(leaver="wait"))
    house.fill()
    assert house.table.leave(0) is None
    assert house.table.move(0, "@a1")


def test_who_leaves_may_forfeit() -> None:
    house = House(terms("objectif", players=3, leaver="forfeit"))
    house.fill()
    house.store(house.table.leave(1))
    house.settle()
    assert house.table.result is not None
    assert house.table.result.shares == (0.5, 0.0, 0.5)


def test_a_bot_takes_over_and_gives_back() -> None:
    house = House(terms(leaver="bot"))
    house.fill()
    table = house.table
    with refused("not-away"):
        table.reclaim(0)
    house.store(table.leave(0))
    assert table.bot_to_move == STAND_IN
    with refused("away"):
        table.move(0, "@a1")
    house.decide(first)
    house.store(table.reclaim(0))
    assert table.seats[0].person
    assert table.seats[0].name == "Ann0"
    house.decide(first)
    assert table.move(0, table.position.moves()[0] if table.position else "")
    assert house.rebuilt() == table


# ---- Time


def test_a_clock_that_has_run_out_loses() -> None:
    house = House(terms(pace=Live(60)))
    house.fill()
    house.now += 59_000
    house.settle()
    assert not house.table.over
    house.now += 1_000
    house.settle()
    assert house.table.result is not None
    assert house.table.result.shares == (0.0, 1.0)
    assert house.table.result.reason == TIME_OUT


def test_or_lets_a_bot_play_on() -> None:
    house = House(terms(pace=Live(60), leaver="bot"))
    house.fill()
    house.now += 61_000
    house.settle()
    assert house.table.bot_to_move == STAND_IN
    house.decide(first)
    with refused("no-time"):
        house.table.reclaim(0)
    days = House(terms(pace=Days(1), leaver="bot"))
    days.fill()
    days.now += 25 * 3600 * 1000
    days.settle()
    days.decide(first)
    days.store(days.table.reclaim(0))
    days.decide(first)
    assert days.table.clock.now(0, days.now) > 23 * 3600 * 1000


def test_no_clock_runs_while_the_house_is_closed() -> None:
    house = House(terms(pace=Live(60)))
    house.fill()
    house.now += 50_000
    closed = house.now
    house.now += 3_600_000
    house.store(happened.Paused(closed, house.now))
    house.settle()
    assert not house.table.over
    assert 9_000 <= house.table.clock.now(0, house.now) <= 10_000


# ---- Talk


def test_friends_talk_and_strangers_use_phrases() -> None:
    house = House(terms())
    house.fill()
    house.store(house.table.say(0, "well played"))
    house.store(house.table.say(1, phrase=PHRASES[0]))
    for text in ("", " ", "x" * 301, "a\nb"):
        with refused("bad-talk"):
            house.table.say(0, text)
    with refused("no-such-phrase"):
        house.table.say(0, phrase="shout")
    strangers = House(terms(listed=True))
    strangers.fill()
    with refused("phrases-only"):
        strangers.table.say(0, "hello")
    assert strangers.table.say(0, phrase="hello") == happened.Said(0, phrase="hello")
    with refused("not-seated"):
        House(terms()).table.say(0, "hello")


# ---- Other rules


def test_a_table_of_unknown_rules_is_read_only() -> None:
    made = terms()
    house = House(made)
    house.fill()
    other = Terms(**{**{f: getattr(made, f) for f in made.__struct_fields__}, "rules": 99})
    table = Table(other, SECRET)
    for entry in house.entries:
        table.apply(entry.event, entry.at)
    assert not table.playable
    with refused("other-rules"):
        table.move(0, "@a1")
    assert table.due(house.now) is None


# ---- Anything people may try


ACTIONS = st.tuples(st.sampled_from("mmmmmurygnls"), st.integers(0, 3), st.integers(0, 99))


@given(
    st.sampled_from(["objectif", "pyramidis", "batisseurs", "quadrille"]),
    st.sampled_from(get_args(Leaver)),
    st.lists(ACTIONS, max_size=60),
)
def test_whatever_people_try_the_record_tells_it_all(
    name: str, leaver: Leaver, actions: list[tuple[str, int, int]]
) -> None:
    """Refused or not, nothing but stored events changes a table, and they rebuild it."""
    players = benben.info(name).default_players
    bots = (0, 1, 0, 2)[:players]
    house = House(terms(name, bots=bots, leaver=leaver))
    house.fill()
    for action, seat, number in actions:
        table = house.table
        before = house.rebuilt()
        legal = table.position.moves() if table.position and table.to_move is not None else ["x"]
        event: happened.AnyEvent | None
        try:
            match action:
                case "m":
                    move = legal[number % len(legal)]
                    bot = table.to_move if table.bot_to_move is not None else None
                    event = table.move(seat, move) if bot is None else happened.Moved(bot, move)
                case "u":
                    event = table.ask_undo(seat)
                case "r":
                    event = table.resign(seat) if number == 0 else table.reclaim(seat)
                case "y" | "n":
                    event = table.answer_undo(seat, action == "y")
                case "l":
                    event = table.leave(seat)
                case "g":
                    event = table.reclaim(seat)
                case _:
                    event = table.say(seat, "hm")
        except (Refused, IllegalMove, BadNotation):
            assert table == before
            continue
        assert table == before
        if event is not None:
            house.store(event)
            house.settle()
    assert house.rebuilt() == house.table
