"""Reports as files: JSON for programs, CSV with a line for each game, HTML for people."""

import csv
from collections.abc import Sequence
from io import StringIO

import msgspec

from benben.lab.balance.report import Comparison, Report
from benben.lab.balance.watching import GameNote


def as_json(made: Report | Comparison) -> bytes:
    """The same bytes for the same numbers."""
    return msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"


def as_csv(notes: Sequence[GameNote]) -> str:
    """A line for each game; seats are numbered from 1."""
    events = sorted({event for note in notes for event in note.events})
    seats = range(len(notes[0].shares))
    out = StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(
        [
            *("game", "first"),
            *(f"share {seat + 1}" for seat in seats),
            *("reason", "steps", "decisions", "choices", "settled", "changes"),
            *events,
        ]
    )
    for note in notes:
        lines.writerow(
            [
                *(note.game, note.first + 1, *(f"{share:g}" for share in note.shares)),
                *(note.reason, note.steps, len(note.choices)),
                f"{sum(note.choices) / max(1, len(note.choices)):.2f}",
                *("" if note.settled is None else note.settled, note.changes),
                *(note.events.get(event, 0) for event in events),
            ]
        )
    return out.getvalue()


def id_of(made: Report | Comparison) -> str:
    """A name for its files, such as `objectif-2-fair` or `compare-objectif-2`."""
    if isinstance(made, Comparison):
        return f"compare-{made.game}-{made.players}"
    setting = made.setting
    parts = [setting.game, str(setting.players), setting.option]
    return "-".join(part for part in parts if part)
