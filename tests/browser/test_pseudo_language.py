"""In a language that is longer than ours nothing is cut off, and every text is translated.

The language is English with accents, a third longer, in brackets (`frontend/pseudo.js`). Its files
are all that is added: the pages find them, as those of any other language.
"""

import html
import re
import shutil
import subprocess
from calendar import day_abbr, day_name, month_abbr, month_name
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, Response, expect

from benben.core.locking import locked
from benben.core.registry import info, names
from benben.web import pages
from tests.browser.conftest import Opener
from tests.browser.hands import until
from tests.browser.positions import late
from tests.browser.selectors import BOARD, RESULT, THING, part
from tests.browser.windows import Window, settle
from tests.web.site import Site

pytestmark = pytest.mark.long

LANGUAGE = "en-XA"
SMALL = (390, 664)  # a phone with its browser's bars
FRONTEND = Path(__file__).parents[2] / "frontend"
_LONGER = {"a": "áá", "e": "éé", "i": "îî", "o": "öö", "u": "ûû", "c": "ç", "n": "ñ"}
_ACCENTED = str.maketrans(
    _LONGER | {each.upper(): longer.upper() for each, longer in _LONGER.items() if each in "aeiou"}
)
# Names that are the same in all languages, and what the server has in English for want of another.
_NAMES = {"Benben", "English", "Français", "Pseudo", "Accents", "min", "Ann"}
_COMMAND = {"benben", "serve", "host"}

# What is shown of each text, and where it is cut off: by something that hides what does not fit, or
# by the edge of the screen, if it cannot be scrolled to.
_TEXTS = """() => {
    const found = { cut: [], said: [] };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const hides = /hidden|clip/;
    while (walker.nextNode()) {
        const text = walker.currentNode, element = text.parentElement;
        const said = text.data.trim();
        if (!said || element.closest("[inert], script, style, noscript")) continue;
        if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        found.said.push(said);
        if (element.closest("option, textarea")) continue;
        range.selectNodeContents(text);
        // What is beside the page comes when it has the focus.
        const rects = [...range.getClientRects()].filter(
            ({ width, right }) => width > 1 && right > 0);
        let [across, down] = [true, true]; // whether it must be there without scrolling
        for (let box = element; box && box !== document.body; box = box.parentElement) {
            const { clipPath, display, overflowX, overflowY } = getComputedStyle(box);
            if (display === "inline" || display === "contents") continue;
            if (clipPath === "inset(50%)") { across = down = false; break; } // it is only heard
            const edge = box.getBoundingClientRect();
            if (box instanceof SVGElement && box.tagName !== "svg") continue;
            if (across && hides.test(overflowX))
                if (rects.some(({ left, right }) => left < edge.left - 2 || right > edge.right + 2))
                    found.cut.push(`${said} | by ${box.tagName} ${box.className}`);
            if (down && hides.test(overflowY))
                if (rects.some(({ top, bottom }) => top < edge.top - 4 || bottom > edge.bottom + 4))
                    found.cut.push(`${said} | below, by ${box.tagName} ${box.className}`);
            if (/auto|scroll/.test(overflowX)) across = false;
            if (/auto|scroll/.test(overflowY)) down = false;
        }
        if (across && rects.some(({ left, right }) => left < -1 || right > innerWidth + 1))
            found.cut.push(`${said} | beyond the screen`);
    }
    for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]"))
        for (const name of ["aria-label", "title", "placeholder", "alt"])
            if (element.getAttribute(name) && !element.closest("[inert]"))
                found.said.push(element.getAttribute(name));
    return found;
}"""


@pytest.fixture(scope="module")
def translated(
    tmp_path_factory: pytest.TempPathFactory, worker_id: str, site: Site
) -> Iterator[Site]:
    """The site with pages that have one language more: its catalogues are all that was added."""
    temporary = tmp_path_factory.getbasetemp()
    shared = temporary if worker_id == "master" else temporary.parent
    frontend = shared / "translated" / "frontend"
    with locked(shared / "translated.lock"):  # one of the workers builds them for all
        if not (frontend / "built").exists():
            _build(frontend)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "STATIC", frontend / "built")
        pages.built_files.cache_clear()
        yield site
    pages.built_files.cache_clear()


def _build(frontend: Path) -> None:
    shutil.copytree(
        FRONTEND, frontend, ignore=shutil.ignore_patterns("node_modules"), symlinks=True
    )
    (frontend / "node_modules").symlink_to((FRONTEND / "node_modules").resolve())
    (frontend.parent / "src").symlink_to(FRONTEND.parent / "src")
    build = ["node_modules/.bin/vite", "build", "--logLevel", "error", "--outDir", "built"]
    for command in (["node", "pseudo.js"], build):
        subprocess.run(command, cwd=frontend, check=True)


