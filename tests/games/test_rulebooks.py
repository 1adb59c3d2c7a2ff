"""The rulebooks say all that the rules can say, in one order and under the same ids."""

import inspect
import re

import pytest

import benben
from benben.learn.rulebook import (
    LANGUAGES,
    NoRulebook,
    Rulebook,
    address_of,
    markdown_of,
    paragraph_of,
    rulebook_of,
)

BOTH = pytest.mark.parametrize("language", LANGUAGES)
EVERY_GAME = pytest.mark.parametrize("name", benben.names())
MOST_WORDS = 900  # before the questions
FIRST = ["aim", "turn", "set-up"]
LAST = ["end", "tips", "questions", "appendix"]
APPENDIX = ["notation", "options", "refusals", "endings", "order"]


def _ids(book: Rulebook, level: int) -> list[str]:
    return [each.id for each in book.outline if each.level == level]


def _within(book: Rulebook, chapter: str) -> list[str]:
    """The ids of the sections of a chapter."""
    at = [each.id for each in book.outline].index(chapter)
    rest = book.outline[at + 1 :]
    end = next((n for n, each in enumerate(rest) if each.level < 3), len(rest))
    return [each.id for each in rest[:end]]


def _text(name: str, language: str, chapter: str) -> str:
    """The words of one chapter."""
    found = re.search(
        rf"^## [^\n]*{{#{chapter}}}\n(.*?)(?=^## |\Z)", markdown_of(name, language), re.M | re.S
    )
    assert found
    return found[1].strip()


@BOTH
@EVERY_GAME
def test_chapters_are_in_their_order(name: str, language: str) -> None:
    book = rulebook_of(name, language)
    chapters = _ids(book, 2)
    assert book.outline[0].level == 1
    assert book.title == benben.info(name).titles[language]
    assert chapters[:3] == FIRST
    assert [each for each in chapters if each in LAST] == LAST
    assert chapters.index("end") > 3, "the rules themselves are between set-up and end"
    in_appendix = _within(book, "appendix")
    assert [each for each in in_appendix if each in APPENDIX] == APPENDIX
    ids = [each.id for each in book.outline[1:]]
    assert all(ids), "every heading has an id"
    assert len(set(ids)) == len(ids)


@EVERY_GAME
def test_ids_and_diagrams_are_the_same_in_every_language(name: str) -> None:
    first, *others = (rulebook_of(name, language) for language in LANGUAGES)
    for other in others:
        assert [(each.level, each.id) for each in other.outline] == [
            (each.level, each.id) for each in first.outline
        ]
        assert other.diagrams == first.diagrams
        assert other.paragraphs == first.paragraphs


@BOTH
@EVERY_GAME
def test_the_aim_is_a_sentence_and_a_turn_has_five_lines(name: str, language: str) -> None:
    aim = _text(name, language, "aim")
    assert "\n\n" not in aim
    assert len(re.findall(r"[.!?](?:\s|$)", aim)) == 1
    turn = [line for line in _text(name, language, "turn").splitlines() if re.match(r"-|\d", line)]
    assert 2 <= len(turn) <= 5


@BOTH
@EVERY_GAME
def test_what_is_read_before_playing_is_short(name: str, language: str) -> None:
    before = markdown_of(name, language).partition("{#questions}")[0]
    plain = re.sub(r"\]\([^)]*\)|\{#[^}]*\}|[#*|`\[\]!]|^\s*-{3,}.*$", " ", before, flags=re.M)
    words = [each for each in plain.split() if re.search(r"\w", each)]
    assert len(words) <= MOST_WORDS


@BOTH
@EVERY_GAME
def test_every_link_leads_somewhere(name: str, language: str) -> None:
    book = rulebook_of(name, language)
    assert set(book.links) <= {each.id for each in book.outline}


@BOTH
@EVERY_GAME
def test_every_ruling_is_a_question_and_is_linked(name: str, language: str) -> None:
    """Where the rules name a ruling, the book has it, and a paragraph leads to it."""
    book = rulebook_of(name, language)
    questions = _within(book, "questions")
    source = inspect.getsource(benben.game(name).rules)
    named = re.findall(r"[Rr]uling (\d+)", source)
    assert {f"ruling-{number}" for number in named} <= set(questions)
    assert {each for each in questions if each.startswith("ruling-")} <= set(book.links)


@BOTH
@EVERY_GAME
def test_every_refusal_and_every_ending_leads_to_a_paragraph(name: str, language: str) -> None:
    rules, book = benben.game(name).rules, rulebook_of(name, language)
    explained = {rule for rule, _ in rules.REFUSALS[1:]} | set(rules.REASONS)
    assert set(book.paragraphs) == explained
    for rule, paragraph in book.paragraphs.items():
        assert book.title_of(paragraph), rule
        assert paragraph_of(name, rule) == paragraph
        assert address_of(name, rule) == f"/rules/{name}#{paragraph}"


@BOTH
@EVERY_GAME
def test_every_option_is_explained(name: str, language: str) -> None:
    option, book = benben.info(name).option, markdown_of(name, language)
    assert f"`{option.name}`" in book
    for value in option.values:
        assert f"`{value}`" in book


@EVERY_GAME
def test_working_titles_are_called_so(name: str) -> None:
    working = benben.info(name).working_title
    assert ("working title" in markdown_of(name, "en")) == working
    assert ("titre provisoire" in markdown_of(name, "fr").lower()) == working


def test_what_is_not_there() -> None:
    with pytest.raises(NoRulebook):
        markdown_of("quadrille", "de")
    with pytest.raises(benben.UnknownGame):
        markdown_of("chess", "en")
    assert paragraph_of("quadrille", "nothing") == address_of("quadrille", "nothing") == ""
