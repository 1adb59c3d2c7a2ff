"""Counting a game tree move by move, so that an interrupt is heard and progress seen."""

from collections.abc import Iterator
from queue import Empty, Queue
from threading import Thread

from rich.console import Console
from rich.progress import track

from benben.core.errors import BenbenError
from benben.core.position import Position
from benben.core.rules import CHANCE
from benben.terminal.speech import say

MOST_DEPTH = 20  # no computer gets there; a slip of the finger does


def check(depth: int) -> None:
    if not 0 <= depth <= MOST_DEPTH:
        raise BenbenError(f"depth={depth}: must be a whole number from 0 to {MOST_DEPTH}")


def perft(position: Position, depth: int, console: Console) -> Iterator[tuple[str, int]]:
    """Each move or throw, in the game's order, with the number of ways to go on from it."""
    if depth == 0:
        return
    chance = position.to_move == CHANCE
    moves = [throw for throw, _ in position.chance()] if chance else position.moves()
    watched = track(
        moves,
        say("perft.counting"),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    for move in watched:
        yield move, _in_background(position.play(move), depth - 1)


def _in_background(position: Position, depth: int) -> int:
    """A kernel hears no Ctrl-C; the thread that waits for it does."""
    found: Queue[int] = Queue()
    Thread(target=lambda: found.put(position.perft(depth)), daemon=True).start()
    while True:
        try:
            return found.get(timeout=0.2)
        except Empty:
            continue
