"""Best-first search for several: legal, repeatable, honest about what is proven."""

from threading import Event, Thread

import numpy as np
import pytest

import benben
from benben.bots import bestfirst
from benben.bots.bestfirst import BestFirstPlayer
from benben.core.player import Budget, Cancelled, Turn
from benben.core.position import Position
from tests.bots.turns import some_turn, turns

FOUR = benben.game("pyramidis", players=4)
GAMES = [FOUR, benben.game("pyramidis", players=2)]
SOME = Budget(simulations=300)
SHORT = 7  # moves that every reply can be tried of


def _turn(position: Position, budget: Budget) -> Turn:
    return Turn.at(position, (), position, budget)


@pytest.mark.parametrize("game", GAMES, ids=["four", "two"])
def test_it_plays_legal_moves_and_values_all_of_them(game: benben.Game) -> None:
    for turn in turns(game, seed=2, budget=SOME):
        thought = BestFirstPlayer().think(turn)
        assert thought.move in turn.moves
        assert [worth.move for worth in thought.worths] == list(turn.moves)
        assert all(0 <= worth.share <= 1 and 0 <= worth.error <= 0.5 for worth in thought.worths)
        position = turn.view.game.parse(str(turn.view))
        for move in thought.line:
            position = position.play(move)


def test_slices_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = some_turn(FOUR, 12, Budget(simulations=5000))
    whole = BestFirstPlayer().think(turn)
    assert whole == BestFirstPlayer().think(turn)
    monkeypatch.setattr(bestfirst, "SLICE", 1e-9)
    assert BestFirstPlayer().think(turn) == whole


def test_nothing_is_searched_where_there_is_one_move() -> None:
    turn = next(turn for turn in turns(FOUR, 3, Budget(seconds=60)) if len(turn.moves) == 1)
    thought = BestFirstPlayer().think(turn)
    assert thought.move == turn.moves[0]
    assert thought.simulations <= 2


@pytest.mark.parametrize(
    ("text", "move"),
    {
        "d5=m,d7=m,d8=b,e1=m,e2=m,e4=bm,e5=mbmbb b3m1 b 4": "e5",
        "d3=b,d4=b,e3=b,e4=bmm,e7=mbm,e8=b b2m4 m 1": "e7",
    }.items(),
)
def test_a_win_at_once_is_taken(text: str, move: str) -> None:
    position = benben.game("pyramidis", players=2).parse(text)
    thought = BestFirstPlayer().think(_turn(position, SOME))
    assert thought.move == move
    worth = thought.worths[position.moves().index(move)]
    assert (worth.share, worth.error, worth.certainty) == (1.0, 0.0, "proven")


def test_what_is_proven_for_two_is_so() -> None:
    """A move that is proven to win does so within the line it tells, whatever is replied."""
    game = benben.game("pyramidis", players=2)
    proven = 0
    for seed in range(4):
        for turn in turns(game, seed, Budget(simulations=2000)):
            thought = BestFirstPlayer().think(turn)
            worth = thought.worths[turn.moves.index(thought.move)]
            position = game.parse(str(turn.view)).play(thought.move)
            if worth.certainty == "proven" and worth.share == 1.0 and len(thought.line) <= SHORT:
                assert _wins(position, turn.seat, len(thought.line) - 1)
                proven += 1
    assert proven > 3


def _wins(position: Position, seat: int, plies: int) -> bool:
    if position.result is not None:
        return position.result.shares[seat] == 1.0
    if plies == 0:
        return False
    after = (_wins(position.play(move), seat, plies - 1) for move in position.moves())
    return any(after) if position.to_move == seat else all(after)


def test_more_thought_plays_better() -> None:
    """One that looks at a thousand nodes wins more than its share among those of one move ahead."""
    won = 0.0
    for seed in range(6):
        for seat in range(4):
            position = FOUR.deal(seed=seed)
            drawn = np.random.default_rng(seed)
            while position.to_move is not None:
                nodes = 1000 if position.to_move == seat else 2
                moves = position.moves()
                move = BestFirstPlayer().think(_turn(position, Budget(simulations=nodes))).move
                if drawn.random() < 0.1:
                    move = moves[drawn.integers(len(moves))]
                position = position.play(move)
            assert position.result is not None
            won += position.result.shares[seat]
    assert won > 9


def test_a_search_ends_when_it_is_cancelled() -> None:
    stop, ended = Event(), Event()
    position = FOUR.deal(seed=1)
    turn = Turn.at(position, (), position, Budget(seconds=600), 1, stop)

    def think() -> None:
        with pytest.raises(Cancelled):
            BestFirstPlayer().think(turn)
        ended.set()

    thread = Thread(target=think)
    thread.start()
    stop.set()
    thread.join(60)
    assert ended.is_set()


@pytest.mark.slow
def test_a_search_ends_where_all_that_matters_is_proven() -> None:
    """One move is proven to draw, and the others are so bad that they are never looked at again."""
    game = benben.game("quadrille")
    position = game.parse(
        "...(yo).(yo)(ob)(yb)/(by)....(ro)(by)./(oy)...o.(or)./(by)(ry).r...(ro)/"
        "...(yo).(yr)(or)(yo)/b.(bo)(rb)(br)(rb)(br)(rb) a4,d3 a1,f5 b step y - 47"
    )
    thought = BestFirstPlayer().think(_turn(position, Budget(simulations=4000)))
    assert thought.move in position.moves()
