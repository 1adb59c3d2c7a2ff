"""The kernel of alpha-beta search for two players, written once over the generic functions.

Principal variation search: the first move of a position is searched with an open window, the others
only to see that they are no better. What was found is kept in a transposition table by the game's
`key`, and a position is judged, where the search ends, by a net (`net.py`).

Moves that come late in the order are searched less deep at first, and near the leaves not at all;
but never when all before them lose, so that what is proven is proven. A thorough search leaves none
out.

A search goes deeper step by step. What it has in hand at each ply is a frame, not a call, so it can
be left after any number of nodes and gone on with later, and finds the same.

Scores are whole numbers: 1000 is one unit of the net's logit, and a win is `WIN` less the plies to
it, so that of two wins the nearer is better, and of two losses the farther.

Weaker players see less: `blind` is the chance that a move is overlooked, and `blur` how far a
judgement may be off. Both depend on the position and a seed alone, so who overlooks a move now
overlooks it at every depth.

Left out: null moves (in these games having to move may hurt), repetitions (there are none).
"""

from math import log
from typing import NamedTuple

import numpy as np

from benben.bots.net import Net, Scratch, logit
from benben.core.kernel import Floats, Ints, States, kernel, record
from benben.core.rules import OVER, key, moves, order, outcome, play, to_move

WIN = 1_000_000
PROVEN = WIN - 10_000  # nothing but a win or a loss is as far from 0
UNIT = 1000  # of a score: one of the logit
JUDGED = 12 * UNIT  # no judgement is farther from 0
DEEPEST = 96  # plies below the root

# A position that was searched to a depth, and what came of it.
ENTRY = record(
    ("key", np.int64),
    ("score", np.int32),
    ("move", np.int32),
    ("depth", np.int16),
    ("bound", np.int16),
    ("age", np.int32),  # of the search that wrote it
)
NOTHING, EXACT, AT_LEAST, AT_MOST = 0, 1, 2, 3  # bounds

# A position whose moves are being searched.
FRAME = record(
    ("name", np.int64),  # its key
    ("depth", np.int64),  # plies still to search, the next move included
    ("low", np.int64),  # the window: what is known to be had …
    ("high", np.int64),  # … and what will not be granted
    ("best", np.int64),
    ("best_move", np.int64),
    ("bound", np.int64),
    ("moves", np.int64),  # how many
    ("at", np.int64),  # which of them is searched
    ("tried", np.int64),  # how many have been
    ("stage", np.int64),  # how it is searched
    ("turn", np.int64),  # who is to move
)
SCOUT_LESS, SCOUT, OPEN = (
    0,
    1,
    2,
)  # stages: is it better at all, seen from less deep? is it? by how much?

# The fields of `counts`.
NODES, PLY, AGE, SEED, BLIND, BLUR, THOROUGH = range(7)
PARTS = 1024  # of a chance

_HISTORY = 4096  # moves are told apart by their last twelve bits, which is enough to order them
_FIRST, _KILLER, _ORDER = 1 << 40, 1 << 30, 1 << 20  # what comes before what
_LATE, _REDUCED_FROM = 3, 3  # moves after so many, from this depth on, are searched less deep
_SHARPNESS = 0.8  # the less, the fewer plies late moves are searched
_SHALLOW = 5  # where so few plies are left, late moves are not searched at all …
_ENOUGH, _MORE = 2, 2  # … after so many others, and so many more for each ply left

# By so many plies, given the plies left and the moves tried before.
LESS = np.array(
    [
        [
            max(1, min(depth - 1, int(log(depth + 1) * log(tried + 1) / _SHARPNESS)))
            for tried in range(64)
        ]
        for depth in range(DEEPEST + 2)
    ]
)


class Search(NamedTuple):
    """What a search works with."""

    net: Net
    scratch: Scratch
    table: States  # of ENTRY; their number is a power of two
    line: States  # the position at each ply
    frames: States  # of FRAME, at each ply
    listed: Ints  # by ply: the moves
    merits: Ints  # by ply: which of them to try first
    killers: Ints  # by ply: two moves that refuted others lately
    history: Ints  # by seat and move: how often, and how deep, it refuted others
    scores: Ints  # of the root's moves
    shares: Floats
    counts: Ints


