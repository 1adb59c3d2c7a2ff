"""Pyramidis: the rules, rulings and worked examples of its rulebook."""

from itertools import pairwise

import pytest

import benben
from tests.games import check_nothing_hidden, check_over, played

FOUR = benben.game("pyramidis", first=1)
BM = benben.game("pyramidis", players=2, first=1, pair="bm")
TC = benben.game("pyramidis", players=2, first=1, pair="tc")
TRACKS = {
    "b": "d1 d2 d3 d4 d5 d6 d7 d8 e8 e7 e6 e5 e4 e3 e2 e1".split(),
    "t": "a5 b5 c5 d5 e5 f5 g5 h5 h4 g4 f4 e4 d4 c4 b4 a4".split(),
    "m": "d8 d7 d6 d5 d4 d3 d2 d1 e1 e2 e3 e4 e5 e6 e7 e8".split(),
    "c": "h5 g5 f5 e5 d5 c5 b5 a5 a4 b4 c4 d4 e4 f4 g4 h4".split(),
}
SEATS = {"b": 0, "t": 1, "m": 2, "c": 3}


def cross(columns: str, turn: str, home: str = "b0t0m0c0", quiet: int = 0) -> str:
    """A position: the pyramids neither on these columns nor home are stacked on their start."""
    at = dict(column.split("=") for column in columns.split(",") if column)
    for colour, gone in zip(home[::2], home[1::2], strict=True):
        rest = 8 - int(gone) - sum(column.count(colour) for column in at.values())
        start = TRACKS[colour][0]
        assert rest == 0 or (rest > 0 and start not in at)
        if rest:
            at[start] = colour * rest
    written = ",".join(f"{square}={at[square]}" for square in sorted(at))
    return f"{written} {home} {turn} {quiet}"


START = "a5=tttttttt,d1=bbbbbbbb,d8=mmmmmmmm,h5=cccccccc b0t0m0c0 b 0"


def check_move(before: str, move: str, after: str, game: benben.Game = FOUR) -> None:
    position = game.parse(before)
    assert move in position.moves()
    assert str(position.play(move)) == after


# ---- Worked examples


def test_example_text_of_the_start() -> None:
    assert str(FOUR.deal()) == START == cross("", "b")


def test_example_the_opening_of_the_sheet() -> None:
    """Brown alone: d1*3, d1*4, then d2; the others only step about on their own strip."""
    others = ("a5*1", "d8*1", "h5*1")
    once = FOUR.parse(START).play("d1*3")
    assert str(once) == cross("d2=b,d3=b,d4=b", "t", quiet=1)
    twice = played(once, *others, "d1*4")
    around = "b5=t,d7=m,g5=c"
    assert str(twice) == cross(f"d2=bb,d3=bb,d4=bb,d5=b,{around}", "t", quiet=5)
    thrice = played(twice, "b5", "d7", "g5", "d2")
    assert str(thrice) == cross("d3=bbb,d4=bbb,d5=b,c5=t,d6=m,f5=c", "t", quiet=9)


def test_example_a_tower_is_jumped() -> None:
    """Brown on d2=mb with d3=mmmmm: m goes to d4, b to d5."""
    check_move(cross("d2=mb,d3=mmmmm", "b"), "d2", cross("d3=mmmmm,d4=m,d5=b", "t", quiet=1))


def test_example_coming_home() -> None:
    """Brown moves e3=tmbb: t on e2, mustard is left on e1, the two browns go home."""
    before = cross("e3=tmbb", "b", quiet=7)
    check_move(before, "e3", cross("e2=t,e1=m", "t", "b2t0m0c0"))


@pytest.mark.parametrize(
    ("column", "after"),
    [("bbt", "d7=b,d6=b,d5=t"), ("bbbbt", "d7=b,d6=b,d5=b,e5=b,f5=t")],
)
def test_example_turquoise_astray_on_d8(column: str, after: str) -> None:
    """Three go d7, d6, d5; five go on to e5, f5, as d5 is turquoise's fourth square."""
    home = "b0t0m4c0"
    check_move(
        cross(f"d8={column},d2=mmmm", "t", home),
        "d8",
        cross(f"{after},d2=mmmm", "m", home, quiet=1),
    )


