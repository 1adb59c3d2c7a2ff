"""Puzzles: what is shipped is what it says it is, and can be played through the rules."""

from datetime import date, timedelta

import msgspec
import pytest

import benben
from benben.bots.exact import prepare, solvable
from benben.core.errors import BadNotation
from benben.learn.puzzles.daily import of_the_day
from benben.learn.puzzles.judge import holds, judge
from benben.learn.puzzles.puzzle import GAP, GRADES, BadPuzzles, NoPuzzle, collection, read, write

LEAST = 60
SAMPLE = 4  # of those that are proven or estimated, judged again
GAMES = pytest.mark.parametrize("name", benben.names())


@GAMES
def test_there_are_enough_of_them_and_none_twice(name: str) -> None:
    found = collection(name)
    assert found.game == name
    assert found.rules == benben.game(name).rules.VERSION
    assert len(found.puzzles) >= LEAST
    assert len({puzzle.id for puzzle in found.puzzles}) == len(found.puzzles)
    assert len({puzzle.position for puzzle in found.puzzles}) == len(found.puzzles)
    grades = [puzzle.grade for puzzle in found.puzzles]
    assert grades == sorted(grades)
    assert len(set(grades)) >= 4
    if found.checked is not None:
        assert found.checked.nodes == 10 * found.made.nodes
        assert {puzzle.checked for puzzle in found.puzzles} <= {0, found.checked.nodes}
        assert not {puzzle.id for puzzle in found.puzzles} & set(found.checked.dropped)


@GAMES
def test_each_is_well_made(name: str) -> None:
    for puzzle in collection(name).puzzles:
        view = puzzle.view(name)
        assert view.to_move == puzzle.seat, puzzle.id
        assert [answer.move for answer in puzzle.answers] == view.moves()
        assert len(puzzle.answers) >= 3
        assert 2 * len(puzzle.right) <= len(puzzle.answers)
        shares = {answer.move: answer.share for answer in puzzle.answers}
        assert all(abs(shares[move] - puzzle.best) < 1e-6 for move in puzzle.right)
        others = [share for move, share in shares.items() if move not in puzzle.right]
        assert max(others) == pytest.approx(puzzle.second)
        assert puzzle.best - puzzle.second >= GAP - 1e-6
        assert puzzle.grade in GRADES
        if puzzle.certainty == "proven":
            assert all(answer.certainty == "proven" for answer in puzzle.answers)
        if puzzle.task == "win":
            assert len(puzzle.right) == 1
        if not view.game.hides and puzzle.grade > 1:
            assert view.play(puzzle.solution).result is None, "whoever looks sees that it wins"


@GAMES
def test_every_line_can_be_played(name: str) -> None:
    refuted = 0
    for puzzle in collection(name).puzzles:
        for answer in puzzle.answers:
            now = puzzle.start(name, answer)
            if answer.position:  # all of what the mover sees is true of it
                assert now.view(puzzle.seat) == puzzle.view(name)  # type: ignore[union-attr]
            elif now.game.hides:
                continue
            for move in (answer.move, *answer.line):
                now = now.play(move)
            if answer.loses and now.result is not None:
                assert now.result.shares[puzzle.seat] == 0
            if answer.wins and now.result is not None:
                assert now.result.shares[puzzle.seat] == 1
            refuted += bool(answer.line) and answer.move not in puzzle.right
    assert refuted > LEAST


@pytest.mark.parametrize("name", ["pyramidis", "quadrille"])
def test_a_sample_is_proven_again(name: str) -> None:
    decided = [each for each in collection(name).puzzles if each.task in ("win", "save")]
    assert len(decided) >= SAMPLE
    for puzzle in decided[:: len(decided) // SAMPLE][:SAMPLE]:
        assert holds(name, puzzle, puzzle.nodes), puzzle.id


def test_what_is_exact_is_exact() -> None:
    """Where the game is solved quickly, all of them: the shares are those of the solution."""
    exact = [
        puzzle for puzzle in collection("batisseurs").puzzles if puzzle.options["players"] == 2
    ]
    assert len(exact) >= LEAST // 2
    for puzzle in exact:
        game = puzzle.game("batisseurs")
        assert solvable(game)
        prepare(game)
        judgement = judge(puzzle.view("batisseurs"), 1)
        assert puzzle.certainty == judgement.certainty == "exact"
        for answer, worth in zip(puzzle.answers, judgement.worths, strict=True):
            assert answer.share == pytest.approx(worth.share, abs=1e-6)
        assert set(puzzle.right) == set(judgement.right)


def test_the_last_move_of_objectif_is_exact() -> None:
    last = [each for each in collection("objectif").puzzles if each.certainty == "exact"]
    for puzzle in last:
        assert holds("objectif", puzzle, 1), puzzle.id


def test_what_is_told_of_a_move() -> None:
    puzzle = next(each for each in collection("quadrille").puzzles if each.task == "win")
    assert puzzle.why(puzzle.solution) == "win"
    wrong = [answer for answer in puzzle.answers if answer.move != puzzle.solution]
    assert {puzzle.why(answer.move) for answer in wrong} <= {"loses", "no-win"}
    with pytest.raises(BadNotation, match="not a legal move"):
        puzzle.answer("a1a2a3")


def test_the_puzzle_of_the_day() -> None:
    """The same for everybody; games take turns, and nothing comes again before all have come."""
    day = date(2026, 11, 17)
    assert of_the_day(day) == of_the_day(day)
    names = [of_the_day(day + timedelta(n))[0] for n in range(8)]
    assert names[:4] == names[4:]
    assert set(names) == set(benben.names())
    name = names[0]
    number = len(collection(name).puzzles)
    seen = [of_the_day(day + timedelta(4 * n))[1].id for n in range(number)]
    assert len(set(seen)) == number
    assert of_the_day(day + timedelta(4 * number))[1].id == seen[0]


def test_a_file_is_read_and_written() -> None:
    found = collection("pyramidis")
    assert read(write(found)) == found
    assert read(write(msgspec.structs.replace(found, puzzles=()))).puzzles == ()
    with pytest.raises(BadPuzzles, match="not puzzles"):
        read(b"{}")
    with pytest.raises(BadPuzzles, match="format 2"):
        read(write(msgspec.structs.replace(found, format=2)))
    with pytest.raises(NoPuzzle, match="no puzzle zzzzzz"):
        found.puzzle("zzzzzz")
