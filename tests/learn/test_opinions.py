"""Opinions: they grow, end, can be cancelled, and know nothing that the seat to move does not."""

from itertools import permutations
from threading import Event

import pytest

import benben
from benben.bots.exact import prepare
from benben.core.errors import IllegalMove
from benben.learn.opinions import NoOpinion, Opinion, Question, opinions
from tests.bots.turns import play_on
from tests.configurations import GAMES, LABELS

NODES = range(20, 81)  # twice doubled
ENDLESS = 1e6  # seconds: kernels may have to be compiled first


def grown(position: benben.Position | benben.View, *moves: str) -> list[Opinion]:
    found = opinions(Question.at(position, moves), Event(), ENDLESS, NODES)
    return [each for each in found if each is not None]


def along(game: benben.Game, steps: int) -> tuple[benben.Position, list[str], benben.Position]:
    """A deal, so many moves and throws at random, and where they lead."""
    stream = benben.RandomStream.seeded(7)
    start = position = game.deal(source=stream)
    moves: list[str] = []
    while position.to_move is not None and len(moves) < steps:
        position, move = play_on(position, stream)
        moves.append(move)
    return start, moves, position


def check(opinion: Opinion, position: benben.Position) -> None:
    players = position.game.players
    assert len(opinion.chances) == players
    known = [each for each in opinion.chances if each is not None]
    assert all(0 <= each <= 1 for each in known)
    assert len(known) < players or sum(known) == pytest.approx(1)
    assert (opinion.error == 0) == (opinion.certainty != "estimated")
    if position.to_move is None:
        assert opinion.seat is None
    elif position.to_move == benben.CHANCE:
        assert [(each.throw, each.odds) for each in opinion.throws] == position.chance()
        own = opinion.chances[opinion.seat or 0]
        assert own == pytest.approx(sum(each.odds * each.share for each in opinion.throws))
    else:
        assert opinion.seat == position.to_move
        assert [each.move for each in opinion.moves] == position.moves()
        assert all(0 <= each.share <= 1 for each in opinion.moves)
        best = next(each for each in opinion.moves if each.move == opinion.line[0])
        assert opinion.chances[opinion.seat] == best.share
        for move in opinion.line:
            position = position.play(move)


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_they_grow_and_end(game: benben.Game) -> None:
    for steps in (0, 5, 1000):
        start, moves, position = along(game, steps)
        found = grown(start, *moves)
        assert [each.done for each in found] == [False] * (len(found) - 1) + [True]
        nodes = [each.nodes for each in found]
        assert nodes == sorted(nodes)
        for each in found:
            check(each, position)
        if game.name != "batisseurs" and steps < 1000:
            assert nodes[-1] in (80, 81)
        if steps == 1000:
            result = position.result
            assert result is not None
            assert found[0].chances == list(result.shares)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_they_know_only_what_the_mover_may(players: int) -> None:
    game = benben.game("objectif", players=players)
    for steps in (0, 9, 6 * (players + 2) - 1):
        start, moves, position = along(game, steps)
        seat = position.to_move
        assert seat is not None
        text, goals = str(start).rsplit(" ", 1)
        colours = sorted({pile[0] for pile in text.split()[0].split("/")} - {goals[seat]})
        found = []
        for others in list(permutations(colours, players - 1))[:3]:
            twin = [*others[:seat], goals[seat], *others[seat:]]
            found.append(grown(game.parse(f"{text} {''.join(twin)}"), *moves)[0])
        assert found[0] == found[1] == found[2]
        assert len(found[0].belief) == players
        assert found[0].belief[seat] == {goals[seat]: pytest.approx(1)}
        # The same as a text of what that seat sees.
        view = start.view(seat)
        assert grown(game.parse_view(str(view)), *moves)[0] == found[0]


def test_nobody_thinks_in_place_of_who_knows_more() -> None:
    game = benben.game("objectif", players=3, first=1)
    position = game.deal(seed=1)
    (first, *_) = position.moves()
    seen = game.parse_view(str(position.view(0)))
    assert Question.at(seen).seat == 0
    with pytest.raises(NoOpinion):
        Question.at(seen, [first])
    with pytest.raises(NoOpinion):
        Question.at(game.parse_view(str(position.view(None))))
    with pytest.raises(NoOpinion):
        Question.at(game.parse_view(str(position.view(1))))
    with pytest.raises(IllegalMove):
        Question.at(position, ["b@1", "b@1", "b@1", "b@1"])


def test_what_is_proven_is_said_to_be() -> None:
    game = benben.game("pyramidis", players=2)
    (*_, last) = grown(game.parse("d1=bbb,d8=mmmmmmmm,e2=b b4m0 b 0"))
    assert (last.chances, last.certainty, last.line[0]) == ([1.0, 0.0], "proven", "e2")


def test_a_forced_move_is_worth_what_comes_of_it() -> None:
    game = benben.game("pyramidis", players=2)
    position, stream = game.deal(), benben.RandomStream.seeded(1)
    while len(position.moves()) > 1:
        position, _ = play_on(position, stream)
    (move,) = position.moves()
    here, there = grown(position), grown(position.play(move))
    assert here[-1].nodes == there[-1].nodes > 1
    for before, after in zip(here, there, strict=True):
        check(before, position)
        assert before.chances == after.chances
        assert before.line == [move, *after.line]


@pytest.mark.parametrize("placing", ["all", "free"])
def test_where_the_game_is_solved_it_is_exact(placing: str) -> None:
    game = benben.game("batisseurs", players=2, placing=placing)
    prepare(game)
    for position in (game.deal(), game.deal().play("=aabcde")):
        (opinion,) = grown(position)
        assert opinion.certainty == "exact"
        check(opinion, position)


@pytest.mark.parametrize("name", ["objectif", "pyramidis", "quadrille"])
def test_they_can_be_cancelled(name: str) -> None:
    cancelled = Event()
    found = opinions(Question.at(benben.game(name).deal(seed=1)), cancelled, 60)
    assert next(found) is not None
    cancelled.set()
    assert next(found, None) is None
    assert list(found) == []
