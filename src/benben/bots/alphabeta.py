"""The player that looks ahead, for two: deeper and deeper, judging by what was learnt from play."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from math import exp, sqrt

import numpy as np

from benben.bots.alphabeta_search import (
    AGE,
    BLIND,
    BLUR,
    DEEPEST,
    ENTRY,
    FRAME,
    NODES,
    PARTS,
    PROVEN,
    SEED,
    THOROUGH,
    UNIT,
    WIN,
    Search,
    begin,
    go_on,
    judge,
    principal_line,
    seen,
)
from benben.bots.net import Net, load, scratch_for
from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.kernel import States
from benben.core.player import MOST_SECONDS, Cancelled, Player, Thought, Turn, Worth

SIDES = 2  # what is good for one is as bad for the other
SLICE = 1000  # nodes a kernel call: a few milliseconds, so that cancelling is heard
LONGEST_LINE = 16  # plies of the principal line that are told
_ERROR = 0.5  # of a judgement, in units of how much a single game of that worth would vary
_LARGEST = 1 << 20  # entries of a table: 24 MB
_SMALLEST = 1 << 10
_CLEAR = 2 * UNIT  # a move this far ahead of the others …
_STEADY = 4  # … at so many depths in a row …
_PATIENCE = 0.2  # … is not thought about for more than this part of the time
_MOVE_BITS = 4096
_ages = count(1)  # of thoughts, so that what is old in a table is known


class AlphaBetaPlayer(Player):
    """Searches as deep as its budget goes; `simulations` are nodes.

    `depth` is how far it looks at most. `blind` is its chance to overlook a move, `blur` how far
    its judgement may be off, in units of the logit: a weaker player errs as people do. A `thorough`
    one finds out what every move is worth, not only which one is best. Without a `net` it judges
    by the one that was learnt for the game.
    """

    name = "alphabeta"

    def __init__(
        self,
        depth: int = DEEPEST,
        blind: float = 0.0,
        blur: float = 0.0,
        thorough: bool = False,
        net: Net | None = None,
    ) -> None:
        self.depth, self.blind, self.blur, self.thorough = depth, blind, blur, thorough
        self.net = net
        self._kept: dict[Game, States] = {}  # the table of its last thought

    def think(self, turn: Turn) -> Thought:
        game = turn.view.game
        if game.players != SIDES:
            why = f"alpha-beta search is for {SIDES} players"
            raise BenbenError(f"{why}, and {game.name} has {game.players} here")
        with self._table(turn) as table:
            thinking = _Thinking(turn, table, self)
            thinking.deepen()
            thought = thinking.thought()
        if turn.checkpoint():
            raise Cancelled(thought if thinking.completed else None)
        return thought

    @property
    def sees_all(self) -> bool:
        return not self.blind and not self.blur

    @contextmanager
    def _table(self, turn: Turn) -> Iterator[States]:
        """What was found for earlier moves is of use for the next: who thinks by the clock keeps
        its table, and shares it with nobody, or an opponent would profit. Who thinks in nodes has
        a new one, as its thought must not depend on what was thought before.
        """
        nodes = turn.budget.simulations
        keeps = nodes is None and self.sees_all
        table = self._kept.pop(turn.view.game, None) if keeps else None
        if table is None:
            size = _SMALLEST
            while size < min(2 * (nodes or _LARGEST), _LARGEST):
                size *= 2
            table = np.zeros(size, ENTRY)
        yield table
        if keeps:
            self._kept[turn.view.game] = table

    def close(self) -> None:
        self._kept.clear()


class _Thinking:
    """One turn being thought about."""

    def __init__(self, turn: Turn, table: States, player: AlphaBetaPlayer) -> None:
        self._turn, self._player = turn, player
        game = turn.view.game
        net = player.net or load(game.name, game.players)
        assert net is not None, f"nothing was learnt about {game.name} for {game.players}"
        most = game.rules.MOST_MOVES
        counts = np.zeros(7, np.int64)
        counts[AGE] = next(_ages)
        counts[SEED] = turn.seed & 0xFFFF_FFFF
        counts[THOROUGH] = player.thorough
        counts[BLIND], counts[BLUR] = round(player.blind * PARTS), round(player.blur * UNIT)
        self._search = Search(
            net,
            scratch_for(net, game),
            table,
            np.repeat(turn.view.record, DEEPEST + 2),
            np.zeros(DEEPEST + 2, FRAME),
            np.empty((DEEPEST + 2, most), np.int64),
            np.empty((DEEPEST + 2, most), np.int64),
            np.full((DEEPEST + 2, 2), -1),
            np.zeros((2, _MOVE_BITS), np.int64),
            np.full(most, -WIN),
            np.zeros(4),
            counts,
        )
        codes = np.array([game.code(move) for move in turn.moves], np.int64)
        out = np.empty(len(codes), np.int64)
        self._codes = out[: seen(self._search, codes, out)]
        self._known = dict.fromkeys(self._codes.tolist(), judge(self._search))
        self.completed = 0  # depths
        self._steady = 0  # of them in a row with the same best move

    def deepen(self) -> None:
        """Search deeper and deeper until there is nothing more to find or no time to find it in."""
        if len(self._turn.moves) == 1:
            return  # there is nothing to decide
        now = self._turn.budget.now
        until = now() + (self._turn.budget.seconds or MOST_SECONDS)
        for depth in range(1, self._player.depth + 1):
            begin(self._search, self._codes, depth)
            done = go_on(self._search, self._slice())
            while not (done or self._spent() or now() >= until):
                done = go_on(self._search, self._slice())
            self._note()
            if not done:
                break
            self.completed = depth
            # Once it is proven, the quickest win or the longest fight is found.
            if self._spent() or self._proven() or now() >= self._enough(until):
                break

    def _slice(self) -> int:
        most = self._turn.budget.simulations
        return SLICE if most is None else max(1, min(SLICE, most - self.nodes))

    @property
    def nodes(self) -> int:
        return int(self._search.counts[NODES])

    def _spent(self) -> bool:
        most = self._turn.budget.simulations
        return self._turn.checkpoint() or (most is not None and self.nodes >= most)

    def _proven(self) -> bool:
        return abs(self._known[int(self._codes[0])]) > PROVEN

    def _enough(self, until: float) -> float:
        """When to stop: sooner where one move has been far better than all others for long."""
        best = int(self._codes[0])
        others = [score for code, score in self._known.items() if code != best]
        clear = self._known[best] - max(others, default=-WIN) >= _CLEAR
        if clear and self._steady >= _STEADY:
            return until - (1 - _PATIENCE) * (self._turn.budget.seconds or 0.0)
        return until

    def _note(self) -> None:
        """Note what was found at this depth; the best move is tried first at the next."""
        root = self._search.frames[0]
        for code, score in zip(self._codes[: root.at].tolist(), self._search.scores, strict=False):
            self._known[code] = int(score)
        if root.tried == 0:
            return
        best = int(np.flatnonzero(self._codes == root.best_move)[0])
        self._steady = self._steady + 1 if best == 0 else 0
        self._codes[: best + 1] = np.roll(self._codes[: best + 1], 1)

    def thought(self) -> Thought:
        game = self._turn.view.game
        best = int(self._codes[0])
        line = np.empty(LONGEST_LINE, np.int64)
        n = principal_line(self._search, best, line)
        texts = {game.code(move): move for move in self._turn.moves}
        if not self._player.sees_all:  # what it tells would give its errors away
            return Thought(texts[best], simulations=self.nodes)
        worths = tuple(
            _worth(move, self._known[code], code == best or self._player.thorough)
            for code, move in texts.items()
        )
        expected = tuple(game.text(int(code)) for code in line[:n])
        return Thought(texts[best], worths, self.nodes, expected)


def _worth(move: str, score: int, searched: bool) -> Worth:
    """A proven result is told as such; of a move that is not the best, at most what it is worth."""
    if abs(score) > PROVEN and (searched or score < 0):
        return Worth(move, 1.0 if score > 0 else 0.0, 0.0, "proven")
    share = 1 / (1 + exp(-max(-20.0, min(20.0, score / UNIT))))
    error = _ERROR * sqrt(share * (1 - share))
    return Worth(move, share, error if searched else max(error, _ERROR * 0.5))
