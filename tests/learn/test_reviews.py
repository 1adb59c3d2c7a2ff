"""Reviews: true where the truth is known, and consistent with themselves everywhere."""

import random
from dataclasses import replace
from functools import cache
from threading import Event

import numpy as np
import pytest

import benben
from benben.bots import exact
from benben.bots.batisseurs import three
from benben.bots.batisseurs.turns import model
from benben.bots.entrants import entrant
from benben.core.chance import RandomStream
from benben.core.player import Budget, Cancelled, Turn
from benben.core.record import GameRecord
from benben.core.registry import ideas as finder
from benben.core.rules import CHANCE
from benben.learn.reviews.judges import SearchJudge, blank, net_chances
from benben.learn.reviews.making import Reviewing, chances_at_a_glance, made
from benben.learn.reviews.review import (
    GRADES,
    FinishedGame,
    NotOver,
    Review,
    accuracy_of,
    game_of_record,
    grade_of,
)
from benben.learn.reviews.telling import GENERAL, OWN
from benben.terminal.company import Company
from benben.terminal.reviewing import tell_sentence
from benben.terminal.speech import Language, catalogue, use
from tests.bots.test_batisseurs import BUT_TWO
from tests.bots.test_batisseurs_three import BUT_TOPS, solver

SURE = 1e-6
KINDS = [(name, players) for name in benben.names() for players in benben.info(name).players]


def played(
    game: benben.Game,
    level: int = 2,
    seed: int = 1,
    start: benben.Position | None = None,
    most: int = 1000,
) -> FinishedGame:
    """A game of bots of a level; whoever is to move after so many steps gives up."""
    position = start = start or game.deal(seed=seed)
    source, bot = RandomStream.seeded(seed), entrant(str(level), game)
    moves: list[str] = []
    while position.to_move is not None and len(moves) < most:
        if position.to_move == CHANCE:
            move = position.draw(source)
        else:
            turn = Turn.at(start, moves, position, bot.budget, len(moves))
            move = bot.player.think(turn).move
        moves.append(move)
        position = position.play(move)
    resigned = None if position.to_move is None else int(position.record["turn"][0])
    return game_of_record(GameRecord(start, tuple(moves), (), resigned))


@cache
def known(name: str, players: int) -> tuple[FinishedGame, Review]:
    game = played(benben.game(name, players=players))
    return game, made("x", game, nodes=60)


@pytest.mark.parametrize(("name", "players"), KINDS)
def test_a_review_is_complete_and_agrees_with_itself(name: str, players: int) -> None:
    game, review = known(name, players)
    assert review.complete
    assert review.progress.done == review.progress.total == len(game.decisions)
    assert [(step.seat, step.move) for step in review.steps] == list(game.steps)
    assert review.positions == [str(position) for position in game.positions]
    assert review.steps[-1].chances == list(game.result.shares) == review.shares
    for at, step in enumerate(review.steps):
        assert sum(step.chances) == pytest.approx(1)
        assert all(-SURE <= chance <= 1 + SURE for chance in step.chances)
        if step.seat is None:
            assert step.luck is not None
            assert sum(step.luck) == pytest.approx(0, abs=1e-9)
            continue
        assert step.best in game.positions[at].moves()
        assert step.best_worth - step.worth == pytest.approx(step.lost)
        assert step.lost >= 0
        assert (step.lost == 0) == (step.best == step.move)
        assert step.line[:1] in ([], [step.best])
        if step.grade is not None:
            assert step.grade == grade_of(step.lost)
        position = game.positions[at]
        for move in step.line:
            position = position.play(move)
    for seat, told in enumerate(review.seats):
        graded = [each for each in review.steps if each.seat == seat and each.grade]
        assert told.decisions == len(graded)
        assert told.accuracy == accuracy_of([each.lost for each in graded])
    assert len(review.turns) <= 3
    sizes = [abs(turn.change) for turn in review.turns]
    assert sizes == sorted(sizes, reverse=True)
    assert review.decided is not None


def test_the_same_game_has_the_same_review() -> None:
    for name in ("pyramidis", "objectif"):
        game, review = known(name, 2)
        assert made("x", game, nodes=60) == review


