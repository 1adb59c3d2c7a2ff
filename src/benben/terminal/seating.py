"""Who plays what: a new match, one chosen from the menu, or one that goes on."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console

from benben.core.chance import Stream
from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.record import Record
from benben.terminal.match import HUMAN, PLAYERS, RANDOM, Match
from benben.terminal.menu import choose
from benben.terminal.prompt import Keyboard
from benben.terminal.ready import ready
from benben.terminal.saves import AUTO, BadFile, autosave_path, left_game, load


@dataclass
class Seating:
    """What the command line said, before it is known which game it is about."""

    seats: Sequence[str]
    hotseat: bool
    seed: bytes | None
    compiling: Console  # where to show that kernels are compiled
    _left: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        if self.hotseat and self.seats:
            raise BenbenError("--hotseat seats humans only; leave out --seat")
        for seat in self.seats:
            if seat not in PLAYERS:
                raise BenbenError(f"seat={seat}: must be one of {', '.join(PLAYERS)}")
        # One stream for the deal and the throws, another for the moves of random players, so that
        # what these do never changes the dice.
        self._chance = Stream.seeded(self.seed)
        self._bots = Stream.seeded(None if self.seed is None else b"bots " + self.seed)

    def new(self, game: Game, seats: Sequence[str] = ()) -> Match:
        seats = seats or self._seats_of(game) or [HUMAN, *[RANDOM] * (game.players - 1)]
        ready(game, self.compiling)
        return Match(game.deal(source=self._chance), seats, self._chance, self._bots)

    def from_menu(self, keyboard: Keyboard) -> Match:
        game = left_game()
        left = f"go on with the {game.info.titles['en']} you left" if game else ""
        chosen = choose(keyboard, left, ask_seats=not (self.seats or self.hotseat))
        return self.resumed(AUTO) if chosen is None else self.new(chosen.game, chosen.seats)

    def resumed(self, name: str) -> Match:
        self._left = name == AUTO
        path = autosave_path() if self._left else Path(name).expanduser()
        if self._left and not path.exists():
            raise BenbenError("no game was left to go on with")
        record = load(path, self.compiling)
        return Match.resume(record, self._seats_in(record, path), self._chance, self._bots)

    def clear(self, match: Match) -> None:
        """Forget the game that was left, once it has been played to its end."""
        if self._left and match.result is not None:
            with suppress(OSError):
                autosave_path().unlink()

    def _seats_of(self, game: Game) -> list[str]:
        """What the options say, random players on the seats they do not name."""
        if self.hotseat:
            return [HUMAN] * game.players
        if len(self.seats) > game.players:
            raise BenbenError(f"seat {len(self.seats)}: there are {game.players} seats")
        rest = game.players - len(self.seats)
        return [*self.seats, *[RANDOM] * rest] if self.seats else []

    def _seats_in(self, record: Record, path: Path) -> Sequence[str]:
        seats = self._seats_of(record.game) or record.seats
        for seat in seats:
            if seat not in PLAYERS:
                raise BadFile(path, f"no {seat!r} plays here; name the players with --seat")
        return seats or [HUMAN, *[RANDOM] * (record.game.players - 1)]