def test_example_e4_is_the_twelfth_square_of_turquoise() -> None:
    """From e2 the way is e3, e4, and then the thirteenth and fourteenth squares, d4 and c4."""
    check_move(cross("e2=ccct", "t"), "e2", cross("e3=c,e4=c,d4=c,c4=t", "m", quiet=1))


# ---- Board and turns


def test_ruling_1_the_cross_has_28_squares() -> None:
    names = [name for row in FOUR.deal().diagram() for _, name in row]
    strips = {f + r for f in "de" for r in "12345678"} | {f + r for f in "abcdefgh" for r in "45"}
    assert set(names) == strips
    assert len(names) == 28


@pytest.mark.parametrize(("game", "colour"), [(BM, "b"), (TC, "t")])
def test_two_players_have_one_strip_of_16_squares(game: benben.Game, colour: str) -> None:
    names = [name for row in game.deal().diagram() for _, name in row]
    assert sorted(names) == sorted(TRACKS[colour])


@pytest.mark.parametrize("colour", "btmc")
def test_ruling_1_each_colour_goes_round_its_track(colour: str) -> None:
    """A lone pyramid goes from square to square, and from the fifteenth home."""
    track = TRACKS[colour]
    opposite = {"b": "m", "m": "b", "t": "c", "c": "t"}[colour]
    aside = f"{'b4' if colour in 'bm' else 'd2'}={opposite * 4}"  # keeps the track free
    home = "".join(f"{c}{4 if c == opposite else 0}" for c in "btmc")
    following = "btmc"[(SEATS[colour] + 1) % 4]
    for here, onward in pairwise(track[1:-1]):
        before = cross(f"{here}={colour},{aside}", colour, home)
        after = cross(f"{onward}={colour},{aside}", following, home, quiet=1)
        check_move(before, here, after)
    before = cross(f"{track[-2]}={colour},{aside}", colour, home)
    after = cross(aside, following, home.replace(f"{colour}0", f"{colour}1"))
    start = f"{track[0]}={colour * 7}"
    assert start in after
    check_move(before, track[-2], after)


@pytest.mark.parametrize("colour", "btmc")
def test_each_colour_starts_on_its_own_square(colour: str) -> None:
    """The first two squares after the start are the second and third of the track."""
    _, second, third, *_ = TRACKS[colour]
    following = "btmc"[(SEATS[colour] + 1) % 4]
    after = cross(f"{second}={colour},{third}={colour}", following, quiet=1)
    check_move(cross("", colour), f"{TRACKS[colour][0]}*2", after)


def test_ruling_2_turns_go_clockwise_in_the_order_of_the_table() -> None:
    position = FOUR.deal()
    turns = []
    for move in ("d1*1", "a5*1", "d8*1", "h5*1", "d1*1"):
        turns.append((position.to_move, str(position).split(" ")[2]))
        position = position.play(move)
    assert turns == [(0, "b"), (1, "t"), (2, "m"), (3, "c"), (0, "b")]


@pytest.mark.parametrize(
    ("game", "text", "starts"),
    [
        (BM, "d1=bbbbbbbb,d8=mmmmmmmm b0m0 b 0", ("d1*1", "d8*1")),
        (TC, "a5=tttttttt,h5=cccccccc t0c0 t 0", ("a5*1", "h5*1")),
    ],
)
def test_two_players_sit_opposite(game: benben.Game, text: str, starts: tuple[str, str]) -> None:
    position = game.deal()
    assert str(position) == text
    second = position.play(starts[0])
    assert second.to_move == 1
    assert second.play(starts[1]).to_move == 0


# ---- A move


def test_one_controls_the_columns_with_the_own_colour_on_top() -> None:
    position = FOUR.parse(cross("d2=mb,d3=bm,e6=ttb,c5=b", "b"))
    starts = [f"d1*{n}" for n in range(1, 5)]
    assert position.moves() == ["c5", *starts, "d2", "e6"]


def test_pyramids_are_dropped_bottom_first_on_whatever_is_there() -> None:
    check_move(cross("d2=tcb,d3=m,d4=mm", "b"), "d2", cross("d3=mt,d4=mmc,d5=b", "t", quiet=1))


def test_the_whole_column_is_taken() -> None:
    position = FOUR.parse(cross("d3=bbb", "b")).play("d3")
    assert str(position) == cross("d4=b,d5=b,d6=b", "t", quiet=1)


