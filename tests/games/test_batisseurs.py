"""Bâtisseurs: the rules, rulings and worked examples of its rulebook."""

from math import factorial

import pytest

import benben
from tests.games import check_nothing_hidden, check_over, check_refusal, played

ALL = benben.game("batisseurs")
FREE = benben.game("batisseurs", placing="free")
ROWS = "abcdef"
EMPTY = "....../...../..../.../../."
BUT_ONE = "xxxxxx/xxxxx/xxxx/xxx/xx/."  # only the top is missing
START = f"{EMPTY}|{EMPTY} 1 - 6 0"


def board(won: str = "", dots: str = "") -> str:
    """A board from the places won and those with the white dot up: `a1 a2`."""
    marks = dict.fromkeys(won.split(), "x") | dict.fromkeys(dots.split(), "o")
    return "/".join(
        "".join(marks.pop(f"{row}{i}", ".") for i in range(1, 7 - n)) for n, row in enumerate(ROWS)
    )


def built(won: str = "", dots: str = "", rest: str = "- 6 0") -> str:
    """Seat 1's turn, with an empty board beside."""
    return f"{board(won, dots)}|{EMPTY} 1 {rest}"


# ---- Worked examples


def test_example_text_of_the_start() -> None:
    assert str(ALL.deal()) == START


def test_example_c1_rests_on_b1_and_b2_of_the_same_throw() -> None:
    """a4, a5, b1, b2 and then c1 too: one die is left to roll."""
    thrown = ALL.parse(built("a1 a2 a3")).play("=aabbcf")
    position = played(thrown, "a4", "a5", "b1", "b2", "c1")
    assert str(position) == built("a1 a2 a3", "a4 a5 b1 b2 c1", "f 1 5")
    assert position.moves() == ["roll", "stop"]
    assert str(position.play("roll")) == built("a1 a2 a3", "a4 a5 b1 b2 c1", "- 1 0")


def test_example_all_binds_the_dice_not_the_places() -> None:
    """With b1 and b3 instead, c1 is impossible and two dice are left."""
    thrown = ALL.parse(built("a1 a2 a3")).play("=aabbcf")
    position = played(thrown, "a4", "a5", "b1", "b3")
    assert str(position) == built("a1 a2 a3", "a4 a5 b1 b3", "cf 2 4")
    assert position.moves() == ["roll", "stop"]
    assert str(position.play("roll")) == built("a1 a2 a3", "a4 a5 b1 b3", "- 2 0")


def test_example_a_throw_that_places_nothing_passes_the_turn() -> None:
    position = ALL.parse(START).play("=ffffff")
    assert str(position) == f"{EMPTY}|{EMPTY} 2 - 6 0"


# ---- Material


@pytest.mark.parametrize("dice", range(1, 7))
def test_ruling_1_each_die_has_one_face_of_each_row(dice: int) -> None:
    """So a throw is as likely as the ways it can fall, of six to the power of the dice."""
    order = "a1 a2 b1 a3 a4"  # a block for each die used
    dots = " ".join(order.split()[: 6 - dice])
    chance = dict(ALL.parse(built(dots=dots, rest=f"- {dice} 0")).chance())
    assert len(chance) == factorial(dice + 5) // (factorial(dice) * factorial(5))
    assert sum(chance.values()) == pytest.approx(1)
    for throw, likely in chance.items():
        faces = throw.removeprefix("=")
        assert faces == "".join(sorted(faces))
        assert len(faces) == dice
        ways = factorial(dice)
        for row in ROWS:
            ways //= factorial(faces.count(row))
        assert likely == pytest.approx(ways / 6**dice)


def test_blocks_never_run_out() -> None:
    """84 blocks are exactly four boards of 21: with 80 built, the next is still there."""
    four = benben.game("batisseurs", players=4)
    position = four.parse("|".join([BUT_ONE] * 4) + " 4 - 6 0")
    assert played(position, "=aaaaaf", "f1").to_move is None


# ---- Placing


def test_row_a_rests_on_the_base() -> None:
    position = ALL.parse(START).play("=aaaaaa")
    assert position.moves() == ["a1", "a2", "a3", "a4", "a5", "a6"]


UPPER = [(n, i) for n in range(1, 6) for i in range(1, 7 - n)]


