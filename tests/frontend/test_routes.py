"""The server answers the paths of all pages, and of no others."""

import re
from itertools import product
from pathlib import Path

from benben.web.pages import PAGES

ROUTES = Path(__file__).parents[2] / "frontend/src/app/routes.ts"
ONLY_IN_DEVELOPMENT = {"/boards"}


def _without_names(path: str) -> str:
    return re.sub(r":\w+|{_+:str}", "*", path)


def _with_and_without_optional_parts(path: str) -> set[str]:
    parts = [
        ["", f"/{part[:-1]}"] if part.endswith("?") else [f"/{part}"]
        for part in path.split("/")[1:]
    ]
    return {"".join(chosen) for chosen in product(*parts)}


def test_the_server_knows_the_paths_of_all_pages() -> None:
    routes = re.findall(r'\broute\(\s*"([^"]*)"', ROUTES.read_text("utf-8"))
    assert len(routes) > 10
    paths = {each for route in routes for each in _with_and_without_optional_parts(route)}
    assert {_without_names(path) for path in paths - ONLY_IN_DEVELOPMENT} == {
        _without_names(path) for path in PAGES
    }
