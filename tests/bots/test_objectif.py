"""The player of objectif: what it believes, what it is told, and that it keeps to what it may."""

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from threading import Event

import numpy as np
import pytest

import benben
from benben.bots.entrants import Entrant
from benben.bots.greedy import GreedyPlayer
from benben.bots.objectif import player as player_module
from benben.bots.objectif.belief import (
    ALL,
    at_random,
    distinct_moves,
    expect,
    kind_of,
    list_worlds,
    marginals,
    weigh,
)
from benben.bots.objectif.net import INPUTS, Net, logistic, logit_now, net_for, scratch
from benben.bots.objectif.player import ObjectifPlayer, Study
from benben.bots.objectif.reader import (
    LookAhead,
    Reader,
    at_a_glance,
    attention,
    belief_of,
    believe,
)
from benben.bots.objectif.training import Training
from benben.bots.random import RandomPlayer
from benben.bots.uct import UctPlayer
from benben.core.player import Budget, Cancelled, History, Player, Thought, Turn
from benben.core.position import Position
from benben.games.objectif.evaluation import FEATURES, MOST_FEATURES, features
from benben.lab.match import Played, play_match
from tests.bots.turns import play_on, some_turn, turns
from tests.sizes import LONG, rotating

GAMES = [
    benben.game("objectif", players=players, mode=mode)
    for players, mode in ((2, "random"), (2, "fair"), (3, "random"), (3, "fair"), (4, "random"))
]
IDS = [f"{game.players} {game.options['mode']}" for game in GAMES]


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_it_plays_legal_moves_and_values_all_of_them(game: benben.Game) -> None:
    player = ObjectifPlayer()
    for turn in turns(game, seed=2):
        thought = player.think(turn)
        assert thought.move in turn.moves
        assert [worth.move for worth in thought.worths] == list(turn.moves)
        assert all(0 <= worth.share <= 1 and 0 <= worth.error <= 0.5 for worth in thought.worths)
        assert 1 <= thought.simulations <= 40


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_beliefs_are_chances_and_the_own_goal_is_certain(game: benben.Game) -> None:
    player = ObjectifPlayer()
    for turn in turns(game, seed=3, budget=Budget(simulations=1)):
        belief = player.think(turn).belief
        own = int(turn.view.record[0].goal[turn.seat])
        assert [sum(chances) for chances in belief] == pytest.approx([1] * game.players)
        assert belief[turn.seat][own - 1] == pytest.approx(1)
        assert all(belief[seat][own - 1] == 0 for seat in range(game.players) if seat != turn.seat)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_before_anybody_has_moved_all_worlds_are_alike(players: int) -> None:
    start = benben.game("objectif", players=players).deal(seed=1)
    for seat, worlds in ((None, (12, 60, 360)), (0, (3, 12, 60))):
        view = start.view(seat)
        chances = [chance for _, chance in believe(view, start.view(seat), ()).worlds]
        assert len(chances) == worlds[players - 2]
        assert chances == pytest.approx([1 / len(chances)] * len(chances))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_worlds_are_all_ways_to_have_different_colours(players: int) -> None:
    record = benben.game("objectif", players=players).deal(seed=5).record
    inside = [colour for colour in range(1, ALL) if int(record[0].colours) >> colour & 1]
    nobody = (0,) * (4 - players)
    expected = [(*goals, *nobody) for goals in permutations(inside, players)]
    assert [tuple(world) for world in list_worlds(record).tolist()] == expected


def _blatant(position: Position) -> str:
    """The move of one who only covers other colours with the own one, for all to see."""
    goal = str(position).split()[-1][position.to_move or 0]
    piles = str(position).split()[0].split("/")
    own = [
        m for m in position.moves() if m[0] == goal and piles[int(m[2:]) - 1][-1].lower() != goal
    ]
    return (own or position.moves())[0]


def test_who_plays_the_own_colour_for_all_to_see_is_seen_through() -> None:
    seen = []
    for seed in range(8):
        start = position = benben.game("objectif", mode="fair", first=1).deal(seed=seed)
        moves: list[str] = []
        stream = benben.RandomStream.seeded(seed)
        for _ in range(6):
            moves.append(_blatant(position))
            position, move = play_on(position.play(moves[-1]), stream)
            moves.append(move)
        goal = int(start.record[0].goal[0])
        seen.append(believe(start.view(1), start.view(1), moves).marginals()[0][goal - 1])
    assert np.mean(seen) > 0.5  # a guess would be right once in three


