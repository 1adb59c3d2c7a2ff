"""Positions near the end of a game: tests of the end need not play all that comes before it."""

from functools import cache

import benben
from tests.browser.hands import chosen


@cache
def near_end(game: str, moves: int) -> str:
    """A position of two players a number of moves or throws before the end, the first to move.

    If the first is not to move then, it is a little later. Secrets are in it: where players have
    any, a table begins from it only against bots.
    """
    position = benben.game(game, players=2).deal(seed=game)
    line: list[benben.Position] = []
    while position.to_move is not None:
        line.append(position)
        if position.to_move == benben.CHANCE:
            throws = position.chance()
            move = throws[7 * len(line) % len(throws)][0]
        else:
            choices = position.view(position.to_move).choices()
            legal = [{"move": each.move, "effects": each.effects} for each in choices]
            move = chosen(legal, len(line))
        position = position.play(move)
    return next(str(each) for each in line[-moves:] if each.to_move == 0)
