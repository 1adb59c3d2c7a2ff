"""Whoever looks, in light or in dark: where a control ends can be seen, and so can what one may do.

Marks of "you may" are looked at as they are drawn: the board is taken with them and, their colours
made transparent, without them; what is different is the marks.
"""

import base64
import re
from typing import Any, Literal, get_args

import numpy as np
import pytest
from playwright.sync_api import ElementHandle, Locator, Page, expect

from benben.core.registry import names
from tests.browser.conftest import Opener
from tests.browser.hands import Hand, until
from tests.browser.selectors import BOARD, MY_THING
from tests.browser.test_accessible import play_on
from tests.browser.windows import PHONE, Window
from tests.frontend.seeing import SEEN_BY, contrast, light_of
from tests.sizes import LONG, rotating
from tests.web.site import Person, Site

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = get_args(Theme)
LEAST = 3.0  # WCAG 2.2, 1.4.11

_UNMARKED = """() => {
    for (const name of ["--may", "--on-may", "--may-wash", "--glow", "--casing"])
        document.documentElement.style.setProperty(name, "transparent");
}"""
_MARKED = "() => document.documentElement.removeAttribute('style')"
_PIXELS = """async (packed) => {
    const bytes = Uint8Array.from(atob(packed), (each) => each.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    canvas.drawImage(picture, 0, 0);
    const { data } = canvas.getImageData(0, 0, picture.width, picture.height);
    let text = "";
    for (let at = 0; at < data.length; at += 8192)
        text += String.fromCharCode(...data.subarray(at, at + 8192));
    return [picture.width, picture.height, btoa(text)];
}"""
# Each control with the colours of its border, of itself, and of what is behind it.
_CONTROLS = """() => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const paint = (colours) => {
        for (const colour of colours) {
            canvas.fillStyle = colour;
            canvas.fillRect(0, 0, 1, 1);
        }
        return [...canvas.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
    };
    const grounds = (element) => {
        const found = [];
        for (let each = element; each; each = each.parentElement)
            found.unshift(getComputedStyle(each).backgroundColor);
        return found;
    };
    const page = document.querySelector("dialog[open]") ?? document;
    // Some are drawn by the browser; links and buttons of words alone have no edge.
    const others = ":disabled, [type=radio], [type=checkbox], [data-thing], [data-thing] *";
    const edgeless = (each) => {
        const { borderTopColor, borderTopStyle, backgroundColor } = getComputedStyle(each);
        const none = (colour) => colour === "transparent" || /, 0\\)$|\\/ 0\\)$/.test(colour);
        const worded = each.firstElementChild === null || each.tagName === "A";
        return none(backgroundColor) && (borderTopStyle === "none" ? worded : none(borderTopColor));
    };
    return [...page.querySelectorAll(`:is(button, a, select, input):not(${others})`)]
        .filter((each) => each.checkVisibility() && !edgeless(each))
        .map((each) => {
            // What it looks like may be said of what is in it, where a finger needs more room.
            const bare = getComputedStyle(each).borderTopStyle === "none";
            const style = getComputedStyle((bare && each.firstElementChild) || each);
            const behind = grounds(each.parentElement);
            const bordered = parseFloat(style.borderTopWidth) > 0;
            return {
                what: each.outerHTML.slice(0, 90),
                behind: paint(behind),
                inside: paint([...behind, style.backgroundColor]),
                border: bordered ? paint([...behind, style.borderTopColor]) : null,
            };
        });
}"""


def light(here: Window, theme: Theme) -> None:
    here.page.emulate_media(color_scheme=theme)
    expect(here.page.locator("html")).to_have_attribute("data-theme", theme)


# ---- Controls


def faint_controls(here: Window) -> list[str]:
    """Controls of which neither the border nor the inside can be told from what is behind."""
    faint = set()
    for control in here.page.evaluate(_CONTROLS):
        edges = [control["inside"]] + ([control["border"]] if control["border"] else [])
        behind = light_of(np.array(control["behind"]))
        for eyes in SEEN_BY:
            best = max(float(contrast(light_of(np.array(e)), behind, eyes)) for e in edges)
            if best < LEAST:
                faint.add(f"{control['what']}: {best:.1f} ({eyes})")
    return sorted(faint)


def test_controls_away_from_a_table(opened: Opener) -> None:
    here = opened(PHONE)
    for path in ("/", "/new/pyramidis", "/rules/objectif"):
        here.visit(path)
        until(here.page, "main a, main button")
        for theme in THEMES:
            light(here, theme)
            assert faint_controls(here) == [], (path, theme)


