"""The puzzle of the day: the same for everybody, wherever it is asked for."""

import hashlib
from datetime import UTC, date, datetime

from benben.core.registry import names
from benben.learn.puzzles.puzzle import NoPuzzle, Puzzle, collection, puzzles


def today() -> date:
    """The day it is in UTC, for everybody."""
    return datetime.now(UTC).date()


def of_the_day(day: date) -> tuple[str, Puzzle]:
    """The game and the puzzle of a day, the same for everybody.

    Games take turns, day by day, in the order of the shelf; the puzzles of a game follow each other
    in the order of the hashes of their ids, and none comes again before all others have.
    """
    known = [name for name in names() if (found := puzzles(name)) and found.puzzles]
    if not known:
        raise NoPuzzle("there are no puzzles")
    number = day.toordinal()
    name = known[number % len(known)]
    ordered = sorted(collection(name).puzzles, key=_drawn)
    return name, ordered[number // len(known) % len(ordered)]


def _drawn(puzzle: Puzzle) -> str:
    return hashlib.sha256(puzzle.id.encode()).hexdigest()
