"""Why a move is good: ideas, as data, found in what a strong player thinks.

An idea has an id and parameters; the words are in the language catalogues, under the game's name.
Parameters are plain: `n` counts, `percent` is one, `place` is a place of the drawing, `colour` a
piece's letter, `seat` a player. A game's own ideas are found by `games/GAME/ideas.py`:

    IDEAS = ("home", …)  # all ids there are
    def ideas(case: Case) -> Iterator[Idea]: …

The weightiest comes first. A game without that module has general ideas only (`learn/hints.py`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from benben.core.effects import Drawing, Effect, follow
from benben.core.errors import Hidden
from benben.core.player import Thought, Turn, Worth
from benben.core.position import View


@dataclass(frozen=True)
class Idea:
    """What a move gains or prevents; `places` are where to look for it."""

    id: str
    parameters: dict[str, str | int] = field(default_factory=dict)
    places: tuple[str, ...] = ()


@dataclass(frozen=True)
class Case:
    """A turn, and what a strong player thinks of it. Only what the seat may know is in it."""

    turn: Turn
    thought: Thought

    @property
    def view(self) -> View:
        return self.turn.view

    @property
    def seat(self) -> int:
        return self.turn.seat

    @property
    def move(self) -> str:
        """The best one."""
        return self.thought.move

    @cached_property
    def effects(self) -> list[Effect]:
        """What the best move does."""
        return self.view.effects(self.move)

    @cached_property
    def before(self) -> Drawing:
        return self.view.drawing()

    @cached_property
    def drawing(self) -> Drawing:
        """After the best move."""
        return follow(self.before, self.effects)

    @cached_property
    def after(self) -> View | None:
        """After the best move; None if that shows what the seat may not know yet."""
        return self.played(self.move)

    def played(self, move: str) -> View | None:
        try:
            return self.view.play(move)
        except Hidden:
            return None

    @cached_property
    def best(self) -> Worth | None:
        """What the best move is worth, if that is known."""
        return next((each for each in self.thought.worths if each.move == self.move), None)

    @cached_property
    def others(self) -> Sequence[Worth]:
        """What the other moves are worth, the best first."""
        rest = [each for each in self.thought.worths if each.move != self.move]
        return sorted(rest, key=lambda worth: -worth.share)

    def expected(self) -> Iterator[tuple[View, str, View]]:
        """The line expected: each time where a move is made, the move, and where it leads."""
        view = self.view
        for move in self.thought.line or (self.move,):
            try:
                after = view.play(move)
            except Hidden:
                return
            yield view, move, after
            view = after


class Finder(Protocol):
    """A game's module `ideas`."""

    IDEAS: tuple[str, ...]

    def ideas(self, case: Case) -> Iterator[Idea]:
        """Why the best move is good, the weightiest reason first."""
