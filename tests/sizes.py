"""How much a run tests: `make test` the short versions, `make test-all` the long ones."""

import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from zlib import crc32

import pytest

Test = TypeVar("Test", bound=Callable[..., None])

LONG = os.environ.get("BENBEN_TESTS") == "all"


def rotating(names: str | tuple[str, ...], values: Sequence[Any]) -> Callable[[Test], Test]:
    """Parametrize a test with one of the values, another one for another test; long: with all.

    For behaviour that does not depend on the value: most pages treat all games alike.
    """

    def parametrize(test: Test) -> Test:
        one = values[crc32(test.__name__.encode()) % len(values)]
        return pytest.mark.parametrize(names, values if LONG else [one])(test)

    return parametrize