def test_who_looks_ahead_and_hides_is_read_by_looking_ahead() -> None:
    """One who hides from those who read at a glance hardly tells them its goal."""
    game, subject = GAMES[0], ObjectifPlayer(studies=False)
    glanced: list[float] = []
    studied: list[float] = []
    for seed in range(8 if LONG else 4):
        seats = [Entrant(name, subject, Budget(simulations=800)) for name in "ab"]
        played = play_match(game, seats, seed)
        turn = Turn.at(played.start, (), played.start, Budget(simulations=4000))
        study = Study(turn, begun=0, positions=len(played.moves))
        for look_ahead, beliefs in ((at_a_glance, glanced), (study, studied)):
            beliefs += _beliefs_in_the_truth(played, look_ahead)
    assert np.log(studied).mean() > np.log(glanced).mean() + 0.1


def _beliefs_in_the_truth(played: Played, look_ahead: LookAhead) -> Iterator[float]:
    """What the other of two seats believes of the true goal after each move."""
    reader, position = Reader(), played.start
    goals = position.record[0].goal
    for number, _ in enumerate(reader.steps(position.view(None), played.moves, look_ahead)):
        mover = position.to_move
        assert mover is not None
        position = position.play(played.moves[number])
        belief = belief_of(played.start.view(1 - mover), reader.worlds, reader.evidence)
        yield belief.marginals()[mover][int(goals[mover]) - 1]


def test_a_turn_is_read_the_same_whatever_was_read_before() -> None:
    """By who follows a game, and by who comes to it late."""
    game, budget = GAMES[0], Budget(simulations=60)
    follower = ObjectifPlayer()
    for turn in turns(game, seed=4, budget=budget):
        assert follower.think(turn) == ObjectifPlayer().think(turn)


def test_who_has_not_read_the_others_is_found_out() -> None:
    """Greedy has not, and the best player has; who has not moved may be either."""
    game = GAMES[0]
    seen: list[list[float]] = []
    for subject in (GreedyPlayer(), ObjectifPlayer(hides=False)):
        seen.append([])
        for seed in range(6):
            seats = [Entrant("us", ObjectifPlayer(), Budget(simulations=100))]
            seats.insert(seed % 2, Entrant("subject", subject, Budget(simulations=100)))
            played = play_match(game, seats, seed)
            reader = Reader()
            start = played.start.view(None)
            assert attention(list_worlds(start.record), reader.follow(start, ())) == pytest.approx(
                [0.5] * 4
            )
            evidence = reader.follow(start, played.moves)
            seen[-1].append(attention(reader.worlds, evidence)[seed % 2])
    assert np.mean(seen[0]) < 0.2
    assert np.mean(seen[1]) > 0.5


def test_who_moves_at_random_is_found_out() -> None:
    """And who does not is not taken for it; but nobody who reads at a glance thinks of it."""
    seen: list[list[float]] = []
    for subject in (RandomPlayer(), GreedyPlayer(), ObjectifPlayer()):
        seen.append([])
        for seed in range(4):
            seats = [Entrant("us", ObjectifPlayer(), Budget(simulations=100))]
            seats.insert(seed % 2, Entrant("subject", subject, Budget(simulations=100)))
            played = play_match(GAMES[0], seats, seed)
            turn = Turn.at(played.start, (), played.start, Budget(simulations=400))
            study = Study(turn, begun=0, positions=len(played.moves))
            assert _aimlessness(played, at_a_glance)[seed % 2] == 0
            seen[-1].append(_aimlessness(played, study)[seed % 2])
    assert np.mean(seen[0]) > 0.7
    assert max(np.mean(seen[1]), np.mean(seen[2])) < 0.1


def _aimlessness(played: Played, look_ahead: LookAhead) -> list[float]:
    """How likely each seat is taken to move at random, after a game."""
    reader = Reader()
    for _ in reader.steps(played.start.view(None), played.moves, look_ahead):
        pass
    weights, known, chances = np.empty(len(reader.worlds)), np.empty((4, ALL)), np.empty(4)
    weigh(reader.worlds, reader.evidence, weights)
    marginals(reader.worlds, weights, known)
    at_random(known, reader.evidence, chances)
    return chances.tolist()


@pytest.mark.slow
@rotating("game", GAMES)
def test_the_line_is_legal_and_begins_with_the_move(game: benben.Game) -> None:
    longest = 0
    for turn in turns(game, seed=5, budget=Budget(simulations=500)):
        thought = ObjectifPlayer().think(turn)
        view = turn.view
        for move in thought.line:
            assert move in view.moves()
            if view.record[0].left > 1:  # the last piece of all would show the goals
                view = view.play(move)
        assert thought.line[0] == thought.move
        longest = max(longest, len(thought.line))
    assert longest > 1


