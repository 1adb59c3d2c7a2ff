"""A game as it was played, as text: a header, a blank line, then every move and throw.

    benben: 1
    game: pyramidis
    players: 4
    first: random
    rules: 1
    start: a5=tttttttt,d1=bbbbbbbb,d8=mmmmmmmm,h5=cccccccc b0t0m0c0 b 0
    seats: human,random,random,random
    resigned: 2
    hints: 3,0,0,0

    d1*3 a5*2 d8*1

Every option is in the header, so that a default that changes later changes no record; `seats`,
`resigned` and `hints` (how many each seat was given) may be left out. Seats are numbered from 1.
The start holds every secret of the game.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from textwrap import wrap

from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.outcome import Result
from benben.core.position import Position
from benben.core.registry import info, restore

FORMAT = 1
WIDTH = 80
LONGEST = 1_000_000  # characters; the longest games come to some thousands
RESIGNED = "resigned"  # the reason of a result that no rule of the game decided

_NEEDED = ("benben", "game", "rules", "start")
_OPTIONAL = ("seats", "resigned", "hints")
_COUNT = re.compile(r"0|[1-9][0-9]{0,3}", re.ASCII)
_WORD = re.compile(r"[a-z][a-z0-9-]{0,30}", re.ASCII)


class BadRecord(BenbenError):
    """A text that is not a record, or whose moves the rules refuse; `line` counts from 1."""

    def __init__(self, line: int, why: str, move: int | None = None) -> None:
        self.line, self.move = line, move
        super().__init__(f"line {line}{'' if move is None else f', move {move}'}: {why}")


@dataclass(frozen=True)
class GameRecord:
    """A start, the moves and throws made from it, who sat there and who gave up.

    >>> import benben
    >>> record = GameRecord(benben.game("pyramidis", first=1).deal(), ("d1*3", "a5*2"))
    >>> GameRecord.parse(str(record)) == record
    True
    """

    start: Position
    moves: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()  # what sits on each seat, such as human or random
    resigned: int | None = None  # the seat, from 0
    hints: tuple[int, ...] = ()  # how many each seat was given; none at all if nobody was

    def __post_init__(self) -> None:
        players = self.game.players
        if self.seats and (len(self.seats) != players or not all(map(_WORD.fullmatch, self.seats))):
            raise ValueError(f"seats are {players} plain words, not {self.seats!r}")
        if self.hints and (len(self.hints) != players or min(self.hints) < 0):
            raise ValueError(f"hints are {players} numbers, not {self.hints!r}")
        if self.resigned is not None:
            self.game.check_seat(self.resigned)
            if self.end.to_move is None:
                raise ValueError("nobody can resign from a finished game")

    @property
    def game(self) -> Game:
        return self.start.game

    def positions(self) -> Iterator[Position]:
        """Every position from the start to the end; whatever `play` raises for a bad move."""
        position = self.start
        yield position
        for move in self.moves:
            position = position.play(move)
            yield position

    @cached_property
    def end(self) -> Position:
        """The position after the last move."""
        *_, last = self.positions()
        return last

    @property
    def result(self) -> Result | None:
        """How it ended, by the rules or because a seat gave up; None if it is still on."""
        if self.resigned is None:
            return self.end.result
        return resignation(self.game, self.resigned)

    def __str__(self) -> str:
        header = {"benben": FORMAT, "game": self.game.name} | self.game.options
        header |= {"rules": self.game.rules.VERSION, "start": str(self.start)}
        if self.seats:
            header["seats"] = ",".join(self.seats)
        if self.resigned is not None:
            header["resigned"] = self.resigned + 1
        if any(self.hints):
            header["hints"] = ",".join(map(str, self.hints))
        lines = [f"{key}: {value}" for key, value in header.items()]
        if self.moves:
            body = " ".join(self.moves)
            lines += ["", *wrap(body, WIDTH, break_long_words=False, break_on_hyphens=False)]
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str) -> "GameRecord":
        """The record a text describes, played through the rules; BadRecord if there is none."""
        lines, blank = _lines(text)
        header = _Header(lines[:blank])
        start = header.start()
        moves = _moves(start, lines, blank)
        seats = header.seats(start.game)
        resigned = header.resigned(start.game)
        hints = header.hints(start.game)
        try:
            return cls(start, moves, seats, resigned, hints)
        except ValueError as error:
            raise BadRecord(header.line("resigned"), str(error)) from error

    @staticmethod
    def game_of(text: str) -> Game:
        """The game a record is of, before its moves are looked at."""
        lines, blank = _lines(text)
        return _Header(lines[:blank]).game()


def resignation(game: Game, seat: int) -> Result:
    """A seat gives up: the game ends for all at once, and the others share the point."""
    others = game.players - 1
    shares = tuple(0.0 if other == seat else 1.0 / others for other in range(game.players))
    return Result(shares, RESIGNED)


def _lines(text: str) -> tuple[list[str], int]:
    """The lines, and how many of them are the header."""
    if len(text) > LONGEST:
        raise BadRecord(1, f"no record is longer than {LONGEST} characters")
    lines = text.split("\n")
    return lines, lines.index("") if "" in lines else len(lines)


class _Header:
    """The lines `key: value`, each key once."""

    def __init__(self, lines: list[str]) -> None:
        self.values: dict[str, str] = {}
        self._lines: dict[str, int] = {}
        for number, line in enumerate(lines, 1):
            key, colon, value = line.partition(": ")
            if not colon or not _WORD.fullmatch(key) or not value or value != value.strip():
                raise BadRecord(number, "a header line is a key, a colon, a space and a value")
            if number == 1 and key != "benben":
                raise BadRecord(1, f"a record begins with benben: {FORMAT}")
            if key in self.values:
                raise BadRecord(number, f"{key} is given twice")
            self.values[key] = value
            self._lines[key] = number
        for key in _NEEDED:
            if key not in self.values:
                raise BadRecord(len(lines) or 1, f"the header has no {key}")
        if self.values["benben"] != str(FORMAT):
            raise BadRecord(1, f"unknown record format; this version reads format {FORMAT}")

    def line(self, key: str) -> int:
        return self._lines.get(key, 1)

    def start(self) -> Position:
        game = self.game()
        try:
            return game.parse(self.values["start"])
        except BenbenError as error:
            raise BadRecord(self.line("start"), str(error)) from error

    def game(self) -> Game:
        rest = {k: v for k, v in self.values.items() if k not in (*_NEEDED, *_OPTIONAL)}
        try:
            card = info(self.values["game"])
            options = card.resolve(rest.pop("players", None), rest)
            game = restore(card.name, options)
        except BenbenError as error:
            key = getattr(error, "option", "game")
            raise BadRecord(self.line(key), str(error)) from error
        for option in game.options:
            if option not in self.values:
                raise BadRecord(self.line("game"), f"the header has no {option}")
        if self.values["rules"] != str(game.rules.VERSION):
            raise BadRecord(
                self.line("rules"),
                f"played by rules {self.values['rules']} of {game.name}; "
                f"this version knows rules {game.rules.VERSION}",
            )
        return game

    def seats(self, game: Game) -> tuple[str, ...]:
        if "seats" not in self.values:
            return ()
        seats = tuple(self.values["seats"].split(","))
        if len(seats) != game.players or not all(map(_WORD.fullmatch, seats)):
            why = f"seats are {game.players} plain words joined by commas, such as human,random"
            raise BadRecord(self.line("seats"), why)
        return seats

    def resigned(self, game: Game) -> int | None:
        if "resigned" not in self.values:
            return None
        seats = [str(seat + 1) for seat in range(game.players)]
        if self.values["resigned"] not in seats:
            raise BadRecord(self.line("resigned"), f"a seat is 1 to {game.players}")
        return int(self.values["resigned"]) - 1

    def hints(self, game: Game) -> tuple[int, ...]:
        if "hints" not in self.values:
            return ()
        counts = self.values["hints"].split(",")
        if len(counts) != game.players or not all(map(_COUNT.fullmatch, counts)):
            why = f"hints are {game.players} numbers joined by commas, such as 3,0"
            raise BadRecord(self.line("hints"), why)
        return tuple(map(int, counts))


def _moves(start: Position, lines: list[str], blank: int) -> tuple[str, ...]:
    """The moves below the blank line, each tried on the board."""
    moves: list[str] = []
    position = start
    for number, line in enumerate(lines[blank:], blank + 1):
        for move in line.split():
            try:
                position = position.play(move)
            except BenbenError as error:
                raise BadRecord(number, str(error), len(moves) + 1) from error
            moves.append(move)
    return tuple(moves)
