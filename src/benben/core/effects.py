"""What a move does, step by step, and what a board looks like without knowing any rule.

A *drawing* maps every place of a game to the pieces on it, a letter each, bottom to top. An
effect moves at most one piece, so anybody can follow a move on a drawing without the rules:

- `source` and `target`: the piece leaves the one and lands on top of the other;
- only `target`: it comes from outside the game; only `source`: it leaves the game;
- both the same place: the piece on top there is turned over and now shows `piece`;
- no `piece`: nothing moves; the step tells something (a jump, a hole, a turn that is over).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

Drawing = dict[str, str]

# What a board shows besides the pieces, by names that each game chooses: whoever draws it need not
# work out who controls what, or how many make a win. Plain JSON, and the same for equal positions.
Facts = dict[str, Any]

# Where a picture puts the places of the board: rows from the top, each place with its distance
# from the left. What else a drawing has (stocks, hands, homes, dice) lies beside the board.
Diagram = list[list[tuple[float, str]]]


class Effect(NamedTuple):
    kind: str
    source: str | None = None
    target: str | None = None
    piece: str | None = None
    owner: int | None = None


@dataclass(frozen=True, slots=True, eq=False)  # there is one of each: see core/codec.py
class Choice:
    """A move or throw, with what it does."""

    move: str
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Moves that one rule forbids, with the parameters that its words name."""

    rule: str
    parameters: dict[str, str | int]
    moves: list[str]


def follow(drawing: Drawing, effects: Iterable[Effect]) -> Drawing:
    """The drawing after the effects."""
    after = dict(drawing)
    for effect in effects:
        if effect.piece is None:
            continue
        if effect.source is not None and effect.source == effect.target:
            after[effect.source] = after[effect.source][:-1] + effect.piece
            continue
        if effect.source is not None:
            pieces = after[effect.source]
            at = pieces.rindex(effect.piece)
            after[effect.source] = pieces[:at] + pieces[at + 1 :]
        if effect.target is not None:
            after[effect.target] += effect.piece
    return after
