"""The boards of Bâtisseurs, and what a turn can come to on each.

No rule is written here: boards, and what throws can lead to, are found by playing the rules on
records. Within a turn there are *codes*: a kind of board with so many dice to roll, or with none,
where the turn has ended.
"""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import NamedTuple

import numpy as np

from benben.core.bits import count, lowest
from benben.core.game import Game
from benben.core.kernel import Floats, Ints, State, States, kernel
from benben.core.rules import LEGAL, OVER
from benben.games.batisseurs.rules import (
    BLOCKS,
    DICE,
    MOST_MOVES,
    ROLL,
    ROW,
    STOP,
    chance,
    forbids,
    moves,
    play,
    to_move,
)

# The image of each place: in its row, first and last change places.
MIRROR = np.zeros(6 * ROW, np.int64)
for _bit in BLOCKS:
    _row = [bit for bit in BLOCKS if bit // ROW == _bit // ROW]
    MIRROR[_bit] = _row[0] + _row[-1] - _bit


class Kinds(NamedTuple):
    """The boards, in order of their bits, and of which kind each is; 0 is empty, the last full."""

    boards: Ints
    kind_of: Ints
    number: int


class Turns(NamedTuple):
    """What a turn can come to. A code is dice × number of kinds + kind.

    Lists lie end to end: those of code c are from `throws_from[c]` up to `throws_from[c + 1]`.
    """

    throws_from: Ints  # throws with the same ends are one
    busts: Floats  # each code's chance to place nothing
    odds: Floats  # each throw's chance
    ends_from: Ints
    ends: Ints  # the codes each throw can lead to
    codes_from: Ints
    codes: Ints  # all of a turn that begins with this kind of board, fewest dice first


# ---- Boards


@kernel
def mirrored(board: int) -> int:
    image = 0
    while board:
        image |= 1 << MIRROR[lowest(board)]
        board &= board - 1
    return image


@kernel
def board_of(s: State, seat: int) -> int:
    """All blocks of a seat, won or not."""
    return s.won[seat] | (s.dots if s.turn == seat else 0)


@kernel
def next_boards(a: States, out: Ints) -> int:
    """The boards that the seat about to begin a turn can have after one block; how many."""
    throws, weights = np.empty(MOST_MOVES, np.int64), np.empty(MOST_MOVES, np.int64)
    listed = np.empty(MOST_MOVES, np.int64)
    work = np.empty(2, a.dtype)
    seat = a[0].turn
    n = 0
    for t in range(chance(a[0], throws, weights)):
        work[0] = a[0]
        play(work[0], throws[t], None)
        if work[0].turn != seat:
            continue
        for i in range(moves(work[0], listed)):
            work[1] = work[0]
            play(work[1], listed[i], None)
            n = _insert(board_of(work[1], seat), out, 0, n)
    return n


@kernel
def _insert(item: int, out: Ints, start: int, top: int) -> int:
    """Put an item into its place in an ascending list, unless it is there; where the list ends."""
    at = top
    while at > start and out[at - 1] >= item:
        at -= 1
    if at < top and out[at] == item:
        return top
    for i in range(top, at, -1):
        out[i] = out[i - 1]
    out[at] = item
    return top + 1


def find_kinds(start: States, check: Callable[[], None]) -> Kinds:
    """Every board that can be built, from none."""
    out = np.empty(MOST_MOVES, np.int64)
    found, new = {0}, [0]
    while new:
        check()
        a = start.copy()
        a["won"][0, a["turn"][0]] = new.pop()
        grown = set(out[: next_boards(a, out)].tolist()) - found
        found |= grown
        new += grown
    boards = sorted(found)
    # One of each pair of images stands for both; fewest blocks first.
    firsts = sorted({min(each, mirrored(each)) for each in boards}, key=lambda b: (count(b), b))
    kind = {board: i for i, board in enumerate(firsts)}
    kind_of = [kind[min(board, mirrored(board))] for board in boards]
    return Kinds(np.array(boards), np.array(kind_of), len(firsts))


# ---- What throws can lead to


@kernel
def _find(board: int, kinds: Kinds) -> int:
    """Which of the boards it is."""
    low, high = 0, len(kinds.boards) - 1
    while low < high:
        middle = (low + high) // 2
        if kinds.boards[middle] < board:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def kind_of_board(board: int, kinds: Kinds) -> int:
    return kinds.kind_of[_find(board, kinds)]


@kernel
def placings(line: States, seen: Ints, mark: int, kinds: Kinds) -> int:
    """Everything that placing can make of `line[0]`, itself included, each board once; how many.

    In which order blocks were placed does not matter: `seen` has the mark of boards met before.
    """
    listed = np.empty(MOST_MOVES, np.int64)
    seat = line[0].turn
    n, at = 1, 0
    while at < n:
        for i in range(moves(line[at], listed)):
            if listed[i] in (ROLL, STOP):
                continue
            line[n] = line[at]
            play(line[n], listed[i], None)
            board = _find(board_of(line[n], seat), kinds)
            if seen[board] != mark:
                seen[board] = mark
                n += 1
        at += 1
    return n


@kernel
def end_of(s: State, seat: int, kinds: Kinds) -> int:
    """The code if the turn has ended here, or can: who may roll may stop. -1 if placing goes on."""
    kind = kind_of_board(board_of(s, seat), kinds)
    if s.turn != seat or to_move(s) == OVER:
        return kind
    return s.left * kinds.number + kind if forbids(s, ROLL) == LEGAL else -1


@kernel
def _throws(
    rolled: States, met: Ints, code: int, kinds: Kinds, weights: Ints, starts: Ints, ends: Ints
) -> int:
    """List the throws of a code and what they can lead to; how many, equal ones taken together.

    The last weight is that of the throws that bust. `rolled` has a record of every code `met`.
    """
    throws, ways = np.empty(MOST_MOVES, np.int64), np.empty(MOST_MOVES, np.int64)
    line = np.empty(len(kinds.boards) + 1, rolled.dtype)
    seen = np.full(len(kinds.boards), -1)
    seat = rolled[code].turn
    n, busts = 0, 0
    starts[0] = 0
    for t in range(chance(rolled[code], throws, ways)):
        line[0] = rolled[code]
        play(line[0], throws[t], None)
        if line[0].turn != seat:
            busts += ways[t]
            continue
        top = starts[n]
        for i in range(placings(line, seen, t, kinds)):
            end = end_of(line[i], seat, kinds)
            if end >= kinds.number and not met[end]:
                met[end] = 1
                rolled[end] = line[i]
                play(rolled[end], ROLL, None)
            if end >= 0:
                top = _insert(end, ends, starts[n], top)
        same = _same(starts, ends, n, top)
        if same < n:
            weights[same] += ways[t]
        else:
            weights[n] = ways[t]
            n += 1
            starts[n] = top
    weights[n] = busts
    return n


@kernel
def _same(starts: Ints, ends: Ints, n: int, top: int) -> int:
    """The first list equal to the one from `starts[n]` up to `top`."""
    size = top - starts[n]
    for k in range(n):
        if starts[k + 1] - starts[k] == size:
            i = 0
            while i < size and ends[starts[k] + i] == ends[starts[n] + i]:
                i += 1
            if i == size:
                return k
    return n


def find_turns(start: States, kinds: Kinds, check: Callable[[], None]) -> Turns:
    """Every turn, played by the rules once for each kind of board and number of dice.

    Which blocks of a board were won before the turn makes no difference to what can be placed.
    """
    codes = kinds.number * (DICE + 1)
    begin = codes - kinds.number  # from here on, all dice are to be thrown
    rolled = np.repeat(start, codes)
    for board, kind in zip(kinds.boards, kinds.kind_of, strict=True):
        rolled["won"][begin + kind, start["turn"][0]] = board
    met = np.zeros(codes, np.int64)
    met[begin:-1] = 1  # with a full board no turn begins
    weights, starts = np.empty(MOST_MOVES + 1, np.int64), np.empty(MOST_MOVES + 1, np.int64)
    buffer = np.empty(MOST_MOVES * len(kinds.boards), np.int64)
    nothing = (np.zeros(0), 0.0, np.zeros(0, np.int64), np.zeros(0, np.int64))
    of = [nothing] * codes  # odds, chance to bust, how many ends, the ends
    for code in range(codes - 1, kinds.number - 1, -1):
        if met[code]:  # by now, as dice only become fewer
            check()
            n = _throws(rolled, met, code, kinds, weights, starts, buffer)
            odds = weights[: n + 1] / weights[: n + 1].sum()
            sizes, ends = np.diff(starts[: n + 1]), buffer[: starts[n]].copy()
            of[code] = odds[:n], float(odds[n]), sizes, ends
    reach = [np.zeros(0, np.int64)] * codes  # the code itself and all it can lead to
    for code in range(codes):
        check()
        nexts = np.unique(of[code][3]).tolist()
        reach[code] = np.unique(np.concatenate([np.array([code]), *(reach[c] for c in nexts)]))
    return Turns(
        starts_of([len(odds) for odds, *_ in of]),
        np.array([bust for _, bust, *_ in of]),
        np.concatenate([odds for odds, *_ in of]),
        starts_of(np.concatenate([sizes for *_, sizes, _ in of])),
        np.concatenate([ends for *_, ends in of]),
        starts_of([len(codes) for codes in reach[begin:]]),
        np.concatenate(reach[begin:]),
    )


def starts_of(sizes: Sequence[int] | Ints) -> Ints:
    """Where lists of these sizes begin, laid end to end, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def sizes_of(kinds: Kinds) -> Ints:
    """How many blocks the boards of each kind have."""
    sizes = np.zeros(kinds.number, np.int64)
    for board, kind in zip(kinds.boards, kinds.kind_of, strict=True):
        sizes[kind] = count(board)
    return sizes


# ---- Found once

_models: dict[str, tuple[Kinds, Turns]] = {}
_lock = Lock()


def model(game: Game, check: Callable[[], None] = lambda: None) -> tuple[Kinds, Turns]:
    """Boards and turns of a game, remembered: they are the same for any number of players."""
    placing = str(game.options["placing"])
    with _lock:
        if placing not in _models:
            start = game.deal(seed=0).record
            kinds = find_kinds(start, check)
            _models[placing] = kinds, find_turns(start, kinds, check)
        return _models[placing]
