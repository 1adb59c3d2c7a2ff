"""Reload, lost network, restarts, a second device, many tabs: the table comes back right."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Opener
from tests.browser.windows import PHONE, Window
from tests.web.site import Person, Site


def _begin(site: Site, opened: Opener) -> tuple[Window, Person]:
    """A game of quadrille between somebody at a window and somebody elsewhere, in words."""
    ann, bob = site.table()
    here = opened(PHONE)
    here.take(ann)
    _in_words(here.page)
    return here, bob


def _in_words(page: Page) -> None:
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Boards as text").check()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_text("Your moves")).to_be_visible()


def _lost(page: Page) -> Locator:
    """Where the page says that it is not connected."""
    return page.get_by_test_id("connection-lost")


def _moves(page: Page) -> list[str]:
    return page.get_by_test_id("move-text").all_text_contents()


def _play(page: Page, move: str) -> None:
    code = page.locator("code", has_text=re.compile(f"^{re.escape(move)}$"))
    page.get_by_test_id("board").get_by_role("button").filter(has=code).click()
    expect(page.get_by_test_id("move-text").last).to_have_text(move)


def test_reload_in_mid_game(site: Site, opened: Opener) -> None:
    here, bob = _begin(site, opened)
    _play(here.page, "@a1")
    here.page.reload()
    expect(here.page.get_by_test_id("move-text")).to_have_text(["@a1"])
    bob.move()
    expect(here.page.get_by_test_id("move")).to_have_count(2)
    expect(here.page.get_by_text("Your turn").first).to_be_visible()


def test_what_happened_while_the_network_was_gone_is_there_when_it_is_back(
    site: Site, opened: Opener
) -> None:
    here, bob = _begin(site, opened)
    _play(here.page, "@a1")
    here.context.set_offline(True)
    expect(_lost(here.page)).to_be_visible()
    bob.move()
    bob.do("chat", {"text": "are you there?"})
    here.context.set_offline(False)
    expect(here.page.get_by_text("are you there?")).to_be_visible()
    expect(_lost(here.page)).to_be_hidden()
    expect(here.page.get_by_test_id("move")).to_have_count(2)
    _play(here.page, "@a3")
    here.complaints.clear()  # of requests that failed while there was no network


def test_chat_while_a_move_is_on_its_way_does_not_refuse_it(site: Site, opened: Opener) -> None:
    here, bob = _begin(site, opened)
    page = here.page
    here.context.set_offline(True)
    page.get_by_test_id("board").get_by_role("button", name="a1", exact=False).first.click()
    expect(page.get_by_text("Sending your move").first).to_be_visible()
    bob.do("chat", {"text": "are you there?"})
    here.context.set_offline(False)
    expect(page.get_by_text("are you there?")).to_be_visible()
    expect(page.get_by_test_id("move-text")).to_have_text(["@a1"])
    expect(page.get_by_text("Your turn")).to_have_count(0)
    assert bob.look()["moves"] == ["@a1"]
    here.complaints.clear()  # of requests that failed while there was no network


def test_a_second_device_and_a_stale_tab_show_the_same(site: Site, opened: Opener) -> None:
    here, bob = _begin(site, opened)
    there = opened()
    there.take(here.player())
    _play(here.page, "@a1")
    expect(there.page.get_by_test_id("move-text")).to_have_text(["@a1"])
    bob.move()
    expect(there.page.get_by_test_id("move")).to_have_count(2)
    # A tab that slept through both moves: its stream is gone, and it has not heard of it yet.
    stale = here.context.new_page()
    stale.goto(here.page.url)
    expect(stale.get_by_test_id("move")).to_have_count(2)
    _play(stale, "@a3")
    expect(here.page.get_by_test_id("move")).to_have_count(3)
    expect(there.page.get_by_test_id("move")).to_have_count(3)
    assert _moves(here.page) == _moves(there.page) == _moves(stale)


@pytest.mark.slow
def test_eight_tabs_at_once(site: Site, opened: Opener) -> None:
    """A browser opens six connections to a host: hidden tabs must not hold on to theirs."""
    here, bob = _begin(site, opened)
    tabs = [here.page, *(here.context.new_page() for _ in range(7))]
    for tab in tabs[1:]:
        tab.goto(here.page.url)
        expect(tab.get_by_text("Your moves")).to_be_visible()
        expect(_lost(tab)).to_be_hidden()
    _play(tabs[-1], "@a1")
    bob.move()
    for tab in tabs:
        tab.bring_to_front()
        expect(tab.get_by_test_id("move")).to_have_count(2)


def test_a_spectator_sees_the_game_and_no_seat(site: Site, opened: Opener) -> None:
    ann, bob = site.table()
    watching = opened()
    watching.visit(f"/t/{ann.table}")
    expect(watching.page.get_by_text("Ann0’s turn")).to_be_visible()
    ann.move()
    expect(watching.page.get_by_text("Ann1’s turn")).to_be_visible()
    bob.move()
    expect(watching.page.get_by_test_id("move")).to_have_count(2)
    watching.page.get_by_role("button", name="Menu").click()
    expect(watching.page.get_by_role("button", name="Share")).to_be_visible()
    expect(watching.page.get_by_role("button", name="Resign")).to_have_count(0)
    assert watching.tokens() == []
