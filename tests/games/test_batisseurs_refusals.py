"""Bâtisseurs: what is refused, and the steps of every kind of move."""

import pytest

import benben
from benben import Effect
from tests.games import check_effects, check_impossible, check_malformed, check_refusal, played
from tests.games.test_batisseurs import ALL, BUT_ONE, EMPTY, FREE, START, board, built

COMPLETE = f"{BUT_ONE[:-1]}o"
OVER = f"{COMPLETE}|{EMPTY} 1 aabcd 5 1"
THROWN = built("a1 a2 a3", rest="aabbcf 6 0")
SECOND = f"{board('a1 a2')}|{board('a1', 'a2')} 2 - 5 0"


# ---- Illegal moves


@pytest.mark.parametrize(
    ("game", "text", "move", "rule", "parameters"),
    [
        (ALL, OVER, "a1", "game-over", {"seat": 1, "place": "a1"}),
        (ALL, OVER, "stop", "game-over", {"seat": 1}),
        (ALL, OVER, "=aaaaa", "game-over", {"seat": 1, "dice": "aaaaa"}),
        (ALL, START, "a1", "throw-due", {"seat": 1, "place": "a1"}),
        (ALL, START, "roll", "throw-due", {"seat": 1}),
        (ALL, SECOND, "stop", "throw-due", {"seat": 2}),
        (ALL, THROWN, "=abcdef", "no-throw-due", {"seat": 1, "dice": "abcdef"}),
        (ALL, START, "=aaaaa", "wrong-dice", {"seat": 1, "dice": "aaaaa"}),
        (ALL, SECOND, "=aaaaaa", "wrong-dice", {"seat": 2, "dice": "aaaaaa"}),
        (ALL, THROWN, "a2", "place-taken", {"seat": 1, "place": "a2"}),
        (
            ALL,
            built("a1", "a2", "abcde 5 1"),
            "a2",
            "place-taken",
            {"seat": 1, "place": "a2"},
        ),
        (ALL, THROWN, "b3", "no-support", {"seat": 1, "place": "b3"}),
        (ALL, THROWN, "c1", "no-support", {"seat": 1, "place": "c1"}),
        (ALL, THROWN, "f1", "no-support", {"seat": 1, "place": "f1"}),
        (
            ALL,
            built("a1 a2", rest="bccddd 6 0"),
            "a3",
            "no-such-die",
            {"seat": 1, "place": "a3"},
        ),
        (ALL, THROWN, "stop", "place-first", {"seat": 1}),
        (ALL, THROWN, "roll", "place-first", {"seat": 1}),
        (FREE, THROWN, "stop", "place-first", {"seat": 1}),
        (FREE, built(dots="a1", rest="aabbb 5 0"), "roll", "place-first", {"seat": 1}),
        (ALL, built(dots="a1", rest="aabbb 5 1"), "stop", "place-all", {"seat": 1}),
        (ALL, built(dots="a1", rest="aabbb 5 1"), "roll", "place-all", {"seat": 1}),
    ],
)
def test_illegal_moves(
    game: benben.Game, text: str, move: str, rule: str, parameters: dict[str, str | int]
) -> None:
    check_refusal(game.parse(text), move, rule, parameters)


@pytest.mark.parametrize("text", [START, THROWN])
@pytest.mark.parametrize(
    "move",
    [
        "",
        "a0",
        "a7",
        "b6",
        "f2",
        "g1",
        "A1",
        "a",
        "a1 ",
        "Roll",
        "pass",
        "=",
        "=g",
        "=ba",
        "=aaaaaaa",
        "=AABBCC",
        "aabbcf",
        "= aabbcf",
    ],
)
def test_malformed_moves(text: str, move: str) -> None:
    check_malformed(ALL.parse(text), move)


# ---- Impossible positions


@pytest.mark.parametrize(
    ("text", "offence"),
    [
        (f"{EMPTY}|{EMPTY} 3 - 6 0", "number-out-of-range"),
        (f"{EMPTY}|{EMPTY} 0 - 6 0", "number-out-of-range"),
        (built(rest="- 7 0"), "number-out-of-range"),
        (built(rest="- 6 7"), "number-out-of-range"),
        (built(rest="aaaaaaa 6 0"), "wrong-dice"),
        (built(rest="aaaaa 6 0"), "wrong-dice"),
        (built(rest="- 5 0"), "wrong-dice"),
        (built(dots="a1", rest="- 6 0"), "wrong-dice"),
        (built(dots="a1", rest="aaaa 5 1"), "wrong-dice"),
        (built("a1 a2 a3", "a4 a5 b1 b2 b3 c1 c2", "- 0 0"), "wrong-dice"),
        (f"{EMPTY}|{board(dots='a1')} 1 - 6 0", "dots-out-of-turn"),
        (f"{board(dots='a1')}|{board(dots='a1')} 2 - 5 0", "dots-out-of-turn"),
        (built("b1"), "block-on-air"),
        (built("a1 b1"), "block-on-air"),
        (built("a2 a3 b1"), "block-on-air"),
        (built("a1 a2 a3 b1 c1"), "block-on-air"),
        (built("a1", "b1", "- 5 0"), "block-on-air"),
        (built("a1 b1", "a2", "- 5 0"), "block-on-air"),
        (f"{EMPTY}|{board('f1')} 1 - 6 0", "block-on-air"),
        (f"{BUT_ONE[:-1]}x|{EMPTY} 1 - 6 0", "over-before"),
        (f"{EMPTY}|{BUT_ONE[:-1]}x 1 - 6 0", "over-before"),
        (built(dots="a1", rest="aaaaa 5 2"), "placed-without-dot"),
        (built(rest="aaaaaa 6 1"), "placed-without-dot"),
        (built(rest="ffffff 6 0"), "nothing-to-place"),
        (built("a1 a2", "b1", "bcdef 5 0"), "nothing-to-place"),
        (f"{COMPLETE}|{EMPTY} 1 aabcd 5 0", "nothing-to-place"),
        (f"{COMPLETE}|{EMPTY} 1 - 5 1", "nothing-to-place"),
        (f"xxxxxx/xxxxx/xxxx/ooo/oo/o|{EMPTY} 1 - 0 0", "nothing-to-place"),
        (built(dots="a1 a2 b1 a3 a4 a5", rest="- 0 1"), "turn-is-over"),
        (built(dots="a1 a2", rest="- 4 1"), "placed-before-throw"),
    ],
)
def test_impossible_positions(text: str, offence: str) -> None:
    check_impossible(ALL, text, offence)


