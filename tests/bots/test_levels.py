"""The ladder: six rungs in every game, each thinking no less than the one below."""

import pytest

import benben
from benben.bots.exact import ExactPlayer
from benben.bots.levels import LEVELS, ladder, level
from benben.bots.slips import SlippingPlayer
from benben.bots.uct import UctPlayer
from benben.core.errors import UnknownPlayer
from benben.core.player import Thought, Turn
from tests.bots.turns import some_turn, turns
from tests.configurations import GAMES, LABELS


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_every_game_has_six_levels(game: benben.Game) -> None:
    rungs = ladder(game)
    assert [rung.number for rung in rungs] == [1, 2, 3, 4, 5, 6]
    simulations = [rung.budget.simulations for rung in rungs]
    assert simulations[5] is None
    assert rungs[5].budget.seconds == 1.0
    thinking = [n for n in simulations[:5] if n is not None]
    assert len(thinking) == 5
    assert thinking == sorted(set(thinking))
    assert rungs[0].slip > rungs[1].slip >= rungs[2].slip == rungs[5].slip == 0
    assert {type(rung.player(game)) for rung in rungs[:2]} == {SlippingPlayer}
    assert type(rungs[5].player(game)) is (ExactPlayer if rungs[5].exact else UctPlayer)


def test_the_solved_game_is_played_perfectly_at_the_top() -> None:
    assert level(benben.game("batisseurs", players=2), 6).exact
    assert level(benben.game("batisseurs", players=3), 6).exact
    assert not level(benben.game("batisseurs", players=4), 6).exact


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
    assert rung.player(game).think(turn) == rung.player(game).think(turn)


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
            assert rung.player(game).think(turn).move in turn.moves
