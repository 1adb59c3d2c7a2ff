"""What is noted of a game: how it ended, how long it was, what there was to choose, who led when.

What moves do is told by the rules (`position.effects`): nothing here knows how to play.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from threading import Event

import msgspec

from benben.core.effects import Effect, follow
from benben.core.position import Position
from benben.core.rules import CHANCE
from benben.lab.match import Played
from benben.learn.reviews.making import chances_at_a_glance
from benben.learn.reviews.review import FinishedGame

MOMENTS = 10  # parts a game is cut into, to see who leads when
_LEAD = 0.005  # of a share: who is ahead by less does not lead
_DIGITS = 4


class GameNote(msgspec.Struct, frozen=True):
    """A game of a study. What is counted by seat has an item for each, in the order of seats."""

    game: int  # its number
    first: int  # the seat that began
    shares: tuple[float, ...]
    reason: str
    steps: int  # moves and throws
    choices: tuple[int, ...]  # how many legal moves there were at each decision
    events: dict[str, int]  # what happened how often
    chances: tuple[tuple[float, ...], ...]  # everybody's at the beginning and after each part
    settled: float | None  # after which part of all steps the winner led for good; None of a draw
    changes: int  # how often the lead went to another


def watch(
    number: int,
    first: int,
    played: Played,
    judged: bool = True,
    cancelled: Event | None = None,
) -> GameNote:
    """Go through a game again and note what there is to see; who leads, only if it is `judged`."""
    position, events, choices = played.start, Counter[str](), []
    steps: list[tuple[int | None, str]] = []
    count = _COUNTING.get(position.game.name, _count_nothing)
    for move in played.moves:
        seat, effects = position.to_move, position.effects(move)
        if seat != CHANCE:
            choices.append(len(position.moves()))
        steps.append((None if seat == CHANCE else seat, move))
        events.update({f"{kind}:moves": 1 for kind in {effect.kind for effect in effects}})
        events.update(effect.kind for effect in effects)
        count(position, effects, events)
        position = position.play(move)
    assert position.result is not None
    chances: Sequence[Sequence[float]] = ()
    if judged:
        names = ("",) * len(played.shares)
        levels = (0,) * len(played.shares)
        finished = FinishedGame(played.start, tuple(steps), names, levels, position.result)
        chances = chances_at_a_glance(finished, cancelled)
    leaders = [leader(each) for each in chances]
    moments = [chances[at] for at in _moments(len(steps))] if judged else []
    return GameNote(
        number,
        first,
        played.shares,
        played.reason,
        len(steps),
        tuple(choices),
        dict(sorted(events.items())),
        tuple(tuple(round(x, _DIGITS) for x in each) for each in moments),
        _settled(leaders, played.shares) if judged else None,
        _changes(leaders),
    )


def leader(chances: Sequence[float]) -> int | None:
    """The seat with the best chance, if it is clearly the best."""
    best = max(range(len(chances)), key=chances.__getitem__)
    others = max(chance for seat, chance in enumerate(chances) if seat != best)
    return best if chances[best] - others >= _LEAD else None


def _moments(steps: int) -> list[int]:
    return [round(part * steps / MOMENTS) for part in range(MOMENTS + 1)]


def _settled(leaders: Sequence[int | None], shares: Sequence[float]) -> float | None:
    """From which part of the game on nobody led but the winner."""
    if 1.0 not in shares:
        return None
    winner, at = shares.index(1.0), len(leaders) - 1
    while at > 0 and leaders[at - 1] == winner:
        at -= 1
    return round(at / (len(leaders) - 1), _DIGITS)


def _changes(leaders: Sequence[int | None]) -> int:
    led = [each for each in leaders if each is not None]
    return sum(one != other for one, other in pairwise(led))


# ---- What is worth counting in each game, besides the kinds of effects


def _count_nothing(position: Position, effects: Sequence[Effect], events: Counter[str]) -> None:
    """Kinds of effects say it all."""


def _count_pyramidis(position: Position, effects: Sequence[Effect], events: Counter[str]) -> None:
    """Columns that become towers, and pyramids that somebody else brings home."""
    drawing, mover = position.drawing(), position.to_move
    for effect in effects:
        drawing = follow(drawing, [effect])
        if effect.kind in ("drop", "leave") and effect.target is not None:
            events["tower"] += len(drawing[effect.target]) == position.game.rules.TOWER
        if effect.kind == "home":
            events["carried"] += effect.owner != mover


def _count_batisseurs(position: Position, effects: Sequence[Effect], events: Counter[str]) -> None:
    """Throws and busts, by how many dice were thrown."""
    dice = sum(effect.kind == "die" for effect in effects)
    if dice:
        events[f"throw:{dice}"] += 1
        events[f"bust:{dice}"] += any(effect.kind == "bust" for effect in effects)


_COUNTING: dict[str, Callable[[Position, Sequence[Effect], Counter[str]], None]] = {
    "pyramidis": _count_pyramidis,
    "batisseurs": _count_batisseurs,
}
