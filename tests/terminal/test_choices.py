"""Typed moves: understood or answered, never guessed."""

import pytest

import benben
from benben.terminal.choices import NoSuchMove, columns, near_command, understand

START = benben.game("pyramidis", first=1).deal()


@pytest.mark.parametrize(("typed", "move"), [("d1*3", "d1*3"), ("3", "d1*3"), ("05", "d1*5")])
def test_moves_and_numbers(typed: str, move: str) -> None:
    assert understand(typed, START.view(0)) == move


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("0", "no move number 0; they go from 1 to 5"),
        ("6", "no move number 6; they go from 1 to 5"),
        ("9" * 30, "no move number"),
        ("d1", "count-needed"),
        ("d1*", "cannot read"),
        ("d1*6", "at-most-five"),
        ("D1*3", r"Did you mean d1\*3\?"),
        ("d1 * 3", r"Did you mean d1\*3\?"),
        ("e5", "there is no pyramid on e5"),
        ("-1", "cannot read"),
        ("é", "cannot read"),
    ],
)
def test_what_is_not_a_move_is_answered(typed: str, answer: str) -> None:
    with pytest.raises(NoSuchMove, match=answer):
        understand(typed, START.view(0))


def test_columns_are_numbered_and_fit() -> None:
    assert columns(START.moves(), 60) == ["1 d1*1   2 d1*2   3 d1*3   4 d1*4   5 d1*5"]
    assert columns(START.moves(), 20) == ["1 d1*1   2 d1*2", "3 d1*3   4 d1*4", "5 d1*5"]


def test_many_moves_are_grouped_by_what_they_begin_with() -> None:
    rows = columns(benben.game("quadrille").deal().moves(), 78)
    assert len(rows) == 8
    assert rows[1] == " 7 @b1    8 @b2    9 @b3   10 @b4   11 @b5   12 @b6"


def test_commands_that_were_probably_meant() -> None:
    assert near_command("resing", ["resign", "save"]) == "resign"
    assert near_command("b@7", ["resign", "save"]) == ""
