"""Alpha-beta search: what it finds is what a plain search by the rules finds."""

from threading import Event, Thread

import numpy as np
import pytest

import benben
from benben.bots import alphabeta
from benben.bots.alphabeta import AlphaBetaPlayer
from benben.bots.net import Net, blank_net, load, logit, scratch_for
from benben.core.errors import BenbenError
from benben.core.kernel import States, kernel
from benben.core.player import Budget, Cancelled, Thought, Turn
from benben.core.position import Position
from benben.core.rules import key

PYRAMIDIS = benben.game("pyramidis", players=2, first=1)
# One move wins here at once, and another does not.
WINS = {
    "d5=m,d7=m,d8=b,e1=m,e2=m,e4=bm,e5=mbmbb b3m1 b 4": "e5",
    "d3=b,d4=b,e3=b,e4=bmm,e7=mbm,e8=b b2m4 m 1": "e7",
}


@pytest.fixture(scope="module")
def net() -> Net:
    """Weights drawn once: any opinion will do."""
    learnt = load("pyramidis", 2)
    assert learnt is not None
    drawn = np.random.default_rng(7)
    other = blank_net(len(learnt.rows), 16)
    for part in other:
        part[...] = drawn.normal(0.2, 0.3, part.shape)
    return other


def _turn(position: Position, budget: Budget, seed: int = 0) -> Turn:
    return Turn.at(position, (), position, budget, seed)


def _late(seed: int, plies: int) -> Position:
    """A position some random plies into a game that is not over."""
    stream = benben.RandomStream.seeded(seed)
    position = PYRAMIDIS.deal(source=stream)
    for _ in range(plies):
        moves = position.moves()
        after = position.play(moves[stream.below(len(moves))])
        if after.to_move is None:
            break
        position = after
    return position


def _share(position: Position, seat: int, depth: int, net: Net) -> float:
    """What a plain search finds, without windows, tables or an order of moves."""
    if position.result is not None:
        return position.result.shares[seat]
    turn = position.to_move
    assert turn is not None
    if depth == 0:
        work = scratch_for(net, PYRAMIDIS)
        share = 1 / (1 + np.exp(-logit(net, position.record[0], turn, work)))
        return float(share if turn == seat else 1 - share)
    shares = [_share(position.play(move), seat, depth - 1, net) for move in position.moves()]
    return max(shares) if turn == seat else min(shares)


@pytest.mark.parametrize("seed", range(6))
def test_every_move_is_worth_what_a_plain_search_says(seed: int, net: Net) -> None:
    position = _late(seed, 10 + 6 * seed)
    seat = position.to_move
    assert seat is not None
    player = AlphaBetaPlayer(depth=2, thorough=True, net=net)
    thought = player.think(_turn(position, Budget(simulations=1_000_000)))
    if len(position.moves()) == 1:
        assert thought.simulations == 0
        return
    expected = [_share(position.play(move), seat, 1, net) for move in position.moves()]
    assert [worth.share for worth in thought.worths] == pytest.approx(expected, abs=1e-3)
    best = position.moves().index(thought.move)
    assert expected[best] == pytest.approx(max(expected), abs=1e-3)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_proven_is_so(seed: int) -> None:
    """Wins and losses found near the end are those of a search of every line to its end."""
    thought, position = _proven(seed)
    seat = position.to_move
    assert seat is not None
    won = next(worth for worth in thought.worths if worth.move == thought.move).share
    assert won in (0.0, 1.0)
    after = position.play(thought.move)
    assert _forced(after, seat if won else 1 - seat, len(thought.line) - 1)


def _proven(seed: int) -> tuple[Thought, Position]:
    """The first late position of some games whose result a short search proves."""
    player = AlphaBetaPlayer(depth=5)
    for plies in range(30, 120, 3):
        position = _late(100 * seed + plies, plies)
        thought = player.think(_turn(position, Budget(simulations=20_000)))
        best = [worth for worth in thought.worths if worth.move == thought.move]
        if best and best[0].certainty == "proven" and len(position.moves()) > 1:
            return thought, position
    raise AssertionError("no position was decided")


def _forced(position: Position, winner: int, plies: int) -> bool:
    """Whether the winner has won within so many plies, whatever the other does."""
    if position.result is not None:
        return position.result.shares[winner] == 1.0
    if plies <= 0:
        return False
    afters = (_forced(position.play(move), winner, plies - 1) for move in position.moves())
    return any(afters) if position.to_move == winner else all(afters)


