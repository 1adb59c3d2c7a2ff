"""Objectif: the rules, rulings and worked examples of its rulebook."""

import pytest

import benben
from benben import Effect
from tests.games import check_effects, check_over, check_refusal, played

TWO = benben.game("objectif", mode="fair")
THREE = benben.game("objectif", players=3)
FOUR = benben.game("objectif", players=4)
FAIR_STOCK = "OOOGGGBBBPPP"
COLOURS = {2: "ogbp", 3: "ogbpy", 4: "ogbpyv"}


def laid(piles: dict[int, str], stocks: str, turn: int, goals: str) -> str:
    """A position: the Cases of the colours, in turn, with piles (Case included) on some."""
    players = len(goals)
    places = list(COLOURS[players] * 4)
    for place, pile in piles.items():
        assert pile[0] == places[place - 1]
        places[place - 1] = pile
    return f"{'/'.join(places)} {stocks} {turn} {goals}"


START = TWO.parse(laid({}, f"{FAIR_STOCK}|{FAIR_STOCK}", 1, "gp"))


def place(position: benben.Position, number: int) -> str:
    return str(position).split(" ")[0].split("/")[number - 1]


def over(goals: str, piles: dict[int, str]) -> benben.Position:
    """A finished game: every Pièce has been played, and those not shown have been cancelled."""
    players = len(goals)
    game = {2: benben.game("objectif"), 3: THREE, 4: FOUR}[players]
    return game.parse(laid(piles, "|".join("-" * players), 1, goals))


# ---- Worked examples


def test_example_an_orange_piece_makes_a_green_case_orange() -> None:
    """g becomes gO."""
    assert place(START, 2) == "g"
    assert place(START.play("o@2"), 2) == "gO"


def test_example_a_second_blue_takes_both_blues_away() -> None:
    """gO becomes gOB, and with another blue gO again."""
    covered = played(START, "o@2", "b@2")
    assert place(covered, 2) == "gOB"
    assert place(covered.play("b@2"), 2) == "gO"


def test_example_back_at_its_case_a_place_refuses_its_colour_again() -> None:
    """gO and an orange leave g, which takes no green Pièce."""
    bare = played(START, "o@2", "b@2", "b@2", "o@2")
    assert str(bare) == laid({}, "OOGGGBBPPP|OOGGGBBPPP", 1, "gp")
    check_refusal(bare, "g@2", "case-colour", {"seat": 1, "colour": "g", "place": 2})


def test_example_text_of_a_view() -> None:
    """The rulebook's example position is what seat 1 sees at the start."""
    text = "o/g/b/p/o/g/b/p/o/g/b/p/o/g/b/p OOOGGGBBBPPP|OOOGGGBBBPPP 1 g?"
    assert str(TWO.parse_view(text, 0)) == text
    assert TWO.parse_view(text, 0) == START.view(0)


# ---- Rules


def test_the_place_takes_the_colour_of_the_piece_and_the_stock_loses_it() -> None:
    assert str(START.play("o@2")) == laid({2: "gO"}, f"OOGGGBBBPPP|{FAIR_STOCK}", 2, "gp")


def test_a_different_colour_goes_on_top_of_a_pile() -> None:
    assert place(played(START, "o@2", "g@2", "o@2", "p@2"), 2) == "gOGOP"


def test_a_pile_takes_its_case_colour_but_the_bare_case_does_not() -> None:
    """Only a bare Case refuses its colour: on gO a green Pièce is welcome."""
    covered = START.play("o@2")
    assert "g@2" not in START.moves()
    assert "g@2" in covered.moves()
    assert place(covered.play("g@2"), 2) == "gOG"


def test_cancelled_pieces_leave_the_game_for_good() -> None:
    cancelled = played(START, "o@2", "o@2")
    assert str(cancelled) == laid({}, "OOGGGBBBPPP|OOGGGBBBPPP", 1, "gp")


def test_a_cancelled_pair_shows_the_piece_beneath() -> None:
    assert place(played(START, "p@1", "b@1", "o@1", "o@1"), 1) == "oPB"


def test_one_plays_from_the_own_stock_only() -> None:
    position = benben.game("objectif").parse(laid({}, "OOOOOOGGGGGG|BBBBBBPPPPPP", 1, "gp"))
    assert {move[0] for move in position.moves()} == {"o", "g"}
    assert {move[0] for move in position.play("o@2").moves()} == {"b", "p"}


