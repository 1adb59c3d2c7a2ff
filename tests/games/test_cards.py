"""What the cards say, and that they say whence."""

import re
from pathlib import Path

import pytest

import benben
from benben.core.info import CREDITED, Origin, Publisher, Span
from benben.games import THANKS

ROOT = Path(__file__).parents[2]
LANGUAGES = {"en", "fr"}
CUSTOMS = {"first", "colours"}  # that no field says
every_game = pytest.mark.parametrize("name", benben.names())


@every_game
def test_whatever_is_known_is_credited_and_nothing_else(name: str) -> None:
    card = benben.info(name)
    known = {field for field in CREDITED if field in CUSTOMS or getattr(card, field)}
    assert set(card.credits) == known
    assert all(card.credits[custom].note for custom in CUSTOMS)


@every_game
def test_texts_are_in_both_languages(name: str) -> None:
    card = benben.info(name)
    notes = [credit.note for credit in card.credits.values() if credit.note]
    honours = [card.honours] if card.honours else []
    for text in (card.titles, card.kind, card.components, card.option.about, *notes, *honours):
        assert set(text) == LANGUAGES
        assert all(text.values())
        assert not re.search(r"(?<!\u202f)[:;!?]|'", text["fr"]), text["fr"]


@every_game
def test_spans_go_up(name: str) -> None:
    card = benben.info(name)
    for span in filter(None, (card.ages, card.minutes)):
        assert 0 < span.least <= (span.most or span.least)


def test_pyramidis_is_known_from_others() -> None:
    """Its sheet names neither author nor publisher nor age; it says how players begin."""
    card = benben.info("pyramidis")
    assert card.authors == ("Roland Siegers",)
    assert card.publishers == (Publisher("Flying Turtle", 1988), Publisher("Ravensburger", 1991))
    assert (card.year, card.ages, card.minutes) == (1988, Span(12), Span(20, 30))
    for field in ("authors", "artists", "publishers", "year", "ages"):
        assert card.credits[field].origin is Origin.DESCRIPTIONS
    assert card.credits["minutes"].origin is Origin.SHEET
    assert "agreed" in card.credits["first"].note["en"]
    assert not card.honours


def test_objectif_has_no_author() -> None:
    card = benben.info("objectif")
    assert card.authors == ()
    assert (card.ages, card.minutes) == (Span(8), Span(15, 15))


def test_the_youngest_begins_batisseurs() -> None:
    card = benben.info("batisseurs")
    assert card.authors == ("Hartmut Kommerell",)
    assert card.ages == Span(5, 10)
    assert "youngest" in card.credits["first"].note["en"]
    assert card.credits["colours"].origin is Origin.OURS
    assert card.credits["minutes"].origin is Origin.OURS


def test_quadrille_won_a_prize() -> None:
    card = benben.info("quadrille")
    assert card.authors == ("Alain Couchot", "Bernard Klein")
    assert "Boulogne-Billancourt, 1997" in card.honours["fr"]
    assert card.ages is None
    assert card.credits["minutes"].origin is Origin.OURS


def test_the_collectors_are_thanked() -> None:
    assert set(THANKS) == LANGUAGES
    for text in (*THANKS.values(), (ROOT / "README.md").read_text("utf-8")):
        assert "Escale à jeux" in text


def test_nobody_says_more_than_is_known() -> None:
    """Only of pyramidis is it known that it is no longer sold."""
    for path in ("README.md", "pyproject.toml", "src/benben/__init__.py", "src/benben/cli.py"):
        assert "out-of-print" not in (ROOT / path).read_text("utf-8")