@pytest.mark.parametrize(
    "text",
    [
        "",
        START + " ",
        START.replace(" ", "  ", 1),
        START.removesuffix(" 0"),
        EMPTY + " 1 - 6 0",
        f"{EMPTY}|{START}",
        START.replace("....../", "....../....../", 1),
        START.replace("....../", "...../", 1),
        START.replace("/.|", "/..|"),
        START.replace(".", "X", 1),
        START.replace(".", "?", 1),
        START.replace(" 1 ", " w "),
        START.replace(" 1 ", " 01 "),
        START.replace("- 6", "-6 6"),
        START.replace("- 6 0", "abcdeg 6 0"),
        START.replace("- 6 0", "ABCDEF 6 0"),
        START.replace("- 6 0", "fedcba 6 0"),
        START.replace("- 6 0", "- 06 0"),
        START.replace("- 6 0", "- 6 -"),
    ],
)
def test_badly_written_positions(text: str) -> None:
    with pytest.raises(benben.BadNotation):
        ALL.parse(text)


# ---- Effects


def dice(kind: str, faces: str, seat: int) -> list[Effect]:
    """Dice thrown on the table, or taken up from it, face by face."""
    source, target = (None, "dice") if kind == "die" else ("dice", None)
    return [Effect(kind, source, target, face, seat) for face in faces]


def test_effects_of_a_throw() -> None:
    check_effects(ALL.parse(START), "=aabcef", dice("die", "aabcef", 0))


def test_effects_of_a_throw_that_places_nothing() -> None:
    """The dice fall, the turn is over, the blocks of this turn are lost, the dice taken up."""
    position = ALL.parse(f"{EMPTY}|{board('a1 a2', 'a3 b1')} 2 - 4 0")
    check_effects(
        position,
        "=deff",
        [
            *dice("die", "deff", 1),
            Effect("bust", None, None, None, 1),
            Effect("lose", "2:a3", None, "o", 1),
            Effect("lose", "2:b1", None, "o", 1),
            *dice("gather", "deff", 1),
        ],
    )


def test_effects_of_placing() -> None:
    check_effects(
        ALL.parse(THROWN),
        "b2",
        [Effect("use", "dice", None, "b", 0), Effect("place", None, "1:b2", "o", 0)],
    )


def test_effects_of_rolling() -> None:
    position = ALL.parse(built("a1", "a2 b1", "ddff 4 2"))
    check_effects(position, "roll", dice("gather", "ddff", 0))


def test_effects_of_stopping() -> None:
    """Each block is turned to its plain side, then the dice are taken up."""
    check_effects(
        ALL.parse(built("a1", "a2 b1", "ddff 4 2")),
        "stop",
        [
            Effect("win", "1:a2", "1:a2", "x", 0),
            Effect("win", "1:b1", "1:b1", "x", 0),
            *dice("gather", "ddff", 0),
        ],
    )


def test_effects_of_the_automatic_stop() -> None:
    """The sixth die is used: all blocks of this turn are won without a further move."""
    check_effects(
        ALL.parse(built(dots="a1 a2 a3 a4 b1", rest="a 1 2")),
        "a5",
        [
            Effect("use", "dice", None, "a", 0),
            Effect("place", None, "1:a5", "o", 0),
            *(
                Effect("win", f"1:{place}", f"1:{place}", "x", 0)
                for place in "a1 a2 a3 a4 a5 b1".split()
            ),
        ],
    )


def test_effects_of_the_last_block() -> None:
    """The game is over at once: no block is turned, no die taken up."""
    position = played(ALL.parse(f"{BUT_ONE}|{EMPTY} 1 - 6 0"), "=aabcdf")
    check_effects(
        position,
        "f1",
        [Effect("use", "dice", None, "f", 0), Effect("place", None, "1:f1", "o", 0)],
    )
