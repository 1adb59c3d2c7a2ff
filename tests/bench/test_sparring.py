"""Sparring partners: by the rules, alike for the same seed, and seeing what a search must see."""

import sys
from pathlib import Path
from threading import Timer

import numpy as np
import pytest

import benben
from benben.bots.entrants import entrant
from benben.bots.random import RandomPlayer
from benben.core.position import Position
from benben.lab.match import draw_opening, play_match
from bench import sparring
from tests.lab.players import seated

ROOT = Path(__file__).parent.parent.parent

pytestmark = pytest.mark.long  # it measures bots for a release, and its kernels take half a minute


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """One process at a time: two that keep the same kernel at once would spoil it."""
    for name, style in (("pyramidis", "deep"), ("quadrille", "deep"), ("objectif", "deep")):
        sparring.warm_up(name, style)
    sparring.warm_up("objectif", "cut")


def few(game: benben.Game, style: str, simulations: int = 60) -> benben.Entrant:
    player = sparring.partner(game, style).player
    return benben.Entrant(style, player, benben.Budget(simulations=simulations))


@pytest.mark.parametrize(
    ("name", "style"),
    [("quadrille", "deep"), ("quadrille", "mobility"), *(("objectif", s) for s in sparring.STYLES)],
)
def test_whole_games_alike_for_the_same_seed(name: str, style: str) -> None:
    game = benben.game(name)
    seats = [few(game, style), seated(RandomPlayer())]
    games = [play_match(game, seats, 5, openings=2) for _ in range(2)]
    assert games[0] == games[1]
    assert not games[0].failures


@pytest.mark.parametrize("style", sparring.STYLES)
def test_four_can_play(style: str) -> None:
    game = benben.game("objectif", players=4)
    assert not play_match(game, [few(game, style)] * 4, 1).failures


def scores(position: Position, depth: int) -> dict[str, float]:
    """What the search finds each move to be worth to the mover."""
    game, moves = position.game, position.moves()
    codes = np.array([game.code(move) for move in moves])
    found, nodes, stop = np.zeros(len(codes)), np.zeros(1, np.int64), np.zeros(1, np.int64)
    most = game.rules.MOST_MOVES
    known = sparring.look_ahead(
        position.record, codes, depth, 2, sparring.EVALUATE, False, most, nodes, 10**9, stop, found
    )
    assert known == len(moves)
    return dict(zip(moves, found.tolist(), strict=True))


def every_line(position: Position, depth: int, seat: int) -> float:
    """What a position is worth to a seat, without any cut: of two, one's gain is the other's."""
    best = max if position.to_move == seat else min
    if depth == 1:
        sign = 1 if position.to_move == seat else -1
        return best(sign * score for score in scores(position, 1).values())
    return best(every_line(position.play(move), depth - 1, seat) for move in position.moves())


@pytest.mark.parametrize(("name", "opening", "depth"), [("pyramidis", 8, 4), ("quadrille", 10, 3)])
def test_cuts_lose_nothing(name: str, opening: int, depth: int) -> None:
    game = benben.game(name, players=2)
    sparring.partner(game, "deep")
    _, position = draw_opening(game.deal(), opening, benben.RandomStream(b"x"))
    seat = position.to_move
    assert seat is not None
    for move, score in list(scores(position, depth).items())[:4]:
        assert score == pytest.approx(every_line(position.play(move), depth - 1, seat))


@pytest.mark.parametrize("style", ["deep", "mobility"])
@pytest.mark.parametrize(
    ("text", "winning"),
    [
        ("d5=m,d7=m,d8=b,e1=m,e2=m,e4=bm,e5=mbmbb b3m1 b 4", "e5"),
        ("d3=b,d4=b,e3=b,e4=bmm,e7=mbm,e8=b b2m4 m 1", "e7"),
    ],
)
def test_a_win_at_once_is_taken(text: str, winning: str, style: str) -> None:
    game = benben.game("pyramidis", players=2)
    bot, position = few(game, style, 500), game.parse(text)
    turn = benben.Turn.at(position, (), position, bot.budget)
    assert bot.player.think(turn).move == winning


@pytest.mark.parametrize("style", sparring.STYLES)
def test_a_thought_can_be_cancelled(style: str) -> None:
    start = benben.game("objectif").deal(seed=1)
    bot = sparring.partner(start.game, style)
    turn = benben.Turn.at(start, (), start, benben.Budget(seconds=60))
    Timer(0.05, turn.cancelled.set).start()
    with pytest.raises(benben.Cancelled):
        bot.player.think(turn)


def test_a_partner_by_the_line_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    game = benben.game("objectif")
    bot = entrant(f"cmd@5:{sys.executable} -m bench.sparring objectif mobility", game)
    try:
        done = play_match(game, [bot, seated(RandomPlayer())], 2, openings=4)
    finally:
        bot.player.close()
    assert not done.failures
    assert sum(done.decisions) == 20
