"""Pages as readers prefer them: light, dark, forced colours, more contrast, less motion, keys."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from benben.learn.puzzles.puzzle import collection
from tests.browser.conftest import Opener
from tests.browser.hands import until
from tests.browser.selectors import CURRENT_MOVE, MOVE, MY_THING, THING
from tests.browser.test_accessible import play_on
from tests.browser.windows import PHONE, Window
from tests.web.site import Person, Site, eventually

GAME = "quadrille"
PAGES = (
    "/",
    f"/new/{GAME}",
    f"/rules/{GAME}",
    f"/learn/{GAME}",
    f"/kit/{GAME}",
    f"/analysis/{GAME}",
    f"/puzzles/{GAME}/PUZZLE",
    "/puzzles",
    "/review",
    "/review/OVER",
    "/games",
    "/fairness",
    "/lab",
    "/t/PLAYING",
    "/t/OVER",
    "/t/WAITING",
    "/t/nowhere",
)
_LIGHT: dict[str, Any] = {"color_scheme": "light", "forced_colors": "none"}
_DARK: dict[str, Any] = {"color_scheme": "dark", "forced_colors": "none"}
_FORCED: dict[str, Any] = {"forced_colors": "active"}
# The strictest rule of contrast: 7:1 for text.
_ENHANCED = "color-contrast-enhanced"
_MOVING = """() => document.getAnimations()
    .filter(each => each.playState === "running" && each.effect.getComputedTiming().duration > 0)
    .map(each => each.animationName ?? each.transitionProperty)"""


@pytest.fixture
def paths(site: Site) -> list[str]:
    """The paths of all pages, with tables before, in and after a game."""
    playing, over = (site.table(GAME, people=2, players=2) for _ in range(2))
    for people in (playing, over):
        play_on(people, 4)
    over[0].do("resign")
    review = f"/api/reviews/{over[0].table}"
    eventually(lambda: site.http.get(review).status_code == 200, "other reviews have been made")
    names = {
        "PLAYING": playing[0].table,
        "OVER": over[0].table,
        "WAITING": site.open(GAME, players=2),
        "PUZZLE": collection(GAME).puzzles[0].id,
    }
    found = []
    for path in PAGES:
        for name, value in names.items():
            path = path.replace(name, value)
        found.append(path)
    return found


def _wait_for(page: Page) -> None:
    """Until the heading of a page is there, and so its content."""
    expect(page.get_by_role("heading", level=1).first).to_be_attached()


@pytest.mark.slow
def test_no_page_keeps_anybody_out(opened: Opener, paths: list[str]) -> None:
    here = opened(PHONE)
    wrong = {}
    for path in paths:
        here.page.emulate_media(**_LIGHT)
        here.visit(path)
        _wait_for(here.page)
        if found := here.violations():
            wrong[path] = found
        for look in (_DARK, _FORCED):  # which change colours only
            here.page.emulate_media(**look)
            if found := here.violations("color-contrast"):
                wrong[f"{path} {look}"] = found
    assert wrong == {}


def _at_table(site: Site, here: Window) -> list[Person]:
    people = site.table(GAME, people=2, players=2)
    play_on(people, 4)
    here.take(people[people[0].look()["to_move"]])
    until(here.page, MY_THING)
    until(here.page, MOVE)
    return people


@pytest.mark.slow
def test_more_contrast_is_more(site: Site, opened: Opener) -> None:
    here = opened(PHONE)
    for scheme in ("light", "dark"):
        here.page.emulate_media(contrast="more", color_scheme=scheme)
        here.visit("/")
        _wait_for(here.page)
        assert here.violations() == []
        assert here.violations(_ENHANCED) == []
        _at_table(site, here)
        assert here.violations() == []
        assert here.violations(_ENHANCED) == []


def test_what_is_chosen_shows_in_forced_colours(site: Site, opened: Opener) -> None:
    """By an outline: backgrounds are the system's."""
    here = opened(PHONE)
    here.page.emulate_media(forced_colors="active")
    _at_table(site, here)
    current = here.page.locator(CURRENT_MOVE)
    expect(current).to_have_css("outline-style", "solid")
    expect(here.page.get_by_test_id("board")).to_have_css("outline-style", "solid")
    expect(here.page.get_by_test_id("board")).to_have_css("forced-color-adjust", "none")


