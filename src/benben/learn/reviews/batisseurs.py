"""Everybody's chances in a game of Bâtisseurs, move by move and throw by throw.

Between turns they come from the solution, for two and three, or else from the race. Within a turn
only its seat decides: what its best play makes of everybody's chances is worked out exactly, so
that what a throw gave and what a decision cost can be told apart.
"""

from collections.abc import Iterator
from threading import Event
from typing import TypeAlias

import numpy as np

from benben.bots.batisseurs import three, two
from benben.bots.batisseurs.race import Race, race
from benben.bots.batisseurs.turns import Kinds, Turns, board_of, kind_of_board, model
from benben.bots.batisseurs.worths import boards_of
from benben.bots.exact import ready
from benben.core.kernel import Floats
from benben.core.player import Cancelled, Certainty, Thought, Worth, checkpoint
from benben.core.position import Position
from benben.core.rules import CHANCE
from benben.learn.reviews.judges import settle_end
from benben.learn.reviews.review import Findings, FinishedGame, Shares

_ERROR = 0.01  # by so much shares of the race are off, at most, on average
_SLICE = 8  # positions between two looks whether it is still wanted

Chances: TypeAlias = tuple[float, ...]  # of the seat in turn, of the next one, and so on


class BuilderJudge:
    """Knows, or estimates well, what every position is worth: one look is enough."""

    nodes = 0

    def __init__(self, game: FinishedGame, found: Findings, cancelled: Event) -> None:
        self.game, self.found, self._cancelled = game, found, cancelled
        self._turns: dict[tuple[int, ...], TurnChances] = {}
        self._values: dict[Position, Chances] = {}  # of positions of one turn

    def rough(self) -> Iterator[None]:
        def check() -> None:
            if checkpoint(self._cancelled):
                raise Cancelled

        game = self.game.game
        self._kinds, self._model = model(game, check)
        self._solution = ready(game)
        self._race = race(game, check) if self._solution is None else None
        self.found.exact = self._solution is not None
        self._certainty: Certainty = "exact" if self.found.exact else "estimated"
        for at, position in enumerate(self.game.positions):
            self._judge(at, position)
            if at % _SLICE == 0:
                yield
        settle_end(self.game, self.found)

    def thorough(self) -> Iterator[None]:
        self.found.done = len(self.game.decisions)
        return iter(())

    def settle(self) -> None:
        """All is known as soon as it is looked at."""

    def _judge(self, at: int, position: Position) -> None:
        if position.to_move is None:
            return
        seat, players = int(position.record["turn"][0]), self.game.game.players
        chances = self._value(position)
        self.found.chances[at] = _by_seat(chances, seat, players)
        self.found.certainty[at] = self._certainty
        if position.to_move == CHANCE or at == len(self.game.steps):
            return
        error = 0.0 if self.found.exact else _ERROR
        worths = tuple(
            Worth(move, _within(self._after(position, move)[0]), error, self._certainty)
            for move in position.moves()
        )
        line = self._line(position)
        self.found.thoughts[at] = Thought(line[0], worths, line=line)

    def _line(self, position: Position) -> tuple[str, ...]:
        """The best moves until the dice are thrown or the turn is over."""
        line: list[str] = []
        seat = position.to_move
        while position.to_move == seat:
            best = max(position.moves(), key=lambda move: self._after(position, move)[0])
            line.append(best)
            position = position.play(best)
        return tuple(line)

    def _value(self, position: Position) -> Chances:
        """Everybody's chances where the seat in turn plays on as well as it can."""
        if position not in self._values:
            if position.to_move == CHANCE:
                record = position.record
                board = int(board_of(record[0], record[0].turn))
                kind = int(kind_of_board(board, self._kinds))
                code = int(record["left"][0]) * self._kinds.number + kind
                self._values[position] = self._turn(position).rolls[code]
            else:
                after = [self._after(position, move) for move in position.moves()]
                self._values[position] = max(after, key=lambda chances: chances[0])
        return self._values[position]

    def _after(self, position: Position, move: str) -> Chances:
        """The same after a move of the seat in turn, whose chance comes first."""
        seat = int(position.record["turn"][0])
        after = position.play(move)
        if after.result is not None:
            return (1.0, *(0.0 for _ in range(1, self.game.game.players)))
        if int(after.record["turn"][0]) == seat:
            return self._value(after)
        board = int(after.record["won"][0, seat])
        stopped: list[float] = (
            self._turn(position).stops[int(kind_of_board(board, self._kinds))].tolist()
        )
        return tuple(stopped)

    def _turn(self, position: Position) -> "TurnChances":
        boards = tuple(boards_of(position.record, self._kinds))
        if boards not in self._turns:
            self._values.clear()  # those of turns before are not asked for again
            stops = self._stops(boards[1:])
            self._turns[boards] = TurnChances(boards[0], stops, self._kinds, self._model)
        return self._turns[boards]

    def _stops(self, others: tuple[int, ...]) -> Floats:
        """Everybody's chances if the seat in turn stops with each kind of board."""
        match self._solution:
            case two.Solution():
                theirs = self._solution.table[others[0]]
                stops = np.stack([1 - theirs, theirs], axis=1)
            case three.Solution():
                pair = self._solution.table[:, others[0], others[1]]
                mine = 1 - pair.sum(axis=1, keepdims=True)
                stops = np.vstack([np.hstack([mine, pair]), np.zeros(3)])
            case _:
                assert self._race is not None
                stops = raced(self._race, others)
        stops[-1] = 0.0
        stops[-1, 0] = 1.0
        return stops


