"""Boards know nothing of tables, and what a box shows is a position of its game."""

import json
import re
from pathlib import Path

import pytest

import benben
from benben.core.registry import names

BOARDS = Path(__file__).parents[2] / "frontend/src/boards"
MAY_IMPORT = {"drawing", "keys", "motion", "telling", "types", "words.svelte"}


def _imports(path: Path) -> list[str]:
    return re.findall(r'(?:from|import) "(\.[^"]+)"', path.read_text("utf-8"))


@pytest.mark.parametrize("game", names())
def test_a_board_imports_nothing_of_tables(game: str) -> None:
    files = [path for path in (BOARDS / game).iterdir() if path.suffix in (".ts", ".svelte")]
    assert BOARDS / game / "Board.svelte" in files
    for path in files:
        for imported in _imports(path):
            target = (path.parent / imported).resolve()
            if target.is_relative_to(BOARDS):
                assert target.parent in (BOARDS, BOARDS / game), f"{path.name}: {imported}"
            else:
                if path.name == "Kit.svelte" and target.parent.name == "kit":
                    continue  # the sheets it is printed on
                assert target.parent.name == "lib", f"{path.name}: {imported}"
                assert target.stem in MAY_IMPORT, f"{path.name}: {imported}"


@pytest.mark.parametrize("game", names())
def test_what_a_box_shows_is_a_position(game: str) -> None:
    box = json.loads((BOARDS / game / "box.json").read_text("utf-8"))
    options = {key: value for key, value in box["options"].items() if key != "players"}
    view = benben.game(game, players=box["players"], **options).parse_view(box["position"])
    assert (view.drawing(), view.facts()) == (box["drawing"], box["facts"])
    assert view.result is None
