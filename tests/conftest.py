"""What all tests share."""

import gc
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from benben.terminal.speech import use
from tests.sizes import LONG
from tests.timing import pytest_terminal_summary

__all__ = ["pytest_terminal_summary"]

# Machines are shared: slowness is no failure. In CI the same examples are tried every time.
settings.register_profile(
    "default", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=100
)
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.register_profile("long", settings.get_profile("default"), max_examples=2000)
settings.load_profile("long" if LONG else "ci" if "CI" in os.environ else "default")

# A shell that starts us in the background lets us ignore Ctrl-C; some tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests read English, wherever they run.
os.environ["BENBEN_LANGUAGE"] = "en"


def pytest_collection_finish() -> None:
    """Leave what was imported and collected out of garbage collections: a tenth of the time."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the long tests, except in `make test-all`."""
    if not LONG:
        long = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


@pytest.fixture(autouse=True)
def _language() -> Iterator[None]:
    """A command that is told a language here speaks it for the rest of the process."""
    yield
    use(None)
