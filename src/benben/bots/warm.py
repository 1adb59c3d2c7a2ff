"""Compile the bots' kernels before they are needed; `python -m benben.bots.warm` compiles all."""

from collections.abc import Iterator

from benben.bots.exact import SOLVED, solution
from benben.bots.greedy import GreedyPlayer
from benben.bots.uct import UctPlayer
from benben.core.chance import RandomStream
from benben.core.game import Game
from benben.core.player import Budget, Turn
from benben.core.registry import game as find
from benben.core.registry import names
from benben.core.rules import CHANCE
from benben.core.warm import RULES, Warming, warm_up


def _use_bots(game: Game) -> Iterator[str]:
    stream = RandomStream.seeded(0)
    start = position = game.deal(source=stream)
    moves: list[str] = []
    while position.to_move == CHANCE:
        moves.append(position.draw(stream))
        position = position.play(moves[-1])
    turn = Turn.at(start, moves, position, Budget(simulations=1))
    GreedyPlayer().think(turn)
    yield "greedy"
    UctPlayer().think(turn)
    yield "search"
    for name, players in SOLVED:
        if name == game.name:  # whatever is played now, all of a game is ready or nothing is
            solved = find(name, players=players)
            solution(solved).worths(solved.deal(seed=0).record)
    yield "solution"


BOTS = Warming("bots", ("greedy", "search", "solution"), _use_bots)


if __name__ == "__main__":
    for name in names():
        for warming in (RULES, BOTS):
            for _ in warm_up(find(name), warming):
                pass
