"""The page on the bot protocol says what is so: its session, its bot and its numbers."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import benben
from benben.bots import command, speaking
from benben.bots.random import RandomPlayer
from benben.core.player import MOST_SECONDS, MOST_SIMULATIONS
from tests.bots.test_speaking import Entered

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "bot-protocol.md").read_text("utf-8")
BOT = (ROOT / "examples" / "random_bot.py").read_text("utf-8")


def test_the_session_is_real() -> None:
    lines = re.findall("^([→←]) (.*)$", PAGE, re.MULTILINE)
    assert lines[0] == ("→", "benben 1")
    assert {line.split()[0] for way, line in lines if way == "→"} == {*speaking.COMMANDS, "quit"}
    # Line by line: a `quit` right behind a `go` would be heard while it thinks.
    out: list[str] = []
    speaker = speaking.Speaker(
        benben.game("pyramidis"), lambda _: Entered(RandomPlayer(), "random"), out.append
    )
    for way, line in lines:
        if way == "→":
            speaker.hear(line)
            speaker.finish()
        else:
            assert out.pop(0) == line
    assert out == []


def test_the_bot_is_the_example() -> None:
    (shown,) = re.findall("^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert shown == BOT


def test_the_example_needs_nothing_but_python() -> None:
    imported = [
        name.name
        for node in ast.walk(ast.parse(BOT))
        if isinstance(node, ast.Import)
        for name in node.names
    ]
    assert "from " not in BOT
    assert set(imported) == {"random", "sys"}
    assert set(imported) <= sys.stdlib_module_names


def test_every_command_has_its_line() -> None:
    told = re.findall(r"^\| `(\w+)[^|]*\|[^|]*\|[^|]+\|$", PAGE, re.MULTILINE)
    assert told[: len(speaking.COMMANDS) + 2] == [*speaking.COMMANDS, "stop", "quit"]


def test_the_numbers() -> None:
    words = " ".join(PAGE.split())
    assert f"This is version {speaking.VERSION}." in words
    assert f"at most {speaking.LONGEST:,} bytes".replace(",", " ") in words
    assert f"of {speaking.MOST_DIGITS} digits at most" in words
    assert f"from 1 to {MOST_SIMULATIONS}" in words
    assert f"from 1 to {MOST_SECONDS * 1000:.0f}" in words
    assert f"over {command.MOST_LINES} `value` lines" in words
    assert f"waits {command.STARTING:g} seconds for the first" in words
    assert f"then {command.PATIENCE:g} for every other" in words
    assert f"({command.ALLOWANCE:g} seconds, if it is only in simulations)" in words


def test_the_example_refuses_what_it_cannot_do() -> None:
    script = ROOT / "examples" / "random_bot.py"
    said = b"benben 2\n\nstop\ngo seed 1\nlegal a b\ngo seed 1\ngo seed 1\nquit\nbenben 1\n"
    done = subprocess.run([sys.executable, str(script)], input=said, capture_output=True)
    answers = done.stdout.decode().split("\n")
    assert answers[:3] == ["error write benben 1", "error write legal", "ok"]
    assert answers[3] == answers[4]
    assert answers[3] in ("move a", "move b")
    assert (answers[5:], done.stderr, done.returncode) == ([""], b"", 0)
