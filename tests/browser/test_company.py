"""Company at a table: the lobby, bots that take seats, and what is said."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Opener
from tests.browser.selectors import part
from tests.browser.windows import DESKTOP, PHONE, resize, window
from tests.sizes import rotating
from tests.web.site import Site, serving
from tests.web.test_expiry import expire

SIZES = ((390, 664), (844, 390), DESKTOP)


def all_on_screen(page: Page) -> None:
    """Seats, what may be done there, and the link are visible without scrolling."""
    lobby = page.get_by_test_id("lobby")
    parts = [
        lobby.get_by_role("heading", level=1),
        lobby.get_by_test_id("lobby-rules"),
        lobby.get_by_role("list"),
        lobby.get_by_test_id("lobby-waiting").get_by_role("button"),
        lobby.get_by_test_id("invitation").get_by_role("textbox"),
        *lobby.get_by_test_id("lobby-seat").get_by_role("button").all(),
    ]
    for each in parts:
        expect(each).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@rotating("language", ["en-GB", "fr-FR"])
def test_the_lobby_fits_and_says_what_is_played(site: Site, opened: Opener, language: str) -> None:
    here = opened(SIZES[0], language=language)
    page = here.page
    here.visit(f"/t/{site.open('objectif', players=4)}")
    expect(page.get_by_test_id("lobby").locator("[data-thing]").first).to_be_attached()
    expect(page.get_by_test_id("lobby-seat")).to_have_count(4)
    page.get_by_test_id("lobby-seat").get_by_role("button").nth(1).click()
    expect(page.get_by_test_id("invitation").get_by_role("textbox")).to_be_visible()
    for width, height in SIZES:
        resize(page, (width, height))
        all_on_screen(page)
    assert here.violations() == []


@pytest.mark.slow
def test_whoever_sits_may_give_any_free_seat_to_a_bot(site: Site, opened: Opener) -> None:
    table = site.open("batisseurs", players=4)
    site.sit(table, 0, "Ann")
    bob = site.sit(table, 1, "Bob")
    here = opened(SIZES[0])
    page = here.page
    here.take(bob)
    rows = page.get_by_test_id("lobby-seat")
    take = page.get_by_role("button", name="Let a bot take this seat")
    expect(take).to_have_count(2)
    take.nth(1).press("Enter")  # by keys: the usual level is focused
    expect(page.get_by_role("dialog")).to_contain_text("seat 4")
    assert here.violations() == []
    page.keyboard.press("Escape")
    expect(take).to_have_count(2)
    take.nth(1).press("Enter")
    page.keyboard.press("Enter")
    expect(take).to_have_count(1)
    expect(rows.nth(3)).to_contain_text("Apprentice")
    take.tap()
    page.get_by_role("dialog").get_by_role("button", name="Pharaoh").tap()
    expect(page.get_by_test_id("board")).to_be_visible()
    assert [seat.get("level", 0) for seat in bob.look()["seats"]] == [0, 0, 6, 2]


def test_what_is_said_is_unread_until_it_is_seen(site: Site, opened: Opener) -> None:
    ann, bob = site.table()
    here = opened(SIZES[0])
    page = here.page
    here.take(ann)
    button = page.get_by_role("toolbar").get_by_role("button", name="Chat")
    expect(button).to_have_accessible_name("Chat")
    for number in range(12):
        bob.do("chat", {"text": f"line {number}"})
    expect(button).to_have_accessible_name("Chat: 12 new messages")
    button.tap()
    expect(page.get_by_test_id("chat-lines").get_by_text("line 11")).to_be_in_viewport(ratio=0.9)
    expect(button).to_have_accessible_name("Chat")
    page.evaluate("scrollTo(0, 0)")
    expect(page.get_by_test_id("chat-lines")).not_to_be_in_viewport()
    bob.do("chat", {"text": "one more"})
    expect(button).to_have_accessible_name("Chat: 1 new message")
    button.tap()
    expect(button).to_have_accessible_name("Chat")
    page.reload()
    expect(button).to_have_accessible_name("Chat")
    resize(page, DESKTOP)
    bob.do("chat", {"text": "the newest"})
    expect(page.get_by_test_id("chat-lines").get_by_text("the newest")).to_be_in_viewport(ratio=0.9)
    expect(button).to_have_accessible_name("Chat")


def test_no_chat_with_bots_and_watchers_are_told(site: Site, opened: Opener) -> None:
    ann = site.sit(site.open(seats=[{}, {"bot": 1}]), 0)
    here = opened(SIZES[0])
    here.take(ann)
    expect(here.page.get_by_test_id("board")).to_be_visible()
    expect(here.page.get_by_role("button", name="Chat")).to_have_count(0)
    expect(here.page.get_by_text("You’re watching")).to_have_count(0)
    watcher = opened(SIZES[0])
    watcher.visit(f"/t/{ann.table}")
    expect(watcher.page.get_by_text("You’re watching").first).to_be_visible()


def test_a_bot_that_takes_long_is_said_to_think(tmp_path: Path, browser: Browser) -> None:
    with serving(tmp_path, bot_delay=600.0) as site, window(browser, site, PHONE) as here:
        (ann,) = site.table(people=1, seats=[{}, {"bot": 6}])
        here.take(ann)
        here.player().move()
        said = here.page.get_by_test_id("status-lead")
        expect(said).to_have_text(re.compile(r"^\w+ is thinking…$"))
        here.page.reload()
        expect(said).to_have_text(re.compile(r"^\w+ is thinking…$"))


@rotating(
    "language, why, way_on",
    [
        ("en-GB", "This table was closed", "Open a new table"),
        ("fr-FR", "Cette table a été fermée", "Ouvrir une nouvelle table"),
    ],
)
def test_a_table_that_was_closed_before_its_game_says_so(
    site: Site, opened: Opener, language: str, why: str, way_on: str
) -> None:
    ann = site.sit(site.open("objectif", players=3), 0, "Ann")
    here = opened(PHONE, language=language)
    page = here.page
    here.visit(f"/t/{ann.table}")
    expect(page.get_by_test_id("lobby-seat").get_by_role("button")).to_have_count(2)
    page.get_by_test_id("lobby-seat").get_by_role("button").first.click()
    expect(page.get_by_test_id("lobby-waiting")).to_be_visible()
    expire(site, ann)
    expect(page.get_by_text(why).first).to_be_visible()
    expect(page.locator("[aria-live]").filter(has_text=why)).to_have_count(1)
    expect(page.get_by_test_id("lobby")).to_have_count(0)
    assert here.violations() == []
    page.reload()  # whoever comes later
    expect(page.get_by_text(why).first).to_be_visible()
    expect(page.get_by_role("button", name="3")).to_have_count(0)
    page.goto(here.base)
    mine = page.locator(f'{part("my-table")}[data-over="true"]')
    expect(mine).to_have_count(1)
    mine.get_by_role("link").click()
    page.get_by_role("link", name=way_on).click()
    expect(page).to_have_url(re.compile(r"/new/objectif$"))
