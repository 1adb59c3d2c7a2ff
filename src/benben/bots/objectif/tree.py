"""The search tree of objectif and the kernel that grows it.

A node is what everybody can see. In each node a seat has statistics for every goal it may have, as
each goal chooses for itself; a simulation supposes a world, drawn by the belief, and every seat
chooses by its goal in it, or at random if that is how it seems to move. Some worlds give the
searching seat another goal than its own: so the others, in the tree, do not know more of it than
they can have read, and answer all of its goals.

A simulation goes down the tree by the rule of AlphaZero (PUCT), makes the statistics of one goal in
one node, and asks the net. What a move of the root would tell about the own goal is in the net's
answers about all that comes after it.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benben.bots.objectif.belief import (
    ALL,
    Glance,
    Model,
    at_random,
    distinct_moves,
    draw,
    expect,
    first_like,
    glance,
    marginals,
    weigh,
)
from benben.bots.objectif.net import Net, scratch, shares_now
from benben.core.kernel import Floats, Ints, State, States, kernel
from benben.core.random import Random, below
from benben.games.objectif.rules import COLOURS, MOST_MOVES, PIECES_EACH, moves, outcome, play

ROOT = 0
EDGES = 12  # room for so many moves a node, and twice as many for their statistics
SMALLEST = MOST_MOVES // EDGES  # nodes, for the moves of the root
_FEW = 3  # worlds in which a move is tried when statistics begin
_CURIOSITY = 1.0
_WARMTH = 0.05  # in shares: how sharply the first glance tells moves apart
_NONE = -1
_ROUNDS = 2  # the others may know that we are wary
_LONGEST = PIECES_EACH * len(COLOURS)  # turns of a game for four


class Tree(NamedTuple):
    """Nodes, their moves, and the statistics of moves by goal. `used` counts all three."""

    first: NDArray[np.int32]  # of each node: where its moves begin
    moves: NDArray[np.int16]  # of each node: how many; 0 until it has been looked at
    goals: NDArray[np.int32]  # of each node and goal: where its statistics begin
    move: NDArray[np.int16]
    node: NDArray[np.int32]  # where a move leads
    visits: NDArray[np.float32]
    value: NDArray[np.float32]  # the shares won, summed up
    prior: NDArray[np.float32]  # how much the first glance likes the move
    guess: NDArray[np.float32]  # the share it promises: counts as one visit
    used: Ints


class Outlook(NamedTuple):
    """What is known at the root."""

    worlds: Ints
    public: Floats  # the weights of worlds for those who know nobody's goal
    own: Floats  # and for the searching seat
    known: Floats
    aimless: Floats  # how likely each seat is to move at random
    glance: Glance


def new_tree(nodes: int) -> Tree:
    """Memory is the system's to give when it is first written to."""
    moves, statistics = EDGES * nodes, 2 * EDGES * nodes
    return Tree(
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int16),
        np.empty((nodes, ALL), np.int32),
        np.empty(moves, np.int16),
        np.empty(moves, np.int32),
        np.empty(statistics, np.float32),
        np.empty(statistics, np.float32),
        np.empty(statistics, np.float32),
        np.empty(statistics, np.float32),
        np.zeros(3, np.int64),
    )


@kernel
def survey(
    view: States, worlds: Ints, evidence: Floats, net: Net, model: Model, ahead: Floats
) -> Outlook:
    """What the seat in turn knows before it searches; `ahead` as a `Glance` has it.

    Where its own goal is not seen, that is what a spectator knows.
    """
    a = view.copy()
    seat = a[0].turn
    public, own, known = np.empty(len(worlds)), np.empty(len(worlds)), np.empty((4, ALL))
    weigh(worlds, evidence, public)
    marginals(worlds, public, known)
    aimless = np.empty(4)
    at_random(known, evidence, aimless)
    goal = view[0].goal[seat]
    for i in range(len(worlds)):
        own[i] = public[i] if goal == 0 or worlds[i, seat] == goal else 0.0
    own /= own.sum()
    seen = glance(a, worlds, evidence, net, model, _ROUNDS, ahead)
    return Outlook(worlds, public, own, known, aimless, seen)


