"""Who judges a finished game: what each position was worth to everybody, and each move to its seat.

A judge looks at all of a game roughly, then thinks about each decision, with level 6's players by
nodes, so that the same game has the same review on every machine. `Findings` are filled in as it
goes; each step of a pass is short, and between two of them it can be left off.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from threading import Event
from typing import Protocol

import numpy as np

from benben.bots.alphabeta import AlphaBetaPlayer
from benben.bots.levels import LEVELS, level
from benben.bots.net import expect, load, scratch_for
from benben.core.game import Game
from benben.core.player import Budget, Player, Thought, Turn, Worth
from benben.core.position import Position
from benben.core.rules import CHANCE
from benben.learn.reviews.review import Findings, FinishedGame, Shares

ROUGH_NODES = 400  # a decision in the first look
NODES = 60_000  # and when it is thought about
ALL_NODES = 6_000_000  # of a whole game: in a long one each decision has less


class Judge(Protocol):
    """Looks at one game. Both passes yield after each step of theirs."""

    nodes: int  # a decision; 0 where it is known what it is worth

    def rough(self) -> Iterator[None]:
        """Fill in the findings for all of the game."""

    def thorough(self) -> Iterator[None]:
        """Think about every decision again."""

    def settle(self) -> None:
        """Put together what is known by now, before it is told."""


def nodes_for(game: FinishedGame, most: int, of_all: int) -> int:
    """How much a judge thinks about each decision of a game."""
    return max(1, min(most, of_all // max(1, len(game.decisions))))


def blank(game: FinishedGame) -> Findings:
    """Nothing is known but the result."""
    n, players = len(game.positions), game.game.players
    even = [1 / players] * players
    found = Findings([even for _ in range(n)], ["estimated" for _ in range(n)])
    settle_end(game, found)
    return found


def settle_end(game: FinishedGame, found: Findings) -> None:
    """Where the rules ended the game, the result is what it was worth."""
    result = game.positions[-1].result
    if result is not None:
        found.chances[-1], found.certainty[-1] = list(result.shares), "exact"


class SearchJudge:
    """For games without dice or secrets: a search tells what moves are worth.

    What a position is worth is what the best move is; after a step, the mean of that and of what
    the step was worth where it was made, as both say the same with another depth.
    """

    def __init__(
        self,
        game: FinishedGame,
        found: Findings,
        cancelled: Event,
        nodes: int | None = None,
    ) -> None:
        self.game, self.found, self._cancelled = game, found, cancelled
        self.nodes = nodes or nodes_for(game, NODES, ALL_NODES)
        self._player = searcher(game.game)
        self._judged: list[Shares | None] = [None] * len(game.positions)  # by a search from there

    def rough(self) -> Iterator[None]:
        for at, position in enumerate(self.game.positions):
            if position.to_move not in (None, CHANCE):
                self._think(at, min(ROUGH_NODES, self.nodes))
            yield

    def thorough(self) -> Iterator[None]:
        for at in self.game.decisions:
            self._think(at, self.nodes)
            self.found.done += 1
            yield

    def _think(self, at: int, nodes: int) -> None:
        game = self.game
        turn = Turn.at(
            game.start,
            game.moves[:at],
            game.positions[at],
            Budget(simulations=nodes),
            cancelled=self._cancelled,
        )
        if len(turn.moves) == 1:  # it is worth what follows
            if at == len(game.steps):
                self._judged[at] = net_chances(game.positions[at])
            return
        thought = self._player.think(turn)
        if game.game.players > 2:
            thought = _doubted(game.positions[at], thought)
        self.found.thoughts[at] = thought
        self._judged[at] = self._chances(game.positions[at], thought)

    def _chances(self, position: Position, thought: Thought) -> Shares:
        """Everybody's, from that of who is to move; the others', where the line expected ends."""
        seat = position.to_move
        assert seat is not None
        best = next(each.share for each in thought.worths if each.move == thought.move)
        for move in thought.line:
            position = position.play(move)
        return scaled(net_chances(position), seat, best)

    def settle(self) -> None:
        game, found = self.game, self.found
        for at in range(len(game.steps), -1, -1):
            judged = self._judged[at]
            if judged is None:
                if at < len(game.steps):
                    found.chances[at] = found.chances[at + 1]
                continue
            seat, move = game.steps[at - 1] if at else (None, "")
            thought = found.thoughts.get(at - 1)
            if seat is not None and thought is not None:
                worth = next(each.share for each in thought.worths if each.move == move)
                judged = scaled(judged, seat, (worth + judged[seat]) / 2)
            found.chances[at] = judged
        prove(game, found)


def searcher(game: Game) -> Player:
    """Level 6; where it would only find the best move, one that finds what all are worth."""
    player = level(game, LEVELS[-1]).player()
    return AlphaBetaPlayer(thorough=True) if isinstance(player, AlphaBetaPlayer) else player


def net_chances(position: Position) -> Shares:
    """What the net that was learnt for the game expects for everybody; at the end, the result."""
    if position.result is not None:
        return list(position.result.shares)
    game = position.game
    net = load(game.name, game.players)
    if net is None:
        return [1 / game.players] * game.players
    shares = np.zeros(game.players)
    expect(position.record[0], net, scratch_for(net, game), shares)
    return [float(share) for share in shares]


def scaled(shares: Sequence[float], seat: int, share: float) -> Shares:
    """The same with this share of a seat: the others share the rest as they did."""
    rest = sum(shares) - shares[seat]
    others = len(shares) - 1
    return [
        share if each == seat else (1 - share) * (old / rest if rest > 1e-12 else 1 / others)
        for each, old in enumerate(shares)
    ]


def _doubted(position: Position, thought: Thought) -> Thought:
    """Among three and more a proof supposes what the others want: only an end proves anything."""

    def doubt(worth: Worth) -> Worth:
        if worth.certainty == "estimated" or position.play(worth.move).result is not None:
            return worth
        return Worth(worth.move, min(0.99, max(0.01, worth.share)), 0.05)

    return replace(thought, worths=tuple(map(doubt, thought.worths)))


def prove(game: FinishedGame, found: Findings) -> None:
    """What is proven of one position, said of all of which it follows. For two.

    Forwards: who is lost is lost after any move, and a move that was proven leads where it was.
    Backwards: a move that leads to what is proven is worth that; who has a winning move has won,
    who has only losing ones has lost.
    """
    if game.game.players != 2 or game.game.hides or any(seat is None for seat, _ in game.steps):
        return
    last, result = len(game.steps), game.positions[-1].result
    won: list[int | None] = [None] * (last + 1)  # who has won each position for sure
    if result is not None:
        won[last] = result.shares.index(1.0) if 1.0 in result.shares else None
    elif last in found.thoughts:  # somebody gave up
        won[last] = _winner_at(game, found, last, None)
    for at in range(last - 1, -1, -1):
        won[at] = _winner_at(game, found, at, won[at + 1])
    for at in range(last):
        seat, move = game.steps[at]
        if won[at] is not None and won[at] != seat:
            won[at + 1] = won[at]  # whatever is played
        worth = _worth_of(found, at, move)
        if won[at + 1] is None and worth is not None and worth.certainty != "estimated":
            assert seat is not None
            won[at + 1] = seat if worth.share == 1 else 1 - seat
    for at in range(last - 1, -1, -1):  # what was learnt on the way forward, said of all before
        won[at] = won[at] if won[at] is not None else _winner_at(game, found, at, won[at + 1])
    for at, winner in enumerate(won if result is None else won[:-1]):
        if winner is not None:
            found.chances[at] = [float(seat == winner) for seat in range(2)]
            found.certainty[at] = "proven"
        else:
            found.certainty[at] = "estimated"
    for at in found.thoughts:
        if at < last:
            _correct(game, found, at, won)


def _winner_at(game: FinishedGame, found: Findings, at: int, after: int | None) -> int | None:
    """Who has won before a step for sure, given who has after it."""
    seat = game.positions[at].to_move
    move = game.steps[at][1] if at < len(game.steps) else ""
    assert seat is not None
    thought = found.thoughts.get(at)
    if after == seat or thought is None:  # of an only move it is the same before
        return after
    lost = 0
    for worth in thought.worths:
        sure = worth.certainty != "estimated"
        if sure and worth.share == 1:
            return seat
        lost += (sure and worth.share == 0) or (worth.move == move and after == 1 - seat)
    return 1 - seat if lost == len(thought.worths) else None


def _worth_of(found: Findings, at: int, move: str) -> Worth | None:
    thought = found.thoughts.get(at)
    if thought is None:
        return None
    return next((each for each in thought.worths if each.move == move), None)


def _correct(game: FinishedGame, found: Findings, at: int, won: Sequence[int | None]) -> None:
    """Say of a decision what is proven of where it was made, and of where it led."""
    seat, move = game.steps[at]
    thought, here, after = found.thoughts[at], won[at], won[at + 1]
    assert seat is not None

    def corrected(worth: Worth) -> Worth:
        if here is not None and here != seat:
            return Worth(worth.move, 0.0, 0.0, "proven")
        if worth.move == move and after is not None:
            return Worth(worth.move, float(after == seat), 0.0, "proven")
        return worth

    worths = tuple(map(corrected, thought.worths))
    if worths == thought.worths:
        return
    best, line = thought.move, thought.line
    top = max(worths, key=lambda each: each.share)
    now = next(each for each in worths if each.move == best)
    if top.share > now.share:
        best, line = top.move, (top.move,)
    found.thoughts[at] = replace(thought, move=best, worths=worths, line=line)
