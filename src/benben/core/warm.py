"""Compile a game's kernels before they are needed, one by one, so that someone can watch.

Numba compiles a kernel when it is first called and keeps the machine code on disk. A marker beside
it tells that all of a game's kernels are there; without it nothing breaks, there is only more to do.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite.binding import get_host_cpu_name
from numba.core import config

from benben.core import engine
from benben.core.game import Game
from benben.core.kernel import cache_directory
from benben.core.random import generator
from benben.core.rules import CHANCE

Step = tuple[str, Callable[[], object]]


def is_warm(game: Game) -> bool:
    """Whether all kernels of the game are on disk already, or none is to be compiled."""
    if config.DISABLE_JIT:
        return True
    marker = _marker(game)
    try:
        return marker is not None and marker.read_text("utf-8") == _machine()
    except (OSError, UnicodeDecodeError):
        return False


def steps(game: Game) -> list[Step]:
    """What is to be compiled, each with a name."""
    kernels = [(name, _compiler(name, examples)) for name, examples in _calls(game).items()]
    return [*kernels, ("text", lambda: _read_and_write(game))]


def warm_up(game: Game) -> Iterator[str]:
    """Take the steps, yielding the name of each when it is done."""
    for name, compile_it in steps(game):
        compile_it()
        yield name
    marker = _marker(game)
    if marker is not None:
        try:
            marker.write_text(_machine(), "utf-8")
        except OSError:
            pass  # a full disk: the next start will compile again


def _marker(game: Game) -> Path | None:
    directory = cache_directory()
    return None if directory is None else directory / f"{game.name}.warm"


def _machine() -> str:
    # Numba's own cache goes by the processor and by where the source lies.
    return f"{get_host_cpu_name()} {Path(__file__).resolve().parent}"


def _calls(game: Game) -> dict[str, tuple[Any, ...]]:
    """Every kernel Python calls, with arguments of the types it is called with."""
    a, ints, floats = game.blank(), np.zeros(1, np.int64), np.zeros(1, np.float64)
    random = generator(0)
    return {
        "bounds_of": (a, ints, ints),
        "set_up": (a, ints, ints),
        "whose": (a,),
        "list_moves": (a, ints),
        "list_throws": (a, ints, ints),
        "refusal": (a, 0),
        "attempt": (a, 0),
        "trace": (a, 0, np.zeros((1, 5), np.int64)),
        "settle": (a, floats),
        "look": (a, 0, a),
        "draw_move": (a, random),
        "draw_throw": (a, random),
        "perft": (a, 0, 0),
        "playouts": (a, ints, 0, random, floats),
        "playouts_from": (a, 0, random, floats),
    }


def _compiler(name: str, examples: tuple[Any, ...]) -> Callable[[], object]:
    kernel: Any = getattr(engine, name)
    return lambda: kernel.compile(tuple(numba.typeof(example) for example in examples))


def _read_and_write(game: Game) -> None:
    """One game at random through the text forms: they call small kernels of their own."""
    random = generator(0)
    position = game.deal(0)
    while position.to_move is not None:
        draw = engine.draw_throw if position.to_move == CHANCE else engine.draw_move
        move = game.text(draw(position.record, random))
        position.effects(move)
        position.drawing(), position.diagram()
        position = game.parse(str(position)).play(move)
