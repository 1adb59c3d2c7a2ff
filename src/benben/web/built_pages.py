"""The paths of the pages, and the files that each of them loads.

The build writes both to `pages.json`, from the front end's table of routes
(`frontend/page-files.ts`).
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

STATIC = Path(__file__).parent / "static"
PAGE_LIST = "pages.json"
_PARAMETER = re.compile(r":(\w+)(\??)")


class Page(msgspec.Struct, frozen=True):
    """A page of the front end.

    In its path `:name` is a parameter, and `:name?` one that may be missing.
    """

    path: str
    files: tuple[str, ...] = ()
    words: tuple[
        str, ...
    ] = ()  # parts of the catalogue, besides the common one and that of its game
    board: bool = False  # it shows the board of its game

    @property
    def kind(self) -> str:
        """The first part of its path; empty for the start page."""
        return self.path.split("/")[1]

    def litestar_paths(self) -> Iterator[str]:
        """The path as Litestar has it: twice if its last parameter may be missing."""
        path = _PARAMETER.sub(r"{\1:str}", self.path)
        if self.path.endswith("?"):
            yield path.rpartition("/")[0]
        yield path

    def match(self, path: str) -> dict[str, str] | None:
        """The parameters in a path, or None if it is another page's."""
        found = _pattern(self.path).fullmatch(path)
        return None if found is None else found.groupdict(default="")


class BuiltPages(msgspec.Struct, frozen=True):
    """All pages."""

    pages: tuple[Page, ...]
    boards: dict[str, tuple[str, ...]] = {}  # files by game
    words: dict[str, dict[str, tuple[str, ...]]] = {}  # files by game or part, and language

    def find(self, path: str) -> tuple[Page, dict[str, str]] | None:
        """The page of a path, and the parameters in it."""
        for page in self.pages:
            if (parameters := page.match(path)) is not None:
                return page, parameters
        return None

    def files_of(self, page: Page, game: str, language: str) -> list[str]:
        """The files that a page loads, besides those in every document; `game` may be empty."""
        files = [*page.files]
        for part in ("", *page.words, game):
            files += self.words.get(part, {}).get(language, ())
        if page.board:
            files += self.boards.get(game, ())
        return list(dict.fromkeys(files))


@cache
def built_pages() -> BuiltPages:
    """The pages of this build; only the start page, which says so, if there is none."""
    path = STATIC / PAGE_LIST
    if not path.exists():
        return BuiltPages((Page("/"),))
    return msgspec.json.decode(path.read_bytes(), type=BuiltPages)


@cache
def _pattern(path: str) -> re.Pattern[str]:
    optional = re.sub(r"/:(\w+)\?", r"(?:/(?P<\1>[^/]+))?", path)
    return re.compile(_PARAMETER.sub(r"(?P<\1>[^/]+)", optional))


def preload_tags(files: list[str]) -> str:
    """Tags by which a browser loads files before scripts ask for them; style sheets apply."""
    return "".join(
        f'\n    <link rel="{"stylesheet" if name.endswith(".css") else "modulepreload"}"'
        f' crossorigin href="/{name}">'
        for name in files
    )
