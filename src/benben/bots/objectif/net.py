"""What a position is worth to a seat, by a small net learnt from games of the player with itself.

It supposes that all goals are known, and is told besides how much a spectator believes in each of
them: who has been seen through is worth less. One hidden layer; the weights of the last one depend
on how much of the game is left.

The net is asked about all moves of a position at once: each changes one place and one stock, so
that the hidden layer of the position needs four rows of weights changed for each.
"""

import math
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benben.core.kernel import Floats, Ints, State, kernel
from benben.core.rules import next_seat
from benben.games.objectif.evaluation import (
    FEATURES,
    find_roles,
    place_feature,
    stock_feature,
    tempo_feature,
)
from benben.games.objectif.rules import COLOURS, MOST_PLACES, held, outcome, play

HIDDEN = 32
STAGES = 19  # of a game: two turns each, the last of all on its own
KNOTS = 4  # a belief lies between two of them, from 0 to 1
INPUTS = FEATURES + 4 * STAGES * KNOTS
NETS = Path(__file__).parent.parent / "nets"

Weights = NDArray[np.float32]


class Net(NamedTuple):
    """The weights of the inputs, those of the hidden layer by stage, and the bias by stage."""

    inputs: Weights
    hidden: Weights
    bias: Weights


class Scratch(NamedTuple):
    """Arrays a kernel works with, made once."""

    role: Ints
    before: Weights  # the hidden layer of a position
    after: Weights  # and after a move
    shares: Floats


@cache
def net_for(players: int) -> Net:
    """The net that is shipped for so many players."""
    with np.load(NETS / f"objectif-{players}.npz") as file:
        return Net(*(file[name].astype(np.float32) for name in Net._fields))


@kernel
def scratch() -> Scratch:
    return Scratch(
        np.empty(len(COLOURS) + 1, np.int64),
        np.empty(HIDDEN, np.float32),
        np.empty(HIDDEN, np.float32),
        np.zeros(4, np.float64),
    )


@kernel(counted=False)
def shares_now(
    s: State, goal: Ints, known: Floats, net: Net, scratch: Scratch, shares: Floats
) -> None:
    """Everybody's share, if those are the goals; `known[seat, colour]` is a spectator's belief."""
    total = 0.0
    for seat in range(s.players):
        shares[seat] = logit_now(s, seat, goal, known, net, scratch)
    if s.players == 2:  # what one loses the other wins
        shares[0] = logistic(0.5 * (shares[0] - shares[1]))
        shares[1] = 1 - shares[0]
        return
    for seat in range(s.players):
        shares[seat] = logistic(shares[seat])
        total += shares[seat]
    for seat in range(s.players):
        shares[seat] /= total


@kernel(counted=False)
def logit_now(s: State, seat: int, goal: Ints, known: Floats, net: Net, scratch: Scratch) -> float:
    """What a seat may expect, if those are the goals, as the net says it."""
    find_roles(s, seat, goal, scratch.role)
    _begin(s, seat, goal, known, s.left, s.turn, net, scratch)
    _add_known(scratch.before, 0, s.left, known[seat, goal[seat]], net)
    return _logit(scratch.before, s.left, net)


@kernel(counted=False)
def add_shares_after(
    s: State,
    goal: Ints,
    known: Floats,
    told: Floats,
    net: Net,
    moves: Ints,
    n: int,
    weight: float,
    scratch: Scratch,
    out: Floats,
) -> None:
    """Add the weighted share of the seat in turn after each move, if those are the goals.

    `told[colour, i]` is what a spectator believes of its goal after a move; without such columns
    it is `known` as before.
    """
    if s.left == 1:
        _add_results(s, goal, moves, n, weight, scratch.shares, out)
        return
    seat, left = s.turn, s.left - 1
    role, before, after = scratch.role, scratch.before, scratch.after
    find_roles(s, seat, goal, role)
    _begin(s, seat, goal, known, left, next_seat(s), net, scratch)
    heeds = told.shape[1] > 0
    if not heeds:
        _add_known(before, 0, left, known[seat, goal[seat]], net)
    stock = s.stock[seat]
    for i in range(n):
        place, colour = moves[i] % MOST_PLACES, moves[i] // MOST_PLACES + 1
        pile, deep = s.pile[place], s.deep[place]
        play(s, moves[i], None)
        pieces = held(stock, colour)
        was = net.inputs[place_feature(pile, role)]
        is_now = net.inputs[place_feature(s.pile[place], role)]
        had = net.inputs[stock_feature(0, role[colour], pieces)]
        has = net.inputs[stock_feature(0, role[colour], pieces - 1)]
        take_back(s, seat, place, pile, deep, stock)
        for unit in range(HIDDEN):
            after[unit] = before[unit] - was[unit] + is_now[unit] - had[unit] + has[unit]
        if heeds:
            _add_known(after, 0, left, told[goal[seat], i], net)
        out[i] += weight * logistic(_logit(after, left, net))


