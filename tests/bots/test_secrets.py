"""No bot can tell apart two games whose views and histories are equal."""

from collections import Counter
from itertools import permutations

import pytest

import benben
from benben.bots.entrants import entrant
from benben.core.player import Budget, Thought, Turn
from benben.core.random import generator
from benben.core.rules import imagine
from tests.bots.turns import play_on

BOTS = ["random", "greedy", "uct:60", "1", "2", "3"]


def _twins(position: benben.Position, seat: int) -> list[benben.Position]:
    """Every position the seat cannot tell from this one: other goals of the others."""
    text, goals = str(position).rsplit(" ", 1)
    colours = sorted({pile[0] for pile in text.split()[0].split("/")})
    found = []
    for others in permutations([c for c in colours if c != goals[seat]], len(goals) - 1):
        letters = list(others)
        letters.insert(seat, goals[seat])
        found.append(position.game.parse(f"{text} {''.join(letters)}"))
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", BOTS)
def test_equal_views_and_histories_give_equal_thoughts(name: str, players: int) -> None:
    game = benben.game("objectif", players=players)
    bot = entrant(name, game)
    stream = benben.RandomStream.seeded(players)
    position = game.deal(source=stream)
    moves: list[str] = []
    while position.to_move is not None:
        seat = position.to_move
        if len(moves) % 7 == 0 or len(moves) > 6 * (players + 2) - 3:
            thoughts: set[Thought] = set()
            starts = _twins(game.parse(str(position)), seat)
            assert len(starts) >= 3
            for twin in (starts[0], starts[-1], position):
                turn = Turn.at(_start(twin, moves, game, players), moves, twin, bot.budget, 9)
                thoughts.add(bot.player.think(turn))
            assert len(thoughts) == 1
        position, move = play_on(position, stream)
        moves.append(move)


def _start(
    twin: benben.Position, moves: list[str], game: benben.Game, players: int
) -> benben.Position:
    """The deal with the twin's goals: cards on the table are the same, goals are not."""
    dealt = str(game.deal(source=benben.RandomStream.seeded(players))).rsplit(" ", 1)[0]
    return game.parse(f"{dealt} {str(twin).rsplit(' ', 1)[1]}")


def test_goals_are_imagined_as_often_as_they_can_be() -> None:
    """The search's guesses at what is hidden: all that can be, alike, anew each time."""
    game = benben.game("objectif", players=3)
    position = game.deal(seed=2)
    view = position.view(1)
    random = generator(1)
    seen: Counter[str] = Counter()
    for _ in range(6000):
        a = view.record
        imagine(a[0], random)
        seen[str(benben.Position(game, a))] += 1
    assert set(seen) == {str(twin) for twin in _twins(position, 1)}
    assert len(seen) == 4 * 3
    assert all(400 < times < 600 for times in seen.values())


def test_time_budgets_see_no_more() -> None:
    game = benben.game("objectif", players=3)
    position = game.deal(seed=2)
    seat = position.to_move
    assert seat is not None
    views = {Turn.at(p, (), p, Budget(seconds=1)).view for p in _twins(position, seat)}
    assert len(views) == 1
