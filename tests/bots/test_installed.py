"""Bots that other distributions bring along."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import benben
from benben.bots.entrants import entrant
from benben.core.errors import BenbenError, UnknownPlayer
from benben.core.player import Budget

GAME = benben.game("quadrille")
QUARRY = """
import benben


class Last(benben.Player):
    name = "last"

    def __init__(self, game):
        self.game = game

    def think(self, turn):
        assert turn.view.game == self.game
        return benben.Thought(turn.moves[-1])


def choosy(game):
    raise benben.BenbenError("plays chess only")


def broken(game):
    return 1 / 0


def nobody(game):
    return "a player"
"""
ENTRIES = """
[benben.bots]
last = quarry:Last
choosy = quarry:choosy
broken = quarry:broken
nobody = quarry:nobody
missing = quarry_that_is_not:Bot
random = quarry:nobody
"""


def install(folder: Path, name: str, entries: str) -> None:
    """A distribution as pip leaves it, without pip."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entries)


@pytest.fixture
def quarry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "quarry.py").write_text(QUARRY)
    install(tmp_path, "quarry", ENTRIES)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "quarry", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "budget"),
    [
        ("last", Budget(seconds=1.0)),
        ("last:500", Budget(simulations=500)),
        ("last@50", Budget(seconds=0.05)),
    ],
)
def test_an_installed_bot(quarry: Path, name: str, budget: Budget) -> None:
    found = entrant(name, GAME)
    assert (found.name, found.budget) == (name, budget)
    assert found.player.name == "last"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("choosy", "^plays chess only$"),
        ("broken", "quarry:broken raised ZeroDivisionError: division by zero"),
        ("nobody", "what quarry:nobody makes is not a benben.Player"),
        ("missing", "quarry_that_is_not:Bot raised ModuleNotFoundError"),
        ("first", "or the name of an installed bot"),
        ("last:x", "or the name of an installed bot"),
        ("last@50:500", "only who thinks by the clock has a time"),
    ],
)
def test_installed_bots_that_cannot_play(quarry: Path, name: str, why: str) -> None:
    with pytest.raises(BenbenError, match=why):
        entrant(name, GAME)


def test_our_own_names_stay_ours(quarry: Path) -> None:
    assert entrant("random", GAME).player.name == "random"


def test_two_of_a_name(quarry: Path) -> None:
    install(quarry, "rival", "[benben.bots]\nlast = rival:Last\n")
    with pytest.raises(UnknownPlayer, match="several are installed: quarry:Last and rival:Last"):
        entrant("last", GAME)


def test_an_installed_bot_plays_in_an_arena_of_processes(quarry: Path) -> None:
    command = "arena quadrille --bots last:1,random --games 4 --json --processes --jobs 2"
    done = subprocess.run(
        [sys.executable, "-m", "benben", *command.split(), "--out", str(quarry / "results.jsonl")],
        env={**os.environ, "PYTHONPATH": str(quarry)},
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["games"] == 4
    assert told["failures"] == []