@pytest.mark.parametrize(("row", "i"), UPPER)
def test_a_place_above_needs_both_blocks_beneath(row: int, i: int) -> None:
    """b3 needs a3 and a4, and so on."""
    place = f"{ROWS[row]}{i}"
    beneath = ROWS[row - 1]
    lower = [f"{ROWS[n]}{k}" for n in range(row) for k in range(1, 7 - n)]
    throw = f"={beneath * 5}{ROWS[row]}"
    for missing in (f"{beneath}{i}", f"{beneath}{i + 1}"):
        won = " ".join(block for block in lower if block != missing)
        position = ALL.parse(built(won)).play(throw)
        check_refusal(position, place, "no-support", {"seat": 1, "place": place})
        assert place in position.play(missing).moves()
    only_two = ALL.parse(built(" ".join(lower))).play(f"={ROWS[row] * 6}")
    assert place in only_two.moves()


def test_ruling_2_blocks_with_the_white_dot_carry_others() -> None:
    """Placed in an earlier throw of this turn, or even in the same one."""
    earlier = ALL.parse(built(dots="a1 a2", rest="- 4 0")).play("=bcde")
    assert earlier.moves() == ["b1"]
    same = ALL.parse(START).play("=aabcde")
    assert same.moves() == ["a1", "a2", "a3", "a4", "a5", "a6"]
    assert "b1" in played(same, "a1", "a2").moves()


def test_a_block_goes_on_a_place_of_its_colour_only() -> None:
    position = ALL.parse(built("a1 a2 a3")).play("=bbbbbb")
    assert position.moves() == ["b1", "b2"]


# ---- A turn


def test_six_dice_at_first_then_those_not_yet_used() -> None:
    start = ALL.parse(START)
    assert start.to_move == benben.CHANCE
    assert all(len(throw) == 7 for throw, _ in start.chance())
    again = ALL.parse(built(dots="a1 a2", rest="- 4 0"))
    assert again.to_move == benben.CHANCE
    assert all(len(throw) == 5 for throw, _ in again.chance())


def test_after_a_throw_the_seat_in_turn_moves() -> None:
    thrown = ALL.parse(START).play("=abcdef")
    assert str(thrown) == f"{EMPTY}|{EMPTY} 1 abcdef 6 0"
    assert thrown.to_move == 0
    assert thrown.chance() == []
    assert ALL.parse(START).moves() == []


def test_each_die_gives_one_block() -> None:
    """One blue die, one blue block: used up, it gives no second one."""
    position = ALL.parse(built("a1 a2 a3")).play("=bcdeff").play("b1")
    assert str(position) == built("a1 a2 a3", "b1", "cdeff 5 1")
    assert position.moves() == ["roll", "stop"]


def test_ruling_3_all_goes_on_while_a_die_can_place() -> None:
    thrown = ALL.parse(START).play("=aadeff")
    once = thrown.play("a3")
    assert once.moves() == ["a1", "a2", "a4", "a5", "a6"]
    check_refusal(once, "stop", "place-all", {"seat": 1})
    check_refusal(once, "roll", "place-all", {"seat": 1})
    assert once.play("a1").moves() == ["roll", "stop"]


def test_ruling_3_where_is_your_choice() -> None:
    """A die is bound, its place is not: each choice is legal, even one that blocks another die."""
    position = ALL.parse(START).play("=aabfff")
    assert "b1" in played(position, "a1", "a2").moves()
    assert played(position, "a1", "a3").moves() == ["roll", "stop"]


def test_ruling_3_free_one_block_is_enough() -> None:
    thrown = FREE.parse(START).play("=aadeff")
    assert thrown.moves() == ["a1", "a2", "a3", "a4", "a5", "a6"]
    check_refusal(thrown, "stop", "place-first", {"seat": 1})
    once = thrown.play("a3")
    assert once.moves() == ["a1", "a2", "a4", "a5", "a6", "roll", "stop"]
    assert str(once.play("stop")) == f"{board('a3')}|{EMPTY} 2 - 6 0"
    assert str(once.play("roll")) == built(dots="a3", rest="- 5 0")


def test_ruling_3_free_each_throw_needs_its_own_block() -> None:
    again = FREE.parse(built(dots="a3", rest="- 5 0")).play("=aacdd")
    check_refusal(again, "stop", "place-first", {"seat": 1})
    check_refusal(again, "roll", "place-first", {"seat": 1})


def test_a_throw_that_places_nothing_loses_the_blocks_of_this_turn() -> None:
    """Those won before stay."""
    position = ALL.parse(built("a1 a2", "a3 b1", "- 4 0")).play("=deff")
    assert str(position) == f"{board('a1 a2')}|{EMPTY} 2 - 6 0"


def test_a_throw_that_places_nothing_in_free_placing_too() -> None:
    position = FREE.parse(built(dots="a1", rest="- 5 0")).play("=bbcde")
    assert str(position) == f"{EMPTY}|{EMPTY} 2 - 6 0"