def test_accuracy_and_grades_follow_from_what_was_lost() -> None:
    assert accuracy_of([]) == 100
    assert accuracy_of([0.0, 0.0]) == pytest.approx(100)
    assert accuracy_of([0.1]) == pytest.approx(63.6, abs=0.1)  # as Lichess has it for 10 %
    assert 0 <= accuracy_of([1.0]) < 0.1
    assert [grade_of(below - 1e-9) for below, _ in GRADES] == [grade for _, grade in GRADES]
    assert grade_of(0.2) == "blunder"


# ---- Bâtisseurs: exact


def adds_up(review: Review) -> None:
    """From the chance at the start, by luck and by what everybody gave away, to the result."""
    sums, before = list(review.start), review.start
    for step in review.steps:
        changes = [now - was for now, was in zip(step.chances, before, strict=True)]
        if step.seat is not None:
            assert changes[step.seat] == pytest.approx(-step.lost, abs=SURE)
        if step.luck is not None:
            assert step.luck == pytest.approx(changes, abs=SURE)
        sums = [total + change for total, change in zip(sums, changes, strict=True)]
        before = step.chances
    assert sums == pytest.approx(review.shares, abs=SURE)


def test_of_two_builders_all_is_as_the_solution_has_it_and_adds_up() -> None:
    game = benben.game("batisseurs")
    exact.prepare(game)
    solution = exact.solution(game)
    finished = played(game, level=1, seed=4)
    review = made("x", finished)
    assert review.exact
    assert review.by.nodes == 0
    assert review.start == pytest.approx(list(solution.chances))
    for position, step in zip(finished.positions, review.steps, strict=False):
        assert step.certainty == "exact"
        if step.seat is None:
            continue
        worths = dict(zip(position.moves(), solution.worths(position.record), strict=True))
        assert step.worth == pytest.approx(worths[step.move], abs=SURE)
        assert step.best_worth == pytest.approx(max(worths.values()), abs=SURE)
    adds_up(review)
    assert sum(seat.luck or 0 for seat in review.seats) == pytest.approx(0, abs=SURE)
    # Of two what one gives away the other is given.
    for seat, other in ((0, 1), (1, 0)):
        told, theirs = review.seats[seat], review.seats[other]
        end = review.start[seat] + (told.luck or 0) - told.lost + theirs.lost
        assert end == pytest.approx(review.shares[seat], abs=SURE)


def test_of_three_builders_too(monkeypatch: pytest.MonkeyPatch) -> None:
    game = benben.game("batisseurs", players=3)
    start = game.parse(f"{BUT_TOPS}|{BUT_TWO}|{BUT_TOPS} 1 - 6 0")  # eight blocks are missing
    kinds, turns = model(game)
    table = np.zeros(three._shape(kinds))
    solving = solver(game, table)
    for missing in range(1, 9):
        solving.solve(missing, lambda done: None)
    found = three.Solution(kinds, turns, table, None, None)
    monkeypatch.setitem(three._known, "all", found)
    finished = played(game, level=1, seed=3, start=start)
    review = made("x", finished)
    assert review.exact
    adds_up(review)
    # A throw changes nobody's chances on average.
    throws = [i for i, step in enumerate(review.steps) if i and step.seat is None]
    at = min(throws, key=lambda i: len(finished.positions[i].chance()))
    expected = [0.0, 0.0, 0.0]
    for throw, odds in finished.positions[at].chance():
        other = replace(finished, steps=(*finished.steps[:at], (None, throw)))
        after = made("x", other).steps[-1].chances
        expected = [total + odds * each for total, each in zip(expected, after, strict=True)]
    assert expected == pytest.approx(review.steps[at - 1].chances, abs=SURE)


def leads(chances: list[float]) -> int:
    return max(range(len(chances)), key=chances.__getitem__)


@pytest.mark.parametrize("first", [1, 2, 3, 4])
def test_of_four_pyramidis_players_the_one_about_to_win_leads(first: int) -> None:
    """Whoever began: chances are in the order of seats, not of turns."""
    game = played(benben.game("pyramidis", players=4, first=first), seed=first)
    chances = chances_at_a_glance(game)
    assert leads(chances[-1 - game.game.players]) == game.result.shares.index(1.0)


