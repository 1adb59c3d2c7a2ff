"""Who plays what: a new match, one chosen from the menu, or one that goes on."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console

from benben.bots.levels import LEVELS
from benben.bots.warm import BOTS
from benben.core.chance import RandomStream
from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.record import GameRecord
from benben.terminal.match import HUMAN, PLAYERS, Match, seated
from benben.terminal.menu import LEVEL, choose
from benben.terminal.prompt import Keyboard
from benben.terminal.ready import ready
from benben.terminal.saves import AUTO, BadFile, autosave_path, left_game, load
from benben.terminal.speech import language, say


@dataclass
class Seating:
    """What the command line said, before it is known which game it is about."""

    seats: Sequence[str]
    hotseat: bool
    level: int | None
    seed: bytes | None
    compiling: Console  # where to show that kernels are compiled
    _left: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        if self.hotseat and self.seats:
            raise BenbenError(say("seating.hotseat", option="--seat"))
        if self.hotseat and self.level is not None:
            raise BenbenError(say("seating.hotseat", option="--level"))
        if self.level is not None and self.level not in LEVELS:
            low, high = LEVELS[0], LEVELS[-1]
            raise BenbenError(say("seating.level", level=self.level, low=low, high=high))
        self.seats = [seated(seat) for seat in self.seats]
        self._bot = seated(str(LEVEL if self.level is None else self.level))
        # One stream for the deal and the throws, another for the bots, so that what these do never
        # changes the dice.
        self._chance = RandomStream.seeded(self.seed)
        self._bots = RandomStream.seeded(None if self.seed is None else b"bots " + self.seed)

    def new(self, game: Game, seats: Sequence[str] = ()) -> Match:
        seats = seats or self._seats_of(game) or [HUMAN, *[self._bot] * (game.players - 1)]
        self._ready(game, seats)
        return Match(game.deal(source=self._chance), seats, self._chance, self._bots)

    def from_menu(self, keyboard: Keyboard) -> Match:
        game = left_game()
        left = say("menu.left", game=game.info.titles[language()]) if game else ""
        said = self.seats or self.hotseat
        chosen = choose(keyboard, left, ask_seats=not said, ask_level=self.level is None)
        if chosen is None:
            return self.resumed(AUTO)
        if chosen.level is not None:
            self._bot = seated(str(chosen.level))
        return self.new(chosen.game, [HUMAN] * chosen.game.players if chosen.together else [])

    def resumed(self, name: str) -> Match:
        self._left = name == AUTO
        path = autosave_path() if self._left else Path(name).expanduser()
        if self._left and not path.exists():
            raise BenbenError(say("seating.none-left"))
        record = load(path, self.compiling)
        seats = self._seats_in(record, path)
        self._ready(record.game, seats)
        return Match.resume(record, seats, self._chance, self._bots)

    def clear(self, match: Match) -> None:
        """Forget the game that was left, once it has been played to its end."""
        if self._left and match.result is not None:
            with suppress(OSError):
                autosave_path().unlink()

    def _ready(self, game: Game, seats: Sequence[str]) -> None:
        more = [BOTS] if any(seat != HUMAN for seat in seats) else []
        ready(game, self.compiling, *more)

    def _seats_of(self, game: Game) -> list[str]:
        """What the options say, bots on the seats they do not name."""
        if self.hotseat:
            return [HUMAN] * game.players
        if len(self.seats) > game.players:
            raise BenbenError(say("seating.too-many", number=len(self.seats), seats=game.players))
        rest = game.players - len(self.seats)
        return [*self.seats, *[self._bot] * rest] if self.seats else []

    def _seats_in(self, record: GameRecord, path: Path) -> Sequence[str]:
        seats = self._seats_of(record.game) or record.seats
        for seat in seats:
            if seat not in PLAYERS:
                raise BadFile(path, say("seating.stranger", player=repr(seat)))
        seats = seats or [HUMAN, *[self._bot] * (record.game.players - 1)]
        if self.level is None:
            return seats
        return [seat if seat == HUMAN else self._bot for seat in seats]
