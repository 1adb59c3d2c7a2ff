"""Skill and luck: what levels win against each other, beside how far apart they are.

All levels that play alike on every machine play each other, in every seating. Elo numbers are those
that explain all results together best (`lab/rating.py`). Where one pair's share lies far from what
its distance promises, they explain it badly. How far the last level is above the first tells how
much there is to learn.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from benben.lab.balance.report import Level, Pairing, Skill, Spread
from benben.lab.balance.study import Study
from benben.lab.balance.watching import GameNote
from benben.lab.rating import Estimate, rate

LEVELS = ("1", "2", "3", "4", "5")  # the last level thinks by the clock


def ladder(study: Study) -> Study:
    """The same games, between all levels."""
    return replace(study, bots=LEVELS, judged=False)


def skill_of(study: Study, notes: Sequence[GameNote]) -> Skill:
    """What the bots of a study won against each other; the games are of whole rounds, in order."""
    lineups = study.seatings * len(study.games)
    shares = np.array([note.shares for note in notes])
    shares = shares.reshape(-1, study.round_size, study.players)
    ratings = rate(lineups, shares, len(study.bots))
    points = shares.sum(axis=0)
    pairings = []
    for duel in ratings.duels:
        took = [0.0, 0.0]
        for lineup, won in zip(lineups, points, strict=True):
            if duel.first in lineup and duel.second in lineup:
                took[0] += float(won[lineup.index(duel.first)])
                took[1] += float(won[lineup.index(duel.second)])
        gap = Estimate(-duel.elo.value, -duel.elo.high, -duel.elo.low)
        share = took[1] / sum(took) if sum(took) else 0.5
        names = study.bots[duel.first], study.bots[duel.second]
        pairings.append(Pairing(*names, Spread.of(gap, 1), round(share, 4)))
    levels = [
        Level(bot, Spread.of(standing.elo, 1))
        for bot, standing in zip(study.bots, ratings.standings, strict=True)
    ]
    return Skill(len(notes), levels, pairings)
