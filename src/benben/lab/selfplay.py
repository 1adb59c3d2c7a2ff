"""The kernels that training is made of: games a net plays against itself, and learning from them.

For games without dice or secrets. Between two, a seat's share is what the other does not get, and
the look ahead is alpha-beta; between more, every seat wants its own share (max-n).
"""

import math

import numpy as np

from benben.bots.net import Net, Scratch, Singles, learn, logit, weigh
from benben.core.engine import MOST_DRAWS
from benben.core.kernel import Floats, Ints, State, States, kernel
from benben.core.random import Random, below
from benben.core.rules import (
    OVER,
    bounds,
    deal,
    features,
    moves,
    outcome,
    play,
    random_move,
    to_move,
)

DEEPEST = 8  # moves ahead
LONGEST = 600  # decisions of a game that are learnt from; the rest is only played
_CHANCES = 1 << 20


@kernel
def play_games(
    blank: States,
    options: Ints,
    net: Net,
    work: Scratch,
    most_moves: int,
    depth: int,
    openings: int,
    explore: float,
    trace: float,
    random: Random,
    rows: Ints,
    counts: Ints,
    targets: Singles,
    tally: Floats,
) -> int:
    """Play until the samples are nearly full; how many there are.

    Up to `openings` moves of a game are drawn, later ones with the chance `explore`; the others are
    the best by a look `depth` moves ahead. What a sample is to be worth is what that look said,
    and by `trace` what the rest of the game said. `tally` counts games and decisions, and adds up
    the shares of the first seat.
    """
    seats = int(options[0])
    line = np.empty(DEEPEST + 1, blank.dtype)
    listed = np.empty((DEEPEST + 1, most_moves), np.int64)
    seen = np.zeros((DEEPEST + 1, seats), np.float64)
    size = np.empty(MOST_DRAWS, np.int64)
    draws = np.empty(MOST_DRAWS, np.int64)
    told = np.zeros((LONGEST, seats), np.float64)  # what the look ahead said of each seat
    free = np.zeros(LONGEST, np.int64)  # whether the move was drawn
    firsts = np.zeros(LONGEST + 1, np.int64)  # where the samples of a decision begin
    movers = np.zeros(LONGEST, np.int64)
    views = 1 if seats == 2 else seats
    now = blank.copy()
    n = 0
    while n + LONGEST * views <= len(counts):
        _begin(blank, now, options, size, draws, random)
        for _ in range(below(random, openings + 1)):
            if to_move(now[0]) != OVER:
                play(now[0], random_move(now[0], random), None)
        decisions = 0
        while to_move(now[0]) != OVER:
            move = choose(now, line, listed, seen, net, work, depth)
            explores = below(random, _CHANCES) < explore * _CHANCES
            if explores:
                move = random_move(now[0], random)
            if decisions < LONGEST:
                firsts[decisions] = n
                movers[decisions] = to_move(now[0])
                free[decisions] = explores
                for seat in range(seats):
                    told[decisions, seat] = seen[0, seat]
                for seat in range(seats):
                    if seats > 2 or seat == movers[decisions]:
                        counts[n] = features(now[0], seat, rows[n])
                        n += 1
                decisions += 1
            play(now[0], move, None)
        outcome(now[0], seen[0])
        tally[0] += 1
        tally[1] += decisions
        tally[2] += seen[0, 0]
        for i in range(decisions - 1, -1, -1):
            for seat in range(seats):
                if free[i]:
                    seen[0, seat] = told[i, seat]
                else:
                    seen[0, seat] = (1 - trace) * told[i, seat] + trace * seen[0, seat]
            if seats == 2:
                targets[firsts[i]] = seen[0, movers[i]]
            else:
                for seat in range(seats):
                    targets[firsts[i] + seat] = seen[0, seat]
    return n


@kernel
def _begin(
    blank: States, now: States, options: Ints, size: Ints, draws: Ints, random: Random
) -> None:
    now[0] = blank[0]
    for i in range(bounds(now[0], options, size)):
        draws[i] = below(random, size[i])
    deal(now[0], options, draws)


# ---- Looking ahead


@kernel
def choose(
    now: States, line: States, listed: Ints, seen: Floats, net: Net, work: Scratch, depth: int
) -> int:
    """The best move by a look so many moves ahead, and in `seen[0]` what each seat can expect."""
    line[0] = now[0]
    seat = to_move(line[0])
    n = moves(line[0], listed[0])
    best, chosen = -1.0, listed[0, 0]
    for i in range(n):
        line[1] = line[0]
        play(line[1], listed[0, i], None)
        if seen.shape[1] == 2:
            share = _share(line, listed, seen, 1, depth - 1, seat, best, 1.0, net, work)
            if share > best:
                best, chosen = share, listed[0, i]
                seen[0, seat], seen[0, 1 - seat] = share, 1 - share
        else:
            _shares(line, listed, seen, 1, depth - 1, net, work)
            if seen[1, seat] > best:
                best, chosen = seen[1, seat], listed[0, i]
                for other in range(seen.shape[1]):
                    seen[0, other] = seen[1, other]
    return chosen


