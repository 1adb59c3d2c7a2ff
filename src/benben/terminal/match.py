"""A game being played: who sits where, what has happened, what can be taken back. No I/O."""

from collections.abc import Sequence
from dataclasses import dataclass

from benben.bots.entrants import Entrant, entrant
from benben.bots.levels import LEVELS, NAMES
from benben.bots.names import bot_names
from benben.core.chance import Source
from benben.core.effects import Effect
from benben.core.errors import BenbenError
from benben.core.outcome import Result
from benben.core.player import Turn
from benben.core.position import Position
from benben.core.record import GameRecord
from benben.core.rules import CHANCE
from benben.learn.hints import Advice, adviser
from benben.terminal.speech import language, say

HUMAN = "human"
_LEVEL = "level-"
PLAYERS = (HUMAN, "random", "greedy", *(f"{_LEVEL}{number}" for number in LEVELS))


def seated(word: str) -> str:
    """What a record calls a player: the number of a level is enough to name it."""
    player = f"{_LEVEL}{word}" if word.isdigit() else word
    if player not in PLAYERS:
        raise BenbenError(say("seat.unknown", player=word, low=LEVELS[0], high=LEVELS[-1]))
    return player


def called(player: str) -> str:
    """What people call a kind of player: `Apprentice (level 2)`."""
    number = player.removeprefix(_LEVEL)
    if number == player:
        return say(f"player.{player}")
    return say("player.level", name=NAMES[int(number) - 1][language()], number=number)


class CannotUndo(BenbenError):
    pass


@dataclass(frozen=True)
class Step:
    """A move or throw, where it was made and what it did."""

    before: Position
    seat: int  # whose turn it was, a throw included
    move: str
    thrown: bool
    effects: list[Effect]


class Match:
    """Seats, a position, and the steps that led to it."""

    def __init__(self, start: Position, seats: Sequence[str], chance: Source, bots: Source) -> None:
        self.game = start.game
        self.start = start
        self.seats = tuple(seats)
        self.position = start
        self.steps: list[Step] = []
        self.resigned: int | None = None
        self.hints = [0 for _ in self.seats]  # in how many positions each seat was given one
        self._hinted: set[Position] = set()
        self._chance, self._seeds = chance, bots
        self.bots: dict[int, Entrant] = {
            seat: entrant(player.removeprefix(_LEVEL), self.game)
            for seat, player in enumerate(self.seats)
            if player != HUMAN
        }

    @classmethod
    def resume(
        cls, record: GameRecord, seats: Sequence[str], chance: Source, bots: Source
    ) -> "Match":
        match = cls(record.start, seats, chance, bots)
        for move in record.moves:
            match.play(move)
        match.resigned = record.resigned
        match.hints = list(record.hints or match.hints)
        return match

    @property
    def humans(self) -> list[int]:
        return [seat for seat, player in enumerate(self.seats) if player == HUMAN]

    @property
    def you(self) -> int | None:
        """The one person at the table, if there is just one."""
        return self.humans[0] if len(self.humans) == 1 else None

    @property
    def bot_names(self) -> dict[int, str]:
        """What the bots are called: the same whenever they meet, and nothing tells of the deal."""
        names = bot_names(f"{self.game.name} {' '.join(self.seats)}", len(self.bots))
        return dict(zip(self.bots, names, strict=True))

    @property
    def to_move(self) -> int | None:
        return None if self.resigned is not None else self.position.to_move

    @property
    def result(self) -> Result | None:
        return self.record.result

    @property
    def record(self) -> GameRecord:
        moves = tuple(step.move for step in self.steps)
        hints = tuple(self.hints) if any(self.hints) else ()
        return GameRecord(self.start, moves, self.seats, self.resigned, hints)

    def play(self, move: str) -> None:
        """Make a move or throw; whatever `Position.play` raises if that cannot be."""
        before = self.position
        after = before.play(move)
        effects = before.effects(move)
        thrown = before.to_move == CHANCE
        seat = before.to_move
        if thrown:
            # A throw is told as its thrower's, whom its effects name.
            seat = next((each.owner for each in effects if each.owner is not None), 0)
        assert seat is not None
        self.steps.append(Step(before, seat, move, thrown, effects))
        self.position = after

    def throw(self) -> None:
        self.play(self.position.draw(self._chance))

    def let_bot_move(self) -> None:
        """The bot to move thinks and plays; it is given its own view and nothing more."""
        seat = self.position.to_move
        assert seat is not None
        bot = self.bots[seat]
        moves = [step.move for step in self.steps]
        seed = self._seeds.below(1 << 32)
        turn = Turn.at(self.start, moves, self.position, bot.budget, seed)
        self.play(bot.player.think(turn).move)

    def advise(self) -> Advice:
        """What a strong player thinks for the one person to move; asking again counts no more."""
        seat = self.position.to_move
        if seat is None or seat != self.you:
            raise BenbenError(say("hint.only-bots"))
        asked = adviser(self.game)
        moves = [step.move for step in self.steps]
        thought = asked.player.think(Turn.at(self.start, moves, self.position, asked.budget))
        assert isinstance(thought, Advice)
        if self.position not in self._hinted:
            self._hinted.add(self.position)
            self.hints[seat] += 1
        return thought

    def resign(self, seat: int) -> None:
        self.resigned = seat

    def undo(self) -> list[Step]:
        """Go back to the last decision a person made; what was taken back, in order."""
        decided = self._decisions(self.humans)
        if not decided:
            raise CannotUndo(say("undo.nothing"))
        back = self.steps[decided[-1] :]
        if any(step.thrown for step in back):
            raise CannotUndo(say("undo.thrown"))
        del self.steps[decided[-1] :]
        self.position = back[0].before
        return back

    def since(self, *seats: int) -> list[Step]:
        """From the last decision of one of the seats on (that one too); else from the start."""
        decided = self._decisions(seats)
        return self.steps[decided[-1] if decided else 0 :]

    def _decisions(self, seats: Sequence[int]) -> list[int]:
        """The numbers of the steps that one of these seats chose."""
        return [i for i, step in enumerate(self.steps) if not step.thrown and step.seat in seats]
