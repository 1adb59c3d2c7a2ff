"""Objectif: what is refused, and who knows what."""

import pytest

import benben
from tests.games import check_impossible, check_malformed, check_over, check_refusal
from tests.games.test_objectif import FAIR_STOCK, FOUR, START, THREE, TWO, laid

BAG = benben.game("objectif")  # stocks drawn from the bag
FULL = f"{FAIR_STOCK}|{FAIR_STOCK}"
OVER = laid({}, "-|-", 1, "gp")


# ---- Illegal moves


@pytest.mark.parametrize(
    ("text", "move", "rule", "colour", "place"),
    [
        pytest.param(OVER, "o@2", "game-over", "o", 2, id="every Pièce has been played"),
        pytest.param(str(START), "o@17", "no-such-place", "o", 17, id="two players: 16 places"),
        pytest.param(str(START), "o@24", "no-such-place", "o", 24, id="places of four players"),
        pytest.param(str(START), "y@1", "not-in-stock", "y", 1, id="a colour in the box"),
        pytest.param(
            laid({2: "gO", 6: "gO"}, "OOGGGBBBPPP|OOGGGBBBPPP", 1, "gp"),
            "o@1",
            "case-colour",
            "o",
            1,
            id="a bare Case of that colour",
        ),
        pytest.param(
            laid(
                {2: "gO", 6: "gO", 10: "gO", 1: "oB", 5: "oB", 9: "oB"},
                "GGGBBBPPP|OOOGGGPPP",
                1,
                "gp",
            ),
            "o@2",
            "not-in-stock",
            "o",
            2,
            id="the own ones are used up, the other has three",
        ),
        pytest.param(str(START), "p@16", "case-colour", "p", 16, id="the last place"),
    ],
)
def test_illegal_moves(text: str, move: str, rule: str, colour: str, place: int) -> None:
    position = TWO.parse(text)
    check_refusal(position, move, rule, {"seat": 1, "colour": colour, "place": place})


def test_a_refusal_names_the_seat() -> None:
    check_refusal(START.play("o@2"), "b@3", "case-colour", {"seat": 2, "colour": "b", "place": 3})


@pytest.mark.parametrize(
    "move",
    ["", "o", "@2", "o@", "o@0", "o@99", "o@02", "O@2", "x@2", "o2", " o@2", "o@2 ", "o@-1", "=o"],
)
def test_malformed_moves(move: str) -> None:
    check_malformed(START, move)


# ---- Impossible positions


