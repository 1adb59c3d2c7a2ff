"""The server has the front end's table of routes, with the files of each page."""

import re
from pathlib import Path

import pytest

from benben.core.registry import names
from benben.web import built_pages
from benben.web.built_pages import PAGE_LIST, STATIC, BuiltPages, Page
from benben.web.built_pages import built_pages as built
from benben.web.wording import LANGUAGES

ROUTES = Path(__file__).parents[2] / "frontend/src/app/routes.ts"
ONLY_IN_DEVELOPMENT = {"/boards"}


def test_the_server_knows_the_paths_of_all_pages() -> None:
    routes = set(re.findall(r'\broute\(\s*"([^"]*)"', ROUTES.read_text("utf-8")))
    assert len(routes) > 10
    assert {page.path for page in built().pages} == routes - ONLY_IN_DEVELOPMENT


def test_every_page_has_its_files() -> None:
    documented = (STATIC / "index.html").read_text()
    for page in built().pages:
        for language in LANGUAGES:
            files = built().files_of(page, "quadrille", language)
            assert any(name.endswith(".js") for name in files), page.path
            assert len(files) == len(set(files))
            for name in files:
                assert (STATIC / name).is_file()
                assert name not in documented, "it is loaded by every page"


def test_every_game_has_a_board_and_words() -> None:
    found = built()
    for game in names():
        assert any(name.endswith(".js") for name in found.boards[game])
        assert set(found.words[game]) == set(LANGUAGES)
    table, _ = found.find("/t/abc") or pytest.fail("there is no page of a table")
    assert table.board
    with_board = found.files_of(table, "quadrille", "fr")
    assert set(found.boards["quadrille"]) | set(found.words["quadrille"]["fr"]) <= set(with_board)
    assert not set(found.boards["quadrille"]) <= set(found.files_of(table, "", "fr"))


@pytest.mark.parametrize(
    ("path", "page", "parameters"),
    [
        ("/", "/", {}),
        ("/t/abc", "/t/:id", {"id": "abc"}),
        ("/puzzles/quadrille/3", "/puzzles/:game/:id", {"game": "quadrille", "id": "3"}),
        ("/lab", "/lab/:id?", {"id": ""}),
        ("/lab/balance", "/lab/:id?", {"id": "balance"}),
    ],
)
def test_a_path_is_found(path: str, page: str, parameters: dict[str, str]) -> None:
    pages = BuiltPages(tuple(map(Page, ["/", "/t/:id", "/puzzles/:game/:id", "/lab/:id?"])))
    found = pages.find(path)
    assert found is not None
    assert (found[0].path, found[1]) == (page, parameters)


@pytest.mark.parametrize(
    "path", ["", "/t", "/t/", "/t/a/b", "/puzzles/quadrille", "/lab/a/b", "/x"]
)
def test_other_paths_are_not(path: str) -> None:
    pages = BuiltPages(tuple(map(Page, ["/", "/t/:id", "/puzzles/:game/:id", "/lab/:id?"])))
    assert pages.find(path) is None


def test_without_a_build_there_is_the_start_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(built_pages, "STATIC", tmp_path)
    built.cache_clear()
    try:
        assert not (tmp_path / PAGE_LIST).exists()
        assert [page.path for page in built().pages] == ["/"]
    finally:
        built.cache_clear()
