"""Tree search: same seed same move, honest about what it knows, stopped when it is told to."""

import time
from threading import Event, Thread

import pytest

import benben
from benben.bots import uct
from benben.bots.uct import UctPlayer
from benben.core.player import Budget, Cancelled, Thought, Turn
from tests.bots.turns import some_turn, turns
from tests.configurations import GAMES, LABELS


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_it_plays_legal_moves_and_values_all_of_them(game: benben.Game) -> None:
    for turn in turns(game, seed=2):
        thought = UctPlayer().think(turn)
        assert thought.move in turn.moves
        assert [worth.move for worth in thought.worths] == list(turn.moves)
        assert all(0 <= worth.share <= 1 and 0 < worth.error <= 0.5 for worth in thought.worths)
        assert thought.simulations == turn.budget.simulations


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_the_same_seed_thinks_the_same(game: benben.Game, threads: int) -> None:
    turn = some_turn(game, 3, Budget(simulations=500))
    first = UctPlayer(threads).think(turn)
    assert first == UctPlayer(threads).think(turn)
    assert first.simulations == 500


def test_slices_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = some_turn(benben.game("quadrille"), 4, Budget(simulations=700))
    whole = UctPlayer().think(turn)
    monkeypatch.setattr(uct, "SLICE", 1e-9)
    assert UctPlayer().think(turn) == whole


def test_another_seed_thinks_otherwise() -> None:
    game = benben.game("objectif")
    position = game.deal(seed=1)
    seen = {
        UctPlayer().think(Turn.at(position, (), position, Budget(simulations=100), seed)).worths
        for seed in range(5)
    }
    assert len(seen) == 5


def test_two_threads_share_an_odd_budget() -> None:
    turn = some_turn(benben.game("quadrille"), 4, Budget(simulations=101))
    assert UctPlayer(threads=2).think(turn).simulations == 101
    assert UctPlayer(threads=4).think(turn).simulations == 101
    one = some_turn(benben.game("quadrille"), 4, Budget(simulations=1))
    assert UctPlayer(threads=2).think(one).simulations == 1
    with pytest.raises(ValueError, match="threads must be 1 or more"):
        UctPlayer(threads=0)


def test_a_forced_move_takes_no_time() -> None:
    game = benben.game("pyramidis", players=2, first=1)
    position = game.parse("d2=bm,d3=bm,d4=bm,d5=bm,d6=bbbbm,d8=mmm b0m0 b 0")
    turn = Turn.at(position, (), position, Budget(seconds=60))
    assert turn.moves == ("pass",)
    assert UctPlayer().think(turn).simulations == uct.FORCED


def test_a_win_at_once_is_played() -> None:
    game = benben.game("pyramidis", players=2)
    position = game.parse("d2=bbb,d8=mmm,e2=b,e7=m b4m4 b 0")
    winning = [move for move in position.moves() if position.play(move).result is not None]
    assert winning
    thought = UctPlayer().think(Turn.at(position, (), position, Budget(simulations=300)))
    assert thought.move in winning
    worth = next(worth for worth in thought.worths if worth.move == thought.move)
    assert worth.share == 1.0
    assert 0 < worth.error < 0.2


def test_worths_come_near_the_truth() -> None:
    """With one Pièce left for each, the value of a move can be counted over all unseen goals."""
    turn = [*turns(benben.game("objectif"), seed=5, budget=Budget(simulations=4000))][-1]
    game, seat = turn.view.game, turn.seat
    text, goals = str(turn.view).rsplit(" ", 1)
    in_game = {pile[0] for pile in text.split()[0].split("/")}
    unseen = sorted(in_game - set(goals))
    ends = [game.parse(f"{text} {goals.replace('?', goal)}") for goal in unseen]
    assert len(ends) == 3
    for worth in UctPlayer().think(turn).worths:
        results = [end.play(worth.move).result for end in ends]
        exact = sum(result.shares[seat] for result in results if result is not None) / len(ends)
        assert abs(worth.share - exact) < 5 * worth.error + 0.01


def test_time_is_a_budget_too() -> None:
    turn = some_turn(benben.game("batisseurs"), 0, Budget(seconds=0.05))
    assert UctPlayer().think(turn).simulations > 10


def test_of_both_budgets_the_first_to_end_counts() -> None:
    start = benben.game("batisseurs")
    hurried = some_turn(start, 0, Budget(simulations=100_000_000, seconds=0.05))
    assert 10 < UctPlayer().think(hurried).simulations < 100_000_000
    few = some_turn(start, 0, Budget(simulations=500, seconds=3600))
    assert UctPlayer().think(few) == UctPlayer().think(some_turn(start, 0, Budget(simulations=500)))


def test_a_full_tree_learns_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """However small the largest tree is, every simulation is made."""
    turn = some_turn(benben.game("batisseurs"), 0, Budget(simulations=5_000))
    large = UctPlayer().think(turn)
    monkeypatch.setattr(uct, "LARGEST", 50)
    small = UctPlayer().think(turn)
    assert small.simulations == large.simulations == 5_000
    assert small.worths != large.worths
    assert all(worth.error < 0.1 for worth in small.worths)


@pytest.mark.parametrize("threads", [1, 2])
def test_thinking_can_be_cancelled(threads: int) -> None:
    """Times are for bench/; here: an hour's thought ends at once, with what there was of it."""
    game = benben.game("quadrille")
    position = game.deal()
    stop = Event()
    turn = Turn.at(position, (), position, Budget(seconds=3600), 1, stop)
    found: list[Thought | None] = []

    def think() -> None:
        try:
            UctPlayer(threads).think(turn)
        except Cancelled as cancelled:
            found.append(cancelled.thought)

    thinking = Thread(target=think)
    thinking.start()
    time.sleep(0.1)
    stop.set()
    thinking.join(timeout=30)
    assert not thinking.is_alive()
    assert found
    assert found[0] is not None
    assert found[0].move in turn.moves


def test_cancelled_before_it_began() -> None:
    stop = Event()
    stop.set()
    position = benben.game("quadrille").deal()
    with pytest.raises(Cancelled) as cancelled:
        UctPlayer().think(Turn.at(position, (), position, Budget(simulations=10), 0, stop))
    assert cancelled.value.thought is None
