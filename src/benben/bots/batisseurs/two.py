"""Bâtisseurs for two, solved: the chance to win of whoever is about to begin a turn.

Let V(A, B) be the chance of the player who begins a turn with board A against B. Within the turn

    to stop at Y    1 - V(B, Y); a finished Y wins
    to roll at Y    over all throws, the best code that placing can lead to
    a bust          1 - V(B, A)

What is won stays, so pairs of boards are solved from the last blocks back, and only a bust leads
back to the same pair: V(A, B) and V(B, A) depend on each other, and Newton's method finds them.

The solution is kept in the user's cache, with the turns it is made of.
"""

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from threading import Event, Lock

import numpy as np

from benben.bots.batisseurs import turns as turns_module
from benben.bots.batisseurs import worths as worths_module
from benben.bots.batisseurs.keeping import DIGEST, digest_of, file_of
from benben.bots.batisseurs.turns import Kinds, Turns, model, sizes_of, starts_of
from benben.bots.batisseurs.worths import boards_of, move_worths, turn_worths
from benben.core.game import Game
from benben.core.kernel import Floats, Ints, States, kernel
from benben.core.player import Cancelled
from benben.games.batisseurs import rules
from benben.games.batisseurs.rules import MOST_MOVES

Progress = Callable[[int, int], object]

_CLOSE = 1e-15  # where the rounding of the sums begins
_SLICE = 1_000_000  # ends looked at between two looks at `cancelled`: some milliseconds
_PATIENCE = 0.01  # seconds between two looks while another thread is solving


# ---- Chances to win


@kernel
def _solve(pairs: Ints, at: int, work: int, costs: Ints, turns: Turns, table: Floats) -> int:
    """Solve pairs of boards from this one on, for so much work; where to go on.

    If the next turn with the board `own` were worth x, this one would be worth t(x), by way of a
    bust, the other's best turn and another bust. We look for x = t(x). As t rises with x, but less
    than x does, there is one, and t(x) lies between x and it. Newton's step follows the straight
    line that t is near x; where that leads too far, we are content with t(x).
    """
    n = len(turns.busts)
    rolls, bests, rates = np.empty(n), np.empty(n), np.empty(n)
    begin = n - len(table)
    while at < len(pairs) and work > 0:
        own, other = pairs[at, 0], pairs[at, 1]
        own_stops, other_stops = 1.0 - table[other], 1.0 - table[own]
        low, high, x = 0.0, 1.0, 0.5
        while True:
            back = turn_worths(other, 1.0 - x, 1.0, other_stops, turns, rolls, bests, rates)
            y = rolls[begin + other]
            rate = back * turn_worths(own, 1.0 - y, 1.0, own_stops, turns, rolls, bests, rates)
            t = rolls[begin + own]
            work -= costs[own] + costs[other]
            if abs(t - x) < _CLOSE:
                break
            if t > x:
                low = x
            else:
                high = x
            x += (t - x) / (1.0 - rate)
            if not low < x < high:
                x = t
        table[other, own] = y
        table[own, other] = t
        at += 1
    return at


def _find_table(
    kinds: Kinds, turns: Turns, check: Callable[[], None], progress: Progress
) -> Floats:
    """V, by the kinds of both boards."""
    sizes = sizes_of(kinds)
    first, second = np.triu_indices(kinds.number - 1)
    last_first = np.argsort(-(sizes[first] + sizes[second]), kind="stable")
    pairs = np.stack([first, second], axis=1)[last_first]
    lengths = np.diff(turns.ends_from[turns.throws_from])
    costs = np.add.reduceat(lengths[turns.codes], turns.codes_from[:-1])
    done = starts_of(costs[pairs].sum(axis=1))
    table = np.zeros((kinds.number, kinds.number))  # no chance against a full board
    at = 0
    while at < len(pairs):
        progress(int(done[at]), int(done[-1]))
        check()
        at = _solve(pairs, at, _SLICE, costs, turns, table)
    progress(int(done[-1]), int(done[-1]))
    return table


