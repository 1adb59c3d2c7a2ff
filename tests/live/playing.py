"""A table and its record, for tests: events are stored in a list and told at once."""

from collections.abc import Callable
from typing import Any

import pytest

import benben
from benben.table.events import AnyEvent, from_json, to_json
from benben.table.fairness import commitment
from benben.table.options import Leaver, NoClock, Pace, Resign, TableOptions
from benben.table.record import Entry, TableRecord, rebuild
from benben.table.table import Change, Refused, Table
from tests.table import asking

SECRET = "5e" * 32


def table_options(name: str = "quadrille", bots: tuple[int, ...] = (), **more: Any) -> TableOptions:
    """Of a game by name; what is not of a table is an option of the game."""
    own = ("pace", "leaver", "resign", "listed", "watchable", "drawn", "secret")
    options = {key: more.pop(key) for key in list(more) if key not in own}
    return options_of(benben.game(name, **options), bots, **more)


def options_of(
    game: benben.Game,
    bots: tuple[int, ...] = (),
    *,
    pace: Pace | None = None,
    leaver: Leaver = "wait",
    resign: Resign = "end",
    listed: bool = False,
    watchable: bool = False,
    drawn: bool = False,
    position: str = "",
    secret: str = SECRET,
) -> TableOptions:
    return TableOptions(
        game=game.name,
        game_options=game.options,
        rules=game.rules.VERSION,
        bots=bots or (0,) * game.players,
        pace=pace or NoClock(),
        leaver=leaver,
        resign=resign,
        listed=listed,
        watchable=watchable,
        drawn=drawn,
        position=position,
        commitment=commitment(secret),
    )


class Match:
    """Stores what happens at one table, and does what is due."""

    def __init__(self, made: TableOptions, secret: str = SECRET) -> None:
        self.table = Table(made, secret)
        self.entries: list[Entry] = []
        self.now = 1_000_000

    def store(self, event: AnyEvent | Change | None) -> None:
        """What is stored is what was written: every event goes through its text."""
        if isinstance(event, Change):
            event = event.event
        assert event is not None
        kept = from_json(to_json(event))
        assert kept == event
        self.table.apply(kept, self.now)
        self.entries.append(Entry(len(self.entries) + 1, self.now, kept))
        self.now += 10

    def settle(self) -> None:
        """Do all that is due, bots' moves aside."""
        while (change := self.table.next_automatic_event(self.now)) is not None:
            self.store(change)

    def fill(self, begin: bool = True) -> None:
        """People take all free seats."""
        for seat, each in enumerate(self.table.seats):
            if each.free:
                self.store(asking.sit(self.table, seat, f"Ann{seat}", f"nonce{seat}"))
        if begin:
            self.settle()

    def play(self, choose: Callable[[tuple[str, ...]], str], most: int = 10_000) -> None:
        """People and bots alike choose so until the game is over, or for so many moves."""
        while self.table.to_move is not None and most:
            self.decide(choose)
            most -= 1

    def decide(self, choose: Callable[[tuple[str, ...]], str]) -> None:
        seat, position = self.table.to_move, self.table.position
        assert seat is not None
        assert position is not None
        self.store(self._moved(seat, choose(tuple(position.moves()))))
        self.settle()

    def _moved(self, seat: int, move: str) -> Change:
        person = self.table.seats[seat].person
        return asking.move(self.table, seat, move) if person else self.table.moved(seat, move)

    @property
    def record(self) -> TableRecord:
        return TableRecord(id="table", options=self.table.options, entries=tuple(self.entries))

    def rebuilt(self) -> Table:
        return rebuild(self.table.options, self.table.secret, self.entries)


def first(moves: tuple[str, ...]) -> str:
    return moves[0]


def at_random(seed: int) -> Callable[[tuple[str, ...]], str]:
    stream = benben.RandomStream.seeded(seed)
    return lambda moves: moves[stream.below(len(moves))]


def refused(code: str) -> "pytest.RaisesExc[Refused]":
    """That a table refuses something, and for which reason."""
    return pytest.raises(Refused, check=lambda error: error.code == code)