def test_ruling_2_places_have_no_neighbours() -> None:
    """Any place will do, wherever the last Pièce went: only bare Cases of its colour refuse it."""
    any_place = {f"{c}@{n}" for c in "ogbp" for n in range(1, 17) if "ogbp"[(n - 1) % 4] != c}
    assert set(START.moves()) == any_place
    assert len(START.moves()) == len(any_place) == 48
    assert set(START.play("o@2").moves()) == any_place | {"g@2"}


def test_cases_never_move() -> None:
    position = benben.game("objectif").deal(3)
    cases = [pile[0] for pile in str(position).split(" ")[0].split("/")]
    while position.to_move is not None:
        moves = position.moves()
        position = position.play(moves[len(moves) // 2])
        assert [pile[0] for pile in str(position).split(" ")[0].split("/")] == cases


@pytest.mark.parametrize(("players", "turns"), [(2, 24), (3, 30), (4, 36)])
def test_a_game_ends_when_every_piece_has_been_played(players: int, turns: int) -> None:
    """24, 30 or 36 turns, clockwise; there is always a legal move and nobody passes."""
    game = benben.game("objectif", players=players)
    for seed in range(5):
        position = game.deal(seed)
        first = position.to_move
        assert first is not None
        for turn in range(turns):
            assert position.to_move == (first + turn) % players
            assert position.result is None
            position = position.play(position.moves()[-1])
        assert position.to_move is None
        assert str(position).split(" ")[1] == "|".join("-" * players)
        assert str(position).split(" ")[2] == str((first + turns) % players + 1)
        assert position.result is not None


def test_the_last_piece_has_a_legal_move() -> None:
    """A lone orange Pièce goes anywhere but on the four orange Cases."""
    last = TWO.parse(laid({2: "gO"}, "-|O", 2, "gp"))
    assert last.moves() == [f"o@{n}" for n in range(1, 17) if n % 4 != 1]


def test_turn_is_clockwise_for_three() -> None:
    text = laid({}, "OOGGBBPPYY|OOGGBBPPYY|OOGGBBPPYY", 3, "ogb")
    position = THREE.parse(text)
    assert position.to_move == 2
    position = position.play("o@2")
    assert position.to_move == 0
    assert position.play("o@3").to_move == 1


def test_piles_have_no_height_limit() -> None:
    """All 24 Pièces may lie on one Case."""
    tall = "p" + "OGBP" * 6
    position = TWO.parse(laid({4: tall[:-1]}, "-|P", 2, "gp")).play("p@4")
    assert str(position) == laid({4: tall}, "-|-", 1, "gp")
    assert TWO.parse(str(position)) == position


def test_piles_have_no_height_limit_for_four() -> None:
    """All 36 may, and two that cancel deep in the game show what lay beneath."""
    tall = "p" + "OGBPYV" * 6
    position = FOUR.parse(laid({4: tall[:-1]}, "-|-|-|V", 4, "ogbp")).play("v@4")
    assert str(position) == laid({4: tall}, "-|-|-|-", 1, "ogbp")
    stocks = "OGB|OGB|PYYV|PYVV"
    high = FOUR.parse(laid({4: tall[:23]}, stocks, 3, "ogbp"))
    assert str(high.play("p@4")) == laid({4: tall[:22]}, "OGB|OGB|YYV|PYVV", 4, "ogbp")
    assert place(played(high, "p@4", "y@4", "b@4"), 4) == tall[:22] + "YB"


def test_ruling_5_yellow_and_violet_are_the_last_two_colours() -> None:
    position = FOUR.deal(1)
    assert set(str(position).split(" ")[0].replace("/", "")) == set("ogbpyv")
    moves = position.moves()
    assert moves == sorted(moves, key=lambda m: ("ogbpyv".index(m[0]), int(m[2:])))


# ---- Results


def test_most_places_of_the_own_colour_wins() -> None:
    """Piles count by their top: green shows six times, pink four."""
    check_over(over("gp", {1: "oG", 5: "oG"}), (1.0, 0.0), "most-places")


def test_bare_cases_count_by_their_own_colour() -> None:
    """Two covered green Cases leave green two, and pink its four bare ones."""
    check_over(over("gp", {2: "gO", 6: "gO"}), (0.0, 1.0), "most-places")


def test_most_places_comes_before_piles_and_height() -> None:
    """Pink has the only piles, tall ones, but one place fewer."""
    piles = {4: "pO", 8: "pB", 12: "pO", 3: "bOGP", 7: "bGOP", 1: "oB"}
    check_over(over("gp", piles), (1.0, 0.0), "most-places")


def test_a_buried_colour_counts_nothing() -> None:
    check_over(over("gp", {1: "oGB", 5: "oGB", 3: "bP", 7: "bP"}), (0.0, 1.0), "most-places")


def test_first_tie_break_most_piles() -> None:
    """Four places each: two of green's are piles, none of pink's."""
    piles = {1: "oG", 5: "oG", 2: "gO", 6: "gO"}
    check_over(over("gp", piles), (1.0, 0.0), "most-piles")


def test_most_piles_comes_before_the_tallest() -> None:
    """Pink's one pile is three high, but green has two."""
    piles = {1: "oG", 5: "oG", 2: "gO", 3: "bPOP"}
    check_over(over("gp", piles), (1.0, 0.0), "most-piles")


def test_ruling_3_the_tallest_own_pile() -> None:
    """Six places, two piles each; pink's are two Pièces high, green's one."""
    piles = {1: "oG", 5: "oG", 3: "bOP", 7: "bOP"}
    check_over(over("gp", piles), (0.0, 1.0), "tallest-pile")


def test_ruling_3_only_the_tallest_pile_of_each_is_compared() -> None:
    """Green's piles are 4 and 1 high, pink's 3 and 3: the tallest decides, not the sum."""
    piles = {1: "oGBOG", 5: "oG", 3: "bPGP", 7: "bPOP", 9: "oB"}
    check_over(over("gp", piles), (1.0, 0.0), "tallest-pile")


def test_ruling_3_a_pile_belongs_to_its_top_colour() -> None:
    """The tallest pile, full of green and pink, is blue's on top: it decides nothing."""
    piles = {1: "oG", 5: "oG", 3: "bP", 7: "bP", 9: "oGPGPB", 13: "oB"}
    check_over(over("gp", piles), (0.5, 0.5), "shared")


def test_ruling_3_no_pile_counts_nought() -> None:
    """Only bare Cases: four places, no pile, height nought each."""
    check_over(over("gp", {}), (0.5, 0.5), "shared")


def test_ruling_4_still_tied_the_win_is_shared() -> None:
    check_over(over("gp", {1: "oG", 5: "oG", 3: "bP", 7: "bP"}), (0.5, 0.5), "shared")
    check_over(over("ogb", {}), (1 / 3, 1 / 3, 1 / 3), "shared")
    check_over(over("ogbp", {}), (0.25, 0.25, 0.25, 0.25), "shared")


def test_ruling_4_two_of_three_share() -> None:
    """Blue shows two bare Cases only; orange and green four each."""
    check_over(over("ogb", {3: "bP", 8: "bP"}), (0.5, 0.5, 0.0), "shared")


def test_ties_are_broken_among_the_tied_only() -> None:
    """Orange and green show four places, blue three: blue's three piles do not count any more."""
    piles = {3: "bP", 8: "bP", 13: "bP", 18: "bP", 4: "pB", 9: "pB", 14: "pBYB"}
    piles |= {2: "gYP", 7: "gP", 5: "yG", 10: "yG"}
    check_over(over("ogb", piles), (0.0, 1.0, 0.0), "most-piles")


def test_ruling_6_a_colour_nobody_drew_wins_nothing() -> None:
    """Orange shows eight times, and nobody has it: pink's four beat green's two."""
    piles = {2: "gO", 6: "gO", 3: "bO", 7: "bO"}
    check_over(over("gp", piles), (0.0, 1.0), "most-places")


def test_the_winner_is_found_by_play() -> None:
    """The last Pièce ends the game and is counted."""
    last = TWO.parse(laid({1: "oG"}, "-|G", 2, "gp"))
    assert last.result is None
    check_over(last.play("g@5"), (1.0, 0.0), "most-places")
    check_over(last.play("g@1"), (0.5, 0.5), "shared")


# ---- Effects


def test_effects_of_covering() -> None:
    check_effects(START, "o@2", [Effect("cover", "stock:1", "2", "O", 0)])
    check_effects(START.play("o@2"), "b@2", [Effect("cover", "stock:2", "2", "B", 1)])


def test_effects_of_a_cancelled_pair() -> None:
    """The Pièce from the stock and the one on the place both leave the game."""
    check_effects(
        played(START, "o@2", "b@2"),
        "b@2",
        [Effect("cancel", "stock:1", None, "B", 0), Effect("cancel", "2", None, "B", None)],
    )
