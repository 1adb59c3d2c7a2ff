"""Reports for people: as HTML, with pictures and the numbers they are drawn from."""

from html import escape
from importlib.resources import files

from benben.lab.balance.comparison_page import compared
from benben.lab.balance.report import Comparison, Report
from benben.lab.balance.report_page import told
from benben.lab.balance.speech import Speech

_COLOURS = """\
:root { color-scheme: light dark;
  --ground: light-dark(#f4efe6, #1d1a17); --sunk: light-dark(#e9e1d3, #151311);
  --text: light-dark(#2b251d, #f1e9dc); --soft: light-dark(#655a4b, #b9ad9c);
  --line: light-dark(#cfc3ae, #4a4239); --accent: light-dark(#8a4b16, #e7b064);
  --seat-2: light-dark(#944600, #f0bd5e); }
body { margin: 0 auto; padding: 1rem; max-width: 72rem; font: 1.1rem/1.4 system-ui, sans-serif;
  background: var(--ground); color: var(--text); }
:is(h1, h2, p) { margin: 0 0 0.5rem; }
h2 { font-size: 1.25rem; }
"""


def title_of(made: Report | Comparison, language: str) -> str:
    speech = Speech(language)
    if isinstance(made, Comparison):
        game = speech.game(made.game)
        return speech.say("compare.title", game=game, players=made.players)
    return speech.title(made.setting.game, made.setting.players, made.setting.option)


def body_of(made: Report | Comparison, language: str) -> str:
    """What is below the title."""
    speech = Speech(language)
    parts = compared(made, speech) if isinstance(made, Comparison) else told(made, speech)
    return f'<div class="report">{"".join(part for part in parts if part)}</div>'


def document_of(made: Report | Comparison, language: str) -> str:
    """A page of its own, that needs nothing else."""
    title = title_of(made, language)
    head = escape(Speech(language).say("file.title", title=title))
    css = (files(__package__) / "report.css").read_text("utf-8")
    return (
        f'<!doctype html>\n<html lang="{language}">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{head}</title>\n<style>\n{_COLOURS}{css}</style>\n"
        f"<h1>{escape(title)}</h1>\n{body_of(made, language)}\n</html>\n"
    )
