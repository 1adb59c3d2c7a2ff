"""Texts that the server itself writes: link previews, mails, feeds, and the pages behind links."""

from functools import cache
from importlib.resources import files

import msgspec

from benben.core.registry import info

LANGUAGES = ("en", "fr")


def worded(language: str, key: str, **parts: str) -> str:
    """The text of a key in a language. A `game` among the parts is shown by its title."""
    if "game" in parts:
        parts["game"] = info(parts["game"]).titles[language]
    return _catalogue(language)[key].format(**parts)


def has_text(language: str, key: str) -> bool:
    return key in _catalogue(language)


@cache
def _catalogue(language: str) -> dict[str, str]:
    text = (files(__package__) / "words" / f"{language}.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, str])
