"""The rules beside independent, naive readings of the sheets, move by move."""

import math
import random
from importlib import import_module
from itertools import count
from typing import Any

import pytest

import benben
from tests.configurations import GAMES, LABELS
from tests.sizes import LONG

GAMES_AN_OPTION = 20_000 if LONG else 300  # shared by the player counts that have it
EVERY_TEXT = 60  # of them compare every position's text, the others one in four and the last
SHY = 5  # of them avoid what ends a game, so that long games and draws are seen too


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_lockstep(game: benben.Game) -> None:
    """Same moves, same text, same throws, same result, from deals both sides make."""
    reference: Any = import_module(f"tests.reference.{game.name}")
    for number in range(_games_of(game)):
        rng = random.Random(number)
        if number % 2:
            naive = reference.start(game.options, rng)
            position = game.parse(naive.text())
        else:
            position = game.deal(seed=number)
            naive = reference.State.parse(str(position), game.options)
        texts_apart = 1 if number < EVERY_TEXT else 4
        _play_both(position, naive, rng, texts_apart, shy=number < SHY)


def _games_of(game: benben.Game) -> int:
    """Fewer where games are longer: a game of four takes four times that of two."""
    shared_by = [other for other in GAMES if _option(other) == _option(game)]
    everybody = sum(1 / other.players**2 for other in shared_by)
    return math.ceil(GAMES_AN_OPTION / game.players**2 / everybody)


def _option(game: benben.Game) -> tuple[str, object]:
    return game.name, game.options.get(game.info.option.name)


def _play_both(
    position: benben.Position, naive: Any, rng: random.Random, texts_apart: int, shy: bool
) -> None:
    for ply in count():
        moves = position.moves()
        if ply % texts_apart == 0 or not moves:
            assert str(position) == naive.text()
        assert sorted(moves) == sorted(naive.moves()), str(position)
        if moves:
            move = _choose(position, moves, rng, shy)
        else:
            assert position.to_move == naive.to_move(), str(position)
            if position.to_move is None:
                break
            if rng.random() < 0.01:
                throws = {throw: float(odds) for throw, odds in naive.throws().items()}
                assert dict(position.chance()) == pytest.approx(throws), str(position)
            move = position.draw(_Python(rng))
        position, naive = position.play(move), naive.play(move)
    assert position.result is not None
    assert position.result.shares == pytest.approx([float(share) for share in naive.shares()])
    assert position.result.reason == naive.reason()


def _choose(position: benben.Position, moves: list[str], rng: random.Random, shy: bool) -> str:
    if "stop" in moves and rng.random() < 0.7:
        return "stop"  # chance alone would throw the dice until all is lost
    if shy and (calm := [move for move in moves if _is_calm(position, move)]):
        return rng.choice(calm)
    return rng.choice(moves)


def _is_calm(position: benben.Position, move: str) -> bool:
    return not any(effect.kind in ("home", "hole") for effect in position.effects(move))


class _Python:
    """Python's own generator as a source of integers."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def below(self, n: int) -> int:
        return self._rng.randrange(n)
