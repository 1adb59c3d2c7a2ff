"""What the terminal says, in the language of whoever reads it.

A key has the same words with the same parameters in both catalogues. Where words depend on a
number `n`, the key has a `.one` and an `.other`; where they depend on whether the reader is meant,
it may have a `.you`.
"""

import json
import os
from enum import StrEnum
from functools import cache
from importlib.resources import files

VARIABLE = "BENBEN_LANGUAGE"
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides


class Language(StrEnum):
    EN = "en"
    FR = "fr"


_chosen: Language | None = None


def use(language: Language | None) -> None:
    """Say everything in this language from now on; None is what the environment asks for."""
    global _chosen
    _chosen = language


def language() -> Language:
    """The language chosen; else the environment's, which is English unless it is French."""
    if _chosen is not None:
        return _chosen
    wanted = next((os.environ[name] for name in (VARIABLE, *_LOCALE) if os.environ.get(name)), "")
    return Language.FR if wanted.lower().startswith("fr") else Language.EN


def say(key: str, you: bool = False, /, **parameters: object) -> str:
    """The words of a key, to the person they are about if it is `you`."""
    words = catalogue(language())
    if you and knows(f"{key}.you"):
        key = f"{key}.you"
    if key not in words:
        key = f"{key}.{_form(parameters['n'])}"
    return words[key].format(**parameters)


def say_if_known(key: str, otherwise: str, **parameters: object) -> str:
    """The words of a key; `otherwise` of a game that nobody has found words for yet."""
    return say(key, **parameters) if knows(key) else otherwise


def knows(key: str) -> bool:
    words = catalogue(language())
    return key in words or f"{key}.other" in words


@cache
def catalogue(language: Language) -> dict[str, str]:
    text = (files(__package__) / "words" / f"{language}.json").read_text("utf-8")
    words: dict[str, str] = json.loads(text)
    return words


def joined(words: list[str], last: str) -> str:
    """`2, 3 or 4`, with what the key `last` says before the last."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {say(last)} {words[-1]}"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _form(n: object) -> str:
    """French has no plural before two, English has one for all but one."""
    single = (0, 1) if language() is Language.FR else (1,)
    return "one" if n in single else "other"
