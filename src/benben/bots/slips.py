"""A player who means well and blunders: now and then it plays any move at all."""

from dataclasses import replace

from benben.bots.random import RandomPlayer
from benben.core.player import Player, Thought, Turn
from benben.core.random import below, generator

_PARTS = 1000
_DICE = 1  # keeps the slip's draw apart from the draws of whoever is behind it


class SlippingPlayer(Player):
    """`player`, but with a chance of `slip` a move is drawn instead of thought of.

    It never tells what the moves are worth: that would give its slips away.
    """

    def __init__(self, player: Player, slip: float) -> None:
        self.player, self.slip = player, slip
        self.name = player.name

    def think(self, turn: Turn) -> Thought:
        if below(generator((turn.seed, _DICE)), _PARTS) < self.slip * _PARTS:
            return RandomPlayer().think(turn)
        return replace(self.player.think(turn), worths=())

    def close(self) -> None:
        self.player.close()
