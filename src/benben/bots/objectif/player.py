"""The player of objectif: reads the game so far, then grows its tree in slices.

Level 6 reads by looking ahead: for each move that was made it searches in the mover's place, with
every goal the mover may have, and sees which of them would have gone for that move. It does so in
its own place too, before it moves: that is what a reader like itself will learn from each move.
"""

from collections.abc import Callable
from math import inf, sqrt

import numpy as np

from benben.bots.objectif.belief import MODEL, UNSEEN, kind_of, no_evidence
from benben.bots.objectif.net import net_for
from benben.bots.objectif.reader import Reader, at_a_glance, attention, belief_of
from benben.bots.objectif.tree import (
    ROOT,
    SMALLEST,
    Outlook,
    Tree,
    candid,
    care,
    evenly,
    grow,
    new_tree,
    survey,
    visits_by_goal,
)
from benben.core.kernel import Floats, Ints, States
from benben.core.player import Cancelled, Player, Thought, Turn, Worth
from benben.core.random import generator

SLICE = 0.004  # seconds a kernel call, so that cancelling is heard well within 20 ms
LARGEST = 1 << 18  # nodes of a tree: 128 MB
STUDIED = 0.4  # the part of a turn that goes to reading, and to how the own move will be read
FIRST_SEARCH = 0.4  # its part of a study
MOST_STUDIED = 20_000  # simulations of one position, however much time there is
CANDOUR = 0.5  # the share of simulations that are about the own goal for sure
_CLEAR = 0.4  # a lead of so much of all simulations, when half of them are done, ends the search
_EXPECTED = 8  # visits, for a move to be said to come
_FIRST_SLICE = 16  # simulations, before it is known how fast they are


class ObjectifPlayer(Player):
    """Searches all that may be, as likely as the others' moves make it.

    Without `reads` it draws no conclusions from moves. If it `hides`, it minds what its own ones
    tell, as much as the others seem to read. If it `studies`, it reads by looking ahead.
    """

    name = "objectif"

    def __init__(self, reads: bool = True, hides: bool = True, studies: bool = True) -> None:
        self.reads, self.hides, self.studies = reads, hides, studies
        self._reader = Reader()
        self._simulations: int | None = None  # of each study, if they are counted

    def think(self, turn: Turn) -> Thought:
        begun = turn.budget.now()
        worlds, evidence, ahead = self._read(turn, begun)
        search = _Search(turn, worlds, evidence, ahead, self.hides)
        search.grow(begun)
        thought = search.thought()
        if turn.checkpoint():
            raise Cancelled(thought)
        return thought

    def _read(self, turn: Turn, begun: float) -> tuple[Ints, Floats, Floats]:
        """All worlds, what the moves so far tell of them, and by what the next one is read."""
        history = turn.history
        if turn.budget.simulations != self._simulations:  # so that a turn is always read the same
            self._reader, self._simulations = Reader(), turn.budget.simulations
        reader = self._reader
        unread = len(reader.unread(history.start, history.moves, self.studies))
        study = Study(turn, begun, unread + 1) if self.studies else None
        for _ in reader.steps(history.start, history.moves, study or at_a_glance):
            if turn.checkpoint():
                self._reader = Reader()  # this one has not looked far enough
                raise Cancelled
        ahead = reader.look_ahead(study) if study and self.hides else UNSEEN
        if turn.checkpoint():
            self._reader = Reader()
        evidence = reader.evidence if self.reads else no_evidence(self.studies)
        return reader.worlds, evidence, ahead