def test_on_the_start_square_one_chooses_one_to_five() -> None:
    assert FOUR.parse(START).moves() == ["d1*1", "d1*2", "d1*3", "d1*4", "d1*5"]
    check_move(START, "d1*5", cross("d2=b,d3=b,d4=b,d5=b,d6=b", "t", quiet=1))


def test_the_count_is_written_even_when_it_is_all() -> None:
    before = cross("d1=bb,e3=bbb,e4=bbb", "b")
    assert FOUR.parse(before).moves() == ["d1*1", "d1*2", "e3", "e4"]
    check_move(before, "d1*2", cross("d2=b,d3=b,e3=bbb,e4=bbb", "t", quiet=1))


def test_ruling_3_from_the_top_of_the_start_square() -> None:
    """d1*2 of bbmb takes m and b, m dropped first."""
    before = cross("d1=bbmb,e3=bbb,e4=bb", "b")
    check_move(before, "d1*2", cross("d1=bb,d2=m,d3=b,e3=bbb,e4=bb", "t", quiet=1))


def test_the_start_square_of_another_is_taken_whole() -> None:
    """Only the own start square leaves a choice: brown on top of mustard's moves all three."""
    before = cross("d8=mmb,d2=mmmm", "b", "b0t0m2c0")
    assert "d8" in FOUR.parse(before).moves()
    assert "d8*1" not in FOUR.parse(before).moves()
    after = cross("e7=m,e6=b,d2=mmmm", "t", "b0t0m3c0")
    check_move(before, "d8", after)


def test_four_are_no_tower() -> None:
    check_move(cross("d2=mb,d3=mmmm", "b"), "d2", cross("d3=mmmmm,d4=b", "t", quiet=1))


def test_a_move_may_build_a_tower_and_go_on() -> None:
    """The fifth pyramid is dropped; the tower is neither counted nor dropped on afterwards."""
    before = cross("d2=bb,d3=bmmm,d4=mmmmm", "b")
    check_move(before, "d2", cross("d3=bmmmb,d4=mmmmm,d5=b", "t", quiet=1))


def test_ruling_4_a_start_stack_is_a_tower() -> None:
    """Brown jumps the eight mustards on d8 and comes to e8."""
    check_move(cross("d7=b", "b"), "d7", cross("e8=b", "t", quiet=1))
    check_move(cross("d7=b", "b", "b0t0m2c0"), "d7", cross("e8=b", "t", "b0t0m2c0", quiet=1))


@pytest.mark.parametrize("tower", ["bbttt", "bbtttc"])
def test_ruling_4_a_tower_on_an_arrival_square_is_jumped_by_others(tower: str) -> None:
    """Mustard is at home on e8, but brown jumps the tower there and drops mustard on e7."""
    home = "b0t0m4c0"
    before = cross(f"d8=mb,d6=mmm,e8={tower}", "b", home)
    check_move(before, "d8", cross(f"d6=mmm,e8={tower},e7=m,e6=b", "t", home, quiet=1))


def test_who_controls_no_column_must_pass() -> None:
    before = cross("d1=bbbbt,d2=bbbbt", "b", quiet=3)
    assert FOUR.parse(before).moves() == ["pass"]
    check_move(before, "pass", cross("d1=bbbbt,d2=bbbbt", "t", quiet=4))


# ---- Arriving


def test_what_is_left_in_the_hand_is_unloaded_in_order() -> None:
    check_move(cross("e2=tmtcb", "b"), "e2", cross("e1=tmtc", "t", "b1t0m0c0"))


def test_own_pyramids_go_home_from_between_the_others() -> None:
    check_move(cross("e2=btbcb", "b"), "e2", cross("e1=tc", "t", "b3t0m0c0"))


def test_a_pyramid_dropped_on_its_own_arrival_goes_home() -> None:
    """Brown carries mustard to e8, for mustard's benefit; e8 stays empty."""
    before = cross("d8=mb,d2=mmmmm,d3=mm", "b", quiet=9)
    check_move(before, "d8", cross("e7=b,d2=mmmmm,d3=mm", "t", "b0t0m1c0"))


