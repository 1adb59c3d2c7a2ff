"""The server, and each engine in turn."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.engines.firefox import firefox
from tests.engines.tabs import Engine
from tests.engines.webkit import webkit
from tests.web.conftest import site

__all__ = ["site"]

collect_ignore = ["webkit_window.py"]  # it is run by the system's Python, which has PyGObject


@pytest.fixture(params=[firefox, webkit], ids=["firefox", "webkit"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """An engine; the test fails if a page of it logged a warning or an error."""
    start: AbstractContextManager[Engine] = request.param(tmp_path)
    with start as engine:
        yield engine
        errors = engine.logged_errors()
    assert not errors, errors
