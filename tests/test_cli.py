"""Every command: what it prints, where, and with which exit code."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner, Result

import benben
from benben.cli import app
from benben.core.record import GameRecord
from benben.terminal.play import COMMANDS

DOCS = Path(__file__).parent.parent / "docs" / "command-line.md"
START = "a5=tttttttt,d1=bbbbbbbb,d8=mmmmmmmm,h5=cccccccc b0t0m0c0 b 0"
OPEN_GOALS = "o/g/b/p/o/g/b/p/o/g/b/p/o/g/b/p OOOGGGBBBPPP|OOOGGGBBBPPP 1 gp"


def run(*arguments: str) -> Result:
    environment = {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}
    return CliRunner(env=environment).invoke(app, arguments)


def good(*arguments: str) -> str:
    done = run(*arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


# ---- What each command prints


def test_version() -> None:
    assert good("--version") == f"benben {benben.__version__}\n"


def test_python_m_benben_is_the_same_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benben", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == good("--version")


def test_games() -> None:
    out = good("games")
    assert max(map(len, out.splitlines())) <= 80
    for name in benben.names():
        card = benben.info(name)
        assert name in out
        assert card.titles["en"] in out
        for author in card.authors:
            assert author in out
    assert out.count("(working title)") == 3
    assert "author not named by the sheet" in out
    assert "by Roland Siegers†" in out
    assert "age 12+†" in out
    assert "10–20 minutes°" in out
    assert "° measured by us: the sheet does not say" in out
    assert "Escale à jeux" in out
    assert "mode: random*, fair (2 or 3 players)" in out
    assert "pair (2 players): bm*, tc" in out


def test_show_a_position() -> None:
    lines = good("show", "pyramidis", START).splitlines()
    assert " 5 t8     b5" in lines[3]
    assert f"position: {START}" in lines
    assert "to move: seat 1 (brown)" in lines
    assert lines[-1].split() == ["d1*1", "d1*2", "d1*3", "d1*4", "d1*5"]


@pytest.mark.parametrize("name", benben.names())
def test_show_a_deal(name: str) -> None:
    position = benben.game(name).deal("a seed")
    out = good("show", name, "--seed", "a seed")
    assert f"position: {position}" in out.splitlines()
    shown = " ".join(out.split())
    assert " ".join(position.moves()) in shown


def test_show_with_players_and_options() -> None:
    out = good("show", "pyramidis", "--players", "2", "--option", "pair=tc", "--option", "first=2")
    assert "position: a5=tttttttt,h5=cccccccc t0c0 c 0" in out
    assert "to move: seat 2 (cream)" in out


def test_show_counts_throws() -> None:
    assert "to move: chance, 462 rolls" in good("show", "batisseurs")


def test_show_the_end() -> None:
    out = good("show", "pyramidis", "d1=bbb,d8=mmmmmmmm b5m0 m 0", "--players", "2")
    assert "over: five-home" in out
    assert "Seat 1 (brown) wins: first to bring five pyramids home." in out


def test_show_secrets_and_views() -> None:
    assert f"position: {OPEN_GOALS}" in good("show", "objectif", OPEN_GOALS)
    view = OPEN_GOALS.replace(" gp", " g?")
    assert f"position: {view}" in good("show", "objectif", view)


def test_perft() -> None:
    out = good("perft", "pyramidis", START, "--depth", "3")
    assert out == "".join(f"d1*{n} 25\n" for n in range(1, 6)) + "total 125\n"
    assert good("perft", "pyramidis", "--depth", "0") == "total 1\n"


def test_perft_counts_throws_as_plies() -> None:
    position = benben.game("batisseurs").deal()
    lines = good("perft", "batisseurs", "--depth", "2").splitlines()
    assert len(lines) == 463
    assert lines[0] == "=aaaaaa 6"
    assert lines[-1] == f"total {position.perft(2)}"


def test_replay(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    record = GameRecord(benben.game("pyramidis", first=1).deal(), ("d1*3", "a5*2"))
    file.write_bytes(b"\xef\xbb\xbf" + str(record).replace("\n", "\r\n").encode())
    out = good("replay", str(file))
    assert "pyramidis: 2 moves and rolls" in out
    assert f"position: {record.end}" in out
    assert "to move: seat 3 (mustard)" in out
    file.write_text(str(GameRecord(record.start, record.moves, resigned=0)), "utf-8")
    out = good("replay", str(file))
    assert "over: resigned" in out
    assert "seat 1 (brown) resigns." in " ".join(out.split())


def test_bench_playouts() -> None:
    done = run("bench", "playouts", "quadrille", "--seconds", "0.5", "--threads", "2", "--json")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "quadrille, 2 players, 2 threads"
    assert "moves/s" in lines[1]
    measured = json.loads(lines[-1])
    assert measured["game"] == "quadrille"
    assert measured["players"] == measured["threads"] == 2
    assert measured["options"]["layout"] == "regular"
    assert measured["moves_per_second"] > measured["games_per_second"] > 0
    assert measured["decisions"] > measured["games"] > 0
    assert sum(measured["shares"]) == pytest.approx(1)
    assert "{" not in good("bench", "playouts", "quadrille", "--seconds", "0.05")


# ---- What is refused

FILE = "sqlite:///no/such/folder/tables.sqlite3"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["show", "chess"], "no game is called 'chess'; the games are objectif"),
        (["show", "objectif", "--players", "4", "--option", "mode=fair"], "only for 2 or 3"),
        (["show", "pyramidis", "--players", "3"], "players=3: must be 2 or 4"),
        (["show", "pyramidis", "--option", "first"], "write it as NAME=VALUE"),
        (["show", "pyramidis", "--option", "name=x"], "pyramidis takes first, pair"),
        (["show", "pyramidis", "--option", "first=1", "--option", "first=2"], "given twice"),
        (["show", "pyramidis", "--option", "players=2"], "is said by --players"),
        (["show", "pyramidis", "d1"], "a position is 4 fields"),
        (["show", "pyramidis", START.replace("bbbbbbbb", "bbb")], "wrong-pyramids"),
        (["show", "objectif", OPEN_GOALS.replace(" gp", " gg")], "same-goal"),
        (["perft", "quadrille", "--depth", "-1"], "depth=-1: must be a whole number from 0 to 20"),
        (["perft", "quadrille", "--depth", "21"], "from 0 to 20"),
        (["perft", "objectif", OPEN_GOALS.replace(" gp", " g?"), "--depth", "1"], "every goal"),
        (["bench", "playouts", "chess"], "no game is called"),
        (["bench", "playouts", "quadrille", "--seconds", "0"], "seconds=0"),
        (["bench", "playouts", "quadrille", "--seconds", "nan"], "seconds=nan"),
        (["bench", "playouts", "quadrille", "--seconds", "1e9"], "at most 3600"),
        (["bench", "playouts", "quadrille", "--threads", "0"], "threads=0"),
        (["bench", "playouts", "quadrille", "--threads", "1000"], "from 1 to 256"),
        (["replay", "no-such-file"], "no-such-file: No such file or directory"),
        (["replay", "."], "Is a directory"),
        (["play", "chess"], "no game is called"),
        (["play", "--players", "2"], "say which game"),
        (
            ["play", "quadrille", "--seat", "cat"],
            "seat=cat: must be human, random, greedy or a level",
        ),
        (["play", "quadrille", "--seat", "7"], "seat=7: must be human"),
        (["play", "quadrille", "--level", "0"], "level=0: must be 1 to 6"),
        (["play", "quadrille", "--hotseat", "--level", "2"], "leave out --level"),
        (["arena", "chess", "--bots", "1,2", "--games", "1"], "no game is called"),
        (["arena", "quadrille", "--bots", "1", "--games", "1"], "2 to 24 bots, not 1"),
        (["arena", "quadrille", "--bots", "1,1", "--games", "1"], "1 is named twice"),
        (["arena", "quadrille", "--bots", "1,,2", "--games", "1"], "with a comma between them"),
        (["arena", "quadrille", "--bots", "1,7", "--games", "1"], "levels are 1 to 6"),
        (["arena", "quadrille", "--bots", "1,cat", "--games", "1"], "no player is called 'cat'"),
        (["arena", "quadrille", "--bots", "1,uct:0", "--games", "1"], "simulations=0: must be"),
        (["arena", "quadrille", "--bots", "1,exact", "--games", "1"], "is not solved here"),
        (["arena", "quadrille", "--bots", "1,2", "--games", "0"], "games=0: must be"),
        (["arena", "quadrille", "--bots", "1,2", "--games", "2", "--jobs", "0"], "jobs=0"),
        (["arena", "quadrille", "--bots", "1,2", "--games", "2", "--time-ms", "0"], "time-ms=0"),
        (["bot", "quadrille", "--level", "7"], "no player is called '7': levels are 1 to 6"),
        (["bot", "quadrille", "--level", "cat"], "a level from 1 to 6, random, greedy"),
        (["bot", "quadrille", "--time-ms", "0"], "time-ms=0: must be"),
        (["serve", "--port", "70000"], "ports are 0 to 65535"),
        (["serve", "--database", "mysql://x/y"], "sqlite:///… or postgresql://…, not in mysql"),
        (["serve", "--database", FILE, "--thinkers", "0"], "nobody would play the bots' turns"),
        (["think", "--database", FILE], "thinking servers need PostgreSQL"),
        (["think", "--database", "mysql://x/y"], "sqlite:///… or postgresql://…, not in mysql"),
        (["verify", "no-such-file"], "no-such-file: No such file or directory"),
        (["verify", "."], "Is a directory"),
        (["solve", "quadrille"], "quadrille for 2 is not solved here"),
        (["solve", "batisseurs", "--players", "4"], "batisseurs for 4 is not solved here"),
        (["play", "quadrille", *["--seat", "human"] * 3], "seat 3: there are 2 seats"),
        (["play", "quadrille", "--hotseat", "--seat", "human"], "leave out --seat"),
        (["play", "quadrille", "--resume", "auto"], "GAME cannot go with --resume"),
        (["play", "--players", "2", "--resume", "auto"], "--players cannot go with --resume"),
        (["play", "--resume", "no-such-file"], "No such file or directory"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(arguments: list[str], why: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    said = [line for line in done.stderr.splitlines() if not line.startswith("Preparing ")]
    assert len(said) == 1
    assert said[0].startswith("benben: ")
    assert why in said[0]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\xff\xfe", "this is not UTF-8 text"),
        (b"", "line 1"),
        (b"hello\n", "line 1: a header line is"),
        (b"start", "line 1: a header line is"),
    ],
)
def test_files_that_are_no_records(tmp_path: Path, content: bytes, why: str) -> None:
    file = tmp_path / "game.txt"
    file.write_bytes(content)
    for command in (["replay", str(file)], ["play", "--resume", str(file)]):
        done = run(*command)
        assert done.exit_code == 2
        assert done.stderr.startswith(f"benben: {file}: ")
        assert why in done.stderr


def test_a_bad_move_in_a_record_is_named(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    record = str(GameRecord(benben.game("pyramidis", first=1).deal(), ("d1*3",)))
    for move, why in (("d8", "d8 is illegal"), ("d0", "cannot read 'd0'")):
        file.write_text(f"{record}{move}\n", "utf-8")
        done = run("replay", str(file))
        assert done.exit_code == 2
        assert f"{file}: line 9, move 2: {why}" in done.stderr


def test_an_unknown_player_in_a_record(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    record = GameRecord(benben.game("quadrille").deal(), seats=("human", "oracle"))
    file.write_text(str(record), "utf-8")
    done = run("play", "--resume", str(file))
    assert done.exit_code == 2
    assert "no 'oracle' plays here" in done.stderr


@pytest.mark.parametrize("arguments", [["show"], ["frobnicate"], ["perft", "quadrille"]])
def test_misuse_of_the_command_line(arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert "Traceback" not in done.output


def test_any_text_is_a_seed() -> None:
    assert good("show", "objectif", "--seed", "-5") != good("show", "objectif", "--seed", "é")
    odd = os.fsdecode(b"\xff")
    assert good("show", "objectif", "--seed", odd) == good("show", "objectif", "--seed", odd)


# ---- What is documented


def commands(command: Any, path: str = "benben") -> list[tuple[str, Any]]:
    """Every command that does something, with its full name."""
    inner = getattr(command, "commands", None)
    if not inner:
        return [(path, command)]
    return [each for name, sub in inner.items() for each in commands(sub, f"{path} {name}")]


@pytest.mark.parametrize(("name", "command"), commands(get_command(app)))
def test_every_command_is_documented(name: str, command: Any) -> None:
    assert command.help
    section = DOCS.read_text("utf-8").partition(f"\n## `{name}")[2].partition("\n## ")[0]
    assert section, f"{DOCS.name} has no section on {name}"
    for parameter in command.params:
        if parameter.param_type_name == "option" and "--help" not in parameter.opts:
            assert parameter.help
            assert f"`{parameter.opts[0]}" in section, f"{parameter.opts[0]} of {name}"


def test_everything_one_can_type_in_a_game_is_documented() -> None:
    text = DOCS.read_text("utf-8")
    for command in COMMANDS:
        assert f"`{command}`" in text
    assert "`benben --version`" in text
