"""Compile a game's kernels before they are needed, one by one, so that progress can be shown.

They are compiled in stages: what people need to play, what bots need, what only measurements need.
Numba compiles a kernel when it is first called and keeps the machine code on disk. A marker beside
it tells that a stage of a game is there; without it nothing breaks, there is only more to wait for.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from llvmlite.binding import get_host_cpu_name  # type: ignore[import-untyped]

from benben.core.chance import RandomStream
from benben.core.game import Game
from benben.core.kernel import PLAIN_PYTHON, cache_directory
from benben.core.playouts import playouts
from benben.core.rules import CHANCE


@dataclass(frozen=True)
class Stage:
    """Kernels that are needed together.

    `run` does everything once, and names each of `steps` when it is done; their values are about
    how many seconds each takes to compile. `package` is where the kernels are written.
    """

    name: str
    package: str
    steps: Mapping[str, float]
    run: Callable[[Game], Iterator[str]]


def is_warm(game: str, stage: Stage) -> bool:
    """Whether these kernels of the game are on disk already, or nothing is ever compiled.

    The game is given by its name: to make it would compile some of its kernels here.
    """
    if PLAIN_PYTHON:
        return True
    marker = _marker(game, stage)
    try:
        return marker is not None and marker.read_text("utf-8") == _machine()
    except (OSError, UnicodeDecodeError):
        return False


def warm_up(game: Game, stage: Stage) -> Iterator[str]:
    """Compile them; each step when it is done."""
    yield from stage.run(game)
    marker = _marker(game.name, stage)
    if marker is not None and not PLAIN_PYTHON:
        with suppress(OSError):  # a full disk: the next start compiles again
            marker.write_text(_machine(), "utf-8")


def _use_rules(game: Game) -> Iterator[str]:
    stream = RandomStream.seeded(0)
    position = game.deal(source=stream)
    yield "deal"
    game.parse(str(position))
    yield "text"
    position.drawing(), position.diagram()
    yield "board"
    position.view(0)
    yield "view"
    position.moves()
    yield "moves"
    position.chance()
    yield "throws"
    move = position.draw(stream) if position.to_move == CHANCE else position.moves()[0]
    position.play(move)
    yield "play"
    position.effects(move)
    yield "effects"
    position.choices()
    yield "choices"
    while position.to_move is not None:
        if position.to_move == CHANCE:
            move = position.draw(stream)
        else:
            moves = position.moves()
            move = moves[stream.below(len(moves))]
        position = position.play(move)
    assert position.result is not None
    yield "result"


def _use_counts(game: Game) -> Iterator[str]:
    game.deal(seed=0).perft(1)
    yield "perft"
    playouts(game, 1)
    yield "playouts"


RULES = Stage(
    "rules",
    "core",
    {
        "deal": 1.1,
        "text": 0.1,
        "board": 0.0,
        "view": 0.3,
        "moves": 0.6,
        "throws": 0.1,
        "play": 1.4,
        "effects": 1.6,
        "choices": 0.4,
        "result": 0.4,
    },
    _use_rules,
)
COUNTS = Stage("counts", "core", {"perft": 1.4, "playouts": 1.7}, _use_counts)


def _marker(game: str, stage: Stage) -> Path | None:
    """Named by the machine: installations may share a cache, and each has kernels of its own."""
    directory = cache_directory(stage.package)
    if directory is None:
        return None
    machine = hashlib.sha256(_machine().encode()).hexdigest()[:12]
    return directory / f"{game}.{stage.name}.{machine}.warm"


def _machine() -> str:
    # Numba's own cache goes by the processor and by where the source lies.
    return f"{get_host_cpu_name()} {Path(__file__).resolve().parent}"
