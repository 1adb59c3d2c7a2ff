"""A table by its record: who may do what when, and the same table again by replay."""

from itertools import groupby

import pytest
from msgspec.structs import replace

import benben
from benben.core.errors import BadNotation, BadOption, IllegalMove
from benben.table import actions, events
from benben.table.actions import MAX_CHAT_LINES, MAX_EVENTS, PHRASES
from benben.table.fairness import commitment
from benben.table.options import Days, LiveClock, TableOptions
from benben.table.table import Table
from tests.configurations import GAMES, LABELS
from tests.live.playing import SECRET, Match, at_random, first, options_of, refused, table_options
from tests.table import asking

# ---- Terms


@pytest.mark.parametrize(
    ("bots", "why"),
    [
        ((0,), "must have one entry for each of the 2 seats"),
        ((0, 7), "must be 0 for a person, or 1 to 6"),
        ((0, -1), "0 for a person"),
        ((3, 3), "at least one seat must be a person's"),
    ],
)
def test_bots_that_cannot_be(bots: tuple[int, ...], why: str) -> None:
    with pytest.raises(BadOption, match=why):
        Table(table_options(bots=bots), SECRET)


@pytest.mark.parametrize(
    "pace", [LiveClock(0), LiveClock(60, -1), LiveClock(10**6), Days(0), Days(99)]
)
def test_paces_that_cannot_be(pace: LiveClock | Days) -> None:
    with pytest.raises(BadOption, match="must be a whole number"):
        Table(table_options(pace=pace), SECRET)


# ---- Sitting down


def test_the_game_begins_when_every_seat_is_taken() -> None:
    match = Match(table_options("objectif", players=3, bots=(0, 2, 0)))
    table = match.table
    match.store(asking.sit(table, 0, "Ann", "a1"))
    match.settle()
    assert not table.begun
    with refused("not-begun"):
        asking.move(table, 0, "o@1")
    with refused("seat-taken"):
        asking.sit(table, 0, "Bob", "b2")
    with refused("seat-taken"):
        asking.sit(table, 1, "Bob", "b2")  # a bot's
    with refused("no-such-seat"):
        asking.sit(table, 3, "Bob", "b2")
    match.store(asking.sit(table, 2, "Bob", "b2"))
    match.settle()
    assert table.begun
    assert [type(entry.event) for entry in match.entries[-1:]] == [events.Began]
    with refused("begun"):
        asking.sit(table, 2, "Cy", "c3")


def test_a_seat_given_up_before_the_game_is_free_again() -> None:
    match = Match(table_options())
    match.store(asking.sit(match.table, 0, "Ann", "a1"))
    match.store(asking.leave(match.table, 0))
    assert match.table.seats[0].free
    match.store(asking.sit(match.table, 0, "Bob", "b2"))
    match.store(asking.sit(match.table, 1, "Cy", "c3"))
    match.settle()
    assert match.table.nonces == {0: "b2", 1: "c3"}
    assert match.table.begun


@pytest.mark.parametrize("name", ["", " Ann", "A" * 25, "a\nb", "a\x00"])
def test_names_that_are_none(name: str) -> None:
    with refused("bad-name"):
        asking.sit(Match(table_options()).table, 0, name, "a1")


@pytest.mark.parametrize("nonce", ["", "a b", "é", "x" * 65, "a\n"])
def test_nonces_that_are_none(nonce: str) -> None:
    with refused("bad-nonce"):
        asking.sit(Match(table_options()).table, 0, "Ann", nonce)


def test_drawn_seats_move_people_and_bots() -> None:
    orders = set()
    for secret in ("aa" * 32, "bb" * 32, "cc" * 32, "dd" * 32):
        match = Match(
            table_options("pyramidis", bots=(0, 0, 3, 0), drawn=True, secret=secret), secret
        )
        bot = match.table.seats[2].name
        match.fill()
        began = match.entries[-1].event
        assert isinstance(began, events.Began)
        assert sorted(began.order) == [0, 1, 2, 3]
        for chosen, seat in enumerate(began.order):
            expected = bot if chosen == 2 else f"Ann{chosen}"
            assert match.table.seats[seat].name == expected
        assert match.table.seats[began.order[2]].level == 3
        orders.add(began.order)
    assert len(orders) > 1


