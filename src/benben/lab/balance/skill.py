"""Skill and luck: what levels win against each other, beside how far apart they are.

All levels that play alike on every machine play each other, in short rounds (`study.py`). Elo
numbers are those that explain all results together best (`lab/rating.py`). Where one pair's share
lies far from what its distance promises, they explain it badly. How far the last level is above the
first tells how much there is to learn.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from benben.core.kernel import Floats
from benben.lab.balance.report import Level, Pairing, Skill, Spread
from benben.lab.balance.study import Study
from benben.lab.balance.watching import GameNote
from benben.lab.rating import Estimate, interval, rate

LEVELS = ("1", "2", "3", "4", "5")  # the last level thinks by the clock


def ladder(study: Study) -> Study:
    """The same games, between all levels."""
    return replace(study, bots=LEVELS, judged=False, short=True)


def skill_of(study: Study, notes: Sequence[GameNote]) -> Skill:
    """What the bots of a study won against each other; the games are of whole rounds, in order."""
    shares = np.array([note.shares for note in notes])
    shares = shares.reshape(-1, study.round_size, study.players)
    ratings = rate(study.lineups, shares, len(study.bots))
    held = np.array(study.lineups)[:, :, None] == np.arange(len(study.bots))
    pairings = []
    for duel in ratings.duels:
        weaker, stronger = duel.first, duel.second
        both = held[:, :, [weaker, stronger]]
        both = both * both.any(axis=1).all(axis=1)[:, None, None]
        took = np.einsum("rls,lsb->rb", shares, both.astype(np.float64))
        gap = Estimate(-duel.elo.value, -duel.elo.high, -duel.elo.low)
        names = study.bots[weaker], study.bots[stronger]
        pairings.append(Pairing(*names, Spread.of(gap, 1), Spread.of(_part(took))))
    levels = [
        Level(bot, Spread.of(standing.elo, 1))
        for bot, standing in zip(study.bots, ratings.standings, strict=True)
    ]
    return Skill(len(notes), levels, pairings)


def _part(took: Floats) -> Estimate:
    """What the second took of what both took, from the points of both in each round.

    Only points that went to either are evidence, and rounds have more of them or fewer. So a round
    counts by how far it is from the mean of all, in points (the ratio's linear approximation).
    """
    each = took.sum(axis=1)
    mean = float(each.mean())
    if not mean:
        return Estimate(0.5, 0.0, 1.0)
    part = float(took[:, 1].mean()) / mean
    return interval(part + (took[:, 1] - part * each) / mean, mean)
