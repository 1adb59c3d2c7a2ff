"""What a player is given: only what its seat may see, and only when it has something to decide."""

import dataclasses
import pickle
import time

import pytest

import benben
from benben.core.errors import BadBudget, NotToMove
from benben.core.player import Budget, History, Turn
from benben.core.position import Position, View
from tests.bots.turns import FEW, play_on


@pytest.mark.parametrize(
    ("simulations", "seconds"),
    [
        (0, None),
        (-1, None),
        (2.5, None),
        (10**9, None),
        (None, 0.0),
        (None, -1.0),
        (None, float("nan")),
        (None, float("inf")),
        (None, 1e9),
        (None, None),
        (0, 1.0),
        (1, 0.0),
    ],
)
def test_a_budget_of_nothing_or_too_much_is_refused(simulations: int, seconds: float) -> None:
    with pytest.raises(BadBudget, match=r"must be|at least one"):
        Budget(simulations, seconds)


def test_a_budget_is_cut_and_never_raised() -> None:
    both = Budget(simulations=9, seconds=0.5)
    assert both.within(0.2) == Budget(simulations=9, seconds=0.2)
    assert both.within(0.5) == both.within(0.7) == both
    assert Budget(seconds=0.5).within(0.2) == Budget(seconds=0.2)
    with pytest.raises(BadBudget):
        both.within(0.0)


def test_seconds_of_work_do_not_pass_while_others_work() -> None:
    budget = Budget(seconds=1.0, cpu=True)
    begun, clock = budget.now(), Budget(seconds=1.0).now()
    time.sleep(0.05)
    assert budget.now() - begun < 0.04 < Budget(seconds=1.0).now() - clock
    assert budget.within(0.5) == Budget(seconds=0.5, cpu=True) != Budget(seconds=0.5)


def test_there_is_nothing_to_decide_in_a_finished_game() -> None:
    stream = benben.RandomStream.seeded(1)
    start = position = benben.game("quadrille").deal()
    moves = []
    while position.to_move is not None:
        position, move = play_on(position, stream)
        moves.append(move)
    with pytest.raises(NotToMove, match="the game is over"):
        Turn.at(start, moves, position, FEW)


def test_there_is_nothing_to_decide_before_a_throw() -> None:
    start = benben.game("batisseurs").deal()
    with pytest.raises(NotToMove, match="a throw is due"):
        Turn.at(start, (), start, FEW)


def test_a_turn_is_of_the_seat_to_move() -> None:
    start = benben.game("objectif", first=1).deal(seed=1)
    for seat, whose in ((1, "seat 2"), (None, "a spectator")):
        view = start.view(seat)
        with pytest.raises(NotToMove, match=f"seat 1 is to move, .* {whose}"):
            Turn(view, History(view), tuple(view.moves()), FEW)
    with pytest.raises(BadBudget, match="seed=-1"):
        Turn.at(start, (), start, FEW, seed=-1)


def _held(thing: object, seen: set[int]) -> list[object]:
    """Everything a thing refers to through fields and containers."""
    if id(thing) in seen:
        return []
    seen.add(id(thing))
    inside: list[object] = []
    if dataclasses.is_dataclass(thing):
        inside = [getattr(thing, field.name) for field in dataclasses.fields(thing)]
    elif isinstance(thing, (tuple, list)):
        inside = list(thing)
    return [thing, *(each for part in inside for each in _held(part, seen))]


def test_no_position_is_within_reach_of_a_player() -> None:
    start = benben.game("objectif", players=4).deal(seed=3)
    turn = Turn.at(start, (), start, FEW)
    held = _held(turn, set())
    assert [type(each) for each in held].count(View) == 2
    assert not [each for each in held if isinstance(each, Position)]
    goals = str(start).split()[-1]
    seen = "".join(goal if seat == turn.seat else "?" for seat, goal in enumerate(goals))
    assert pickle.loads(pickle.dumps(turn.view)) == turn.view
    assert str(turn.view).split()[-1] == str(turn.history.start).split()[-1] == seen
