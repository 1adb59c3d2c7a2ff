"""Sets of squares as words of up to 62 bits."""

from typing import Any

from numba import types
from numba.extending import intrinsic, overload

from benben.core.kernel import PLAIN_PYTHON, kernel
from benben.core.random import Random, below


def count(word: int) -> int:
    """How many bits are set."""
    return int(word).bit_count()


def lowest(word: int) -> int:
    """The index of the lowest set bit of a word that has one."""
    return (int(word) & -int(word)).bit_length() - 1


if not PLAIN_PYTHON:  # one machine instruction each, where there is one

    @intrinsic
    def _population(context: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate

    @intrinsic
    def _trailing_zeros(context: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

        return types.int64(types.int64), generate

    @overload(count, strict=False)
    def _count(word: Any) -> Any:
        return lambda word: _population(word)  # type: ignore[call-arg]

    @overload(lowest, strict=False)
    def _lowest(word: Any) -> Any:
        return lambda word: _trailing_zeros(word)  # type: ignore[call-arg]


@kernel
def nth(word: int, n: int) -> int:
    """The index of the nth set bit, from 0."""
    for _ in range(n):
        word &= word - 1
    return lowest(word)


@kernel
def pick(word: int, random: Random) -> int:
    """The index of a set bit, each equally likely."""
    return nth(word, below(random, count(word)))
