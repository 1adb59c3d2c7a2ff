"""Colours as people see them, whatever kind of cone they lack.

The matrices for linear RGB are those of Machado, Oliveira and Fernandes (2009), severity 1.0;
without any cones there is only luminance.
"""

import numpy as np

TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
SEEN_BY = {
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
    "achromatopsia": np.tile(TO_XYZ[1], (3, 1)),
}


def linear(colour: str) -> np.ndarray:
    """A colour such as `#d9822b` as the amounts of light it is made of."""
    return light_of(np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]))


def light_of(parts: np.ndarray) -> np.ndarray:
    """Parts of 0 to 255, as colours have them, as amounts of light."""
    share = parts / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def luminance(light: np.ndarray, eyes: str = "everybody") -> np.ndarray:
    """How bright it is to somebody; the last axis of what is given has red, green and blue."""
    seen: np.ndarray = np.clip(light @ SEEN_BY[eyes].T, 0, 1) @ TO_XYZ[1]
    return seen


def contrast(one: np.ndarray, other: np.ndarray, eyes: str = "everybody") -> np.ndarray:
    """As WCAG 2 has it, from 1 to 21."""
    a, b = luminance(one, eyes) + 0.05, luminance(other, eyes) + 0.05
    ratio: np.ndarray = np.maximum(a, b) / np.minimum(a, b)
    return ratio