def test_stopping_wins_the_blocks() -> None:
    position = ALL.parse(built("a1", "a2 b1", "ddff 4 2")).play("stop")
    assert str(position) == f"{board('a1 a2 b1')}|{EMPTY} 2 - 6 0"
    assert position.to_move == benben.CHANCE


def test_rolling_keeps_the_blocks_at_stake() -> None:
    position = ALL.parse(built("a1", "a2 b1", "ddff 4 2")).play("roll")
    assert str(position) == built("a1", "a2 b1", "- 4 0")


def test_ruling_4_when_all_six_dice_are_used_the_turn_stops_by_itself() -> None:
    position = ALL.parse(built(dots="a1 a2 b1 a3 a4", rest="a 1 2"))
    after = position.play("a5")
    assert str(after) == f"{board('a1 a2 b1 a3 a4 a5')}|{EMPTY} 2 - 6 0"
    assert after.to_move == benben.CHANCE


def test_ruling_4_six_in_one_throw() -> None:
    thrown = ALL.parse(START).play("=aaabbc")
    after = played(thrown, "a1", "a2", "a3", "b1", "b2", "c1")
    assert str(after) == f"{board('a1 a2 a3 b1 b2 c1')}|{EMPTY} 2 - 6 0"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_players_take_turns_clockwise(players: int) -> None:
    position = benben.game("batisseurs", players=players).deal()
    turns = []
    for _ in range(players + 1):
        turns.append(str(position).split(" ")[1])
        position = position.play("=ffffff")
    assert turns == [*map(str, range(1, players + 1)), "1"]


def test_ruling_5_seat_1_begins_unless_drawn() -> None:
    assert ALL.options["first"] == 1
    drawn = benben.game("batisseurs", players=4, first="random")
    assert {str(drawn.deal(seed)).split(" ")[1] for seed in range(40)} == set("1234")


# ---- End


def test_ruling_6_twenty_one_blocks_win_at_once() -> None:
    """The other dice are left on the table, and the white dot is up."""
    position = played(ALL.parse(f"{BUT_ONE}|{EMPTY} 1 - 6 0"), "=aabcdf", "f1")
    assert str(position) == f"{BUT_ONE[:-1]}o|{EMPTY} 1 aabcd 5 1"
    check_over(position, (1.0, 0.0), "complete")


def test_ruling_6_white_dots_of_earlier_throws_count() -> None:
    won = "xxxxxx/xxxxx/xxxx/xxx/"
    before = f"{EMPTY}|{won}oo/. 2 - 4 0"
    position = played(ALL.parse(before), "=cddf", "f1")
    assert str(position) == f"{EMPTY}|{won}oo/o 2 cdd 3 1"
    check_over(position, (0.0, 1.0), "complete")


def test_ruling_6_comes_before_ruling_4() -> None:
    """The sixth die completes the pyramid: the game is over in the winner's turn."""
    won = "xxxxxx/xxxxx/xxxx/"
    before = f"{EMPTY}|{won}ooo/oo/. 2 - 1 0"
    over = played(ALL.parse(before), "=f", "f1")
    assert str(over) == f"{EMPTY}|{won}ooo/oo/o 2 - 0 1"
    check_over(over, (0.0, 1.0), "complete")


def test_twenty_blocks_do_not_win() -> None:
    position = ALL.parse(f"xxxxxx/xxxxx/xxxx/xxx/x./.|{EMPTY} 1 - 6 0")
    after = played(position, "=abcdde", "e2")
    assert after.to_move == 0
    assert after.result is None


@pytest.mark.parametrize("seat", range(4))
def test_the_winner_has_it_all(seat: int) -> None:
    boards = [EMPTY] * 4
    boards[seat] = BUT_ONE
    game = benben.game("batisseurs", players=4)
    position = played(game.parse(f"{'|'.join(boards)} {seat + 1} - 6 0"), "=ffffff", "f1")
    shares = tuple(1.0 if other == seat else 0.0 for other in range(4))
    check_over(position, shares, "complete")


def test_nothing_is_hidden() -> None:
    check_nothing_hidden(ALL.parse(START))
    check_nothing_hidden(ALL.parse(built("a1 a2", "a3 b1", "bdff 4 1")))
    check_nothing_hidden(ALL.parse(f"{BUT_ONE[:-1]}o|{EMPTY} 1 aabcd 5 1"))


def test_a_throw_is_drawn_by_its_chance() -> None:
    """With one die left, six hundred draws give every face about a hundred times."""
    position = ALL.parse(built(dots="a1 a2 b1 a3 a4", rest="- 1 0"))
    source = benben.RandomStream.seeded("dice")
    faces = [position.draw(source) for _ in range(600)]
    assert set(faces) == {f"={row}" for row in ROWS}
    assert all(60 <= faces.count(face) <= 140 for face in set(faces))
