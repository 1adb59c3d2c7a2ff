"""Games told in words."""

import pytest

import benben
from benben.core.effects import Effect
from benben.terminal import words
from benben.terminal.words import joined, name_of, tell, tell_result


def told(name: str, text: str, move: str, **options: str | int) -> str:
    game = benben.game(name, **options)  # type: ignore[arg-type]
    return tell(game, game.parse(text).effects(move))


@pytest.mark.parametrize("name", benben.names())
def test_every_effect_and_reason_has_words(name: str) -> None:
    game = benben.game(name)
    assert set(words._PHRASES[name]) == set(game.rules.EFFECTS)
    assert set(words._REASONS[name]) == set(game.rules.REASONS)


def test_unknown_effects_are_told_by_their_names() -> None:
    game = benben.game("quadrille")
    assert tell(game, [Effect("explode")]) == "explode"


def test_a_sowing() -> None:
    text = "a5=tttttttt,d1=bbbbb,d3=mmmmm,d8=mmm,e3=bb,h5=cccccccc b1t0m0c0 b 0"
    assert told("pyramidis", text, "d1*3") == (
        "took 3 from d1, dropped b on d2, jumped d3, dropped b on d4, d5"
    )
    assert told("pyramidis", text, "e3") == (
        "took 2 from e3, dropped b on e2, reached e1, brought home brown"
    )


def test_a_throw_and_a_bust() -> None:
    boards = "xoo.../...../..../.../../.|....../...../..../.../../."
    assert told("batisseurs", f"{boards} 1 - 4 0", "=cdff") == (
        "threw c d f f, nothing fits, a bust, lost a2, a3"
    )
    assert told("batisseurs", f"{boards} 1 cdff 4 2", "stop") == "won a2, a3"


def test_a_cancelling() -> None:
    text = "oG/gO/b/p/o/g/b/p/o/g/b/p/o/g/b/p OOOGGBBBPPP|OOGGGBBBPPP 1 gp"
    assert told("objectif", text, "o@2") == "orange met orange on place 2: both are gone"
    assert told("objectif", text, "p@2") == "put pink on place 2"


def test_a_step() -> None:
    text = "oyoyoyoy/brbrbrbr/oyoyoyoy/brb.brbr/oyoyoyoy/brbrbrbr a1,e3 e4,h6 b step r - 0"
    assert (
        told("quadrille", text, "e4f3") == "stepped from e4 to f3, lifted orange, left a hole on e4"
    )


def test_who_won() -> None:
    game = benben.game("quadrille")
    lost = benben.Result((0.0, 1.0), "cannot-step")
    assert tell_result(game, lost) == ["Seat 2 (black) wins: the other side has no step left."]
    assert tell_result(game, lost, you=1) == ["You (black) win: the other side has no step left."]
    assert tell_result(game, benben.Result((0.5, 0.5), "quiet")) == [
        "A draw: fifty steps in a row opened no hole.",
        "Shares: seat 1 (white) ½, seat 2 (black) ½.",
    ]


def test_a_shared_win() -> None:
    game = benben.game("objectif", players=3)
    assert tell_result(game, benben.Result((0.5, 0.0, 0.5), "shared"), you=0) == [
        "You and seat 3 share the win: level on places, Piles and height.",
        "Shares: you ½, seat 2 0, seat 3 ½.",
    ]


def test_who_resigned() -> None:
    game = benben.game("batisseurs", players=4)
    third = 1 / 3
    lines = tell_result(game, benben.Result((third, 0.0, third, third), "resigned"))
    assert lines[0] == "Seat 1, seat 3 and seat 4 share the win: seat 2 resigned."
    assert lines[1] == "Shares: seat 1 ⅓, seat 2 0, seat 3 ⅓, seat 4 ⅓."


def test_seats_are_called_by_their_colours() -> None:
    assert name_of(benben.game("pyramidis"), 3) == "seat 4 (cream)"
    assert name_of(benben.game("pyramidis", players=2, pair="tc"), 1) == "seat 2 (cream)"
    assert name_of(benben.game("objectif"), 1, you=1) == "you"


def test_joined() -> None:
    assert joined(["2"], "or") == "2"
    assert joined(["2", "3", "4"], "or") == "2, 3 or 4"
