"""What programs that learn are told: all that a view shows, and nothing else."""

from itertools import pairwise

import numpy as np
import pytest

import benben
from benben.core import engine
from benben.core.environment import Environment
from tests.configurations import GAMES, LABELS
from tests.conformance.checks import games_at_random, worlds


def _told(environment: Environment, position: benben.Position, seat: int) -> bytes:
    return environment.observed(position.record, seat, seat).tobytes()


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_different_views_are_told_differently(game: benben.Game) -> None:
    """And within the limits that are said of each number."""
    environment, most = Environment(game), Environment(game).most
    for line in games_at_random(game, 4):
        for seat in range(game.players):
            views: dict[bytes, benben.View] = {}
            for position, _ in line:
                told = _told(environment, position, seat)
                assert views.setdefault(told, position.view(seat)) == position.view(seat)
                assert (np.frombuffer(told, np.uint8) <= most).all()
            for (before, _), (after, _) in pairwise(line):
                same = _told(environment, before, seat) == _told(environment, after, seat)
                assert same == (before.view(seat) == after.view(seat))


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_no_secret_is_told(game: benben.Game) -> None:
    """Positions that differ only in what a seat may not know are told it in the same way."""
    environment = Environment(game)
    others = 0
    for line in games_at_random(game, 2):
        for position, _ in line[:: max(1, len(line) // 5)]:
            for seat in range(game.players):
                told = _told(environment, position, seat)
                for world in worlds(game, str(position.view(seat))):
                    assert _told(environment, world, seat) == told
                    others += world != position
    assert (others > 0) == game.hides


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_every_legal_move_is_an_action(game: benben.Game) -> None:
    """In the order of the rules; no action is a throw."""
    environment = Environment(game)
    assert environment.codes.tolist() == sorted(set(environment.codes.tolist()))
    assert not any(environment.text(n).startswith("=") for n in range(len(environment.codes)))
    for line in games_at_random(game, 6, seed=1):
        decisions = [move for _, move in line if move and not move.startswith("=")]
        assert len(decisions) <= environment.longest
        for position, _ in line:
            actions = [environment.action(move) for move in position.moves()]
            assert -1 not in actions
            assert [environment.text(action) for action in actions] == position.moves()


def test_seats_are_counted_from_the_one_that_looks() -> None:
    """What two seats see of the same position, field by field."""
    game = benben.game("objectif", players=3)
    environment, position = Environment(game), game.deal(seed=5)
    mine, next_ones = (
        environment.split(environment.observed(position.record, seat, seat)) for seat in (0, 1)
    )
    assert np.array_equal(np.roll(mine["stock"], -1, axis=0), next_ones["stock"])
    assert np.array_equal(np.roll(mine["turn"], -1), next_ones["turn"])
    assert np.array_equal(mine["top"], next_ones["top"])
    goals = str(position).split()[-1]
    for seat, told in enumerate((mine, next_ones)):
        assert "ogbpyv"[told["goal"][0].argmax()] == goals[seat]
        assert not told["goal"][1:].any()


def test_a_spectators_eyes_see_no_goal() -> None:
    game = benben.game("objectif")
    environment, position = Environment(game), game.deal(seed=5)
    told = environment.observed(position.record, 0, -1)
    assert not environment.split(told)["goal"].any()
    seen = game.blank()
    engine.look(position.record, -1, seen)
    assert np.array_equal(environment.observed(seen, 0, -1), told)


def test_a_tall_pile_is_told_to_its_base() -> None:
    game = benben.game("objectif", first=1)
    environment, position = Environment(game), game.deal(seed=1)
    while position.to_move is not None:  # always on place 1, if it takes it
        moves = [move for move in position.moves() if move.endswith("@1")] or position.moves()
        shown = position.drawing()["1"][-1].lower()
        higher = [move for move in moves if not move.startswith(shown)] or moves
        position = position.play(higher[0])
    pile = position.drawing()["1"].lower()[::-1]
    assert len(pile) > 21, "so tall that one word does not hold it"
    told = environment.split(environment.observed(position.record, 0, 0))
    levels = ["ogbpyv"[row.argmax()] for row in told["top"][0]]
    levels += ["ogbpyv"[number - 1] for number in told["beneath"][0] if number]
    assert "".join(levels) == pile
