"""One Chromium for the tests of a module, one server for all.

It is not kept longer: it runs an event loop in the tests' thread, where other tests run theirs.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.windows import Window, chromium, window
from tests.luck import luck
from tests.web.compiling import compiler
from tests.web.conftest import site
from tests.web.site import Site

__all__ = ["compiler", "luck", "site"]

Opener = Callable[..., Window]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def opened(browser: Browser, site: Site) -> Iterator[Opener]:
    """Opens windows; all are closed, and must not have complained, when the test is over."""
    with ExitStack() as stack:

        def open_one(*size: Any, **how: Any) -> Window:
            return stack.enter_context(window(browser, site, *size, **how))

        yield open_one