class Study:
    """Looks ahead in the place of whoever is in turn, within its part of a turn's budget.

    Twice: as one who minds what its moves tell at a glance; then as one who minds what they tell a
    reader who has made the first search.
    """

    def __init__(self, turn: Turn, begun: float, positions: int) -> None:
        self._turn, self._left = turn, positions
        seconds, wanted = turn.budget.seconds, turn.budget.simulations
        self._end = inf if seconds is None else begun + STUDIED * seconds
        self._wanted = MOST_STUDIED
        if wanted is not None:
            self._wanted = min(MOST_STUDIED, int(wanted * STUDIED / 2))
        self._net = net_for(turn.view.game.players)

    def __call__(self, a: States, worlds: Ints, evidence: Floats) -> Floats:
        if a[0].left == 1:  # what the last move is worth is known without a search
            return UNSEEN
        now = self._turn.budget.now()
        part = (self._end - now) / self._left
        self._left -= 1
        outlook = survey(a, worlds, evidence, self._net, MODEL, UNSEEN)
        first = self._visits(a, outlook, FIRST_SEARCH, now + FIRST_SEARCH * part)
        outlook = minded(a, int(a[0].turn), worlds, evidence, np.stack((first, first)))
        return np.stack((first, self._visits(a, outlook, 1 - FIRST_SEARCH, now + part)))

    def _visits(self, a: States, outlook: Outlook, part: float, until: float) -> Floats:
        """By goal, after this part of the simulations, or as many as there is time for."""
        wanted = max(1, int(part * self._wanted))
        supposed, tree = evenly(outlook, int(a[0].turn)), _tree_for(wanted)
        random = generator(int(a[0].left))  # the same, whoever studies the position and when
        _simulate(
            self._turn,
            wanted,
            lambda size: grow(a, tree, outlook, self._net, supposed, size, random),
            lambda _, now, __: now >= until,
        )
        return visits_by_goal(tree, len(outlook.glance.listed))


def minded(
    a: States, seat: int, worlds: Ints, evidence: Floats, ahead: Floats, hides: bool = True
) -> Outlook:
    """What the seat in turn knows, and what its moves tell, as far as the others seem to read."""
    players = int(a[0].players)
    others = [i for i in range(players) if i != seat]
    seen = float(attention(worlds, evidence)[others].mean())
    supposed = evidence.copy()
    supposed[:, seat] *= seen
    outlook = survey(a, worlds, supposed, net_for(players), MODEL, ahead)
    care(outlook, seat, seen if hides else 0.0)
    return outlook


class _Search:
    """The tree of one turn, and its budget."""

    def __init__(
        self, turn: Turn, worlds: Ints, evidence: Floats, ahead: Floats, hides: bool
    ) -> None:
        self._turn = turn
        self._view = turn.view.record
        self._net = net_for(turn.view.game.players)
        self._random = generator(turn.seed)
        self._outlook = minded(self._view, turn.seat, worlds, evidence, ahead, hides)
        self._supposed = candid(self._outlook, CANDOUR)
        self.belief = belief_of(turn.view, worlds, evidence)
        self._goal = int(self._view[0].goal[turn.seat])
        budget = turn.budget
        self._seconds, self._wanted = budget.seconds, budget.simulations
        self._exact = bool(self._view[0].left == 1)  # the glance has seen all that may be
        if self._exact or len(self._outlook.glance.listed) == 1:
            self._wanted = 1
        self._tree = _tree_for(self._wanted)
        self.simulations = 0

    def grow(self, begun: float) -> None:
        """Simulate until the budget is spent, the choice is clear or the turn is cancelled."""
        end = inf if self._seconds is None else begun + self._seconds

        def is_enough(done: int, now: float, pace: float) -> bool:
            return end < inf and (now >= end or self._is_clear(done, int((end - now) * pace)))

        self.simulations = _simulate(
            self._turn,
            self._wanted,
            lambda size: grow(
                self._view, self._tree, self._outlook, self._net, self._supposed, size, self._random
            ),
            is_enough,
        )

    def _is_clear(self, done: int, left: int) -> bool:
        """Whether another move is unlikely to be the most visited after the simulations left."""
        visits = np.sort(self._statistics()[0])
        lead = visits[-1] - visits[-2]
        return bool(lead > left or (lead > _CLEAR * done > _CLEAR * left))

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


def _simulate(
    turn: Turn,
    wanted: int | None,
    simulate: Callable[[int], None],
    is_enough: Callable[[int, float, float], bool],
) -> int:
    """Simulate in slices until all that are wanted are done or the turn is cancelled; how many.

    Or until it is enough, by how many are done, the time, and how many a second there are.
    """
    size, done = _FIRST_SLICE, 0
    while True:
        now = turn.budget.now()
        if wanted is not None:
            size = min(size, wanted - done)
        simulate(size)
        done += size
        after = turn.budget.now()
        pace = size / max(after - now, 1e-6)
        if turn.checkpoint() or done == wanted or is_enough(done, after, pace):
            return done
        size = max(1, min(2 * size, int(SLICE * pace)))


def _tree_for(simulations: int | None) -> Tree:
    return new_tree(min(LARGEST, SMALLEST + (simulations or LARGEST)))


def _error(share: float, visits: float) -> float:
    # As if half a game more had been won and half a game more lost.
    p = (share * visits + 0.5) / (visits + 1)
    return float(sqrt(p * (1 - p) / (visits + 1)))
