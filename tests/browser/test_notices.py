"""What a page says and does about notices of turns, as far as the browser lets it."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Opener
from tests.browser.windows import hide
from tests.web.site import Site, eventually


@pytest.fixture
def browser(whole_browser: Browser) -> Browser:
    return whole_browser


def _box(page: Page) -> None:
    page.get_by_role("button", name="Settings").click()


@pytest.mark.slow
def test_the_box_is_ticked_only_where_notices_come(opened: Opener) -> None:
    here = opened()
    here.context.grant_permissions([])
    here.visit("/")
    page = here.page
    _box(page)
    box = page.get_by_label("Notify me")
    box.click()  # nobody answers for this browser: it says no
    expect(page.get_by_text("blocks notifications")).to_be_visible()
    expect(box).not_to_be_checked()
    # Their owner lets them come, in the browser's own settings.
    here.context.grant_permissions(["notifications"], origin=here.base)
    expect(box).to_be_checked()
    expect(page.get_by_text("blocks notifications")).to_be_hidden()
    box.uncheck()
    page.reload()
    _box(page)
    expect(box).not_to_be_checked()


# The notices of a table that its worker shows, and how much is stored for later.
_NOTICES = """async table => {
    const worker = await navigator.serviceWorker.getRegistration();
    const notices = await worker?.getNotifications({ tag: table }) ?? [];
    const shown = notices.map(({ title, body, data }) => [title, body, data.path]);
    return [worker?.scope, shown, (await caches.keys()).length];
}"""


def test_a_notice_is_shown_by_a_worker_until_the_table_is_looked_at(
    site: Site, opened: Opener
) -> None:
    ann, bob = site.table()
    here = opened()
    page = here.page
    here.context.grant_permissions(["notifications"], origin=here.base)
    here.visit("/")
    _box(page)
    page.get_by_label("Notify me").check()
    here.take(ann)
    expect(page).to_have_title("● Quadrille · Benben")
    hide(page, True)
    ann.move()
    bob.move()

    def notices() -> Any:
        return page.evaluate(_NOTICES, ann.table)

    shown = [["Quadrille", "Your turn", f"/t/{ann.table}"]]
    eventually(lambda: notices() == [f"{here.base}/", shown, 0], "a notice is shown", 20)
    hide(page, False)
    eventually(lambda: notices() == [f"{here.base}/", [], 0], "it is gone again", 20)


_COUNT_NOTICES = """() => {
    window.notices = 0;
    const { prototype } = ServiceWorkerRegistration;
    const show = prototype.showNotification;
    prototype.showNotification = function (...parameters) {
        window.notices++;
        return show.apply(this, parameters);
    };
}"""


def test_a_chat_line_does_not_announce_a_turn_again(site: Site, opened: Opener) -> None:
    ann, bob = site.table()
    here = opened()
    page = here.page
    here.context.grant_permissions(["notifications"], origin=here.base)
    here.visit("/")
    _box(page)
    page.get_by_label("Notify me").check()
    here.take(ann)
    expect(page).to_have_title("● Quadrille · Benben")
    page.evaluate(_COUNT_NOTICES)
    hide(page, True)
    ann.move()
    bob.move()
    page.wait_for_function("() => notices > 0")
    for line in ("are you there?", "it is your turn"):
        bob.do("chat", {"text": line})
        expect(page.get_by_test_id("chat-lines")).to_contain_text(line)
    ann.move()
    bob.move()
    page.wait_for_function("() => notices > 1")  # of the next turn
    assert page.evaluate("notices") == 2
