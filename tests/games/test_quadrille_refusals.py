"""Quadrille: what is refused, and the steps of every kind of move."""

import pytest

import benben
from benben import Effect
from tests.games import check_effects, check_impossible, check_malformed, check_refusal
from tests.games.test_quadrille import (
    CENTRE,
    GAME,
    LIFTED,
    NO_ROOM,
    NO_ROOM_LEFT,
    PLACED,
    READY,
    START,
    STEPPED,
    regular,
    sparse,
)

ONE_PAWN = regular("", "a1 - b pawn - - 0")
CROWDED = regular("a1=- h6=- d4=yb", "a2,c4 d4,h5 w step y - 0")
SECOND_TOKEN = regular("a1=- h6=- d4=yb a2=-", "a3,c1 f6,h5 w token y o 0")
STUCK = sparse("a2=b b1=r g1=y h1=y", "a2,b1 g1,h1 b step b - 0")
DRAWN = regular("h6=- e6=- c3=bo", "a2,d3 e1,g1 b step y - 50")


# ---- Illegal moves


@pytest.mark.parametrize(
    ("text", "move", "rule", "seat"),
    [
        (STUCK, "g1f1", "game-over", 2),
        (STUCK, "+f1", "game-over", 2),
        (DRAWN, "e1e2", "game-over", 2),
        (START, "c3d4", "pawns-first", 1),
        (START, "+c3", "pawns-first", 1),
        (READY, "@d4", "pawns-placed", 1),
        (LIFTED, "@d4", "pawns-placed", 2),
        (STEPPED, "+d4", "step-first", 2),
        (READY, "+d4", "step-first", 1),
        (LIFTED, "f6f5", "token-first", 2),
        (PLACED, "a2a1", "hole", 1),
        (LIFTED, "+a1", "hole", 2),
        (LIFTED, "+h6", "hole", 2),
        (ONE_PAWN, "@a1", "occupied", 2),
        (CROWDED, "c4d4", "occupied", 1),
        (NO_ROOM, "a1a2", "occupied", 1),
        (LIFTED, "+f6", "occupied", 2),
        (LIFTED, "+a2", "occupied", 2),
        (ONE_PAWN, "@c1", "colour-not-free", 2),
        (READY, "a1b2", "colour-not-free", 1),
        (PLACED, "c1d1", "colour-not-free", 1),
        (READY, "h6h5", "not-your-pawn", 1),
        (READY, "d4d5", "not-your-pawn", 1),
        (READY, "a1a3", "not-a-step", 1),
        (READY, "a1a1", "not-a-step", 1),
        (READY, "c1e3", "not-a-step", 1),
        (READY, "a1h1", "not-a-step", 1),
        (SECOND_TOKEN, "+d4", "two-tokens", 1),
        (SECOND_TOKEN, "+b2", "same-colour", 1),
        (LIFTED, "+g5", "same-colour", 2),
    ],
)
def test_illegal_moves(text: str, move: str, rule: str, seat: int) -> None:
    squares = {"to": move[1:]} if move[0] in "@+" else {"from": move[:2], "to": move[2:]}
    check_refusal(GAME.parse(text), move, rule, {"seat": seat, **squares})


@pytest.mark.parametrize("text", [START, READY, LIFTED])
@pytest.mark.parametrize(
    "move",
    [
        "",
        "@",
        "@c7",
        "@i1",
        "@c0",
        "c3",
        "c3d",
        "c3-d4",
        "C3D4",
        "+",
        "+c9",
        "@c3 ",
        "pass",
        "c3i4",
    ],
)
def test_malformed_moves(text: str, move: str) -> None:
    check_malformed(GAME.parse(text), move)


# ---- Impossible positions


