"""The tree of positions in which every seat wants its own share, and the kernel that grows it.

Best-first max-n. A step goes down the tree, by what moves are worth to whoever makes them and how
little they were looked at (PUCT), to a position that has not been opened; opens it, that is, asks
the net about every position one move on; and tells the positions on its way. Each keeps the mean of
what it was told and what the best moves lead to (max-n); moves are judged by a mix of both. Results
that are certain are proven: a win needs one move that wins, anything else needs all.

For games without dice or secrets, for any number of players.
"""

import math
from typing import NamedTuple

import numpy as np

from benben.bots.alphabeta_search import PARTS, mixed
from benben.bots.net import Net, Scratch, expect
from benben.core.kernel import Floats, Ints, State, States, kernel, record
from benben.core.rules import MOST_SEATS, OVER, key, moves, outcome, play, to_move

DEEPEST = 250  # moves down the tree
ROOT = 0
UNPROVEN = -1

NODE = record(
    ("move", np.int64),  # that leads here
    ("visits", np.int32),
    ("first", np.int32),  # where its children begin
    ("children", np.int16),
    ("turn", np.int16),  # who moves here, or OVER
    ("far", np.int16),  # in how many moves a proven result comes, or UNPROVEN
    ("prior", np.float32),  # how likely the move seemed before it was looked at
    ("sums", np.float32, MOST_SEATS),  # of all shares it was told
    ("best", np.float32, MOST_SEATS),  # the shares that the best moves lead to
)


class Search(NamedTuple):
    """What a search works with."""

    net: Net
    work: Scratch
    start: States
    now: States  # the position on the way down, and …
    after: States  # … one move on
    tree: States
    counts: Ints  # nodes in the tree, the deepest they are, and steps in a row that added none
    listed: Ints
    path: Ints
    shares: Floats  # of as many seats as there are
    tastes: Floats  # EXPLORE, MIX, WARMTH, BLUR
    seed: int  # of what is misjudged


USED, DEPTH, IDLE = 0, 1, 2
_IDLE = 1000  # steps in a row to what is proven already: there is nothing left to decide
EXPLORE, MIX, WARMTH, BLUR = 0, 1, 2, 3


@kernel
def grow(search: Search, nodes: int) -> bool:
    """Take steps until so many nodes are there; whether there is more to find out."""
    tree, counts = search.tree, search.counts
    if counts[USED] == 0:
        counts[USED] = 1
        tree[ROOT].visits = tree[ROOT].children = 0
        tree[ROOT].far = UNPROVEN
        tree[ROOT].turn = to_move(search.start[0])
        for seat in range(MOST_SEATS):
            tree[ROOT].sums[seat] = tree[ROOT].best[seat] = 0.0
    room = len(tree) - search.listed.size
    while counts[USED] < nodes:
        if tree[ROOT].far != UNPROVEN or counts[USED] > room or counts[IDLE] == _IDLE:
            return False
        used = counts[USED]
        _step(search)
        counts[IDLE] = counts[IDLE] + 1 if counts[USED] == used else 0
    return True


@kernel
def _step(search: Search) -> None:
    tree, path = search.tree, search.path
    search.now[0] = search.start[0]
    at, depth = ROOT, 0
    path[0] = ROOT
    while tree[at].children and tree[at].far == UNPROVEN and depth < DEEPEST:
        at = _most_promising(search, at)
        depth += 1
        path[depth] = at
        if tree[at].far == UNPROVEN:
            play(search.now[0], tree[at].move, None)
    if tree[at].far == UNPROVEN and depth < DEEPEST:
        _open(search, at)
        _settle(tree, at, len(search.shares))
    search.counts[DEPTH] = max(search.counts[DEPTH], depth)
    leaf = tree[at]
    for level in range(depth, -1, -1):
        node = tree[path[level]]
        node.visits += 1
        for seat in range(len(search.shares)):
            node.sums[seat] += leaf.best[seat]
        if level < depth:
            _settle(tree, path[level], len(search.shares))


@kernel
def _most_promising(search: Search, at: int) -> int:
    tree, tastes = search.tree, search.tastes
    node = tree[at]
    turn, mix = node.turn, tastes[MIX]
    doubt = tastes[EXPLORE] * math.sqrt(node.visits)
    best, chosen = -1.0, node.first
    for child in range(node.first, node.first + node.children):
        visits = tree[child].visits
        worth = (1 - mix) * tree[child].sums[turn] / visits + mix * tree[child].best[turn]
        worth += doubt * tree[child].prior / visits
        if worth > best:
            best, chosen = worth, child
    return chosen


@kernel
def _open(search: Search, at: int) -> None:
    """Ask the net about every position one move on from `now`."""
    tree, shares = search.tree, search.shares
    node = tree[at]
    first = search.counts[USED]
    n = moves(search.now[0], search.listed)
    search.counts[USED] += n
    node.first, node.children = first, n
    total = 0.0
    for i in range(n):
        search.after[0] = search.now[0]
        play(search.after[0], search.listed[i], None)
        child = tree[first + i]
        child.move = search.listed[i]
        child.turn = to_move(search.after[0])
        child.visits = 1
        child.children = 0
        child.far = UNPROVEN
        if child.turn == OVER:
            outcome(search.after[0], shares)
            child.far = 0
        else:
            expect(search.after[0], search.net, search.work, shares)
            if search.tastes[BLUR]:
                _misjudge(search)
        for seat in range(len(shares)):
            child.sums[seat] = child.best[seat] = shares[seat]
        child.prior = math.exp(shares[node.turn] / search.tastes[WARMTH])
        total += child.prior
    for child_at in range(first, first + n):
        tree[child_at].prior /= total


@kernel
def _misjudge(search: Search) -> None:
    """Change what is expected of `after` by up to BLUR, in logits: always alike for a seed."""
    shares, name = search.shares, key(search.after[0])
    total = 0.0
    for seat in range(len(shares)):
        off = 2 * mixed(name, search.seed, seat) / PARTS - 1
        shares[seat] *= math.exp(search.tastes[BLUR] * off)
        total += shares[seat]
    for seat in range(len(shares)):
        shares[seat] /= total


@kernel
def _settle(tree: States, at: int, seats: int) -> None:
    """What the best move from here leads to, and whether that is certain."""
    node = tree[at]
    turn = node.turn
    chosen, proven = node.first, True
    for child in range(node.first, node.first + node.children):
        proven = proven and tree[child].far != UNPROVEN
        if child > chosen and _preferred(tree[child], tree[chosen], turn):
            chosen = child
    best = tree[chosen]
    for seat in range(seats):
        node.best[seat] = best.best[seat]
    if best.far != UNPROVEN and (proven or best.best[turn] >= 1):
        node.far = best.far + 1


@kernel
def _preferred(node: State, other: State, turn: int) -> bool:
    """Whether a seat would rather go there: to more, to a sooner win, to a later defeat."""
    if node.best[turn] != other.best[turn]:
        return node.best[turn] > other.best[turn]
    if node.far == UNPROVEN or other.far == UNPROVEN:
        won = node.best[turn] >= 1
        return (node.far != UNPROVEN) == won and node.far != other.far
    if node.best[turn] >= 1:
        return node.far < other.far
    return node.far > other.far
