"""Thousands of games at once are the same games as one by one."""

import numpy as np
import pytest

import benben
from benben.core.environment import reward
from benben.lab.batch import Batch
from tests.configurations import GAMES, LABELS

SIZE = 12


def _won(position: benben.Position) -> set[str]:
    return {place for place, pieces in position.drawing().items() if pieces == "x"}


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_a_batch_plays_by_the_rules(game: benben.Game) -> None:
    """Move by move, with what is seen, allowed and won; games that end begin again."""
    batch = Batch(game, SIZE, seed=8)
    environment, ended = batch.environment, 0
    rng = np.random.default_rng(1)
    for _ in range(150):
        before = [batch.position(i) for i in range(SIZE)]
        for i, position in enumerate(before):
            seat = int(batch.seats[i])
            assert position.to_move == seat
            actions = np.flatnonzero(batch.masks[i]).tolist()
            assert [environment.text(action) for action in actions] == position.moves()
            told = environment.observed(position.record, seat, seat)
            assert np.array_equal(batch.observations[i], told)
        chosen = np.array([rng.choice(np.flatnonzero(mask)) for mask in batch.masks])
        batch.step(chosen)
        for i, position in enumerate(before):
            after = position.play(environment.text(int(chosen[i])))
            if after.to_move == benben.CHANCE:  # drawn inside: no throw wins blocks or ends a game
                assert not batch.done[i]
                assert _won(batch.position(i)) == _won(after)
                continue
            assert batch.done[i] == (after.to_move is None)
            if after.result is None:
                assert batch.position(i) == after
                assert not batch.rewards[i].any()
            else:
                ended += 1
                wanted = [reward(share, game.players) for share in after.result.shares]
                assert batch.rewards[i].tolist() == wanted
                assert sum(wanted) == pytest.approx(0)
                assert batch.position(i).result is None
    assert ended > 0


@pytest.mark.parametrize("name", benben.names())
def test_a_game_goes_its_way_in_any_batch(name: str) -> None:
    """Whatever the size of the batch and the number of threads; another seed, another game."""
    game = benben.game(name)

    def course(size: int, threads: int = 1, seed: int = 3) -> list[str]:
        batch, seen = Batch(game, size, seed=seed, threads=threads), []
        for _ in range(130):
            batch.step(batch.draw())
            seen.append(f"{batch.position(4)} {batch.rewards[4]} {batch.observations[4].sum()}")
        return seen

    alone = course(5)
    assert course(64) == alone
    assert course(33, threads=2) == alone
    assert course(5, seed=4) != alone


def test_luck_does_not_depend_on_how_one_draws() -> None:
    """Who chooses moves otherwise meets the same deals."""
    game = benben.game("objectif")
    one, two = Batch(game, 3, seed=1), Batch(game, 3, seed=1)
    for _ in range(5):
        one.draw()
    while not one.done.any():
        one.step(one.draw())
        two.step([int(np.flatnonzero(mask)[0]) for mask in two.masks])
    assert [str(one.position(i)) for i in range(3)] == [str(two.position(i)) for i in range(3)]
    one.reset(1)
    two.reset(1)
    assert str(one.position(0)) == str(two.position(0))


def test_throws_are_as_likely_as_they_should_be() -> None:
    game = benben.game("batisseurs")
    batch = Batch(game, 20_000, seed=2)
    faces = batch.fields["dice"].sum(axis=0)
    assert faces.sum() == 6 * batch.size
    # Throws that place nothing are gone: those with no a at all. Of six dice that is (5/6)^6.
    assert (batch.fields["dice"][:, 0] > 0).all()
    kept = 6 * (1 / 6) / (1 - (5 / 6) ** 6)
    assert faces[0] / batch.size == pytest.approx(kept, abs=0.03)


def test_bad_actions_are_refused_and_nothing_changes() -> None:
    batch = Batch(benben.game("quadrille"), 3)
    before = batch.observations.copy()
    with pytest.raises(benben.IllegalMove, match="pawns-first"):
        batch.step([0, 1, 48])
    for wrong, why in (([0, 1, 400], "no action 400"), ([0, -1, 0], "no action -1"), ([0], "one")):
        with pytest.raises(benben.BenbenError, match=why):
            batch.step(wrong)
    assert np.array_equal(batch.observations, before)
    for size, threads in ((0, 1), (1, 0)):
        with pytest.raises(benben.BenbenError, match="1 or more"):
            Batch(benben.game("quadrille"), size, threads=threads)
