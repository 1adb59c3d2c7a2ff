"""Skill and luck: what levels win against each other, beside how far apart they are.

Levels play each other in an arena, in every seating. Elo numbers are those that explain all results
together best (`lab/rating.py`). Where one pair's share lies far from what its distance promises,
they explain it badly. How far the last level is above the first tells how much there is to learn.
"""

from collections.abc import Callable

import numpy as np

from benben.bots.entrants import entrant
from benben.core.game import Game
from benben.lab.arena import Arena
from benben.lab.balance.report import Level, Pairing, Skill, Spread
from benben.lab.ledger import Entry, Ledger
from benben.lab.rating import rate

LEVELS = ("1", "2", "3", "4", "5")  # the last level thinks by the clock


def ladder(game: Game, seed: str, openings: int) -> Arena:
    """All levels that play alike on every machine, against each other."""
    return Arena(game, LEVELS, seed, openings=openings)


def play_ladder(
    arena: Arena,
    games: int,
    ledger: Ledger,
    jobs: int = 1,
    note: Callable[[Entry], object] = lambda _: None,
) -> Skill:
    """Play what the file lacks, and see what the levels got."""
    rounds = arena.rounds(games)
    entries = arena.play(lambda bot: entrant(bot, arena.game), rounds, ledger, jobs, note)
    shares = np.array([entry.shares for entry in entries])
    shares = shares.reshape(rounds, len(arena.seatings), arena.game.players)
    ratings = rate(arena.seatings, shares, len(LEVELS))
    points = shares.sum(axis=0)
    pairings = []
    for duel in ratings.duels:
        took = [0.0, 0.0]
        for seating, won in zip(arena.seatings, points, strict=True):
            if duel.first in seating and duel.second in seating:
                took[0] += float(won[seating.index(duel.first)])
                took[1] += float(won[seating.index(duel.second)])
        gap = Spread.of(duel.elo.scaled(-1), 1)
        pairings.append(
            Pairing(
                LEVELS[duel.first],
                LEVELS[duel.second],
                Spread(gap.value, min(gap.low, gap.high), max(gap.low, gap.high)),
                round(took[1] / max(sum(took), 1e-9), 4),
            )
        )
    levels = [
        Level(bot, Spread.of(standing.elo, 1))
        for bot, standing in zip(LEVELS, ratings.standings, strict=True)
    ]
    return Skill(len(entries), levels, pairings)
