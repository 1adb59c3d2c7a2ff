"""Benben beside what a researcher would pick instead: `make bench` writes results.md.

Machines are shared and noisy, so nothing here is a time: every figure is a ratio of two things
measured turn by turn in one run, the median of all rounds.
"""

import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyspiel
from pettingzoo.classic import connect_four_v3
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

import benben

ROUNDS = 7
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

Measure = Callable[[], float]  # moves per second


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

    source = benben.Stream.seeded(1)
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


def compare(ours: Measure, theirs: Measure, tick: Callable[[], None]) -> tuple[float, float, float]:
    """Turn by turn: our median, their median, and the median of the rounds' ratios."""
    pairs = []
    for _ in range(ROUNDS):
        pairs.append((ours(), theirs()))
        tick()
    ratio = statistics.median(a / b for a, b in pairs)
    return (*(statistics.median(column) for column in zip(*pairs, strict=True)), ratio)


def _row(what: str, beside: str, figures: tuple[float, float, float], wanted: float) -> str:
    a, b, ratio = figures
    verdict = "yes" if ratio >= wanted else "**no**"
    return (
        f"| {what} | {_short(a)} | {beside} | {_short(b)} | {ratio:.1f} | {wanted:g} | {verdict} |"
    )


def _short(rate: float) -> str:
    return f"{rate / 1e6:.1f} M/s" if rate >= 1e6 else f"{rate / 1e3:.0f} k/s"


def _import_seconds() -> float:
    def once() -> float:
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import benben"], check=True)
        return time.perf_counter() - begun

    once()
    return statistics.median(once() for _ in range(5))


def _commit() -> str:
    def git(*words: str) -> str:
        return subprocess.run(
            ["git", *words], cwd=HERE, capture_output=True, text=True, check=True
        ).stdout.strip()

    changed = git("status", "--porcelain", "--", "../src")
    return git("rev-parse", "--short=12", "HEAD") + (" with changes" if changed else "")


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
            sections.append(_row(f"`{name}`", f"OpenSpiel `{kin}` (C++)", figures, wanted))
        sections += ["", "## Two threads beside one", head]
        for name, _, _ in KIN:
            progress.update(bar, description=f"{name} on two threads")
            figures = compare(benben_playouts(name, 2), benben_playouts(name), tick)
            sections.append(_row(f"`{name}`, two threads", "one thread", figures, TWO_THREADS))
        sections += ["", "## The Python API, moves as text", head]
        for name, _, _ in KIN:
            progress.update(bar, description=f"{name} as text")
            figures = compare(benben_texts(name), petting_zoo(), tick)
            row = _row(f"`{name}`", "PettingZoo `connect_four_v3` `env()`", figures, PETTING_ZOO)
            sections.append(row)
    sizes = ", ".join(
        f"`{name}` {benben.game(name).rules.STATE.itemsize}" for name in benben.names()
    )
    text = "\n".join(
        [
            "# Measured",
            "",
            f"By `make bench`, on commit {_commit()}, Python {sys.version.split()[0]}. "
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
