"""A table's link, where there is no https: as in a local network."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.evenings import from_menu
from tests.browser.hands import until
from tests.browser.selectors import THING
from tests.browser.windows import LAN, PHONE, meet_all, window
from tests.web.site import Site

_PASTE = """() => {
    const field = document.body.appendChild(document.createElement("textarea"));
    field.id = "pasted";
    field.focus();
}"""


@pytest.mark.slow
def test_a_link_is_copied_and_scanned_over_plain_http(browser: Browser, site: Site) -> None:
    person = site.table("quadrille")[0]
    port = site.http.base_url.port
    context = browser.new_context(locale="en-GB", viewport={"width": 390, "height": 844})
    meet_all(context)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    address = f"http://{LAN}:{port}/t/{person.table}"
    page.goto(f"{address}#seat={person.token}")
    assert not page.evaluate("isSecureContext")
    until(page, THING)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Share").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_test_id("qr-code").locator("svg").first).to_be_visible()
    dialog.get_by_role("button", name="Copy").first.click()
    expect(dialog.get_by_role("button", name="Copied")).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    page.evaluate(_PASTE)
    page.keyboard.press("Control+V")
    expect(page.locator("#pasted")).to_have_value(address)
    assert not complaints
    context.close()


def test_who_is_alone_on_this_machine_is_told_how_friends_can_join(
    browser: Browser, site: Site
) -> None:
    with window(browser, site, PHONE) as here:
        here.take(site.table("quadrille")[0])
        until(here.page, THING)
        from_menu(here, "Share")
        expect(here.page.get_by_role("dialog")).to_contain_text("--host 0.0.0.0")
