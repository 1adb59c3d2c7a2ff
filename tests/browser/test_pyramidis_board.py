"""The board of Pyramidis on every screen: all of it is there, fingers hit it, and nothing moves."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.hands import until
from tests.browser.selectors import BOARD, MOVE, MY_BOARD
from tests.browser.windows import DESKTOP, Window, resize, settle
from tests.sizes import rotating
from tests.web.site import Person, Site

SIZES = ((390, 664), (390, 844), (320, 640), (844, 390), (768, 1024), DESKTOP)

# What is not wholly on the screen, and in the box that the board is given.
_OUTSIDE = """() => {
    const board = document.querySelector('[data-testid="board"]');
    const box = board.getBoundingClientRect();
    const found = [];
    if (board.scrollWidth > board.clientWidth) found.push("too wide");
    if (board.scrollHeight > board.clientHeight) found.push("too high");
    const named = ["panel", "home", "looked-at-column"].map((name) => `[data-testid="${name}"]`);
    const parts = [...named, `${named[2]} :is(li, p)`, "button", "[data-thing]"].join(", ");
    for (const part of [board, ...board.querySelectorAll(parts)]) {
        const { left, top, right, bottom, width } = part.getBoundingClientRect();
        if (width === 0) continue;
        const inBox = left > box.left - 0.5 && right < box.right + 0.5 &&
            top > box.top - 0.5 && bottom < box.bottom + 0.5;
        const onScreen = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
        if (!inBox || !onScreen) found.push(part.outerHTML.slice(0, 80));
    }
    return found;
}"""
# Buttons that a finger misses, or that are covered; columns with neither button nor square to hit.
_MISSED = """() => {
    const hits = (part) => {
        const { x, y, width, height } = part.getBoundingClientRect();
        const hit = document.elementFromPoint(x + width / 2, y + height / 2);
        return width > 43.9 && height > 43.9 && part.contains(hit);
    };
    const board = document.querySelector('[data-testid="board"]');
    const missed = [...board.querySelectorAll("button")].filter((each) => !hits(each));
    for (const square of board.querySelectorAll("[data-thing][aria-pressed]")) {
        const button = board.querySelector(`[data-column="${square.dataset.thing}"]`);
        if (!hits(square) && !(button && hits(button))) missed.push(square);
    }
    return missed.map((each) => each.outerHTML.slice(0, 80));
}"""
_PLACES = """() => {
    const parts = '[data-thing], [data-testid="home"], [data-testid="panel"]';
    return [...document.querySelector('[data-testid="board"]').querySelectorAll(parts)]
        .map((part) => {
            const { x, y, width, height } = part.getBoundingClientRect();
            return [part.dataset.thing ?? part.dataset.testid, x, y, width, height].join(" ");
        }).sort();
}"""
# Whatever of the board moves from now on, unless it is new.
_WATCH = """() => {
    window.moved = [];
    const board = document.querySelector('[data-testid="board"]');
    new PerformanceObserver((seen) => {
        for (const { sources } of seen.getEntries())
            for (const { node } of sources)
                if (node !== board && board.contains(node))
                    moved.push(node.outerHTML ?? node.nodeName);
    }).observe({ type: "layout-shift" });
}"""
# Eight columns of brown, three of which can be taken from its start square.
CROWD = """
    d1*5 a5*4 d8*2 h5*1 d1*2 b5 d8*5 h5*2 d2 a5*1 d6 h5*4 d1*1 b5
    d8*1 f5 d2 a5*3 d7 h5*1 d4 b5 d2 d5 b5 e5 d3 c4
