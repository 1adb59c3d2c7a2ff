"""Environments and OpenSpiel's search beside ours: `make bench-environments`, some ten minutes.

Machines are shared, so figures are ratios of two things measured turn by turn in one run. Batches
are measured by the time their process was at work as well: who is disturbed has no fewer steps.
"""

import math
import random
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pgx
import pyspiel
from open_spiel.python.algorithms import mcts
from pgx.experimental import auto_reset

import benben
import benben.adapters.open_spiel
from benben.adapters import pettingzoo as zoo
from benben.bots.levels import level
from benben.core.player import Budget, Turn
from benben.lab.batch import Batch
from benben.lab.rating import wilson
from bench.measuring import HERE, ROUNDS, Measure, commit, compare, machine, note, row, short

with warnings.catch_warnings():  # its old name, which still works
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.classic import connect_four_v3

RESULTS = HERE / "environments.md"
SLICE = 0.6  # seconds a measurement
BATCH = 4096
PETTING_ZOO = 3.0  # times as fast as its connect_four_v3
GAMES, SECONDS, WANTED = 30, 0.05, 0.9  # of a match: a move's time, and the share level 6 must have
NORMAL = 1.96

Clock = Callable[[], float]


# ---- Batches


def pgx_steps(clock: Clock) -> Measure:
    """Random games of pgx's connect_four: choice, step and next game in one compiled function."""
    environment = pgx.make("connect_four")
    step = jax.vmap(auto_reset(environment.step, environment.init))

    def choose_and_step(state: Any, key: Any) -> Any:
        chosen, luck = jax.random.split(key)
        odds = jnp.where(state.legal_action_mask, 0.0, -1e9)
        actions = jax.random.categorical(chosen, odds, axis=-1)
        return step(state, actions, jax.random.split(luck, BATCH))

    play = jax.jit(choose_and_step)
    keys = jax.random.split(jax.random.PRNGKey(0), BATCH)
    now = jax.jit(jax.vmap(environment.init))(keys)
    key = jax.random.PRNGKey(1)
    now = jax.block_until_ready(play(now, key))

    def measure() -> float:
        nonlocal now, key
        steps, begun, until = 0, clock(), time.perf_counter() + SLICE
        while time.perf_counter() < until:
            for _ in range(8):
                key, luck = jax.random.split(key)
                now = play(now, luck)
            jax.block_until_ready(now)
            steps += 8 * BATCH
        return steps / (clock() - begun)

    return measure


def batch_steps(game: benben.Game, clock: Clock) -> Measure:
    """Random games of ours, on one thread."""
    batch = Batch(game, BATCH)
    batch.step(batch.draw())

    def measure() -> float:
        steps, begun, until = 0, clock(), time.perf_counter() + SLICE
        while time.perf_counter() < until:
            for _ in range(8):
                batch.step(batch.draw())
            steps += 8 * BATCH
        return steps / (clock() - begun)

    return measure


