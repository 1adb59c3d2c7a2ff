"""Numbers out of results: known values, known strengths, and intervals that hold what they say."""

from collections.abc import Callable
from itertools import permutations
from math import isfinite, log10

import numpy as np
import pytest

from benben.core.kernel import Floats
from benben.lab.rating import Ratings, Sprt, dispersion, interval, rate, t_quantile, wilson
from benben.lab.seatings import seatings

PAIR = seatings(2, 2)


def of_first(won: Floats) -> Floats:
    """The shares of two bots, from what the first got in each game of each round."""
    shares = np.zeros((len(won), 2, 2))
    shares[:, 0, 0], shares[:, 0, 1] = won[:, 0], 1 - won[:, 0]
    shares[:, 1, 1], shares[:, 1, 0] = won[:, 1], 1 - won[:, 1]
    return shares


def drawn(lineups: list[tuple[int, ...]], elos: list[float], rounds: int, seed: int) -> Floats:
    """Winners as the model has them."""
    strengths = 10 ** (np.array(elos) / 400)
    chances = strengths[np.array(lineups)]
    edges = (chances / chances.sum(axis=1, keepdims=True)).cumsum(axis=1)
    thrown = np.random.default_rng(seed).random((rounds, len(lineups), 1))
    return np.eye(len(lineups[0]))[(thrown > edges[None, :, :-1]).sum(axis=2)]


# ---- Quantiles and Wilson's interval


@pytest.mark.parametrize(
    ("freedom", "upper", "table"),
    [
        (1, 0.975, 12.706),
        (2, 0.975, 4.303),
        (3, 0.975, 3.182),
        (4, 0.975, 2.776),
        (5, 0.975, 2.571),
        (9, 0.975, 2.262),
        (30, 0.975, 2.042),
        (120, 0.975, 1.980),
        (1_000_000, 0.975, 1.960),
        (2, 0.95, 2.920),
        (10, 0.95, 1.812),
        (10, 0.995, 3.169),
    ],
)
def test_students_t_as_in_the_tables(freedom: int, upper: float, table: float) -> None:
    assert t_quantile(upper, freedom) == pytest.approx(table, abs=0.005)
    assert t_quantile(1 - upper, freedom) == pytest.approx(-table, abs=0.005)


def test_wilson_as_published() -> None:
    # Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    for won, n, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        found = wilson(won / n, n, 1.959964)
        assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_an_interval_of_rounds_that_vary_like_single_games_is_wilsons() -> None:
    means = np.array([0.0, 0.5, 0.5, 1.0] * 100)
    found = interval(means, 2)
    plain = wilson(0.5, 800, 1.96)
    assert found.low == pytest.approx(plain.low, abs=1e-3)
    assert found.high == pytest.approx(plain.high, abs=1e-3)


def test_dispersion() -> None:
    assert dispersion(np.array([0.0, 1.0] * 500), 0.25 / 2) == pytest.approx(2, abs=0.01)
    assert dispersion(np.full(1000, 0.5), 0.25 / 2) < 0.01
    assert dispersion(np.zeros(10), 0.0) == 1
    assert dispersion(np.array([0.3]), 0.1) == 1


@pytest.mark.parametrize("mean", [0.0, 0.25, 0.5, 1.0])
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_few_rounds_give_no_certainty(mean: float, rounds: int) -> None:
    found = interval(np.full(rounds, mean), 4)
    assert 0 <= found.low <= mean <= found.high <= 1
    assert found.high - found.low > 0.25
    assert (found.low == 0) == (mean == 0)


# ---- Ratings


def test_shares_are_means_over_seats() -> None:
    shares = of_first(np.array([[1.0, 0.5], [1.0, 0.0]]))
    ratings = rate(PAIR, shares, 2)
    assert [standing.share.value for standing in ratings.standings] == [0.625, 0.375]
    assert [standing.seats for standing in ratings.standings] == [4, 4]
    assert ratings.par == 0.5
    assert ratings.duels[0].margin.value == 0.25


def test_shares_of_two_bots_on_four_seats() -> None:
    lineups = seatings(2, 4)
    shares = np.zeros((3, len(lineups), 4))
    for game, lineup in enumerate(lineups):
        shares[:, game, lineup.index(1)] = 1  # the second bot always wins
    ratings = rate(lineups, shares, 2)
    assert [standing.share.value for standing in ratings.standings] == [0.0, 0.5]
    assert ratings.standings[1].share.high == pytest.approx(0.5)
    assert [standing.seats for standing in ratings.standings] == [36, 36]
    assert ratings.par == 0.25
    assert ratings.duels[0].margin.value == -0.5
    assert ratings.duels[0].margin.decided


