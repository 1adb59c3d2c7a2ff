"""The kernels that training is made of: games a net plays against itself, and learning from them.

For games without dice or secrets. Between two, a seat's share is what the other does not get, and
the look ahead is minimax; between more, every seat wants its own share (max-n).
"""

import math
from typing import NamedTuple

import numpy as np

from benben.bots.net import Net, Scratch, Singles, expect, learn, logistic, weigh
from benben.core.engine import MOST_DRAWS
from benben.core.kernel import Floats, Ints, States, kernel
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


class Sight(NamedTuple):
    """What a look ahead works in, by how many moves ahead it is."""

    line: States  # the positions
    listed: Ints  # the moves of each
    counts: Ints  # how many, and how many of them were tried
    shares: Floats  # what each seat can expect there, as far as is known


class Lessons(NamedTuple):
    """Samples: what was seen, and what it is to be worth."""

    rows: Ints  # the features of each …
    counts: Ints  # … and how many they are
    targets: Singles


class Teacher(NamedTuple):
    """What learning keeps in mind (Adam)."""

    gradient: Net
    means: Net
    squares: Net
    touched: Ints  # the features in this batch …
    marks: Ints  # … each marked, so that it is listed once


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
    lessons: Lessons,
    tally: Floats,
) -> int:
    """Play until the samples are nearly full; how many there are.

    Up to `openings` moves of a game are drawn, later ones with the chance `explore`; the others are
    the best by a look `depth` moves ahead. What a sample is to be worth is what that look said,
    and by `trace` what the rest of the game said. `tally` counts games and decisions, and adds up
    the shares of the first seat.
    """
    seats = int(options[0])
    sight = Sight(
        np.empty(DEEPEST + 1, blank.dtype),
        np.empty((DEEPEST + 1, most_moves), np.int64),
        np.empty((DEEPEST + 1, 2), np.int64),
        np.zeros((DEEPEST + 1, seats), np.float64),
    )
    seen = sight.shares
    size = np.empty(MOST_DRAWS, np.int64)
    draws = np.empty(MOST_DRAWS, np.int64)
    told = np.zeros((LONGEST, seats), np.float64)  # what the look ahead said of each seat
    free = np.zeros(LONGEST, np.int64)  # whether the move was drawn
    firsts = np.zeros(LONGEST + 1, np.int64)  # where the samples of a decision begin
    movers = np.zeros(LONGEST, np.int64)
    views = 1 if seats == 2 else seats
    now = blank.copy()
    n = 0
    while n + LONGEST * views <= len(lessons.counts):
        _begin(blank, now, options, size, draws, random)
        for _ in range(below(random, openings + 1)):
            if to_move(now[0]) != OVER:
                play(now[0], random_move(now[0], random), None)
        decisions = 0
        while to_move(now[0]) != OVER:
            move = choose(now, sight, net, work, depth)
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
                        lessons.counts[n] = features(now[0], seat, lessons.rows[n])
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
                lessons.targets[firsts[i]] = seen[0, movers[i]]
            else:
                for seat in range(seats):
                    lessons.targets[firsts[i] + seat] = seen[0, seat]
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
def choose(now: States, sight: Sight, net: Net, work: Scratch, depth: int) -> int:
    """The best move by a look so many moves ahead; `shares[0]` is what each seat can expect then.

    A move is passed over once the seat before would not let it come to it: what one seat gets, no
    other does. (For two, and up to three moves ahead, that is alpha-beta.)
    """
    line, counts, shares = sight.line, sight.counts, sight.shares
    line[0] = now[0]
    chosen = _open(sight, 0)
    level = 0
    while level >= 0:
        if counts[level, 1] < counts[level, 0]:
            line[level + 1] = line[level]
            play(line[level + 1], sight.listed[level, counts[level, 1]], None)
            counts[level, 1] += 1
            if to_move(line[level + 1]) == OVER:
                outcome(line[level + 1], shares[level + 1])
            elif level + 1 < depth:
                level += 1
                _open(sight, level)
                continue
            else:
                expect(line[level + 1], net, work, shares[level + 1])
        else:
            level -= 1
            if level < 0:
                break
        turn = to_move(line[level])
        if shares[level + 1, turn] > shares[level, turn]:
            for seat in range(shares.shape[1]):
                shares[level, seat] = shares[level + 1, seat]
            if level == 0:
                chosen = sight.listed[0, counts[0, 1] - 1]
            else:
                before = to_move(line[level - 1])
                if before != turn and shares[level - 1, before] + shares[level, turn] >= 1:
                    counts[level, 1] = counts[level, 0]
    return chosen


@kernel
def _open(sight: Sight, level: int) -> int:
    """Begin to look at a position; its first move."""
    sight.counts[level, 0] = moves(sight.line[level], sight.listed[level])
    sight.counts[level, 1] = 0
    for seat in range(sight.shares.shape[1]):
        sight.shares[level, seat] = -1.0
    return sight.listed[level, 0]


# ---- Learning


@kernel
def learn_all(
    net: Net,
    work: Scratch,
    teacher: Teacher,
    lessons: Lessons,
    order: Ints,
    batch: int,
    rate: float,
    steps: int,
) -> float:
    """Learn from the samples in this order, a batch at a time; the mean squared error.

    `steps` is how many batches were learnt from before. Weights of features that are not in a batch
    stay as they are.
    """
    error = 0.0
    for first in range(0, len(order) - batch + 1, batch):
        touched = 0
        for i in range(first, first + batch):
            sample = order[i]
            n = lessons.counts[sample]
            for at in range(n):
                feature = lessons.rows[sample, at]
                work.present[at] = feature
                if not teacher.marks[feature]:
                    teacher.marks[feature] = 1
                    teacher.touched[touched] = feature
                    touched += 1
            wrong = logistic(weigh(net, work, n)) - lessons.targets[sample]
            error += wrong * wrong
            learn(net, work, n, wrong / batch, teacher.gradient)
        steps += 1
        pace = rate * math.sqrt(1 - 0.999**steps) / (1 - 0.9**steps)
        gradient, means, squares = teacher.gradient, teacher.means, teacher.squares
        for i in range(touched):
            row = teacher.touched[i]
            teacher.marks[row] = 0
            _adjust(net.rows[row], gradient.rows[row], means.rows[row], squares.rows[row], pace)
        _adjust(net.bias, gradient.bias, means.bias, squares.bias, pace)
        _adjust(net.out, gradient.out, means.out, squares.out, pace)
        _adjust(net.base, gradient.base, means.base, squares.base, pace)
    return error / (len(order) // batch * batch)


@kernel
def _adjust(
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
    sight = Sight(
        np.empty(DEEPEST + 1, blank.dtype),
        np.empty((DEEPEST + 1, most_moves), np.int64),
        np.empty((DEEPEST + 1, 2), np.int64),
        np.zeros((DEEPEST + 1, seats), np.float64),
    )
    seen = sight.shares
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
                move = choose(now, sight, first, work, depths[0])
            else:
                move = choose(now, sight, second, work, depths[1])
            play(now[0], move, None)
        outcome(now[0], seen[0])
        won += seen[0, game % seats]
    return won / games