def test_late_in_a_game_of_four_the_net_knows_who_will_win() -> None:
    """Not for sure; but were its seats turned, the leader would win one game of four or fewer."""
    won = [0] * 4  # games, by how many seats after the leader the winner sits
    for seed in range(32):
        game = played(benben.game("pyramidis", players=4, first=1 + seed % 4), 1, seed)
        late = net_chances(game.positions[len(game.steps) * 9 // 10])
        won[(game.result.shares.index(1.0) - leads(late)) % 4] += 1
    assert won[0] > 16


def test_what_is_not_solved_is_said_to_be_estimated() -> None:
    _, review = known("batisseurs", 4)
    assert not review.exact
    assert {step.certainty for step in review.steps[:-1]} == {"estimated"}


# ---- Proofs

ENDGAMES = [
    ("pyramidis", "d1=mm,d3=bm,d4=m,d5=bm,d6=bb,e4=b,e5=b,e7=bmm,e8=b b0m1 m 24"),
    ("pyramidis", "d1=bbbbb,d7=bbb,d8=mmm,e7=m b0m4 b 0"),
    (
        "quadrille",
        "oyo(yr)oyo./brb..rbr/oyoy.y.y/brbrbrbr/(oy)yoyoyoy/b(ro)brbrbr f4,h4 d3,g5 b token o b 1",
    ),
]


@pytest.mark.parametrize(("name", "text"), ENDGAMES)
def test_no_review_contradicts_a_proof(name: str, text: str) -> None:
    game = benben.game(name, players=2)
    drawn, proven = random.Random(name + text), 0
    for seed in range(3):
        position = start = game.parse(text)
        moves: list[str] = []
        while position.to_move is not None and len(moves) < 60:
            moves.append(drawn.choice(position.moves()))
            position = position.play(moves[-1])
        resigned = None if position.to_move is None else position.to_move
        finished = game_of_record(GameRecord(start, tuple(moves), (), resigned))
        review = made("x", finished, nodes=400 + seed)
        proven += check_proofs(finished, review)
    assert proven


def check_proofs(game: FinishedGame, review: Review) -> int:
    """How many steps are proven; every one of them by a search from there, if it can tell."""
    certain = [step.certainty != "estimated" for step in review.steps]
    for at, step in enumerate(review.steps):
        if step.certainty == "proven":
            assert sorted(step.chances) == [0.0, 1.0]
            told = proof(game.positions[at + 1])
            assert told is None or told == step.chances, str(game.positions[at + 1])
        if at and certain[at - 1] and step.seat is not None:
            before = review.steps[at - 1].chances
            if before[step.seat] == 0:  # who is lost stays lost, and could do nothing about it
                assert (certain[at], step.chances, step.lost) == (True, before, 0)
            else:
                assert step.best_worth == 1
                assert step.chances[step.seat] == 1 or step.lost > 0
    return sum(certain)


def proof(position: benben.Position) -> list[float] | None:
    """Who wins, by another search than the review's."""
    seat = position.to_move
    if seat is None:
        return list(position.result.shares) if position.result else None
    bot = entrant("6", position.game).player
    turn = Turn.at(position, (), position, Budget(simulations=3000))
    best = max(bot.think(turn).worths, key=lambda worth: worth.share)
    if best.certainty == "estimated":
        return None
    return [best.share if each == seat else 1 - best.share for each in range(2)]


def test_what_one_position_proves_is_said_of_all_of_which_it_follows() -> None:
    """The thoughts are as they would be if only the last but one move had been understood."""
    _, text = ENDGAMES[0]
    game = benben.game("pyramidis", players=2)
    finished = played(game, level=5, start=game.parse(text))
    found = blank(finished)
    judge = SearchJudge(finished, found, Event(), 2000)
    for _ in judge.rough():
        pass
    for _ in judge.thorough():
        pass
    judge.settle()
    winner = finished.result.shares.index(1.0)
    first = found.certainty.index("proven")
    assert all(each != "estimated" for each in found.certainty[first:])
    assert all(chances[winner] == 1 for chances in found.chances[first:])


# ---- Objectif: secrets


def test_a_belief_is_that_of_a_spectator() -> None:
    """Two games that differ in goals only, with the same moves, are believed the same."""
    game, review = known("objectif", 3)
    assert review.colours == list("ogbpyv")
    board, goals = str(game.start).rsplit(" ", 1)
    others = goals[1:] + goals[:1]
    swapped = GameRecord(game.game.parse(f"{board} {others}"), game.moves)
    other = made("y", game_of_record(swapped), nodes=60)
    for step, same in zip(review.steps[:-1], other.steps[:-1], strict=True):
        assert step.belief == same.belief
        for seat in step.belief or []:
            assert sum(seat) == pytest.approx(1)
            assert max(seat) < 1, "a secret that nobody can know was told"
    certain = [max(seat) for seat in review.steps[-1].belief or []]
    assert certain == [1.0, 1.0, 1.0]  # at the end goals are shown
    assert [["ogbpyv"[seat.index(1.0)] for seat in review.steps[-1].belief or []]] == [list(goals)]
    for told in review.seats:
        assert told.hidden is not None
        assert 0 <= told.hidden <= 1


def test_decisions_are_judged_by_what_the_seat_could_know() -> None:
    """Swapping the goals of the two others changes nothing in what a seat's moves were worth."""
    game, review = known("objectif", 3)
    board, goals = str(game.start).rsplit(" ", 1)
    swapped = GameRecord(game.game.parse(f"{board} {goals[0]}{goals[2]}{goals[1]}"), game.moves)
    other = made("y", game_of_record(swapped), nodes=60)
    mine = [step for step in review.steps if step.seat == 0]
    same = [step for step in other.steps if step.seat == 0]
    assert [(each.worth, each.best, each.lost) for each in mine] == [
        (each.worth, each.best, each.lost) for each in same
    ]
    assert [step.chances for step in mine] != [step.chances for step in same]


# ---- Ends


def test_a_game_that_is_on_has_no_review() -> None:
    start = benben.game("quadrille").deal(seed=1)
    with pytest.raises(NotOver):
        game_of_record(GameRecord(start, ("@c3",) if "@c3" in start.moves() else ()))


def test_who_gives_up_early_is_told_what_was_left() -> None:
    for name, most in (("quadrille", 6), ("pyramidis", 0), ("batisseurs", 7)):
        game = played(benben.game(name, players=2), most=most)
        review = made("x", game, nodes=60)
        assert len(review.steps) == most
        assert len(review.seats) == 2
        assert review.decided is not None
        assert review.decided.id == "resigned", name
        assert 25 <= int(review.decided.parameters["percent"]) <= 75


def test_it_can_be_left_off() -> None:
    cancelled = Event()
    game, _ = known("quadrille", 2)
    reviewing = Reviewing("x", game, cancelled)
    steps = reviewing.steps()
    next(steps)
    assert reviewing.review().steps == []
    cancelled.set()
    with pytest.raises(Cancelled):
        next(steps)


# ---- Words


def test_every_sentence_has_words_in_both_languages() -> None:
    for language in Language:
        words = catalogue(language)
        own = [(name, each) for name, ids in OWN.items() for each in ids]
        for name in benben.names():
            ideas = finder(name)
            own += [(name, each) for each in ideas.IDEAS] if ideas else []
        keys = [f"review.said.{each}" for each in GENERAL]
        keys += [f"{name}.said.{each}" for name, each in own]
        assert [key for key in keys if key not in words and f"{key}.other" not in words] == []


def test_sentences_are_told() -> None:
    try:
        for language in Language:
            use(language)
            for name, players in KINDS:
                game, review = known(name, players)
                company = Company(game.game)
                for sentence in (review.decided, *(turn.idea for turn in review.turns)):
                    assert sentence is not None
                    told = tell_sentence(company, sentence)
                    assert told.endswith(".")
                    assert "{" not in told
    finally:
        use(None)
