"""Who plays perfectly makes no worse move than the best, ever."""

from collections.abc import Sequence
from pathlib import Path
from threading import Event

import pytest

import benben
from benben.bots.batisseurs import solution as solving
from benben.bots.exact import ExactPlayer, exact_player, solvable
from benben.bots.random import RandomPlayer
from benben.core.errors import PlayerFailed, UnknownPlayer
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
    thrown = at(ALL, "..x.../...../..../.../../.", EMPTY).play("=afffff")
    thoughts = [ExactPlayer().think(turn(thrown, seed)) for seed in range(200)]
    best = max(worth.share for worth in thoughts[0].worths) - EQUAL
    assert [worth.move for worth in thoughts[0].worths if worth.share > best] == ["a2", "a4"]
    chosen = [thought.move for thought in thoughts]
    assert set(chosen) == {"a2", "a4"}
    assert 60 < chosen.count("a2") < 140
    assert [ExactPlayer().think(turn(thrown, seed)) for seed in range(200)] == thoughts


def test_the_last_block_is_worth_the_game() -> None:
    thought = ExactPlayer().think(turn(at(ALL, BUT_ONE, EMPTY).play("=aaaaaf")))
    assert thought == Thought("f1", (Worth("f1", 1.0, 0.0),))


def test_only_batisseurs_for_two_is_solved() -> None:
    solved = [label for game, label in zip(GAMES, LABELS, strict=True) if solvable(game)]
    assert solved == ["batisseurs-2-all", "batisseurs-2-free"]
    for game in GAMES:
        if solvable(game):
            assert exact_player(game).name == "exact"
        else:
            with pytest.raises(
                UnknownPlayer, match=f"{game.name} for .* solved is batisseurs for 2"
            ):
                exact_player(game)


def test_asked_about_another_game_it_fails_clearly() -> None:
    thrown = benben.game("batisseurs", players=3).deal().play("=aabcef")
    with pytest.raises(PlayerFailed, match="exact failed: batisseurs for 3 is not solved here"):
        ExactPlayer().think(turn(thrown))


def test_cancelled_before_and_while_solving(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cancelled = Event()
    thrown = ALL.deal().play("=aabcef")
    assert ExactPlayer().think(turn(thrown, 0, cancelled)).worths
    cancelled.set()
    with pytest.raises(Cancelled):
        ExactPlayer().think(turn(thrown, 0, cancelled))
    monkeypatch.setattr(solving, "_known", {})
    monkeypatch.setenv("BENBEN_CACHE_DIR", str(tmp_path))
    with pytest.raises(Cancelled):
        ExactPlayer().think(turn(thrown, 0, cancelled))
    assert solving._known == {}


def test_it_uses_nothing_but_the_view() -> None:
    """Neither what happened before nor the budget makes a difference."""
    start = ALL.deal()
    before = ("=afffff", "a2", "stop", "=aabcef")
    position = played(start, *before)
    known = Turn.at(start, before, position, Budget(seconds=1))
    assert ExactPlayer().think(known) == ExactPlayer().think(turn(position))