@pytest.mark.parametrize(
    ("text", "offence"),
    [
        pytest.param(regular("a1=- b1=rr", "c1,e1 f6,h6 b step b - 0"), "same-colour", id="r on r"),
        pytest.param(regular("", "a1,a1 f6,h6 w step - - 0"), "two-pawns", id="one square, white"),
        pytest.param(regular("", "a1,c1 a1,h6 w step - - 0"), "two-pawns", id="one square, both"),
        pytest.param(regular("a1=-", "a1,c1 f6,h6 b step b - 0"), "pawn-on-hole", id="a hole"),
        pytest.param(regular("b1=b", "- - w pawn - - 0"), "too-many-tokens", id="13 blues"),
        pytest.param(regular("", "a1,c1 f6,h6 w step b - 0"), "too-many-tokens", id="13 with hand"),
        pytest.param(
            regular("a1=-", "a2,c1 f6,h5 b token b y 0"), "too-many-tokens", id="13 with gift"
        ),
        pytest.param(regular("a2=or", "- - w pawn - - 0"), "too-many-tokens", id="13 with two"),
        pytest.param(regular("", "- a1 w pawn - - 0"), "wrong-pawns", id="black first"),
        pytest.param(regular("", "a1 - w pawn - - 0"), "wrong-pawns", id="white twice"),
        pytest.param(regular("", "a1,c1 - b pawn - - 0"), "wrong-pawns", id="white has put two"),
        pytest.param(regular("", "- - b pawn - - 0"), "wrong-pawns", id="black begins"),
        pytest.param(regular("", "a1,c1 h6 w pawn - - 0"), "wrong-pawns", id="black's pawn next"),
        pytest.param(regular("", "a1,c1 f6,h6 w pawn - - 0"), "wrong-pawns", id="all are put"),
        pytest.param(regular("", "a1,c1 h6 w step - - 0"), "wrong-pawns", id="one too few"),
        pytest.param(regular("", "a1,c1,e1 f6,h6 w step - - 0"), "wrong-pawns", id="one too many"),
        pytest.param(regular("", "a1,c1 e1,h6 w step - - 0"), "colour-not-free", id="both on blue"),
        pytest.param(regular("", "a1 c1 w pawn - - 0"), "colour-not-free", id="both put on blue"),
        pytest.param(regular("a1=-", "- - w pawn - - 0"), "tokens-moved", id="a hole too soon"),
        pytest.param(regular("", "- - w pawn - - 3"), "tokens-moved", id="steps too soon"),
        pytest.param(
            regular("a1=- b1=rb", "c1,e1 f6,h6 w step - - 0"), "tokens-moved", id="two too soon"
        ),
        pytest.param(regular("", "a1,c1 f6,h6 b step - - 0"), "no-token", id="black without"),
        pytest.param(
            regular("a1=-", "a2,c1 f6,h6 w token - b 0"), "no-token", id="nothing to place"
        ),
        pytest.param(
            regular("a1=- a2=-", "a3,c1 f6,h6 b step b o 0"), "wrong-gift", id="a gift too soon"
        ),
        pytest.param(regular("a1=- h6=-", "a2,c1 f6,h5 b token b - 0"), "wrong-gift", id="no gift"),
        pytest.param(
            sparse("a2=b b1=r f1=by g1=y h1=y", "a2,b1 g1,h1 w token r b 0"),
            "no-square",
            id="Ruling 4 applies",
        ),
        pytest.param(
            regular("h6=- e6=- c3=by", "a2,c3 e1,g1 w step o - 51"),
            "number-out-of-range",
            id="51 quiet steps",
        ),
    ],
)
def test_impossible_positions(text: str, offence: str) -> None:
    check_impossible(GAME, text, offence)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(regular("a1=- b2=-", "a2,c1 f6,h6 b step b - 0"), id="step"),
        pytest.param(regular("a1=- h6=- d5=-", "a2,c1 f6,h5 b token b y 0"), id="token"),
    ],
)
def test_no_token_is_lost_while_there_is_room(text: str) -> None:
    """One token is missing, though nearly every square would have taken it (Ruling 4)."""
    with pytest.raises(benben.ImpossiblePosition):
        GAME.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        START + " ",
        START.replace(" ", "  ", 1),
        START.removesuffix(" 0"),
        START.replace("/brbrbrbr", "", 1),
        START.replace("oyoyoyoy", "oyoyoyo", 1),
        START.replace("oyoyoyoy", "oyoyoyoyo", 1),
        START.replace("o", "x", 1),
        START.replace("o", "B", 1),
        START.replace("o", "(o)", 1),
        START.replace("o", "(ory)", 1),
        START.replace("o", "(or", 1),
        START.replace("o", "()", 1),
        START.replace("o", "(o.)", 1),
        READY.replace("a1,c1", "c1,a1"),
        READY.replace("a1,c1", "a1c1"),
        READY.replace("a1,c1", "a1,i1"),
        READY.replace("a1,c1", "a1,c7"),
        START.replace(" w ", " x "),
        START.replace(" w ", " 1 "),
        START.replace("pawn", "pawns"),
        START.replace("pawn - -", "pawn x -"),
        START.replace("pawn - -", "pawn - x"),
        START.replace("pawn - -", "pawn ? -"),
        START.replace("- 0", "- 00"),
        START.replace("- 0", "- -1"),
    ],
)
def test_badly_written_positions(text: str) -> None:
    with pytest.raises(benben.BadNotation):
        GAME.parse(text)