@kernel(counted=False)
def begin(search: Search, codes: Ints, depth: int) -> None:
    """Begin to search the moves of the root, in this order, to a depth.

    Scores of moves that are not the best are only bounds, what they are worth at most, unless the
    search is thorough.
    """
    for i in range(len(codes)):
        search.listed[0, i] = codes[i]
        search.merits[0, i] = len(codes) - i
    search.counts[PLY] = 0
    search.frames[0].name = key(search.line[0])
    search.frames[0].turn = to_move(search.line[0])
    _open(search, 0, depth, -WIN, WIN, len(codes))


@kernel(counted=False)
def go_on(search: Search, nodes: int) -> bool:
    """Search on for so many nodes; True when the root is done."""
    line, frames, counts = search.line, search.frames, search.counts
    limit = counts[NODES] + nodes
    ply = counts[PLY]
    while True:
        frame = frames[ply]
        if frame.at == frame.moves:
            if ply == 0:
                return True
            score = _from_root(frame.best, ply)
            _keep(search, frame.name, score, frame.best_move, frame.depth, frame.bound)
            ply -= 1
            _take(search, ply, _sign(search, ply) * frame.best)
            continue
        if counts[NODES] >= limit:
            counts[PLY] = ply
            return False
        line[ply + 1] = line[ply]
        play(line[ply + 1], search.listed[ply, frame.at], None)
        turn = to_move(line[ply + 1])
        if turn == OVER:
            _take(search, ply, _end(search, ply + 1, frame.turn))
            continue
        counts[NODES] += 1
        frames[ply + 1].turn = turn
        less = _less(search, ply) if frame.stage == SCOUT_LESS else 0
        high = frame.high if frame.stage == OPEN else frame.low + 1
        sign = _sign(search, ply)
        low, high = (frame.low, high) if sign > 0 else (-high, -frame.low)
        if _settled(search, ply + 1, frame.depth - 1 - less, low, high):
            _take(search, ply, sign * frames[ply + 1].best)
        else:
            ply += 1


@kernel(counted=False)
def _sign(search: Search, ply: int) -> int:
    """-1 if a score after the move is to be turned round: who moves twice wants the same twice."""
    return 1 if search.frames[ply].turn == search.frames[ply + 1].turn else -1


@kernel(counted=False)
def _settled(search: Search, ply: int, depth: int, low: int, high: int) -> bool:
    """Whether a position needs no search, and its frame's best is its score; else it is begun."""
    frame = search.frames[ply]
    # No line from here can be better than a win with the next move.
    low, high = max(low, ply - WIN), min(high, WIN - ply - 1)
    if low >= high:
        frame.best = low
        return True
    frame.name = key(search.line[ply])
    known = _find(search.table, frame.name)
    tried_first = -1
    if known >= 0:
        entry = search.table[known]
        tried_first = entry.move
        score = _from_here(entry.score, ply)
        if (entry.depth >= depth or abs(score) > PROVEN) and (
            entry.bound == EXACT
            or (entry.bound == AT_LEAST and score >= high)
            or (entry.bound == AT_MOST and score <= low)
        ):
            frame.best = score
            return True
    if depth <= 0 or ply >= DEEPEST:
        frame.best = _judged(search, ply, frame.name)
        _keep(search, frame.name, frame.best, -1, 0, EXACT)
        return True
    n = _list(search, ply, frame.turn, tried_first)
    _open(search, ply, depth + 1 if n == 1 else depth, low, high, n)  # nothing to decide: deeper
    return False


@kernel(counted=False)
def _open(search: Search, ply: int, depth: int, low: int, high: int, n: int) -> None:
    frame = search.frames[ply]
    frame.depth, frame.low, frame.high = depth, low, high
    frame.best, frame.best_move, frame.bound = -WIN, -1, AT_MOST
    frame.moves, frame.at, frame.tried = n, -1, 0
    _choose(search, ply)