def test_elo_of_two_bots_is_the_logarithm_of_their_odds() -> None:
    won = np.ones((100, 2))
    won[:50, 1] = 0  # 150 wins of 200, and half of a virtual game
    ratings = rate(PAIR, of_first(won), 2)
    expected = 400 * log10(150.5 / 50.5)
    assert ratings.duels[0].elo.value == pytest.approx(expected, abs=1e-6)
    assert ratings.standings[0].elo.value == 0
    assert ratings.standings[1].elo.value == pytest.approx(-expected, abs=1e-6)


def test_a_draw_is_half_a_win() -> None:
    drawn_games = rate(PAIR, of_first(np.full((10, 2), 0.5)), 2)
    assert drawn_games.duels[0].elo.value == pytest.approx(0, abs=1e-9)
    assert not drawn_games.duels[0].margin.decided


@pytest.mark.parametrize(
    ("seats", "elos", "rounds"),
    [
        (2, [0, 100, 250, 600], 400),
        (3, [0, -80, 150, 200], 150),
        (4, [0, 50, 400, 120, 200], 40),
        (4, [0, 120], 800),
        (3, [0, -150], 800),
    ],
)
def test_elo_finds_known_strengths(seats: int, elos: list[float], rounds: int) -> None:
    lineups = seatings(len(elos), seats)
    ratings = rate(lineups, drawn(lineups, elos, rounds, 3), len(elos))
    found = [standing.elo.value for standing in ratings.standings]
    assert found == pytest.approx(elos, abs=50)
    for duel in ratings.duels:
        assert duel.elo.low < duel.elo.value < duel.elo.high
        assert duel.elo.high - duel.elo.low < 150


@pytest.mark.parametrize("rounds", [1, 20, 1000])
@pytest.mark.parametrize("entrants", [2, 3, 6])
def test_elo_is_finite_when_the_better_always_wins(entrants: int, rounds: int) -> None:
    lineups = seatings(entrants, 2)
    shares = np.array([[[a > b, b > a] for a, b in lineups]] * rounds, np.float64)
    ratings = rate(lineups, shares, entrants)
    elos = [standing.elo for standing in ratings.standings]
    assert all(isfinite(x) for elo in elos for x in (elo.value, elo.low, elo.high))
    assert [elo.value for elo in elos] == sorted(elo.value for elo in elos)
    assert all(duel.margin.decided and duel.elo.decided for duel in ratings.duels) == (rounds > 1)


def test_ratings_do_not_depend_on_the_order_of_bots() -> None:
    lineups = seatings(3, 2)
    shares = drawn(lineups, [0, 200, 300], 50, 4)
    straight = rate(lineups, shares, 3)
    turned = rate([tuple(2 - bot for bot in lineup) for lineup in lineups], shares, 3)
    for a, b in zip(straight.standings, reversed(turned.standings), strict=True):
        assert a.share.value == pytest.approx(b.share.value)
        assert a.share.low == pytest.approx(b.share.low)
        assert a.elo.value - straight.standings[2].elo.value == pytest.approx(b.elo.value)


def test_the_same_results_give_the_same_ratings() -> None:
    shares = drawn(PAIR, [0, 50], 30, 1)
    assert rate(PAIR, shares, 2) == rate(PAIR, shares, 2)


# ---- Do the intervals hold the truth as often as they say?


def independent(random: np.random.Generator, rounds: int) -> Floats:
    return (random.random((rounds, 2)) < 0.7).astype(np.float64)


def one_luck(random: np.random.Generator, rounds: int) -> Floats:
    """Both games of a round go the same way."""
    return np.repeat((random.random((rounds, 1)) < 0.7).astype(np.float64), 2, axis=1)


def seat_luck(random: np.random.Generator, rounds: int) -> Floats:
    """In most rounds the dice decide, for one seat and so once for each bot."""
    seat = (random.random((rounds, 1)) < 0.5).astype(np.float64)
    dice = random.random((rounds, 1)) < 0.6
    skill = (random.random((rounds, 2)) < 1.0).astype(np.float64)
    return np.where(dice, np.hstack([seat, 1 - seat]), skill)


@pytest.mark.parametrize("rounds", [4, 40])
@pytest.mark.parametrize("luck", [independent, one_luck, seat_luck])
def test_intervals_of_two_bots_hold_the_truth(
    luck: Callable[[np.random.Generator, int], Floats], rounds: int
) -> None:
    random = np.random.default_rng(11)
    trials, held = 100, np.zeros(3)
    for _ in range(trials):
        ratings = rate(PAIR, of_first(luck(random, rounds)), 2)
        share, duel = ratings.standings[0].share, ratings.duels[0]
        held += (
            share.low <= 0.7 <= share.high,
            duel.margin.low <= 0.4 <= duel.margin.high,
            duel.elo.low <= 400 * log10(0.7 / 0.3) <= duel.elo.high,
        )
    assert (held / trials >= 0.89).all(), held / trials
    if rounds == 40:
        assert (held / trials <= 0.995).all(), held / trials


