"""Compile what environments need: `python -m benben.lab.warm`, before tests or a long training."""

from collections.abc import Iterator

from benben.core.environment import warm as warm_one
from benben.core.game import Game
from benben.core.registry import game as find
from benben.core.registry import names
from benben.core.warm import Stage, warm_up
from benben.lab.batch import Batch


def _use_environments(game: Game) -> Iterator[str]:
    warm_one(game)
    yield "one"
    batch = Batch(game, 1)
    batch.step(batch.draw())
    yield "batch"


ENVIRONMENTS = Stage("environments", "core", {"one": 2.0, "batch": 4.0}, _use_environments)

if __name__ == "__main__":
    for name in names():
        for _ in warm_up(find(name), ENVIRONMENTS):
            pass
