"""The diagrams of the rulebooks: every one is played, shown and drawn."""

from importlib.resources import files

import pytest

import benben
from benben.learn.diagrams import (
    Diagram,
    diagrams_of,
    picture_of,
    picture_size,
    pictures_of,
)
from benben.learn.rulebook import LANGUAGES, rulebook_of
from tests.made import diagrams, noted

EVERY_GAME = pytest.mark.parametrize("game", benben.names())
EVERY_DIAGRAM = pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game in benben.names() for name in diagrams_of(game)]
)
LARGEST = 40_000  # bytes of a picture


@EVERY_DIAGRAM
def test_moves_are_legal_and_lead_where_it_says(game: str, name: str) -> None:
    diagram = diagrams_of(game)[name]
    position = diagram.start(game)
    for move in diagram.moves:
        position = position.play(move)
    assert diagram.after in (None, str(position))
    assert bool(diagram.moves) == (diagram.after is not None)


@EVERY_DIAGRAM
def test_it_is_seen_by_somebody_and_points_at_places(game: str, name: str) -> None:
    diagram = diagrams_of(game)[name]
    view = diagram.start(game).view(diagram.seat)
    assert set(diagram.highlight) <= set(view.drawing())
    assert len(set(diagram.highlight)) == len(diagram.highlight)


@pytest.mark.parametrize("language", LANGUAGES)
@EVERY_GAME
def test_the_rulebooks_show_each_once(game: str, language: str) -> None:
    shown = rulebook_of(game, language).diagrams
    assert len(set(shown)) == len(shown)
    assert set(shown) == set(diagrams_of(game))
    assert shown


@EVERY_GAME
def test_there_is_a_set_up_for_each_number_of_players(game: str) -> None:
    """Before any move: those that the chapter on setting up shows."""
    shown = {each.game(game).players for each in diagrams_of(game).values() if not each.moves}
    assert shown == set(benben.info(game).players)


@EVERY_GAME
def test_every_diagram_has_its_picture_and_every_picture_its_diagram(game: str) -> None:
    pictures = pictures_of(game)
    assert {each.partition(".")[0] for each in pictures} == set(diagrams_of(game))
    for name in diagrams_of(game):
        for language in LANGUAGES:
            picture = picture_of(game, name, language)
            width, height = picture_size(game, picture) or (0, 0)
            assert width > height > 100
            assert len(pictures[picture]) <= LARGEST
    others = [each.name for each in (files("benben.games") / game / "diagrams").iterdir()]
    assert {each for each in others if not each.endswith(".png")} == set()


@EVERY_GAME
def test_a_picture_has_two_boards_where_there_are_moves(game: str) -> None:
    """A picture that was made before its diagram got its moves, or lost them, has another shape."""
    for name, diagram in diagrams_of(game).items():
        width, height = picture_size(game, name) or (0, 1)
        single = width / height
        if diagram.moves:
            single = (width / height - 0.1) / 2
        assert 0.8 < single < 2.6, name


@EVERY_GAME
def test_pictures_show_what_there_is_now(game: str) -> None:
    """Nothing is drawn here: what they were made from is compared with what there is."""
    old = [name for name, made in diagrams(game).items() if noted()["diagrams"].get(name) != made]
    assert not old, f"old pictures: `make diagrams`, or see tests/made.py ({', '.join(old)})"


def test_without_a_file_there_are_none() -> None:
    assert Diagram().start("quadrille") == benben.game("quadrille").deal()
    assert picture_size("quadrille", "nothing") is None
