"""What every game's `observation.py` defines: how programs that learn are told of it.

A seat is told its view as small numbers, field by field, with `observe` of `core/rules.py`. Seats
are counted from the one that looks: 0 is itself, 1 the next in turn. Squares, places and colours
keep their names, as actions do. A field tells of one-or-nothing by ones and zeros, and otherwise
says how large its numbers may be. Different views of a seat are told differently.
"""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple, Protocol


class Field(NamedTuple):
    """Numbers from 0 to `most` that belong together."""

    name: str
    shape: tuple[int, ...]
    most: int = 1

    @property
    def size(self) -> int:
        return prod(self.shape)


class Observation(Protocol):
    """The module, as the adapters see it."""

    def fields(self, players: int) -> Sequence[Field]:
        """What is told, in the order in which `observe` writes it."""

    def actions(self, players: int) -> Sequence[int]:
        """The moves that may be legal some time, as the rules number them, in order."""

    def longest(self, players: int) -> int:
        """How many decisions a game takes at most; where nothing limits them, how many none has."""
