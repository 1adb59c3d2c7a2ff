"""Where the nets come from: `python -m benben.bots.objectif.training --players 2`.

The player plays itself, goals hidden, with few simulations a move and some moves at random. Every
seat minds what its moves tell fully, half or not at all, as it happens, so that the net sees what
that is worth. The net learns who won, from the games of the last generations; the first net learns
from games of random moves. Every generation is kept in a folder, and an interrupted training goes
on with the one it was in. The same arguments make the same net.
"""

import argparse
import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

import benben
from benben.bots.objectif.belief import (
    ALL,
    MODEL,
    Model,
    draw,
    list_worlds,
    marginals,
    no_evidence,
    observe,
    weigh,
)
from benben.bots.objectif.net import (
    HIDDEN,
    INPUTS,
    KNOTS,
    NETS,
    STAGES,
    Net,
    Weights,
    belief_input,
    stage_of,
)
from benben.bots.objectif.player import CANDOUR
from benben.bots.objectif.tree import ROOT, SMALLEST, Tree, candid, care, grow, new_tree, survey
from benben.core.engine import MOST_DRAWS, bounds_of, set_up
from benben.core.kernel import Floats, Ints, States, kernel
from benben.core.paths import data_root
from benben.core.random import Random, below, generator
from benben.games.objectif.evaluation import FEATURES, MOST_FEATURES, find_roles, list_features
from benben.games.objectif.rules import FAIR, MOST_MOVES, PIECES_EACH, RANDOM, moves, outcome, play

REMEMBERED = 4  # generations the net learns from
EPOCHS = 3
BATCH = 512
RATE, FIRST_RATE = 1e-3, 2e-3
CHUNK = 50  # games a kernel call
_LEAK = 0.01  # the slope of a hidden unit that is off or full, so that it can come back
_STRAY = 0.03  # the chance of a random move
_LONGEST_OPENING = 8  # random moves at the start, in every other game
_HELD_BACK = 20  # one position in so many is not learnt from, but measured


class Lessons(NamedTuple):
    """Positions as seats see them, and what came of them."""

    features: NDArray[np.int16]
    listed: NDArray[np.int16]  # how many features
    left: NDArray[np.int16]
    known: Weights  # a spectator's belief in each true goal, by turns after one's own; -1: none
    share: Weights


def room(positions: int) -> Lessons:
    return Lessons(
        np.empty((positions, MOST_FEATURES), np.int16),
        np.empty(positions, np.int16),
        np.empty(positions, np.int16),
        np.empty((positions, 4), np.float32),
        np.empty(positions, np.float32),
    )


# ---- Games


@kernel
def play_games(
    start: States,
    options: Ints,
    games: int,
    simulations: int,
    tree: Tree,
    net: Net,
    model: Model,
    lessons: Lessons,
    at: int,
    random: Random,
) -> int:
    """Play games and note their positions from `at` on; where the next ones go.

    Without simulations all moves are random, and nobody believes anything.
    """
    a = start.copy()
    listed, minds = np.empty(MOST_MOVES, np.int64), np.empty(4)
    known, shares = np.full((4, ALL), -1.0), np.zeros(4)
    unseen = np.empty((2, ALL, 0))
    for _ in range(games):
        a[0] = start[0]
        _deal(a, options, random)
        s = a[0]
        goal, players, length = s.goal.copy(), s.players, s.left
        worlds, evidence = list_worlds(a), no_evidence(False)
        weights = np.empty(len(worlds))
        for seat in range(players):
            minds[seat] = 0.5 * below(random, 3)
        opening = below(random, _LONGEST_OPENING) * below(random, 2)
        begun = at
        while s.left > 0:
            if simulations > 0:
                weigh(worlds, evidence, weights)
                marginals(worlds, weights, known)
            at = _note(a, goal, known, lessons, at, random)
            if simulations == 0 or length - s.left < opening or draw(random) < _STRAY:
                move = listed[below(random, moves(s, listed))]
            else:
                outlook = survey(a, worlds, evidence, net, model, unseen)
                care(outlook, s.turn, minds[s.turn])
                tree.used[:] = 0
                grow(a, tree, outlook, net, candid(outlook, CANDOUR), simulations, random)
                sharpness = 1.5 if 2 * s.left > length else 8.0
                move = _drawn_by_visits(tree, goal[s.turn], sharpness, random)
            if simulations > 0:
                observe(a, move, worlds, evidence, net, model, unseen)
                for seat in range(players):
                    s.goal[seat] = goal[seat]
            else:
                play(s, move, None)
        outcome(s, shares)
        for i in range(begun, at):
            lessons.share[i] = shares[(i - begun) % players]
    return at


@kernel
def _deal(a: States, options: Ints, random: Random) -> None:
    limits, draws = np.empty(MOST_DRAWS, np.int64), np.empty(MOST_DRAWS, np.int64)
    for i in range(bounds_of(a, options, limits)):
        draws[i] = below(random, limits[i])
    set_up(a, options, draws)


