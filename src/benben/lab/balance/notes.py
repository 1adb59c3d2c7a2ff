"""The games of a study on disk."""

from pathlib import Path

import msgspec

from benben.lab.balance.study import MARK
from benben.lab.balance.watching import GameNote
from benben.lab.gamefile import BadResults, GameFile, Header


class Notes(GameFile):
    """A file of games, open for more. `games` are those it has, by their number."""

    def __init__(self, path: Path, header: Header, fresh: bool = False) -> None:
        self.games: dict[int, GameNote] = {}
        super().__init__(path, header, fresh)

    def add(self, note: GameNote) -> None:
        """Write a game down at once."""
        self._add(msgspec.json.encode(note))
        self.games[note.game] = note

    def _check(self, head: bytes, header: Header, fresh: bool) -> None:
        if MARK.encode() not in head:
            why = "this is not a file of balance games; nothing was changed"
            raise BadResults(self.path, why)
        if head + b"\n" != self._head and not fresh:
            why = "these games are of another study, or the bots have changed; --fresh starts over"
            raise BadResults(self.path, why)

    def _take(self, line: bytes) -> None:
        note = msgspec.json.decode(line, type=GameNote)
        self.games.setdefault(note.game, note)
