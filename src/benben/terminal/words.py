"""A game told in words: what moves did, from their effects, and how it ended."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import groupby

from benben.core.effects import Effect
from benben.core.game import Game
from benben.core.outcome import Result
from benben.core.record import RESIGNED
from benben.terminal.palette import palette_of, seat_name

# For each kind of effect: a phrase for all that follow one another, and what {all} lists of each.
# {n} is their number; {source}, {target}, {colour} and {piece} are those of the last.
# A kind without a phrase is not worth telling.
_PHRASES = {
    "objectif": {
        "cover": ("put {colour} on place {target}", ""),
        "cancel": ("{colour} met {colour} on place {source}: both are gone", ""),
    },
    "pyramidis": {
        "stray": ("was astray and made for {target}", ""),
        "lift": ("took {n} from {source}", ""),
        "drop": ("dropped {all}", "{piece} on {target}"),
        "jump": ("jumped {all}", "{target}"),
        "arrive": ("reached {target}", ""),
        "home": ("brought home {all}", "{colour}"),
        "leave": ("left {all}", "{piece} on {target}"),
        "pass": ("passed", ""),
    },
    "batisseurs": {
        "die": ("threw {all}", "{piece}"),
        "use": ("", ""),
        "place": ("placed {all}", "{target}"),
        "gather": ("", ""),
        "bust": ("nothing fits, a bust", ""),
        "lose": ("lost {all}", "{source}"),
        "win": ("won {all}", "{target}"),
    },
    "quadrille": {
        "put": ("put a pawn on {target}", ""),
        "step": ("stepped from {source} to {target}", ""),
        "lift": ("lifted {colour}", ""),
        "hole": ("left a hole on {target}", ""),
        "place": ("placed {colour} on {target}", ""),
        "discard": ("{colour} fitted nowhere and left the game", ""),
        "give": ("handed {colour} over", ""),
    },
}

_REASONS = {
    "objectif": {
        "most-places": "the winning colour shows on most places",
        "most-piles": "level on places, more Piles decide",
        "tallest-pile": "level on places and Piles, the tallest Pile decides",
        "shared": "level on places, Piles and height",
    },
    "pyramidis": {
        "five-home": "first with five pyramids home",
        "quiet": "a hundred moves on end brought nobody home",
    },
    "batisseurs": {"complete": "the pyramid is finished"},
    "quadrille": {
        "cannot-step": "the other side has no step left",
        "quiet": "fifty steps in a row opened no hole",
    },
}

_FRACTIONS = {"1/2": "½", "1/3": "⅓", "1/4": "¼"}


def tell(game: Game, effects: Iterable[Effect]) -> str:
    """What happened, in one sentence without its subject: `took 1 from d1, dropped b on d2`."""
    phrases = _PHRASES.get(game.name, {})
    told = [effect for effect in effects if phrases.get(effect.kind, ("?",))[0]]
    said = []
    for kind, same in groupby(told, key=lambda effect: effect.kind):
        group = list(same)
        phrase, item = phrases.get(kind, (kind, ""))
        words = [_words(game, effect) for effect in group]
        listed = _listed([item.format(**each) for each in words])
        said.append(phrase.format(n=len(group), all=listed, **words[-1]))
    return ", ".join(said)


def tell_result(game: Game, result: Result, you: int | None = None) -> list[str]:
    """Who won and why; the shares where they are not simply 1 and 0."""
    reason = _REASONS.get(game.name, {}).get(result.reason, result.reason)
    if result.reason == RESIGNED:
        loser = next(seat for seat, share in enumerate(result.shares) if share == 0)
        reason = f"{name_of(game, loser, you)} resigned"
    winners = [name_of(game, seat, you) for seat in result.winners]
    if len(winners) == game.players:
        return [f"A draw: {reason}.", _shares(game, result, you)]
    if len(winners) > 1:
        together = _capital(joined(winners, "and"))
        return [f"{together} share the win: {reason}.", _shares(game, result, you)]
    verb = "win" if winners[0].startswith("you") else "wins"
    return [f"{_capital(winners[0])} {verb}: {reason}."]


def name_of(game: Game, seat: int, you: int | None = None) -> str:
    """`seat 1 (brown)`, or `you (brown)`."""
    name = seat_name(game, seat)
    return name.replace(f"seat {seat + 1}", "you") if seat == you else name


def say_letters(game: Game, secrets: Iterable[tuple[int, str]]) -> str:
    """What a seat alone knows: `g green`."""
    palette = palette_of(game)
    return ", ".join(f"{letter} {palette.word(letter)}" for _, letter in secrets)


def say_secrets(game: Game, secrets: Iterable[tuple[int, str]], you: int | None = None) -> str:
    """Secrets that are out: `you g green, seat 2 p pink`."""
    return ", ".join(
        f"{name_of(game, seat, you)} {say_letters(game, [(seat, letter)])}"
        for seat, letter in secrets
    )


def _words(game: Game, effect: Effect) -> dict[str, object]:
    def place(name: str | None) -> str:
        return (name or "").rpartition(":")[2]

    piece = effect.piece or ""
    colour = palette_of(game).word(piece) if piece else ""
    return {
        "source": place(effect.source),
        "target": place(effect.target),
        "piece": piece,
        "colour": colour,
    }


def _listed(items: Sequence[str]) -> str:
    """Dice with spaces; places with commas, what lands on them named once: `b on d2, d3`."""
    if all(len(item) == 1 for item in items):
        return " ".join(items)
    said = []
    for what, same in groupby(items, key=lambda item: item.partition(" on ")[0]):
        places = [item.partition(" on ")[2] for item in same]
        if places[0]:
            said.append(f"{what} on {', '.join(places)}")
        else:
            said.append(what if len(places) == 1 else f"{len(places)} {what}")
    return ", ".join(said)


def _shares(game: Game, result: Result, you: int | None) -> str:
    shares = []
    for seat, share in enumerate(result.shares):
        exact = str(Fraction(share).limit_denominator(12))
        shares.append(f"{name_of(game, seat, you)} {_FRACTIONS.get(exact, exact)}")
    return "Shares: " + ", ".join(shares) + "."


def joined(words: Sequence[str], last: str) -> str:
    """`2, 3 or 4`, with `or` last."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