def test_luck_shared_by_a_round_makes_intervals_wider_or_narrower() -> None:
    def width(luck: Callable[[np.random.Generator, int], Floats]) -> float:
        share = rate(PAIR, of_first(luck(np.random.default_rng(2), 200)), 2).standings[0].share
        return share.high - share.low

    assert width(one_luck) > 1.3 * width(independent)
    assert width(seat_luck) < 0.8 * width(independent)


def test_intervals_at_a_table_of_four_hold_the_truth() -> None:
    lineups = list(permutations(range(4)))
    elos = [0.0, 60, 120, 180]
    truth = 10 ** (np.array(elos) / 400)
    truth /= truth.sum()

    def kept(ratings: Ratings) -> tuple[float, float, float]:
        shares = [
            standing.share.low <= true <= standing.share.high
            for standing, true in zip(ratings.standings, truth, strict=True)
        ]
        margins = [
            duel.margin.low <= truth[duel.first] - truth[duel.second] <= duel.margin.high
            for duel in ratings.duels
        ]
        differences = [
            duel.elo.low <= elos[duel.first] - elos[duel.second] <= duel.elo.high
            for duel in ratings.duels
        ]
        return float(np.mean(shares)), float(np.mean(margins)), float(np.mean(differences))

    held = np.mean([kept(rate(lineups, drawn(lineups, elos, 8, s), 4)) for s in range(100)], axis=0)
    assert (held >= 0.91).all(), held
    assert (held <= 0.995).all(), held


# ---- The sequential test


def pairs_of(random: np.random.Generator, share: float, games_apart: bool) -> Floats:
    """Means of rounds of two games: independent ones, or such as opening and side decide a lot."""
    games = random.random((400, 2))
    if games_apart:
        return (games < share).mean(axis=1)
    decided = random.random(400) < 0.5
    return np.where(decided, 0.5, (games < 2 * share - 0.5).mean(axis=1))


def sequential(values: Floats, low: float, high: float) -> Sprt:
    sprt = Sprt(low, high)
    for value in values:
        sprt.add(float(value))
        if sprt.verdict is not None:
            break
    return sprt


@pytest.mark.parametrize("games_apart", [True, False])
@pytest.mark.parametrize(("low", "high"), [(0.5, 0.6), (0.6, 0.7)])
def test_the_sequential_test_errs_as_seldom_as_it_says(
    low: float, high: float, games_apart: bool
) -> None:
    random = np.random.default_rng(5)
    trials = 100
    for truth, wrong in ((low, True), (high, False)):
        done = [sequential(pairs_of(random, truth, games_apart), low, high) for _ in range(trials)]
        verdicts = [sprt.verdict for sprt in done]
        assert verdicts.count(wrong) <= 0.1 * trials  # 5 expected; 10 are within two deviations
        assert verdicts.count(None) <= 0.05 * trials
        assert np.mean([sprt.rounds for sprt in done]) < 170


def test_the_clearer_it_is_the_sooner_it_ends() -> None:
    random = np.random.default_rng(6)
    lengths = [
        np.mean([sequential(pairs_of(random, share, True), 0.5, 0.6).rounds for _ in range(30)])
        for share in (0.6, 0.7, 0.9)
    ]
    assert lengths[0] > 1.5 * lengths[1] > 2 * lengths[2]


@pytest.mark.parametrize(("value", "verdict"), [(1.0, True), (0.0, False), (0.5, False)])
def test_rounds_that_all_tell_the_same(value: float, verdict: bool) -> None:
    sprt = sequential(np.full(400, value), 0.5, 0.6)
    assert sprt.verdict is verdict
    assert 3 < sprt.rounds < 40


def test_two_wins_out_of_three_as_it_would_be_with_known_distributions() -> None:
    # Where all is won or lost, the likeliest distribution of a mean is the only one of that mean.
    sprt = Sprt(0.5, 0.6)
    for value in [1.0, 1.0, 0.0] * 10:
        sprt.add(value)
    known = 20 * np.log(0.6 / 0.5) + 10 * np.log(0.4 / 0.5)
    assert sprt.ratio == pytest.approx(known, abs=0.01)
    assert sprt.rounds == 30
    assert sprt.verdict is None


@pytest.mark.parametrize(("low", "high"), [(0.6, 0.5), (0.5, 0.5), (0.0, 0.5), (0.5, 1.0)])
def test_hypotheses_that_make_no_test(low: float, high: float) -> None:
    with pytest.raises(ValueError, match="0 < low < high < 1"):
        Sprt(low, high)
