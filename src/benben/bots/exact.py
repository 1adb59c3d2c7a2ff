"""Perfect play, where a game is solved: Bâtisseurs for two and three.

A solution is made once and kept in the user's cache. Nobody who plays ever waits for it: `ready`
tells what is known now, and otherwise looks for it in the background, while a good player stands
in. What takes a few seconds to solve is solved then, by a process of its own that gives way to all
others and ends with ours. What takes minutes is only read: `benben solve` makes it, or a server
that is asked for such a game (`want`), if its host allows that by `BENBEN_SOLVE=1`.

`python -m benben.bots.exact GAME PLAYERS OPTION=VALUE` is that process. It ends with its input.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from math import inf
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, Protocol

from benben.core.errors import BenbenError, PlayerFailed, UnknownPlayer
from benben.core.game import Game
from benben.core.kernel import Floats, States
from benben.core.locking import locked
from benben.core.paths import cache_root
from benben.core.player import Cancelled, Player, Thought, Turn, Worth
from benben.core.random import below, generator
from benben.core.registry import game as find

# Where the solution of a game for so many players is found. It is imported when it is wanted, as
# it loads the game's rules.
SOLVED = {
    ("batisseurs", 2): "benben.bots.batisseurs.two",
    ("batisseurs", 3): "benben.bots.batisseurs.three",
}
# The setting by which a host allows a server to solve what takes minutes and 500 MB of memory.
SOLVE = "BENBEN_SOLVE"
_QUICK = {("batisseurs", 2)}  # solved in the background when first wanted
_EQUAL = 1e-12  # shares this close differ by rounding
_LOOK_AGAIN = 60.0  # seconds until it is looked for anew where nothing was kept
_KINDNESS = 19  # to others, as `nice` has it


class Solution(Protocol):
    """What is known of a solved game."""

    seconds: float | None  # it took to find; None if it was read from a file
    file: Path | None  # where it is kept; None if it could not be

    @property
    def size(self) -> str:
        """How much there was to solve, in words."""

    @property
    def chances(self) -> tuple[float, ...]:
        """To win, of whoever begins the game, of the next and so on, if all play perfectly."""

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
    found: Solution = _module(game).solution(game, progress, cancelled)
    return found


def _module(game: Game) -> Any:
    return import_module(SOLVED[game.name, game.players])


def _is_quick(game: Game) -> bool:
    return (game.name, game.players) in _QUICK


def _unsolved(game: Game) -> str:
    numbers: dict[str, list[int]] = {}
    for name, players in SOLVED:
        numbers.setdefault(name, []).append(players)
    solved = ", ".join(f"{name} for {min(each)}–{max(each)}" for name, each in numbers.items())
    return f"{game.name} for {game.players} is not solved here; solved is {solved}"


def prepare(game: Game, surely: bool = False) -> None:
    """Have the solution in memory before anybody plays, so that they play alike every time.

    One that takes minutes is only read, unless it must be there `surely`.
    """
    if solvable(game) and (surely or _is_quick(game)):
        solution(game)
    elif solvable(game):
        _module(game).kept(game)


# ---- Without waiting

_looked: dict[tuple[object, ...], float] = {}  # when each game was last looked for
_wanted: set[tuple[object, ...]] = set()  # games that are being solved, or were
_lock = Lock()


def ready(game: Game) -> Solution | None:
    """The solution, if it is in memory. If not, it is looked for meanwhile; this takes no time."""
    if not solvable(game):
        return None
    found: Solution | None = _module(game).remembered(game)
    if found is None and _may_look(_key(game)):
        Thread(target=_look_for, args=(game,), name="solution", daemon=True).start()
    return found


def want(game: Game) -> None:
    """Have the solution made in the background; this takes no time.

    For servers, where somebody will be glad of it later. A process tries it once. One that takes
    minutes is made only if the host allows it: anybody may ask for such a game.
    """
    if not solvable(game) or not (_is_quick(game) or os.environ.get(SOLVE) == "1"):
        return
    with _lock:
        if _key(game) in _wanted:
            return
        _wanted.add(_key(game))
    Thread(target=_make_sure_of, args=(game,), name="solution", daemon=True).start()


def _make_sure_of(game: Game) -> None:
    if _module(game).kept(game) is None:
        _solve_aside(game)
        _module(game).kept(game)


def _key(game: Game) -> tuple[object, ...]:
    return game.name, game.players, game.options[game.info.option.name]


def _may_look(key: tuple[object, ...]) -> bool:
    with _lock:
        if time.monotonic() - _looked.get(key, -inf) < _LOOK_AGAIN:
            return False
        _looked[key] = inf  # until we have looked
        return True


def _look_for(game: Game) -> None:
    try:
        if _module(game).kept(game) is None and _is_quick(game):
            _solve_aside(game)
            _module(game).kept(game)
    finally:
        _looked[_key(game)] = time.monotonic()


def _solve_aside(game: Game) -> None:
    """Have a process of its own solve it and keep it. If that fails, it is not there."""
    option = game.info.option.name
    words = [game.name, str(game.players), f"{option}={game.options[option]}"]
    command = [sys.executable, "-m", "benben.bots.exact", *words]
    with (
        suppress(OSError),
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process,
    ):
        process.wait()  # its input stays open as long as we live


def _solve_alone(name: str, players: str, option: str) -> None:
    """Solve a game, one at a time on this computer, giving way to all who play."""
    Thread(target=_end_with_input, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(_KINDNESS)
    key, _, value = option.partition("=")
    game = find(name, players=int(players), **{key: value})
    directory = cache_root() / "solutions"
    directory.mkdir(parents=True, exist_ok=True)
    with locked(directory / "lock"):
        solution(game)


def _end_with_input() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


# ---- Playing


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


class ExactPlayer(Player):
    """Knows what every move is worth; until the solution is there, as nearly as can be told."""

    name = "exact"

    def think(self, turn: Turn) -> Thought:
        """The best move; among equals, one drawn by the turn's seed."""
        game = turn.view.game
        if not solvable(game):
            raise PlayerFailed(self.name, _unsolved(game))
        if turn.checkpoint():
            raise Cancelled
        found = ready(game)
        if found is None:
            return _stand_in(game).think(turn)
        shares = found.worths(turn.view.record).tolist()
        worths = tuple(
            Worth(m, share, 0.0, "exact") for m, share in zip(turn.moves, shares, strict=True)
        )
        best = [each.move for each in worths if each.share >= max(shares) - _EQUAL]
        return Thought(best[below(generator(turn.seed), len(best))], worths)


def _stand_in(game: Game) -> Player:
    """Who plays well without the solution."""
    player: Player = import_module(f"benben.bots.{game.name}.player").BuilderPlayer()
    return player


def warm(game: Game) -> None:
    """Compile what plays before anything is solved."""
    if any(name == game.name for name, _ in SOLVED):
        player = import_module(f"benben.bots.{game.name}.player")
        player.race_worths(game, game.deal(seed=0).record)


if __name__ == "__main__":
    _solve_alone(*sys.argv[1:])
