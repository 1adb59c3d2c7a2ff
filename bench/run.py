"""Benben beside what a researcher would pick instead: `make bench` writes results.md.

Machines are shared and noisy, so nothing here is a time: every figure is a ratio of two things
measured turn by turn in one run, the median of all rounds.
"""

import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyspiel
from pettingzoo.classic import connect_four_v3
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

import benben
from bench.measuring import ROUNDS, Measure, commit, compare, row

SLICE = 0.6  # seconds a measurement
HERE = Path(__file__).parent

# Our game, OpenSpiel's nearest kin, and how many times faster we want to be.
KIN = [
    ("objectif", "connect_four", 3.0),
    ("pyramidis", "mancala", 3.0),
    ("quadrille", "amazons", 3.0),
    ("batisseurs", "pig", 1.5),
]
TWO_THREADS, PETTING_ZOO = 1.8, 5.0


def benben_playouts(name: str, threads: int = 1) -> Measure:
    """What `benben bench playouts` measures."""
    game = benben.game(name)
    benben.playouts(game, 100)

    def measure() -> float:
        done = benben.playouts(game, seconds=SLICE, threads=threads)
        return done.decisions / done.seconds

    return measure


def open_spiel_playouts(name: str) -> Measure:
    """OpenSpiel's C++ random playouts from the start: one simulation, all of it rollouts."""
    game = pyspiel.load_game(name)
    length = statistics.fmean(_decisions(game, seed) for seed in range(400))
    start = game.new_initial_state()

    def rollouts(n: int) -> float:
        bot = pyspiel.MCTSBot(
            game, pyspiel.RandomRolloutEvaluator(n, 1), 2.0, 1, 1000, False, 1, False
        )
        begun = time.perf_counter()
        bot.mcts_search(start)
        return time.perf_counter() - begun

    games = max(1, round(SLICE / rollouts(200) * 200))
    return lambda: games * length / rollouts(games)


def _decisions(game: pyspiel.Game, seed: int) -> int:
    """Players' decisions in one random game; chance is not counted, with us neither."""
    state, rng, decisions = game.new_initial_state(), np.random.default_rng(seed), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=odds)))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
            decisions += 1
    return decisions


def benben_texts(name: str) -> Measure:
    """Random games through the Python API, moves as text."""
    game, rng = benben.game(name), random.Random(1)

    def measure() -> float:
        decisions, begun = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - begun) < SLICE:
            position = game.deal(seed=decisions)
            while (turn := position.to_move) is not None:
                if turn == benben.CHANCE:
                    position = position.play(position.draw(source))
                else:
                    position = position.play(rng.choice(position.moves()))
                    decisions += 1
        return decisions / elapsed

    source = benben.RandomStream.seeded(1)
    return measure


def petting_zoo() -> Measure:
    """Random games of PettingZoo's connect_four_v3, its usual environment."""
    env, rng = connect_four_v3.env(), random.Random(1)

    def measure() -> float:
        decisions, begun = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - begun) < SLICE:
            env.reset(seed=decisions)
            for _ in env.agent_iter():
                seen, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                mask = seen["action_mask"]
                env.step(rng.choice([action for action in range(7) if mask[action]]))
                decisions += 1
        return decisions / elapsed

    return measure


def _import_seconds() -> float:
    def once() -> float:
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import benben"], check=True)
        return time.perf_counter() - begun

    once()
    return statistics.median(once() for _ in range(5))


def main() -> None:
    head = "| | Benben | beside | | ratio | wanted | met |\n|---|---:|---|---:|---:|---:|---|"
    sections = []
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns) as progress:
        bar = progress.add_task("measuring", total=ROUNDS * (2 * len(KIN) + len(KIN)))

        def tick() -> None:
            progress.advance(bar)

        sections += ["## Random playouts, decisions per second, one thread", head]
        for name, kin, wanted in KIN:
            progress.update(bar, description=f"{name} beside {kin}")
            figures = compare(benben_playouts(name), open_spiel_playouts(kin), tick)
            sections.append(row(f"`{name}`", f"OpenSpiel `{kin}` (C++)", figures, wanted))
        sections += ["", "## Two threads beside one", head]
        for name, _, _ in KIN:
            progress.update(bar, description=f"{name} on two threads")
            figures = compare(benben_playouts(name, 2), benben_playouts(name), tick)
            sections.append(row(f"`{name}`, two threads", "one thread", figures, TWO_THREADS))
        sections += ["", "## The Python API, moves as text", head]
        for name, _, _ in KIN:
            progress.update(bar, description=f"{name} as text")
            figures = compare(benben_texts(name), petting_zoo(), tick)
            beside = "PettingZoo `connect_four_v3` `env()`"
            sections.append(row(f"`{name}`", beside, figures, PETTING_ZOO))
    sizes = ", ".join(
        f"`{name}` {benben.game(name).rules.STATE.itemsize}" for name in benben.names()
    )
    text = "\n".join(
        [
            "# Measured",
            "",
            f"By `make bench`, on commit {commit()}, Python {sys.version.split()[0]}. "
            f"Medians of {ROUNDS} rounds, both sides turn by turn in one run.",
            "",
            *sections,
            "",
            "## Also",
            "",
            f"- Bytes of a position's record: {sizes}.",
            f"- `import benben` in a new process, warm: {_import_seconds():.2f} s.",
            "",
        ]
    )
    (HERE / "results.md").write_text(text, "utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
