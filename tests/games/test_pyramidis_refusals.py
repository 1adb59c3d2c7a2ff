"""Pyramidis: what is refused, and the steps of every kind of move."""

import pytest

import benben
from benben import Effect
from tests.games import check_effects, check_impossible, check_malformed, check_refusal
from tests.games.test_pyramidis import BM, FOUR, START, TC, cross

OVER = cross("", "t", "b5t0m0c0")
DRAWN = cross("d2=b,c5=t", "t", quiet=100)
MIXED = cross("d2=mb,d3=bm,e6=ttb", "b")
BURIED = cross("d1=bbbbt,d2=bbbbt", "b")
TWO_LEFT = cross("d1=bb,e3=bbb,e4=bbb", "b")


# ---- Illegal moves


@pytest.mark.parametrize(
    ("game", "text", "move", "rule", "parameters"),
    [
        (FOUR, OVER, "a5*1", "game-over", {"seat": 2, "square": "a5", "count": 1}),
        (FOUR, OVER, "pass", "game-over", {"seat": 2}),
        (FOUR, DRAWN, "c5", "game-over", {"seat": 2, "square": "c5"}),
        (FOUR, START, "pass", "must-not-pass", {"seat": 1}),
        (BM, str(BM.deal()), "a5", "off-board", {"seat": 1, "square": "a5"}),
        (BM, str(BM.deal()), "c4*2", "off-board", {"seat": 1, "square": "c4", "count": 2}),
        (TC, str(TC.deal()), "d1*1", "off-board", {"seat": 1, "square": "d1", "count": 1}),
        (FOUR, START, "d2", "empty-square", {"seat": 1, "square": "d2"}),
        (FOUR, START, "e6*2", "empty-square", {"seat": 1, "square": "e6", "count": 2}),
        (FOUR, START, "a5", "not-your-column", {"seat": 1, "square": "a5"}),
        (FOUR, START, "d8*1", "not-your-column", {"seat": 1, "square": "d8", "count": 1}),
        (FOUR, MIXED, "d3", "not-your-column", {"seat": 1, "square": "d3"}),
        (FOUR, BURIED, "d1*1", "not-your-column", {"seat": 1, "square": "d1", "count": 1}),
        (FOUR, MIXED, "e6*2", "whole-column", {"seat": 1, "square": "e6", "count": 2}),
        (FOUR, MIXED, "e6*3", "whole-column", {"seat": 1, "square": "e6", "count": 3}),
        (FOUR, START, "d1", "count-needed", {"seat": 1, "square": "d1"}),
        (FOUR, TWO_LEFT, "d1", "count-needed", {"seat": 1, "square": "d1"}),
        (FOUR, START, "d1*6", "at-most-five", {"seat": 1, "square": "d1", "count": 6}),
        (FOUR, START, "d1*8", "at-most-five", {"seat": 1, "square": "d1", "count": 8}),
        (FOUR, TWO_LEFT, "d1*3", "not-so-many", {"seat": 1, "square": "d1", "count": 3}),
        (FOUR, TWO_LEFT, "d1*5", "not-so-many", {"seat": 1, "square": "d1", "count": 5}),
    ],
)
def test_illegal_moves(
    game: benben.Game, text: str, move: str, rule: str, parameters: dict[str, str | int]
) -> None:
    check_refusal(game.parse(text), move, rule, parameters)


@pytest.mark.parametrize(
    "move",
    ["", "d9", "a1", "c3", "d0", "d1*0", "d1*", "d1*-1", "d1*01", "d1x3", "D1*1", "Pass", "d1 *1"],
)
def test_malformed_moves(move: str) -> None:
    check_malformed(FOUR.parse(START), move)


# ---- Impossible positions


