"""What the pages of reports are put together from: sections, tables, spans for pictures."""

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
    """With a picture, the numbers are there for whoever wants them."""
    if picture and numbers and speech:
        summary = escape(speech.say("numbers"))
        numbers = f"<details><summary>{summary}</summary>{numbers}</details>"
    return (
        f"<section><h2>{escape(title)}</h2>"
        + (f"<p>{escape(says)}</p>" if says else "")
        + picture
        + numbers
        + (f'<p class="soft">{escape(note)}</p>' if note else "")
        + "</section>"
    )


def table_of_shares(named: Sequence[tuple[str, Spread]], speech: Speech) -> str:
    head = ["", speech.say("share"), speech.say("interval")]
    table = [[name, speech.percent(s.value), speech.between(s)] for name, s in named]
    return table_of(head, table)


def table_of(head: Sequence[str], table: Sequence[Sequence[str]]) -> str:
    """Rows are named by their first cell. One that is too wide can be scrolled, by keys too."""
    heads = "".join(
        f'<th scope="col">{escape(cell)}</th>' if cell else "<td></td>" for cell in head
    )
    lines = "".join(
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        + "</tr>"
        for name, *cells in table
    )
    return (
        '<div class="wide" tabindex="0"><table>'
        f"<thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def span(spread: Spread) -> Span:
    return Span(spread.value, spread.low, spread.high)


def round_up(spreads: Sequence[Spread]) -> float:
    """A round share that is not less than any of them, at least a fifth."""
    return next(
        (most for most in (0.2, 0.4, 0.6, 0.8) if all(each.high <= most for each in spreads)), 1.0
    )
