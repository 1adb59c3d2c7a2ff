"""Chromium's windows: where a page is looked at, and what must never happen in one."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from benben.core.registry import names
from tests.web.site import Person, Site

PATIENCE = 20_000  # ms until what should be seen, and is not, is given up: machines are shared
expect.set_options(PATIENCE)
LAN = "benben.test"  # a name by which plain http is as insecure as in a local network
PHONE, DESKTOP = (390, 844), (1440, 900)
AXE = Path(__file__).parents[2] / "frontend/node_modules/axe-core/axe.min.js"
# The first is the same browser without its own windows: it opens a page in half the time.
_BROWSERS = ("chromium-headless-shell", "chromium")
# The sandbox of Chromium needs rights a container does not have; the rest keeps it off the network.
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # letters stand where they do in the whole browser
    f"--host-resolver-rules=MAP {LAN} 127.0.0.1",
)


_HIDE = """hidden => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


# A page that is not ours has no storage.
_MEET = """games => {
    try {
        const settings = JSON.parse(localStorage.getItem("benben.settings") ?? "{}");
        const met = JSON.stringify({ ...settings, met: settings.met ?? games });
        localStorage.setItem("benben.settings", met);
    } catch {}
}"""


_TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
# Only what is wrong is described, and sent: of everything else, axe says four times as much.
_VIOLATIONS = """async runOnly => {
    const { violations } = await axe.run(document, { runOnly, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
}"""


def launch(playwright: Playwright, whole: bool = False) -> Browser:
    """The quickest there is; for pictures and print the whole one, which spaces letters better."""
    known = reversed(_BROWSERS) if whole else _BROWSERS
    path = os.environ.get("BENBEN_CHROMIUM") or next(filter(None, map(shutil.which, known)), "")
    assert path, "these tests need Chromium: install it, or name it in BENBEN_CHROMIUM"
    return playwright.chromium.launch(executable_path=path, args=list(_ARGUMENTS))


@contextmanager
def chromium(whole: bool = False) -> Iterator[Browser]:
    """A browser for a script; tests share one."""
    with sync_playwright() as playwright:
        browser = launch(playwright, whole)
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
        self.page.set_default_timeout(PATIENCE)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._hear)
        self.page.on("request", self._check)

    def _hear(self, message: Any) -> None:
        refused = "Failed to load resource" in message.text  # of what the server refuses, by a rule
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
        """Sit down on somebody's seat by its private link, and stay until the device has it."""
        self.visit(f"/t/{person.table}#seat={person.token}")
        self.page.wait_for_url(lambda url: "#" not in url)

    def tokens(self) -> list[str]:
        """The tokens of the seats this device holds, the last taken last."""
        seats = self.page.evaluate("JSON.parse(localStorage.getItem('benben.seats') || '[]')")
        return [seat["token"] for seat in seats]

    @property
    def table(self) -> str:
        """The id of the table that is looked at."""
        return self.page.url.rpartition("/t/")[2].partition("#")[0]

    def players(self) -> list[Person]:
        """Whoever holds this device's seats at this table, as the server knows them."""
        seats = self.page.evaluate("JSON.parse(localStorage.getItem('benben.seats') || '[]')")
        here = [seat["token"] for seat in seats if seat["table"] == self.table]
        return [Person(self.site, self.table, token) for token in here]

    def player(self, which: int = -1) -> Person:
        """One of them, the last that has sat down unless said."""
        return self.players()[which]

    def violations(self, *rules: str) -> list[str]:
        """What axe-core finds wrong on the page as it is, by these rules or by all that apply."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text())
        return list(self.page.evaluate(_VIOLATIONS, list(rules or _TAGS)))


# What is measured by script follows after a frame, and is drawn by the next.
_SETTLED = """() => new Promise(done => {
    const frames = left =>
        left ? requestAnimationFrame(() => frames(left - 1)) : setTimeout(done, 50);
    frames(3);
})"""


def settle(page: Page) -> None:
    """Until everything has found its place."""
    page.evaluate(_SETTLED)


def resize(page: Page, size: tuple[int, int]) -> None:
    """Look at it on another screen."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    settle(page)


def hide(page: Page, hidden: bool) -> None:
    """Whether nobody sees it: another tab is before it, or the phone is in a pocket."""
    page.evaluate(_HIDE, hidden)


def meet_all(context: BrowserContext) -> None:
    """A device that has been told what each game is about: the aim is in nobody's way."""
    context.add_init_script(f"({_MEET})({json.dumps(names())})")


@contextmanager
def window(
    browser: Browser,
    site: Site,
    size: tuple[int, int] = DESKTOP,
    *,
    dark: bool = False,
    language: str = "en-GB",
    calm: bool = True,
    new: bool = False,
    sharpness: float = 1,
    script: bool = True,
) -> Iterator[Window]:
    """A window of a size, closed after use; a test fails if the page complained of anything."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        device_scale_factor=sharpness,
        java_script_enabled=script,
        locale=language,
        has_touch=width < 600,
        reduced_motion="reduce" if calm else "no-preference",
    )
    if not new:
        meet_all(context)
    opened = Window(site, context, context.new_page())
    try:
        yield opened
    finally:
        context.close()
    assert not opened.complaints, opened.complaints
