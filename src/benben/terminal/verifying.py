"""Checking the luck of a game that was played at a table."""

from pathlib import Path

from rich.console import Console

from benben.core.errors import BenbenError
from benben.table.record import TableRecord, verify
from benben.terminal.ready import ready
from benben.terminal.saves import BadFile, read_text
from benben.terminal.speech import say
from benben.terminal.trouble import explain


def check_luck(path: Path, console: Console) -> list[str]:
    """Replay a record and draw everything again; the lines to print. `console` is on stderr.

    BadFile with the number of the first event that differs, if one does.
    """
    text = read_text(path)
    try:
        record = TableRecord.parse(text)
        ready(record.options.check(), console)
        draws = verify(record)
    except BenbenError as error:
        raise BadFile(path, explain(error)) from error
    luck = say("verify.drawn", n=draws) if draws else say("verify.nothing")
    return [
        say("verify.yes", game=record.options.game, events=len(record.entries), luck=luck),
        say("verify.promise"),
    ]
