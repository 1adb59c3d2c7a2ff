"""The first glance: evaluations that make sense, ties broken by the seed."""

import pytest

import benben
from benben.bots.greedy import GreedyPlayer
from benben.core.player import Budget, Turn
from tests.bots.turns import FEW, turns
from tests.configurations import GAMES, LABELS


def choices(position: benben.Position, seeds: int = 30) -> set[str]:
    """Every move greedy makes here, over many seeds."""
    return {
        GreedyPlayer().think(Turn.at(position, (), position, FEW, seed)).move
        for seed in range(seeds)
    }


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_it_plays_its_best_move(game: benben.Game) -> None:
    for turn in turns(game, seed=3):
        thought = GreedyPlayer().think(turn)
        assert thought == GreedyPlayer().think(turn)
        assert [worth.move for worth in thought.worths] == list(turn.moves)
        best = max(worth.share for worth in thought.worths)
        chosen = next(worth for worth in thought.worths if worth.move == thought.move)
        assert 0 <= chosen.share <= 1
        assert chosen.share == pytest.approx(best, abs=1e-9)


def test_objectif_covers_another_colour_with_its_own() -> None:
    position = benben.game("objectif", first=1).deal(seed=1)
    colour = str(position).split()[-1][0]
    piles = str(position).split()[0].split("/")
    for move in choices(position):
        assert move[0] == colour
        assert piles[int(move[2:]) - 1] != colour


def test_pyramidis_goes_home() -> None:
    game = benben.game("pyramidis", players=2)
    position = game.parse("d2=bbb,d8=mmmmmmmm,e2=b b4m0 b 0")
    assert choices(position) == {"e2"}


def test_batisseurs_keeps_what_it_has() -> None:
    game = benben.game("batisseurs")
    position = game.parse("ooo.../...../..../.../../.|....../...../..../.../../. 1 fff 3 3")
    assert choices(position) == {"stop"}


def test_quadrille_closes_in() -> None:
    """Of all steps, those that leave the opponent least and itself most."""
    position = benben.game("quadrille").deal()
    for move in ("@a1", "@h6"):
        position = position.play(move)
    chosen = choices(position)
    assert chosen
    assert "@a2" not in chosen


def test_equal_moves_are_all_played() -> None:
    game = benben.game("batisseurs", players=2)
    position = game.deal().play("=abcdef")
    assert len(choices(position, 60)) > 1


def test_the_last_move_of_a_secret_game_is_weighed_over_what_may_be_hidden() -> None:
    """Before the end others' goals are unknown: a last move is sure only if it always wins."""
    last = [*turns(benben.game("objectif", players=3), seed=4, budget=Budget(simulations=1))][-1]
    worths = GreedyPlayer().think(last).worths
    assert all(0 <= worth.share <= 1 for worth in worths)
    assert len({worth.share for worth in worths}) > 1
