"""Boards know nothing of tables, and what a box shows is a position of its game."""

import json
import re
from pathlib import Path

import pytest

import benben
from benben.core.registry import names

GAMES = Path(__file__).parents[2] / "frontend/src/games"
MAY_IMPORT = re.compile(
    r"\./"
    r"|\$core/(?:a11y/(?:motion|shortcuts)|describe/moves|http/types|i18n/words\.svelte)\.ts"
    r"|\$engine/(?:pieces/|(?:choosing\.svelte|contract|drawing|editing|facts)\.ts)"
)
SHEETS = "$engine/kit/"  # that a kit is printed on


@pytest.mark.parametrize("game", names())
def test_a_board_imports_nothing_of_tables(game: str) -> None:
    files = [path for path in (GAMES / game).iterdir() if path.suffix in (".ts", ".svelte")]
    assert GAMES / game / "Board.svelte" in files
    for path in files:
        if ".test." in path.name:
            continue
        for imported in re.findall(r'(?:from|import) "([^"]+)"', path.read_text("utf-8")):
            if imported == "svelte" or (path.name == "Kit.svelte" and imported.startswith(SHEETS)):
                continue
            assert MAY_IMPORT.match(imported), f"{path.name}: {imported}"


@pytest.mark.parametrize("game", names())
def test_what_a_box_shows_is_a_position(game: str) -> None:
    box = json.loads((GAMES / game / "box.json").read_text("utf-8"))
    options = {key: value for key, value in box["options"].items() if key != "players"}
    view = benben.game(game, players=box["players"], **options).parse_view(box["position"])
    assert (view.drawing(), view.facts()) == (box["drawing"], box["facts"])
    assert view.result is None
