"""Perfect play, where a game is solved: Bâtisseurs for two."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from threading import Event
from typing import Protocol

from benben.core.errors import BenbenError, PlayerFailed, UnknownPlayer
from benben.core.game import Game
from benben.core.kernel import Floats, States
from benben.core.player import Cancelled, Player, Thought, Turn, Worth
from benben.core.random import below, generator

# Where the solution of a game for so many players is found. It is imported when it is wanted, as
# it loads the game's rules.
SOLVED = {("batisseurs", 2): "benben.bots.batisseurs.solution"}
_EQUAL = 1e-12  # shares this close differ by rounding


class Solution(Protocol):
    """What is known of a solved game."""

    seconds: float | None  # it took to find; None if it was read from a file
    file: Path | None  # where it is kept; None if it could not be

    @property
    def size(self) -> str:
        """How much there was to solve, in words."""

    @property
    def first_player(self) -> float:
        """The chance to win of whoever begins the game, if all play perfectly."""

    def worths(self, record: States) -> Floats:
        """The share of the seat in turn after each legal move."""


def solvable(game: Game) -> bool:
    """Whether perfect play is known."""
    return (game.name, game.players) in SOLVED


def solution(
    game: Game,
    progress: Callable[[int, int], object] | None = None,
    cancelled: Event | None = None,
) -> Solution:
    """Remembered, read from the cache or found; BenbenError if this game is not solved here."""
    if not solvable(game):
        raise BenbenError(_unsolved(game))
    found: Solution = import_module(SOLVED[game.name, game.players]).solution(
        game, progress, cancelled
    )
    return found


def exact_player(game: Game) -> Player:
    """Who plays this game perfectly; UnknownPlayer if nobody does.

    >>> import benben
    >>> exact_player(benben.game("quadrille"))
    Traceback (most recent call last):
    benben.core.errors.UnknownPlayer: no player is called 'exact': quadrille for 2 is not solved …
    """
    if not solvable(game):
        raise UnknownPlayer("exact", _unsolved(game))
    return ExactPlayer()


def _unsolved(game: Game) -> str:
    solved = ", ".join(f"{name} for {players}" for name, players in SOLVED)
    return f"{game.name} for {game.players} is not solved here; solved is {solved}"


class ExactPlayer(Player):
    """Knows what every move is worth. The first turn of all may have to wait for the solution."""

    name = "exact"

    def think(self, turn: Turn) -> Thought:
        """The best move; among equals, one drawn by the turn's seed."""
        try:
            found = solution(turn.view.game, cancelled=turn.cancelled)
        except BenbenError as error:
            raise PlayerFailed(self.name, str(error)) from error
        if turn.cancelled.is_set():
            raise Cancelled
        shares = found.worths(turn.view.record).tolist()
        worths = tuple(Worth(m, share, 0.0) for m, share in zip(turn.moves, shares, strict=True))
        best = [each.move for each in worths if each.share >= max(shares) - _EQUAL]
        return Thought(best[below(generator(turn.seed), len(best))], worths)