# ---- Effects


def test_effects_of_putting_a_pawn() -> None:
    check_effects(GAME.parse(START), "@c3", [Effect("put", "pawns:w", "c3", "W", 0)])
    check_effects(GAME.parse(ONE_PAWN), "@h6", [Effect("put", "pawns:b", "h6", "B", 1)])


def test_effects_of_the_first_step() -> None:
    """There is no token to place: the one lifted is given at once."""
    check_effects(
        GAME.parse(READY),
        "a1a2",
        [
            Effect("step", "a1", "a2", "W", 0),
            Effect("lift", "a1", "gift", "b", None),
            Effect("hole", None, "a1", None, None),
            Effect("give", "gift", "hand", "b", 1),
        ],
    )


def test_effects_of_a_step_that_makes_a_hole() -> None:
    """The token in hand is placed in a move of its own."""
    check_effects(
        GAME.parse(STEPPED),
        "h6h5",
        [
            Effect("step", "h6", "h5", "B", 1),
            Effect("lift", "h6", "gift", "y", None),
            Effect("hole", None, "h6", None, None),
        ],
    )


def test_effects_of_a_step_that_leaves_a_token() -> None:
    check_effects(
        GAME.parse(CENTRE),
        "c3d3",
        [Effect("step", "c3", "d3", "W", 0), Effect("lift", "c3", "gift", "y", None)],
    )


def test_effects_of_placing_a_token() -> None:
    """Then the gift goes to the opponent."""
    check_effects(
        GAME.parse(LIFTED),
        "+d4",
        [Effect("place", "hand", "d4", "b", None), Effect("give", "gift", "hand", "y", 0)],
    )


def test_effects_of_a_token_leaving_the_game() -> None:
    check_effects(
        GAME.parse(NO_ROOM),
        "a1b1",
        [
            Effect("step", "a1", "b1", "W", 0),
            Effect("lift", "a1", "gift", "b", None),
            Effect("hole", None, "a1", None, None),
            Effect("discard", "hand", None, "r", None),
            Effect("give", "gift", "hand", "b", 1),
        ],
    )


def test_effects_of_a_token_leaving_the_game_without_a_hole() -> None:
    check_effects(
        GAME.parse(NO_ROOM_LEFT),
        "a1b1",
        [
            Effect("step", "a1", "b1", "W", 0),
            Effect("lift", "a1", "gift", "b", None),
            Effect("discard", "hand", None, "r", None),
            Effect("give", "gift", "hand", "b", 1),
        ],
    )
