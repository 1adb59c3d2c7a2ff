"""The kernels Python calls: single moves, whole games at random, counts of the game tree.

Written once over the generic functions of `rules.py`. Records come in arrays of one: handing Numba
a bare record costs ten times as much a call.
"""

import numpy as np

from benben.core.kernel import Floats, Ints, State, States, kernel
from benben.core.random import Random, below
from benben.core.rules import (
    CHANCE,
    LEGAL,
    OVER,
    bounds,
    chance,
    deal,
    forbids,
    moves,
    outcome,
    play,
    random_move,
    throw,
    to_move,
    view,
)

MOST_DRAWS = 128  # no deal draws more integers
LOG_ROWS = 128  # no move makes more steps, row 0 being their number


@kernel(nogil=False)
def bounds_of(a: States, options: Ints, out: Ints) -> int:
    return bounds(a[0], options, out)


@kernel(nogil=False)
def set_up(a: States, options: Ints, draws: Ints) -> None:
    deal(a[0], options, draws)


@kernel(nogil=False)
def whose(a: States) -> int:
    return to_move(a[0])


@kernel(nogil=False)
def list_moves(a: States, out: Ints) -> int:
    return moves(a[0], out)


@kernel(nogil=False)
def list_throws(a: States, out: Ints, weights: Ints) -> int:
    return chance(a[0], out, weights)


@kernel(nogil=False)
def total_weight(a: States, out: Ints, weights: Ints) -> int:
    """List the throws; the sum of their weights."""
    total = 0
    for i in range(chance(a[0], out, weights)):
        total += weights[i]
    return total


@kernel(nogil=False)
def throw_at(out: Ints, weights: Ints, drawn: int) -> int:
    """The first throw whose weight, with all before it, passes a drawn integer."""
    at = 0
    while drawn >= weights[at]:
        drawn -= weights[at]
        at += 1
    return out[at]


@kernel(nogil=False)
def refusal(a: States, move: int) -> int:
    return forbids(a[0], move)


@kernel(nogil=False)
def attempt(a: States, move: int, after: States) -> int:
    """Make the move or throw in `after` if it is legal; otherwise say which rule forbids it."""
    rule = forbids(a[0], move)
    if rule == LEGAL:
        after[0] = a[0]
        play(after[0], move, None)
    return rule


@kernel(nogil=False)
def trace(a: States, move: int, after: States, log: Ints) -> int:
    """The same, noting every step."""
    log[0, 0] = 0
    rule = forbids(a[0], move)
    if rule == LEGAL:
        after[0] = a[0]
        play(after[0], move, log)
    return rule


@kernel(nogil=False)
def trace_all(a: States, codes: Ints, after: States, log: Ints, ends: Ints) -> int:
    """Every legal move; each one's steps come after the last one's, and end before such a row."""
    n = moves(a[0], codes)
    row = 0
    for i in range(n):
        steps = log[row:]
        steps[0, 0] = 0
        after[0] = a[0]
        play(after[0], codes[i], steps)
        row += steps[0, 0] + 1
        ends[i] = row
    return n


@kernel(nogil=False)
def settle(a: States, shares: Floats) -> int:
    return outcome(a[0], shares)


@kernel(nogil=False)
def look(a: States, seat: int, out: States) -> None:
    view(a[0], seat, out[0])


@kernel(nogil=False)
def draw_move(a: States, random: Random) -> int:
    return random_move(a[0], random)


@kernel(nogil=False)
def draw_throw(a: States, random: Random) -> int:
    return throw(a[0], random)


@kernel
def finish(s: State, random: Random) -> int:
    """Play on at random to the end; how many decisions that took."""
    decisions = 0
    turn = to_move(s)
    while turn != OVER:
        if turn == CHANCE:
            play(s, throw(s, random), None)
        else:
            play(s, random_move(s, random), None)
            decisions += 1
        turn = to_move(s)
    return decisions


@kernel
def playouts(blank: States, options: Ints, games: int, random: Random, totals: Floats) -> int:
    """Deal and play whole games at random, adding each seat's shares to `totals`."""
    work = blank.copy()
    size = np.empty(MOST_DRAWS, np.int64)
    draws = np.empty(MOST_DRAWS, np.int64)
    shares = np.zeros(len(totals), np.float64)
    n = bounds(work[0], options, size)
    decisions = 0
    for _ in range(games):
        work[0] = blank[0]
        for i in range(n):
            draws[i] = below(random, size[i])
        deal(work[0], options, draws)
        decisions += finish(work[0], random)
        outcome(work[0], shares)
        for seat in range(len(totals)):
            totals[seat] += shares[seat]
    return decisions


@kernel
def perft(start: States, depth: int, most: int) -> int:
    """How many ways the next `depth` moves and throws can go; a finished game goes no way."""
    if depth == 0:
        return 1
    line = np.empty(depth, start.dtype)  # the position at each depth
    branches = np.empty((depth, most), np.int64)
    weights = np.empty(most, np.int64)
    left = np.zeros(depth, np.int64)  # branches not yet tried at each depth
    line[0] = start[0]
    left[0] = _branches(line[0], branches[0], weights)
    level = 0
    total = 0
    while level >= 0:
        if level == depth - 1:
            total += left[level]
            level -= 1
        elif left[level] == 0:
            level -= 1
        else:
            left[level] -= 1
            line[level + 1] = line[level]
            play(line[level + 1], branches[level, left[level]], None)
            level += 1
            left[level] = _branches(line[level], branches[level], weights)
    return total


@kernel
def _branches(s: State, out: Ints, weights: Ints) -> int:
    if to_move(s) == CHANCE:
        return chance(s, out, weights)
    return moves(s, out)
