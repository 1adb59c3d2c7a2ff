"""Bâtisseurs for three, solved: everybody's chance to win when somebody is about to begin a turn.

Let V(A, B, C) be the chances of three players of whom the one with board A begins a turn, then B's
turn comes, then C's. Everybody wants the own chance to be as large as can be, and cares for nothing
else. Within the turn of A

    to stop at Y    V(B, C, Y); a finished Y wins
    to roll at Y    over all throws, the code that placing can lead to which is best for A
    a bust          V(B, C, A)

Among equals A prefers to stop, and of placings the one that leaves fewer dice.

What is won stays, so triples of boards are solved from the last blocks back, and only busts lead
back to the same triple, turned: V(A, B, C), V(B, C, A) and V(C, A, B) are found together. Whatever
A does in a turn, its chances are c + r V(B, C, A), with r the chance of a bust; so from a **plan**
of each player, its c and r, follow all three. Then everybody plans anew, until nobody can do
better.

All triples with as many missing blocks are independent of each other, and those of the same mover
have the same turn: a turn is worked out for many pairs of opponents at once, in **lanes** side by
side, which is what the processor does best.

In some forty of four million triples nobody can settle: each plan has an answer that makes another
plan better. There players mix two plans in such shares that the others do not mind which they
play, as in rock, paper, scissors.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise
from pathlib import Path
from threading import Event, Lock
from typing import NamedTuple, TypeAlias

import numpy as np

from benben.bots.batisseurs import turns as turns_module
from benben.bots.batisseurs.keeping import Unfinished, alone, file_of, read_table
from benben.bots.batisseurs.turns import Kinds, Turns, model, sizes_of
from benben.bots.batisseurs.worths import boards_of, move_worths
from benben.core.game import Game
from benben.core.kernel import Floats, Ints, States, kernel
from benben.core.player import Cancelled
from benben.games.batisseurs import rules
from benben.games.batisseurs.rules import BLOCKS, MOST_MOVES

Progress = Callable[[int, int], object]

PLAYERS = 3
_THREADS = 2
_LANES = 64  # a turn's codes, three numbers each, then fit the processor's nearest memory
_CHUNK = 32 * _LANES  # lanes worked out between two looks at `cancelled`: some milliseconds
_CLOSE = 1e-14  # where the rounding of the sums begins
_ROUNDS = 12  # of planning all at once; who has not settled by then goes in circles
_TURNS_ROUND = 60  # of planning one after the other
_SURE = 1e-11  # mixed plans are as good as the best if they miss no more than that
_PATIENCE = 0.01  # seconds between two looks while another thread is solving
_EVEN = 1 / 3

# What is worked out of each code in each lane.
_OWN, _NEXT, _BUST = 0, 1, 2  # the mover's chance, the next player's, that of a bust


# ---- A turn against many pairs of opponents


@kernel
def _plan_turn(
    own: int, first: Ints, second: Ints, turns: Turns, table: Floats, work: Floats, out: Floats
) -> None:
    """The best turn with the board `own` against up to `_LANES` pairs of opponents.

    `out` gets, by lane, what the turn is worth to the mover and to the next player, and the chance
    of a bust. `work` has room for each code, and three rows more.
    """
    kinds = len(table) + 1
    lanes = len(first)
    roll, top, bust = work[-1], work[-2], work[-3]
    for i in range(lanes):
        _look_up(table, own, first[i], second[i], bust, i)
    last = turns.codes_from[own + 1] - 1
    for c in range(turns.codes_from[own], last + 1):
        code = turns.codes[c]
        chance = turns.busts[code]
        for i in range(_LANES):
            roll[_OWN, i] = chance * bust[_OWN, i]
            roll[_NEXT, i] = chance * bust[_NEXT, i]
            roll[_BUST, i] = chance
        for t in range(turns.throws_from[code], turns.throws_from[code + 1]):
            _choose(work, turns.ends, turns.ends_from[t], turns.ends_from[t + 1], top)
            odds = turns.odds[t]
            for i in range(_LANES):
                roll[_OWN, i] += odds * top[_OWN, i]
                roll[_NEXT, i] += odds * top[_NEXT, i]
                roll[_BUST, i] += odds * top[_BUST, i]
        if c == last:  # the turn's beginning: there is no stopping yet
            break
        _stop_or_roll(code % kinds, first, second, table, roll, work[code])
    for i in range(lanes):
        for part in range(3):
            out[part, i] = roll[part, i]


@kernel
def _look_up(table: Floats, third: int, mover: int, second: int, out: Floats, lane: int) -> None:
    """When the turn has passed on: what is that worth to the one who was the mover, now third?"""
    of_mover = table[third, mover, second, 0]
    out[_OWN, lane] = 1.0 - of_mover - table[third, mover, second, 1]
    out[_NEXT, lane] = of_mover
    out[_BUST, lane] = 0.0


@kernel
def _choose(work: Floats, ends: Ints, start: int, stop: int, top: Floats) -> None:
    """In each lane, of these ends the one that is best for the mover."""
    end = work[ends[start]]
    for i in range(_LANES):
        top[_OWN, i], top[_NEXT, i], top[_BUST, i] = end[_OWN, i], end[_NEXT, i], end[_BUST, i]
    for e in range(start + 1, stop):
        end = work[ends[e]]
        for i in range(_LANES):
            # Written so that all lanes are compared and copied at once.
            better = end[_OWN, i] > top[_OWN, i]
            top[_OWN, i] = end[_OWN, i] if better else top[_OWN, i]
            top[_NEXT, i] = end[_NEXT, i] if better else top[_NEXT, i]
            top[_BUST, i] = end[_BUST, i] if better else top[_BUST, i]


@kernel
def _stop_or_roll(
    kind: int, first: Ints, second: Ints, table: Floats, roll: Floats, out: Floats
) -> None:
    if kind == len(table):
        for i in range(_LANES):
            out[_OWN, i], out[_NEXT, i], out[_BUST, i] = 1.0, 0.0, 0.0
        return
    for i in range(len(first)):
        _look_up(table, kind, first[i], second[i], out, i)
        if roll[_OWN, i] > out[_OWN, i]:
            out[_OWN, i], out[_NEXT, i], out[_BUST, i] = (
                roll[_OWN, i],
                roll[_NEXT, i],
                roll[_BUST, i],
            )


@kernel
def _plan(own: int, others: Ints, turns: Turns, table: Floats, plans: Floats, at: Ints) -> None:
    """Plan the turn with the board `own` against each pair of `others`.

    A plan is the chance of a bust, then what all else is worth to mover, next and third player. It
    is written where `at` tells.
    """
    work = np.zeros((len(turns.busts) + 3, 3, _LANES))
    out, bust = np.empty((3, _LANES)), np.empty((3, _LANES))
    for start in range(0, len(others), _LANES):
        first, second = others[start : start + _LANES, 0], others[start : start + _LANES, 1]
        _plan_turn(own, first, second, turns, table, work, out)
        for i in range(len(first)):
            _look_up(table, own, first[i], second[i], bust, i)
            rate = out[_BUST, i]
            plan = plans[at[start + i]]
            plan[0] = rate
            plan[1] = out[_OWN, i] - rate * bust[_OWN, i]
            plan[2] = out[_NEXT, i] - rate * bust[_NEXT, i]
            plan[3] = 1.0 - rate - plan[1] - plan[2]


# ---- From plans to chances


@kernel
def _agree(plans: Floats, chances: Floats) -> None:
    """`chances[s]`: everybody's when seat s begins a turn, if all three keep to their plans.

    That is c[s] + r[s] chances[s + 1], with the turn going round.
    """
    r = plans[:, 0]
    for seat in range(3):  # whose chances
        total = 0.0
        for s in range(2, -1, -1):
            total = _part(plans, s, seat) + r[s] * total
        total /= 1.0 - r[0] * r[1] * r[2]
        chances[0, seat] = total
        chances[2, seat] = _part(plans, 2, seat) + r[2] * total
        chances[1, seat] = _part(plans, 1, seat) + r[1] * chances[2, seat]


@kernel
def _part(plans: Floats, s: int, seat: int) -> float:
    """What seat s's plan is worth to a seat, but for busts."""
    return plans[s, 1 + (seat - s) % 3]


