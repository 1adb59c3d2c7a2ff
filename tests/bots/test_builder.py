"""The builder plays any level of Bâtisseurs, and errs as people do."""

from itertools import product
from math import e
from threading import Event

import numpy as np
import pytest

import benben
from benben.bots.batisseurs.player import (
    BEST,
    ERROR,
    EYES,
    BuilderPlayer,
    Eye,
    batisseurs_player,
)
from benben.bots.batisseurs.race import race
from benben.bots.batisseurs.two import solution
from benben.bots.blur import choose
from benben.core.player import Budget, Cancelled, Turn
from benben.core.random import generator
from tests.bots.test_batisseurs import BUT_ONE, EMPTY
from tests.games import played

GAMES = [
    benben.game("batisseurs", players=players, placing=placing)
    for players, placing in product((2, 3, 4), ("all", "free"))
]
ALL, FREE = GAMES[:2]


def turn(position: benben.Position, seed: int = 0, cancelled: Event | None = None) -> Turn:
    return Turn.at(position, (), position, Budget(simulations=1), seed, cancelled)


@pytest.fixture(autouse=True)
def unsolved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is in the cache, the builder has only the race to go by."""
    monkeypatch.setattr("benben.bots.batisseurs.player.ready", lambda game: None)


# ---- The race


@pytest.mark.parametrize("game", [ALL, FREE], ids=["all", "free"])
def test_how_long_boards_take(game: benben.Game) -> None:
    found = race(game)
    p = 1 - (5 / 6) ** 6
    last = -2  # the top alone is missing
    assert found.turns_left[last] == pytest.approx(1 / p)
    assert found.finishes[last, 1:4] == pytest.approx([p, (1 - p) * p, (1 - p) ** 2 * p])
    assert found.standing[:, 0] == pytest.approx([1.0] * 231 + [0.0])
    assert found.finishes.sum(axis=1) == pytest.approx(1, abs=1e-6)
    times = np.arange(found.finishes.shape[1])
    assert found.finishes @ times == pytest.approx(found.turns_left, abs=1e-4)
    assert 9 < found.turns_left[0] < 11


@pytest.mark.parametrize("game", [ALL, FREE], ids=["all", "free"])
def test_the_race_is_close_to_the_solution(game: benben.Game) -> None:
    exact_stops = 1 - solution(game).table[:-1]
    stops = np.array([race(game).stops([other]) for other in range(231)])
    misses = (stops - exact_stops)[:, :-1]
    assert np.sqrt((misses**2).mean()) < ERROR
    assert np.all(stops[:, -1] == 1)


def test_more_opponents_leave_less() -> None:
    """By hand, where the top alone is missing on all boards."""
    p = 1 - (5 / 6) ** 6
    for others in (1, 2, 3):
        wanted = (1 - p) ** others * p / (1 - (1 - p) ** (others + 1))
        assert race(ALL).stops([230] * others)[230] == pytest.approx(wanted, abs=1e-6)


# ---- Thoughts


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("level", [1, 4, 6])
def test_every_level_plays_whole_games_and_tells_worths(game: benben.Game, level: int) -> None:
    stream = benben.RandomStream.seeded(level)
    player = batisseurs_player(game, level)
    position = game.deal()
    decided = 0
    while position.result is None:
        if position.to_move == benben.CHANCE:
            position = position.play(position.draw(stream))
            continue
        thought = player.think(turn(position, decided))
        assert thought == player.think(turn(position, decided))
        assert [worth.move for worth in thought.worths] == position.moves()
        assert all(0 <= worth.share <= 1 and worth.error == ERROR for worth in thought.worths)
        decided += 1
        position = position.play(thought.move)
    assert decided > 10


def test_the_best_eye_plays_the_best_move() -> None:
    thrown = GAMES[4].deal().play("=aabcef")
    thought = BuilderPlayer().think(turn(thrown))
    assert thought.move in {
        worth.move
        for worth in thought.worths
        if worth.share == max(w.share for w in thought.worths)
    }


def test_solved_games_are_told_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benben.bots.batisseurs.player.ready", solution)
    thought = BuilderPlayer(EYES["all"][0]).think(turn(ALL.deal().play("=aabcef")))
    assert {worth.error for worth in thought.worths} == {0.0}


def test_cancelled() -> None:
    cancelled = Event()
    cancelled.set()
    with pytest.raises(Cancelled):
        BuilderPlayer().think(turn(ALL.deal().play("=aabcef"), 0, cancelled))


# ---- How people err


def decided(eye: Eye, position: benben.Position) -> set[str]:
    return {BuilderPlayer(eye).think(turn(position, seed)).move for seed in range(20)}


def test_who_has_little_fear_rolls_once_too_often() -> None:
    """Two dice are left, and half of all throws with them would lose four blocks."""
    placed = played(ALL.deal(), "=aaabff", "a1", "a2", "a3", "b1")
    assert decided(Eye("blocks"), placed) == {"stop"}
    assert decided(Eye("blocks", fear=0.2), placed) == {"roll"}


def test_nobody_overlooks_the_last_block() -> None:
    last = FREE.parse(f"{BUT_ONE}|{EMPTY} 1 - 6 0").play("=aaaaaf")
    for placing, number in product(EYES, range(6)):
        assert decided(EYES[placing][number], last) == {"f1"}


def test_blur_makes_the_better_move_as_likely_as_it_should_be() -> None:
    """2.7 times as often if it is better by just that much."""
    chosen = [choose([1.0, 1.5], 0.5, generator(seed)) for seed in range(2000)]
    assert abs(sum(chosen) / 2000 - e / (1 + e)) < 0.05
    assert {choose([1.0, 1.5], 0.0, generator(seed)) for seed in range(20)} == {1}
    assert {choose([1.5, 1.5, 1.0], 0.0, generator(seed)) for seed in range(40)} == {0, 1}


def test_who_does_not_look_at_others_plays_the_same_whatever_they_have() -> None:
    alone = ALL.parse(f"xx..../x..../..../.../../.|{EMPTY} 1 - 6 0").play("=aabcef")
    behind = ALL.parse(f"xx..../x..../..../.../../.|{BUT_ONE} 1 - 6 0").play("=aabcef")
    for number in range(5):
        player = BuilderPlayer(EYES["all"][number])
        for seed in range(5):
            assert player.think(turn(alone, seed)).move == player.think(turn(behind, seed)).move


def test_levels_end_with_the_best() -> None:
    for placing, eyes in EYES.items():
        game = benben.game("batisseurs", placing=placing)
        assert len(eyes) == 6
        assert eyes[-1] == BEST
        assert [batisseurs_player(game, n).eye for n in range(1, 7)] == list(eyes)
