"""The player of objectif: reads the game so far, then grows its tree in slices."""

from math import sqrt

import numpy as np

from benben.bots.objectif.belief import MODEL, kind_of
from benben.bots.objectif.net import net_for
from benben.bots.objectif.reader import Reader, attention, belief_of
from benben.bots.objectif.tree import ROOT, SMALLEST, Tree, care, grow, new_tree, survey
from benben.core.kernel import Floats
from benben.core.player import Cancelled, Player, Thought, Turn, Worth
from benben.core.random import generator

SLICE = 0.004  # seconds a kernel call, so that cancelling is heard well within 20 ms
LARGEST = 1 << 18  # nodes of a tree: 128 MB
CANDOUR = 0.5  # the share of simulations that are about the own goal for sure
_CLEAR = 0.4  # a lead of so much of all simulations, when half of them are done, ends the search
_EXPECTED = 8  # visits, for a move to be said to come
_FIRST_SLICE = 16  # simulations, before it is known how fast they are


class ObjectifPlayer(Player):
    """Searches all that may be, as likely as the others' moves make it.

    Without `reads` it draws no conclusions from moves. If it `hides`, it minds what its own ones
    tell, as much as the others seem to read.
    """

    name = "objectif"

    def __init__(self, reads: bool = True, hides: bool = True) -> None:
        self.reads, self.hides = reads, hides
        self._reader = Reader()

    def think(self, turn: Turn) -> Thought:
        begun = turn.budget.now()
        evidence = self._read(turn)
        search = _Search(turn, self._reader, evidence, self.hides)
        search.grow(begun)
        thought = search.thought()
        if turn.cancelled.is_set():
            raise Cancelled(thought)
        return thought

    def _read(self, turn: Turn) -> Floats:
        for _ in self._reader.steps(turn.history.start, turn.history.moves):
            if turn.cancelled.is_set():
                raise Cancelled
        return self._reader.evidence if self.reads else np.zeros_like(self._reader.evidence)


class _Search:
    """The tree of one turn, and its budget."""

    def __init__(self, turn: Turn, reader: Reader, evidence: Floats, hides: bool) -> None:
        self._turn = turn
        self._view = turn.view.record
        self._net = net_for(turn.view.game.players)
        self._random = generator(turn.seed)
        # What the own moves have told, and what the next one will, counts as far as others read.
        players = range(turn.view.game.players)
        seen = attention(reader.worlds, evidence)[[i for i in players if i != turn.seat]].mean()
        supposed = evidence.copy()
        supposed[:, turn.seat] *= seen
        self._outlook = survey(self._view, reader.worlds, supposed, self._net, MODEL)
        care(self._outlook, turn.seat, float(seen) if hides else 0.0)
        self.belief = belief_of(turn.view, reader.worlds, evidence)
        self._goal = int(self._view[0].goal[turn.seat])
        budget = turn.budget
        self._seconds, self._wanted = budget.seconds, budget.simulations
        self._exact = bool(self._view[0].left == 1)  # the glance has seen all that may be
        if self._exact or len(self._outlook.glance.listed) == 1:
            self._wanted = 1
        self._tree: Tree = new_tree(min(LARGEST, SMALLEST + (self._wanted or LARGEST)))
        self.simulations = 0

    def grow(self, begun: float) -> None:
        """Simulate until the budget is spent, the choice is clear or the turn is cancelled."""
        size = _FIRST_SLICE
        while True:
            now = self._turn.budget.now()
            if self._wanted is not None:
                size = min(size, self._wanted - self.simulations)
            grow(self._view, self._tree, self._outlook, self._net, CANDOUR, size, self._random)
            self.simulations += size
            after = self._turn.budget.now()
            pace = size / max(after - now, 1e-6)
            size = max(1, min(2 * size, int(SLICE * pace)))
            if self._turn.cancelled.is_set() or self.simulations == self._wanted:
                break
            if self._seconds is not None:
                left = self._seconds - (after - begun)
                if left <= 0 or self._is_clear(int(left * pace)):
                    break

    def _is_clear(self, simulations: int) -> bool:
        """Whether another move is unlikely to be the most visited after so many more."""
        visits = np.sort(self._statistics()[0])
        lead = visits[-1] - visits[-2]
        return bool(lead > simulations or (lead > _CLEAR * self.simulations > _CLEAR * simulations))

    def _statistics(self) -> tuple[Floats, Floats]:
        """The visits of the moves that differ, and the shares they have won."""
        first, n = self._tree.goals[ROOT, self._goal], len(self._outlook.glance.listed)
        if self._exact or first < 0:  # or no simulation had the own goal
            return np.zeros(n), self._outlook.glance.wary[self._goal]
        part = slice(first, first + n)
        visits = self._tree.visits[part].astype(np.float64)
        shares = (self._tree.value[part] + self._tree.guess[part]) / (visits + 1)
        return visits, shares

    def thought(self) -> Thought:
        """The most visited move; moves on places that are alike are worth the same."""
        visits, shares = self._statistics()
        best = int(np.lexsort((shares, visits))[-1])
        kinds = {int(move): i for i, move in enumerate(self._outlook.glance.listed)}
        game = self._turn.view.game
        worths = []
        for move in self._turn.moves:
            i = kinds[int(kind_of(self._view, game.code(move)))]
            share = min(1.0, max(0.0, float(shares[i])))  # sums are rounded
            if self._exact:
                worths.append(Worth(move, share, 0.0, "exact"))
            else:
                worths.append(Worth(move, share, _error(share, visits[i])))
        line = self._line(best)
        return Thought(line[0], tuple(worths), self.simulations, line, self.belief.marginals())

    def _line(self, best: int) -> tuple[str, ...]:
        """That move, then the most visited ones: of the own goal, or of all another may have."""
        tree, game = self._tree, self._turn.view.game
        line = [game.text(int(self._outlook.glance.listed[best]))]
        node = ROOT
        while not self._exact and (node := tree.node[tree.first[node] + best]) >= 0:
            first, n = tree.goals[node], tree.moves[node]
            if len(line) % game.players == 0:
                first = first[self._goal : self._goal + 1]
            visits = sum((tree.visits[i : i + n] for i in first if i >= 0), np.zeros(n))
            if n == 0 or visits.max() < _EXPECTED:
                break
            best = int(visits.argmax())
            line.append(game.text(int(tree.move[tree.first[node] + best])))
        return tuple(line)


def _error(share: float, visits: float) -> float:
    # As if half a game more had been won and half a game more lost.
    p = (share * visits + 0.5) / (visits + 1)
    return float(sqrt(p * (1 - p) / (visits + 1)))
