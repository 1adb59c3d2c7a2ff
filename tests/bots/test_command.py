"""Programs as players: they play whole games, and whatever they do wrong is told and survived."""

import fcntl
import os
import random
import runpy
import shlex
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic, sleep

import pytest

import benben
from benben.bots.command import CommandPlayer
from benben.core.errors import PlayerFailed
from benben.core.player import Budget, Cancelled, History, Player, Turn, Worth
from tests.sizes import rotating

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "random_bot.py"
PYTHON = f"{shlex.quote(sys.executable)} -I -S"
SLOW = 120.0  # seconds, for whoever is well, on a machine as slow as can be
SOON = 2.0  # seconds, for whoever answers some of what it is asked
LONG = 30.0  # seconds; nothing here takes as long unless it is broken

# A bot of ours whose move depends on all it was told.
CAREFUL = """
import sys
from types import SimpleNamespace
from zlib import crc32
import benben
from benben.bots.speaking import speak
from benben.core.player import Budget, Player, Thought

class Careful(Player):
    name = "careful"

    def think(self, turn):
        history = turn.history
        told = (turn.view.game, turn.view, turn.seat, history, turn.moves, turn.budget, turn.seed)
        return Thought(turn.moves[crc32(repr(told).encode()) % len(turn.moves)])

if __name__ == "__main__":
    entrant = SimpleNamespace(name="careful", player=Careful(), budget=Budget(simulations=1))
    game = benben.game(sys.argv[1])
    speak(game, lambda game: entrant, sys.stdin.buffer, sys.stdout.buffer)
"""

# A bot that plays the first move, and does one thing wrong the first time it is started.
WRONG = """
import os, signal, subprocess, sys, time
kind, folder = sys.argv[1:]
def say(text):
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()
with open(folder + "/pids", "a") as pids:
    pids.write(f"{os.getpid()}\\n")
log = open(folder + "/log", "ab", 0)
well = os.path.exists(folder + "/started") and kind[0] != "*"
open(folder + "/started", "w").close()
if kind == "parent" and not well:
    child = "import fcntl, sys, time; f = open(sys.argv[1] + '/held', 'w'); fcntl.flock(f, 2);"
    child += "open(sys.argv[1] + '/locked', 'w').close(); time.sleep(60)"
    subprocess.Popen([sys.executable, "-I", "-S", "-c", child, folder])
    while not os.path.exists(folder + "/locked"):
        time.sleep(0.01)
legal = []
for line in sys.stdin:
    log.write(line.encode())
    word, *rest = line.split()
    if not well:
        if (kind, word) in [("mute", "benben"), ("stuck", "go"), ("stays", "quit")]:
            time.sleep(60)
        if (kind, word) == ("dies", "go"):
            sys.stderr.write("one\\nboom\\n\\n")
            sys.exit(3)
        if (kind, word) == ("leaves", "view"):
            sys.exit(0)
        if (kind, word) == ("killed", "seat"):
            os.kill(os.getpid(), signal.SIGKILL)
        if (kind, word) == ("dumb", "go"):
            os.close(1)
            time.sleep(60)
        if (kind, word) == ("deaf", "benben"):
            os.close(0)
            say("benben 1 deaf")
            time.sleep(60)
        if (kind, word) == ("long", "go"):
            say("x" * 1_000_000)
        if (kind, word) == ("flood", "go"):
            while True:
                say("value d1*1 0.5 0.1")
        if kind == "noisy" and word != "quit":
            sys.stderr.write("noise " * 50_000)
        said = {
            ("old", "benben"): "benben 0 old",
            ("rude", "benben"): "error go away",
            ("choosy", "game"): "error only chess",
            ("silly", "go"): "hello",
            ("parent", "go"): "hello",
            ("blank", "go"): "",
            ("terse", "go"): "move",
            ("cheat", "go"): "move d8*1",
            ("hasty", "legal"): "ok\\nmove d1*1",
            ("binary", "go"): "move \\udcff\\udcfe",
            ("*values", "go"): "value d1*2 0.25 0\\nvalue d1*1 1 1e-3\\nmove d1*1",
            ("*few", "go"): "value d1*2 0.25 0\\nmove d1*1",
            ("*twice", "go"): "value d1*2 0.25 0\\nvalue d1*2 0.25 0\\nmove d1*1",
            ("*wild", "go"): "value d1*2 nan 0\\nvalue d1*1 1.5 0\\nmove d1*1",
            ("*short", "go"): "value d1*2 0.25\\nvalue d1*1 0.5 0\\nmove d1*1",
            ("*many", "go"): "value d1*2 1 0\\nvalue d1*1 1 0\\nvalue d1*1 1 0\\nmove d1*1",
        }.get((kind, word))
        if said is not None:
            sys.stdout.buffer.write(said.encode("utf-8", "surrogateescape") + b"\\n")
            sys.stdout.buffer.flush()
            continue
    if word == "quit":
        break
    if word == "legal":
        legal = rest
    say({"benben": "benben 1 wrong", "go": f"move {(legal or [0])[0]}"}.get(word, "ok"))
"""


