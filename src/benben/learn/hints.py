"""Hints: where to look, why, and what to play, from what a strong player thinks of one's own view.

The adviser is level 6, given a number of nodes instead of time: the same view, with the same public
history, has the same hint on every machine. What it thinks is told by `Advice`; a `Hint` is as much
of it as was asked for.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

import msgspec

from benben.bots.alphabeta import AlphaBetaPlayer
from benben.bots.entrants import Entrant
from benben.bots.levels import LEVELS, level
from benben.core.effects import Choice
from benben.core.game import Game
from benben.core.ideas import Case, Idea
from benben.core.player import Budget, Player, Thought, Turn
from benben.core.registry import ideas as finder
from benben.table.events import Strength

STRENGTHS: tuple[Strength, ...] = get_args(Strength)
BUDGET = Budget(simulations=20_000)  # a quarter of a second or so
_SAME = 0.005  # of a share: moves that differ by less are about as good
_CLEAR = 0.1  # and by so much one is clearly better

# Ideas that every game has; the words are in the catalogues.
GENERAL = (
    "only-move",
    "wins",
    "wins-soon",
    "lost",
    "only-defence",
    "defends",
    "quiet",
    "clear",
    "good",
)


@dataclass(frozen=True, kw_only=True)
class Advice(Thought):
    """A thought, with where to look, why its move is good, and what it does."""

    places: tuple[str, ...]
    idea: Idea  # the weightiest
    choice: Choice


class IdeaView(msgspec.Struct, frozen=True):
    """Why a move is good: a game's own reason, or one that every game has (`general`)."""

    id: str
    general: bool
    parameters: dict[str, str | int]


class Hint(msgspec.Struct, frozen=True, omit_defaults=True):
    """Places to look at; for an `idea` the reason too, and for a `move` what to play."""

    strength: Strength
    places: list[str]
    idea: IdeaView | None = None
    move: Choice | None = None


class Adviser(Player):
    """A strong player that also finds out why its move is good."""

    name = "adviser"

    def __init__(self, player: Player) -> None:
        self._player = player

    def think(self, turn: Turn) -> Advice:
        return advice(turn, self._player.think(turn))

    def close(self) -> None:
        self._player.close()


def adviser(game: Game) -> Entrant:
    """Who is asked for hints; what each move is worth is found out, and not only which is best."""
    return Entrant(Adviser.name, Adviser(strongest(game)), BUDGET)


def strongest(game: Game) -> Player:
    """Level 6, but one that finds out what every move is worth, wherever it can."""
    player = level(game, LEVELS[-1]).player()
    return AlphaBetaPlayer(thorough=True) if isinstance(player, AlphaBetaPlayer) else player


def advice(turn: Turn, thought: Thought) -> Advice:
    """What there is to tell of a thought; only the view it was thought in is looked at."""
    case = Case(turn, thought)
    idea = next(_ideas(case))
    return Advice(
        thought.move,
        thought.worths,
        thought.simulations,
        thought.line,
        thought.belief,
        places=idea.places or _touched(case),
        idea=idea,
        choice=Choice(case.move, tuple(case.effects)),
    )


def hint(advice: Advice, strength: Strength) -> Hint:
    """As much of an advice as was asked for."""
    idea = IdeaView(advice.idea.id, advice.idea.id in GENERAL, advice.idea.parameters)
    return Hint(
        strength,
        list(advice.places),
        None if strength == "nudge" else idea,
        advice.choice if strength == "move" else None,
    )


def _touched(case: Case) -> tuple[str, ...]:
    """Where on the board pieces come to lie by the best move, or else where they lay."""
    board = {place for row in case.view.diagram() for _, place in row}
    for ends in ([e.target for e in case.effects], [e.source for e in case.effects]):
        if places := [str(place) for place in ends if place in board]:
            return tuple(dict.fromkeys(places))
    return ()


def _ideas(case: Case) -> Iterator[Idea]:
    """The weightiest first: what decides the game, then what the game says, then what all say."""
    if len(case.turn.moves) == 1:
        yield Idea("only-move")
    yield from _deciding(case)
    best, others = case.best, case.others
    if best and others and best.share - others[-1].share < _SAME:
        yield Idea("quiet")
    found = finder(case.view.game.name)
    if found is not None:
        yield from found.ideas(case)
    if best and others and best.share - others[0].share >= _CLEAR:
        yield Idea("clear", {"percent": round(100 * best.share)})
    yield Idea("good")


def _deciding(case: Case) -> Iterator[Idea]:
    result = case.after.result if case.after else None
    if result and result.shares[case.seat] == 1:
        yield Idea("wins")
    best = case.best
    if best is None:
        return
    if best.certainty != "estimated" and best.share == 1:
        last = case.after is None  # the end shows what is hidden now
        yield Idea("wins" if last else "wins-soon")
    if best.certainty != "estimated" and best.share == 0:
        yield Idea("lost")
        return
    lose = [each for each in case.others if each.certainty != "estimated" and each.share == 0]
    if lose and len(lose) == len(case.others):
        yield Idea("only-defence")
    elif 2 * len(lose) > len(case.others):
        yield Idea("defends", {"n": len(lose)})