def test_bots_have_names_that_differ_and_stay() -> None:
    table = Table(table_options("pyramidis", bots=(0, 3, 3, 0)), SECRET)
    first, second = (seat.name for seat in table.seats[1:3])
    assert first[0] != second[0]
    assert [table.seats[seat].name for seat in (0, 3)] == ["", ""]
    table.apply(asking.seat_bot(table, 3, 3), 1)
    names = [first, second, table.seats[3].name]
    assert len({name[0] for name in names}) == 3
    assert [seat.name for seat in Table(table.options, SECRET).seats[1:3]] == names[:2], "by record"


def test_bots_keep_their_names_in_a_rematch() -> None:
    match = Match(table_options("pyramidis", bots=(0, 3, 4, 0), drawn=True))
    match.fill()
    again = Table(match.table.rematch_options(commitment(SECRET)), SECRET)
    bots = [(seat.name, seat.level) for seat in match.table.seats if seat.level]
    assert len(bots) == 2
    assert [(seat.name, seat.level) for seat in again.seats if seat.level] == bots
    with pytest.raises(BadOption, match="bot_names"):
        replace(again.options, bot_names=("Nefer",)).check()


# ---- Moving


def test_the_order_of_checks() -> None:
    match = Match(table_options())
    match.fill()
    table = match.table
    with refused("no-such-seat"):
        asking.move(table, 7, "nonsense")
    with refused("not-your-turn"):
        asking.move(table, 1, "nonsense", number=99)
    with refused("stale"):
        asking.move(table, 0, "nonsense", number=99)
    with pytest.raises(BadNotation):
        asking.move(table, 0, "nonsense", number=table.number)
    with pytest.raises(IllegalMove, match="pawns-first"):
        asking.move(table, 0, "a1b2", number=table.number)
    match.store(asking.move(table, 0, "@a1", number=table.number))
    assert table.to_move == 1
    match.store(asking.resign(table, 1))
    match.settle()
    with refused("over"):
        asking.move(table, 0, "nonsense", number=99)


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_whole_games_end_and_come_back_by_replay(game: benben.Game) -> None:
    match = Match(options_of(game))
    match.fill()
    match.play(at_random(game.players))
    table = match.table
    assert table.over
    assert table.closed
    ended = match.entries[-1].event
    assert isinstance(ended, events.Ended)
    assert table.position is not None
    assert table.position.result is not None
    assert ended.shares == table.position.result.shares
    assert ended.secret == SECRET
    again = match.rebuilt()
    assert again == table
    assert asking.next_event(again, match.now) is None


def test_a_bots_turn_is_found_again_after_a_restart() -> None:
    match = Match(table_options(bots=(0, 4)))
    match.fill()
    assert match.table.bot_to_move is None
    match.decide(first)
    assert match.table.bot_to_move == match.rebuilt().bot_to_move == 4


def test_a_throw_that_was_not_stored_is_thrown_again_the_same() -> None:
    match = Match(table_options("batisseurs"))
    match.fill(begin=False)
    match.store(asking.next_event(match.table, match.now))
    again = match.rebuilt()
    threw = asking.next_event(match.table, match.now)
    assert isinstance(threw, events.Threw)
    assert asking.next_event(again, match.now + 5) == threw


def test_a_turn_comes_when_another_seat_has_decided() -> None:
    match = Match(table_options("batisseurs", players=3, bots=(0, 0, 2), first=1))
    match.fill()
    table, choose = match.table, at_random(5)
    deciders = []
    while not table.over:
        deciders.append(table.to_move)
        match.decide(choose)
    wanted = [seat for seat, _ in groupby(deciders) if seat != 2]  # the bot's turns are nobody's
    assert [each.seat for each in table.turns] == wanted
    assert len(wanted) < len(table.steps), "a turn has several moves and throws"
    assert match.rebuilt().turns == table.turns
    at = {entry.number: entry.at for entry in match.entries}
    assert all(at[each.number] == each.at for each in table.turns)


def test_a_turn_that_is_taken_back_comes_again_and_none_comes_to_who_is_away() -> None:
    match = Match(table_options(leaver="bot"))
    match.fill()
    table = match.table
    match.decide(first)
    match.store(asking.ask_undo(table, 0))
    match.store(asking.answer_undo(table, 1, True))
    assert [each.seat for each in table.turns] == [0, 1, 0]
    match.store(asking.leave(table, 1))
    match.decide(first)
    assert table.to_move == 1
    assert len(table.turns) == 3
    match.store(asking.reclaim(table, 1))
    assert len(table.turns) == 3, "who comes back knows"


# ---- Taking back