@kernel(counted=False)
def _choose(search: Search, ply: int) -> None:
    """The next move to search and how."""
    frame = search.frames[ply]
    frame.at += 1
    while frame.at < frame.moves:
        _bring(search, ply, frame.at, frame.moves)
        if _is_hopeless(search, ply):
            frame.at = frame.moves
            break
        move = search.listed[ply, frame.at]
        if frame.tried == 0 or not _overlooked(search.counts, frame.name, move):
            break
        frame.at += 1
    if frame.tried == 0 or (ply == 0 and search.counts[THOROUGH]):
        frame.stage = OPEN
    elif ply > 0 and frame.at < frame.moves and _less(search, ply):
        frame.stage = SCOUT_LESS
    else:
        frame.stage = SCOUT


@kernel(counted=False)
def _is_hopeless(search: Search, ply: int) -> bool:
    """Whether neither the next move nor those after it are worth a look."""
    frame = search.frames[ply]
    return bool(
        ply > 0
        and not search.counts[THOROUGH]
        and frame.depth <= _SHALLOW
        and frame.tried >= _ENOUGH + _MORE * frame.depth
        and search.merits[ply, frame.at] < _KILLER
        and frame.best > -PROVEN
    )


@kernel(counted=False)
def _less(search: Search, ply: int) -> int:
    """How many plies less a late move is searched at first."""
    frame = search.frames[ply]
    late = frame.tried >= _LATE and search.merits[ply, frame.at] < _KILLER
    if not late or frame.depth < _REDUCED_FROM:
        return 0
    return LESS[min(frame.depth, len(LESS) - 1), min(frame.tried, LESS.shape[1] - 1)]


@kernel(counted=False)
def _take(search: Search, ply: int, score: int) -> None:
    """Take the score of the move that was searched, or have it searched more closely."""
    frame = search.frames[ply]
    if (
        frame.stage != OPEN
        and score > frame.low
        and (frame.stage == SCOUT_LESS or score < frame.high)
    ):
        frame.stage += 1
        return
    move = search.listed[ply, frame.at]
    frame.tried += 1
    if score > frame.best:
        frame.best, frame.best_move = score, move
    if ply == 0:
        search.scores[frame.at] = score
        if search.counts[THOROUGH]:
            _choose(search, ply)
            return
    if score > frame.low:
        frame.low, frame.bound = score, EXACT
    if frame.low >= frame.high:
        frame.bound = AT_LEAST
        _remember(search, ply, frame.turn, move, frame.depth)
        frame.at = frame.moves
    else:
        _choose(search, ply)


@kernel(counted=False)
def _end(search: Search, ply: int, seat: int) -> int:
    outcome(search.line[ply], search.shares)
    if search.shares[seat] == 0.5:
        return 0
    return WIN - ply if search.shares[seat] > 0.5 else ply - WIN


# ---- Which move first


@kernel(counted=False)
def _list(search: Search, ply: int, seat: int, tried_first: int) -> int:
    """The moves, each with its merit: the table's, then killers, then the game's own opinion."""
    s = search.line[ply]
    listed, merits = search.listed[ply], search.merits[ply]
    n = moves(s, listed)
    for i in range(n):
        move = listed[i]
        merit = search.history[seat, move % _HISTORY] + _ORDER * order(s, move)
        if move == search.killers[ply, 0] or move == search.killers[ply, 1]:
            merit += _KILLER
        if move == tried_first:
            merit += _FIRST
        merits[i] = merit
    return n


@kernel(counted=False)
def _bring(search: Search, ply: int, at: int, n: int) -> None:
    """Bring the best of the moves from `at` on to its place."""
    listed, merits = search.listed[ply], search.merits[ply]
    top = at
    for i in range(at + 1, n):
        if merits[i] > merits[top]:
            top = i
    if top != at:
        listed[at], listed[top] = listed[top], listed[at]
        merits[at], merits[top] = merits[top], merits[at]


