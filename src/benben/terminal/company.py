"""Who sits at a table, as people call them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from benben.core.game import Game
from benben.terminal.palette import palette_of, seat_letters
from benben.terminal.speech import say


@dataclass(frozen=True)
class Company:
    """The seats of a game, which of them is the reader's, and what the bots are called."""

    game: Game
    you: int | None = None
    bots: Mapping[int, str] = field(default_factory=dict)

    def seat(self, seat: int) -> str:
        """A seat, whoever sits there: `seat 1`, or `seat 1 (brown)`."""
        return self._coloured(say("seat", number=seat + 1), seat)

    def name(self, seat: int) -> str:
        """`you (brown)`, `Nefer (turquoise)`, or the seat of somebody without a name."""
        return self._coloured(self.plain_name(seat), seat)

    def plain_name(self, seat: int) -> str:
        """The same without a colour."""
        if seat == self.you:
            return say("you")
        return self.bots.get(seat) or say("seat", number=seat + 1)

    def _coloured(self, who: str, seat: int) -> str:
        letters = seat_letters(self.game)
        return f"{who} ({palette_of(self.game).word(letters[seat])})" if letters else who
