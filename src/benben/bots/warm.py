"""Compile the bots' kernels before they are needed.

`python -m benben.bots.warm` compiles everything. With `--asked` it reads from its input what to
compile, a game and a stage a line, takes one step of it, and writes which; an empty line if none is
left. So the caller can choose anew after each step. It ends with its input.
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from benben.bots.exact import warm as warm_exact
from benben.bots.greedy import GreedyPlayer
from benben.bots.levels import ladder, level
from benben.bots.uct import UctPlayer
from benben.core.chance import RandomStream
from benben.core.game import Game
from benben.core.player import Budget, Turn
from benben.core.registry import game as find
from benben.core.registry import names
from benben.core.rules import CHANCE
from benben.core.warm import COUNTS, RULES, Stage, warm_up


def _use_bots(game: Game) -> Iterator[str]:
    turn = _first_decision(game)
    GreedyPlayer().think(turn)
    yield "greedy"
    UctPlayer().think(turn)
    yield "search"
    # Whatever is played now, all of a game is ready or nothing is.
    for players in game.info.players:
        turn = _first_decision(find(game.name, players=players))
        for each in ladder(turn.view.game):
            each.player().think(turn)
    yield "levels"
    warm_exact(game)
    yield "solution"


def _first_decision(game: Game) -> Turn:
    stream = RandomStream.seeded(0)
    start = position = game.deal(source=stream)
    moves: list[str] = []
    while position.to_move == CHANCE:
        moves.append(position.draw(stream))
        position = position.play(moves[-1])
    return Turn.at(start, moves, position, Budget(simulations=1))


BOTS = Stage(
    "bots", "bots", {"greedy": 0.8, "search": 2.4, "levels": 8.0, "solution": 1.3}, _use_bots
)


def level_stage(players: int, number: int) -> Stage:
    """What a bot of one level needs in a game for so many players: a part of `BOTS`."""

    def use(game: Game) -> Iterator[str]:
        turn = _first_decision(find(game.name, players=players))
        level(turn.view.game, number).player().think(turn)
        yield "level"

    return Stage(f"bots.{players}.{number}", "bots", {"level": 8.0}, use)


@dataclass(frozen=True)
class Progress:
    """How far the kernels of a game are."""

    game: str
    ready: Literal["no", "people", "bots"]  # who can play it
    seconds: int  # about, until more can; 0 when all can
    done: float  # from 0 to 1
    step: str  # what is being done


_STAGES = {stage.name: stage for stage in (RULES, BOTS, COUNTS)}


def stage_named(name: str) -> Stage:
    """The stage of this name; KeyError or ValueError if there is none."""
    kind, *numbers = name.split(".")
    return level_stage(*map(int, numbers)) if numbers else _STAGES[kind]


def compile_all() -> None:
    for stage in _STAGES.values():
        for name in names():
            for _ in warm_up(find(name), stage):
                pass


def compile_asked(lines: Iterable[str]) -> Iterator[str]:
    """Yield the answer to each line."""
    under_way: dict[tuple[str, str], Iterator[str]] = {}
    for line in lines:
        name, stage = line.split()
        if (name, stage) not in under_way:
            under_way[name, stage] = warm_up(find(name), stage_named(stage))
        yield next(under_way[name, stage], "")


if __name__ == "__main__":
    if sys.argv[1:] == ["--asked"]:
        for answer in compile_asked(sys.stdin):
            sys.stdout.write(f"{answer}\n")
            sys.stdout.flush()
    else:
        compile_all()
