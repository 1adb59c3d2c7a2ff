"""A board whose code throws: the rest of its page works, and the game goes on in words."""

import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.windows import PHONE
from tests.web.site import Site, eventually

BOARDS = re.compile(r"/assets/Board-.*\.js")
BROKEN = 'export default function () { throw new Error("a broken board"); }'


def _break(route: Any) -> None:
    route.fulfill(content_type="text/javascript", body=BROKEN)


def test_the_page_of_a_table_goes_on_without_its_board(site: Site, opened: Opener) -> None:
    ann, bob = site.table()
    reported = site.state.client_errors.count
    here = opened(PHONE)
    page = here.page
    page.route(BOARDS, _break)
    here.take(ann)
    failed = page.get_by_test_id("board-failed")
    expect(failed.get_by_role("alert")).to_contain_text("The board can’t be shown")
    expect(page.get_by_test_id("seat")).to_have_count(2)
    expect(page.get_by_test_id("move-log")).to_be_visible()
    expect(page.get_by_role("toolbar", name="Tools")).to_be_visible()
    expect(page.get_by_test_id("status-lead")).to_have_text("Your turn")
    assert not here.violations()

    failed.get_by_role("button", name="Try again").click()
    expect(failed).to_be_visible()
    failed.get_by_role("button", name="Show the board as text").click()
    code = page.locator("code", has_text=re.compile("^@a1$"))
    page.get_by_test_id("board").get_by_role("button").filter(has=code).click()
    expect(page.get_by_test_id("move-text")).to_have_text(["@a1"])
    bob.move()
    expect(page.get_by_test_id("move")).to_have_count(2)
    expect(page.get_by_test_id("status-lead")).to_have_text("Your turn")

    eventually(lambda: site.state.client_errors.count == reported + 1, "it was reported once")
    assert all("a broken board" in each for each in here.complaints)
    here.complaints.clear()


def test_boxes_whose_board_throws_leave_the_shelf_as_it_is(opened: Opener) -> None:
    here = opened()
    here.page.route(BOARDS, _break)
    with here.page.expect_response(BOARDS):
        here.visit("/")
    expect(here.page.get_by_test_id("game-box")).to_have_count(4)
    expect(here.page.get_by_role("alert")).to_have_count(0)
    assert all("a broken board" in each for each in here.complaints)
    here.complaints.clear()
