"""Reviews where goals are secret: decisions are judged by what their seat could know.

The graph is drawn from the truth, as it is known afterwards: what the net expects for everybody
with these goals. And there is what an attentive spectator could have believed after every step.
"""

from collections.abc import Iterator
from math import exp
from threading import Event

import numpy as np

from benben.bots.objectif.net import net_for, scratch, shares_now
from benben.bots.objectif.player import ObjectifPlayer
from benben.bots.objectif.reader import Reader, belief_of
from benben.core.kernel import Floats
from benben.core.player import Budget, Cancelled, Turn, Worth, checkpoint
from benben.core.position import Position
from benben.games.objectif.rules import COLOURS
from benben.learn.reviews.judges import nodes_for, settle_end
from benben.learn.reviews.review import Findings, FinishedGame, Shares

ROUGH_SIMULATIONS = 24  # a decision in the first look
SIMULATIONS = 8_000  # and when it is thought about
ALL_SIMULATIONS = 300_000  # of a whole game
_WARMTH = 0.03  # of a share: how sharply it is expected that the better move is made


class ReaderJudge:
    """Judges every decision by the seat's own view and belief."""

    def __init__(
        self, game: FinishedGame, found: Findings, cancelled: Event, nodes: int | None = None
    ) -> None:
        self.game, self.found, self._cancelled = game, found, cancelled
        self.nodes = nodes or nodes_for(game, SIMULATIONS, ALL_SIMULATIONS)
        self._player = ObjectifPlayer()
        self._known: list[Floats] = []  # before each step and at the end: a spectator's belief

    def rough(self) -> Iterator[None]:
        yield from self._read()
        for at, position in enumerate(self.game.positions):
            if position.to_move is not None:
                self.found.chances[at] = self._truth(position, self._known[at])
        settle_end(self.game, self.found)
        for at in self.game.decisions:
            self._think(at, min(ROUGH_SIMULATIONS, self.nodes))
            yield

    def thorough(self) -> Iterator[None]:
        for at in self.game.decisions:
            self._think(at, self.nodes)
            self.found.done += 1
            yield

    def settle(self) -> None:
        """Each decision is judged by itself."""

    def _read(self) -> Iterator[None]:
        """What a spectator believes before and after every step; nothing but moves is looked at."""
        game, reader = self.game, Reader()
        start = game.start.view(None)
        reader.follow(start, ())
        self._note(game.positions[0], reader)
        for at, _ in enumerate(reader.steps(start, game.moves), 1):
            if checkpoint(self._cancelled):
                raise Cancelled
            self._note(game.positions[at], reader)
            yield
        self.found.beliefs = [_listed(known, game.game.players) for known in self._known[1:]]

    def _note(self, position: Position, reader: Reader) -> None:
        marginals = belief_of(position.view(None), reader.worlds, reader.evidence).marginals()
        known = np.zeros((4, len(COLOURS) + 1))
        for seat, chances in enumerate(marginals):
            known[seat, 1:] = chances
        self._known.append(known)

    def _truth(self, position: Position, known: Floats) -> Shares:
        if position.result is not None:
            return list(position.result.shares)
        record = position.record
        shares = np.zeros(4)
        goals = record[0].goal.astype(np.int64)
        shares_now(record[0], goals, known, net_for(position.game.players), scratch(), shares)
        return [float(share) for share in shares[: position.game.players]]

    def _think(self, at: int, simulations: int) -> None:
        game, position = self.game, self.game.positions[at]
        budget = Budget(simulations=simulations)
        turn = Turn.at(game.start, game.moves[:at], position, budget, cancelled=self._cancelled)
        thought = self._player.think(turn)
        self.found.thoughts[at] = thought
        self.found.chances[at] = self._expected(at, thought.worths)
        self.found.certainty[at] = "estimated"

    def _expected(self, at: int, worths: tuple[Worth, ...]) -> Shares:
        """Everybody's chances by what the seat is likely to play, and where that leads."""
        position, known = self.game.positions[at], self._known[at]
        top = max(each.share for each in worths)
        total, sums = 0.0, [0.0] * position.game.players
        for each in worths:
            weight = exp((each.share - top) / _WARMTH)
            if weight < 0.01:
                continue
            total += weight
            for seat, share in enumerate(self._truth(position.play(each.move), known)):
                sums[seat] += weight * share
        return [share / total for share in sums]


def _listed(known: Floats, players: int) -> list[Shares]:
    return [[float(chance) for chance in row[1:]] for row in known[:players]]