@pytest.mark.parametrize(
    ("game", "text", "offence"),
    [
        (BAG, laid({}, FULL, 3, "gp"), "number-out-of-range"),
        (BAG, laid({}, FULL, 0, "gp"), "number-out-of-range"),
        (BAG, laid({}, FULL, 1, "gp").replace("o/g/", "o//", 1), "no-case"),
        (BAG, laid({1: "oO"}, "OOGGGBBBPPP|OOOGGGBBBPPP", 2, "gp"), "same-colour-beneath"),
        (BAG, laid({1: "oGG"}, "OOOGGBBBPPP|OOOGGBBBPPP", 1, "gp"), "same-colour-beneath"),
        (BAG, laid({}, "OOOOOOOGGGGG|GBBBBBBPPPPPP", 1, "gp"), "too-many-pieces"),
        (BAG, laid({}, "OOOOGGGBBBPP|OOOGGGBBBPPP", 1, "gp"), "too-many-pieces"),
        (BAG, laid({2: "gO"}, "OOOGGGBBBPP|OOOGGGBBBPPP", 2, "gp"), "too-many-pieces"),
        (BAG, laid({1: "oY", 2: "gY"}, "OOOGGGBBBPP|OOOGGGBBBPP", 1, "gp"), "too-many-pieces"),
        (BAG, laid({}, "OOOGGGBBBPPY|OOOGGGBBBPPY", 1, "gp"), "too-many-pieces"),
        (BAG, laid({1: "o" + "GO" * 19}, "-|-", 1, "gp"), "too-many-pieces"),
        (TWO, laid({}, "OOOOGGBBBPPP|OOGGGGBBBPPP", 1, "gp"), "too-many-pieces"),
        (BAG, laid({}, FULL, 1, "gp").replace("o", "g", 1), "wrong-cases"),
        (BAG, laid({}, FULL, 1, "gp").replace("p", "y", 1), "wrong-cases"),
        (BAG, laid({}, "OOGGGBBBPPP|OOOGGGBBBPPP", 2, "gp"), "odd-pieces-gone"),
        (BAG, laid({}, "OOGGGBBBPPP|OOOGGGBBBPP", 1, "gp"), "odd-pieces-gone"),
        (BAG, laid({2: "gO"}, "OOGGGBBBPPP|OOOGGGBBBPPP", 1, "gp"), "stocks-out-of-turn"),
        (BAG, laid({}, "OGGGBBBPPP|OOOGGGBBBPPP", 2, "gp"), "stocks-out-of-turn"),
        (BAG, laid({}, "OOOGGGBBBPPPP|OOOGGGBBBPP", 1, "gp"), "stocks-out-of-turn"),
        (BAG, laid({}, FULL, 1, "gy"), "goal-not-in-game"),
        (BAG, laid({}, FULL, 1, "gg"), "same-goal"),
        (THREE, laid({}, "OOGGBBPPYY|OOGGBBPPYY|OOGGBBPPYY", 1, "ogo"), "same-goal"),
        (THREE, laid({}, "OOGGBBPPY|OOGGBBPPYY|OOGGBBPPYY", 1, "ogb"), "odd-pieces-gone"),
        (
            THREE,
            laid({1: "oY", 3: "bY"}, "OOGGBBPPY|OOGGBBPPYY|OOGGBBPPY", 1, "ogb"),
            "stocks-out-of-turn",
        ),
        (FOUR, laid({}, "-|-|-|-", 1, "oggb"), "same-goal"),
    ],
)
def test_impossible_positions(game: benben.Game, text: str, offence: str) -> None:
    check_impossible(game, text, offence)


def test_what_fair_stocks_forbid_the_bag_allows() -> None:
    """Four oranges in one stock can be drawn, but not dealt fairly."""
    text = laid({}, "OOOOGGBBBPPP|OOGGGGBBBPPP", 1, "gp")
    assert str(BAG.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "o/g",
        laid({}, FULL, 1, "gp") + " ",
        laid({}, FULL, 1, "gp").replace(" ", "  ", 1),
        laid({}, FULL, 1, "gp") + " 0",
        laid({}, FULL, 1, "gp").removeprefix("o/"),
        "o/" + laid({}, FULL, 1, "gp"),
        laid({}, FULL, 1, "gp").replace("o", "x", 1),
        laid({}, FULL, 1, "gp").replace("o", "O", 1),
        laid({}, FULL, 1, "gp").replace("o/", "og/", 1),
        laid({}, FAIR_STOCK, 1, "gp"),
        laid({}, f"{FULL}|-", 1, "gp"),
        laid({}, "OOOGGGBBBPPP|GGGOOOBBBPPP", 1, "gp"),
        laid({}, "OOOGGGBBBPPP|OOOGGGBBBPPp", 1, "gp"),
        laid({}, "-|", 1, "gp"),
        laid({}, FULL, 1, "gp").replace(" 1 ", " 01 "),
        laid({}, FULL, 1, "gp").replace(" 1 ", " x "),
        laid({}, FULL, 1, "gp").replace(" 1 ", " -1 "),
        laid({}, FULL, 1, "gp").replace("gp", "g"),
        laid({}, FULL, 1, "gp").replace("gp", "gpb"),
        laid({}, FULL, 1, "gp").replace("gp", "GP"),
        laid({}, FULL, 1, "gp").replace("gp", "gx"),
    ],
)
def test_badly_written_positions(text: str) -> None:
    with pytest.raises(benben.BadNotation):
        BAG.parse(text)


# ---- Who knows what


def test_a_player_knows_the_own_objectif_only() -> None:
    assert str(START.view(0)) == laid({}, FULL, 1, "g?")
    assert str(START.view(1)) == laid({}, FULL, 1, "?p")


