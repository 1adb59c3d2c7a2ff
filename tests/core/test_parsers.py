"""Any text is either the one text of what it is read as, or refused with a documented error."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import benben
from tests.configurations import GAMES, LABELS
from tests.conformance.checks import games_at_random

REFUSED = (benben.BadNotation, benben.ImpossiblePosition)
SIGNS = " -./|,=*@+()?0123456789abcdefghijklmnopqrstuvwxyzABCDEFGOPQRVWXYé\n"


@cache
def texts(label: str) -> list[str]:
    """Positions of two games."""
    game = GAMES[LABELS.index(label)]
    return [str(position) for line in games_at_random(game, 2) for position, _ in line]


@st.composite
def near_positions(draw: st.DrawFn, label: str) -> str:
    """A position's text with a few signs changed, put in, taken out or whole fields swapped."""
    text = draw(st.sampled_from(texts(label)))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        kind = draw(st.sampled_from(["change", "insert", "remove", "fields", "other"]))
        if kind == "fields":
            fields = text.split(" ")
            other = draw(st.sampled_from(texts(label))).split(" ")
            which = draw(st.integers(0, len(fields) - 1))
            fields[which] = other[min(which, len(other) - 1)]
            text = " ".join(fields)
        elif kind == "other":
            text = text[:at] + draw(st.sampled_from(texts(label)))[at:]
        else:
            new = "" if kind == "remove" else draw(st.sampled_from(SIGNS))
            text = text[:at] + new + text[at + (kind != "insert") :]
    return text


@pytest.mark.parametrize("label", LABELS)
@given(data=st.data())
def test_positions(label: str, data: st.DataObject) -> None:
    game = GAMES[LABELS.index(label)]
    text = data.draw(near_positions(label) | st.text(max_size=60) | st.text(SIGNS, max_size=60))
    for read in (game.parse, game.parse_view):
        try:
            found = read(text)
        except REFUSED as error:
            assert str(error)
            continue
        assert str(found) == text
        moves, throws = found.moves(), found.chance()
        assert bool(moves or throws) == (found.to_move is not None)
        if moves:
            found.effects(moves[0])


@pytest.mark.parametrize("label", LABELS)
@given(text=st.text(SIGNS, max_size=8) | st.text(max_size=8))
def test_moves(label: str, text: str) -> None:
    game = GAMES[LABELS.index(label)]
    position = game.deal(seed=1)
    before = str(position)
    try:
        after = position.play(text)
    except (benben.BadNotation, benben.IllegalMove) as error:
        assert str(error)
    else:
        assert text in position.moves()
        assert after != position
    assert str(position) == before


@pytest.mark.parametrize("bad", [None, 7, b"d1*3", ["d1*3"], 1.5])
def test_what_is_not_text_is_refused(bad: object) -> None:
    for game in GAMES:
        with pytest.raises(benben.BadNotation):
            game.parse(bad)  # type: ignore[arg-type]
        with pytest.raises(benben.BadNotation):
            game.deal(seed=1).play(bad)  # type: ignore[arg-type]
