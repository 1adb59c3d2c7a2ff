"""How fast the rules and environments of a tree are: a child process of `bench/against.py`.

Each line it reads is a kind of work, a game and a number of seconds. It works for that long and
answers with decisions per second of CPU, which other work on the machine hardly changes.
"""

import random
import sys
import time
from collections.abc import Callable

import benben
from benben.lab.batch import Batch

BATCH = 1024  # games of an environment at once


def playouts(name: str) -> Callable[[], int]:
    """Random games in compiled code."""
    game = benben.game(name)
    return lambda: benben.playouts(game, 200).decisions


def texts(name: str) -> Callable[[], int]:
    """A random game through the Python API, moves as text."""
    game, rng, source = benben.game(name), random.Random(1), benben.RandomStream.seeded(1)

    def play() -> int:
        position, decisions = game.deal(seed=rng.randrange(1000)), 0
        while (turn := position.to_move) is not None:
            if turn == benben.CHANCE:
                position = position.play(position.draw(source))
            else:
                position = position.play(rng.choice(position.moves()))
                decisions += 1
        return decisions

    return play


def environment(name: str) -> Callable[[], int]:
    """Steps of many games at once, as programs that learn take them."""
    batch = Batch(benben.game(name), BATCH)

    def step() -> int:
        batch.step(batch.draw())
        return BATCH

    return step


KINDS = {"playouts": playouts, "moves as text": texts, "environment": environment}


def main() -> None:
    ready: dict[tuple[str, str], Callable[[], int]] = {}
    for line in sys.stdin:
        kind, name, seconds = line.rstrip("\n").split("\t")
        if (kind, name) not in ready:
            ready[kind, name] = KINDS[kind](name)
            ready[kind, name]()  # kernels are compiled by now
        work, decisions = ready[kind, name], 0
        begun, until = time.process_time(), time.perf_counter() + float(seconds)
        while time.perf_counter() < until:
            decisions += work()
        sys.stdout.write(f"{decisions / (time.process_time() - begun)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
