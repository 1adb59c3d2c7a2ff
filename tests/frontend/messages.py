"""Reads texts of the pages' catalogues: ICU messages, as far as the pages have them."""

import re
from collections.abc import Iterator

_CHOICE = re.compile(r"\{(\w+), (plural|select),")
_OPTION = re.compile(r" ?[=\w]+ \{")


def holes(text: str) -> set[str]:
    """The parameters whose values a text shows."""
    return {name for plain, own in _plain(text) for name in _shown(plain, own)}


def plain_texts(text: str) -> list[str]:
    """Every text that may come of a message, piece by piece: without what chooses between them."""
    return [plain for plain, _ in _plain(text)]


def _shown(plain: str, counted: str) -> Iterator[str]:
    yield from re.findall(r"\{(\w+)\}", plain)
    if counted and "#" in plain:
        yield counted


def _plain(text: str, counted: str = "") -> Iterator[tuple[str, str]]:
    """The texts between choices and within their options, each with what a `#` in it counts."""
    at = start = 0
    while match := _CHOICE.search(text, at):
        yield text[start : match.start()], counted
        own = match[1] if match[2] == "plural" else counted
        at = match.end()
        while option := _OPTION.match(text, at):
            end = _closing(text, option.end())
            yield from _plain(text[option.end() : end], own)
            at = end + 1
        assert text[at] == "}", text
        at = start = at + 1
    yield text[start:], counted


def _closing(text: str, at: int) -> int:
    """Where the brace closes that was opened before `at`."""
    depth = 1
    while True:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
        at += 1
