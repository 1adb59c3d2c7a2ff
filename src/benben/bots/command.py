"""A program as a player: the other side of the line protocol of docs/bot-protocol.md.

A program may hang, die, flood or talk nonsense. Nothing here waits without a deadline: pipes never
block, and every answer is awaited in slices short enough to hear `cancelled` in time. After a
failure the program is ended with all its group, and the next turn starts it anew.
"""

import os
import selectors
import shlex
import signal
import subprocess
from contextlib import suppress
from math import isfinite
from threading import Event
from time import monotonic

from benben.bots.speaking import LONGEST, MOST_DIGITS, VERSION
from benben.core.errors import PlayerFailed
from benben.core.player import Cancelled, Player, Thought, Turn, Worth

PATIENCE = 10.0  # seconds for an answer, beyond the time there is to think
STARTING = 60.0  # seconds for the first answer: some programs compile or load a lot
ALLOWANCE = 60.0  # seconds to think where the budget is not in time
MOST_LINES = 2000  # before a move

_SLICE = 0.01  # seconds between two looks at `cancelled`
_GOODBYE = 1.0  # seconds for a program that was told to quit, or whose output has ended


class _Failed(Exception):
    """Why the program can no longer be used."""


class CommandPlayer(Player):
    """The program that `command` starts, without a shell. Its name is `cmd:` and the command."""

    def __init__(
        self, command: str, patience: float = PATIENCE, starting: float = STARTING
    ) -> None:
        self.name = f"cmd:{command}"
        self.patience, self.starting = patience, starting
        self._command = command
        self._program: _Program | None = None

    def think(self, turn: Turn) -> Thought:
        try:
            return self._decide(turn)
        except _Failed as failure:
            self._end()
            raise PlayerFailed(self.name, str(failure)) from None
        except BaseException:  # Cancelled, or Ctrl-C: an answer may be half said
            self._end()
            raise

    def close(self) -> None:
        if self._program is not None:
            self._program.say_goodbye()
            self._end()

    def _end(self) -> None:
        if self._program is not None:
            self._program.kill()
            self._program = None

    def _decide(self, turn: Turn) -> Thought:
        if turn.cancelled.is_set():
            raise Cancelled
        if self._program is None:
            self._program = _Program(self._command)
            first = self._program.ask(f"benben {VERSION}", self.starting, turn.cancelled)
            if first[0].split()[:2] != ["benben", VERSION]:
                raise _wrong("benben", first[0], f"benben {VERSION} NAME")
        for line in _setting(turn):
            answer = self._program.ask(line, self.patience, turn.cancelled)
            if answer != ["ok"]:
                raise _wrong(line.split()[0], answer[0], "ok")
        simulations, seconds = turn.budget.simulations, turn.budget.seconds
        go = "go" if simulations is None else f"go simulations {simulations}"
        if seconds is not None:
            go += f" time {max(1, round(seconds * 1000))}"
        until = (ALLOWANCE if seconds is None else seconds) + self.patience
        go += f" seed {turn.seed % 10**MOST_DIGITS}"
        return _thought(self._program.ask(go, until, turn.cancelled), turn.moves)


def _setting(turn: Turn) -> list[str]:
    """All a program is told before it may think: the options, what it sees, what it may do."""
    game = turn.view.game
    options = [f"{name}={value}" for name, value in game.options.items()]
    return [
        " ".join(["game", game.name, *options]),
        f"seat {turn.seat + 1}",
        f"start {turn.history.start}",
        " ".join(["moves", *turn.history.moves]),
        f"view {turn.view}",
        " ".join(["legal", *turn.moves]),
    ]


def _thought(answer: list[str], moves: tuple[str, ...]) -> Thought:
    """The answer to `go`: values, if it gives any, and a move."""
    *values, last = answer
    word, _, move = last.partition(" ")
    if word != "move":
        raise _wrong("go", last, "move MOVE")
    if move not in moves:
        raise _Failed(f"it played {_shown(move)}, which is not a legal move here")
    worths = {worth.move: worth for worth in map(_worth, values) if worth is not None}
    if len(values) != len(moves) or set(worths) != set(moves):
        return Thought(move)
    return Thought(move, tuple(worths[each] for each in moves))


