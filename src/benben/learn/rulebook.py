"""Rulebooks: Markdown beside the rules of each game, in every language, made into HTML here.

Headings have an id of their own, `## Coming home {#home}`, the same in all languages. An image
alone on its line is a diagram (`learn/diagrams.py`), and its words are the caption. Which paragraph
explains a refusal or an ending is said once, in the appendix: "- [`must-not-pass`](#passing) — …".
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from benben.core.errors import BenbenError
from benben.core.registry import info
from benben.learn.diagrams import picture_of, picture_size

LANGUAGES = ("en", "fr")
_LISTS = ("refusals", "endings")  # the sections that say which paragraph explains what
_WORDS = {
    "en": {"table": "Table", "code": "Notation"},
    "fr": {"table": "Tableau", "code": "Notation"},
}
_ID = re.compile(r"\s*\{#([a-z0-9-]+)\}\s*$")
_PICTURE = re.compile(r"diagrams/([a-z0-9-]+)\.png")


class NoRulebook(BenbenError):
    """A game that has none in this language."""


@dataclass(frozen=True)
class Section:
    """A heading: `level` 1 is the title of the book, 2 a chapter."""

    level: int
    id: str
    title: str


@dataclass(frozen=True)
class Rulebook:
    """A rulebook in one language."""

    game: str
    language: str
    html: str
    outline: tuple[Section, ...]
    diagrams: tuple[str, ...]  # the names of those it shows, in order
    links: tuple[str, ...]  # the ids it refers to
    paragraphs: Mapping[str, str]  # of every refusal and ending: the id of what explains it

    @property
    def title(self) -> str:
        return self.outline[0].title if self.outline else self.game

    def title_of(self, paragraph: str) -> str:
        """The heading that has this id."""
        return next((each.title for each in self.outline if each.id == paragraph), "")


def markdown_of(game: str, language: str) -> str:
    """As it is written; NoRulebook if it is not, UnknownGame if there is no such game."""
    try:
        folder = files("benben.games") / info(game).name
        return (folder / f"rulebook.{language}.md").read_text("utf-8")
    except FileNotFoundError as error:
        raise NoRulebook(f"{game} has no rulebook in this language") from error


@cache
def rulebook_of(game: str, language: str) -> Rulebook:
    """A game's rulebook, read and made into HTML once."""
    return book_of(markdown_of(game, language), game, language)


@cache
def fairness_page(language: str) -> Rulebook:
    """How luck is drawn and checked, whatever is played."""
    text = (files("benben.learn") / f"fairness.{language}.md").read_text("utf-8")
    return book_of(text, "", language)


def book_of(text: str, game: str, language: str) -> Rulebook:
    """Markdown in the form of a rulebook, made into HTML."""
    markdown, env = _markdown(), {"game": game, "language": language}
    tokens = markdown.parse(text, env)
    html = markdown.renderer.render(tokens, markdown.options, env)
    outline = tuple(
        Section(int(token.tag[1]), str(token.attrGet("id") or ""), _plain(tokens[at + 1]))
        for at, token in enumerate(tokens)
        if token.type == "heading_open"
    )
    inlines = [each for token in tokens for each in token.children or ()]
    targets = (str(each.attrGet("href")) for each in inlines if each.type == "link_open")
    return Rulebook(
        game=game,
        language=language,
        html=html,
        outline=outline,
        diagrams=tuple(token.meta["diagram"] for token in tokens if "diagram" in token.meta),
        links=tuple(target[1:] for target in targets if target.startswith("#")),
        paragraphs=_paragraphs(tokens),
    )


def paragraph_of(game: str, rule: str) -> str:
    """The id of the paragraph that explains a refusal or an ending; empty if none does.

    >>> paragraph_of("quadrille", "no-such-rule")
    ''
    """
    return paragraphs_of(game).get(rule, "")


def paragraphs_of(game: str) -> Mapping[str, str]:
    """The same of every refusal and ending: ids are the same in every language."""
    try:
        return rulebook_of(game, LANGUAGES[0]).paragraphs
    except NoRulebook:
        return {}