class TurnChances:
    """What each code of a turn is worth to everybody if it is played as well as can be.

    `stops[kind]` are the chances if the turn ends with such a board, `rolls[code]` before a throw.
    """

    def __init__(self, own: int, stops: Floats, kinds: Kinds, turns: Turns) -> None:
        self.stops = stops
        self.rolls: dict[int, Chances] = {}
        bests: dict[int, Chances] = {}
        listed: list[list[float]] = stops.tolist()
        bust = listed[own]
        seats = range(len(bust))
        for code in turns.codes[turns.codes_from[own] : turns.codes_from[own + 1]].tolist():
            stop = tuple(listed[code % kinds.number])
            first, last = int(turns.throws_from[code]), int(turns.throws_from[code + 1])
            if first == last:  # no dice, or a full board
                bests[code] = stop
                continue
            sums = [float(turns.busts[code]) * share for share in bust]
            for throw in range(first, last):
                ends = turns.ends[turns.ends_from[throw] : turns.ends_from[throw + 1]].tolist()
                top = max((bests[end] for end in ends), key=lambda chances: chances[0])
                odds = float(turns.odds[throw])
                for k in seats:
                    sums[k] += odds * top[k]
            roll = tuple(sums)
            self.rolls[code] = roll
            bests[code] = roll if roll[0] > stop[0] else stop


def raced(race: Race, others: tuple[int, ...]) -> Floats:
    """Everybody's chances by the race if the seat in turn stops with each kind of board."""
    kinds = len(race.finishes)
    every = np.arange(kinds)
    boards = [*(np.full(kinds, other) for other in others), every]  # in the order of their turns
    shares = []
    for at, board in enumerate(boards):
        chances = race.finishes[board, 1:].copy()
        for other, theirs in enumerate(boards):
            standing = race.standing[theirs]
            if other < at:
                chances *= standing[:, 1:]
            elif other > at:
                chances *= standing[:, :-1]
        shares.append(chances.sum(axis=1))
    found = np.stack([shares[-1], *shares[:-1]], axis=1)
    total: Floats = found.sum(axis=1, keepdims=True)
    return found / np.where(total > 0, total, 1.0)


def _by_seat(chances: Chances, turn: int, players: int) -> Shares:
    return [_within(chances[(seat - turn) % players]) for seat in range(players)]


def _within(share: float) -> float:
    """Sums are rounded."""
    return min(1.0, max(0.0, share))