def test_controls_in_dialogs(site: Site, opened: Opener) -> None:
    here = opened(PHONE)
    here.visit("/")
    here.page.get_by_role("button", name="Settings").click()
    until(here.page, "dialog[open] select")
    for theme in THEMES:
        light(here, theme)
        assert faint_controls(here) == [], theme


# ---- Marks


def pixels(page: Page, board: ElementHandle) -> np.ndarray:
    """The board as it is drawn: rows of pixels of red, green and blue."""
    picture = base64.b64encode(board.screenshot(animations="disabled")).decode()
    decoder = page.context.new_page()  # where no policy forbids it
    try:
        width, height, data = decoder.evaluate(_PIXELS, picture)
    finally:
        decoder.close()
    raw = np.frombuffer(base64.b64decode(data), np.uint8)
    return raw.reshape(height, width, 4)[:, :, :3]


def marks(here: Window) -> tuple[np.ndarray, np.ndarray]:
    """The light of a board with its marks and without."""
    page = here.page
    board = page.query_selector(BOARD)
    assert board
    marked = light_of(pixels(page, board))
    page.evaluate(_UNMARKED)
    plain = light_of(pixels(page, board))
    page.evaluate(_MARKED)
    return marked, plain


def faint_marks(here: Window, things: list[str]) -> list[str]:
    """Which of these have no mark that everybody sees: a small sign, or a line half round it."""
    marked, plain = marks(here)
    left, top = _corner(here)
    seen = {eyes: contrast(marked, plain, eyes) >= LEAST for eyes in SEEN_BY}
    faint = []
    for thing in things:
        x0, y0, x1, y1 = _around(Hand(here).thing(thing))
        for eyes, well in seen.items():
            count = int(well[max(0, y0 - top) : y1 - top, max(0, x0 - left) : x1 - left].sum())
            if count < (x1 - x0) + (y1 - y0):
                faint.append(f"{thing}: {count} pixels ({eyes})")
    return faint


def _corner(here: Window) -> tuple[int, int]:
    box = here.page.get_by_test_id("board").first.bounding_box()
    assert box
    return round(box["x"]), round(box["y"])


def _around(thing: Locator) -> tuple[int, int, int, int]:
    """Where a thing is, and a little more: a mark may be round it."""
    box = thing.bounding_box()
    assert box, thing
    x, y, width, height = (box[key] for key in ("x", "y", "width", "height"))
    return round(x) - 4, round(y) - 4, round(x + width) + 4, round(y + height) + 4


def _ways(game: str, legal: list[dict[str, Any]]) -> list[list[str]]:
    """The things that are touched for each move that is made on the board, by their names there."""
    moves = [each["move"] for each in legal]
    if game == "objectif":
        return [move.split("@") for move in moves]
    if game == "pyramidis":
        return [[move.partition("*")[0]] for move in moves if move != "pass"]
    if game == "quadrille":
        return [re.findall("[a-h][1-6]", move) for move in moves]
    return [[move] for move in moves if move not in ("roll", "stop")]


def _until_something_is_to_be_chosen(game: str, people: list[Person]) -> Person:
    """Some moves are played, and more until a thing on the board may be chosen."""
    play_on(people, 5)
    for _ in range(30):
        mover = people[people[0].look()["to_move"]]
        if _ways(game, mover.look()["legal"]):
            return mover
        play_on(people, 1)
    raise AssertionError("nothing on the board may be chosen")


@pytest.mark.slow
@rotating("game", names())
def test_what_one_may_do(site: Site, opened: Opener, game: str) -> None:
    people = site.table(game, people=2, players=2)
    mover = _until_something_is_to_be_chosen(game, people)
    ways = _ways(game, mover.look()["legal"])
    first = sorted({way[0] for way in ways})
    here = opened(PHONE)
    here.take(mover)
    until(here.page, MY_THING)
    themes = THEMES if LONG else (THEMES[names().index(game) % len(THEMES)],)
    faint = {}
    for theme in themes:
        light(here, theme)
        faint[theme, "first"] = faint_marks(here, first)
        faint[theme, "controls"] = faint_controls(here)
    then = sorted({way[1] for way in ways if way[0] == first[0] and len(way) > 1})
    if then:
        Hand(here, "finger").touch(Hand(here).thing(first[0]))
        for theme in themes:
            light(here, theme)
            faint[theme, "then"] = faint_marks(here, then)
    assert {key: found for key, found in faint.items() if found} == {}