@pytest.mark.parametrize(
    ("game", "text", "offence"),
    [
        (BM, "a4=b,d1=bbbbbbb,d8=mmmmmmmm b0m0 b 0", "off-board"),
        (TC, "a5=tttttttt,d1=c,h5=ccccccc t0c0 t 0", "off-board"),
        (FOUR, START.replace("d8", "d1=b,d8"), "column-twice"),
        (FOUR, START.replace("bbbbbbbb", "bbbbbbbbb"), "wrong-pyramids"),
        (FOUR, START.replace("d1=bbbbbbbb", "d1=bb,d2=bbbbbb"), "too-tall"),
        (FOUR, START.replace("d1=bbbbbbbb,d8=mmmmmmmm", "d1=mbbbbb,d2=bbb,d8=mmmmmmm"), "too-tall"),
        (FOUR, cross("d1=mmmmmm,d2=bbbb", "b", "b4t0m2c0"), "too-tall"),
        (BM, "d1=bbbbbbbb,d2=t,d8=mmmmmmmm b0m0 b 0", "colour-not-in-game"),
        (FOUR, cross("e1=b", "b"), "own-arrival"),
        (FOUR, cross("a4=bt", "b"), "own-arrival"),
        (FOUR, cross("e8=mb", "b"), "own-arrival"),
        (FOUR, cross("h4=c", "b"), "own-arrival"),
        (FOUR, START.replace("d8", "d2=b,d8"), "wrong-pyramids"),
        (FOUR, START.replace("bbbbbbbb", "bbbbbbb"), "wrong-pyramids"),
        (FOUR, START.replace("b0", "b1"), "wrong-pyramids"),
        (FOUR, START.replace("d8", "e1=ttttttttt,d8"), "wrong-pyramids"),
        (FOUR, START.replace(",d1=bbbbbbbb", ""), "wrong-pyramids"),
        (FOUR, START.removesuffix("0") + "101", "number-out-of-range"),
        (FOUR, cross("", "b", "b5t0m0c0"), "over-before"),
        (FOUR, cross("", "m", "b5t0m0c0"), "over-before"),
        (FOUR, cross("", "t", "b0t5m0c0"), "over-before"),
        (FOUR, cross("", "t", "b5t5m0c0"), "over-before"),
        (FOUR, cross("", "t", "b4t0m6c0"), "over-before"),
        (FOUR, cross("", "t", "b5t0m0c0", quiet=1), "over-before"),
        (BM, "d1=bbb,d8=mmmm b5m4 m 1", "over-before"),
        (BM, "d1=bbbb,d8=mm b4m6 m 0", "over-before"),
    ],
)
def test_impossible_positions(game: benben.Game, text: str, offence: str) -> None:
    check_impossible(game, text, offence)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        pytest.param(FOUR, cross("e1=mmmmmmtc", "t"), id="an arrival square beyond five"),
        pytest.param(FOUR, cross("d2=bb", "t"), id="six on the own start square"),
        pytest.param(FOUR, cross("d2=mmm,d3=bbb", "t", "b5t0m5c0"), id="two at five"),
        pytest.param(FOUR, cross("d2=mmm", "t", "b0t0m5c0"), id="carried home by brown"),
        pytest.param(BM, "d1=bb,d8=mmm b6m5 m 0", id="two players, both at five"),
    ],
)
def test_positions_that_only_look_impossible(game: benben.Game, text: str) -> None:
    assert str(game.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        START + " ",
        START.replace(" ", "  ", 1),
        START.removesuffix(" 0"),
        START.replace("d1=", "d9="),
        START.replace("d1=", "c3="),
        START.replace("d1=", "d1:"),
        START.replace("d1=bbbbbbbb", "d1="),
        START.replace("bbbbbbbb", "bbbbbbbx"),
        START.replace("bbbbbbbb", "BBBBBBBB"),
        "d1=bbbbbbbb,a5=tttttttt,d8=mmmmmmmm,h5=cccccccc b0t0m0c0 b 0",
        START.replace(",h5", ",,h5"),
        START.replace("b0t0m0c0", "t0b0m0c0"),
        START.replace("b0t0m0c0", "b0m0"),
        START.replace("b0t0m0c0", "b0t0m0c"),
        START.replace("b0t0m0c0", "b0t0m0cx"),
        START.replace("b0t0m0c0", "b9t0m0c0"),
        START.replace(" b 0", " x 0"),
        START.replace(" b 0", " 1 0"),
        START.replace(" b 0", " b 00"),
        START.replace(" b 0", " b -1"),
        START.replace(" b 0", " b ?"),
    ],
)
def test_badly_written_positions(text: str) -> None:
    with pytest.raises(benben.BadNotation):
        FOUR.parse(text)


