"""Positions near the end of a game: tests of the end need not play all that comes before it."""

from functools import cache
from typing import Any

import benben
from tests.browser.hands import chosen


@cache
def near_end(game: str, moves: int, players: int = 2) -> str:
    """A position a number of moves or throws before the end, the first player to move.

    If the first is not to move then, it is a little later. Secrets are in it: where players have
    any, a table begins from it only against bots.
    """
    position = benben.game(game, players=players).deal(seed=game)
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


def late(game: str, moves: int, players: int = 2) -> dict[str, Any]:
    """With what people open a table near the end; from a deal if players of it have secrets."""
    deal = benben.game(game, players=players).deal()
    secret = str(deal) != str(deal.view(None))
    return {} if secret else {"position": near_end(game, moves, players)}