def accented(text: str) -> str:
    return text.translate(_ACCENTED)


class Reader:
    """Looks at pages, and notes what is wrong in them."""

    def __init__(self, here: Window) -> None:
        self.here, self.page = here, here.page
        self.told = {
            *_NAMES,
            *_COMMAND,
            *month_name,
            *month_abbr,
            *day_name,
            *day_abbr,
        }  # words of the server, which are English
        self.answers: list[Response] = []
        self.page.on("response", lambda answer: self.answers.append(answer))
        self.wrong: list[str] = []

    def look(self, what: str) -> None:
        expect(self.page.get_by_text(accented("Loading"))).to_have_count(0)
        settle(self.page)
        while self.answers:
            answer = self.answers.pop()
            if answer.status == 200 and "json" in answer.headers.get("content-type", ""):
                with suppress(Error):  # the body is gone if its page was left meanwhile
                    self.told.update(*map(_words, _strings(answer.json())))
        found = self.page.evaluate(_TEXTS)
        self.wrong += [f"{what}: cut off: {each}" for each in found["cut"]]
        for text in found["said"]:
            if left := set(_words(text)) - self.told:
                self.wrong.append(f"{what}: not translated: {text}: {left}")


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [html.unescape(value)]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in _strings(part)]


def _words(text: str) -> list[str]:
    """The words with a vowel that has no accent: a name of a square, as e4, is none."""
    return [
        word
        for word in re.findall(r"[^\W\d_]+", text)
        if len(word) > 1 and re.search("[aeiouAEIOU]", word)
    ]


@pytest.fixture
def reader(translated: Site, opened: Opener) -> Reader:
    return Reader(opened(SMALL, language=LANGUAGE))


def test_pages_without_a_table(reader: Reader) -> None:
    here, page = reader.here, reader.page
    puzzle = here.site.get("puzzles/quadrille")["puzzles"][0]["id"]
    for path in (
        "/",
        "/new/objectif",
        "/learn/batisseurs",
        "/review",
        "/puzzles",
        f"/puzzles/quadrille/{puzzle}",
        "/games",
        "/lab",
        "/t/nowhere",
        "/nowhere",
        "/rules/objectif",
        "/fairness",
    ):
        here.visit(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator("html")).to_have_attribute("lang", LANGUAGE)
        reader.look(path)
    assert reader.wrong == []


def test_dialogs_and_sheets(reader: Reader) -> None:
    here, page = reader.here, reader.page
    here.visit("/")
    page.get_by_role("button", name=accented("Settings")).click()
    page.get_by_text(accented("Keyboard")).click()
    expect(page.get_by_text(accented("Next move"))).to_be_visible()
    assert page.get_by_label(accented("Language")).get_by_role("option").all_inner_texts() == [
        f"[{accented('Browser default')}]",
        "English",
        "English (Pseudo-Accents)",
        "Français",
    ]
    reader.look("settings")
    page.get_by_role("button", name=accented("Close")).click()
    people = here.site.table("objectif", people=2, players=2)
    here.take(people[0])
    until(page, THING)
    for name in ("Menu", "Share"):
        page.get_by_role("button", name=accented(name)).first.click()
        reader.look(name)
    page.keyboard.press("Escape")
    page.get_by_role("button", name=accented("Chat")).first.click()
    reader.look("Chat")
    assert reader.wrong == []


@pytest.mark.parametrize("game", names())
def test_a_game(reader: Reader, game: str) -> None:
    here, page = reader.here, reader.page
    table = here.site.open(game, players=2, pace={"pace": "days", "days": 2}, drawn=True)
    here.visit(f"/t/{table}")
    expect(page.get_by_role("heading", name=info(game).titles["en"])).to_be_visible()
    reader.look("lobby")
    people = here.site.table(game, people=2, players=2, **late(game, 8))
    here.take(people[0])
    until(page, THING)
    reader.look("table")
    while (seat := people[0].look().get("to_move")) is not None:
        people[seat].move(0)
    until(page, RESULT)
    reader.look("result")
    here.visit(f"/review/{people[0].table}")
    # The server makes it first.
    expect(page.get_by_test_id("evaluation-graph")).to_be_visible(timeout=60_000)
    reader.look("review")
    here.visit(f"/analysis/{game}")
    until(page, BOARD)
    reader.look("analysis")
    page.get_by_role("button", name=accented("Set up")).click()
    until(page, part("editor"))
    reader.look("set-up")
    assert reader.wrong == []
