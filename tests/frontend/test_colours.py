"""Colours that everybody can tell apart, and a sign for each in case somebody cannot.

Each palette is looked at as people see it who lack one kind of cone, and the distance of every two
colours is measured in CIELAB (CIE76). The pages' own colours, sizes and corners come from one list.
"""

import json
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from tests.frontend.seeing import SEEN_BY, TO_XYZ, contrast, linear

SOURCES = Path(__file__).parents[2] / "frontend/src"
PALETTES = {
    path.parent.name: json.loads(path.read_text())
    for path in sorted((SOURCES / "games").glob("*/palette.json"))
}
LEAST_DISTANCE = (
    12.0  # twice and more what is seen at a glance side by side; the sign does the rest
)
LEAST_CONTRAST = 3.0  # of whatever is drawn (WCAG 2.2, 1.4.11)
LEAST_FOR_TEXT = 4.5  # (1.4.3)
_WITH_CONES = [eyes for eyes in SEEN_BY if eyes != "achromatopsia"]
_WHITE = TO_XYZ @ np.ones(3)

# The colours of pages, each for light and for dark.
TOKENS = {
    name: dict(zip(("light", "dark"), colours, strict=True))
    for name, *colours in re.findall(
        r"^  --([\w-]+): light-dark\((#\w{6}), (#\w{6})\);",
        (SOURCES / "app/app.css").read_text(),
        re.MULTILINE,
    )
}
PAGES = ["ground", "raised", "sunk"]
BOARDS = ["board", "board-deep"]
SEATS = [f"seat-{number}" for number in range(1, 5)]  # lines in a graph
DRAWN = {"edge": [*PAGES, "board"], "focus": PAGES + BOARDS, "may": PAGES + BOARDS}
DRAWN |= dict.fromkeys(SEATS, PAGES)
WRITTEN = {"text": PAGES + BOARDS, "soft": PAGES, "accent": PAGES, "bad": PAGES, "good": PAGES} | {
    "on-accent": ["accent"],
    "on-may": ["may"],
}


def _lab(light: np.ndarray) -> np.ndarray:
    xyz = TO_XYZ @ np.clip(light, 0, 1) / _WHITE
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("eyes", _WITH_CONES)
@pytest.mark.parametrize("game", PALETTES)
def test_every_two_colours_are_told_apart(game: str, eyes: str) -> None:
    seen = {
        letter: _lab(SEEN_BY[eyes] @ linear(colour["fill"]))
        for letter, colour in PALETTES[game].items()
    }
    distances = {
        a + b: round(float(np.linalg.norm(seen[a] - seen[b])), 1) for a, b in combinations(seen, 2)
    }
    assert {pair: d for pair, d in distances.items() if d < LEAST_DISTANCE} == {}


@pytest.mark.parametrize("game", PALETTES)
def test_every_colour_has_a_sign_of_its_own_that_can_be_seen_on_it(game: str) -> None:
    """Only what is light and what is dark to everybody may have the same."""
    colours = PALETTES[game].values()
    alike = [
        (one["fill"], other["fill"])
        for one, other in combinations(colours, 2)
        if one["sign"] == other["sign"]
        and contrast(linear(one["fill"]), linear(other["fill"])) < LEAST_CONTRAST
    ]
    assert alike == []
    for colour in colours:
        assert contrast(linear(colour["fill"]), linear(colour["ink"])) >= LEAST_CONTRAST, colour


@pytest.mark.parametrize("eyes", SEEN_BY)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_marks_and_edges_are_seen_on_every_surface(theme: str, eyes: str) -> None:
    assert _too_weak(DRAWN, LEAST_CONTRAST, theme, eyes) == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_is_read_on_every_surface(theme: str) -> None:
    assert _too_weak(WRITTEN, LEAST_FOR_TEXT, theme, "everybody") == {}


def _too_weak(
    wanted: dict[str, list[str]], least: float, theme: str, eyes: str
) -> dict[str, float]:
    found = {
        f"{name} on {surface}": float(
            contrast(linear(TOKENS[name][theme]), linear(TOKENS[surface][theme]), eyes)
        )
        for name, surfaces in wanted.items()
        for surface in surfaces
    }
    return {which: ratio for which, ratio in found.items() if ratio < least}


# A box on the shelf is a picture, with colours of its own.
_STYLED = [
    path
    for path in SOURCES.rglob("*.svelte")
    if path.parent.name != "pieces"
    and path.parent.parent.name != "games"
    and path.name != "GamePicture.svelte"
]
_LITERALS = {
    "size of type": r"font(?:-size)?:[^;]*?(?<![\w.-])[\d.]+(?:px|rem)",
    "corner": r"border-radius:[^;]*\d(?:px|rem)",
    "colour": r"#[0-9a-fA-F]{3,8}\b(?=[^{}]*;)|\b(?:rgb|hsl)a?\(",
}


@pytest.mark.parametrize("what", _LITERALS)
def test_what_a_page_looks_like_comes_from_one_list(what: str) -> None:
    pattern = re.compile(_LITERALS[what])
    found = [
        f"{path.name}: {match.group()}"
        for path in _STYLED
        for style in re.findall(r"<style>(.*)</style>", path.read_text(), re.DOTALL)
        for match in pattern.finditer(style)
    ]
    assert found == []
