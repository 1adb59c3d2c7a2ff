"""Run as a program, with or without Numba: what rules and bots do, as JSON to compare.

With `--distributions` it proves, in plain Python, that moves are drawn evenly: the draws a random
move makes are replaced by all the draws it could make.
"""

import json
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

import benben
from benben.bots.greedy import GreedyPlayer
from benben.bots.uct import UctPlayer
from benben.core import engine
from benben.core.random import generator
from benben.lab.batch import Batch
from tests.bots.turns import some_turn
from tests.configurations import GAMES, label
from tests.sizes import LONG

# Games by the rules, steps of a batch, games played out, nodes of a search.
PLAYED, STEPS, PLAYOUTS, NODES = (2, 40, 5, 30) if LONG else (1, 10, 2, 8)


def behaviour(game: benben.Game) -> list[Any]:
    """A few games drawn inside the rules: texts, moves, effects, refusals, results."""
    told: list[Any] = []
    source = generator(17)
    codes = sorted(game.notation.texts())
    for seed in range(PLAYED):
        position = game.deal(seed=seed)
        while position.to_move is not None:
            record = position.record
            if position.to_move == benben.CHANCE:
                move = game.text(engine.draw_throw(record, source))
                told.append(position.chance()[:3])
            else:
                move = game.text(engine.draw_move(record, source))
            told.append([str(position), position.moves(), move, position.effects(move)])
            if len(told) % 25 == 1:
                told.append([engine.refusal(record, code) for code in codes])
            position = position.play(move)
        assert position.result is not None
        told.append([str(position), position.result.shares, position.result.reason])
    totals = np.zeros(game.players)
    decisions = engine.playouts(game.blank(), game.numbers, PLAYOUTS, generator(3), totals)
    told.append([int(decisions), totals.tolist(), game.deal(seed=1).perft(2)])
    batch = Batch(game, 2, seed=5)
    for _ in range(STEPS):
        batch.step(batch.draw())
        told.append([batch.observations.tolist(), batch.rewards.tolist(), batch.seats.tolist()])
    turn = some_turn(game, 2, benben.Budget(simulations=NODES))
    for player in (GreedyPlayer(), UctPlayer()):
        thought = player.think(turn)
        told.append([thought.move, [round(worth.share, 9) for worth in thought.worths]])
    return told


class _Untaken(Exception):
    """The path of draws went on further than we follow it."""


def distribution(draw: Callable[[], int], follow: int) -> dict[int, Fraction]:
    """What `draw` returns and how likely, over all paths of at most `follow` calls of below()."""
    found: dict[int, Fraction] = {}
    paths: list[tuple[int, ...]] = [()]
    while paths:
        path = paths.pop()
        bounds: list[int] = []

        def below(_: Any, n: int, path: tuple[int, ...] = path, b: list[int] = bounds) -> int:
            b.append(n)
            if len(b) > len(path):
                raise _Untaken
            return path[len(b) - 1]

        for module in (sys.modules["benben.core.bits"], *_rules_modules()):
            module.below = below
        try:
            drawn = draw()
        except _Untaken:
            if len(path) < follow:
                paths += [(*path, value) for value in range(bounds[-1])]
            continue
        odds = Fraction(1)
        for n in bounds:
            odds /= n
        found[drawn] = found.get(drawn, Fraction(0)) + odds
    return found


def _rules_modules() -> list[Any]:
    return [game.rules for game in GAMES]


_proven: dict[str, set[int]] = {}  # by game, numbers of outcomes of throws: those are all alike


def prove_even(game: benben.Game) -> int:
    """Fail unless moves are drawn evenly and throws by weight, all along a game; positions seen.

    How dice fall depends neither on the number of players nor on options: a short run proves it
    once for a game.
    """
    source = generator(23)
    seen = 0
    real = sys.modules["benben.core.random"].below
    position = game.deal(seed=4)
    proven = set[int]() if LONG else _proven.setdefault(game.name, set())
    ply = 0
    while position.to_move is not None:
        record = position.record
        throwing = position.to_move == benben.CHANCE
        throws = len(position.chance())
        if ply % 5 == 0 and (not throwing or throws not in proven):
            proven.add(throws)
            draw = engine.draw_throw if throwing else engine.draw_move
            # Objectif tries until a try is legal. Three draws hold its first try whole, and each
            # try is like the first: even chances there are even chances.
            odds = distribution(lambda r=record, d=draw: int(d(r, source)), 3)  # type: ignore[misc]
            if throwing:
                wanted = {game.code(throw): p for throw, p in position.chance()}
                assert sum(odds.values()) == 1
                assert {code: float(p) for code, p in odds.items()} == wanted
            else:
                moves = [game.code(move) for move in position.moves()]
                assert set(odds) == set(moves), str(position)
                assert len(set(odds.values())) == 1, str(position)
            seen += 1
        for module in (sys.modules["benben.core.bits"], *_rules_modules()):
            module.below = real
        drawn = engine.draw_throw(record, source) if throwing else engine.draw_move(record, source)
        position = position.play(game.text(drawn))
        ply += 1
    return seen


if __name__ == "__main__":
    tell: Callable[[benben.Game], Any] = prove_even if "--distributions" in sys.argv else behaviour
    sys.stdout.write(json.dumps({label(game): tell(game) for game in GAMES}))
