"""What results say about players, and how sure that is. Only numbers go in and come out.

The unit is the *round*: every seating once, all with the same deal and dice. Games of one round
share their luck, so they are no independent evidence; rounds are.

- **Shares.** What an entrant gets of a game's point is a proportion, and Wilson's interval is put
  around its mean, which is sensible at 0 % and 100 % too. The number of games it takes is the
  effective one: the games played, divided by how much more (or less) the rounds vary than they
  would if all games were independent. Two rounds' worth of belief in independence are mixed into
  that dispersion, so that one round, or a few that happen to agree, give no certainty.
- **Pairs.** The same, for half of one plus the difference between two entrants' shares.
- **Elo.** Entrant i wins with probability 10^(Ri/400), divided by the sum of that over the seats:
  for two players, Bradley and Terry's model. A share counts as so much of a win. A virtual game for
  each entrant, spread over all it may meet and shared by its seats, keeps the ratings finite. For
  the interval every set of players draws its wins a thousand times anew, as they might have come
  (from the Dirichlet distribution that the virtual games and the results lead to), and the ratings
  are worked out again; the spread is then scaled by the dispersion of the pair.

- **SPRT.** Wald's sequential probability ratio test asks after every round whether a mean is one
  value or a higher one, and mostly needs fewer games than a number fixed beforehand. Which values
  rounds take, and how often, is not known; so each hypothesis is given the likeliest distribution
  of what was seen that has its mean (the generalised test, as chess engines are tested with).

Few rounds widen all this as Student's t is wider than the normal distribution. Every interval is
meant to hold the truth 95 times in 100, each taken on its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log, log1p, pi, sqrt, tan
from statistics import NormalDist

import numpy as np

from benben.core.kernel import Floats

CONFIDENCE = 0.95
BELIEF = 2  # rounds' worth of belief that the games of a round are independent
RESAMPLES = 1000
_ELO = 400 / log(10)
_UPPER = (1 + CONFIDENCE) / 2
_MOST_AT_ONCE = 2_000_000  # numbers: a tenth of a gigabyte for what is made of them
_FAR = 2.0  # how far a step of Newton's may go, in powers of e
_UNSEEN = 1e-3  # rounds' worth of belief that all may be lost, and that all may be won


@dataclass(frozen=True)
class Estimate:
    """A value, and between which two the truth lies 95 times in 100."""

    value: float
    low: float
    high: float

    @property
    def decided(self) -> bool:
        """Whether it is surely above or surely below zero."""
        return self.low > 0 or self.high < 0

    def scaled(self, factor: float, shift: float = 0.0) -> "Estimate":
        return Estimate(*(x * factor + shift for x in (self.value, self.low, self.high)))


@dataclass(frozen=True)
class Standing:
    """How an entrant did: its mean share of a game for each seat it had, and its Elo."""

    seats: int  # how many it had in all
    share: Estimate
    elo: Estimate  # above the first entrant


@dataclass(frozen=True)
class Duel:
    """Two entrants in the games both took part in: by how much the first one's share is larger.

    `score` is what the first got of what the two got, seat for seat; half if neither got anything.
    """

    first: int
    second: int
    margin: Estimate
    elo: Estimate
    score: float


@dataclass(frozen=True)
class Ratings:
    par: float  # the share of a seat if all play alike
    standings: tuple[Standing, ...]
    duels: tuple[Duel, ...]  # of all who met


def rate(lineups: Sequence[tuple[int, ...]], shares: Floats, entrants: int) -> Ratings:
    """Rate entrants by `shares[round, lineup, seat]`; each lineup says who has which seat.

    Everybody meets the first, at least.
    """
    rounds, _, players = shares.shape
    one_hot = (np.array(lineups)[:, :, None] == np.arange(entrants)).astype(np.float64)
    held = one_hot.sum(axis=1)  # how many seats of a lineup an entrant has
    points = np.einsum("rls,lse->re", shares, one_hot)
    won = np.einsum("ls,lse->le", shares.sum(axis=0), one_hot)
    ratings, redrawn = _elo(held, won, rounds)

    duels = []
    elo_above_first = [Estimate(0.0, 0.0, 0.0)]
    for i, j in combinations(range(entrants), 2):
        both = (held[:, i] > 0) & (held[:, j] > 0)
        games = int(both.sum())
        if not games:
            continue
        per_i, per_j = 1 / held[both, i], 1 / held[both, j]
        signs = one_hot[both, :, i] * per_i[:, None] - one_hot[both, :, j] * per_j[:, None]
        margins = np.einsum("rls,ls->r", shares[:, both], signs) / games
        p, q = won[both, i] / rounds * per_i, won[both, j] / rounds * per_j
        independent = float((p * per_i + q * per_j).mean() - (p - q).mean() ** 2) / games
        spread = redrawn[:, i] - redrawn[:, j]
        elo = _elo_between(ratings[i] - ratings[j], spread, margins, independent)
        margin = interval((1 + margins) / 2, games).scaled(2, -1)
        got = float(p.sum() + q.sum())
        duels.append(Duel(i, j, margin, elo, float(p.sum()) / got if got > 0 else 0.5))
        if i == 0:
            elo_above_first.append(Estimate(-elo.value, -elo.high, -elo.low))
    standings = []
    for i in range(entrants):
        games, seats = int((held[:, i] > 0).sum()), int(held[:, i].sum())
        share = interval(points[:, i] / games, games).scaled(games / seats)
        standings.append(Standing(seats * rounds, share, elo_above_first[i]))
    return Ratings(1 / players, tuple(standings), tuple(duels))


class Sprt:
    """Is the mean of what rounds tell, each from 0 to 1, `low` or less, or `high` or more?

    `ratio` is the logarithm of how much likelier the second is. Once it is beyond `bound` to either
    side the test is over: where the mean is `low` (or `high`) it then says otherwise 5 times in
    100 at most. In between it may say either.
    """

    def __init__(self, low: float, high: float) -> None:
        if not 0 < low < high < 1:
            raise ValueError(f"0 < low < high < 1, not {low} and {high}")
        self.low, self.high = low, high
        self.bound = log(CONFIDENCE / (1 - CONFIDENCE))
        self.rounds = 0
        self.ratio = 0.0
        self._seen = {0.0: _UNSEEN, 1.0: _UNSEEN}

    def add(self, mean: float) -> None:
        """Take another round into account."""
        value = round(mean, 9)
        self._seen[value] = self._seen.get(value, 0.0) + 1
        self.rounds += 1
        self.ratio = _unlikeliness(self._seen, self.low) - _unlikeliness(self._seen, self.high)

    @property
    def verdict(self) -> bool | None:
        """True for `high`, False for `low`, None while more rounds are needed."""
        return None if abs(self.ratio) < self.bound else self.ratio > 0


def _unlikeliness(seen: Mapping[float, float], mean: float) -> float:
    """By how much the log likelihood falls short of what it could be, if the mean is this one.

    The likeliest weights of the values are seen / (1 + tilt * (value - mean)), by Lagrange's
    method; the tilt is found by bisection, as the mean falls when it rises.
    """
    away = [(value - mean, times) for value, times in seen.items()]
    least, most = -1 / (1 - mean), 1 / mean
    tilt = 0.0
    for _ in range(50):
        tilt = (least + most) / 2
        if sum(times * x / (1 + tilt * x) for x, times in away) > 0:
            least = tilt
        else:
            most = tilt
    return sum(times * log1p(tilt * x) for x, times in away)


def interval(means: Floats, games: float) -> Estimate:
    """A proportion from its mean in each round of so many games, on average."""
    p = float(np.clip(means.mean(), 0, 1))
    effective = len(means) * games / dispersion(means, p * (1 - p) / games)
    return wilson(p, effective, t_quantile(_UPPER, len(means) - 1 + BELIEF))


def dispersion(means: Floats, independent: float) -> float:
    """How much the rounds' means vary, in units of the variance they had if games were independent.

    Where nothing could vary, as everything was won or lost, nothing is known of it: it is 1.
    """
    freedom = len(means) - 1
    known = independent > 1e-12
    excess = float(((means - means.mean()) ** 2).sum()) / independent if known else freedom
    return (excess + BELIEF) / (freedom + BELIEF)


def wilson(p: float, n: float, z: float) -> Estimate:
    """Wilson's interval around a proportion of n, z standard errors to each side.

    >>> round(wilson(0.0, 10, 1.96).high, 4)
    0.2775
    """
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return Estimate(p, max(0.0, min(p, centre - reach)), min(1.0, max(p, centre + reach)))


def t_quantile(p: float, freedom: int) -> float:
    """Student's t: exactly for 1 and 2 degrees of freedom, else by Cornish and Fisher's series.

    >>> round(t_quantile(0.975, 10), 3)
    2.228
    """
    if freedom == 1:
        return tan(pi * (p - 0.5))
    if freedom == 2:
        return (2 * p - 1) / sqrt(2 * p * (1 - p))
    z = NormalDist().inv_cdf(p)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / freedom**power for power, term in enumerate(terms, 1))


def _elo(held: Floats, won: Floats, rounds: int) -> tuple[Floats, Floats]:
    """The ratings of maximum likelihood, and those of wins drawn anew."""
    # A table is a set of players, whatever the order they sit in.
    tables, table = np.unique(held, axis=0, return_inverse=True)
    virtual = tables / tables.sum(axis=1, keepdims=True) / (tables > 0).sum(axis=0)
    wins = virtual.copy()
    np.add.at(wins, table.reshape(-1), won)
    ratings = _strengths(wins[None], tables, np.zeros((1, held.shape[1])))
    drawn = np.random.default_rng(0).standard_gamma(wins, (RESAMPLES, *wins.shape))
    drawn = np.maximum(drawn, 1e-6 * virtual)
    some = max(1, _MOST_AT_ONCE // wins.size)
    redrawn = [
        _strengths(cases, tables, np.repeat(ratings, len(cases), axis=0))
        for cases in np.split(drawn, range(some, RESAMPLES, some))
    ]
    return _ELO * ratings[0], _ELO * np.concatenate(redrawn)


def _strengths(wins: Floats, tables: Floats, start: Floats) -> Floats:
    """Log strengths of mean 0 that make `wins[case, table, entrant]` likeliest: Newton's method."""
    games, totals = wins.sum(axis=2), wins.sum(axis=1)
    here = start
    for _ in range(200):
        chances = tables * np.exp(here)[:, None, :]
        chances /= chances.sum(axis=2, keepdims=True)
        expected = chances * games[:, :, None]
        slope = totals - expected.sum(axis=1)
        curve = -expected.transpose(0, 2, 1) @ chances
        diagonal = np.einsum("cee->ce", curve)
        diagonal += expected.sum(axis=1)
        curve += diagonal.mean(axis=1)[:, None, None]  # only differences matter: fix the mean
        step = np.linalg.solve(curve, slope[:, :, None])[:, :, 0]
        step *= np.minimum(1, _FAR / np.maximum(np.abs(step).max(axis=1, keepdims=True), 1e-300))
        here = here + step - step.mean(axis=1, keepdims=True)
        if np.abs(step).max() < 1e-8:
            break
    return here


def _elo_between(value: float, redrawn: Floats, margins: Floats, independent: float) -> Estimate:
    wider = sqrt(dispersion(margins, independent))
    wider *= t_quantile(_UPPER, len(margins) - 1 + BELIEF) / NormalDist().inv_cdf(_UPPER)
    low, high = np.quantile(redrawn, (1 - _UPPER, _UPPER)) - value
    return Estimate(float(value), float(value + low * wider), float(value + high * wider))
