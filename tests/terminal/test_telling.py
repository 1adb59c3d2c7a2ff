"""Games told in words."""

import pytest

import benben
from benben.core.effects import Effect
from benben.terminal.company import Company
from benben.terminal.speech import joined, knows
from benben.terminal.telling import UNTOLD, tell, tell_result


def told(name: str, text: str, move: str, **options: str | int) -> str:
    game = benben.game(name, **options)  # type: ignore[arg-type]
    return tell(game, game.parse(text).effects(move))


@pytest.mark.parametrize("name", benben.names())
def test_every_effect_and_reason_has_words(name: str) -> None:
    game = benben.game(name)
    told = {kind for kind in game.rules.EFFECTS if knows(f"{name}.effect.{kind}")}
    assert told | UNTOLD.get(name, set()) == set(game.rules.EFFECTS)
    assert all(knows(f"{name}.reason.{reason}") for reason in game.rules.REASONS)
    assert all(knows(f"{name}.refusal.{rule}") for rule, _ in game.rules.REFUSALS if rule)


def test_unknown_effects_are_told_by_their_names() -> None:
    game = benben.game("quadrille")
    assert tell(game, [Effect("explode")]) == "explode"


def test_a_sowing() -> None:
    text = "a5=tttttttt,d1=bbbbb,d3=mmmmm,d8=mmm,e3=bb,h5=cccccccc b1t0m0c0 b 0"
    assert told("pyramidis", text, "d1*3") == (
        "sows 3 from d1, drops b on d2, jumps d3, drops b on d4, d5"
    )
    assert told("pyramidis", text, "e3") == (
        "sows 2 from e3, drops b on e2, reaches e1, brings home 1 brown pyramid"
    )


def test_a_throw_and_a_bust() -> None:
    boards = "xoo.../...../..../.../../.|....../...../..../.../../."
    assert told("batisseurs", f"{boards} 1 - 4 0", "=cdff") == (
        "rolls c d f f, nothing fits, loses a2, a3"
    )
    assert told("batisseurs", f"{boards} 1 cdff 4 2", "stop") == "wins a2, a3"


def test_a_cancelling() -> None:
    text = "oG/gO/b/p/o/g/b/p/o/g/b/p/o/g/b/p OOOGGBBBPPP|OOGGGBBBPPP 1 gp"
    assert told("objectif", text, "o@2") == "puts orange on orange: both leave place 2"
    assert told("objectif", text, "p@2") == "puts pink on place 2"


def test_a_step() -> None:
    text = "oyoyoyoy/brbrbrbr/oyoyoyoy/brb.brbr/oyoyoyoy/brbrbrbr a1,e3 e4,h6 b step r - 0"
    assert told("quadrille", text, "e4f3") == (
        "steps from e4 to f3, gives the orange token, leaves a hole on e4"
    )


def test_who_won() -> None:
    game = benben.game("quadrille")
    lost = benben.Result((0.0, 1.0), "cannot-step")
    assert tell_result(Company(game), lost) == [
        "Seat 2 (black) wins: seat 1 (white) cannot step any more."
    ]
    assert tell_result(Company(game, 1, {0: "Hori"}), lost) == [
        "You (black) win: Hori (white) cannot step any more."
    ]
    assert tell_result(Company(game, 0, {1: "Hori"}), lost) == [
        "Hori (black) wins: you cannot step any more."
    ]
    assert tell_result(Company(game), benben.Result((0.5, 0.5), "quiet")) == [
        "A draw: 50 steps in a row have opened no new hole.",
        "Shares: seat 1 (white) ½, seat 2 (black) ½.",
    ]


def test_a_shared_win() -> None:
    game = benben.game("objectif", players=3)
    assert tell_result(Company(game, 0), benben.Result((0.5, 0.0, 0.5), "shared")) == [
        "You and seat 3 share the win: level on places, piles and tallest pile.",
        "Shares: you ½, seat 2 0, seat 3 ½.",
    ]


def test_who_resigned() -> None:
    game = benben.game("batisseurs", players=4)
    third = 1 / 3
    lines = tell_result(Company(game), benben.Result((third, 0.0, third, third), "resigned"))
    assert lines[0] == "Seat 1, seat 3 and seat 4 share the win: seat 2 resigns."
    assert lines[1] == "Shares: seat 1 ⅓, seat 2 0, seat 3 ⅓, seat 4 ⅓."


def test_seats_are_called_by_their_colours() -> None:
    assert Company(benben.game("pyramidis")).name(3) == "seat 4 (cream)"
    assert Company(benben.game("pyramidis", players=2, pair="tc")).name(1) == "seat 2 (cream)"
    assert Company(benben.game("objectif"), you=1).name(1) == "you"


def test_joined() -> None:
    assert joined(["2"], "or") == "2"
    assert joined(["2", "3", "4"], "or") == "2, 3 or 4"
