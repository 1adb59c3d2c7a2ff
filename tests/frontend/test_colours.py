"""Colours that everybody can tell apart, and a sign for each in case somebody cannot.

Each palette is looked at as people see it who lack one kind of cone (Machado, Oliveira and
Fernandes 2009, severity 1.0), and the distance of every two colours is measured in CIELAB (CIE76).
"""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

PALETTES = json.loads((Path(__file__).parents[2] / "frontend/src/boards/palettes.json").read_text())
LEAST_DISTANCE = (
    12.0  # twice and more what is seen at a glance side by side; the sign does the rest
)
LEAST_CONTRAST = 3.0  # of a sign on its colour (WCAG 2.2, 1.4.11)

_SEEN_BY = {
    "everybody": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
_TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
_WHITE = _TO_XYZ @ np.ones(3)


def _linear(colour: str) -> np.ndarray:
    parts = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def _lab(linear: np.ndarray) -> np.ndarray:
    xyz = _TO_XYZ @ np.clip(linear, 0, 1) / _WHITE
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def _luminance(colour: str) -> float:
    return float(_TO_XYZ[1] @ _linear(colour))


@pytest.mark.parametrize("eyes", _SEEN_BY)
@pytest.mark.parametrize("game", PALETTES)
def test_every_two_colours_are_told_apart(game: str, eyes: str) -> None:
    seen = {
        letter: _lab(_SEEN_BY[eyes] @ _linear(colour["fill"]))
        for letter, colour in PALETTES[game].items()
    }
    distances = {
        a + b: round(float(np.linalg.norm(seen[a] - seen[b])), 1) for a, b in combinations(seen, 2)
    }
    assert {pair: d for pair, d in distances.items() if d < LEAST_DISTANCE} == {}


@pytest.mark.parametrize("game", PALETTES)
def test_every_colour_has_a_sign_of_its_own_that_can_be_seen_on_it(game: str) -> None:
    colours = PALETTES[game].values()
    assert len({colour["sign"] for colour in colours}) == len(colours)
    for colour in colours:
        dark, light = sorted((_luminance(colour["fill"]), _luminance(colour["ink"])))
        assert (light + 0.05) / (dark + 0.05) >= LEAST_CONTRAST, colour
