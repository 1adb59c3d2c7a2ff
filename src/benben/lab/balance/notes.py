"""The games of a study on disk: a header, then a line for each as soon as it is over.

Games come in the order they ended in. A program that is killed while it writes leaves half a line;
that game is played again.
"""

import json
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import msgspec

from benben.core.errors import BenbenError
from benben.lab.balance.study import MARK
from benben.lab.balance.watching import GameNote
from benben.lab.ledger import BadResults


class Notes:
    """A file of games, open for more. `games` are those it has, by their number."""

    def __init__(self, path: Path, header: dict[str, Any], fresh: bool = False) -> None:
        self.path = path
        self.games: dict[int, GameNote] = {}
        self._head = json.dumps(header).encode() + b"\n"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            data = path.read_bytes() if path.exists() else b""
            kept = self._read(data, fresh)
            self._file: BinaryIO = path.open("r+b" if path.exists() else "xb")
            self._file.truncate(kept)
            self._file.seek(kept)
            if not kept:
                self._write(self._head)
        except BenbenError:
            raise
        except (OSError, ValueError) as error:  # a ValueError: a null character in the name
            raise self._bad(error) from error

    def add(self, note: GameNote) -> None:
        """Write a game down at once."""
        try:
            self._write(msgspec.json.encode(note) + b"\n")
        except OSError as error:
            raise self._bad(error) from error
        self.games[note.game] = note

    def __enter__(self) -> "Notes":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self._file.close()

    def _read(self, data: bytes, fresh: bool) -> int:
        """Take the games; how many bytes are good."""
        if self._head.startswith(data):  # nothing, or only half of the first line
            return len(data) if data == self._head else 0
        lines = data.split(b"\n")
        if MARK.encode() not in lines[0]:
            why = "this is not a file of balance games; nothing was changed"
            raise BadResults(self.path, why)
        if fresh:
            return 0
        if lines[0] + b"\n" != self._head:
            why = "these games are of another study, or the bots have changed; --fresh starts over"
            raise BadResults(self.path, why)
        for number, line in enumerate(lines[1:-1], 2):
            try:
                note = msgspec.json.decode(line, type=GameNote)
            except msgspec.MsgspecError as error:
                why = f"line {number} is not a game: {error}; --fresh starts over"
                raise BadResults(self.path, why) from error
            self.games.setdefault(note.game, note)
        return len(data) - len(lines[-1])

    def _write(self, line: bytes) -> None:
        self._file.write(line)
        self._file.flush()

    def _bad(self, error: Exception) -> BadResults:
        return BadResults(self.path, getattr(error, "strerror", None) or str(error))
