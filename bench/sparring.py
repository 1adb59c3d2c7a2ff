"""Sparring partners: programs in other styles than our own best player's, to measure it by.

`python -m bench.sparring GAME STYLE` speaks the line protocol of docs/bot-protocol.md, so that
`benben arena GAME --bots "6,cmd:python -m bench.sparring GAME deep"` plays against it. Rules and
evaluations are our own, reached through the generic functions of `core/rules.py`. Games
with dice are not played here.

deep      looks ahead at every move by alpha-beta, one deeper each time, judging by the game's own
          `evaluate`; no table, no killers, no net. Of several others each is taken to play against
          it (paranoid search). What is hidden is imagined some times, and a move is as good as it
          is on average.
mobility  the same, judging by what a side is able to do (`bench/mobility/`)
cut       tree search by UCB1 that begins with the first glance's opinion of each move, plays on for
          a few moves, each the best of three at a glance, and judges what it has come to

They think for as long as `go time` says, counted in work of their own, or for so many positions
(`deep`, `mobility`) or simulations (`cut`). `python -m bench.sparring --warm` compiles them all,
kept in the user's cache.
"""

import hashlib
import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from threading import Event, Thread
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import config

import benben
from benben.bots.speaking import speak
from benben.core.kernel import (
    PLAIN_PYTHON,
    Floats,
    Ints,
    State,
    States,
    adopt,
    fingerprint,
    kernel,
    record,
)
from benben.core.locking import locked
from benben.core.paths import cache_root
from benben.core.player import Budget, Cancelled, Player, Thought, Turn
from benben.core.random import Random, generator
from benben.core.rules import (
    CHANCE,
    OVER,
    evaluate,
    imagine,
    moves,
    outcome,
    play,
    random_move,
    to_move,
)
from bench.mobility import mobility

F = TypeVar("F", bound=Callable[..., Any])

GAMES = ("pyramidis", "quadrille", "objectif")
STYLES = ("deep", "mobility", "cut")
SECONDS = 0.05  # unless told
DEEPEST = 60
WORLDS = 6  # ways to imagine what is hidden
WON = 10.0  # beyond any judgement
SOON = 0.01  # a move sooner, beside that
EVALUATE, MOBILITY = 0, 1
LARGEST = 1 << 21  # nodes of a tree
PLIES = {"pyramidis": 6, "quadrille": 8, "objectif": 24}  # of a playout; objectif's go to the end
MOST_SEATS = 4
UNLIMITED = 1 << 62


# ---- Kernels, cached as our own are


def _directory() -> Path:
    digest = hashlib.sha256(fingerprint("bots").encode())
    for source in [Path(__file__), *sorted((Path(__file__).parent / "mobility").glob("*.py"))]:
        digest.update(source.read_bytes())
    return cache_root() / "sparring" / digest.hexdigest()[:16]


DIRECTORY = _directory()


def kept(function: F) -> F:
    """A kernel that Python calls: its machine code is kept, with all that it calls."""
    if PLAIN_PYTHON:
        return function
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    before = config.CACHE_DIR  # type: ignore[attr-defined]
    config.CACHE_DIR = str(DIRECTORY)  # type: ignore[attr-defined]
    try:
        return numba.njit(nogil=True, cache=True)(function)  # type: ignore[return-value]
    finally:
        config.CACHE_DIR = before  # type: ignore[attr-defined]


# ---- Alpha-beta


# A position on the way down, and what is known of it. A function that calls itself would be easier
# to read, but Numba cannot keep it: read from the cache, it crashes.
FRAME = record(
    ("turn", np.int64),
    ("moves", np.int64),  # how many
    ("next", np.int64),  # the move to look at; NEW if it is not even known who is to move
    ("best", np.float64),
    ("alpha", np.float64),
    ("beta", np.float64),
)
NEW = -1


