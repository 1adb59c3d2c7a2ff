"""At a first table: what the game is about; and at any, its rules over the board."""

import pytest
from playwright.sync_api import expect

from benben.core.registry import names
from tests.browser.conftest import Opener
from tests.browser.evenings import PHONE, button
from tests.browser.hands import until
from tests.browser.selectors import BOARD, MY_THING, THING
from tests.browser.test_endings import SIZES
from tests.browser.windows import DESKTOP, Window, resize
from tests.web.site import Site

# Whether the dialog that is open lies within the screen, and all of it is seen.
_FITS = """() => {
    const dialog = document.querySelector("dialog[open]");
    const { left, top, right, bottom } = dialog.getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
        && dialog.scrollHeight <= dialog.clientHeight + 1  // both are rounded
        && dialog.scrollWidth <= dialog.clientWidth;
}"""
CLOCK = {"pace": "live", "seconds": 600, "increment": 0}


def fits(here: Window) -> None:
    expect(
        here.page.get_by_role("dialog").locator("[data-thing]").first
    ).to_be_attached()  # its picture too
    for width, height in SIZES:
        resize(here.page, (width, height))
        assert here.page.evaluate(_FITS), (width, height)


def opens_rules(here: Window, menu: str = "Menu", rules: str = "Rules") -> None:
    button(here, menu).click()
    button(here, rules).click()


def test_the_aim_is_told_once(site: Site, opened: Opener) -> None:
    here = opened(PHONE, new=True)
    page, dialog = here.page, here.page.get_by_role("dialog")
    here.take(site.table("quadrille", pace=CLOCK)[0])
    expect(dialog).to_contain_text("Leave your opponent")
    expect(button(here, "Play")).to_be_focused()
    assert here.violations() == []
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.reload()
    until(page, MY_THING)
    expect(dialog).to_be_hidden()

    here.take(site.table("objectif")[0])  # another game has another aim
    expect(dialog).to_contain_text("Your secret goal")
    page.mouse.click(5, 5)  # beside it
    expect(dialog).to_be_hidden()
    here.take(site.table("quadrille")[0])
    until(page, THING)
    expect(dialog).to_be_hidden()


def test_who_watches_is_not_interrupted(site: Site, opened: Opener) -> None:
    here = opened(PHONE, new=True)
    here.visit(f"/t/{site.table('quadrille')[0].table}")
    until(here.page, THING)
    expect(here.page.get_by_role("dialog")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "play", "rules", "close"),
    [
        pytest.param("en", "Play", "Rules", "Close", marks=pytest.mark.long, id="en"),
        pytest.param("fr", "Jouer", "Règles", "Fermer", id="fr"),  # whose words are longer
    ],
)
def test_aim_and_rules_are_on_one_screen(
    site: Site, opened: Opener, language: str, play: str, rules: str, close: str
) -> None:
    here = opened(PHONE, language=language, new=True)
    for game in names():
        here.take(site.table(game, players=2)[0])
        fits(here)
        button(here, play).click()
        opens_rules(here, rules=rules)
        expect(here.page.get_by_role("dialog").get_by_role("listitem").nth(3)).to_be_visible()
        fits(here)
        button(here, close).click()


def test_the_rules_lie_over_a_running_clock_and_give_back_what_was_chosen(
    site: Site, opened: Opener
) -> None:
    ann, bob = site.table("pyramidis", players=2, pace=CLOCK, options={"first": 1})
    here = opened(DESKTOP)
    here.take(ann)
    page = here.page
    until(page, MY_THING)
    page.locator(f'{BOARD} [data-thing="d1"]').first.click()
    page.locator(f'{BOARD} [data-count="2"]').first.click()
    expect(page.get_by_test_id("sow")).to_be_enabled()
    for way in ("Escape", "button", "beside"):
        opens_rules(here)
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("bring five of your pyramids home")
        if way == "Escape":
            dialog.get_by_role("listitem").first.click()  # whatever has the focus
            page.keyboard.press("Escape")
        elif way == "button":
            button(here, "Close").click()
        else:
            page.mouse.click(5, 5)
        expect(dialog).to_be_hidden()
    page.get_by_test_id("sow").click()
    expect(page.get_by_test_id("move-text")).to_have_text(["d1*2"])
    assert bob.look()["moves"] == ["d1*2"]


def test_from_all_the_rules_there_is_a_way_back_to_the_game(site: Site, opened: Opener) -> None:
    ann = site.table("quadrille")[0]
    here = opened(PHONE)
    here.take(ann)
    until(here.page, MY_THING)
    table = here.page.url
    for back in ("link", "browser"):
        opens_rules(here)
        here.page.get_by_role("link", name="All the rules").click()
        expect(here.page.get_by_role("heading", level=1)).to_be_visible()
        link = here.page.get_by_role("link", name="Back to the game", exact=True)
        expect(link).to_be_in_viewport()
        if back == "link":
            link.click()
        else:
            here.page.go_back()
        here.page.wait_for_url(table)
        until(here.page, MY_THING)
    here.visit("/rules/quadrille")
    expect(here.page.get_by_role("heading", level=1)).to_be_visible()
    expect(here.page.get_by_role("link", name="Back to the game", exact=True)).to_have_count(0)
