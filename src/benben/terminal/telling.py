"""A game told in words: what moves did, from their effects, and how it ended."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import groupby

from benben.core.effects import Effect
from benben.core.game import Game
from benben.core.outcome import Result
from benben.core.record import RESIGNED
from benben.learn.hints import Hint, IdeaView
from benben.terminal.company import Company
from benben.terminal.palette import palette_of
from benben.terminal.speech import capital, joined, knows, say

# Effects that are not worth telling, or told with another.
UNTOLD = {"batisseurs": {"use", "gather"}, "quadrille": {"give"}}

_ABOUT_LOSERS = {RESIGNED, "cannot-step"}  # other reasons are about the winner

_FRACTIONS = {"1/2": "½", "1/3": "⅓", "1/4": "¼"}


def tell(game: Game, effects: Iterable[Effect], you: bool = False) -> str:
    """What happened, in one sentence without its subject: `sows 1 from d1, drops b on d2`."""
    untold = UNTOLD.get(game.name, set())
    told = [effect for effect in effects if effect.kind not in untold]
    return ", ".join(
        _phrase(game, kind, list(same), you)
        for kind, same in groupby(told, key=lambda effect: effect.kind)
    )


def _phrase(game: Game, kind: str, group: Sequence[Effect], you: bool) -> str:
    """Effects of a kind that follow one another."""
    key = f"{game.name}.effect.{kind}"
    if not knows(key):
        return kind
    words = _words(game, group)
    item = f"{key}.item"
    if knows(item):  # what happened to each kind of piece
        same = groupby(group, key=lambda effect: effect.piece)
        words["all"] = ", ".join(say(item, **_words(game, list(each))) for _, each in same)
    return say(key, you, **words)


def _words(game: Game, group: Sequence[Effect]) -> dict[str, object]:
    """What a phrase may name: of all effects, or of the last."""
    sources = [_place(effect.source) for effect in group]
    targets = [_place(effect.target) for effect in group]
    pieces = [effect.piece or "" for effect in group]
    return {
        "n": len(group),
        "source": sources[-1],
        "sources": ", ".join(sources),
        "target": targets[-1],
        "targets": ", ".join(targets),
        "piece": pieces[-1],
        "pieces": " ".join(pieces),
        "colour": palette_of(game).word(pieces[-1]) if pieces[-1] else "",
    }


def _place(name: str | None) -> str:
    return (name or "").rpartition(":")[2]


def tell_hint(company: Company, hint: Hint) -> str:
    """Where to look, or why, or what to play: the last that a hint tells."""
    if hint.move is not None:
        did = tell(company.game, hint.move.effects, you=True)
        return say("hint.move", move=f"{hint.move.move} ({did})" if did else hint.move.move)
    if hint.idea is not None:
        return _idea(company, hint.idea)
    places = ", ".join(map(_place, hint.places))
    return say("hint.look", places=places) if places else say("hint.nowhere")


def _idea(company: Company, idea: IdeaView) -> str:
    key = f"idea.{idea.id}" if idea.general else f"{company.game.name}.idea.{idea.id}"
    if not knows(key):
        return idea.id
    words: dict[str, object] = dict(idea.parameters)
    if "colour" in words:
        words["colour"] = palette_of(company.game).word(str(words["colour"]))
    if "seat" in words:
        words["name"] = capital(company.name(int(idea.parameters["seat"])))
    return say(key, **words)


def tell_result(company: Company, result: Result) -> list[str]:
    """Who won and why; the shares where they are not simply 1 and 0."""
    winners = result.winners
    reason = _reason(company, result)
    you = company.you in winners
    if len(winners) == company.game.players:
        return [say("result.draw", reason=reason), _shares(company, result)]
    names = capital(joined([company.name(seat) for seat in winners], "and"))
    if len(winners) > 1:
        return [say("result.share", you, names=names, reason=reason), _shares(company, result)]
    return [say("result.win", you, name=names, reason=reason)]


def _reason(company: Company, result: Result) -> str:
    """Why it ended so, said of whoever it is about."""
    losers = [seat for seat in range(company.game.players) if seat not in result.winners]
    key = f"{company.game.name}.reason.{result.reason}"
    if result.reason == RESIGNED:
        key = "result.resigned"
    elif not knows(key):
        return result.reason
    about = losers if result.reason in _ABOUT_LOSERS else result.winners
    return say(
        key, company.you in about, name=joined([company.name(seat) for seat in about], "and")
    )


def say_letters(game: Game, secrets: Iterable[tuple[int, str]]) -> str:
    """What a seat alone knows: `g green`."""
    palette = palette_of(game)
    return ", ".join(f"{letter} {palette.word(letter)}" for _, letter in secrets)


def say_secrets(company: Company, secrets: Iterable[tuple[int, str]]) -> str:
    """Secrets that are out: `you g green, seat 2 p pink`."""
    return ", ".join(
        f"{company.name(seat)} {say_letters(company.game, [(seat, letter)])}"
        for seat, letter in secrets
    )


def _shares(company: Company, result: Result) -> str:
    shares = []
    for seat, share in enumerate(result.shares):
        exact = str(Fraction(share).limit_denominator(12))
        shares.append(f"{company.name(seat)} {_FRACTIONS.get(exact, exact)}")
    return say("result.shares", shares=", ".join(shares))