def test_against_bots_an_undo_is_free_and_takes_back_their_replies() -> None:
    match = Match(table_options(bots=(0, 1)))
    match.fill()
    match.play(first, 5)
    assert match.table.to_move == 1
    moves = match.table.moves
    match.store(asking.ask_undo(match.table, 0))
    assert match.table.moves == moves[:4]
    assert match.table.to_move == 0
    assert match.rebuilt() == match.table


def test_programs_are_not_asked_for_an_undo_but_ask_people() -> None:
    match = Match(table_options("batisseurs", players=3, first=1))
    table = match.table
    match.store(asking.sit(table, 0, "Rex", "n0", program=True))
    match.fill()
    assert [seat.program for seat in table.seats] == [True, False, False]
    match.decide(first)
    while table.to_move == 0:
        match.decide(first)
    while not any(step.seat == 1 for step in table.steps):
        match.decide(first)
    match.store(asking.ask_undo(table, 1))
    with refused("no-undo-asked"):
        asking.answer_undo(table, 0, True)
    match.store(asking.answer_undo(table, 2, True))
    assert table.undo is None
    assert not any(step.seat == 1 for step in table.steps)
    assert match.rebuilt() == table


def test_among_people_everybody_must_agree() -> None:
    match = Match(table_options("pyramidis", bots=(0, 0, 1, 0), first=1))
    match.fill()
    match.play(first, 2)
    table = match.table
    match.store(asking.ask_undo(table, 0))
    assert table.undo == events.UndoAsked(0, 0)
    with refused("undo-asked"):
        asking.ask_undo(table, 1)
    with refused("no-undo-asked"):
        asking.answer_undo(table, 0, True)  # one's own
    match.store(asking.answer_undo(table, 1, True))
    assert table.moves
    with refused("no-undo-asked"):
        asking.answer_undo(table, 1, True)  # twice
    match.store(asking.answer_undo(table, 3, True))
    assert table.moves == ()
    assert table.undo is None
    assert table.to_move == 0


def test_the_undo_request_of_a_player_who_resigns_is_withdrawn() -> None:
    match = Match(table_options("pyramidis", bots=(0, 0, 0, 0), first=1, resign="bot"))
    match.fill()
    match.play(first, 2)
    table = match.table
    match.store(asking.ask_undo(table, 0))
    match.store(asking.answer_undo(table, 1, True))
    match.store(asking.resign(table, 0))
    assert table.undo is None
    with refused("no-undo-asked"):
        asking.answer_undo(table, 2, True)


def test_one_refusal_is_enough_and_a_move_is_one() -> None:
    match = Match(table_options())
    match.fill()
    match.decide(first)
    table = match.table
    match.store(asking.ask_undo(table, 0))
    match.store(asking.answer_undo(table, 1, False))
    assert table.undo is None
    assert len(table.moves) == 1
    match.store(asking.ask_undo(table, 0))
    match.decide(first)
    with refused("no-undo-asked"):
        asking.answer_undo(table, 1, True)


def test_no_undo_crosses_a_throw_and_no_draw_is_used_twice() -> None:
    match = Match(table_options("batisseurs", bots=(0, 1), first=1))
    match.fill()
    table = match.table
    with refused("nothing-to-undo"):
        asking.ask_undo(table, 0)
    draws = []
    undone = 0
    choose = at_random(3)
    while not table.over:
        mine = table.to_move == 0
        before = table.moves
        match.decide(choose)
        if mine and table.to_move == 0 and undone < 5:
            if table.moves[:-1] == before:
                match.store(asking.ask_undo(table, 0))
                assert table.moves == before
                undone += 1
            else:
                with refused("thrown-since"):
                    asking.ask_undo(table, 0)
    draws = [each.event.draw for each in match.entries if isinstance(each.event, events.Threw)]
    assert undone == 5
    assert draws == sorted(set(draws))


# ---- Talk


def test_friends_talk_and_strangers_use_phrases() -> None:
    match = Match(table_options())
    match.fill()
    match.store(asking.say(match.table, 0, "well played"))
    match.store(asking.say(match.table, 1, phrase=PHRASES[0]))
    for text in ("", " ", "x" * 301, "a\nb"):
        with refused("bad-talk"):
            asking.say(match.table, 0, text)
    with refused("no-such-phrase"):
        asking.say(match.table, 0, phrase="shout")
    strangers = Match(table_options(listed=True))
    strangers.fill()
    with refused("phrases-only"):
        asking.say(strangers.table, 0, "hello")
    assert asking.say(strangers.table, 0, phrase="hello") == events.Said(0, phrase="hello")
    with refused("not-seated"):
        asking.say(Match(table_options()).table, 0, "hello")


# ---- Other rules