@kept
def look_ahead(
    world: States,
    codes: Ints,
    depth: int,
    players: int,
    judge: int,
    narrow: bool,
    most_moves: int,
    nodes: Ints,
    limit: int,
    stop: Ints,
    scores: Floats,
) -> int:
    """Score the moves in this order, for the seat to move; how many there was time for.

    If `narrow`, a move that is no better than one before it is only known to be no better.
    """
    line = np.empty(depth + 1, world.dtype)
    frames = np.empty(depth + 1, FRAME)
    listed = np.empty((depth + 1, most_moves), np.int64)
    glances = np.empty(most_moves, np.float64)
    shares = np.zeros(MOST_SEATS, np.float64)
    seat = to_move(world[0])
    best = -math.inf
    for i in range(len(codes)):
        line[0] = world[0]
        play(line[0], codes[i], None)
        frames[0].alpha, frames[0].beta = best if narrow else -math.inf, math.inf
        frames[0].next = NEW
        level = 0
        score = 0.0
        while level >= 0:
            if stop[0] or nodes[0] >= limit:
                return i
            if frames[level].next == NEW:
                nodes[0] += 1
                turn = frames[level].turn = to_move(line[level])
                if turn == OVER or level == depth - 1:
                    score = _ended(line[level], turn, level, seat, players, judge, shares)
                    level -= 1
                    _learn(frames, level, seat, score)
                    continue
                n = frames[level].moves = moves(line[level], listed[level])
                if level < depth - 2:
                    _put_in_order(line, level, n, turn, players, judge, listed[level], glances)
                frames[level].next = 0
                frames[level].best = -math.inf if turn == seat else math.inf
            here = frames[level]
            if here.next == here.moves or here.alpha >= here.beta:
                score = here.best
                level -= 1
                _learn(frames, level, seat, score)
                continue
            line[level + 1] = line[level]
            play(line[level + 1], listed[level, here.next], None)
            here.next += 1
            level += 1
            frames[level].next = NEW
            frames[level].alpha, frames[level].beta = here.alpha, here.beta
        scores[i] = score
        best = max(best, score)
    return len(codes)


@kernel
def _ended(
    s: State, turn: int, level: int, seat: int, players: int, judge: int, shares: Floats
) -> float:
    """What the seat has of a position that is not looked beyond; a win is better soon."""
    if turn != OVER:
        return _judged(s, seat, players, judge)
    outcome(s, shares)
    above = shares[seat] - 1 / players
    return WON * above - SOON * level * (1 if above > 0 else -1)


@kernel
def _learn(frames: States, level: int, seat: int, score: float) -> None:
    """A move of the position at this level has this score; who is not the seat is against it."""
    if level < 0:
        return
    frame = frames[level]
    if frame.turn == seat:
        frame.best = max(frame.best, score)
        frame.alpha = max(frame.alpha, score)
    else:
        frame.best = min(frame.best, score)
        frame.beta = min(frame.beta, score)


@kernel
def _judged(s: State, seat: int, players: int, judge: int) -> float:
    """How far the seat is ahead of the others at a glance."""
    lead = 0.0
    for other in range(players):
        glance = evaluate(s, other) if judge == EVALUATE else mobility(s, other)
        lead += glance if other == seat else -glance / (players - 1)
    return lead


@kernel
def _put_in_order(
    line: States,
    level: int,
    n: int,
    turn: int,
    players: int,
    judge: int,
    codes: Ints,
    glances: Floats,
) -> None:
    """The mover's best moves at a glance come first."""
    for i in range(n):
        code = codes[i]
        line[level + 1] = line[level]
        play(line[level + 1], code, None)
        glance = _judged(line[level + 1], turn, players, judge)
        j = i
        while j > 0 and glances[j - 1] < glance:
            glances[j], codes[j] = glances[j - 1], codes[j - 1]
            j -= 1
        glances[j], codes[j] = glance, code


# ---- Tree search

NODE = record(
    ("move", np.int64),
    ("value", np.float64),  # the shares won here by the seat that chose the move
    ("glance", np.float64),  # its opinion of the move, counted like a simulation or two
    ("visits", np.int32),
    ("first", np.int32),  # where its children begin
    ("children", np.int16),
    ("turn", np.int16),
)
EXPLORE, BELIEF = 0.35, 2.0
TRIED = 3  # moves looked at in a playout before the best of them is played


