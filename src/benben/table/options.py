"""The options of a table, which do not change after it was opened."""

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
    """No time limit."""


class LiveClock(msgspec.Struct, frozen=True, tag_field="pace", tag="live"):
    """Each seat has `seconds` for the whole game, and gets `increment` seconds after each turn."""

    seconds: int
    increment: int = 0


class Days(msgspec.Struct, frozen=True, tag_field="pace", tag="days"):
    """A number of days for each turn."""

    days: int


Pace: TypeAlias = NoClock | LiveClock | Days


class TableOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a table. `bots` has the level of each seat that begins with a bot, else 0."""

    game: str
    game_options: dict[str, str | int] = msgspec.field(name="options")  # all of them, resolved
    rules: int  # the version played by
    bots: tuple[int, ...]
    pace: Pace = NoClock()
    leaver: Leaver = "wait"  # when somebody leaves or runs out of time
    resign: Resign = "end"  # when somebody loses before the end of the game
    listed: bool = False  # strangers find it, and chat in preset phrases
    watchable: bool = False  # strangers find it to watch during the game
    drawn: bool = False  # seats are drawn when the game begins, not chosen
    expected: tuple[str, ...] = ()  # by seat, the name it is reserved for, or ""
    programs: tuple[int, ...] = ()  # the seats that are reserved for programs
    bot_names: tuple[str, ...] = ()  # by seat, those of the table before
    position: str = ""  # the complete position to begin with, instead of a deal
    commitment: str  # SHA-256 of the server's secret

    def without_expected(self, seat: int) -> "TableOptions":
        """The options without the name of the person a seat is reserved for."""
        names = [*self.expected]
        names[seat : seat + 1] = [""] if names else []
        return replace(self, expected=tuple(names))

    def check(self) -> Game:
        """The game, configured; BadOption if the options are invalid."""
        if "players" not in self.game_options:
            raise BadOption("players", None, "say how many play")
        game = restore(self.game, self.game_options)
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
        for option, by_seat in (("expected", self.expected), ("bot_names", self.bot_names)):
            if len(by_seat) not in (0, game.players):
                raise BadOption(option, list(by_seat), "must have one entry for each seat, or none")
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