@kernel
def care(outlook: Outlook, seat: int, share: float) -> None:
    """Mind only a part of what the own moves tell: 1 all of it, 0 nothing."""
    seen = outlook.glance
    for colour in range(1, ALL):
        for i in range(len(seen.listed)):
            before = outlook.known[seat, colour]
            seen.told[colour, i] = before + share * (seen.told[colour, i] - before)
            bare = seen.bare[colour, i]
            seen.wary[colour, i] = bare + share * (seen.wary[colour, i] - bare)


@kernel
def candid(outlook: Outlook, candour: float) -> Floats:
    """How often to suppose each world: as what the seat knows makes it, or as a spectator may."""
    return candour * outlook.own + (1 - candour) * outlook.public


@kernel
def evenly(outlook: Outlook, seat: int) -> Floats:
    """How often to suppose each world: every goal of a seat alike, the others' as is likely."""
    supposed = np.empty(len(outlook.worlds))
    for i in range(len(supposed)):
        supposed[i] = outlook.public[i] / outlook.known[seat, outlook.worlds[i, seat]]
    return supposed / supposed.sum()


@kernel
def visits_by_goal(tree: Tree, n: int) -> Floats:
    """How often the tree went for each of the n moves of its root, in a row for each goal."""
    visits = np.zeros((ALL, n))
    for colour in range(1, ALL):
        first = tree.goals[ROOT, colour]
        if first != _NONE:
            for i in range(n):
                visits[colour, i] = tree.visits[first + i]
    return visits


@kernel
def grow(
    view: States,
    tree: Tree,
    outlook: Outlook,
    net: Net,
    supposed: Floats,
    simulations: int,
    random: Random,
) -> None:
    """Run a number of simulations. A full tree stops growing but goes on learning.

    `supposed` is how often each world is: what a spectator thinks possible must be.
    """
    a = view.copy()
    seat = view[0].turn
    known = outlook.known.copy()
    untold = np.empty((ALL, 0))
    work, shares = scratch(), np.zeros(4)
    listed, every = np.empty(MOST_MOVES, np.int64), np.empty(MOST_MOVES, np.int64)
    alike, guesses = np.empty(MOST_MOVES, np.int64), np.empty(MOST_MOVES)
    path, movers = np.empty(_LONGEST, np.int64), np.empty(_LONGEST, np.int64)
    if tree.used[0] == 0:
        _begin_node(tree, ROOT)
        tree.used[0] = 1
    for _ in range(simulations):
        a[0] = view[0]
        s = a[0]
        drawn = _drawn(supposed, random)
        world = outlook.worlds[drawn]
        for i in range(4):
            s.goal[i] = world[i]
        # Some goals are supposed more often than others believe in them: they must not notice.
        weight = outlook.public[drawn] / supposed[drawn]
        node, depth, new = ROOT, 0, False
        while s.left > 0 and not new:
            turn = s.turn
            colour = world[turn]
            if tree.moves[node] == 0:
                n = distinct_moves(s, every, listed, alike)
                if not _add_moves(tree, node, listed, n):
                    break
            first, n = tree.first[node], tree.moves[node]
            if turn != seat and _happens(outlook.aimless[turn], random):
                best = _any_move(tree, node, s, every, random)
            else:
                if tree.goals[node, colour] == _NONE:
                    if tree.used[2] + n > len(tree.visits):
                        break
                    new = True
                    for i in range(n):
                        listed[i] = tree.move[first + i]
                    if node == ROOT:
                        for i in range(n):
                            guesses[i] = outlook.glance.wary[colour, i]
                    else:
                        expect(
                            s, colour, outlook.worlds, outlook.public, known, untold, net, listed,
                            n, _FEW, random, work, guesses,
                        )  # fmt: skip
                        for i in range(4):
                            s.goal[i] = world[i]
                    _begin_goal(tree, node, colour, guesses, n)
                best = _best(tree, tree.goals[node, colour], n)
                path[depth], movers[depth] = tree.goals[node, colour] + best, turn
                depth += 1
            if node == ROOT:
                for i in range(1, ALL):
                    known[seat, i] = outlook.glance.told[i, best]
            play(s, tree.move[first + best], None)
            if not new:
                node = _follow(tree, first + best)
                new = node == _NONE
        if s.left == 0:
            outcome(s, shares)
        else:
            shares_now(s, world, known, net, work, shares)
        for i in range(depth):
            counts = 1.0 if movers[i] == seat else weight
            tree.visits[path[i]] += counts
            tree.value[path[i]] += counts * shares[movers[i]]