@kept
def grow(
    view: States,
    tree: States,
    players: int,
    plies: int,
    open_game: bool,
    most_moves: int,
    simulations: int,
    stop: Ints,
    random: Random,
) -> int:
    """Simulate until there were enough or it is time to stop; how many there were."""
    work = view.copy()
    after = view.copy()
    listed = np.empty(most_moves, np.int64)
    path = np.empty(DEEPEST, np.int64)
    shares = np.zeros(MOST_SEATS, np.float64)
    _begin(tree[0], -1, 0.5)
    used = 1
    for done in range(simulations):
        if stop[0]:
            return done
        work[0] = view[0]
        imagine(work[0], random)
        node, depth = 0, 1
        path[0] = 0
        while depth < DEEPEST and to_move(work[0]) != OVER:
            if tree[node].children == 0:
                if (node > 0 and tree[node].visits == 0) or used + most_moves > len(tree):
                    break
                used = _expand(work, after, tree, node, used, players, open_game, listed)
            node = _promising(tree, node)
            play(work[0], tree[node].move, None)
            path[depth] = node
            depth += 1
        _play_on(work, after, players, plies, random, shares)
        tree[0].visits += 1
        for i in range(1, depth):
            tree[path[i]].visits += 1
            tree[path[i]].value += shares[tree[path[i - 1]].turn]
    return simulations


@kernel
def _expand(
    work: States,
    after: States,
    tree: States,
    node: int,
    used: int,
    players: int,
    open_game: bool,
    listed: Ints,
) -> int:
    n = moves(work[0], listed)
    turn = to_move(work[0])
    tree[node].turn, tree[node].first, tree[node].children = turn, used, n
    for i in range(n):
        glance = 1 / players  # of what is only imagined there is no lasting opinion
        if open_game:
            after[0] = work[0]
            play(after[0], listed[i], None)
            glance = evaluate(after[0], turn)
        _begin(tree[used + i], listed[i], glance)
    return used + n


@kernel
def _begin(node: State, move: int, glance: float) -> None:
    node.move, node.value, node.glance = move, 0.0, glance
    node.visits = node.first = 0
    node.children = node.turn = 0


@kernel
def _promising(tree: States, node: int) -> int:
    first = tree[node].first
    doubt = EXPLORE * EXPLORE * math.log(tree[node].visits + 2)
    best, highest = first, -1.0
    for child in range(first, first + tree[node].children):
        weight = 1 / (tree[child].visits + BELIEF)
        bound = (tree[child].value + BELIEF * tree[child].glance) * weight
        bound += math.sqrt(doubt * weight)
        if bound > highest:
            highest, best = bound, child
    return best


@kernel
def _play_on(
    work: States, after: States, players: int, plies: int, random: Random, shares: Floats
) -> None:
    """Some moves, each the best of a few; then the result, or what it looks like."""
    for _ in range(plies):
        turn = to_move(work[0])
        if turn == OVER:
            break
        chosen, highest = -1, -1.0
        for _ in range(TRIED):
            move = random_move(work[0], random)
            after[0] = work[0]
            play(after[0], move, None)
            glance = evaluate(after[0], turn)
            if glance > highest:
                chosen, highest = move, glance
        play(work[0], chosen, None)
    if to_move(work[0]) == OVER:
        outcome(work[0], shares)
        return
    total = 0.0
    for seat in range(players):
        shares[seat] = evaluate(work[0], seat)
        total += shares[seat]
    for seat in range(players):
        shares[seat] /= total


# ---- Players


@contextmanager
def watched(turn: Turn) -> Iterator[Ints]:
    """A flag for kernels, set when the time is up or the turn is cancelled."""
    stop, left = np.zeros(1, np.int64), Event()
    until = math.inf if turn.budget.seconds is None else time.process_time() + turn.budget.seconds

    def watch() -> None:
        while not turn.cancelled.is_set() and (now := time.process_time()) < until:
            if left.wait(min(0.005, until - now)):
                return
        stop[0] = 1

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield stop
    finally:
        left.set()
        thread.join()


