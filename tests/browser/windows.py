"""Chromium's windows: where a page is looked at, and what must never happen in one."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.web.site import Person, Site

PHONE, DESKTOP = (390, 844), (1440, 900)
AXE = Path(__file__).parents[2] / "frontend/node_modules/axe-core/axe.min.js"
# The sandbox of Chromium needs rights a container does not have; the rest keeps it off the network.
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def chromium() -> Iterator[Browser]:
    path = os.environ.get("BENBEN_CHROMIUM") or shutil.which("chromium")
    assert path, "these tests need Chromium: install it, or name it in BENBEN_CHROMIUM"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(_ARGUMENTS))
        yield browser
        browser.close()


@dataclass
class Window:
    """A browser of somebody's own, looking at one page. Whatever it complains of is kept."""

    site: Site
    context: BrowserContext
    page: Page
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(20_000)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._hear)
        self.page.on("request", self._check)

    def _hear(self, message: Any) -> None:
        refused = "Failed to load resource" in message.text  # of what the house refuses, by a rule
        if message.type in ("error", "warning") and not refused:
            self.complaints.append(message.text)

    def _check(self, request: Any) -> None:
        if not request.url.startswith((self.base, "blob:")):
            self.complaints.append(f"asked another host: {request.url}")

    @property
    def base(self) -> str:
        return str(self.site.http.base_url).rstrip("/")

    def visit(self, path: str) -> None:
        self.page.goto(self.base + path)

    def take(self, person: Person) -> None:
        """Sit down on somebody's seat by its private link."""
        self.visit(f"/t/{person.table}#seat={person.token}")

    def tokens(self) -> list[str]:
        """The tokens of the seats this device holds, the last taken last."""
        seats = self.page.evaluate("JSON.parse(localStorage.getItem('benben.seats') || '[]')")
        return [seat["token"] for seat in seats]

    @property
    def table(self) -> str:
        """The id of the table that is looked at."""
        return self.page.url.rpartition("/t/")[2].partition("#")[0]

    def player(self, which: int = -1) -> Person:
        """Whoever holds one of this device's seats, as the server knows them."""
        return Person(self.site, self.table, self.tokens()[which])

    def violations(self) -> list[str]:
        """What axe-core finds wrong on the page as it is."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text())
        found = self.page.evaluate(
            "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa',"
            " 'best-practice']})"
        )
        return [
            f"{each['id']}: {node['target']} {node['failureSummary']}"
            for each in found["violations"]
            for node in each["nodes"]
        ]


@contextmanager
def window(
    browser: Browser,
    site: Site,
    size: tuple[int, int] = DESKTOP,
    *,
    dark: bool = False,
    language: str = "en-GB",
    calm: bool = True,
) -> Iterator[Window]:
    """A window of a size, closed after use; a test fails if the page complained of anything."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        locale=language,
        has_touch=width < 600,
        reduced_motion="reduce" if calm else "no-preference",
    )
    opened = Window(site, context, context.new_page())
    try:
        yield opened
    finally:
        context.close()
    assert not opened.complaints, opened.complaints