def address_of(game: str, rule: str) -> str:
    """The page of the rulebook at the paragraph that explains a refusal; empty if none does."""
    paragraph = paragraph_of(game, rule)
    return f"/rules/{game}#{paragraph}" if paragraph else ""


def readable(markdown: str) -> str:
    """Markdown for a terminal: without ids, and of pictures and links within only the words."""
    text = re.sub(rf"(?m)^(#+ .*?){_ID.pattern}", r"\1", markdown)
    text = re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"*\1*", text)
    return re.sub(r"\[([^\]]*)\]\(#[^)]*\)", r"\1", text)


# ---- Markdown


def _markdown() -> MarkdownIt:
    """Without raw HTML: whatever looks like it is shown as it is written."""
    markdown = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table")
    markdown.core.ruler.push("headings", lambda state: _name_headings(state.tokens))
    markdown.core.ruler.push("figures", lambda state: _find_figures(state.tokens))
    return markdown


def _name_headings(tokens: Sequence[Token]) -> None:
    """Take the id from the words of each heading. A script moves the focus there."""
    for at, token in enumerate(tokens):
        if token.type != "heading_open":
            continue
        token.attrSet("tabindex", "-1")
        inline = tokens[at + 1]
        last = inline.children[-1] if inline.children else None
        if last is not None and (found := _ID.search(last.content)):
            token.attrSet("id", found[1])
            last.content = last.content[: found.start()]


def _find_figures(tokens: list[Token]) -> None:
    """A paragraph that is a picture of ours, and nothing else, is a figure."""
    for at, token in enumerate(tokens):
        children = tokens[at].children or []
        if token.type != "inline" or [each.type for each in children] != ["image"]:
            continue
        found = _PICTURE.fullmatch(str(children[0].attrGet("src")))
        if found and tokens[at - 1].type == "paragraph_open":
            token.type, token.meta = "figure", {"diagram": found[1]}
            tokens[at - 1].hidden = tokens[at + 1].hidden = True


def _paragraphs(tokens: Sequence[Token]) -> dict[str, str]:
    """Of items that begin with a link around an id, in the sections that have them."""
    found, here = {}, ""
    for token in tokens:
        if token.type == "heading_open":
            here = str(token.attrGet("id") or "")
        elif token.type == "inline" and here in _LISTS and token.children:
            kinds = [each.type for each in token.children[:3]]
            if kinds == ["link_open", "code_inline", "link_close"]:
                target = str(token.children[0].attrGet("href"))
                found[token.children[1].content] = target.removeprefix("#")
    return found


def _plain(inline: Token) -> str:
    words = [each.content for each in inline.children or () if each.type in ("text", "code_inline")]
    return "".join(words).strip()


class _Renderer(RendererHTML):
    """What may be wider than a phone can be moved sideways, by keyboard too."""

    def figure(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        name, image = tokens[at].meta["diagram"], (tokens[at].children or [])[0]
        caption = self.renderInline(image.children or [], options, env)
        picture = picture_of(env["game"], name, env["language"])
        size = picture_size(env["game"], picture)
        room = f' width="{size[0]}" height="{size[1]}"' if size else ""
        source = f"/diagrams/{escape(env['game'])}/{picture}.png"
        return (
            f'<figure class="diagram" data-diagram="{name}">'
            f'<img src="{source}"{room} alt="" loading="lazy">'
            f"<figcaption>{caption}</figcaption></figure>\n"
        )

    def table_open(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return f'<div class="scrolls" {_reachable("table", env)}>\n<table>\n'

    def table_close(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return "</table>\n</div>\n"

    def th_open(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return '<th scope="col">'

    def td_open(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return "<td>"

    def fence(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return f"<pre {_reachable('code', env)}>{escape(tokens[at].content, quote=False)}</pre>\n"


def _reachable(kind: str, env: Any) -> str:
    return f'tabindex="0" role="group" aria-label="{_WORDS[env["language"]][kind]}"'
