"""Who plays perfectly makes no worse move than the best, ever."""

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from threading import Event

import pytest

import benben
from benben.bots import exact
from benben.bots.batisseurs import three
from benben.bots.batisseurs import two as solving
from benben.bots.batisseurs.player import ERROR
from benben.bots.exact import ExactPlayer, exact_player, solvable
from benben.bots.random import RandomPlayer
from benben.core.errors import PlayerFailed, UnknownPlayer
from benben.core.locking import locked
from benben.core.player import Budget, Cancelled, Player, Thought, Turn, Worth
from tests.bots.test_batisseurs import ALL, BUT_ONE, EMPTY, Expectimax, at, both
from tests.configurations import GAMES, LABELS
from tests.games import played

EQUAL = 1e-12


def turn(position: benben.Position, seed: int = 0, cancelled: Event | None = None) -> Turn:
    return Turn.at(position, (), position, Budget(simulations=1), seed, cancelled)


def check_no_regret(expectimax: Expectimax, position: benben.Position, thought: Thought) -> None:
    """Every worth is what the rules make of it, and no move is better than the chosen one."""
    seat = position.to_move
    assert seat is not None
    worths = [expectimax(position.play(move), seat) for move in position.moves()]
    assert [worth.move for worth in thought.worths] == position.moves()
    assert [worth.share for worth in thought.worths] == pytest.approx(worths, abs=EQUAL)
    assert all(worth.error == 0 for worth in thought.worths)
    chosen = worths[position.moves().index(thought.move)]
    assert chosen == pytest.approx(max(worths), abs=EQUAL), str(position)


def decisions(game: benben.Game, players: Sequence[Player], seed: int) -> int:
    """Play a game, checking each decision of who plays perfectly; how many there were."""
    exact.prepare(game)
    stream = benben.RandomStream.seeded(seed)
    expectimax = Expectimax()
    position = game.deal()
    checked = 0
    while (seat := position.to_move) is not None:
        if seat == benben.CHANCE:
            position = position.play(position.draw(stream))
            continue
        thought = players[seat].think(turn(position, checked))
        if isinstance(players[seat], ExactPlayer):
            check_no_regret(expectimax, position, thought)
            checked += 1
        position = position.play(thought.move)
    return checked


@both
def test_no_regret_against_random_play(game: benben.Game) -> None:
    assert decisions(game, [ExactPlayer(), RandomPlayer()], seed=1) > 10
    assert decisions(game, [RandomPlayer(), ExactPlayer()], seed=2) > 10


@both
def test_no_regret_against_perfect_play(game: benben.Game) -> None:
    assert decisions(game, [ExactPlayer(), ExactPlayer()], seed=3) > 20


def test_equal_moves_are_drawn_by_the_seed() -> None:
    """Beside a3, where a block can soon carry another, left and right are as good."""
    exact.prepare(ALL)
    thrown = at(ALL, "..x.../...../..../.../../.", EMPTY).play("=afffff")
    thoughts = [ExactPlayer().think(turn(thrown, seed)) for seed in range(200)]
    best = max(worth.share for worth in thoughts[0].worths) - EQUAL
    assert [worth.move for worth in thoughts[0].worths if worth.share > best] == ["a2", "a4"]
    chosen = [thought.move for thought in thoughts]
    assert set(chosen) == {"a2", "a4"}
    assert 60 < chosen.count("a2") < 140
    assert [ExactPlayer().think(turn(thrown, seed)) for seed in range(200)] == thoughts


def test_the_last_block_is_worth_the_game() -> None:
    exact.prepare(ALL)
    thought = ExactPlayer().think(turn(at(ALL, BUT_ONE, EMPTY).play("=aaaaaf")))
    assert thought == Thought("f1", (Worth("f1", 1.0, 0.0, "exact"),))


def test_only_batisseurs_for_two_and_three_is_solved() -> None:
    solved = [label for game, label in zip(GAMES, LABELS, strict=True) if solvable(game)]
    assert solved == [f"batisseurs-{n}-{placing}" for n in (2, 3) for placing in ("all", "free")]
    for game in GAMES:
        if solvable(game):
            assert exact_player(game).name == "exact"
        else:
            with pytest.raises(
                UnknownPlayer, match=f"{game.name} for .* solved is batisseurs for 2–3"
            ):
                exact_player(game)


def test_asked_about_another_game_it_fails_clearly() -> None:
    thrown = benben.game("batisseurs", players=4).deal().play("=aabcef")
    with pytest.raises(PlayerFailed, match="exact failed: batisseurs for 4 is not solved here"):
        ExactPlayer().think(turn(thrown))


