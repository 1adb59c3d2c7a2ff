"""Quadrille for bots: what looks alike is judged alike, and small boards are solved outright."""

from functools import cache

import numpy as np
import pytest

import benben
from benben.bots.alphabeta import AlphaBetaPlayer
from benben.bots.net import load, logit, scratch
from benben.core.kernel import States
from benben.core.player import Budget, Turn
from benben.core.position import Position
from benben.games.quadrille.evaluation import FEATURES, MOST_FEATURES, features, key, order
from benben.games.quadrille.rules import QUIET_DRAW, SQUARES, TOKEN

GAME = benben.game("quadrille", layout="random")
CALM = 20  # quiet steps at which no draw is near
PLENTY = Budget(simulations=1_000_000)


def _games(seeds: range) -> list[Position]:
    """Every position of some games at random."""
    positions = []
    for seed in seeds:
        stream = benben.RandomStream.seeded(seed)
        position = GAME.deal(source=stream)
        while position.to_move is not None:
            positions.append(position)
            moves = position.moves()
            position = position.play(moves[stream.below(len(moves))])
    return positions


POSITIONS = _games(range(12))


def _features(a: States) -> list[int]:
    out = np.zeros(MOST_FEATURES, np.int64)
    n = features(a[0], a[0].turn, out)
    return sorted(out[:n].tolist())


# ---- Features


def test_features_are_numbered_within_bounds() -> None:
    for position in POSITIONS:
        found = _features(position.record)
        assert len(found) <= MOST_FEATURES
        assert all(0 <= feature < FEATURES for feature in found)


def _moved(squares: int, places: list[int]) -> int:
    return sum(1 << place for square, place in enumerate(places) if squares >> square & 1)


def _turned(a: States, places: list[int]) -> States:
    turned = a.copy()
    for field in ("top", "low", "pawns"):
        turned[field][0] = [_moved(int(squares), places) for squares in a[field][0]]
    return turned


@pytest.mark.parametrize(
    "places",
    [
        [6 * (7 - square // 6) + square % 6 for square in range(48)],
        [6 * (square // 6) + 5 - square % 6 for square in range(48)],
    ],
    ids=["files", "ranks"],
)
def test_a_mirror_image_has_the_same_features(places: list[int]) -> None:
    for position in POSITIONS:
        assert _features(_turned(position.record, places)) == _features(position.record)


def test_colours_are_told_apart_only_by_who_controls_them() -> None:
    for position in POSITIONS:
        a = position.record
        dyed = a.copy()
        for field in ("top", "low"):
            dyed[field][0] = np.roll(a[field][0], 1)
        for field in ("hand", "gift"):
            dyed[field][0] = (a[field][0] + 1) % 4 if a[field][0] >= 0 else -1
        assert _features(dyed) == _features(a)


def test_both_sides_see_the_same_game() -> None:
    for position in POSITIONS:
        a = position.record
        swapped = a.copy()
        swapped["pawns"][0] = a["pawns"][0][::-1]
        swapped["turn"][0] = 1 - a["turn"][0]
        assert _features(swapped) == _features(a)


# ---- The hash


def test_keys_are_equal_where_positions_are() -> None:
    def without_quiet(position: Position) -> str:
        return str(position).rsplit(" ", 1)[0]

    calm = [position for position in POSITIONS if position.record["quiet"][0] < CALM]
    keys = {without_quiet(position): key(position.record[0]) for position in calm}
    assert len(set(keys.values())) == len(keys)
    for position in calm:
        stirred = position.record.copy()
        stirred["quiet"] = CALM - 1
        assert key(stirred[0]) == keys[without_quiet(position)]


def test_a_draw_that_is_near_makes_a_difference() -> None:
    a = POSITIONS[-1].record.copy()
    found = set()
    for quiet in range(QUIET_DRAW - 20, QUIET_DRAW):
        a["quiet"] = quiet
        found.add(int(key(a[0])))
    assert len(found) == 20


# ---- The order of moves


def test_tokens_far_from_all_pawns_come_last() -> None:
    for position in POSITIONS:
        if position.record["phase"][0] != TOKEN:
            continue
        pawns = int(position.record["pawns"][0].sum())
        stand = [divmod(square, 6) for square in range(48) if pawns >> square & 1]
        for move in position.moves():
            file, rank = divmod(SQUARES.index(move[1:]), 6)
            away = min(max(abs(file - x), abs(rank - y)) for x, y in stand)
            assert (order(position.record[0], GAME.code(move)) < 0) == (away > 2)


# ---- What was learnt


def test_the_net_prefers_room() -> None:
    net = load("quadrille", 2)
    assert net is not None
    work = scratch(net, MOST_FEATURES)
    board = "oyoyoyoy/brbrbrbr/oyoyoyoy/brbrbrbr/oyoyoyoy/brbrbrbr"
    middle = GAME.parse(f"{board} c3,d3 a6,h6 w step - - 0")
    corners = GAME.parse(f"{board} a6,h6 c3,d3 w step - - 0")
    judged = [logit(net, position.record[0], 0, work) for position in (middle, corners)]
    assert judged[0] > judged[1]


# ---- Small boards, solved outright


def _small(seed: int) -> Position:
    """A few squares in a corner, a token on each, and four pawns."""
    drawn = np.random.default_rng(seed)
    while True:
        stacks = [["."] * 8 for _ in range(6)]
        corner = [(file, rank) for file in range(4) for rank in range(3)]
        squares = [corner[i] for i in drawn.permutation(len(corner))[:8]]
        for file, rank in squares:
            stacks[5 - rank][file] = str(drawn.choice(list("broy")))
        pawns = ["abcd"[file] + "123"[rank] for file, rank in squares[:4]]
        white, black = ",".join(sorted(pawns[:2])), ",".join(sorted(pawns[2:]))
        board = "/".join("".join(rank) for rank in stacks)
        hand = str(drawn.choice(list("broy")))
        try:
            position = GAME.parse(f"{board} {white} {black} w step {hand} - 0")
        except benben.BenbenError:  # both sides would control a colour
            continue
        if position.to_move is not None and len(position.moves()) > 1:
            return position


@cache
def _solved(position: Position) -> float:
    """White's share if both play perfectly, by the rules alone."""
    if position.result is not None:
        return position.result.shares[0]
    shares = [_solved(position.play(move)) for move in position.moves()]
    return max(shares) if position.to_move == 0 else min(shares)


@pytest.mark.parametrize("seed", range(12))
def test_a_small_board_is_solved(seed: int) -> None:
    position = _small(seed)
    thought = AlphaBetaPlayer(thorough=True).think(Turn.at(position, (), position, PLENTY))
    shares = [_solved(position.play(move)) for move in position.moves()]
    best = position.moves().index(thought.move)
    assert shares[best] == max(shares)
    assert thought.worths[best].certainty == "proven"
    for worth, share in zip(thought.worths, shares, strict=True):
        assert worth.certainty == "estimated" or worth.share == share