def test_ruling_5_the_own_arrival_is_never_jumped() -> None:
    check_move(cross("e1=mmmmm,e2=b", "b"), "e2", cross("e1=mmmmm", "t", "b1t0m0c0"))


def test_ruling_6_an_arrival_square_takes_more_than_five() -> None:
    before = cross("e1=mmmmm,e2=tcb", "b")
    check_move(before, "e2", cross("e1=mmmmmtc", "t", "b1t0m0c0"))


def test_what_was_left_on_an_arrival_square_moves_on_as_a_whole() -> None:
    """Seven on e1 with mustard on top: mustard's ninth square, so it goes e2 to e8."""
    home = "b0t0m4c0"
    before = cross("e1=ttttccm,d2=mmm", "m", home)
    after = cross("e2=t,e3=t,e4=t,e5=t,e6=c,e7=c,d2=mmm", "c", "b0t0m5c0")
    check_move(before, "e1", after)


# ---- Strays

STRAYS = [  # who, from where, and the five squares come to
    ("b", "a5", "b5 c5 d5 d6 d7"),
    ("b", "a4", "b4 c4 d4 d5 d6"),
    ("b", "h5", "g5 f5 e5 e4 e3"),
    ("b", "h4", "g4 f4 e4 e3 e2"),
    ("t", "d8", "d7 d6 d5 e5 f5"),
    ("t", "e8", "e7 e6 e5 f5 g5"),
    ("t", "d1", "d2 d3 d4 c4 b4"),
    ("t", "e1", "e2 e3 e4 d4 c4"),
    ("m", "a5", "b5 c5 d5 d4 d3"),
    ("m", "a4", "b4 c4 d4 d3 d2"),
    ("m", "h5", "g5 f5 e5 e6 e7"),
    ("m", "h4", "g4 f4 e4 e5 e6"),
    ("c", "d8", "d7 d6 d5 c5 b5"),
    ("c", "e8", "e7 e6 e5 d5 c5"),
    ("c", "d1", "d2 d3 d4 e4 f4"),
    ("c", "e1", "e2 e3 e4 f4 g4"),
]


@pytest.mark.parametrize(("colour", "square", "way"), STRAYS)
def test_strays_go_straight_to_the_centre_and_on_along_the_track(
    colour: str, square: str, way: str
) -> None:
    """All in one move, from the place the central square has on the mover's track."""
    home = "".join(f"{c}{0 if c == colour else 4}" for c in "btmc")
    displaced = {"a5": "h4=tttt", "h5": "a4=cccc", "d8": "e1=mmmm", "d1": "e8=bbbb"}.get(square)
    aside = f",{displaced}" if displaced else ""
    landed = ",".join(f"{onto}={colour}" for onto in way.split())
    following = "btmc"[(SEATS[colour] + 1) % 4]
    check_move(
        cross(f"{square}={colour * 5}{aside}", colour, home),
        square,
        cross(f"{landed}{aside}", following, home, quiet=1),
    )


def test_a_stray_from_the_middle_of_a_lane() -> None:
    """Turquoise on d6 is one step from d5, then goes on along rank 5."""
    check_move(cross("d6=bbt", "t"), "d6", cross("d5=b,e5=b,f5=t", "m", quiet=1))


def test_ruling_7_a_tower_on_the_central_square_is_jumped() -> None:
    """The way goes on along the track from there: e5, f5."""
    before = cross("d6=bt,d5=mmmmm", "t")
    check_move(before, "d6", cross("d5=mmmmm,e5=b,f5=t", "m", quiet=1))


def test_a_tower_on_the_lane_is_jumped_too() -> None:
    before = cross("d7=bt,d6=mmmmm", "t")
    check_move(before, "d7", cross("d6=mmmmm,d5=b,e5=t", "m", quiet=1))


# ---- End


def test_the_fifth_pyramid_home_ends_the_game() -> None:
    position = FOUR.parse(cross("e2=b", "b", "b4t0m0c0")).play("e2")
    assert str(position) == cross("", "t", "b5t0m0c0")
    check_over(position, (1.0, 0.0, 0.0, 0.0), "five-home")


def test_more_than_five_may_come_home() -> None:
    position = FOUR.parse(cross("e2=bbb", "b", "b4t0m0c0")).play("e2")
    assert str(position) == cross("", "t", "b7t0m0c0")
    check_over(position, (1.0, 0.0, 0.0, 0.0), "five-home")