def _worth(line: str) -> Worth | None:
    """A line `value MOVE SHARE ERROR`, if it is one."""
    with suppress(ValueError):
        _, move, share, error = line.split()
        worth = Worth(move, float(share), float(error))
        if 0 <= worth.share <= 1 and worth.error >= 0 and isfinite(worth.error):
            return worth
    return None


def _wrong(asked: str, answer: str, right: str) -> _Failed:
    return _Failed(f"it answered {asked!r} with {_shown(answer)}, not with {right!r}")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "…")


class _Program:
    """A process we started, its pipes, and what it has said so far."""

    def __init__(self, command: str) -> None:
        try:
            words = shlex.split(command)
            if not words:
                raise ValueError("the command is empty")
            self._process = subprocess.Popen(
                words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # a group of its own, to be ended as a whole
            )
        except (OSError, ValueError) as error:  # ValueError also for quotes that do not close
            why = error.strerror if isinstance(error, OSError) else error
            raise _Failed(f"it cannot be started: {why}") from None
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        self._stdin, self._stdout, self._stderr = stdin, stdout, stderr
        for pipe in (stdin, stdout, stderr):
            os.set_blocking(pipe.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(stdout, selectors.EVENT_READ)
        self._selector.register(stderr, selectors.EVENT_READ)
        self._unsaid = b""
        self._heard = b""  # what has not been taken as an answer
        self._errors = b""  # the end of what it wrote to stderr

    def ask(self, line: str, seconds: float, cancelled: Event) -> list[str]:
        """The answer to a line: any number of values, then a line that is not one."""
        if self._heard:
            raise _Failed(f"it spoke without being asked: {_shown(_text(self._heard))}")
        deadline = monotonic() + seconds
        self._unsaid = line.encode() + b"\n"
        self._selector.register(self._stdin, selectors.EVENT_WRITE)
        answer: list[str] = []
        while True:
            if cancelled.is_set():
                raise Cancelled
            if monotonic() > deadline:
                raise _Failed(f"it gave no answer to {line.split()[0]!r} within {seconds:g} s")
            self._pass_on()
            while b"\n" in self._heard and not self._unsaid:
                said, _, self._heard = self._heard.partition(b"\n")
                answer.append(_text(said))
                if len(answer) > MOST_LINES:
                    raise _Failed(f"it said more than {MOST_LINES} lines without an answer")
                if not answer[-1].startswith("value "):
                    return answer
            if len(self._heard) > LONGEST:
                raise _Failed(f"it said a line of more than {LONGEST} bytes")

    def _pass_on(self) -> None:
        """Write and read what can be at once; wait for a slice of time if there is nothing."""
        for key, _ in self._selector.select(_SLICE):
            if key.fileobj is self._stdin:
                try:
                    self._unsaid = self._unsaid[os.write(key.fd, self._unsaid) :]
                except BrokenPipeError:
                    raise self._ended("input") from None
                if not self._unsaid:
                    self._selector.unregister(self._stdin)
                continue
            data = os.read(key.fd, LONGEST)
            if key.fileobj is self._stderr:
                self._errors = (self._errors + data)[-LONGEST:]
                if not data:
                    self._selector.unregister(self._stderr)
            elif data:
                self._heard += data
            else:
                raise self._ended("output")

    def _ended(self, closed: str) -> _Failed:
        """What became of a program that has closed a pipe, and its last words."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GOODBYE)
        code = self._process.returncode
        if code is None:
            return _Failed(f"it closed its {closed} but did not end")
        with suppress(BlockingIOError):
            while data := os.read(self._stderr.fileno(), LONGEST):
                self._errors = (self._errors + data)[-LONGEST:]
        how = f"with exit code {code}" if code >= 0 else f"by signal {-code}"
        words = [text for text in map(_text, self._errors.split(b"\n")) if text]
        return _Failed(f"it ended {how}" + (f": {_shown(words[-1])}" if words else ""))

    def say_goodbye(self) -> None:
        """Ask it to end, and let it."""
        with suppress(OSError):
            os.write(self._stdin.fileno(), b"quit\n")
        self._stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GOODBYE)

    def kill(self) -> None:
        """End it with its group, and leave nothing behind: no process, no pipe."""
        with suppress(ProcessLookupError, PermissionError):  # there is none left
            os.killpg(self._process.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE)
        self._selector.close()
        for pipe in (self._stdin, self._stdout, self._stderr):
            pipe.close()


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").strip()