def test_a_reader_that_followed_knows_what_one_that_reads_again_knows() -> None:
    game = benben.game("objectif", players=3)
    following = Reader()
    for turn in turns(game, seed=4):
        history = turn.history
        again = Reader().follow(history.start, history.moves)
        assert np.array_equal(following.follow(history.start, history.moves), again)


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_the_same_seed_thinks_the_same(game: benben.Game) -> None:
    turn = some_turn(game, 7, Budget(simulations=300))
    first = ObjectifPlayer().think(turn)
    assert first == ObjectifPlayer().think(turn)
    assert first.simulations == 300


def test_slices_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = some_turn(GAMES[0], 4, Budget(simulations=700))
    whole = ObjectifPlayer().think(turn)
    monkeypatch.setattr(player_module, "SLICE", 1e-9)
    assert ObjectifPlayer().think(turn) == whole


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_equal_views_and_histories_give_equal_thoughts(players: int) -> None:
    game = benben.game("objectif", players=players)
    start = game.deal(seed=9)
    text, goals = str(start).rsplit(" ", 1)
    others = [c for c in sorted({pile[0] for pile in text.split()[0].split("/")}) if c != goals[0]]
    thoughts: set[Thought] = set()
    for picked in permutations(others, players - 1):
        twin = position = game.parse(f"{text} {goals[0]}{''.join(picked)}")
        moves: list[str] = []
        stream = benben.RandomStream.seeded(1)
        while position.to_move != 0 or len(moves) < 8:
            position, move = play_on(position, stream)
            moves.append(move)
        turn = Turn.at(twin, moves, position, Budget(simulations=60), 9)
        thoughts.add(ObjectifPlayer().think(turn))
    assert len(thoughts) == 1


def test_it_plays_without_a_history() -> None:
    turn = some_turn(GAMES[0], 11)
    bare = Turn(turn.view, History(turn.view), turn.moves, turn.budget, turn.seed)
    thought = ObjectifPlayer().think(bare)
    assert thought.move in turn.moves
    assert sorted(thought.belief[1 - turn.seat])[-3:] == pytest.approx([1 / 3] * 3)


def test_it_stops_when_it_is_cancelled() -> None:
    stop = Event()
    stop.set()
    start = GAMES[0].deal(seed=1)
    turn = Turn.at(start, (), start, Budget(seconds=60), 1, stop)
    with pytest.raises(Cancelled) as cancelled:
        ObjectifPlayer().think(turn)
    assert cancelled.value.thought is not None
    position, move = play_on(start, benben.RandomStream.seeded(1))
    with pytest.raises(Cancelled):
        ObjectifPlayer().think(Turn.at(start, [move], position, Budget(seconds=60), 1, stop))


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_the_last_move_is_known_to_be_the_best_one_without_a_search(game: benben.Game) -> None:
    for seed in range(5):
        *_, last = turns(game, seed=seed, budget=Budget(seconds=600))
        thought = ObjectifPlayer(studies=False).think(last)
        shares = {worth.move: worth.share for worth in thought.worths}
        assert thought.simulations == 1
        assert shares[thought.move] == max(shares.values())
        assert {worth.error for worth in thought.worths} == {0}
        possible = believe(last.view, last.history.start, last.history.moves)
        for move in last.moves[::5]:
            expected = sum(chance * _share(last, move, goals) for goals, chance in possible.worlds)
            assert shares[move] == pytest.approx(expected)


def _share(turn: Turn, move: str, goals: tuple[int, ...]) -> float:
    """What a last move brings, if those are the goals."""
    text = str(turn.view).rsplit(" ", 1)[0]
    letters = "".join("?ogbpyv"[goal] for goal in goals)
    result = turn.view.game.parse(f"{text} {letters}").play(move).result
    assert result is not None
    return result.shares[turn.seat]


def test_places_that_are_alike_are_worth_the_same() -> None:
    turn = some_turn(GAMES[0], 5)
    record, game = turn.view.record, turn.view.game
    worths: dict[int, set[float]] = {}
    for worth in ObjectifPlayer().think(turn).worths:
        worths.setdefault(kind_of(record, game.code(worth.move)), set()).add(worth.share)
    every, listed, alike = (np.empty(game.rules.MOST_MOVES, np.int64) for _ in range(3))
    n = distinct_moves(record[0], every, listed, alike)
    assert sorted(worths) == sorted(listed[:n].tolist())
    assert all(len(shares) == 1 for shares in worths.values())
    assert alike[:n].sum() == len(turn.moves)


