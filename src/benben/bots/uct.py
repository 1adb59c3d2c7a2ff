"""The searching player: grows trees in slices, on one or several threads."""

from concurrent.futures import ThreadPoolExecutor
from math import sqrt

import numpy as np

from benben.bots.uct_search import NODE, ROOT, grow
from benben.core.kernel import States
from benben.core.player import Cancelled, Player, Thought, Turn, Worth
from benben.core.random import generator

EXPLORE = 0.4  # of UCB1; shares go from 0 to 1
SLICE = 0.004  # seconds a kernel call, so that cancelling is heard well within 20 ms
FORCED = 100  # simulations about the only legal move: a rough worth is enough
_FIRST_SLICE = 16  # simulations, before it is known how fast they are
LARGEST = 1 << 22  # nodes of a tree: 128 MB


class UctPlayer(Player):
    """Tree search with random playouts; `threads` trees grow side by side and are added up.

    The most visited move is played. A move's worth is the mean share of its simulations; as long
    as it has none it is worth a fair share, in full doubt.
    """

    name = "uct"

    def __init__(self, threads: int = 1, explore: float = EXPLORE) -> None:
        if threads < 1:
            raise ValueError(f"threads must be 1 or more, not {threads}")
        self.threads, self.explore = threads, explore

    def think(self, turn: Turn) -> Thought:
        trees = [_Tree(turn, number, self) for number in range(self.threads)]
        if self.threads == 1:
            trees[0].grow()
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                for job in [pool.submit(tree.grow) for tree in trees]:
                    job.result()
        thought = _sum_up(turn, trees)
        if turn.checkpoint():
            raise Cancelled(thought if thought.simulations else None)
        return thought


class _Tree:
    """One tree of one turn, and its part of the budget."""

    def __init__(self, turn: Turn, number: int, player: UctPlayer) -> None:
        self._view = turn.view.record
        self._most_moves = turn.view.game.rules.MOST_MOVES
        self._explore = player.explore
        self._random = generator((turn.seed, number))
        # Memory is the system's to give when it is first written to. A tree that had to be copied
        # to grow would not hear `cancelled` meanwhile.
        self._nodes: States = np.empty(LARGEST, NODE)
        self._used = np.zeros(1, np.int64)
        self._turn = turn
        self._seconds, self._now = turn.budget.seconds, turn.budget.now
        self._wanted = turn.budget.simulations
        if len(turn.moves) == 1:
            self._wanted = min(self._wanted or FORCED, FORCED)
        if self._wanted is not None:
            self._wanted = (self._wanted + player.threads - 1 - number) // player.threads
        self.simulations = 0

    def grow(self) -> None:
        """Simulate until the budget is spent or the turn is cancelled."""
        begun = self._now()
        size = _FIRST_SLICE
        while not self._turn.checkpoint():
            now = self._now()
            if self._seconds is not None and now - begun >= self._seconds:
                break
            if self._wanted is not None:
                size = min(size, self._wanted - self.simulations)
                if size == 0:
                    break
            grow(
                self._view,
                self._nodes,
                self._used,
                self._most_moves,
                self._explore,
                size,
                self._random,
            )
            self.simulations += size
            took = self._now() - now
            size = max(1, min(2 * size, int(size * SLICE / max(took, 1e-6))))

    def tally(self) -> dict[int, tuple[int, float]]:
        """Each move's visits, and the shares won by them."""
        root = self._nodes[ROOT]
        children = self._nodes[root.first : root.first + root.children]
        return {int(child.move): (int(child.visits), float(child.value)) for child in children}


def _sum_up(turn: Turn, trees: list[_Tree]) -> Thought:
    tallies = [tree.tally() for tree in trees if tree.simulations]
    game = turn.view.game
    visits, values = [], []
    for move in turn.moves:
        code = game.code(move)
        visits.append(sum(tally[code][0] for tally in tallies))
        values.append(sum(tally[code][1] for tally in tallies))
    worths = tuple(
        _worth(move, n, value, game.players)
        for move, n, value in zip(turn.moves, visits, values, strict=True)
    )
    best = max(range(len(visits)), key=lambda i: (visits[i], worths[i].share))
    return Thought(turn.moves[best], worths, sum(tree.simulations for tree in trees))


def _worth(move: str, visits: int, value: float, players: int) -> Worth:
    if visits == 0:
        return Worth(move, 1 / players, 0.5)
    # As if half a game more had been won and half a game more lost: a move that has won all of
    # its few simulations is not thereby certain.
    p = (value + 0.5) / (visits + 1)
    return Worth(move, value / visits, sqrt(p * (1 - p) / (visits + 1)))