@kernel
def _note(triple: Ints, chances: Floats, table: Floats) -> float:
    """Write the chances of a triple into the table; by how much they differ from what was there."""
    change = 0.0
    for s in range(3):
        mover, following, third = triple[s], triple[(s + 1) % 3], triple[(s + 2) % 3]
        cell = table[third, mover, following]
        for k in range(2):
            new = chances[s, (s + k) % 3]
            change = max(change, abs(cell[k] - new))
            cell[k] = new
    return change


@kernel
def _agree_all(triples: Ints, active: Ints, plans: Floats, table: Floats) -> int:
    """Let all active triples agree; how many have changed: they come first in `active` then."""
    chances = np.empty((3, 3))
    left = 0
    for a in range(len(active)):
        m = active[a]
        _agree(plans[3 * m : 3 * m + 3], chances)
        if _note(triples[m], chances, table) > _CLOSE:
            active[left] = m
            left += 1
    return left


# ---- Triples that go in circles


class _Circling:
    """One triple in which planning all at once does not end."""

    def __init__(self, triple: Ints, turns: Turns, table: Floats) -> None:
        self._triple, self._turns, self._table = triple, turns, table
        self._plans, self._chances = np.zeros((3, 4)), np.empty((3, 3))

    def settle(self) -> None:
        for s in range(3):
            self._plans[s] = self._best(s)
        for _ in range(_TURNS_ROUND):
            if self._round() <= _CLOSE:
                return
        self._mix()

    def _best(self, s: int) -> Floats:
        """The best plan of a seat, as things stand in the table."""
        own, *others = np.roll(self._triple, -s).tolist()
        plans = np.empty((1, 4))
        _plan(own, np.array([others]), self._turns, self._table, plans, np.zeros(1, np.int64))
        return plans[0]

    def _round(self) -> float:
        """Each plans anew when the others have; by how much chances changed."""
        change = 0.0
        for s in range(3):
            self._plans[s] = self._best(s)
            change = max(change, self._agree(self._plans))
        return change

    def _agree(self, plans: Floats) -> float:
        _agree(plans, self._chances)
        return _note(self._triple, self._chances, self._table)

    def _mix(self) -> None:
        """Find two seats and two plans of each, such that neither minds which it plays."""
        met: list[list[Floats]] = [[], [], []]
        for _ in range(_TURNS_ROUND):
            for s in range(3):
                self._plans[s] = self._best(s)
                if all(abs(self._plans[s] - plan).max() > _CLOSE for plan in met[s]):
                    met[s].append(self._plans[s].copy())
                self._agree(self._plans)
        for s, t in combinations(range(3), 2):
            for of_s in combinations(met[s], 2):
                for of_t in combinations(met[t], 2):
                    for other in met[3 - s - t]:
                        plans = np.empty((3, 4))
                        plans[3 - s - t] = other
                        if self._balance(plans, {s: of_s, t: of_t}):
                            return
        raise ArithmeticError(f"no agreement was found for the boards {self._triple.tolist()}")

    def _balance(self, plans: Floats, of: dict[int, tuple[Floats, Floats]]) -> bool:
        """Mix plans by Newton's method; whether nobody can do better than with what came of it."""
        seats = list(of)
        # What a bust must be worth to a seat for both plans to be equally good.
        wanted = np.array([(q[1] - p[1]) / (p[0] - q[0]) for p, q in of.values()])
        shares = np.full(2, 0.5)

        def miss(shares: Floats) -> Floats:
            for (s, (p, q)), share in zip(of.items(), shares, strict=True):
                plans[s] = share * p + (1 - share) * q
            self._agree(plans)
            return np.array([self._chances[(s + 1) % 3, s] for s in seats]) - wanted

        step = 1e-6
        for _ in range(50):
            missed = miss(shares)
            slopes = np.stack([(miss(shares + step * e) - missed) / step for e in np.eye(2)], 1)
            if abs(np.linalg.det(slopes)) < 1e-12:
                return False
            shares = shares - np.linalg.solve(slopes, missed)
        if not np.all((shares >= 0) & (shares <= 1)) or abs(miss(shares)).max() > _SURE:
            return False
        return all(self._regret(s) < _SURE for s in range(3))

    def _regret(self, s: int) -> float:
        """How much better a seat could do."""
        rate, own, *_ = self._best(s)
        return float(own + rate * self._chances[(s + 1) % 3, s] - self._chances[s, s])