@kernel
def _note(a: States, goal: Ints, known: Floats, lessons: Lessons, at: int, random: Random) -> int:
    """Note a position as each seat sees it; the two unwanted colours are named either way."""
    s = a[0]
    role, listed = np.empty(ALL, np.int64), np.empty(MOST_FEATURES, np.int64)
    for seat in range(s.players):
        find_roles(s, seat, goal, role)
        if below(random, 2):
            for colour in range(1, ALL):
                if role[colour] > s.players:
                    role[colour] = 2 * s.players + 3 - role[colour]
        n = list_features(s, seat, role, listed)
        for i in range(n):
            lessons.features[at, i] = listed[i]
        lessons.listed[at], lessons.left[at] = n, s.left
        for turns in range(4):
            other = (seat + turns) % s.players
            lessons.known[at, turns] = known[other, goal[other]] if turns < s.players else -1
        at += 1
    return at


@kernel
def _drawn_by_visits(tree: Tree, goal: int, sharpness: float, random: Random) -> int:
    first, n = tree.goals[ROOT, goal], tree.moves[ROOT]
    if first < 0:
        return tree.move[below(random, n)]
    most = tree.visits[first : first + n].max()
    total = 0.0
    for i in range(n):
        total += (tree.visits[first + i] / most) ** sharpness
    rest = draw(random) * total
    for i in range(n):
        rest -= (tree.visits[first + i] / most) ** sharpness
        if rest <= 0:
            return tree.move[i]
    return tree.move[n - 1]


# ---- Learning


@kernel
def _learn_batch(lessons: Lessons, chosen: Ints, net: Net, slope: Net) -> float:
    """Add up the slopes of the loss; the loss of the batch."""
    layer = np.empty(HIDDEN, np.float32)
    nothing, full = np.float32(0), np.float32(1)
    loss = 0.0
    for k in chosen:
        layer[:] = 0
        _add_inputs(lessons, k, net.inputs, layer, True)
        stage = stage_of(lessons.left[k])
        logit = net.bias[stage]
        for unit in range(HIDDEN):
            logit += min(full, max(nothing, layer[unit])) * net.hidden[stage, unit]
        p = 1 / (1 + math.exp(-logit))
        share = lessons.share[k]
        loss -= share * math.log(p + 1e-9) + (1 - share) * math.log(1 - p + 1e-9)
        error = np.float32(p - share)
        slope.bias[stage] += error
        for unit in range(HIDDEN):
            lit = min(full, max(nothing, layer[unit]))
            slope.hidden[stage, unit] += error * lit
            leak = full if layer[unit] == lit else np.float32(_LEAK)
            layer[unit] = leak * error * net.hidden[stage, unit]
        _add_inputs(lessons, k, slope.inputs, layer, False)
    return loss


@kernel
def _add_inputs(lessons: Lessons, k: int, inputs: Weights, layer: Weights, forth: bool) -> None:
    """Add the rows of a position to the layer or, on the way back, the layer to those rows."""
    for i in range(lessons.listed[k]):
        row = inputs[lessons.features[k, i]]
        for unit in range(HIDDEN):
            if forth:
                layer[unit] += row[unit]
            else:
                row[unit] += layer[unit]
    for turns in range(4):
        if lessons.known[k, turns] >= 0:
            at = lessons.known[k, turns] * (KNOTS - 1)
            knot = min(KNOTS - 2, int(at))
            far = np.float32(at - knot)
            near = np.float32(1) - far
            first = belief_input(turns, stage_of(lessons.left[k])) + knot
            for unit in range(HIDDEN):
                if forth:
                    layer[unit] += near * inputs[first, unit] + far * inputs[first + 1, unit]
                else:
                    inputs[first, unit] += near * layer[unit]
                    inputs[first + 1, unit] += far * layer[unit]


@kernel
def _step(
    weights: Weights, slope: Weights, mean: Weights, square: Weights, rate: float, step: int
) -> None:
    """Adam."""
    early, late = 1 - 0.9**step, 1 - 0.999**step
    for i in range(len(weights)):
        x = slope[i] / BATCH
        mean[i] = 0.9 * mean[i] + 0.1 * x
        square[i] = 0.999 * square[i] + 0.001 * x * x
        weights[i] -= rate * (mean[i] / early) / (math.sqrt(square[i] / late) + 1e-8)
        slope[i] = 0


