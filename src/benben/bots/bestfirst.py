"""The player that looks ahead, for any number: the most promising lines further than others."""

from math import sqrt

import numpy as np

from benben.bots.bestfirst_search import (
    DEEPEST,
    NODE,
    ROOT,
    UNPROVEN,
    USED,
    Search,
    grow,
)
from benben.bots.net import Net, load, scratch_for
from benben.core.kernel import State
from benben.core.player import MOST_SECONDS, Cancelled, Player, Thought, Turn, Worth

EXPLORE, MIX, WARMTH = 0.5, 0.5, 0.1
SLICE = 0.004  # seconds a kernel call, so that cancelling is heard well within 20 ms
_FIRST_SLICE = 500  # nodes, before it is known how fast they come
LARGEST = 1 << 21  # nodes of a tree: 128 MB if all are used
LONGEST_LINE = 16  # moves of the principal line that are told
_CLEAR = 0.95  # of all steps for one move …
_PATIENCE = 0.2  # … and no more than this part of the time is spent
_ERROR = 0.5  # of a judgement, in units of how much a single game of that worth would vary


class BestFirstPlayer(Player):
    """Grows a tree of positions judged by a net; `simulations` are nodes.

    The move looked at most is played, unless another is proven better. `blur` is how far its
    judgement may be off, in units of the logit, as in `AlphaBetaPlayer`. Without a `net` it judges
    by the one that was learnt for the game.
    """

    name = "bestfirst"

    def __init__(
        self,
        net: Net | None = None,
        explore: float = EXPLORE,
        mix: float = MIX,
        warmth: float = WARMTH,
        blur: float = 0.0,
    ) -> None:
        self.net, self.blur = net, blur
        self.tastes = np.array([explore, mix, warmth, blur])

    def think(self, turn: Turn) -> Thought:
        thinking = _Thinking(turn, self)
        thinking.grow()
        thought = thinking.thought()
        if turn.checkpoint():
            raise Cancelled(thought if thinking.children else None)
        return thought


class _Thinking:
    """One turn being thought about."""

    def __init__(self, turn: Turn, player: BestFirstPlayer) -> None:
        self._turn = turn
        game = turn.view.game
        net = player.net or load(game.name, game.players)
        assert net is not None, f"nothing was learnt about {game.name} for {game.players}"
        view = turn.view.record
        self._search = Search(
            net,
            scratch_for(net, game),
            view,
            view.copy(),
            view.copy(),
            np.empty(LARGEST, NODE),
            np.zeros(3, np.int64),
            np.empty(game.rules.MOST_MOVES, np.int64),
            np.empty(DEEPEST + 1, np.int64),
            np.zeros(game.players, np.float64),
            player.tastes,
            turn.seed & 0xFFFF_FFFF,
        )
        self._told = not player.blur  # what it tells would give its errors away

    @property
    def nodes(self) -> int:
        return int(self._search.counts[USED])

    @property
    def children(self) -> list[State]:
        root = self._search.tree[ROOT]
        if self.nodes == 0:
            return []
        return list(self._search.tree[root.first : root.first + root.children])

    def grow(self) -> None:
        """Grow the tree until the budget is spent, or there is nothing more to find or decide."""
        budget = self._turn.budget
        most = budget.simulations or LARGEST
        begun = now = budget.now()
        until = begun + (budget.seconds or MOST_SECONDS)
        if len(self._turn.moves) == 1:
            most = 2  # the root and where the only move leads
        size = _FIRST_SLICE
        while not self._turn.checkpoint() and now < until and self.nodes < most:
            if not grow(self._search, min(self.nodes + size, most)):
                return
            before, now = now, budget.now()
            size = max(100, min(2 * size, int(size * SLICE / max(now - before, 1e-6))))
            if budget.seconds and now - begun >= _PATIENCE * budget.seconds and self._clear():
                return

    def _clear(self) -> bool:
        visits = [int(child.visits) for child in self.children]
        return max(visits) >= _CLEAR * sum(visits)

    def thought(self) -> Thought:
        moves = self._turn.moves
        if not self.children:
            return Thought(moves[0])
        line = self._line()
        if not self._told:
            return Thought(line[0], simulations=self.nodes)
        worths = tuple(
            _worth(move, child, self._turn.seat)
            for move, child in zip(moves, self.children, strict=True)
        )
        return Thought(line[0], worths, self.nodes, line)

    def _line(self) -> tuple[str, ...]:
        """How the game is expected to go on."""
        tree, game = self._search.tree, self._turn.view.game
        line: list[str] = []
        node = tree[ROOT]
        while node.children and len(line) < LONGEST_LINE:
            node = _choice(list(tree[node.first : node.first + node.children]), int(node.turn))
            line.append(game.text(int(node.move)))
        return tuple(line)


def _choice(children: list[State], turn: int) -> State:
    """The move looked at most; a proven win before it, a proven defeat only after all others."""
    best = children[0]
    for child in children[1:]:
        certain = _certain(child, turn)
        if certain != _certain(best, turn):
            better = certain > _certain(best, turn)
        elif certain:  # the sooner win, the later defeat
            better = certain * child.far < certain * best.far
        else:
            better = (child.visits, child.best[turn]) > (best.visits, best.best[turn])
        if better:
            best = child
    return best


def _certain(node: State, turn: int) -> int:
    """1 if the move wins, -1 if it loses, 0 if that is not known."""
    if node.far == UNPROVEN:
        return 0
    return 1 if node.best[turn] >= 1 else -1 if node.best[turn] <= 0 else 0


def _worth(move: str, node: State, seat: int) -> Worth:
    if node.far != UNPROVEN:
        return Worth(move, float(node.best[seat]), 0.0, "proven")
    share = float(node.best[seat])
    return Worth(move, share, _ERROR * sqrt(share * (1 - share)))
