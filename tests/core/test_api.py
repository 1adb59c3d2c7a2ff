"""The public face: small, typed, immutable, and able to travel."""

import pickle

import pytest

import benben
from tests.configurations import GAMES, LABELS


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_games_positions_and_views_can_be_pickled(game: benben.Game) -> None:
    position = game.deal(seed=2)
    view = position.view(0)
    assert pickle.loads(pickle.dumps(game)) == game
    assert pickle.loads(pickle.dumps(position)) == position
    again = pickle.loads(pickle.dumps(view))
    assert (again, again.seat) == (view, 0)


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_what_is_shown_can_be_typed(game: benben.Game) -> None:
    position = game.deal(seed=2)
    names = {"benben": benben}
    assert eval(repr(game), names) == game
    assert eval(repr(position), names) == position
    assert eval(repr(position.view(0)), names) == position.view(0)


def test_what_was_played_from_stays_as_it_was() -> None:
    position = benben.game("quadrille").deal()
    text = str(position)
    position.play("@a1")
    position.record["quiet"] = 3
    assert str(position) == text


def test_a_seat_that_is_not_there_is_refused() -> None:
    position = benben.game("quadrille").deal()
    for seat in (-1, 2):
        with pytest.raises(IndexError, match="seats are 0 to 1"):
            position.view(seat)


def test_playouts_want_a_number_or_a_time() -> None:
    game = benben.game("quadrille")
    for arguments in ({}, {"games": 1, "seconds": 1.0}):
        with pytest.raises(ValueError, match="either how many games or how many seconds"):
            benben.playouts(game, **arguments)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="threads must be 1 or more"):
        benben.playouts(game, 1, threads=0)


def test_playouts_stop_when_time_is_up() -> None:
    done = benben.playouts(benben.game("quadrille"), seconds=0.05)
    assert done.games > 0
    assert done.decisions > done.games


def test_perft_of_no_depth_and_less() -> None:
    position = benben.game("quadrille").deal()
    assert position.perft(0) == 1
    with pytest.raises(ValueError, match="a depth is 0 or more"):
        position.perft(-1)


def test_every_public_name_is_there_and_explained() -> None:
    for name in benben.__all__:
        thing = getattr(benben, name)
        assert thing is not None
        if callable(thing) and name not in ("Drawing", "Diagram"):
            assert thing.__doc__, f"{name} has no docstring"