def batches() -> list[str]:
    observed = math.prod(pgx.make("connect_four").observation_shape)  # a byte each
    lines = [
        f"## {BATCH} games at once, steps per second",
        "",
        f"Beside pgx `connect_four`, {observed} bytes an observation and 7 of mask. With each step "
        "a legal action is drawn at random, and games that end begin again. Ours is on one thread; "
        "pgx takes as many as it likes. A machine with other work to do makes fewer steps in a "
        "second on the wall, not in one of its processor: compare ratios, and those.",
        "",
        "| | bytes seen | mask | ours | pgx | ratio | per CPU second: ours | pgx | ratio |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name in benben.names():
        for players in benben.info(name).players:
            note(f"{name} for {players} beside pgx")
            game = benben.game(name, players=players)
            told = Batch(game, 1).environment
            cells = [f"`{name}`, {players} players", str(told.size), str(len(told.codes))]
            for clock in (time.perf_counter, time.process_time):
                ours, theirs, ratio = compare(batch_steps(game, clock), pgx_steps(clock), _nothing)
                cells += [short(ours), short(theirs), f"{ratio:.1f}"]
            lines.append(f"| {' | '.join(cells)} |")
    return lines


def _nothing() -> None:
    return


# ---- PettingZoo


def zoo_steps(environment: Any) -> Measure:
    """Random games as PettingZoo's pages play them."""
    rng = random.Random(1)

    def measure() -> float:
        steps, begun = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - begun) < SLICE:
            environment.reset(seed=steps)
            for _ in environment.agent_iter():
                seen, _, terminated, truncated, _ = environment.last()
                if terminated or truncated:
                    environment.step(None)
                    continue
                environment.step(rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
                steps += 1
        return steps / elapsed

    return measure


def petting_zoo() -> list[str]:
    lines = [
        "## PettingZoo, steps per second",
        "",
        "| | Benben `env()` | beside | | ratio | wanted | met |",
        "|---|---:|---|---:|---:|---:|---|",
    ]
    for name in benben.names():
        note(f"{name} beside PettingZoo")
        figures = compare(zoo_steps(zoo.env(name)), zoo_steps(connect_four_v3.env()), _nothing)
        beside = "PettingZoo `connect_four_v3` `env()`"
        lines.append(row(f"`{name}`", beside, figures, PETTING_ZOO))
    return lines


# ---- OpenSpiel's tree search against level 6


class _OutOfTime(Exception):
    """The bot's time for this move is over."""


class TimedSearch(mcts.MCTSBot):  # type: ignore[misc]
    """OpenSpiel's Python tree search, with so much of the thread's time a move."""

    def __init__(self, game: Any, seconds: float, seed: int) -> None:
        source = np.random.RandomState(seed)
        evaluator = mcts.RandomRolloutEvaluator(1, source)
        super().__init__(game, math.sqrt(2), 10**9, evaluator, random_state=source)
        self.seconds, self.simulations, self.moves, self.used = seconds, 0, 0, 0.0

    def _apply_tree_policy(self, root: Any, state: Any) -> Any:
        self.root = root
        if root.children and time.thread_time() > self.until:
            raise _OutOfTime
        self.simulations += 1
        return super()._apply_tree_policy(root, state)

    def step(self, state: Any) -> int:
        begun = time.thread_time()
        self.until = begun + self.seconds
        with suppress(_OutOfTime):  # then what was found so far counts
            self.root = self.mcts_search(state)
        self.moves += 1
        self.used += time.thread_time() - begun
        return int(self.root.best_child().action)


def match(name: str, games: int) -> tuple[float, float, float, float]:
    """The share of level 6, their simulations a move, and the seconds a move of both."""
    session = pyspiel.load_game(f"benben_{name}", {"players": 2, "first": 1})
    fresh = session.new_initial_state().position
    budget = Budget(seconds=SECONDS, cpu=True)
    level(fresh.game, 6).player().think(Turn.at(fresh, (), fresh, budget))  # kernels are there then
    share, simulations, moves = 0.0, 0, 0
    theirs = ours = 0.0
    thoughts = 0
    for number in range(games):
        search = TimedSearch(session, SECONDS, number)
        state = session.new_initial_state()
        start = state.position
        player = level(start.game, 6).player()
        our_seat, played = number % 2, list[str]()
        while not state.is_terminal():
            if state.current_player() == our_seat:
                begun = time.thread_time()
                turn = Turn.at(start, played, state.position, budget, number)
                action = state.string_to_action(player.think(turn).move)
                ours += time.thread_time() - begun
                thoughts += 1
            else:
                action = search.step(state)
            played.append(state.action_to_string(action))
            state.apply_action(action)
        player.close()
        share += state.returns()[our_seat]
        simulations += search.simulations
        moves += search.moves
        theirs += search.used
        note(f"{name}: level 6 has {share:g} of {number + 1}")
    return share / games, simulations / moves, theirs / moves, ours / thoughts


def matches() -> list[str]:
    lines = [
        "## OpenSpiel's tree search against level 6",
        "",
        f"`open_spiel.python.algorithms.mcts` through the adapter, {SECONDS * 1000:g} ms of "
        f"processor time a move for both, {GAMES} games each, sides changed after each.",
        "",
        "| | share of level 6 | 95 % interval | its simulations a move | its ms | ours | wanted "
        "| met |",
        "|---|---:|---|---:|---:|---:|---:|---|",
    ]
    for name in ("pyramidis", "quadrille"):
        share, simulations, theirs, ours = match(name, GAMES)
        sure = wilson(share, GAMES, NORMAL)
        met = "yes" if share >= WANTED else "**no**"
        lines.append(
            f"| `{name}`, 2 players | {share:.0%} | {sure.low:.0%} to {sure.high:.0%} "
            f"| {simulations:.0f} | {theirs * 1000:.0f} | {ours * 1000:.0f} | {WANTED:.0%} "
            f"| {met} |"
        )
    return lines


SECTIONS = {"batches": batches, "pettingzoo": petting_zoo, "matches": matches}


def main(only: str | None = None) -> None:
    head = [
        "# Environments",
        "",
        f"By `make bench-environments`, on commit {commit()}, Python {sys.version.split()[0]}, "
        f"{machine()}. Rates are medians of {ROUNDS} rounds, both sides turn by turn in one run.",
    ]
    sections = [SECTIONS[only]] if only else list(SECTIONS.values())
    text = "\n".join([*head, *(line for make in sections for line in ("", *make()))]) + "\n"
    if only is None:
        RESULTS.write_text(text, "utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
