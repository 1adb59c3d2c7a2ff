"""Random numbers inside kernels: MWC64X, a multiply-with-carry generator of 64 bits of state.

Fast, small, and free of overflow, so that it runs the same compiled and as plain Python. It is for
playouts and searches; deals and throws at a table come from `chance.py`.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from benben.core.kernel import kernel

Random: TypeAlias = NDArray[np.uint64]

_MULTIPLIER = np.uint64(4294883355)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


def generator(seed: int | tuple[int, ...]) -> Random:
    """A generator's state; different seeds give unrelated sequences."""
    state = np.random.SeedSequence(seed).generate_state(2, np.uint32)
    # The carry must stay below the multiplier and the state must not be 0.
    return np.array([((int(state[0]) % 4294883354) << 32) | int(state[1]) | 1], np.uint64)


@kernel
def below(random: Random, n: int) -> int:
    """A whole number from 0 to n - 1 (n < 2^32), every one exactly as likely (Lemire's method)."""
    size = np.uint64(n)
    product = _next(random) * size
    if (product & _LOW) < size:
        unfair = np.uint64((1 << 32) % n)
        while (product & _LOW) < unfair:
            product = _next(random) * size
    return np.int64(product >> _HALF)  # type: ignore[return-value]


@kernel
def _next(random: Random) -> np.uint64:
    x = random[0]
    low = x & _LOW
    high = x >> _HALF
    random[0] = low * _MULTIPLIER + high
    return low ^ high
