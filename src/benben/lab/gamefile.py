"""A file of games that is written as they end: a header, then a line for each.

Games come in the order they ended in. A program that is killed while it writes leaves half a line;
that game is played again.
"""

import json
from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self, TypeAlias

from benben.core.errors import BenbenError

Header: TypeAlias = dict[str, Any]


class BadResults(BenbenError):
    """A file that cannot be read, written or continued."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: {why}")

    @classmethod
    def of(cls, path: Path, error: Exception) -> "BadResults":
        """Of what the system says."""
        return cls(path, getattr(error, "strerror", None) or str(error))


class GameFile(ABC):
    """Open for more games. Unless it is to start over (`fresh`), those it has are taken first."""

    def __init__(self, path: Path, header: Header, fresh: bool = False) -> None:
        self.path = path
        self._head = json.dumps(header).encode() + b"\n"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            data = path.read_bytes() if path.exists() else b""
            kept = self._read(data, header, fresh)
            self._file: BinaryIO = path.open("r+b" if path.exists() else "xb")
            self._file.truncate(kept)
            self._file.seek(kept)
            if not kept:
                self._write(self._head)
        except BenbenError:
            raise
        except (OSError, ValueError) as error:  # a ValueError: a null character in the name
            raise BadResults.of(path, error) from error

    @abstractmethod
    def _check(self, head: bytes, header: Header, fresh: bool) -> None:
        """BadResults, if it is a file of something else or, unless `fresh`, of other games."""

    @abstractmethod
    def _take(self, line: bytes) -> None:
        """A game that is there; ValueError, if the line describes none."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self._file.close()

    def _add(self, line: bytes) -> None:
        """Write a game down at once."""
        try:
            self._write(line + b"\n")
        except OSError as error:
            raise BadResults.of(self.path, error) from error

    def _read(self, data: bytes, header: Header, fresh: bool) -> int:
        """Take the games; how many bytes are good."""
        if self._head.startswith(data):  # nothing, or only half of the first line
            return len(data) if data == self._head else 0
        lines = data.split(b"\n")
        self._check(lines[0], header, fresh)
        if fresh:
            return 0
        for number, line in enumerate(lines[1:-1], 2):
            try:
                self._take(line)
            except ValueError as error:
                why = f"line {number} is not a game: {error}; --fresh starts over"
                raise BadResults(self.path, why) from error
        return len(data) - len(lines[-1])

    def _write(self, line: bytes) -> None:
        self._file.write(line)
        self._file.flush()