def test_four_home_do_not_end_it() -> None:
    position = FOUR.parse(cross("e2=b", "b", "b3t0m0c0")).play("e2")
    assert position.to_move == 1
    assert position.result is None


def test_the_first_to_five_wins_whoever_moved() -> None:
    """Brown drops mustard's fifth on e8, and the move is completed."""
    before = cross("d8=mbb,d2=mmm", "b", "b0t0m4c0")
    position = FOUR.parse(before).play("d8")
    assert str(position) == cross("e7=b,e6=b,d2=mmm", "t", "b0t0m5c0")
    check_over(position, (0.0, 0.0, 1.0, 0.0), "five-home")


@pytest.mark.parametrize(
    ("before", "move", "after", "shares"),
    [
        pytest.param(
            cross("d8=mbbbb,d2=mmm,e7=ttttt,e6=ccccc,e3=tttcc", "b", "b4t0m4c0"),
            "d8",
            cross("d2=mmm,e7=ttttt,e6=ccccc,e5=b,e4=b,e3=tttcc,e2=b", "t", "b5t0m5c0"),
            (0.0, 0.0, 1.0, 0.0),
            id="brown moved, mustard wins",
        ),
        pytest.param(
            cross("d1=bmmmm,d7=bbb,e2=ttttt,e3=ccccc,e6=tttcc", "m", "b4t0m4c0"),
            "d1",
            cross("d7=bbb,e2=ttttt,e3=ccccc,e4=m,e5=m,e6=tttcc,e7=m", "c", "b5t0m5c0"),
            (1.0, 0.0, 0.0, 0.0),
            id="mustard moved, brown wins",
        ),
    ],
)
def test_ruling_8_the_other_wins_when_both_reach_five(
    before: str, move: str, after: str, shares: tuple[float, ...]
) -> None:
    """The mover's own pyramids come home last."""
    position = FOUR.parse(before).play(move)
    assert str(position) == after
    check_over(position, shares, "five-home")


def test_ruling_9_a_hundred_quiet_moves_are_a_draw() -> None:
    around = "d6=m,f5=c,c5=t"
    position = FOUR.parse(cross(f"d2=b,{around}", "b", quiet=99))
    assert position.result is None
    drawn = position.play("d2")
    assert str(drawn) == cross(f"d3=b,{around}", "t", quiet=100)
    check_over(drawn, (0.25, 0.25, 0.25, 0.25), "quiet")
    assert FOUR.parse(cross(f"d2=b,{around}", "b", quiet=98)).play("d2").to_move == 1


def test_ruling_9_two_players_share_equally() -> None:
    position = BM.parse("d1=bbbbbb,d2=bb,d7=m,d8=mmmmmmm b0m0 m 99").play("d8*1")
    check_over(position, (0.5, 0.5), "quiet")


def test_ruling_9_passes_count() -> None:
    position = FOUR.parse(cross("d1=bbbbt,d2=bbbbt", "b", quiet=99)).play("pass")
    check_over(position, (0.25, 0.25, 0.25, 0.25), "quiet")


def test_ruling_9_a_pyramid_coming_home_breaks_the_quiet() -> None:
    """Whoever owns it; and a fifth one home wins."""
    carried = cross("d8=mb,d2=mmmmm,d3=mm", "b", quiet=99)
    assert str(FOUR.parse(carried).play("d8")).endswith(" b0t0m1c0 t 0")
    won = FOUR.parse(cross("e2=b", "b", "b4t0m0c0", quiet=99)).play("e2")
    check_over(won, (1.0, 0.0, 0.0, 0.0), "five-home")


def test_when_it_is_over_the_turn_is_the_one_after_the_last_mover() -> None:
    position = FOUR.parse(cross("g4=c", "c", "b0t0m0c4")).play("g4")
    assert str(position) == cross("", "b", "b0t0m0c5")
    check_over(position, (0.0, 0.0, 0.0, 1.0), "five-home")


def test_nothing_is_hidden() -> None:
    check_nothing_hidden(FOUR.parse(START))
    check_nothing_hidden(TC.deal().play("a5*4"))
    check_nothing_hidden(FOUR.parse(cross("", "t", "b5t0m0c0")))
