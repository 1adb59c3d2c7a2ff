"""The words of reports, in both languages, and how each of them writes numbers."""

import json
from functools import cache
from importlib.resources import files

from benben.bots.levels import NAMES
from benben.core.registry import info
from benben.lab.balance.plots import Span
from benben.lab.balance.report import Spread

LANGUAGES = ("en", "fr")
_RARE = 0.01
_NARROW = "\u202f"  # before French signs


@cache
def catalogue(language: str) -> dict[str, str]:
    text = (files(__package__) / "words" / f"{language}.json").read_text("utf-8")
    words: dict[str, str] = json.loads(text)
    return words


class Speech:
    """What is said in a language."""

    def __init__(self, language: str) -> None:
        self.language = language

    def say(self, key: str, **parameters: object) -> str:
        words = catalogue(self.language)
        if key not in words:
            single = (0, 1) if self.language == "fr" else (1,)
            key = f"{key}.{'one' if parameters['n'] in single else 'other'}"
        return words[key].format(**parameters)

    def known(self, key: str, otherwise: str) -> str:
        """The words of a key; `otherwise` of a game that nobody has found words for yet."""
        return catalogue(self.language).get(key, otherwise)

    def number(self, value: float, digits: int = 0) -> str:
        """With so many decimals, but those that say nothing are left out.

        >>> Speech("en").number(-0.2), Speech("en").number(-38), Speech("fr").number(1200.5, 1)
        ('0', '−38', '1\\u202f200,5')
        """
        text = f"{round(value, digits) + 0.0:,.{digits}f}"  # never -0
        if "." in text:
            text = text.rstrip("0").rstrip(".")
        return self._written(text)

    def decimal(self, value: float, digits: int = 1) -> str:
        """With so many decimals, as numbers in a column have them."""
        return self._written(f"{value:,.{digits}f}")

    def _written(self, text: str) -> str:
        if self.language == "fr":
            text = text.replace(",", _NARROW).replace(".", ",")
        return text.replace("-", "−")

    def percent(self, share: float, digits: int = 1) -> str:
        """
        >>> Speech("en").percent(0.5), Speech("fr").percent(0.345)
        ('50.0%', '34,5\\u202f%')
        """
        text = f"{100 * share:.{digits}f}"
        return text.replace(".", ",") + f"{_NARROW}%" if self.language == "fr" else f"{text}%"

    def round_percent(self, share: float) -> str:
        return self.percent(share, 0)

    def fair_share(self, players: int) -> str:
        """
        >>> Speech("en").fair_share(2), Speech("en").fair_share(3)
        ('50%', '33.3%')
        """
        return self.percent(1 / players, 1 if 100 % players else 0)

    def between(self, spread: Spread | Span, digits: int = 1) -> str:
        ends = (self.percent(end, digits) for end in (spread.low, spread.high))
        low, high = (end.rsplit("%", 1)[0].rstrip() for end in ends)
        return f"{low}–{high}{_NARROW if self.language == 'fr' else ''}%"

    def with_interval(self, spread: Spread | Span, digits: int = 1) -> str:
        return f"{self.percent(spread.value, digits)} ({self.between(spread, digits)})"

    def roughly(self, spread: Spread | Span) -> str:
        """For sentences and pictures; tables are more precise. What is rare is not told as nothing.

        >>> Speech("en").roughly(Span(0.005, 0.001, 0.028)), Speech("en").roughly(Span(0, 0, 0.03))
        ('0.5% (0.1–2.8%)', '0% (0–3%)')
        """
        return self.with_interval(spread, 1 if 0 < spread.value < _RARE else 0)

    def game(self, name: str) -> str:
        return info(name).titles[self.language]

    def option(self, name: str, value: str) -> str:
        return self.known(f"option.{name}.{value}", value)

    def bot(self, name: str) -> str:
        level, _, nodes = name.partition(":")
        if not level.isdigit():
            return name
        names = NAMES[int(level) - 1][self.language]
        if nodes:
            return self.say("bot.nodes", level=level, name=names, nodes=self.number(int(nodes)))
        return self.say("bot.level", level=level, name=names)

    def short_bot(self, name: str) -> str:
        """As `bot`, without the level's name."""
        level, _, nodes = name.partition(":")
        if not level.isdigit():
            return name
        if nodes:
            return self.say("bot.short.nodes", level=level, nodes=self.number(int(nodes)))
        return self.say("bot.short", level=level)

    def title(self, name: str, players: int, value: str) -> str:
        if not value:
            return self.say("title", game=self.game(name), players=players)
        option = self.option(name, value)
        return self.say("title.option", game=self.game(name), players=players, option=option)

    def place(self, at: int, players: int) -> str:
        """In the order of play, from 0."""
        return self.say("place.last" if 1 < players == at + 1 else f"place.{at + 1}")
