"""Rulebooks as HTML."""

import re
from html.parser import HTMLParser

import pytest

import benben
from benben.learn import rulebook
from benben.learn.rulebook import LANGUAGES, markdown_of, readable, rulebook_of

EVERY_BOOK = [(name, language) for name in benben.names() for language in LANGUAGES]
_VOID = {"img", "br", "hr"}


class _Elements(HTMLParser):
    """Every element that is opened is closed in its turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def _elements(html: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = _Elements()
    parser.feed(html)
    assert parser.open == []
    return parser.seen


def _made_of(markdown: str, monkeypatch: pytest.MonkeyPatch) -> rulebook.Rulebook:
    monkeypatch.setattr(rulebook, "markdown_of", lambda game, language: markdown)
    return rulebook_of.__wrapped__("quadrille", "en")


@pytest.mark.parametrize(("game", "language"), EVERY_BOOK)
def test_every_book_is_well_made(game: str, language: str) -> None:
    book = rulebook_of(game, language)
    seen = _elements(book.html)
    assert [attributes["id"] for tag, attributes in seen if re.fullmatch(r"h[23]", tag)] == [
        each.id for each in book.outline[1:]
    ]
    figures = [attributes for tag, attributes in seen if tag == "figure"]
    assert [each["data-diagram"] for each in figures] == list(book.diagrams)
    assert "{#" not in book.html
    assert "![" not in book.html
    assert not any("style" in attributes for _, attributes in seen)
    for tag, attributes in seen:
        if tag == "img":
            assert attributes["width"]
            assert attributes["height"]


def test_a_diagram_is_a_figure_with_its_caption(monkeypatch: pytest.MonkeyPatch) -> None:
    book = _made_of("# T\n\n![Two *tokens* & `d3`](diagrams/some-name.png)\n", monkeypatch)
    assert book.diagrams == ("some-name",)
    assert (
        '<figure class="diagram" data-diagram="some-name">'
        '<img src="/diagrams/quadrille/some-name.png" alt="" loading="lazy">'
        "<figcaption>Two <em>tokens</em> &amp; <code>d3</code></figcaption></figure>" in book.html
    )


def test_no_html_comes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "# T\n\n<script>alert(1)</script>\n\na <b onclick=x>b</b> [x](javascript:alert(1))\n"
    html = _made_of(text, monkeypatch).html
    assert {tag for tag, _ in _elements(html)} == {"h1", "p"}


def test_tables_and_notation_can_be_moved_sideways(monkeypatch: pytest.MonkeyPatch) -> None:
    book = _made_of("# T\n\n| a |\n|---|\n| b |\n\n```\nx < y\n```\n", monkeypatch)
    assert 'tabindex="0" role="group" aria-label="Table"><' in book.html.replace("\n", "")
    assert '<th scope="col">a</th>' in book.html
    assert ">x &lt; y\n</pre>" in book.html


def test_paragraphs_are_only_read_where_they_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "# T\n\n## A {#a}\n\n- [`x`](#a) — no\n\n### R {#refusals}\n\n- [`y`](#a) — yes\n"
    book = _made_of(text, monkeypatch)
    assert book.paragraphs == {"y": "a"}
    assert book.links == ("a", "a")
    assert book.title_of("a") == "A"
    assert book.title_of("nowhere") == ""


@pytest.mark.parametrize(("game", "language"), EVERY_BOOK)
def test_a_terminal_is_shown_no_ids_and_no_addresses(game: str, language: str) -> None:
    text = readable(markdown_of(game, language))
    assert "{#" not in text
    assert "](#" not in text
    assert ".png" not in text
