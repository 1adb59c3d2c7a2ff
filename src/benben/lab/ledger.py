"""The results of an arena on disk: a header, then a line for each game as soon as it is over.

{"benben-arena": 2, "game": "quadrille", "bots": ["3", "4"], "seed": "0", …}
{"game": 0, "bots": ["3", "4"], "shares": [0.0, 1.0], "reason": "squares", "moves": […], …}
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import isclose
from pathlib import Path
from sys import intern
from typing import BinaryIO

from benben.lab.gamefile import BadResults, GameFile, Header

FORMAT = 2
MARK, CODE = "benben-arena", "code"
_OTHER_VERSION = "these results are of another version of Benben"


@dataclass(frozen=True)
class Entry:
    """A game of an arena: who sat where, how it went and what came of it, by seat."""

    game: int  # its number
    bots: tuple[str, ...]
    shares: tuple[float, ...]
    reason: str
    start: str  # the position, with its secrets; empty if nothing was played
    moves: tuple[str, ...]  # throws too
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    failures: dict[int, str]

    def line(self) -> str:
        failures = {str(seat + 1): why for seat, why in self.failures.items()}
        return json.dumps(vars(self) | {"failures": failures})

    @classmethod
    def parse(cls, line: str | bytes) -> "Entry":
        """The game a line describes; ValueError if it describes none."""
        told = json.loads(line)
        if not isinstance(told, dict) or set(told) != set(cls.__dataclass_fields__):
            raise ValueError("unexpected fields")
        try:
            entry = cls(
                int(told["game"]),
                tuple(map(str, told["bots"])),
                tuple(map(float, told["shares"])),
                str(told["reason"]),
                str(told["start"]),
                tuple(map(intern, told["moves"])),  # a few, that come again and again
                tuple(map(int, told["decisions"])),
                tuple(map(float, told["seconds"])),
                {int(seat) - 1: str(why) for seat, why in told["failures"].items()},
            )
        except (ArithmeticError, AttributeError, TypeError) as error:
            raise ValueError("a field has the wrong type") from error
        seats = len(entry.bots)
        for by_seat in (entry.shares, entry.decisions, entry.seconds):
            if len(by_seat) != seats or min(by_seat, default=0) < 0:
                raise ValueError("the seats do not agree")
        if not isclose(sum(entry.shares), 1) or not set(entry.failures) <= set(range(seats)):
            raise ValueError("the seats do not share a point")
        return entry


class Ledger(GameFile):
    """A file of results, open for more. `entries` are those it had, in the order they ended in."""

    def __init__(self, path: Path, header: Header, fresh: bool = False) -> None:
        self.entries: list[Entry] = []
        super().__init__(path, header, fresh)

    def add(self, entry: Entry) -> None:
        """Write a game down at once."""
        self._add(entry.line().encode())

    def _check(self, head: bytes, header: Header, fresh: bool) -> None:
        found = _header(self.path, head)
        if found != header and not fresh:
            raise BadResults(self.path, _difference(found, header))

    def _take(self, line: bytes) -> None:
        self.entries.append(Entry.parse(line))


def read_ledger(path: Path) -> tuple[Header, Iterator[Entry]]:
    """What a file of results says, read as it is asked for; BadResults if it is none."""
    try:
        file = path.open("rb")
    except (OSError, ValueError) as error:
        raise BadResults.of(path, error) from error
    with ExitStack() as stack:
        stack.enter_context(file)
        header = _header(path, file.readline())
        if header[MARK] != FORMAT:
            raise BadResults(path, f"{_OTHER_VERSION}, which kept no moves")
        stack.pop_all()
    return header, _entries(path, file)


def _entries(path: Path, file: BinaryIO) -> Iterator[Entry]:
    with file:
        for number, line in enumerate(file, 2):
            if line.endswith(b"\n"):  # else it is being written
                try:
                    yield Entry.parse(line)
                except ValueError as error:
                    raise BadResults(path, f"line {number} is not a game: {error}") from error


def _header(path: Path, line: bytes) -> Header:
    try:
        found = json.loads(line)
        if not isinstance(found, dict) or MARK not in found:
            raise ValueError("not an arena file")
    except ValueError as error:
        why = "this is not a file of arena results; nothing was changed"
        raise BadResults(path, why) from error
    return found


def _difference(found: Header, header: Header) -> str:
    differing = [key for key in {**header, **found} if found.get(key) != header.get(key)]
    key = differing[0]
    if key == MARK:
        why = _OTHER_VERSION
    elif key == CODE:
        why = "the rules or the bots have been changed since"
    else:
        there, here = _told(found.get(key)), _told(header.get(key))
        why = f"these results are of another arena: {key} is {there} there and {here} here"
    return f"{why}; --fresh starts over, --out names another file"


def _told(value: object) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(str, value))
    return str(value)
