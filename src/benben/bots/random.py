"""A player that does not think: every legal move is equally likely."""

from benben.core.player import Player, Thought, Turn
from benben.core.random import below, generator


class RandomPlayer(Player):
    name = "random"

    def think(self, turn: Turn) -> Thought:
        return Thought(turn.moves[below(generator(turn.seed), len(turn.moves))])
