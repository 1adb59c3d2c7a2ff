"""Games and counts recorded once, so that no rule changes unseen (see write.py)."""

from importlib import import_module
from typing import Any

import pytest

import benben
from tests.configurations import GAMES, LABELS
from tests.golden.write import PERFT, PLAYTHROUGHS, playthrough

BY_LABEL = dict(zip(LABELS, GAMES, strict=True))
BY_NAIVE_READING = 3000  # counts up to this are made again by the naive reading


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_playthrough(game: benben.Game) -> None:
    label = LABELS[GAMES.index(game)]
    assert playthrough(game) == (PLAYTHROUGHS / f"{label}.txt").read_text("utf-8")


def _counts() -> list[list[str]]:
    lines = PERFT.read_text("utf-8").splitlines()
    return [line.split(" | ") for line in lines if not line.startswith("#")]


@pytest.mark.parametrize("label", LABELS)
def test_perft(label: str) -> None:
    rows = [row for row in _counts() if row[0] == label]
    assert len(rows) >= 3
    reference: Any = import_module(f"tests.reference.{BY_LABEL[label].name}")
    for _, text, depth, count in rows:
        game = BY_LABEL[label]
        assert game.parse(text).perft(int(depth)) == int(count), (text, depth)
        if int(count) <= BY_NAIVE_READING:
            naive = reference.State.parse(text, game.options)
            assert _perft(naive, int(depth)) == int(count), (text, depth)


def _perft(naive: Any, depth: int) -> int:
    branches = [*naive.moves(), *naive.throws()]
    if depth == 1:
        return len(branches)
    return sum(_perft(naive.play(branch), depth - 1) for branch in branches)