@kernel
def _share(
    line: States,
    listed: Ints,
    seen: Floats,
    level: int,
    depth: int,
    seat: int,
    low: float,
    high: float,
    net: Net,
    work: Scratch,
) -> float:
    """What one of two seats can expect; only known to be below `low` or above `high`, if it is."""
    turn = to_move(line[level])
    if turn == OVER:
        outcome(line[level], seen[level])
        return seen[level, seat]
    if depth == 0:
        share = logistic(logit(net, line[level], turn, work))
        return share if turn == seat else 1 - share
    if turn != seat:
        low, high = 1 - high, 1 - low
    best = -1.0
    n = moves(line[level], listed[level])
    for i in range(n):
        line[level + 1] = line[level]
        play(line[level + 1], listed[level, i], None)
        share = _share(
            line, listed, seen, level + 1, depth - 1, turn, max(low, best), high, net, work
        )
        if share > best:
            best = share
            if best >= high:
                break
    return best if turn == seat else 1 - best


@kernel
def _shares(
    line: States, listed: Ints, seen: Floats, level: int, depth: int, net: Net, work: Scratch
) -> int:
    """What every seat can expect, into `seen[level]`, if each wants the most."""
    turn = to_move(line[level])
    if turn == OVER:
        outcome(line[level], seen[level])
        return 0
    if depth == 0:
        expect(line[level], net, work, seen[level])
        return 1
    looked = 0
    n = moves(line[level], listed[level])
    for i in range(n):
        line[level + 1] = line[level]
        play(line[level + 1], listed[level, i], None)
        looked += _shares(line, listed, seen, level + 1, depth - 1, net, work)
        if i == 0 or seen[level + 1, turn] > seen[level, turn]:
            for seat in range(seen.shape[1]):
                seen[level, seat] = seen[level + 1, seat]
    return looked


@kernel
def expect(s: State, net: Net, work: Scratch, shares: Floats) -> None:
    """What the net expects for every seat; together one game."""
    total = 0.0
    for seat in range(len(shares)):
        shares[seat] = logistic(logit(net, s, seat, work))
        total += shares[seat]
    for seat in range(len(shares)):
        shares[seat] /= total


@kernel
def logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))


# ---- Learning


@kernel
def learn_all(
    net: Net,
    work: Scratch,
    gradient: Net,
    means: Net,
    squares: Net,
    rows: Ints,
    counts: Ints,
    targets: Singles,
    order: Ints,
    batch: int,
    rate: float,
    steps: int,
) -> float:
    """Learn from the samples in this order, a batch at a time (Adam); the mean squared error.

    `steps` is how many batches were learnt from before.
    """
    error = 0.0
    for first in range(0, len(order) - batch + 1, batch):
        for i in range(first, first + batch):
            sample = order[i]
            n = counts[sample]
            for feature in range(n):
                work.present[feature] = rows[sample, feature]
            wrong = logistic(weigh(net, work, n)) - targets[sample]
            error += wrong * wrong
            learn(net, work, n, wrong / batch, gradient)
        steps += 1
        pace = rate * math.sqrt(1 - 0.999**steps) / (1 - 0.9**steps)
        for row in range(len(net.rows)):
            _adam(net.rows[row], gradient.rows[row], means.rows[row], squares.rows[row], pace)
        _adam(net.bias, gradient.bias, means.bias, squares.bias, pace)
        _adam(net.out, gradient.out, means.out, squares.out, pace)
        _adam(net.base, gradient.base, means.base, squares.base, pace)
    return error / (len(order) // batch * batch)


@kernel
def _adam(
    weights: Singles, gradient: Singles, means: Singles, squares: Singles, pace: float
) -> None:
    step = np.float32(pace)
    for i in range(len(weights)):
        slope = gradient[i]
        gradient[i] = np.float32(0)
        means[i] += np.float32(0.1) * (slope - means[i])
        squares[i] += np.float32(0.001) * (slope * slope - squares[i])
        weights[i] -= step * means[i] / (np.float32(math.sqrt(squares[i])) + np.float32(1e-8))


# ---- Measuring


@kernel
def compare(
    blank: States,
    options: Ints,
    first: Net,
    second: Net,
    work: Scratch,
    most_moves: int,
    depths: Ints,
    openings: int,
    games: int,
    random: Random,
) -> float:
    """The share of games the first net wins, alone among seconds, from every seat in turn.

    Each opening of drawn moves is played once from every seat.
    """
    seats = int(options[0])
    line = np.empty(DEEPEST + 1, blank.dtype)
    listed = np.empty((DEEPEST + 1, most_moves), np.int64)
    seen = np.zeros((DEEPEST + 1, seats), np.float64)
    size = np.empty(MOST_DRAWS, np.int64)
    draws = np.empty(MOST_DRAWS, np.int64)
    start, now = blank.copy(), blank.copy()
    won = 0.0
    for game in range(games):
        if game % seats == 0:
            _begin(blank, start, options, size, draws, random)
            for _ in range(openings):
                if to_move(start[0]) != OVER:
                    play(start[0], random_move(start[0], random), None)
        now[0] = start[0]
        while to_move(now[0]) != OVER:
            if to_move(now[0]) == game % seats:
                move = choose(now, line, listed, seen, first, work, depths[0])
            else:
                move = choose(now, line, listed, seen, second, work, depths[1])
            play(now[0], move, None)
        outcome(now[0], seen[0])
        won += seen[0, game % seats]
    return won / games