class Bots:
    """Commands of misbehaving bots, and what is left of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.script = folder / "wrong.py"
        self.script.write_text(WRONG, "utf-8")

    def player(self, kind: str) -> CommandPlayer:
        folder = shlex.quote(str(self.folder))
        command = f"{PYTHON} {shlex.quote(str(self.script))} '{kind}' {folder}"
        return CommandPlayer(command, SLOW, SLOW)

    @property
    def log(self) -> bytes:
        return (self.folder / "log").read_bytes()

    def heard(self, word: bytes) -> bool:
        log = self.folder / "log"
        return log.exists() and word in log.read_bytes().split()

    def all_gone(self) -> bool:
        """Whether every process that was started is ended, and waited for."""
        pids = (self.folder / "pids").read_text().split()
        for pid in map(int, pids):
            with pytest.raises(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        return len(pids) > 0


@pytest.fixture
def bots(tmp_path: Path) -> Bots:
    return Bots(tmp_path)


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    files, threads = len(os.listdir("/dev/fd")), set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= threads  # one of an earlier test may have ended meanwhile
    assert len(os.listdir("/dev/fd")) <= files


def turn_of_two(cancelled: threading.Event | None = None, seed: int = 1) -> Turn:
    """A turn with two moves to choose from."""
    start = benben.game("pyramidis", players=2, first=1).deal()
    turn = Turn.at(start, (), start, Budget(seconds=0.2), seed, cancelled)
    return Turn(turn.view, turn.history, ("d1*1", "d1*2"), turn.budget, seed, turn.cancelled)


def play(game: benben.Game, players: Sequence[Player], seed: int = 0) -> list[Turn]:
    """A whole game; every turn there was."""
    stream = benben.RandomStream.seeded(seed)
    start = position = game.deal(source=stream)
    moves: list[str] = []
    turns: list[Turn] = []
    while (seat := position.to_move) is not None:
        if seat == benben.CHANCE:
            moves.append(position.draw(stream))
        else:
            turns.append(Turn.at(start, moves, position, Budget(simulations=9), len(moves)))
            moves.append(players[seat].think(turns[-1]).move)
        position = position.play(moves[-1])
    assert position.result is not None
    return turns


# ---- Whole games


@rotating("name", benben.names())
def test_two_processes_play_a_whole_game(name: str, tmp_path: Path) -> None:
    game = benben.game(name)
    script = tmp_path / "careful.py"
    script.write_text(CAREFUL, "utf-8")
    ours = shlex.join([sys.executable, str(script), name])
    careful = CommandPlayer(ours, SLOW, SLOW)
    example = CommandPlayer(f"{PYTHON} {shlex.quote(str(EXAMPLE))}", SLOW, SLOW)
    assert careful.name == f"cmd:{ours}"
    try:
        turns = play(game, [careful, example, careful, example][: game.players])
    finally:
        careful.close()
        example.close()
    likewise = runpy.run_path(str(script))["Careful"]()
    moves = turns[-1].history.moves
    checked = 0
    for turn in turns[:-1]:
        if turn.seat in (0, 2):
            assert moves[len(turn.history.moves)] == likewise.think(turn).move
            checked += 1
        else:
            chosen = random.Random(str(turn.seed)).choice(turn.moves)
            assert moves[len(turn.history.moves)] == chosen
    assert checked > 5


def test_no_secret_is_sent(bots: Bots) -> None:
    """Two games that differ only in the goals of others are the same to a program, byte by byte."""
    game = benben.game("objectif", players=3, first=1)
    start = game.deal(seed=1)
    *public, goals = str(start).split()
    other = game.parse(" ".join([*public, goals[0] + goals[2] + goals[1]]))
    assert other != start
    logs = []
    for deal in (start, other):
        player = bots.player("well")
        position = deal
        moves: list[str] = []
        while position.to_move is not None:
            turn = Turn.at(deal, moves, position, Budget(simulations=5), len(moves))
            seat = position.to_move
            moves.append(player.think(turn).move if seat == 0 else position.moves()[-1])
            position = position.play(moves[-1])
        player.close()
        logs.append(bots.log)
        (bots.folder / "log").unlink()
    assert logs[0] == logs[1]
    assert logs[0].count(b"\nview ") == 10
    assert f" {goals[0]}??\n".encode() in logs[0]
    assert goals.encode() not in logs[0].split()
    assert b"position" not in logs[0]


def test_what_is_sent(bots: Bots) -> None:
    game = benben.game("pyramidis", players=2, first=1)
    start = game.deal()
    after = start.play("d1*3")
    player = bots.player("well")
    player.think(Turn.at(start, ["d1*3"], after, Budget(simulations=9), 10**18 + 5))
    player.think(Turn.at(after, [], after, Budget(seconds=0.0001)))
    player.think(Turn.at(after, [], after, Budget(simulations=9, seconds=2.5)))
    player.close()
    told = b"""game pyramidis players=2 first=1 pair=bm
