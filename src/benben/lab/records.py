"""Games of an arena as records, which `benben replay` and `benben review` read."""

import re

from benben.core.game import Game
from benben.core.record import GameRecord
from benben.lab.ledger import Entry
from benben.lab.match import FAILED

_LEVEL = re.compile(r"[1-9]", re.ASCII)
_LONGEST = 31  # characters of a word in a record


def record_of(game: Game, entry: Entry) -> GameRecord:
    """A game that was played. A bot that failed has resigned there."""
    resigned = min(entry.failures) if entry.reason == FAILED else None
    seats = tuple(map(word, entry.bots))
    return GameRecord(game.parse(entry.start), entry.moves, seats, resigned)


def word(bot: str) -> str:
    """What a record calls a bot: a plain word.

    >>> word("3"), word("uct:1000"), word("cmd:./Bot.py --fast")
    ('level-3', 'uct-1000', 'cmd-bot-py-fast')
    """
    if _LEVEL.fullmatch(bot):
        return f"level-{bot}"
    plain = re.sub(r"[^a-z0-9]+", "-", bot.lower()).strip("-")
    return (plain if plain[:1].isalpha() else f"bot-{plain}")[:_LONGEST].rstrip("-")
