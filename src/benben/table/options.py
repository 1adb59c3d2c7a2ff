"""What a table is opened with, and what never changes afterwards."""

from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from benben.bots.levels import LEVELS
from benben.core.errors import BadOption
from benben.core.game import Game
from benben.core.registry import restore

MOST_SECONDS, MOST_DAYS = 3 * 3600, 30

Leaver: TypeAlias = Literal["wait", "bot", "forfeit"]
Resign: TypeAlias = Literal["end", "bot"]


class NoClock(msgspec.Struct, frozen=True, tag_field="pace", tag="none"):
    """Everybody takes as long as they like."""


class LiveClock(msgspec.Struct, frozen=True, tag_field="pace", tag="live"):
    """Each seat has so many seconds for the whole game, and so many more after each turn."""

    seconds: int
    increment: int = 0


class Days(msgspec.Struct, frozen=True, tag_field="pace", tag="days"):
    """So many days for each turn."""

    days: int


Pace: TypeAlias = NoClock | LiveClock | Days


class TableOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a table is played. `bots` has the level of each seat that begins with a bot, else 0."""

    game: str
    options: dict[str, str | int]  # all of them, resolved
    rules: int  # the version played by
    bots: tuple[int, ...]
    pace: Pace = NoClock()
    leaver: Leaver = "wait"  # what becomes of the seat of somebody who leaves or runs out of time
    resign: Resign = "end"  # what becomes of the game when somebody loses before its end
    listed: bool = False  # open to anyone: found by strangers, who talk in preset phrases
    watchable: bool = False  # while the game is on, strangers find it to watch
    drawn: bool = False  # seats are drawn when the game begins, not chosen
    expected: tuple[str, ...] = ()  # by seat, who played before and has it kept; "" for nobody
    programs: tuple[int, ...] = ()  # those of these seats that are kept for programs
    bot_names: tuple[str, ...] = ()  # by seat, if they are those of the table before
    position: str = ""  # where the game begins, all of it, if not with a deal
    commitment: str  # SHA-256 of the server's secret

    def without_expected(self, seat: int) -> "TableOptions":
        """The same without the name of the person who is expected on a seat."""
        names = [*self.expected]
        names[seat : seat + 1] = [""] if names else []
        return replace(self, expected=tuple(names))

    def check(self) -> Game:
        """The game that is played; BadOption if the terms cannot be."""
        if "players" not in self.options:
            raise BadOption("players", None, "say how many play")
        game = restore(self.game, self.options)
        if len(self.bots) != game.players:
            raise BadOption(
                "bots", list(self.bots), f"must have one entry for each of the {game.players} seats"
            )
        for level in self.bots:
            if level != 0 and level not in LEVELS:
                raise BadOption(
                    "bots", level, f"must be 0 for a person, or {LEVELS[0]} to {LEVELS[-1]}"
                )
        if all(self.bots):
            raise BadOption("bots", list(self.bots), "at least one seat must be a person's")
        if len(self.expected) not in (0, game.players):
            raise BadOption(
                "expected", list(self.expected), "must have one entry for each seat, or none"
            )
        if len(self.bot_names) not in (0, game.players):
            raise BadOption(
                "bot_names", list(self.bot_names), "must have one entry for each seat, or none"
            )
        if self.position and game.parse(self.position).to_move is None:
            raise BadOption("position", self.position, "the game is over in this position")
        match self.pace:
            case LiveClock(seconds, increment):
                _within("seconds", seconds, 1, MOST_SECONDS)
                _within("increment", increment, 0, MOST_SECONDS)
            case Days(days):
                _within("days", days, 1, MOST_DAYS)
        return game


def _within(option: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise BadOption(option, value, f"must be a whole number from {low} to {high}")
