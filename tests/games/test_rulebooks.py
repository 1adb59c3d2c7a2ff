"""The rulebooks name what the rules can say."""

from importlib import resources

import pytest

import benben

BOTH = pytest.mark.parametrize("language", ["en", "fr"])
EVERY_GAME = pytest.mark.parametrize("name", benben.names())


def _rulebook(name: str, language: str) -> str:
    folder = resources.files(f"benben.games.{name}")
    return folder.joinpath(f"rulebook.{language}.md").read_text("utf-8")


@BOTH
@EVERY_GAME
def test_every_refusal_and_every_ending_is_explained(name: str, language: str) -> None:
    rules, book = benben.game(name).rules, _rulebook(name, language)
    for rule, _ in rules.REFUSALS[1:]:
        assert f"`{rule}`" in book
    for reason in rules.REASONS:
        assert f"`{reason}`" in book


@BOTH
@EVERY_GAME
def test_every_option_is_explained(name: str, language: str) -> None:
    option, book = benben.info(name).option, _rulebook(name, language)
    assert f"`{option.name}`" in book
    for value in option.values:
        assert f"`{value}`" in book


@EVERY_GAME
def test_working_titles_are_called_so(name: str) -> None:
    assert ("working title" in _rulebook(name, "en")) == benben.info(name).working_title
    assert ("titre de travail" in _rulebook(name, "fr").lower()) == benben.info(name).working_title