@kernel
def take_back(s: State, seat: int, place: int, pile: int, deep: int, stock: int) -> None:
    """Undo a move of a seat at a place, given what it changed."""
    s.pile[place], s.deep[place], s.stock[seat] = pile, deep, stock
    s.left += 1
    s.turn = seat


@kernel
def logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))


@kernel
def stage_of(left: int) -> int:
    return (left + 1) >> 1


@kernel
def belief_input(turns: int, stage: int) -> int:
    """Where the knots begin of the belief in the goal of a seat, so many turns after one's own."""
    return FEATURES + KNOTS * (STAGES * turns + stage)


@kernel
def _add_results(
    s: State, goal: Ints, moves: Ints, n: int, weight: float, shares: Floats, out: Floats
) -> None:
    """The same of the last move of all: nothing is left to guess."""
    seat = s.turn
    for other in range(s.players):
        s.goal[other] = goal[other]
    stock = s.stock[seat]
    for i in range(n):
        place = moves[i] % MOST_PLACES
        pile, deep = s.pile[place], s.deep[place]
        play(s, moves[i], None)
        outcome(s, shares)
        take_back(s, seat, place, pile, deep, stock)
        out[i] += weight * shares[seat]


@kernel(counted=False)
def _begin(
    s: State,
    seat: int,
    goal: Ints,
    known: Floats,
    left: int,
    turn: int,
    net: Net,
    scratch: Scratch,
) -> None:
    """The hidden layer of a position, as if so much were left; without the belief in one's own."""
    layer, role, inputs = scratch.before, scratch.role, net.inputs
    for unit in range(HIDDEN):
        layer[unit] = 0
    for place in range(s.places):
        _add(layer, inputs[place_feature(s.pile[place], role)])
    for turns in range(s.players):
        other = (seat + turns) % s.players
        for colour in range(1, len(COLOURS) + 1):
            if role[colour] > 0:
                pieces = held(s.stock[other], colour)
                _add(layer, inputs[stock_feature(turns, role[colour], pieces)])
        if turns > 0:
            _add_known(layer, turns, left, known[other, goal[other]], net)
    _add(layer, inputs[tempo_feature(left, (turn - seat) % s.players)])


@kernel(counted=False)
def _add(layer: Weights, row: Weights) -> None:
    for unit in range(HIDDEN):
        layer[unit] += row[unit]


@kernel(counted=False)
def _add_known(layer: Weights, turns: int, left: int, belief: float, net: Net) -> None:
    at = belief * (KNOTS - 1)
    knot = min(KNOTS - 2, int(at))
    far = np.float32(at - knot)
    near = np.float32(1) - far
    first = belief_input(turns, stage_of(left)) + knot
    low, high = net.inputs[first], net.inputs[first + 1]
    for unit in range(HIDDEN):
        layer[unit] += near * low[unit] + far * high[unit]


@kernel(counted=False)
def _logit(layer: Weights, left: int, net: Net) -> float:
    """Four sums side by side: one alone would wait for each addition."""
    nothing, full = np.float32(0), np.float32(1)
    weights = net.hidden[stage_of(left)]
    a = b = c = d = nothing
    for unit in range(0, HIDDEN, 4):
        a += min(full, max(nothing, layer[unit])) * weights[unit]
        b += min(full, max(nothing, layer[unit + 1])) * weights[unit + 1]
        c += min(full, max(nothing, layer[unit + 2])) * weights[unit + 2]
        d += min(full, max(nothing, layer[unit + 3])) * weights[unit + 3]
    return a + b + c + d + net.bias[stage_of(left)]
