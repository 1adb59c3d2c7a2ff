"""Asking at the keyboard, hiding what was shown, and reading long texts page by page."""

import signal
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from itertools import chain
from textwrap import wrap

from rich.console import Console, RenderableType
from rich.text import Text

from benben.terminal.speech import say

with suppress(ImportError):  # arrow keys and history, where the system has them
    import readline  # noqa: F401

_ERASE = "\x1b[H\x1b[2J\x1b[3J"  # the screen and what has scrolled off it


@contextmanager
def hearing_hang_ups() -> Iterator[None]:
    """A window that is closed, or a process that is ended, is somebody who leaves: like Ctrl-C."""
    before = {}
    for name in ("SIGHUP", "SIGTERM"):
        if hasattr(signal, name):
            number = getattr(signal, name)
            before[number] = signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Keyboard:
    """Questions and answers. EOFError and KeyboardInterrupt mean that somebody wants to leave."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def ask(self, prompt: str) -> str:
        # Not `console.input`: only a prompt that readline knows of survives backspace.
        self.console.file.flush()
        return input(prompt).strip()

    def agree(self, question: str) -> bool:
        """Yes or no; Enter is no."""
        while True:
            answer = self.ask(f"{question} {say('agree.offer')} ").lower()
            if answer in say("agree.yes").split():
                return True
            if answer in ("", *say("agree.no").split()):
                return False
            self.tell(say("agree.again"))

    def waiting(self, text: str) -> AbstractContextManager[object]:
        """Say why nothing happens, in a terminal, until something does."""
        return self.console.status(text) if self.console.is_terminal else nullcontext()

    def erase(self) -> None:
        """Clear screen and scrollback, so that nobody reads what the last player read."""
        if self.console.is_dumb_terminal:
            self.console.print("\n" * self.console.height)
        elif self.console.is_terminal:
            self.console.file.write(_ERASE)
            self.console.file.flush()

    def read(self, text: RenderableType) -> None:
        """Show a long text, a screenful at a time where there is a screen."""
        lines = self.console.render_lines(text, pad=False)
        page = max(5, self.console.height - 2) if self.console.is_terminal else len(lines)
        for start in range(0, len(lines), page):
            for line in lines[start : start + page]:
                self.say(Text.assemble(*((part.text, part.style or "") for part in line)))
            if start + page < len(lines) and self.ask(say("read.more")) == "q":
                return

    def say(self, text: RenderableType = "") -> None:
        """A line that the terminal breaks, if it must; letters are never taken for markup."""
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def tell(self, text: str, style: str = "") -> None:
        """A sentence, wrapped between words; what no-break spaces hold together stays together."""
        width = max(1, self.console.width)
        wrapped = (wrap(line, width, break_on_hyphens=False) or [""] for line in text.split("\n"))
        self.console.print(Text("\n".join(chain(*wrapped)), style), highlight=False)

    def lines(self, lines: Iterable[RenderableType], indent: str = "  ") -> None:
        for line in lines:
            self.say(Text(indent) + line if isinstance(line, Text) else f"{indent}{line}")