def test_spectators_know_no_objectif() -> None:
    assert str(START.view(None)) == laid({}, FULL, 1, "??")


def test_everything_else_is_public() -> None:
    later = START.play("o@2")
    for seat in (0, 1, None):
        view = later.view(seat)
        assert str(view).split(" ")[:3] == str(later).split(" ")[:3]
        assert view.moves() == later.moves()
        assert view.to_move == 1
        assert view.result is None
        assert view.drawing() == later.drawing()


def test_a_view_does_not_depend_on_what_is_hidden() -> None:
    """Whatever the other's Objectif, the seat sees the same; so does a spectator."""
    other = TWO.parse(laid({}, FULL, 1, "gb"))
    assert START.view(0) == other.view(0)
    assert START.view(None) == other.view(None)
    assert START.view(1) != other.view(1)
    assert other != START


def test_three_and_four_players_see_one_objectif_each() -> None:
    for game in (THREE, FOUR):
        position = game.deal(5)
        goals = str(position).split(" ")[3]
        for seat in range(game.players):
            seen = "?" * seat + goals[seat] + "?" * (game.players - seat - 1)
            assert str(position.view(seat)).split(" ")[3] == seen
        assert str(position.view(None)).split(" ")[3] == "?" * game.players


def test_at_the_end_all_objectifs_are_shown() -> None:
    last = TWO.parse(laid({1: "oG"}, "-|G", 2, "gp"))
    assert str(last.view(0)).endswith(" g?")
    over = last.play("g@5")
    check_over(over, (1.0, 0.0), "most-places")
    for seat in (0, 1, None):
        assert str(over.view(seat)) == str(over)
        assert over.view(seat).result == over.result
        assert TWO.parse_view(str(over), seat) == over.view(seat)


@pytest.mark.parametrize("goals", ["g?", "?p", "??"])
def test_only_a_view_may_have_unknown_goals(goals: str) -> None:
    text = laid({}, FULL, 1, goals)
    with pytest.raises(benben.BadNotation):
        TWO.parse(text)
    assert str(TWO.parse_view(text, {"g?": 0, "?p": 1}.get(goals))) == text


@pytest.mark.parametrize("seat", [0, 1, None])
def test_views_are_read_back(seat: int | None) -> None:
    view = START.play("o@2").view(seat)
    assert TWO.parse_view(str(view), seat) == view


@pytest.mark.parametrize(
    ("text", "offence"),
    [
        pytest.param(laid({}, FULL, 1, "gp"), "goals-seen", id="before the end"),
        pytest.param(laid({}, "-|-", 1, "g?"), "goals-hidden", id="at the end"),
        pytest.param(laid({}, "-|-", 1, "??"), "goals-hidden", id="at the end, a spectator"),
        pytest.param(laid({}, FULL, 1, "y?"), "goal-not-in-game", id="a goal in the box"),
        pytest.param(laid({}, FULL, 3, "g?"), "number-out-of-range", id="no such seat"),
    ],
)
def test_impossible_views(text: str, offence: str) -> None:
    with pytest.raises(benben.ImpossiblePosition) as caught:
        TWO.parse_view(text, 0)
    assert caught.value.offence == offence


@pytest.mark.parametrize(("goals", "seat"), [("?p", 0), ("g?", 1)])
def test_no_seat_sees_the_objectif_of_another(goals: str, seat: int) -> None:
    """A player knows the own Objectif, so a view of the other's is no view of this seat."""
    with pytest.raises(benben.ImpossiblePosition) as caught:
        TWO.parse_view(laid({}, FULL, 1, goals), seat)
    assert caught.value.offence == "too-much-seen"


@pytest.mark.parametrize("seat", [-1, 2])
def test_nobody_looks_from_a_seat_that_is_not_there(seat: int) -> None:
    with pytest.raises(IndexError):
        START.view(seat)
    with pytest.raises(IndexError):
        TWO.parse_view(laid({}, FULL, 1, "g?"), seat)
