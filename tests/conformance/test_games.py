"""The same checks on every game, player count and option, without exemption."""

from itertools import pairwise

import pytest

import benben
from tests.configurations import GAMES, LABELS
from tests.conformance.checks import CHECKS, games_at_random


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_conformance(game: benben.Game, check: object) -> None:
    assert callable(check)
    check(game)


def _longest_stretch(game: benben.Game) -> int:
    """No more decisions than this can be made in a whole game; with dice, in a whole turn."""
    return {
        "objectif": 6 * (game.players + 2),
        # Each pyramid home begins a hundred quiet moves at most, and four of a colour do not win.
        "pyramidis": 100 * (4 * game.players + 1),
        # Six blocks, five more rolls, one stop.
        "batisseurs": 12,
        # Four pawns, then two moves for each of fifty steps for each of 48 holes.
        "quadrille": 4 + 2 * 50 * 49,
    }[game.name]


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_length_is_bounded(game: benben.Game) -> None:
    for line in games_at_random(game, 20):
        stretches = [0]
        for (position, move), (after, _) in pairwise(line):
            stretches[-1] += not move.startswith("=")
            turn, next_turn = (str(p).split()[1] for p in (position, after))
            if game.name == "batisseurs" and turn != next_turn:
                stretches.append(0)
        assert max(stretches) <= _longest_stretch(game)
        if game.name == "objectif":
            assert stretches == [_longest_stretch(game)]