def test_cancelled() -> None:
    cancelled = Event()
    cancelled.set()
    with pytest.raises(Cancelled):
        ExactPlayer().think(turn(ALL.deal().play("=aabcef"), 0, cancelled))


# ---- Nobody waits for a solution


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Nothing is solved yet, in a cache of its own."""
    monkeypatch.setattr(solving, "_known", {})
    monkeypatch.setattr(three, "_known", {})
    monkeypatch.setattr(exact, "_looked", {})
    monkeypatch.setenv("BENBEN_CACHE_DIR", str(tmp_path))
    return tmp_path / "solutions"


def threads_of_solutions() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "solution"]


def test_until_it_is_solved_another_plays(forgotten: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is solved meanwhile, once, and then played by."""
    may_solve, asked = Event(), []

    def solve_aside(game: benben.Game) -> None:
        asked.append(game)
        may_solve.wait()
        exact.solution(game)

    monkeypatch.setattr(exact, "_solve_aside", solve_aside)
    thrown = turn(at(ALL, BUT_ONE, EMPTY).play("=aabcef"))
    thoughts = [ExactPlayer().think(thrown) for _ in range(3)]
    assert thoughts[0].move == "f1"
    assert {worth.error for thought in thoughts for worth in thought.worths} == {ERROR}
    (thread,) = threads_of_solutions()
    may_solve.set()
    thread.join()
    assert asked == [ALL]
    assert {worth.error for worth in ExactPlayer().think(thrown).worths} == {0.0}


def test_what_takes_minutes_is_not_begun_by_who_plays(
    forgotten: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[benben.Game] = []
    monkeypatch.setattr(exact, "_solve_aside", asked.append)
    game = benben.game("batisseurs", players=3)
    thought = ExactPlayer().think(turn(game.deal().play("=aabcef")))
    assert {worth.error for worth in thought.worths} == {ERROR}
    for thread in threads_of_solutions():
        thread.join()
    assert asked == []
    assert exact.ready(game) is None
    assert threads_of_solutions() == []  # it is not looked for all the time
    exact.prepare(game)
    assert exact.ready(game) is None
    assert not forgotten.exists()


@pytest.mark.parametrize(
    ("players", "setting", "begun"), [(2, None, 1), (3, None, 0), (3, "0", 0), (3, "1", 1)]
)
def test_a_server_solves_what_takes_minutes_only_if_its_host_allows_it(
    forgotten: Path,
    monkeypatch: pytest.MonkeyPatch,
    players: int,
    setting: str | None,
    begun: int,
) -> None:
    asked: list[benben.Game] = []
    monkeypatch.setattr(exact, "_solve_aside", asked.append)
    monkeypatch.setattr(exact, "_wanted", set())
    monkeypatch.delenv(exact.SOLVE, raising=False)
    if setting is not None:
        monkeypatch.setenv(exact.SOLVE, setting)
    exact.want(benben.game("batisseurs", players=players, placing="free"))
    for thread in threads_of_solutions():
        thread.join()
    assert len(asked) == begun


def test_a_process_that_solves_ends_with_its_input(tmp_path: Path) -> None:
    """It waits for another that solves; when nobody wants it any more it is gone."""
    (tmp_path / "solutions").mkdir()
    with locked(tmp_path / "solutions" / "lock"):
        process = subprocess.Popen(
            [sys.executable, "-m", "benben.bots.exact", "batisseurs", "2", "placing=all"],
            stdin=subprocess.PIPE,
            env={**os.environ, "BENBEN_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "1"},
        )
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait() == 0
    assert [file.name for file in (tmp_path / "solutions").iterdir()] == ["lock"]


def test_it_is_solved_by_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here it is in the cache already; a process that fails is not an error of ours."""
    exact.prepare(ALL)
    monkeypatch.setattr(exact, "_KINDNESS", 0)
    exact._solve_aside(ALL)
    assert solving.kept(ALL) is not None
    monkeypatch.setattr(sys, "executable", "no-such-python")
    exact._solve_aside(ALL)


def test_it_uses_nothing_but_the_view() -> None:
    """Neither what happened before nor the budget makes a difference."""
    start = ALL.deal()
    before = ("=afffff", "a2", "stop", "=aabcef")
    position = played(start, *before)
    exact.prepare(ALL)
    known = Turn.at(start, before, position, Budget(seconds=1))
    assert ExactPlayer().think(known) == ExactPlayer().think(turn(position))
