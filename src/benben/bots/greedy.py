"""The player of the first glance: one move ahead, by the game's own evaluation."""

import numpy as np

from benben.core.kernel import Floats, Ints, States, kernel
from benben.core.player import Player, Thought, Turn, Worth
from benben.core.random import Random, below, generator
from benben.core.rules import MOST_SEATS, OVER, evaluate, imagine, outcome, play, to_move

ERROR = 0.25  # a glance is not to be trusted far
_ENDINGS = 32  # imagined, where a move ends a game of which not all is seen
_SAME = 1e-12


class GreedyPlayer(Player):
    """Plays the move after which the evaluation is best; among the best, any."""

    name = "greedy"

    def think(self, turn: Turn) -> Thought:
        game = turn.view.game
        random = generator(turn.seed)
        codes = np.array([game.code(move) for move in turn.moves], np.int64)
        shares = np.empty(len(codes), np.float64)
        glance(turn.view.record, turn.seat, codes, random, shares)
        best = [i for i, share in enumerate(shares) if share >= shares.max() - _SAME]
        worths = zip(turn.moves, shares.tolist(), strict=True)
        return Thought(
            turn.moves[best[below(random, len(best))]],
            tuple(Worth(move, share, ERROR) for move, share in worths),
        )


@kernel
def glance(view: States, seat: int, codes: Ints, random: Random, shares: Floats) -> None:
    """The evaluation after each move; the result itself, if the move ends the game."""
    after = view.copy()
    end = np.zeros(MOST_SEATS, np.float64)
    for i in range(len(codes)):
        after[0] = view[0]
        play(after[0], codes[i], None)
        if to_move(after[0]) != OVER:
            shares[i] = evaluate(after[0], seat)
            continue
        total = 0.0
        for _ in range(_ENDINGS):
            after[0] = view[0]
            imagine(after[0], random)
            play(after[0], codes[i], None)
            outcome(after[0], end)
            total += end[seat]
        shares[i] = total / _ENDINGS