@dataclass(frozen=True, eq=False)
class Solution:
    """Perfect play. `seconds` is how long it took to find, None if it was read from a file.

    `file` is where it is kept, None if it could not be.
    """

    kinds: Kinds
    turns: Turns
    table: Floats
    seconds: float | None
    file: Path | None

    @property
    def boards(self) -> int:
        """How many ways there are for a board to stand, mirror images and all."""
        return len(self.kinds.boards)

    @property
    def size(self) -> str:
        """How much there was to solve, in words."""
        return f"{self.boards} board states, {self.kinds.number} up to mirror images"

    @property
    def first_player(self) -> float:
        """The chance to win of whoever begins the game, if both play perfectly."""
        return float(self.table[0, 0])

    @property
    def chances(self) -> tuple[float, ...]:
        """The chances to win of both."""
        return self.first_player, 1 - self.first_player

    def value(self, record: States) -> float:
        """The chance to win of the seat in turn, whether it is to move, to throw or has won."""
        return float(self.worths(record).max())

    def worths(self, record: States) -> Floats:
        """The same after each of the legal moves, in their order; if there are none, a single one.

        >>> import benben
        >>> game = benben.game("batisseurs")
        >>> last = "xxxxxx/xxxxx/xxxx/xxx/xx/."  # only the top is missing
        >>> thrown = game.parse(f"{last}|{last} 1 - 6 0").play("=aaaabf")
        >>> thrown.moves(), solution(game).worths(thrown.record)
        (['f1'], array([1.]))
        """
        own, other = boards_of(record, self.kinds)
        stops = 1.0 - self.table[other]
        out = np.empty(MOST_MOVES)
        n = move_worths(record, stops[own], 1.0, stops, self.kinds, self.turns, out)
        return out[:n]


# ---- Solving once


_known: dict[str, Solution] = {}
_lock = Lock()


def remembered(game: Game) -> Solution | None:
    """The solution, if it is in memory."""
    return _known.get(str(game.options["placing"]))


def kept(game: Game) -> Solution | None:
    """The solution, if it is in memory or in the cache."""
    placing = str(game.options["placing"])
    if placing not in _known:
        found = _read(_file(placing))
        if found is not None:
            _known.setdefault(placing, found)
    return _known.get(placing)


def solution(
    game: Game, progress: Progress | None = None, cancelled: Event | None = None
) -> Solution:
    """The solution of Bâtisseurs for two: remembered, read from the cache or found.

    Cancelled if `cancelled` is set before it is found. `progress` hears how much of how much is
    done. Compiling, the first time on a machine, tells nothing and hears nothing.
    """
    placing = str(game.options["placing"])
    if placing in _known:
        return _known[placing]
    cancelled = cancelled or Event()
    while not _lock.acquire(timeout=_PATIENCE):
        if cancelled.is_set():
            raise Cancelled
    try:
        if kept(game) is None:
            _known[placing] = _find_solution(game, _file(placing), cancelled, progress)
        return _known[placing]
    finally:
        _lock.release()


def _find_solution(game: Game, file: Path, cancelled: Event, progress: Progress | None) -> Solution:
    def check() -> None:
        if cancelled.is_set():
            raise Cancelled

    check()
    began = time.perf_counter()
    kinds, turns = model(game, check)
    table = _find_table(kinds, turns, check, progress or (lambda done, total: None))
    seconds = time.perf_counter() - began
    found = Solution(kinds, turns, table, seconds, file)
    return found if _write(found, file) else replace(found, file=None)


# ---- Keeping: a digest, then the arrays as NumPy packs them


def _file(placing: str) -> Path:
    return file_of(f"batisseurs-2-{placing}", (rules, turns_module, worths_module), Path(__file__))


def _write(found: Solution, file: Path) -> bool:
    packed = BytesIO()
    np.savez(packed, table=found.table, **found.kinds._asdict(), **found.turns._asdict())
    content = packed.getvalue()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent) as directory:
            part = Path(directory) / file.name
            part.write_bytes(digest_of(content) + content)
            os.replace(part, file)  # whole or not at all
    except OSError:  # a full disk or a cache we may not write: it is found again next time
        return False
    return True


def _read(file: Path) -> Solution | None:
    """What was kept; None if nothing was, or anything but what was written is there."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    if digest_of(content[DIGEST:]) != content[:DIGEST]:
        return None
    with np.load(BytesIO(content[DIGEST:])) as arrays:
        kept = dict(arrays)
    kinds = Kinds(kept["boards"], kept["kind_of"], int(kept["number"]))
    turns = Turns(*(kept[name] for name in Turns._fields))
    return Solution(kinds, turns, kept["table"], None, file)