def test_a_table_of_unknown_rules_is_read_only() -> None:
    made = table_options()
    match = Match(made)
    match.fill()
    other = TableOptions(**{**{f: getattr(made, f) for f in made.__struct_fields__}, "rules": 99})
    table = Table(other, SECRET)
    for entry in match.entries:
        table.apply(entry.event, entry.at)
    assert not table.playable
    with refused("other-rules"):
        asking.move(table, 0, "@a1")
    assert asking.next_event(table, match.now) is None


# ---- Names, chat and length


@pytest.mark.parametrize(
    "name", ["\u3164", "\u2800", "\ufdfd" * 24, "a\u0301\u0301\u0301", "\ufe0f", "Ann\u115f"]
)
def test_names_that_cannot_be_seen_or_spill_over(name: str) -> None:
    with refused("bad-name"):
        asking.sit(Match(table_options()).table, 0, name, "n")


@pytest.mark.parametrize("name", ["Zoë", "Nguyễn Ệ", "Ann ❤\ufe0f", "李雷", "Œdipe"])
def test_names_of_all_the_world(name: str) -> None:
    assert asking.sit(Match(table_options()).table, 0, name, "n").name == name


@pytest.mark.parametrize("name", ["Ann", "ANN", "\uff21nn", "\u0410nn", "A\ufe0fnn"])
def test_two_people_at_a_table_have_different_names(name: str) -> None:
    match = Match(table_options())
    match.store(asking.sit(match.table, 0, "Ann", "n"))
    with refused("name-taken"):
        asking.sit(match.table, 1, name, "n")


def test_a_rematch_accepts_the_names_of_the_table_before() -> None:
    match = Match(table_options())
    match.store(asking.sit(match.table, 0, "Ann", "n"))
    assert asking.sit(match.table, 1, "Ann", "n", expected=True)


def test_chat_has_an_end() -> None:
    match = Match(table_options())
    match.fill()
    for _ in range(MAX_CHAT_LINES // 2):
        match.store(asking.say(match.table, 0, "hello"))
    with refused("too-much-talk"):
        asking.say(match.table, 0, phrase="hello")
    assert asking.say(match.table, 1, "hello"), "nobody can mute others"
    assert asking.move(match.table, 0, "@c3")


def test_chat_is_counted_by_player_when_seats_are_drawn() -> None:
    match = Match(table_options(drawn=True))
    match.store(asking.sit(match.table, 0, "Eve", "n"))
    for _ in range(MAX_CHAT_LINES // 2):
        match.store(asking.say(match.table, 0, "hello"))
    match.store(asking.sit(match.table, 1, "Ann", "n"))
    match.settle()
    eve, ann = match.table.order
    with refused("too-much-talk"):
        asking.say(match.table, eve, "hello")
    assert asking.say(match.table, ann, "hello")


def test_nobody_takes_the_name_of_a_person_who_is_expected() -> None:
    match = Match(replace(table_options(), expected=("Ann", "")))
    with refused("name-taken"):
        asking.sit(match.table, 1, "ann", "n")


def test_at_a_table_with_very_many_events_the_game_can_only_end() -> None:
    match = Match(table_options())
    match.fill()
    match.play(first, most=4)
    match.table.number = MAX_EVENTS
    for action in (
        actions.Say("", "hello"),
        actions.AskUndo(""),
        actions.Reclaim(""),
        actions.AskHint("", "nudge"),
        actions.SeatBot("", 0, 1),
    ):
        with refused("too-many-events"):
            action.check(match.table, 0)
    with refused("too-many-events"):
        asking.sit(match.table, 0, "Eve", "n")
    assert match.table.to_move is not None
    assert asking.resign(match.table, 0)
    match.decide(first)


def test_a_move_is_checked_against_the_position_it_was_meant_for() -> None:
    match = Match(table_options())
    match.fill()
    number = match.table.number
    match.store(asking.say(match.table, 1, "are you there?"))
    assert asking.move(match.table, 0, "@c3", number)
    with refused("stale"):
        asking.move(match.table, 0, "@c3", number - 1)
    with refused("stale"):
        asking.move(match.table, 0, "@c3", match.table.number + 1)
    match.store(asking.move(match.table, 0, "@c3", number))
    with refused("stale"):
        asking.move(match.table, 1, "@d5", number)
    match.store(asking.ask_undo(match.table, 0))
    known = match.table.number
    match.store(asking.answer_undo(match.table, 1, granted=True))
    with refused("stale"):
        asking.move(match.table, 0, "@c3", known)