def test_two_players_have_their_own_colours() -> None:
    text = str(BM.deal())
    for bad in (text.replace(" b 0", " t 0"), text.replace("b0m0", "b0t0m0c0")):
        with pytest.raises(benben.BadNotation):
            BM.parse(bad)


# ---- Effects


def lift(square: str, *pyramids: str) -> list[Effect]:
    """Lifting a column into the hand, top first: `t1` is a turquoise of seat index 1."""
    return [Effect("lift", square, "hand", p[0], int(p[1])) for p in pyramids]


def test_effects_of_sowing() -> None:
    check_effects(
        FOUR.parse(cross("d2=tb", "b")),
        "d2",
        [
            *lift("d2", "b0", "t1"),
            Effect("drop", "hand", "d3", "t", 1),
            Effect("drop", "hand", "d4", "b", 0),
        ],
    )


def test_effects_of_sowing_from_the_start() -> None:
    check_effects(
        FOUR.parse(START),
        "d1*2",
        [
            *lift("d1", "b0", "b0"),
            Effect("drop", "hand", "d2", "b", 0),
            Effect("drop", "hand", "d3", "b", 0),
        ],
    )


def test_effects_of_jumping_a_tower() -> None:
    check_effects(
        FOUR.parse(cross("d2=mb,d3=mmmmm", "b")),
        "d2",
        [
            *lift("d2", "b0", "m2"),
            Effect("jump", None, "d3", None, 0),
            Effect("drop", "hand", "d4", "m", 2),
            Effect("drop", "hand", "d5", "b", 0),
        ],
    )


def test_effects_of_arriving() -> None:
    """What is left in the hand goes home or is left, bottom first."""
    check_effects(
        FOUR.parse(cross("e3=tmbb", "b")),
        "e3",
        [
            *lift("e3", "b0", "b0", "m2", "t1"),
            Effect("drop", "hand", "e2", "t", 1),
            Effect("arrive", None, "e1", None, 0),
            Effect("leave", "hand", "e1", "m", 2),
            Effect("home", "hand", "home:b", "b", 0),
            Effect("home", "hand", "home:b", "b", 0),
        ],
    )


def test_effects_of_bringing_another_home() -> None:
    check_effects(
        FOUR.parse(cross("d8=mb,d2=mmmmm,d3=mm", "b")),
        "d8",
        [
            *lift("d8", "b0", "m2"),
            Effect("home", "hand", "home:m", "m", 2),
            Effect("drop", "hand", "e7", "b", 0),
        ],
    )


def test_effects_of_a_stray() -> None:
    """First the way to the centre is told, even if a tower on it is jumped."""
    check_effects(
        FOUR.parse(cross("d6=bt,d5=mmmmm", "t")),
        "d6",
        [
            Effect("stray", "d6", "d5", None, 1),
            *lift("d6", "t1", "b0"),
            Effect("jump", None, "d5", None, 1),
            Effect("drop", "hand", "e5", "b", 0),
            Effect("drop", "hand", "f5", "t", 1),
        ],
    )


def test_effects_of_passing() -> None:
    check_effects(FOUR.parse(BURIED), "pass", [Effect("pass", None, None, None, 0)])


def test_effects_name_the_seats_of_two_players() -> None:
    """Cream is seat 2 in a game of turquoise and cream."""
    position = TC.parse("a5=ttttttt,c5=ct,h5=ccccccc t0c0 t 0")
    check_effects(
        position,
        "c5",
        [
            *lift("c5", "t0", "c1"),
            Effect("drop", "hand", "d5", "c", 1),
            Effect("drop", "hand", "e5", "t", 0),
        ],
    )
