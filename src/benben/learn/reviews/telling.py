"""What turned a game, and the one sentence that says what decided it."""

from collections.abc import Iterator, Sequence

import msgspec

from benben.core.ideas import Case
from benben.core.player import Budget, Turn
from benben.core.position import Position
from benben.core.registry import ideas as finder
from benben.learn.reviews.review import (
    Findings,
    FinishedGame,
    MoveName,
    ReviewStep,
    Sentence,
    TurningPoint,
)

# All sentences there are; the words are in the catalogues. A game has those of its ideas too: said
# of the move that would have been better.
GENERAL = (
    "cost",
    "threw-away",
    "only-defence",
    "throw-helped",
    "throw-hurt",
    "resigned",
    "time-out",
    "small-steps",
    "shared",
)
OWN = {"batisseurs": ("roll-cost", "stop-cost", "bust", "in-vain")}

MOST = 3  # turning points
_TURNS = 0.04  # a smaller change turns nothing
_DECIDES = 0.06  # … and decides nothing
_HELD = 0.25  # of a share: who gives up with more might have waited
_RESIGNED, _TIME_OUT = "resigned", "time-out"


def turning_points(
    game: FinishedGame, found: Findings, steps: Sequence[ReviewStep]
) -> list[TurningPoint]:
    """The steps that changed most for who made them, the weightiest first."""
    changes = sorted(_changes(game, steps), key=lambda each: (-abs(each[2]), each[0]))
    return [
        TurningPoint(at, seat, change, _idea(game, found, steps[at], at, seat, change))
        for at, seat, change in changes[:MOST]
    ]


def _changes(game: FinishedGame, steps: Sequence[ReviewStep]) -> Iterator[tuple[int, int, float]]:
    for at, step in enumerate(steps):
        if step.luck is not None:
            seat = int(game.positions[at].record["turn"][0])
            change = step.luck[seat]
        elif step.seat is not None:
            seat, change = step.seat, -step.lost
        if abs(change) >= _TURNS:
            yield at, seat, change


def _idea(
    game: FinishedGame, found: Findings, step: ReviewStep, at: int, seat: int, change: float
) -> Sentence:
    """Why a step was a turning point, with the names of the moves that it may tell of."""
    told = _reason(game, found, step, at, seat, change)
    moves = {} if step.best is None else {"move": step.move, "best": step.best}
    named = {key: name_of(game.positions[at], move) for key, move in moves.items()}
    return msgspec.structs.replace(told, moves=named)


def name_of(position: Position, move: str) -> MoveName:
    """A move by the pieces that it takes first, wherever they come from and go."""
    effects = position.effects(move)
    first = next((each for each in effects if each.piece is not None), effects[0])
    alike = [each for each in effects if each.kind == first.kind]
    return MoveName(
        first.kind,
        move,
        len(alike),
        _place(alike[-1].source),
        _place(alike[-1].target),
        (first.piece or "").lower(),
    )


def _place(place: str | None) -> str:
    """As people call it: without whose it is."""
    return (place or "").rpartition(":")[2]


def _reason(
    game: FinishedGame, found: Findings, step: ReviewStep, at: int, seat: int, change: float
) -> Sentence:
    about: dict[str, str | int] = {
        "at": at,
        "seat": seat,
        "move": step.move,
        "percent": round(100 * abs(change)),
    }
    if step.luck is not None:
        return _of_throw(game, at, about, change)
    assert step.best is not None
    about["best"] = step.best
    if step.best_worth == 1 and step.worth == 0:
        return Sentence("threw-away", about, general=True)
    thought = found.thoughts[at]
    if len(thought.worths) > 2 and all(
        each.share == 0 and each.certainty != "estimated"
        for each in thought.worths
        if each.move != step.best
    ):
        return Sentence("only-defence", about, general=True)
    if game.game.name == "batisseurs" and step.move in ("roll", "stop"):
        dice = int(game.positions[at].record["left"][0])
        return Sentence(f"{step.move}-cost", about | {"n": dice})
    own = finder(game.game.name)
    if own is not None and thought.move == step.best:
        position, budget = game.positions[at], Budget(simulations=1)
        case = Case(Turn.at(game.start, game.moves[:at], position, budget), thought)
        idea = next(iter(own.ideas(case)), None)
        if idea is not None:
            told = dict(idea.parameters)
            if "seat" in told:  # somebody else's
                told["other"] = told.pop("seat")
            return Sentence(idea.id, told | about)
    return Sentence("cost", about, general=True)


def _of_throw(game: FinishedGame, at: int, about: dict[str, str | int], change: float) -> Sentence:
    effects = game.positions[at].effects(game.steps[at][1])
    if any(effect.kind == "bust" for effect in effects):
        blocks = sum(each.kind == "lose" for each in effects)
        return Sentence("bust", about | {"n": blocks}) if blocks else Sentence("in-vain", about)
    return Sentence("throw-helped" if change > 0 else "throw-hurt", about, general=True)


def decided(
    game: FinishedGame,
    found: Findings,
    steps: Sequence[ReviewStep],
    turns: Sequence[TurningPoint],
) -> Sentence | None:
    """What decided the game: the weightiest step that helped its winner or hurt another."""
    shares, reason = game.result.shares, game.result.reason
    if reason in (_RESIGNED, _TIME_OUT):
        loser = shares.index(0.0)
        held = found.chances[-1][loser]
        if held >= _HELD:
            about: dict[str, str | int] = {"seat": loser, "percent": round(100 * held)}
            return Sentence(reason, about, general=True)
    top = max(shares)
    for each in turns:
        helped = shares[each.seat] == top and shares[each.seat] > 0
        if abs(each.change) >= _DECIDES and (each.change > 0) == helped:
            return each.idea
    if top < 1:
        return Sentence("shared", {"n": shares.count(top)}, general=True)
    return Sentence("small-steps", {"seat": shares.index(top)}, general=True)


def hidden(game: FinishedGame, found: Findings, seat: int) -> float | None:
    """How well a seat hid its goal from a spectator, on average over the game."""
    if not found.beliefs:
        return None
    goal = int(game.start.record[0].goal[seat]) - 1
    colours = sum(chance > 0 for chance in found.beliefs[0][seat])
    unread = 1 - 1 / colours  # of who knows nothing
    told = [belief[seat][goal] for belief in found.beliefs[:-1]]
    if not told:
        return 1.0
    return min(1.0, sum(min(1.0, (1 - chance) / unread) for chance in told) / len(told))
