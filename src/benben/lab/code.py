"""What games between bots depend on besides their settings: the code and the nets.

Games that are kept are only put together with others of the same code. So that they are not thrown
away for nothing, what belongs to another game is not looked at.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from benben.core.kernel import PACKAGE, hash_of
from benben.core.registry import names


@cache
def code_of(game: str, *also: str) -> str:
    """A hash of all a game of bots goes by, and of other files and folders of the package."""
    others = [other for other in names() if other != game]
    parts = ("core", "games", "bots", "lab/match.py", *also)
    return hash_of(
        file for file in _files(*parts) if not any(_belongs_to(other, file) for other in others)
    )


@cache
def code_here() -> str:
    """The same, of any game that can be played here."""
    return hash_of(_files("core", "games", "bots", "lab"))


def _files(*parts: str) -> Iterator[Path]:
    for part in parts:
        path = PACKAGE / part
        if path.is_file():
            yield path
        for kind in ("*.py", "*.npz"):
            yield from sorted(path.rglob(kind))


def _belongs_to(game: str, file: Path) -> bool:
    folders = file.relative_to(PACKAGE).parent.parts
    return game in folders or file.name.startswith(f"{game}-")
