"""Every game by its rulebook, through the public interface only."""

from collections.abc import Mapping

import pytest

import benben


def played(position: benben.Position, *moves: str) -> benben.Position:
    """The position after several moves and throws."""
    for move in moves:
        position = position.play(move)
    return position


def check_effects(position: benben.Position, move: str, expected: list[benben.Effect]) -> None:
    """A move's steps are exactly these, and following them on a drawing gives what play gives."""
    assert position.effects(move) == expected, position.effects(move)
    assert benben.follow(position.drawing(), expected) == position.play(move).drawing()


def check_refusal(
    position: benben.Position, move: str, rule: str, parameters: Mapping[str, str | int]
) -> None:
    """The rule forbids the move, says what it was about, and nothing changes."""
    before = str(position)
    for attempt in (position.play, position.effects):
        with pytest.raises(benben.IllegalMove) as caught:
            attempt(move)
        assert caught.value.move == move
        assert caught.value.rule == rule, caught.value
        assert caught.value.parameters.items() >= parameters.items(), caught.value.parameters
        assert rule in str(caught.value)
    assert move not in position.moves()
    assert str(position) == before


def check_malformed(position: benben.Position, move: str) -> None:
    """The text is no move of the game, here or anywhere, and nothing changes."""
    before = str(position)
    for attempt in (position.play, position.effects):
        with pytest.raises(benben.BadNotation) as caught:
            attempt(move)
        assert caught.value.text == move
    assert str(position) == before


def check_impossible(game: benben.Game, text: str, offence: str) -> None:
    """The position is well written, but no play leads to it."""
    with pytest.raises(benben.ImpossiblePosition) as caught:
        game.parse(text)
    assert caught.value.offence == offence, caught.value
    assert offence in str(caught.value)


def check_nothing_hidden(position: benben.Position) -> None:
    """Every seat and the spectators see the whole position."""
    for seat in (*range(position.game.players), None):
        view = position.view(seat)
        assert str(view) == str(position)
        assert view.seat == seat
        assert view.moves() == position.moves()
        assert position.game.parse_view(str(view), seat) == view


def check_over(position: benben.Position, shares: tuple[float, ...], reason: str) -> None:
    """The game is over for all at once, with these shares, for this reason."""
    assert position.to_move is None
    assert position.moves() == []
    assert position.chance() == []
    assert position.result == benben.Result(shares, reason), position.result
    assert sum(shares) == pytest.approx(1)
    assert position.game.parse(str(position)) == position