@pytest.mark.parametrize("calm", [True, False])
def test_nothing_moves_for_those_who_want_less_motion(
    site: Site, opened: Opener, calm: bool
) -> None:
    here = opened(PHONE, calm=calm)
    people = _at_table(site, here)
    here.page.evaluate(
        f"window.moving = []; (look => {{ const each = () => (window.moving.push(...look()), "
        f"requestAnimationFrame(each)); each(); }})({_MOVING})"
    )
    mover = people[people[0].look()["to_move"]]
    before = here.page.locator(MOVE).count()
    mover.move(1)
    until(here.page, MOVE, before + 1)
    until(here.page, THING)
    here.page.get_by_role("button", name="Menu").click()
    here.page.get_by_role("button", name="Close").click()
    mover.do("resign")
    expect(here.page.get_by_test_id("result")).to_be_visible()
    moved = here.page.evaluate("window.moving")
    assert (moved == []) == calm


def test_single_keys_can_be_switched_off(site: Site, opened: Opener) -> None:
    here = opened()
    page = here.page
    _at_table(site, here)
    current = page.locator(CURRENT_MOVE)
    last = current.inner_text()
    page.keyboard.press("[")
    expect(current).not_to_have_text(last)
    page.keyboard.press("]")
    expect(current).to_have_text(last)
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    page.keyboard.press("[")  # behind a dialog
    page.get_by_label("Single-key shortcuts").uncheck()
    page.get_by_role("button", name="Close").click()
    expect(current).to_have_text(last)
    page.keyboard.press("[")
    page.keyboard.press("h")
    page.wait_for_timeout(100)
    expect(current).to_have_text(last)


def test_the_help_on_keys_is_loaded_when_it_is_opened(opened: Opener) -> None:
    here = opened()
    loaded: list[str] = []
    here.page.on("request", lambda request: loaded.append(request.url))
    here.visit("/")
    here.page.get_by_role("button", name="Settings").click()
    assert not any("KeyboardHelp" in each for each in loaded)
    here.page.get_by_text("Keyboard", exact=True).click()
    expect(here.page.get_by_text("A hint, in games against bots")).to_be_visible()
    assert any("KeyboardHelp" in each for each in loaded)


SIDEWAYS = (844, 390)


@pytest.mark.slow
def test_a_phone_on_its_side_has_a_way_out_of_every_page(opened: Opener, paths: list[str]) -> None:
    """Also installed, where the browser has no button to go back."""
    here = opened(SIDEWAYS)
    page = here.page
    way_out = page.locator('a[href="/"], a[href="/puzzles"]').filter(visible=True).first
    menu = page.get_by_role("button", name="Menu")
    for path in paths:
        here.visit(path)
        _wait_for(page)
        # The menu of a table is loaded after its board.
        expect(way_out.or_(menu).first, path).to_be_visible()
        if menu.is_visible():
            menu.click()
        expect(way_out, path).to_be_visible()


# Parts of a table from top to bottom: none may lie over the next.
_OVERLAPS = """() => {
    const box = name =>
        document.querySelector(`[data-testid="${name}"]`).getBoundingClientRect();
    const parts = ["seats", "board-area", "table-controls"];
    const overlaps = parts.slice(1).filter((each, i) => box(each).top < box(parts[i]).bottom - 1);
    return [overlaps, box("board").height];
}"""
_DOUBLE = """addEventListener("DOMContentLoaded", () => {
    document.documentElement.style.fontSize = "200%";
});"""
_WIDER = "document.documentElement.scrollWidth - innerWidth"


@pytest.mark.slow
def test_letters_of_twice_the_size_break_no_page(
    site: Site, opened: Opener, paths: list[str]
) -> None:
    """In French, whose words are longer: pages scroll down, never sideways."""
    here = opened((640, 800), language="fr-FR")
    page = here.page
    page.add_init_script(_DOUBLE)
    wide = {}
    for path in paths:
        here.visit(path)
        _wait_for(page)
        if (wider := page.evaluate(_WIDER)) > 0:
            wide[path] = wider
    assert wide == {}
    _at_table(site, here)
    overlaps, height = page.evaluate(_OVERLAPS)
    assert overlaps == []
    assert height > 200
