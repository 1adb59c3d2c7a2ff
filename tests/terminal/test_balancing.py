"""`benben lab …`: files, the command that makes them again, and what it says of bad input."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from benben.cli import app
from benben.core.paths import data_root


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENBEN_DATA_DIR", str(tmp_path / "data"))


def lab(*words: str) -> Result:
    return CliRunner().invoke(app, ["lab", *words])


def test_a_report_and_the_command_that_makes_it_again(tmp_path: Path) -> None:
    words = "balance objectif --bots greedy --games 3 --seed x --ladder 0"
    done = lab(*words.split(), "--out", str(tmp_path / "one"))
    assert done.exit_code == 0, done.output
    assert "3 games are not whole rounds of 2: 4 it will be" in done.stderr
    assert "Objectif for 2, drawn stocks" in done.stdout
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert files == [f"objectif-2-random.{kind}" for kind in ("csv", "html", "json")]
    kept = list((data_root() / "balance").iterdir())
    assert len(kept) == 1
    made = (tmp_path / "one/objectif-2-random.json").read_bytes()
    command = json.loads(made)["setting"]["command"]
    assert command.startswith("benben lab balance objectif --players 2 --option mode=random")
    again = lab(*command.split()[2:], "--out", str(tmp_path / "two"), "--fresh")
    assert again.exit_code == 0, again.output
    for name in files:
        once, twice = ((tmp_path / each / name).read_text() for each in ("one", "two"))
        assert once.replace("--games 3", "--games 4") == twice.replace("--games 3", "--games 4")
    assert list((data_root() / "balance").iterdir()) == kept  # the same study


def test_ways_to_play_side_by_side(tmp_path: Path) -> None:
    done = lab(*"compare objectif --bots greedy,random --games 2 --out".split(), str(tmp_path))
    assert done.exit_code == 0, done.output
    made = json.loads((tmp_path / "compare-objectif-2.json").read_bytes())
    rows = [(row["option"], row["bots"]) for row in made["rows"]]
    assert rows == [(m, [b]) for m in ("random", "fair") for b in ("greedy", "random")]
    assert (tmp_path / "compare-objectif-2.html").read_text().startswith("<!doctype html>")
    assert made["command"].startswith(
        "benben lab compare objectif --players 2 --bots greedy,random"
    )


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("balance chess", "no game is called 'chess'"),
        ("balance objectif --level 3 --bots 4", "give --level or --bots, not both"),
        ("balance objectif --level 9", "levels are 1 to 6"),
        ("balance objectif --bots 3,3", "3 is named twice"),
        ("balance objectif --games 0", "games=0"),
        ("balance objectif --ladder -1", "ladder=-1"),
        ("balance objectif --jobs 0", "jobs=0"),
        ("balance objectif --openings 101", "openings=101"),
        ("balance objectif --option first=1", "every seat begins in turn here"),
        ("balance objectif --option mode=odd", "must be one of"),
        ("balance objectif --bots greedy --out /dev/null/x", "/dev/null/x"),
        ("balance objectif --bots greedy --games 2 --cluster tcp://127.0.0.1:1", "no cluster"),
        ("compare objectif --players 4", "one way to play"),
        ("compare objectif --bots nobody", "no player is called 'nobody'"),
    ],
)
def test_bad_input(words: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benben.lab.places._CONNECTING", 0.2)
    done = lab(*words.split())
    assert done.exit_code == 2
    assert why in done.stderr
    assert "Traceback" not in done.output