def learn(net: Net, lessons: Lessons, rate: float, seed: int) -> tuple[Net, float]:
    """A better net, and its loss on positions it has not learnt from."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(lessons.share))
    test, train = np.split(order, [len(order) // _HELD_BACK])
    net = Net(*(part.copy() for part in net))
    slope, mean, square = (Net(*map(np.zeros_like, net)) for _ in range(3))
    steps = EPOCHS * (len(train) // BATCH)
    step = 0
    for _ in range(EPOCHS):
        rng.shuffle(train)
        for begin in range(0, len(train) - BATCH + 1, BATCH):
            _learn_batch(lessons, train[begin : begin + BATCH], net, slope)
            step += 1
            slower = 0.5 * rate * (1 + math.cos(math.pi * step / (steps + 1)))
            for w, s, m, q in zip(net, slope, mean, square, strict=True):
                _step(w.ravel(), s.ravel(), m.ravel(), q.ravel(), slower, step)
    return net, _learn_batch(lessons, test, net, slope) / len(test)


def first_net(seed: int) -> Net:
    """A net that knows nothing."""
    rng = np.random.default_rng(seed)
    inputs = rng.normal(0, 0.05, (INPUTS, HIDDEN)).astype(np.float32)
    inputs[FEATURES:] = 0
    inputs[FEATURES - 4 * (PIECES_EACH * (ALL - 1) + 1) : FEATURES] += 0.3  # units begin half lit
    hidden = rng.normal(0, 0.3, (STAGES, HIDDEN)).astype(np.float32)
    return Net(inputs, hidden, np.zeros(STAGES, np.float32))


# ---- A training


class Training:
    """Generations of nets for so many players, kept in a folder."""

    def __init__(self, players: int, games: int, simulations: int, seed: int, folder: Path) -> None:
        self.players, self.games, self.simulations, self.seed = players, games, simulations, seed
        self.folder = folder
        self._game = benben.game("objectif", players=players)
        self._tree = new_tree(SMALLEST + 2 * simulations)

    def generation(self, number: int, label: str = "") -> tuple[Net, float]:
        """The net after so many generations, made if it is not there; its loss."""
        path = self.folder / f"net-{number}.npz"
        if path.exists():
            with np.load(path) as file:
                return Net(*(file[name] for name in Net._fields)), float(file["loss"])
        before = first_net(self.seed) if number == 0 else self.generation(number - 1)[0]
        recent = range(max(min(number, 1), number - REMEMBERED + 1), number + 1)
        every = [self._lessons(each, before, label) for each in recent]
        lessons = Lessons(*(np.concatenate(parts) for parts in zip(*every, strict=True)))
        rate = FIRST_RATE if number < 2 else RATE
        net, loss = learn(before, lessons, rate, self.seed + number)
        np.savez_compressed(path, **net._asdict(), loss=np.array(loss))
        return net, loss

    def _lessons(self, number: int, net: Net, label: str) -> Lessons:
        path = self.folder / f"games-{number}.npz"
        if path.exists():
            with np.load(path) as file:
                return Lessons(*(file[name] for name in Lessons._fields))
        simulations = self.simulations if number > 0 else 0
        length = PIECES_EACH * (self.players + 2)
        lessons = room(self.games // CHUNK * CHUNK * length * self.players)
        random = generator((self.seed, number))
        at = 0
        for i in track(range(self.games // CHUNK), f"{label} games", transient=True):
            mode = FAIR if self.players < 4 and i % 4 == 3 else RANDOM
            options = np.array([self.players, 0, mode], np.int64)
            at = play_games(
                self._game.blank(), options, CHUNK, simulations, self._tree, net, MODEL, lessons,
                at, random,
            )  # fmt: skip
        assert at == len(lessons.share)
        np.savez_compressed(path, **lessons._asdict())
        return lessons


def ship(net: Net, players: int, note: str) -> Path:
    """Write the net where the player finds it."""
    path = NETS / f"objectif-{players}.npz"
    half = net.inputs.astype(np.float16)
    np.savez_compressed(path, inputs=half, hidden=net.hidden, bias=net.bias, made=np.array(note))
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the net of objectif by self-play.")
    parser.add_argument("--players", type=int, choices=(2, 3, 4), required=True)
    parser.add_argument("--generations", type=int, default=12)
    parser.add_argument("--games", type=int, default=6000, help="a generation")
    parser.add_argument("--simulations", type=int, default=24, help="a move")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, help="where generations are kept")
    given = parser.parse_args()
    name = f"objectif-{given.players}-{given.games}-{given.simulations}-{given.seed}"
    folder = given.folder or data_root() / "training" / name
    folder.mkdir(parents=True, exist_ok=True)
    training = Training(given.players, given.games, given.simulations, given.seed, folder)
    console = Console()
    for number in range(given.generations + 1):
        net, loss = training.generation(number, f"generation {number}")
        console.print(f"generation {number}: loss {loss:.4f}")
    words = ("players", "generations", "games", "simulations", "seed")
    options = " ".join(f"--{word} {getattr(given, word)}" for word in words)
    note = f"python -m benben.bots.objectif.training {options}"
    console.print(str(ship(net, given.players, note)))


if __name__ == "__main__":
    main()
