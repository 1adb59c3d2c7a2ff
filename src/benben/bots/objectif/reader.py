"""Follows a game, and says what its moves tell: of the goals, and of who reads."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from benben.bots.objectif.belief import (
    AIMLESS,
    ALL,
    BARE,
    MODEL,
    UNSEEN,
    WARY,
    list_worlds,
    marginals,
    no_evidence,
    observe,
    weigh,
)
from benben.bots.objectif.net import net_for
from benben.core.kernel import Floats, Ints, States
from benben.core.position import View


@dataclass(frozen=True)
class Belief:
    """How likely each world is: its goals, a colour's number for each seat, and the chance."""

    worlds: tuple[tuple[tuple[int, ...], float], ...]

    def marginals(self) -> tuple[tuple[float, ...], ...]:
        """For each seat, how likely each of the colours 1 to 6 is its goal."""
        seats = len(self.worlds[0][0])
        return tuple(
            tuple(
                sum(chance for goals, chance in self.worlds if goals[seat] == colour)
                for colour in range(1, ALL)
            )
            for seat in range(seats)
        )


# Looks ahead in a position as a spectator sees it, by the evidence so far: how often a search went
# for each move, in a row for each goal the seat in turn may have.
LookAhead: TypeAlias = Callable[[States, Ints, Floats], Floats]


def at_a_glance(_: States, __: Ints, ___: Floats) -> Floats:
    """No search."""
    return UNSEEN


class Reader:
    """Follows a game's moves and keeps what they tell. Begins anew if it is another game."""

    def __init__(self) -> None:
        self._start = b""
        self._moves: tuple[str, ...] = ()
        self._ahead: Floats | None = None  # what was found by looking ahead from here
        self._a: States
        self.worlds: Ints
        self.evidence: Floats

    def follow(self, start: View, moves: Sequence[str]) -> Floats:
        """The evidence of these moves, from a start as anybody saw it; it is not to be changed."""
        for _ in self.steps(start, moves):
            pass
        return self.evidence

    def steps(
        self, start: View, moves: Sequence[str], look_ahead: LookAhead = at_a_glance
    ) -> Iterator[None]:
        """The same, move by move."""
        for move in self.unread(start, moves, look_ahead is not at_a_glance):
            ahead, evidence = self.look_ahead(look_ahead), self.evidence.copy()
            net = net_for(start.game.players)
            observe(self._a, start.game.code(move), self.worlds, evidence, net, MODEL, ahead)
            self.evidence, self._ahead = evidence, None
            self._moves = (*self._moves, move)
            yield

    def unread(self, start: View, moves: Sequence[str], ahead: bool) -> tuple[str, ...]:
        """Those of these moves that have not been read yet; by looking ahead, or at a glance."""
        a = start.record
        a[0].goal[:] = 0  # a belief is everybody's: what one seat knows is added by `believe`
        known = tuple(moves)
        if a.tobytes() != self._start or known[: len(self._moves)] != self._moves:
            self._start, self._moves, self._a = a.tobytes(), (), a
            self._ahead = None
            self.worlds = list_worlds(a)
            self.evidence = no_evidence(ahead)
        return known[len(self._moves) :]

    def look_ahead(self, look_ahead: LookAhead) -> Floats:
        """Look ahead from where the game is now, once: what is found is read the next move by."""
        if self._ahead is None:
            self._ahead = look_ahead(self._a, self.worlds, self.evidence)
        return self._ahead


def attention(worlds: Ints, evidence: Floats) -> Floats:
    """How likely each seat is to read the others' moves, by how it moves itself.

    Of those who go by the net's first glance some have read, and others have not. The wary are left
    out, and those who look ahead: they go by so much else that what they have read hardly shows.
    So are the aimless, whose moves show nothing.
    """
    weights, known = np.empty(len(worlds)), np.empty((4, ALL))
    weigh(worlds, evidence, weights)
    marginals(worlds, weights, known)
    likely = np.exp(evidence - evidence.max(0))
    kinds = (known * likely / likely.sum(0)).sum(2)
    manner = MODEL.kinds[:, 3]
    reading = manner == BARE
    not_reading = ~reading & (manner != WARY) & (manner < AIMLESS)
    odds = kinds[reading].mean(0) / kinds[not_reading].mean(0)
    return np.asarray(1 / (1 + odds ** -(1 / MODEL.trust)))


def believe(view: View, start: View, moves: Sequence[str]) -> Belief:
    """What whoever has that view may believe of the goals, after these moves from that start."""
    reader = Reader()
    evidence = reader.follow(start, moves)
    return belief_of(view, reader.worlds, evidence)


def belief_of(view: View, worlds: Ints, evidence: Floats) -> Belief:
    """What whoever has that view may believe of the goals by such evidence."""
    weights = np.empty(len(worlds))
    weigh(worlds, evidence, weights)
    goals = view.record[0].goal
    for seat in range(view.game.players):
        if goals[seat] > 0:
            weights[worlds[:, seat] != goals[seat]] = 0
    weights /= weights.sum()
    return Belief(
        tuple(
            (tuple(world[: view.game.players].tolist()), float(weight))
            for world, weight in zip(worlds, weights, strict=True)
            if weight > 0
        )
    )
