"""The ladder: six rungs in every game, each thinking no less than the one below."""

from collections import Counter
from dataclasses import replace

import pytest

import benben
from benben.bots.blur import BlurredPlayer
from benben.bots.levels import LEVELS, ladder, level
from benben.bots.slips import SlippingPlayer
from benben.bots.uct import UctPlayer
from benben.core.errors import UnknownPlayer
from benben.core.player import Budget, Thought, Turn, Worth
from tests.bots.turns import some_turn, turns
from tests.configurations import GAMES, LABELS


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_every_game_has_six_levels(game: benben.Game) -> None:
    """Five that play alike everywhere, and one that thinks by the clock."""
    rungs = ladder(game)
    assert [rung.number for rung in rungs] == [1, 2, 3, 4, 5, 6]
    assert rungs[5].budget == Budget(seconds=1.0)
    thinking = [rung.budget.simulations or 0 for rung in rungs[:5]]
    assert thinking[0] > 0
    assert thinking == sorted(thinking)
    assert all(rung.budget.seconds is None for rung in rungs[:5])


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_the_best_of_each_game_is_made_for_it(game: benben.Game) -> None:
    """None of them only plays at random to the end and counts."""
    assert type(level(game, 6).player()) not in (UctPlayer, SlippingPlayer)


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_the_best_tells_what_every_move_is_worth(game: benben.Game) -> None:
    turn = some_turn(game, 6)
    thought = level(game, 6).player().think(turn)
    assert thought.move in turn.moves
    assert tuple(worth.move for worth in thought.worths) == turn.moves
    assert all(0 <= worth.share <= 1 and 0 <= worth.error <= 0.5 for worth in thought.worths)
    assert all(worth.error == 0 for worth in thought.worths if worth.certainty != "estimated")


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_the_only_move_is_not_thought_about(game: benben.Game) -> None:
    """A second would pass if it were: the budget is an hour."""
    hour = Budget(seconds=3600)
    forced = (
        turn for seed in range(40) for turn in turns(game, seed, hour) if len(turn.moves) == 1
    )
    turn = next(forced, None)
    if turn is None:
        assert game.name in ("objectif", "quadrille")  # there one can always choose, or nearly
        return
    assert level(game, 6).player().think(turn).move == turn.moves[0]


def test_names_are_told_apart_in_both_languages() -> None:
    for language in ("en", "fr"):
        names = [rung.names[language] for rung in ladder(benben.game("quadrille"))]
        assert len(set(names)) == 6
        assert all(names)


@pytest.mark.parametrize("number", [0, 7, -1])
def test_there_are_no_other_levels(number: int) -> None:
    with pytest.raises(UnknownPlayer, match="levels are 1 to 6"):
        level(benben.game("quadrille"), number)


@pytest.mark.parametrize("number", LEVELS[:5])
def test_levels_play_the_same_from_the_same_seed(number: int) -> None:
    game = benben.game("quadrille")
    rung = level(game, number)
    turn = some_turn(game, 5, rung.budget)
    assert rung.player().think(turn) == rung.player().think(turn)


def test_slips_come_as_often_as_they_should() -> None:
    class Sure(UctPlayer):
        def think(self, turn: Turn) -> Thought:
            return Thought("sure")

    position = benben.game("quadrille").deal()
    player = SlippingPlayer(Sure(), 0.3)
    turn = some_turn(benben.game("quadrille"))
    slips = sum(
        player.think(Turn.at(position, (), position, turn.budget, seed)).move != "sure"
        for seed in range(1000)
    )
    assert 240 < slips < 360


def test_a_level_plays_whole_games() -> None:
    game = benben.game("objectif", players=3)
    for number in (1, 2, 3):
        rung = level(game, number)
        for turn in turns(game, seed=number, budget=rung.budget):
            assert rung.player().think(turn).move in turn.moves


def test_who_is_blurred_confuses_what_is_nearly_as_good() -> None:
    """A move that is worth one blur more is chosen e times as often."""

    class Sure(UctPlayer):
        def think(self, turn: Turn) -> Thought:
            worths = [Worth(move, 0.0, 0.1) for move in turn.moves]
            worths[0], worths[1] = Worth(turn.moves[0], 0.9, 0.1), Worth(turn.moves[1], 0.8, 0.1)
            return Thought(turn.moves[0], tuple(worths))

    turn = some_turn(benben.game("quadrille"))
    player = BlurredPlayer(Sure(), 0.1)
    thoughts = [player.think(replace(turn, seed=seed)) for seed in range(1000)]
    chosen = Counter(thought.move for thought in thoughts)
    assert 2.2 < chosen[turn.moves[0]] / chosen[turn.moves[1]] < 3.4
    assert chosen[turn.moves[0]] + chosen[turn.moves[1]] > 950
    assert all(thought.worths == () for thought in thoughts)
    assert thoughts[7] == player.think(replace(turn, seed=7))
