"""Choosing a game, its players and its options; Enter takes what is offered."""

from collections.abc import Sequence
from dataclasses import dataclass

from benben.bots.levels import LEVELS, NAMES
from benben.core import registry
from benben.core.game import Game
from benben.core.info import Info
from benben.terminal.prompt import Keyboard
from benben.terminal.speech import joined, language, say

LEVEL = 2  # of bots, if nothing is said: somebody new to a game can beat it


@dataclass(frozen=True)
class Chosen:
    game: Game
    together: bool  # all at this keyboard, or one against bots
    level: int | None  # of those bots, if it was asked


def choose(
    keyboard: Keyboard, left: str = "", ask_seats: bool = True, ask_level: bool = True
) -> Chosen | None:
    """What is to be played; None to go on with the game that was left, which `left` describes."""
    cards = [registry.info(name) for name in registry.names()]
    wide = max(len(card.titles[language()]) for card in cards)
    for number, card in enumerate(cards, 1):
        counts = joined([str(count) for count in card.players], "or")
        kind = say("menu.game", about=card.kind[language()], counts=counts)
        keyboard.say(f"  {number} {card.titles[language()]:<{wide}}  {kind}")
    numbers = [str(number + 1) for number in range(len(cards))]
    answers = dict(zip(numbers, cards, strict=True)) | {card.name: card for card in cards}
    if left:
        keyboard.say(f"  c {left}")
    default = "c" if left else "1"
    answer = _ask(keyboard, say("menu.which"), [*answers, *(["c"] if left else [])], default)
    if answer == "c":
        return None
    card = answers[answer]
    players = _players(keyboard, card)
    options = _options(keyboard, card, players)
    together = ask_seats and _together(keyboard)
    level = _level(keyboard) if ask_seats and ask_level and not together else None
    return Chosen(registry.game(card.name, players=players, **options), together, level)


def _players(keyboard: Keyboard, card: Info) -> int:
    if len(card.players) == 1:
        return card.players[0]
    counts = [str(count) for count in card.players]
    return int(_ask(keyboard, say("menu.players"), counts, str(card.default_players)))


def _options(keyboard: Keyboard, card: Info, players: int) -> dict[str, str | int]:
    option = card.option
    if players not in option.players:
        return {}
    values = [v for v in option.values if players in option.limits.get(v, option.players)]
    if len(values) < 2:
        return {}
    about = option.about[language()]
    question = say("menu.option", option=option.name.capitalize(), about=about)
    return {option.name: _ask(keyboard, question, values)}


def _together(keyboard: Keyboard) -> bool:
    together = say("menu.all")
    return _ask(keyboard, say("menu.together"), [say("menu.alone"), together]) == together


def _level(keyboard: Keyboard) -> int:
    names = [f"{number} {name[language()]}" for number, name in zip(LEVELS, NAMES, strict=True)]
    keyboard.say(f"  {', '.join(names)}")
    return int(_ask(keyboard, say("menu.level"), [str(n) for n in LEVELS], str(LEVEL)))


def _ask(keyboard: Keyboard, question: str, answers: Sequence[str], default: str = "") -> str:
    default = default or answers[0]
    shown = [answer for answer in answers if len(answer) < 7 or len(answers) < 4]
    while True:
        answer = keyboard.ask(f"{question} {'/'.join(shown)} [{default}] ").lower() or default
        if answer in answers:
            return answer
        keyboard.tell(say("menu.again", answers=", ".join(answers), default=default), "red")