@pytest.mark.parametrize(("text", "move"), WINS.items())
def test_a_win_at_once_is_taken(text: str, move: str) -> None:
    position = PYRAMIDIS.parse(text)
    for budget in (Budget(simulations=10), Budget(seconds=0.05)):
        thought = AlphaBetaPlayer().think(_turn(position, budget))
        assert thought.move == move
        worth = thought.worths[position.moves().index(move)]
        assert (worth.share, worth.error, worth.certainty) == (1.0, 0.0, "proven")


def test_the_same_nodes_give_the_same_thought_however_they_are_sliced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = _late(3, 20)
    thoughts = []
    for size in (1000, 7, 333):
        monkeypatch.setattr(alphabeta, "SLICE", size)
        thoughts.append(AlphaBetaPlayer().think(_turn(position, Budget(simulations=3000))))
    assert thoughts[0] == thoughts[1] == thoughts[2]
    assert thoughts[0].simulations == 3000


def test_the_line_can_be_played_and_begins_with_the_move() -> None:
    position = _late(5, 20)
    thought = AlphaBetaPlayer().think(_turn(position, Budget(simulations=3000)))
    assert thought.line[0] == thought.move
    assert len(thought.line) > 2
    for move in thought.line:
        position = position.play(move)


def test_nothing_is_searched_where_there_is_one_move() -> None:
    late = (_late(seed, 60) for seed in range(1000))
    position = next(each for each in late if len(each.moves()) == 1)
    thought = AlphaBetaPlayer().think(_turn(position, Budget(seconds=60)))
    assert (thought.move, thought.simulations) == (position.moves()[0], 0)


def test_a_player_goes_on_from_its_own_last_thought_and_from_nobody_elses() -> None:
    start = benben.game("pyramidis", players=2).deal(seed=1)
    turn = Turn.at(start, (), start, Budget(seconds=0.05))
    first, other = AlphaBetaPlayer(), AlphaBetaPlayer()
    first.think(turn)
    (table,) = first._kept.values()
    known = np.count_nonzero(table["age"])
    other.think(turn)
    (others,) = other._kept.values()
    assert not np.shares_memory(table, others)
    assert np.count_nonzero(table["age"]) == known > 0
    first.think(turn)
    (again,) = first._kept.values()
    assert again is table
    first.close()
    assert not first._kept


def test_who_overlooks_moves_errs_otherwise_with_another_seed() -> None:
    position = _late(3, 20)
    player = AlphaBetaPlayer(depth=2, blind=0.5, blur=2.0)
    moves = set()
    for seed in range(30):
        thought = player.think(_turn(position, Budget(simulations=3000), seed))
        assert thought == player.think(_turn(position, Budget(simulations=3000), seed))
        assert thought.worths == ()
        moves.add(thought.move)
    assert len(moves) > 2


def test_a_search_ends_when_it_is_cancelled() -> None:
    stop, ended = Event(), Event()
    position = _late(3, 10)
    turn = Turn.at(position, (), position, Budget(seconds=600), 1, stop)

    def think() -> None:
        with pytest.raises(Cancelled):
            AlphaBetaPlayer().think(turn)
        ended.set()

    thread = Thread(target=think)
    thread.start()
    stop.set()
    thread.join(60)
    assert ended.is_set()


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("pyramidis", "d1=bbbbb,d2=b,d3=b,d4=b,d8=mmmmmmmm b0m0 m {quiet}"),
        ("quadrille", None),
    ],
)
def test_quiet_moves_tell_positions_apart_only_when_they_matter(
    game: str, text: str | None
) -> None:
    chosen = benben.game(game, players=2)
    position = chosen.deal(seed=1) if text is None else chosen.parse(text.format(quiet=0))
    limit = chosen.rules.QUIET_DRAW
    keys = []
    for quiet in (0, 5, limit - 3, limit - 2):
        record = position.record.copy()
        record["quiet"] = quiet
        keys.append(_key(record))
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


@kernel
def _key(a: States) -> int:
    return key(a[0])


def test_it_is_for_two() -> None:
    four = benben.game("pyramidis", players=4).deal(seed=1)
    with pytest.raises(BenbenError, match="for 2 players, and pyramidis has 4"):
        AlphaBetaPlayer().think(_turn(four, Budget(10)))