seat 2
start %s
moves%s
view d1=bbbbb,d2=b,d3=b,d4=b,d8=mmmmmmmm b0m0 m 1
legal d8*1 d8*2 d8*3 d8*4 d8*5
go %s
"""
    first = (str(start).encode(), b" d1*3", b"simulations 9 seed 5")
    second = (str(after).encode(), b"", b"time 1 seed 0")
    third = (str(after).encode(), b"", b"simulations 9 time 2500 seed 0")
    assert (
        bots.log
        == b"benben 1\n" + b"".join(told % each for each in (first, second, third)) + b"quit\n"
    )
    assert bots.all_gone()


# ---- What can go wrong

FAILURES = {
    "mute": "it gave no answer to 'benben' within 0.5 s",
    "stuck": "it gave no answer to 'go' within 2.2 s",
    "dies": "it ended with exit code 3: 'boom'",
    "leaves": "it ended with exit code 0",
    "killed": "it ended by signal 9",
    "dumb": "it closed its output but did not end",
    "deaf": "it closed its input but did not end",
    "long": "it said a line of more than 65536 bytes",
    "flood": "it said more than 2000 lines without an answer",
    "old": "it answered 'benben' with 'benben 0 old', not with 'benben 1 NAME'",
    "rude": "it answered 'benben' with 'error go away', not with 'benben 1 NAME'",
    "choosy": "it answered 'game' with 'error only chess', not with 'ok'",
    "silly": "it answered 'go' with 'hello', not with 'move MOVE'",
    "blank": "it answered 'go' with '', not with 'move MOVE'",
    "terse": "it played '', which is not a legal move here",
    "cheat": "it played 'd8*1', which is not a legal move here",
    "hasty": "it spoke without being asked: 'move d1*1'",
    "binary": "it played '��', which is not a legal move here",
}


@pytest.mark.parametrize("kind", FAILURES)
def test_a_failure_has_a_reason_and_the_next_game_works(kind: str, bots: Bots) -> None:
    player = bots.player(kind)
    if kind == "mute":
        player.starting = 0.5
    if kind == "stuck":
        player.patience = SOON
    with pytest.raises(PlayerFailed) as failed:
        player.think(turn_of_two())
    assert failed.value.why == FAILURES[kind]
    assert failed.value.name == player.name
    assert bots.all_gone()
    player.patience = player.starting = SLOW
    assert player.think(turn_of_two()).move == "d1*1"
    player.close()
    assert bots.all_gone()


def test_a_program_is_ended_with_its_children(bots: Bots) -> None:
    player = bots.player("parent")
    with pytest.raises(PlayerFailed, match="hello"):
        player.think(turn_of_two())
    with open(bots.folder / "held", "rb") as held:
        until = monotonic() + LONG
        while True:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                assert monotonic() < until, "a child of the program lives on"
                sleep(0.05)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("/no/such/program --fast", "it cannot be started: No such file or directory"),
        ("/", "it cannot be started: Permission denied"),
        ("", "it cannot be started: the command is empty"),
        ("a 'b", "it cannot be started: No closing quotation"),
        ("a\0b", "it cannot be started: embedded null byte"),
    ],
)
def test_what_cannot_be_started(command: str, why: str) -> None:
    player = CommandPlayer(command)
    for _ in range(2):
        with pytest.raises(PlayerFailed) as failed:
            player.think(turn_of_two())
        assert failed.value.why == why
    player.close()


def test_there_is_no_shell(bots: Bots) -> None:
    spy = bots.folder / "spy"
    player = CommandPlayer(f"{PYTHON} {shlex.quote(str(EXAMPLE))} ; touch {spy}", SLOW, SLOW)
    assert player.think(turn_of_two()).move in ("d1*1", "d1*2")
    player.close()
    assert not spy.exists()


def test_a_program_that_died_between_two_turns(bots: Bots) -> None:
    player = bots.player("well")
    player.think(turn_of_two())
    pid = int((bots.folder / "pids").read_text())
    os.kill(pid, 9)
    with pytest.raises(PlayerFailed, match="it ended by signal 9"):
        player.think(turn_of_two())
    assert player.think(turn_of_two()).move == "d1*1"
    player.close()
    assert bots.all_gone()


# ---- What must not


def test_noise_on_stderr_is_no_matter(bots: Bots) -> None:
    player = bots.player("noisy")
    assert player.think(turn_of_two()).move == "d1*1"
    player.close()


def test_a_line_longer_than_a_pipe_is_sent_in_parts(bots: Bots) -> None:
    player = bots.player("well")
    turn = turn_of_two()
    history = History(turn.view, ("d1*3", "d8*3") * 30_000)
    long = Turn(turn.view, history, turn.moves, turn.budget)
    assert player.think(long).move == "d1*1"
    assert b"\nmoves " + b" ".join([b"d1*3 d8*3"] * 30_000) + b"\n" in bots.log
    player.close()


@pytest.mark.parametrize("kind", ["*values", "*few", "*twice", "*wild", "*short", "*many"])
def test_values_count_if_they_are_complete(kind: str, bots: Bots) -> None:
    player = bots.player(kind)
    thought = player.think(turn_of_two())
    player.close()
    complete = (Worth("d1*1", 1.0, 0.001), Worth("d1*2", 0.25, 0.0))
    assert (thought.move, thought.worths) == ("d1*1", complete if kind == "*values" else ())


@pytest.mark.parametrize(("kind", "last"), [("mute", b"benben"), ("stuck", b"go")])
def test_cancelled_while_it_thinks(kind: str, last: bytes, bots: Bots) -> None:
    player = bots.player(kind)
    cancelled = threading.Event()

    def cancel() -> None:
        until = monotonic() + LONG
        while monotonic() < until and not bots.heard(last):
            sleep(0.01)
        cancelled.set()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    with pytest.raises(Cancelled):
        player.think(turn_of_two(cancelled))
    canceller.join()
    assert bots.heard(last)
    assert bots.all_gone()
    with pytest.raises(Cancelled):
        player.think(turn_of_two(cancelled))
    assert player.think(turn_of_two()).move == "d1*1"
    player.close()


def test_close_is_polite_and_firm_and_not_the_end(bots: Bots) -> None:
    player = bots.player("stays")
    player.close()
    for _ in range(3):
        assert player.think(turn_of_two()).move == "d1*1"
        player.close()
        player.close()
        assert bots.all_gone()
    assert bots.log.count(b"quit\n") == 3