@kernel
def _drawn(weights: Floats, random: Random) -> int:
    """An index drawn by weights whose sum is 1."""
    rest = draw(random)
    chosen = 0
    for i in range(len(weights)):
        if weights[i] > 0:
            chosen = i
            rest -= weights[i]
            if rest <= 0:
                break
    return chosen


@kernel
def _happens(chance: float, random: Random) -> bool:
    return chance > 0 and draw(random) < chance


@kernel
def _any_move(tree: Tree, node: int, s: State, listed: Ints, random: Random) -> int:
    """Which of a node's moves is made, if it is drawn among all legal ones."""
    move = first_like(s, listed[below(random, moves(s, listed))])
    i = 0
    while tree.move[tree.first[node] + i] != move:
        i += 1
    return i


@kernel
def _begin_node(tree: Tree, node: int) -> None:
    tree.moves[node] = 0
    for colour in range(ALL):
        tree.goals[node, colour] = _NONE


@kernel
def _add_moves(tree: Tree, node: int, listed: Ints, n: int) -> bool:
    """Write down the moves of a node; False if the tree is full."""
    first = tree.used[1]
    if first + n > len(tree.move):
        return False
    tree.first[node], tree.moves[node] = first, n
    tree.used[1] += n
    for i in range(n):
        tree.move[first + i] = listed[i]
        tree.node[first + i] = _NONE
    return True


@kernel
def _begin_goal(tree: Tree, node: int, colour: int, guesses: Floats, n: int) -> None:
    """Begin the statistics of a goal in a node."""
    first = tree.used[2]
    tree.goals[node, colour] = first
    tree.used[2] += n
    highest = guesses[:n].max()
    total = 0.0
    for i in range(n):
        total += math.exp((guesses[i] - highest) / _WARMTH)
    for i in range(n):
        tree.prior[first + i] = math.exp((guesses[i] - highest) / _WARMTH) / total
        tree.guess[first + i] = guesses[i]
        tree.visits[first + i] = tree.value[first + i] = 0


@kernel(counted=False)
def _best(tree: Tree, first: int, n: int) -> int:
    """The move with the highest bound."""
    visits = 1.0
    for i in range(first, first + n):
        visits += tree.visits[i]
    curiosity = _CURIOSITY * math.sqrt(visits)
    best, highest = 0, -np.inf
    for i in range(first, first + n):
        once = 1 / (1 + tree.visits[i])
        bound = (tree.value[i] + tree.guess[i] + curiosity * tree.prior[i]) * once
        if bound > highest:
            best, highest = i - first, bound
    return best


@kernel
def _follow(tree: Tree, edge: int) -> int:
    """The node a move leads to, made if it is new; _NONE if the tree is full."""
    if tree.node[edge] == _NONE and tree.used[0] < len(tree.first):
        tree.node[edge] = tree.used[0]
        _begin_node(tree, tree.used[0])
        tree.used[0] += 1
    return tree.node[edge]