# ---- All triples


class Levels(NamedTuple):
    """The triples by how many blocks they miss together."""

    missing: Ints  # by kind of board, without the full one

    @property
    def most(self) -> int:
        return 3 * len(BLOCKS)

    def triples(self, level: int) -> Ints:
        """One of each three that are turned, the one that begins with the least kind."""
        by_missing = {m: np.flatnonzero(self.missing == m) for m in set(self.missing.tolist())}
        found = [np.zeros((0, 3), np.int64)]
        for a, missing in enumerate(self.missing.tolist()):
            for m, kinds in by_missing.items():
                if level - missing - m in by_missing:
                    others = by_missing[level - missing - m]
                    b, c = np.meshgrid(kinds[kinds >= a], others[others >= a], indexing="ij")
                    once = (c != a) | (b == a)  # (a, b, a) is (a, a, b), turned
                    found.append(np.stack([np.full(once.sum(), a), b[once], c[once]], 1))
        return np.concatenate(found)

    def number(self) -> list[int]:
        """How many triples there are at each level."""
        counts = np.bincount(self.missing, minlength=len(BLOCKS) + 1)
        all_turned = np.convolve(np.convolve(counts, counts), counts)
        same = np.zeros_like(all_turned)
        same[::PLAYERS] = counts  # turned, three equal boards are themselves
        return [int(n) for n in (all_turned + 2 * same) // 3]


_Job: TypeAlias = tuple[int, Ints, Ints]  # mover's board, pairs of others', which plans these are


class Solver:
    """Solves level by level, on some threads."""

    def __init__(
        self, kinds: Kinds, turns: Turns, table: Floats, threads: int, check: Callable[[], None]
    ) -> None:
        self._turns, self._table, self._check = turns, table, check
        self.levels = Levels(len(BLOCKS) - sizes_of(kinds)[:-1])
        self._threads = threads

    def solve(self, level: int, tell: Callable[[int], object]) -> None:
        """Solve a level, all below it being solved; `tell` hears how many of its triples are."""
        triples = self.levels.triples(level)
        a, b, c = triples.T
        for one, two, three in ((a, b, c), (b, c, a), (c, a, b)):
            self._table[one, two, three] = _EVEN  # the same guess however often one begins anew
        plans = np.zeros((3 * len(triples), 4))
        active = np.arange(len(triples))
        worked = 0
        with ThreadPoolExecutor(self._threads) as pool:
            for _ in range(_ROUNDS):
                self._plan_all(pool, _jobs(triples, active), plans)
                worked += len(active)
                active = active[: _agree_all(triples, active, plans, self._table)]
                tell(min(worked // 4, len(triples)))  # most have settled after four rounds
                if not len(active):
                    break
        for m in active:
            self._check()
            _Circling(triples[m], self._turns, self._table).settle()

    def _plan_all(self, pool: ThreadPoolExecutor, jobs: Iterable[_Job], plans: Floats) -> None:
        try:
            for done in [pool.submit(self._work, *job, plans) for job in jobs]:
                done.result()
        except BaseException:  # an interrupt does not wait for what has not begun
            pool.shutdown(cancel_futures=True)
            raise

    def _work(self, own: int, others: Ints, at: Ints, plans: Floats) -> None:
        self._check()
        _plan(own, others, self._turns, self._table, plans, at)


def _jobs(triples: Ints, active: Ints) -> Iterator[_Job]:
    """What there is to plan, mover by mover."""
    at = (3 * active[:, None] + np.arange(3)).ravel()
    chosen = triples[active]
    mover = chosen.ravel()
    others = np.stack([np.roll(chosen, -1, axis=1).ravel(), np.roll(chosen, -2, axis=1).ravel()], 1)
    order = np.argsort(mover, kind="stable")
    bounds = np.flatnonzero(np.diff(mover[order], prepend=-1, append=-1))
    for start, stop in pairwise(bounds.tolist()):
        for low in range(start, stop, _CHUNK):
            part = order[low : min(low + _CHUNK, stop)]
            yield int(mover[part[0]]), others[part], at[part]


# ---- The solution


@dataclass(frozen=True, eq=False)
class Solution:
    """Perfect play of three. `seconds` and `file` are as with two."""

    kinds: Kinds
    turns: Turns
    table: Floats  # third, mover, second: the chances of mover and second
    seconds: float | None
    file: Path | None

    @property
    def size(self) -> str:
        """How much there was to solve, in words."""
        triples = sum(Levels(len(BLOCKS) - sizes_of(self.kinds)[:-1]).number())
        return f"{len(self.table) ** 3} triples of boards, {triples} up to whose turn it is"

    @property
    def chances(self) -> tuple[float, ...]:
        """Of the first, second and third player to win, if all play perfectly."""
        first, second = self.table[0, 0, 0].tolist()
        return first, second, 1 - first - second

    def value(self, record: States) -> float:
        """The chance to win of the seat in turn, whether it is to move, to throw or has won."""
        return float(self.worths(record).max())

    def worths(self, record: States) -> Floats:
        """The same after each of the legal moves, in their order; if there are none, just one."""
        own, first, second = boards_of(record, self.kinds)
        stops = np.append(1.0 - self.table[:, first, second].sum(axis=1), 1.0)
        out = np.empty(MOST_MOVES)
        n = move_worths(record, stops[own], 1.0, stops, self.kinds, self.turns, out)
        return out[:n]


# ---- Solving once


_known: dict[str, Solution] = {}
_lock = Lock()


def remembered(game: Game) -> Solution | None:
    """The solution, if it is in memory."""
    return _known.get(str(game.options["placing"]))


def kept(game: Game) -> Solution | None:
    """The solution, if it is in memory or in the cache. Reading it may take a second."""
    placing = str(game.options["placing"])
    if placing not in _known:
        kinds, turns = model(game)
        file = _file(placing)
        table = read_table(file, _shape(kinds))
        if table is not None:
            _known.setdefault(placing, Solution(kinds, turns, table, None, file))
    return _known.get(placing)


def solution(
    game: Game, progress: Progress | None = None, cancelled: Event | None = None
) -> Solution:
    """The solution of Bâtisseurs for three: remembered, read from the cache or found.

    Cancelled if `cancelled` is set before it is found; what was found until then is kept, and the
    next time goes on from there. `progress` hears how much of how much is done.
    """
    cancelled = cancelled or Event()
    while not _lock.acquire(timeout=_PATIENCE):
        if cancelled.is_set():
            raise Cancelled
    try:
        placing = str(game.options["placing"])
        if kept(game) is None:
            _known[placing] = _find_solution(game, _file(placing), cancelled, progress)
        return _known[placing]
    finally:
        _lock.release()


def _find_solution(game: Game, file: Path, cancelled: Event, progress: Progress | None) -> Solution:
    def check() -> None:
        if cancelled.is_set():
            raise Cancelled

    with alone(file, check):
        found = kept(game)  # if another process has just found it
        if found is not None:
            return found
        began = time.perf_counter()
        kinds, turns = model(game)
        unfinished = Unfinished(file, _shape(kinds), check)
        solver = Solver(kinds, turns, unfinished.table, _THREADS, check)
        solve_levels(solver, unfinished, progress or (lambda done, total: None))
        where = file if unfinished.finish() else None
        return Solution(kinds, turns, unfinished.table, time.perf_counter() - began, where)


def solve_levels(
    solver: Solver, unfinished: Unfinished, progress: Progress, most: int | None = None
) -> None:
    """Solve what is not yet, up to so many missing blocks."""
    numbers = solver.levels.number()
    total = sum(numbers)
    last = solver.levels.most if most is None else most
    try:
        for level in range(unfinished.done + 1, last + 1):
            before = sum(numbers[:level])
            progress(before, total)
            solver.solve(level, partial(_tell, progress, before, total))
            unfinished.note(level)
    finally:
        unfinished.write()
    progress(sum(numbers[: last + 1]), total)


def _tell(progress: Progress, before: int, total: int, done: int) -> None:
    progress(before + done, total)


def _shape(kinds: Kinds) -> tuple[int, int, int, int]:
    n = kinds.number - 1  # with a full board the game is over
    return n, n, n, 2


def _file(placing: str) -> Path:
    return file_of(f"batisseurs-3-{placing}", (rules, turns_module), Path(__file__))
