"""One Chromium and one server for all browser tests of a process."""

from asyncio import AbstractEventLoop, get_running_loop
from asyncio.events import _set_running_loop
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.browser.windows import Window, launch, window
from tests.luck import luck
from tests.web.compiling import compiler
from tests.web.conftest import site
from tests.web.site import Site

__all__ = ["compiler", "luck", "site"]

Opener = Callable[..., Window]


@pytest.fixture(scope="session")
def event_loop_of_playwright() -> Iterator[tuple[Playwright, AbstractEventLoop]]:
    """Playwright, and its event loop, which it leaves running in the tests' thread.

    The loop is hidden between browser tests: other tests run loops of their own there.
    """
    with sync_playwright() as playwright:
        loop = get_running_loop()
        _set_running_loop(None)
        yield playwright, loop
        _set_running_loop(loop)


@pytest.fixture
def playwright(
    event_loop_of_playwright: tuple[Playwright, AbstractEventLoop],
) -> Iterator[Playwright]:
    playwright, loop = event_loop_of_playwright
    _set_running_loop(loop)
    yield playwright
    _set_running_loop(None)


@pytest.fixture(scope="session")
def browsers() -> dict[bool, Browser]:
    """The browsers that have been started, the whole one and its shell; Playwright closes them."""
    return {}


@pytest.fixture
def browser(playwright: Playwright, browsers: dict[bool, Browser]) -> Browser:
    return _started(playwright, browsers, whole=False)


@pytest.fixture
def whole_browser(playwright: Playwright, browsers: dict[bool, Browser]) -> Browser:
    """Its shell shows no notices."""
    return _started(playwright, browsers, whole=True)


def _started(playwright: Playwright, browsers: dict[bool, Browser], whole: bool) -> Browser:
    if whole not in browsers or not browsers[whole].is_connected():
        browsers[whole] = launch(playwright, whole)
    return browsers[whole]


@pytest.fixture
def opened(browser: Browser, site: Site) -> Iterator[Opener]:
    """Opens windows; all are closed, and must not have complained, when the test is over."""
    with ExitStack() as stack:

        def open_one(*size: Any, **how: Any) -> Window:
            return stack.enter_context(window(browser, site, *size, **how))

        yield open_one
