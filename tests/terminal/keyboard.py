"""A person at a real terminal of 80 columns, for tests."""

import os
import sys
from pathlib import Path

import pexpect

ERASED = "\x1b[H\x1b[2J\x1b[3J"
PROMPT = r"(you|seat \d)( \(\w+\))?> $"
CURTAIN = r"Press Enter when you sit there\. $"
HIDE = r"Press Enter to hide it\. $"
FINISH = r"saves the record there first: $"


class Person:
    def __init__(self, data: Path, *arguments: str, rows: int = 24) -> None:
        environment = {**os.environ, "BENBEN_DATA_DIR": str(data), "TERM": "xterm-256color"}
        environment.pop("NO_COLOR", None)
        self.seen = ""
        self._child = pexpect.spawn(
            sys.executable,
            ["-m", "benben", "play", *arguments],
            dimensions=(rows, 80),
            encoding="utf-8",
            timeout=60,  # kernels may have to be compiled
            env=environment,
        )
        self._child.delaybeforesend = None

    def sees(self, *what: str) -> int:
        """Wait for one of these at the end of what is on the screen; which."""
        which: int = self._child.expect(list(what))
        self.seen += self._child.before + self._child.after
        return which

    def types(self, *lines: str, then: str = PROMPT) -> None:
        for line in lines:
            self._child.sendline(line)
            self.sees(then)

    def presses(self, key: str) -> None:
        self._child.sendcontrol(key)

    def hangs_up(self) -> int:
        """Wait for the end; the exit code."""
        self._child.expect(pexpect.EOF)
        self.seen += self._child.before
        self._child.close()
        code: int = self._child.exitstatus
        return code
