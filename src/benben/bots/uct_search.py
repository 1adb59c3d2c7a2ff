"""The search tree and the kernel that grows it: UCT, written once for every game.

Textbook choices. A simulation goes down the tree by UCB1, adds one node, plays on at random to the
end and tells the result to every node on its way. Each seat wants its own share (max-n, which for
two is minimax). A throw is drawn by its chance. What the view hides is imagined anew in every
simulation, and all simulations share one tree of what is seen (information sets).

Left out: transpositions, proofs of wins and losses, anything better than chance in the playouts.
"""

import math

import numpy as np

from benben.core.engine import finish
from benben.core.kernel import Ints, State, States, kernel, record
from benben.core.random import Random, below
from benben.core.rules import (
    CHANCE,
    MOST_SEATS,
    OVER,
    imagine,
    moves,
    outcome,
    play,
    throw,
    to_move,
)

DEEPEST = 256  # moves down the tree; beyond them the game is only played at random

# A node's children lie side by side. A decision's are made all at once, on its second visit, in
# random order; a throw's as they are thrown, and its capacity doubles when it runs out.
NODE = record(
    ("move", np.int64),  # the move or throw that leads here
    ("value", np.float64),  # the shares won here by the seat that chose that move
    ("visits", np.int32),
    ("first", np.int32),  # where its children begin
    ("children", np.int16),
    ("capacity", np.int16),  # how many children it can have so far
    ("tried", np.int16),  # children visited, from the first on
    ("turn", np.int16),  # who moves here: a seat or CHANCE; known once it has capacity
)
ROOT = 0
_FEW = 4  # a throw's capacity at first


@kernel
def grow(
    view: States,
    tree: States,
    used: Ints,
    most_moves: int,
    explore: float,
    simulations: int,
    random: Random,
) -> None:
    """Run a number of simulations. A full tree stops growing but goes on learning.

    `used[0]` is the number of nodes in use, 0 for a tree to begin. `explore` weighs the doubt
    about a move against its worth so far.
    """
    work = view.copy()
    listed = np.empty(most_moves, np.int64)
    path = np.empty(DEEPEST, np.int64)
    shares = np.zeros(MOST_SEATS, np.float64)
    if used[0] == 0:
        _begin(tree[ROOT], -1)
        tree[ROOT].visits = 1  # it is on its second visit at once
        used[0] = 1
    for _ in range(simulations):
        work[0] = view[0]
        imagine(work[0], random)
        depth = _descend(work[0], tree, used, path, listed, explore, random)
        finish(work[0], random)
        outcome(work[0], shares)
        tree[ROOT].visits += 1
        for i in range(1, depth):
            tree[path[i]].visits += 1
            seat = tree[path[i - 1]].turn
            if seat != CHANCE:
                tree[path[i]].value += shares[seat]


@kernel
def _descend(
    s: State, tree: States, used: Ints, path: Ints, listed: Ints, explore: float, random: Random
) -> int:
    """Play down the tree to a node not visited before, or to the end; how many are on the path."""
    node = ROOT
    path[0] = ROOT
    depth = 1
    while depth < DEEPEST:
        if tree[node].capacity == 0 and not (
            tree[node].visits > 0 and _expand(s, tree, used, node, listed, random)
        ):
            break
        if tree[node].turn == CHANCE:
            node = _thrown(tree, used, node, throw(s, random))
            if node < 0:
                break
        else:
            node = _best(tree, node, explore)
        play(s, tree[node].move, None)
        path[depth] = node
        depth += 1
    return depth


@kernel
def _expand(s: State, tree: States, used: Ints, node: int, listed: Ints, random: Random) -> bool:
    """Make a decision's children, or capacity for a throw's; False at the end or when full."""
    turn = to_move(s)
    if turn == OVER:
        return False
    n = _FEW if turn == CHANCE else moves(s, listed)
    if used[0] + n > len(tree):
        return False
    tree[node].turn = turn
    tree[node].capacity = n
    tree[node].first = used[0]
    if turn != CHANCE:
        for i in range(n):
            other = below(random, i + 1)  # Fisher and Yates, from the inside out
            _begin(tree[used[0] + i], listed[i])
            if other != i:
                tree[used[0] + i].move = tree[used[0] + other].move
                tree[used[0] + other].move = listed[i]
        tree[node].children = n
    used[0] += n
    return True


@kernel
def _best(tree: States, node: int, explore: float) -> int:
    """A child not tried yet; when all have been, the one with the highest UCB1 bound."""
    parent = tree[node]
    if parent.tried < parent.children:
        parent.tried += 1
        return parent.first + parent.tried - 1
    doubt = explore * explore * math.log(parent.visits)
    best = -1
    highest = -1.0
    for child in range(parent.first, parent.first + parent.children):
        once = 1.0 / tree[child].visits  # divisions are slow, and there are many children
        bound = tree[child].value * once + math.sqrt(doubt * once)
        if bound > highest:
            highest = bound
            best = child
    return best


@kernel
def _thrown(tree: States, used: Ints, node: int, dice: int) -> int:
    """The child a throw leads to, made if it is new; -1 if the tree is full."""
    parent = tree[node]
    for child in range(parent.first, parent.first + parent.children):
        if tree[child].move == dice:
            return child
    if parent.children == parent.capacity:
        if used[0] + 2 * parent.capacity > len(tree):
            return -1
        for i in range(parent.children):
            tree[used[0] + i] = tree[parent.first + i]
        parent.first = used[0]
        parent.capacity *= 2
        used[0] += parent.capacity
    child = parent.first + parent.children
    parent.children += 1
    _begin(tree[child], dice)
    return child


@kernel
def _begin(node: State, move: int) -> None:
    node.move = move
    node.value = 0.0
    node.visits = node.first = 0
    node.children = node.capacity = node.tried = node.turn = 0