"""
# Brown may take one to five from its start square, or other columns whole.
BEGUN = {2: "d1*3 d8*3", 4: "d1*3 a5*2 d8*1 h5*4"}


def is_all_there(page: Page) -> None:
    size = page.viewport_size
    assert page.evaluate(_OUTSIDE) == [], size
    assert page.evaluate(_MISSED) == [], size


def begun(site: Site, players: int, moves: str) -> list[Person]:
    """People in the middle of a game, brown to move."""
    people = site.table("pyramidis", people=players, players=players, options={"first": 1})
    for at, move in enumerate(moves.split()):
        make(people[at % players], move)
    return people


def make(person: Person, move: str) -> None:
    person.do("move", {"move": move, "number": person.look()["number"]})


def at_board(opened: Opener, person: Person, size: tuple[int, int] = SIZES[0]) -> Window:
    here = opened(size)
    here.take(person)
    until(here.page, f"{MY_BOARD} [data-column]")
    return here


@pytest.mark.slow
@rotating("players", [2, 4])
def test_it_fits_every_screen(site: Site, opened: Opener, players: int) -> None:
    people = begun(site, players, BEGUN[players])
    here = at_board(opened, people[0])
    page, status = here.page, here.page.get_by_test_id("status")
    for size in SIZES:
        resize(page, size)
        before = page.evaluate(_PLACES)
        is_all_there(page)
        for square, counts in (("d1", 5), ("d3", 0)):
            page.locator(f'{BOARD} [data-column="{square}"]').tap()
            expect(page.get_by_test_id("sow")).to_be_visible()
            expect(page.locator(f"{BOARD} [data-count]")).to_have_count(counts)
            expect(status).to_contain_text(f"from {square} to ")
            is_all_there(page)
            assert page.evaluate(_PLACES) == before, (size, square)
        page.keyboard.press("Escape")
    page.locator(f'{BOARD} [data-column="d3"]').tap()
    page.get_by_test_id("sow").tap()
    until(page, MOVE, players + 1)
    for other in people[1:]:
        other.move(1)
    until(page, MOVE, 2 * players)
    until(page, f"{MY_BOARD} [data-column]")
    assert page.evaluate(_PLACES) == before
    is_all_there(page)


def test_eight_columns_on_small_screens(site: Site, opened: Opener) -> None:
    people = begun(site, 4, CROWD)
    here = at_board(opened, people[0])
    expect(here.page.locator(f"{BOARD} [data-column]")).to_have_count(8)
    for size in ((320, 640), (360, 640), (844, 390)):
        resize(here.page, size)
        is_all_there(here.page)
        for square, counts in (("d1", 3), ("b4", 0)):
            here.page.locator(f'{BOARD} [data-column="{square}"]').tap()
            expect(here.page.get_by_test_id("sow")).to_be_visible()
            expect(here.page.locator(f"{BOARD} [data-count]")).to_have_count(counts)
            is_all_there(here.page)
        here.page.keyboard.press("Escape")


@pytest.mark.slow
@rotating("size", [SIZES[0], DESKTOP])
def test_a_turn_moves_nothing(site: Site, opened: Opener, size: tuple[int, int]) -> None:
    people = begun(site, 4, BEGUN[4])
    here = at_board(opened, people[0], size)
    page = here.page
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(_WATCH)
    for square in ("d2", "d1", "d4"):
        page.locator(f'{BOARD} [data-column="{square}"]').hover()
        expect(page.get_by_test_id("looked-at-column")).to_contain_text(square)
    page.locator(f'{BOARD} [data-column="d1"]').click()
    page.locator(f'{BOARD} [data-count="2"]').click()
    page.get_by_test_id("sow").click()
    until(page, MOVE, 5)
    for other in people[1:]:
        other.move()
    until(page, MOVE, 8)
    until(page, f"{MY_BOARD} [data-column]")
    settle(page)
    assert page.evaluate("moved") == []


def test_who_looks_at_a_square_that_was_emptied(site: Site, opened: Opener) -> None:
    """The mouse is still there when it is one's turn again: the line tells what to do."""
    ann, bob = begun(site, 2, "d1*1 d8*1")
    here = at_board(opened, ann, DESKTOP)
    here.page.locator(f'{BOARD} [data-thing="d2"]').click()
    until(here.page, MOVE, 3)
    make(bob, "d8*1")
    until(here.page, f"{MY_BOARD} [data-column]")
    expect(here.page.get_by_test_id("status")).to_contain_text("sows 1 from d8, as far as d7")
    here.page.mouse.move(*_middle(here, "e2"))
    here.page.mouse.move(*_middle(here, "d2"))
    expect(here.page.get_by_test_id("looked-at-column")).to_have_text("")
    expect(here.page.get_by_test_id("status")).to_contain_text("sows 1 from d8")


def _middle(here: Window, square: str) -> tuple[float, float]:
    box = here.page.locator(f'{BOARD} [data-thing="{square}"]').bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
