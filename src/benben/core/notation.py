"""What every game's `notation.py` defines: its moves, positions and drawings as text.

`rules.py` beside it says what is played, this says how it is written; the rules need none of it.
A position is handed over as `p`, a record made of Python's own numbers (see `plain`).
"""

from typing import Protocol

from benben.core.effects import Diagram, Drawing, Facts
from benben.core.kernel import Ints, Plain, States

THROW_SIGN = "="  # the text of every throw begins with it, and that of no move


class Notation(Protocol):
    """The module, as the engine sees it."""

    MOVE_FORM: str  # what a move looks like, told to whoever wrote something else

    def texts(self) -> dict[int, str]:
        """Every move and throw that can be written: its number in the rules, and its text."""

    def parameters(self, move: str) -> dict[str, str | int]:
        """What the words of REFUSALS may name of a well-written move; `seat` is always known."""

    def write(self, p: Plain) -> str:
        """The one text of a position or view, `?` standing for what a view hides."""

    def draw(self, p: Plain) -> Drawing:
        """Every place of the game with the pieces on it."""

    def facts(self, p: Plain) -> Facts:
        """What a board shows besides the pieces, as far as a view knows it; {} if nothing."""

    def figures(self, p: Plain, reason: str) -> list[int | None]:
        """What the reason of an end counts, by seat: None if out of it before; [] if nothing."""

    def diagram(self, p: Plain) -> Diagram:
        """Where a picture puts the places of the board."""

    def read(self, text: str, options: Ints, hidden: bool) -> States:
        """The record of a text, or of a view's if `hidden`; BadNotation or ImpossiblePosition.

        What is read is written again and must come out the same, so `read` may take a text that is
        not in its one normal form; a position that no play can reach it must refuse.
        """
