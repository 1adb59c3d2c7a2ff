"""What is wrong, said to people in their language.

Games and bots say in English what is wrong with their input. Those sentences that people meet at
the keyboard are in the catalogues too, under `wrong.`, and are known by their English words.
"""

import re
from functools import cache

from benben.core.errors import BenbenError, IllegalMove
from benben.core.game import Game
from benben.core.record import BadRecord
from benben.learn.rulebook import NoRulebook, rulebook_of
from benben.terminal.speech import Language, catalogue, knows, language, say

_WRONG = "wrong."
# A parameter. What ends with a narrow space is in a French sentence, which needs no translation.
_PART = "(?P<\\1>.+?(?<!\N{NARROW NO-BREAK SPACE}))"


def explain(error: BaseException, game: Game | None = None) -> str:
    """Why something cannot be done, in `game` if it is about a move."""
    if isinstance(error, BadRecord) and isinstance(error.__cause__, BenbenError):
        key = "record.line" if error.move is None else "record.move"
        why = explain(error.__cause__, game)
        return say(key, line=error.line, move=error.move, why=why)
    if isinstance(error, IllegalMove) and game is not None:
        key = f"{game.name}.refusal.{error.rule}"
        if knows(key):
            words = say(key, **error.parameters)
            return say("move.illegal", move=error.move, rule=error.rule, words=words)
    return _translated(str(error)) or str(error)


def paragraph(error: BaseException) -> str:
    """The title of the rulebook's paragraph about it; empty if no rule of a game was broken."""
    cause = error if isinstance(error, IllegalMove) else error.__cause__
    if not isinstance(cause, IllegalMove):
        return ""
    try:
        book = rulebook_of(cause.game, language())
    except NoRulebook:
        return ""
    return book.title_of(book.paragraphs.get(cause.rule, ""))


def _translated(message: str) -> str:
    """A sentence in the reader's language; nothing if not all of it is known."""
    if language() is Language.EN:
        return message
    for key, pattern in _patterns().items():
        if found := pattern.fullmatch(message):
            parts = {name: _part(name, text) for name, text in found.groupdict().items()}
            return say(key, **parts) if all(parts.values()) else ""
    return ""


def _part(name: str, text: str) -> str:
    """A reason is a sentence of its own; a list may have `or` before its last word."""
    return _translated(text) if name == "why" else text.replace(" or ", f" {say('or')} ")


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """How to know each English sentence and find its parts; those with many words first."""
    known = {key: words for key, words in catalogue(Language.EN).items() if key.startswith(_WRONG)}
    return {
        key: re.compile(re.sub(r"\\\{(\w+)\\\}", _PART, re.escape(words)))
        for key, words in sorted(known.items(), key=lambda item: -len(item[1]))
    }