@kernel(counted=False)
def _remember(search: Search, ply: int, seat: int, move: int, depth: int) -> None:
    if search.killers[ply, 0] != move:
        search.killers[ply, 1] = search.killers[ply, 0]
        search.killers[ply, 0] = move
    at = move % _HISTORY
    search.history[seat, at] = min(search.history[seat, at] + depth * depth, _ORDER - 1)


# ---- The transposition table: two places for each position, the deeper and the later one


@kernel(counted=False)
def _find(table: States, name: int) -> int:
    at = name & (len(table) - 1)
    if table[at].key == name and table[at].bound != NOTHING:
        return at
    at ^= 1
    if table[at].key == name and table[at].bound != NOTHING:
        return at
    return -1


@kernel(counted=False)
def _keep(search: Search, name: int, score: int, move: int, depth: int, bound: int) -> None:
    table, age = search.table, search.counts[AGE]
    at = name & (len(table) - 1)
    entry = table[at]
    if entry.key != name and entry.age == age and entry.depth > depth:
        entry = table[at ^ 1]
    entry.key = name
    entry.score = score
    entry.move = move
    entry.depth = depth
    entry.bound = bound
    entry.age = age


@kernel(counted=False)
def _from_root(score: int, ply: int) -> int:
    """A win in so many plies from this position, whichever way leads to it."""
    if score > PROVEN:
        return score + ply
    return score - ply if score < -PROVEN else score


@kernel(counted=False)
def _from_here(score: int, ply: int) -> int:
    if score > PROVEN:
        return score - ply
    return score + ply if score < -PROVEN else score


# ---- Judgement


@kernel(counted=False)
def _judged(search: Search, ply: int, name: int) -> int:
    seat = to_move(search.line[ply])
    value = UNIT * logit(search.net, search.line[ply], seat, search.scratch)
    blur = search.counts[BLUR]
    if blur:
        value += blur * (mixed(name, search.counts[SEED], 0) / (PARTS / 2) - 1)
    return int(max(-JUDGED, min(JUDGED, value)))


@kernel(counted=False)
def judge(search: Search) -> int:
    """The score of the root at a glance."""
    return _judged(search, 0, key(search.line[0]))


@kernel(counted=False)
def seen(search: Search, codes: Ints, out: Ints) -> int:
    """The moves of the root that are not overlooked, one at least; how many."""
    name, n = key(search.line[0]), 0
    for move in codes:
        if not _overlooked(search.counts, name, move):
            out[n] = move
            n += 1
    if n == 0:
        out[0] = codes[mixed(name, search.counts[SEED], 0) % len(codes)]
        n = 1
    return n


@kernel(counted=False)
def _overlooked(counts: Ints, name: int, move: int) -> bool:
    return bool(counts[BLIND] and mixed(name, counts[SEED], move + 1) < counts[BLIND])


@kernel(counted=False)
def mixed(name: int, seed: int, move: int) -> int:
    """A number below PARTS that looks drawn, always the same for the same three."""
    x = (name ^ seed * 0x9E3779B1 ^ move * 0x85EBCA77) & 0xFFFFFFFF
    x = (x ^ x >> 16) * 0x45D9F3B & 0xFFFFFFFF
    x = (x ^ x >> 16) * 0x45D9F3B & 0xFFFFFFFF
    return (x ^ x >> 16) % PARTS


# ---- The line that both sides would play


@kernel(counted=False)
def principal_line(search: Search, first: int, out: Ints) -> int:
    """The moves the table has for both sides after a first one; how many."""
    line, listed = search.line, search.listed[1]
    line[1] = line[0]
    move, n = first, 0
    while n < len(out):
        play(line[1], move, None)
        out[n] = move
        n += 1
        if to_move(line[1]) == OVER:
            break
        known = _find(search.table, key(line[1]))
        if known < 0 or search.table[known].move < 0:
            break
        move = search.table[known].move
        legal = False
        for i in range(moves(line[1], listed)):
            legal |= listed[i] == move
        if not legal:  # two positions of the same key
            break
    return n
