"""The commands about bots, with the real bots and real programs."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.sizes import LONG, rotating
from tests.test_cli import good, run

OURS = f"cmd:{sys.executable} -m benben bot quadrille --level 1"
THEIRS = f"cmd:{sys.executable} {Path(__file__).parent.parent / 'examples' / 'random_bot.py'}"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "results.jsonl"


def arena(results: Path, game: str, bots: str, games: int, *more: str) -> dict[str, Any]:
    out = good(
        "arena", game, "--bots", bots, "--games", str(games), "--out", str(results), "--json", *more
    )
    told: dict[str, Any] = json.loads(out.splitlines()[-1])
    return told


@pytest.mark.slow
@rotating(
    ("game", "players"),
    [("objectif", 3), ("pyramidis", 4), ("batisseurs", 2), ("quadrille", 2)],
)
def test_levels_and_bots_by_name_meet(results: Path, game: str, players: int) -> None:
    told = arena(results, game, "random,1,greedy,uct:30", 1, "--players", str(players))
    assert told["games"] == {2: 12, 3: 24, 4: 24}[players]
    assert told["failures"] == []
    assert sum(bot["share"]["value"] * bot["seats"] for bot in told["bots"]) == pytest.approx(
        told["games"], abs=0.01
    )


def test_perfect_play_beats_chance(results: Path) -> None:
    told = arena(results, "batisseurs", "exact,random", 60)
    assert told["pairs"][0]["decided"]
    assert told["bots"][0]["share"]["value"] > 0.7


def test_a_sequential_test_from_random_openings(results: Path) -> None:
    told = arena(results, "objectif", "greedy,random", 200, "--openings", "4", "--sprt", "20")
    assert told["openings"] == 4
    assert told["sprt"]["stronger"] is True
    assert told["games"] < 100


def test_a_gauntlet(results: Path) -> None:
    more = ("--players", "4", "--gauntlet", "--openings", "2")
    told = arena(results, "objectif", "greedy,random", 8, *more)
    assert told["gauntlet"] is True
    assert [bot["seats"] for bot in told["bots"]] == [8, 24]


def test_programs_play_and_those_that_cannot_lose(results: Path) -> None:
    """One of ours, one that knows no rules, one that dies, one that babbles; the arena goes on."""
    games = 24 if LONG else 12
    told = arena(results, "quadrille", f"{OURS},{THEIRS},cmd:false,cmd:yes", games)
    bots = {bot["bot"]: bot for bot in told["bots"]}
    assert told["games"] == games
    assert bots[OURS]["failures"] == bots[THEIRS]["failures"] == 0
    for bad, why in (("cmd:false", "it ended with exit code 1"), ("cmd:yes", "with 'y', not")):
        assert bots[bad]["failures"] >= 3
        assert bots[bad]["unplayed"] > 0
        assert all(why in each["why"] for each in told["failures"] if each["bot"] == bad)
    assert bots[OURS]["share"]["value"] > 0.5


@pytest.mark.slow
@pytest.mark.parametrize(
    "where", [pytest.param([], marks=pytest.mark.long), ["--processes", "--jobs", "2"]]
)
def test_interrupted_and_gone_on_with(results: Path, tmp_path: Path, where: list[str]) -> None:
    """Ctrl-C in the middle loses no finished game, and the end is as if nothing had happened."""
    total = 16 if where else 30
    command = ["arena", "objectif", "--bots", "uct:2000,greedy", "--games", str(total)]
    whole = tmp_path / "whole.jsonl"
    running = subprocess.Popen(
        [sys.executable, "-m", "benben", *command, "--out", str(results), *where],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "80"},
    )
    while not results.exists() or results.read_bytes().count(b"\n") < 3:
        assert running.poll() is None, running.communicate()
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "The same command goes on from there." in said
    kept = results.read_bytes().count(b"\n") - 1
    assert 2 <= kept < total
    good(*command, "--out", str(results))
    good(*command, "--out", str(whole), "--jobs", "2")

    def games(file: Path) -> list[tuple[Any, ...]]:
        told = [json.loads(line) for line in file.read_text("utf-8").splitlines()[1:]]
        return sorted((each["game"], each["bots"], each["shares"], each["moves"]) for each in told)

    assert len(games(results)) == total
    assert games(results) == games(whole)


def test_records_of_an_arena_can_be_replayed_and_reviewed(results: Path, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    told = arena(results, "batisseurs", "random,1", 2, "--records", str(folder))
    assert told["records"] == str(folder)
    first, second = sorted(folder.iterdir())
    entries = [json.loads(line) for line in results.read_text("utf-8").splitlines()[1:]]
    assert f"{len(entries[0]['moves'])} moves" in good("replay", str(first))
    review = json.loads(good("review", str(second), "--json"))
    assert [step["move"] for step in review["steps"]] == entries[1]["moves"]
    assert review["shares"] == entries[1]["shares"]


def test_solve_says_what_the_first_player_can_expect() -> None:
    for placing, chance in (("all", "0.550492318216"), ("free", "0.552706785965")):
        out = good("solve", "batisseurs", "--players", "2", "--option", f"placing={placing}")
        assert f"first player wins: {chance}" in out
        assert "429 board states, 232 up to mirror images" in out


@pytest.mark.slow
def test_a_bot_answers_lines() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benben", "bot", "pyramidis", "--players", "2", "--level", "5"],
        input="benben 1\nview d1=bbbbbbbb,d8=mmmmmmmm b0m0 b 0\ngo seed 3 values\nnonsense\nquit\n",
        capture_output=True,
        text=True,
        check=True,
    )
    greeting, ok, *values, move, error = done.stdout.splitlines()
    assert (greeting, ok) == ("benben 1 Benben 5", "ok")
    assert [value.split()[1] for value in values] == ["d1*1", "d1*2", "d1*3", "d1*4", "d1*5"]
    assert move.removeprefix("move ") in [value.split()[1] for value in values]
    assert error.startswith("error unknown command 'nonsense'")


def test_a_file_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Benben,\n", "utf-8")
    command = ["arena", "quadrille", "--bots", "1,2", "--games", "2", "--out", str(file)]
    for more in ([], ["--fresh"]):
        done = run(*command, *more)
        assert done.exit_code == 2
        assert "this is not a file of arena results; nothing was changed" in done.stderr
    assert file.read_text("utf-8") == "Dear Benben,\n"