class LookingPlayer(Player):
    """`deep` and `mobility`."""

    def __init__(self, style: str) -> None:
        self.name = style
        self._judge = MOBILITY if style == "mobility" else EVALUATE

    def think(self, turn: Turn) -> Thought:
        game, nodes = turn.view.game, np.zeros(1, np.int64)
        codes = np.array([game.code(move) for move in turn.moves], np.int64)
        worlds = _worlds(turn)
        with watched(turn) as stop:
            for depth in range(1, DEEPEST if len(codes) > 1 else 1):
                scores, known = np.zeros(len(codes)), len(codes)
                for world in worlds:
                    part = np.zeros(len(codes))
                    known = look_ahead(
                        world,
                        codes,
                        depth,
                        game.players,
                        self._judge,
                        len(worlds) == 1,
                        game.rules.MOST_MOVES,
                        nodes,
                        turn.budget.simulations or UNLIMITED,
                        stop,
                        part,
                    )
                    if known < len(codes):
                        break
                    scores += part / len(worlds)
                if known < len(codes):  # of one world, what is known may already be better
                    if len(worlds) == 1 and known > 0:
                        codes = _best_first(codes, part, known)
                    break
                codes = _best_first(codes, scores, known)
                if abs(scores.max()) > WON / 4:  # won or lost: deeper is no different
                    break
        thought = Thought(game.codec.texts(codes[:1])[0], simulations=int(nodes[0]))
        if turn.cancelled.is_set():
            raise Cancelled(thought)
        return thought


def _best_first(codes: Ints, scores: Floats, known: int) -> Ints:
    """The moves that have a score in the order of it, the others behind them."""
    order = np.argsort(-scores[:known], kind="stable")
    return np.concatenate([codes[:known][order], codes[known:]])


def _worlds(turn: Turn) -> list[States]:
    """Different ways what is hidden may be."""
    random = generator(turn.seed)
    found: dict[bytes, States] = {}
    for _ in range(WORLDS):
        world = turn.view.record
        _imagine(world, random)
        found.setdefault(world.tobytes(), world)
    return list(found.values())


@kept
def _imagine(world: States, random: Random) -> None:
    imagine(world[0], random)


class CutPlayer(Player):
    """`cut`."""

    name = "cut"

    def __init__(self) -> None:
        self._tree: States = np.empty(LARGEST, NODE)

    def think(self, turn: Turn) -> Thought:
        game, tree = turn.view.game, self._tree
        wanted = 1 if len(turn.moves) == 1 else turn.budget.simulations or UNLIMITED
        with watched(turn) as stop:
            done = grow(
                turn.view.record,
                tree,
                game.players,
                PLIES[game.name],
                len(_worlds(turn)) == 1,
                game.rules.MOST_MOVES,
                wanted,
                stop,
                generator(turn.seed),
            )
        if turn.cancelled.is_set():
            raise Cancelled
        if done == 0:
            return Thought(turn.moves[0])
        children = tree[tree[0].first : tree[0].first + tree[0].children]
        best = max(children, key=lambda child: (child.visits, child.value))
        return Thought(game.codec.texts(np.array([best.move]))[0], simulations=int(done))


@dataclass(frozen=True)
class Partner:
    """Who speaks."""

    name: str
    player: Player
    budget: Budget


def partner(game: benben.Game, style: str) -> Partner:
    """The sparring partner of that style, ready to play."""
    package = f"benben.games.{game.name}"
    adopt(
        import_module(f"{package}.rules"),
        import_module(f"{package}.evaluation"),
        import_module(f"bench.mobility.{game.name}"),
    )
    player = CutPlayer() if style == "cut" else LookingPlayer(style)
    return Partner(style, player, Budget(seconds=SECONDS))


def warm_up(name: str, style: str) -> None:
    """Compile what the style needs, or read it from the cache; one process at a time."""
    start = benben.game(name).deal(seed=1)
    assert start.to_move != CHANCE
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    with locked(DIRECTORY / "lock"):
        turn = Turn.at(start, (), start, Budget(simulations=50))
        partner(start.game, style).player.think(turn)


def main() -> None:
    if sys.argv[1:] == ["--warm"]:
        for name in GAMES:
            for style in STYLES:
                warm_up(name, style)
        return
    if len(sys.argv) != 3 or sys.argv[1] not in GAMES or sys.argv[2] not in STYLES:
        games, styles = ", ".join(GAMES), ", ".join(STYLES)
        sys.exit(f"python -m bench.sparring GAME STYLE; games: {games}; styles: {styles}")
    name, style = sys.argv[1:]
    warm_up(name, style)
    speak(
        benben.game(name),
        lambda game: partner(game, style),
        sys.stdin.buffer,
        sys.stdout.buffer,
    )


if __name__ == "__main__":
    main()
