"""Compile every kernel: `python -m benben.lab.warm`, before tests or a long training."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from benben.bots.warm import BOTS
from benben.core.environment import warm as warm_one
from benben.core.game import Game
from benben.core.registry import game as find
from benben.core.registry import names
from benben.core.warm import COUNTS, RULES, Stage, warm_up
from benben.lab.batch import Batch


def _use_environments(game: Game) -> Iterator[str]:
    warm_one(game)
    yield "one"
    batch = Batch(game, 1)
    batch.step(batch.draw())
    yield "batch"


ENVIRONMENTS = Stage("environments", "core", {"one": 2.0, "batch": 4.0}, _use_environments)


def compile_game(name: str) -> None:
    """Compile everything that a game needs to be played, by people, bots and learning programs."""
    for stage in (RULES, BOTS, COUNTS, ENVIRONMENTS):
        for _ in warm_up(find(name), stage):
            pass


if __name__ == "__main__":
    with ProcessPoolExecutor() as pool:  # one game each: Numba compiles with one thread
        list(pool.map(compile_game, names()))
