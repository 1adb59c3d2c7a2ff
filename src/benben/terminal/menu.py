"""Choosing a game, its players and its options; Enter takes what is offered."""

from collections.abc import Sequence
from dataclasses import dataclass

from benben.core import registry
from benben.core.game import Game
from benben.core.info import Info
from benben.terminal.match import HUMAN, RANDOM
from benben.terminal.prompt import Keyboard
from benben.terminal.words import joined


@dataclass(frozen=True)
class Chosen:
    game: Game
    seats: list[str]


def choose(keyboard: Keyboard, left: str = "", ask_seats: bool = True) -> Chosen | None:
    """What is to be played; None to go on with the game that was left, which `left` describes."""
    cards = [registry.info(name) for name in registry.names()]
    wide = max(len(card.titles["en"]) for card in cards)
    for number, card in enumerate(cards, 1):
        counts = joined([str(count) for count in card.players], "or")
        keyboard.say(f"  {number} {card.titles['en']:<{wide}}  {card.about}; {counts} players")
    numbers = [str(number + 1) for number in range(len(cards))]
    answers = dict(zip(numbers, cards, strict=True)) | {card.name: card for card in cards}
    if left:
        keyboard.say(f"  c {left}")
    default = "c" if left else "1"
    answer = _ask(keyboard, "Which game?", [*answers, *(["c"] if left else [])], default)
    if answer == "c":
        return None
    card = answers[answer]
    players = _players(keyboard, card)
    options = _options(keyboard, card, players)
    seats = _seats(keyboard, players) if ask_seats else []
    return Chosen(registry.game(card.name, players=players, **options), seats)


def _players(keyboard: Keyboard, card: Info) -> int:
    if len(card.players) == 1:
        return card.players[0]
    counts = [str(count) for count in card.players]
    return int(_ask(keyboard, "How many players?", counts, str(card.default_players)))


def _options(keyboard: Keyboard, card: Info, players: int) -> dict[str, str | int]:
    choice = card.choice
    if players not in choice.players:
        return {}
    values = [v for v in choice.values if players in choice.limits.get(v, choice.players)]
    if len(values) < 2:
        return {}
    return {choice.name: _ask(keyboard, f"{choice.name.capitalize()} ({choice.about})?", values)}


def _seats(keyboard: Keyboard, players: int) -> list[str]:
    answer = _ask(keyboard, "You alone, or all at this keyboard?", ["alone", "all"])
    return [HUMAN] * players if answer == "all" else [HUMAN, *[RANDOM] * (players - 1)]


def _ask(keyboard: Keyboard, question: str, answers: Sequence[str], default: str = "") -> str:
    default = default or answers[0]
    shown = [answer for answer in answers if len(answer) < 7 or len(answers) < 4]
    while True:
        answer = keyboard.ask(f"{question} {'/'.join(shown)} [{default}] ").lower() or default
        if answer in answers:
            return answer
        keyboard.tell(f"one of {', '.join(answers)}, or Enter for {default}", "red")
