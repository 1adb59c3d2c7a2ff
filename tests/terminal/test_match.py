"""A match: who plays, what is taken back, what is kept."""

from collections.abc import Sequence

import pytest

import benben
from benben.core.record import GameRecord
from benben.terminal.match import HUMAN, CannotUndo, Match


def match_of(name: str, seats: Sequence[str], **options: str | int) -> Match:
    stream, bots = benben.RandomStream.seeded(5), benben.RandomStream.seeded("bots")
    game = benben.game(name, players=len(seats), **options)
    return Match(game.deal(source=stream), seats, stream, bots)


def test_undo_takes_back_the_replies_too() -> None:
    match = match_of("pyramidis", [HUMAN, "random", "greedy", "level-2"], first=1)
    start = match.position
    match.play("d1*2")
    for _ in range(3):
        match.let_bot_move()
    back = match.undo()
    assert [step.seat for step in back] == [0, 1, 2, 3]
    assert match.position == start
    assert match.record.moves == ()


def test_undo_among_people_takes_back_one_move() -> None:
    match = match_of("quadrille", [HUMAN, HUMAN])
    match.play("@a1")
    after_one = match.position
    match.play("@h6")
    match.undo()
    assert match.position == after_one
    match.undo()
    assert match.position == match.start


def test_there_may_be_nothing_to_undo() -> None:
    match = match_of("quadrille", ["random", HUMAN])
    with pytest.raises(CannotUndo, match="nothing"):
        match.undo()
    match.let_bot_move()
    with pytest.raises(CannotUndo, match="nothing"):
        match.undo()


def test_undo_never_crosses_a_throw() -> None:
    match = match_of("batisseurs", [HUMAN, HUMAN])
    match.play("=aabcdf")
    with pytest.raises(CannotUndo, match="nothing"):
        match.undo()
    match.play("a1")
    thrown = match.position
    match.play("a2")
    match.undo()
    assert match.position == thrown
    match.play("a2")
    match.play("b1")
    match.play("stop")
    match.throw()
    before = match.position
    with pytest.raises(CannotUndo, match="no roll is ever taken back"):
        match.undo()
    assert match.position == before


def test_a_throw_is_its_throwers() -> None:
    match = match_of("batisseurs", ["random", "random"], first=2)
    match.throw()
    assert match.steps[0].thrown
    assert match.steps[0].seat == 1


def test_a_record_brings_the_match_back() -> None:
    match = match_of("objectif", [HUMAN, "random", "level-1"])
    for _ in range(7):
        if match.to_move == 0:
            match.play(match.position.moves()[0])
        else:
            match.let_bot_move()
    record = GameRecord.parse(str(match.record))
    stream = benben.RandomStream.seeded(None)
    again = Match.resume(record, record.seats, stream, stream)
    assert again.position == match.position
    assert again.record == match.record
    assert again.you == 0


def test_resigning_ends_the_game_for_all() -> None:
    match = match_of("objectif", [HUMAN, "random", "random"])
    assert match.result is None
    match.resign(0)
    assert match.to_move is None
    assert match.result is not None
    assert match.result.shares == (0.0, 0.5, 0.5)
