"""Turns to ask players about: from random games, cut off somewhere."""

from collections.abc import Iterator

import benben
from benben.core.player import Budget, Turn
from benben.core.position import Position

FEW = Budget(simulations=40)


def play_on(position: Position, stream: benben.RandomStream) -> tuple[Position, str]:
    """One random move or throw."""
    if position.to_move == benben.CHANCE:
        move = position.draw(stream)
    else:
        moves = position.moves()
        move = moves[stream.below(len(moves))]
    return position.play(move), move


def turns(game: benben.Game, seed: int, budget: Budget = FEW) -> Iterator[Turn]:
    """Every decision of a random game."""
    stream = benben.RandomStream.seeded(seed)
    start = position = game.deal(source=stream)
    moves: list[str] = []
    while position.to_move is not None:
        if position.to_move != benben.CHANCE:
            yield Turn.at(start, moves, position, budget, seed=len(moves))
        position, move = play_on(position, stream)
        moves.append(move)


def some_turn(game: benben.Game, number: int = 0, budget: Budget = FEW) -> Turn:
    """One decision of a random game, the same every time."""
    for i, turn in enumerate(turns(game, seed=1, budget=budget)):
        if i == number:
            return turn
    raise AssertionError("the game is shorter than that")
