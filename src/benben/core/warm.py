"""Compile a game's kernels before they are needed, one by one, so that progress can be shown.

Numba compiles a kernel when it is first called and keeps the machine code on disk. A marker beside
it tells that all a game needs is there; without it nothing breaks, there is only more to wait for.
"""

from collections.abc import Callable, Iterator
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
class Warming:
    """The kernels of a package: `run` does everything once, and names each of `steps` when done."""

    package: str
    steps: tuple[str, ...]
    run: Callable[[Game], Iterator[str]]


def is_warm(game: Game, warming: Warming) -> bool:
    """Whether all these kernels of the game are on disk already, or nothing is ever compiled."""
    if PLAIN_PYTHON:
        return True
    marker = _marker(game, warming)
    try:
        return marker is not None and marker.read_text("utf-8") == _machine()
    except (OSError, UnicodeDecodeError):
        return False


def warm_up(game: Game, warming: Warming) -> Iterator[str]:
    """Compile them; each step when it is done."""
    yield from warming.run(game)
    marker = _marker(game, warming)
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
    position.effects(move), position.choices()
    yield "effects"
    while position.to_move is not None:
        if position.to_move == CHANCE:
            move = position.draw(stream)
        else:
            moves = position.moves()
            move = moves[stream.below(len(moves))]
        position = position.play(move)
    assert position.result is not None
    yield "result"
    position.perft(1)
    yield "perft"
    playouts(game, 1)
    yield "playouts"


RULES = Warming(
    "core",
    tuple("deal text board view moves throws play effects result perft playouts".split()),
    _use_rules,
)


def _marker(game: Game, warming: Warming) -> Path | None:
    directory = cache_directory(warming.package)
    return None if directory is None else directory / f"{game.name}.{warming.package}.warm"


def _machine() -> str:
    # Numba's own cache goes by the processor and by where the source lies.
    return f"{get_host_cpu_name()} {Path(__file__).resolve().parent}"