# ---- The net


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_every_position_has_features_of_every_kind(game: benben.Game) -> None:
    out = np.empty(MOST_FEATURES, np.int64)
    position = game.deal(seed=1)
    stream = benben.RandomStream.seeded(1)
    length = 4 * (game.players + 2) + game.players * (game.players + 2) + 1
    while position.to_move is not None:
        for seat in range(game.players):
            assert features(position.record[0], seat, out) == length
            assert 0 <= out[:length].min() <= out[:length].max() < FEATURES
        position, _ = play_on(position, stream)


def test_seats_see_the_same_position_each_from_its_own_side() -> None:
    out = np.empty((2, MOST_FEATURES), np.int64)
    game = benben.game("objectif")
    text = "o/g/b/p/o/g/b/p/o/g/b/p/o/g/b/p OOOGGGBBBPPP|OOOGGGBBBPPP 1 "
    n = features(game.parse(text + "og").record[0], 0, out[0])
    features(game.parse(text + "bp").record[0], 0, out[1])
    assert sorted(out[0, :n]) == sorted(out[1, :n])
    features(game.parse(text + "og").record[0], 1, out[1])
    assert sorted(out[0, : n - 1]) == sorted(out[1, : n - 1])
    assert out[0, n - 1] != out[1, n - 1]


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_shares_after_moves_are_those_of_the_positions_they_lead_to(game: benben.Game) -> None:
    net, work = net_for(game.players), scratch()
    rng = np.random.default_rng(1)
    for turn in list(turns(game, seed=6))[:-1:5]:
        record = turn.view.record
        worlds = list_worlds(record)
        weights = rng.random(len(worlds)) * (worlds[:, turn.seat] == worlds[0, turn.seat])
        weights[weights < weights.max()] = 0
        world, known = worlds[weights.argmax()], rng.random((4, ALL))
        codes = np.array([game.code(move) for move in turn.moves], np.int64)
        shares, untold = np.empty(len(codes)), np.empty((ALL, 0))
        expect(
            record[0], int(world[turn.seat]), worlds, weights, known, untold, net, codes,
            len(codes), 400, np.ones(1, np.uint64), work, shares,
        )  # fmt: skip
        for move, share in zip(turn.moves, shares, strict=True):
            after = turn.view.play(move).record
            logit = logit_now(after[0], turn.seat, world, known, net, work)
            assert share == pytest.approx(logistic(logit), abs=1e-4)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nets_say_how_they_were_made(players: int) -> None:
    path = Path(player_module.__file__).parent.parent / "nets" / f"objectif-{players}.npz"
    with np.load(path) as file:
        assert "python -m benben.bots.objectif.training" in str(file["made"])
    assert net_for(players).inputs.shape[0] == INPUTS
    assert path.stat().st_size < 300_000


@pytest.mark.long
def test_a_training_goes_on_where_it_was(tmp_path: Path) -> None:
    def nets(folder: Path) -> list[Net]:
        folder.mkdir(exist_ok=True)
        training = Training(players=2, games=50, simulations=2, seed=1, folder=folder)
        return [training.generation(number)[0] for number in range(2)]

    first = nets(tmp_path / "a")
    (tmp_path / "a" / "net-1.npz").unlink()
    again, other = nets(tmp_path / "a"), nets(tmp_path / "b")
    for one, two, three in zip(first[1], again[1], other[1], strict=True):
        assert np.array_equal(one, two)
        assert np.array_equal(one, three)
    assert not np.array_equal(first[0].inputs, first[1].inputs)


# ---- Strength, in a few games that are always the same


def _points(one: Player, other: Player, simulations: tuple[int, int], rounds: int) -> float:
    """The points of one player in whole rounds."""
    entrants = [
        Entrant(name, player, Budget(simulations=budget))
        for name, player, budget in zip("ab", (one, other), simulations, strict=True)
    ]
    points = 0.0
    for seed in range(rounds):
        for seating in (entrants, entrants[::-1]):
            played = play_match(GAMES[0], seating, seed)
            assert not played.failures
            points += played.shares[seating.index(entrants[0])]
    return points


def test_it_beats_tree_search_with_a_tenth_of_the_simulations() -> None:
    assert _points(ObjectifPlayer(), UctPlayer(), (100, 1000), 8) >= 11


def test_it_beats_whoever_plays_anything() -> None:
    assert _points(ObjectifPlayer(reads=False, hides=False), RandomPlayer(), (1, 1), 3) >= 5
