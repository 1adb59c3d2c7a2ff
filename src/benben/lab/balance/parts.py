"""What the pages of reports are put together from: sections, tables, spans for pictures."""

import re
from collections.abc import Sequence
from html import escape

from benben.lab.balance.plots import Span
from benben.lab.balance.report import Spread
from benben.lab.balance.speech import Speech


def section(
    title: str,
    says: str,
    picture: str = "",
    numbers: str = "",
    speech: Speech | None = None,
    note: str = "",
) -> str:
    """With a picture, the numbers are there for whoever wants them.

    Whoever hears of them out of their section is told whose they are.
    """
    if picture and numbers and speech:
        summary = escape(speech.say("numbers"))
        named = escape(speech.say("numbers.of", title=title))
        numbers = f'<details><summary aria-label="{named}">{summary}</summary>{numbers}</details>'
    return (
        f"<section><h2>{escape(title)}</h2>"
        + (f"<p>{prose(says)}</p>" if says else "")
        + picture
        + numbers
        + (f'<p class="soft">{escape(note)}</p>' if note else "")
        + "</section>"
    )


def prose(text: str) -> str:
    """A line does not end within an interval."""
    return _unbroken(text, "–")


def command(text: str) -> str:
    """A line does not end within an option: `--` and `players` would be two words."""
    return f"<code>{_unbroken(text, '-')}</code>"


def _unbroken(text: str, sign: str) -> str:
    return " ".join(
        f"<span>{escape(word)}</span>" if sign in word else escape(word) for word in text.split(" ")
    )


def table_of_shares(named: Sequence[tuple[str, Spread]], speech: Speech) -> str:
    head = ["", speech.say("share"), speech.say("interval")]
    table = [[name, speech.percent(s.value), speech.between(s)] for name, s in named]
    return table_of(head, table)


def table_of(head: Sequence[str], table: Sequence[Sequence[str]]) -> str:
    """Rows are named by their first cell. On a phone it is as wide as the page, and no wider."""
    heads = "".join(
        f'<th scope="col">{escape(cell)}</th>' if cell else "<td></td>" for cell in head
    )
    lines = "".join(
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(f"<td>{_cell(cell)}</td>" for cell in cells)
        + "</tr>"
        for name, *cells in table
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"


def cards_of(head: Sequence[str], table: Sequence[Sequence[str]]) -> str:
    """A table of many columns; where there is no room for them, each row is a card.

    A browser forgets that something is a table when it is laid out as none, so every part says it.
    """
    heads = "".join(f'<th scope="col" role="columnheader">{escape(cell)}</th>' for cell in head)
    lines = "".join(
        f'<tr role="row"><th scope="row" role="rowheader">{escape(name)}</th>'
        + "".join(
            f'<td role="cell" data-label="{escape(label)}">{_cell(cell)}</td>'
            for label, cell in zip(head[1:], cells, strict=True)
        )
        + "</tr>"
        for name, *cells in table
    )
    return (
        '<table class="cards" role="table"><thead role="rowgroup">'
        f'<tr role="row">{heads}</tr></thead><tbody role="rowgroup">{lines}</tbody></table>'
    )


def _cell(text: str) -> str:
    """Broken between a value and its interval; within one only if it has words, and must be."""
    return " ".join(
        f'<span class="words">{escape(part)}</span>' if " " in part else _unbroken(part, "")
        for part in re.split(r" (?![^(]*\))", text)
    )


def span(spread: Spread) -> Span:
    return Span(spread.value, spread.low, spread.high)


def round_up(spreads: Sequence[Spread]) -> float:
    """A round share that is not less than any of them, at least a fifth."""
    return next(
        (most for most in (0.2, 0.4, 0.6, 0.8) if all(each.high <= most for each in spreads)), 1.0
    )
