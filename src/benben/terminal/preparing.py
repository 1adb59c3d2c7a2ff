"""What a server is still compiling, as something to watch in the terminal it runs in."""

import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, TaskID, TaskProgressColumn, TextColumn
from rich.progress import Progress as Bars

from benben.bots.warm import Progress
from benben.terminal.speech import say


class Preparing:
    """A line for each game that is not ready. Nothing where nobody watches: the log tells it."""

    def __init__(self, console: Console) -> None:
        self._shown = console.is_terminal
        self._tasks: dict[str, TaskID] = {}
        self._bars = Bars(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[words]}"),
            console=console,
            transient=True,
            redirect_stdout=False,  # it may be a file
        )

    def show(self, games: Sequence[Progress]) -> None:
        """How far all games are."""
        if not self._shown:
            return
        if all(each.done == 1 for each in games):  # what is left is read in no time
            self.end()
            return
        if not self._bars.live.is_started:
            logs = _logs_to(sys.stderr)
            self._bars.start()
            for log in logs:  # which now goes above the lines
                log.setStream(sys.stderr)
        for each in games:
            if each.game not in self._tasks:
                self._tasks[each.game] = self._bars.add_task(each.game, total=1.0, words="")
            self._bars.update(self._tasks[each.game], completed=each.done, words=_words(each))

    def end(self) -> None:
        """All is ready, or the server ends."""
        if self._bars.live.is_started:
            logs = _logs_to(sys.stderr)
            self._bars.stop()
            for log in logs:
                log.setStream(sys.stderr)
        self._shown = False


@contextmanager
def preparing(console: Console) -> Iterator[Preparing]:
    """Something to watch, as long as the server runs."""
    watched = Preparing(console)
    try:
        yield watched
    finally:
        watched.end()


def _words(game: Progress) -> str:
    if game.ready == "bots":
        return say("preparing.ready")
    step = f" [dim]{game.step}[/dim]" if game.step else ""
    return say(f"preparing.{game.ready}", seconds=game.seconds) + step


def _logs_to(stream: TextIO) -> list[logging.StreamHandler[TextIO]]:
    return [
        handler
        for handler in logging.getLogger().handlers
        if isinstance(handler, logging.StreamHandler) and handler.stream is stream
    ]
