"""Going from page to page: where a page is scrolled to, its title, and the way out of it."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.windows import PHONE, resize
from tests.web.site import Site

SIDEWAYS = (844, 390)


def _top(page: Page) -> float:
    return float(page.evaluate("scrollY"))


def _follow(page: Page, address: str) -> None:
    """Follow a link, within the page's own router."""
    page.evaluate(
        """address => {
            const link = document.body.appendChild(document.createElement("a"));
            link.href = address;
            link.click();
            link.remove();
        }""",
        address,
    )


def test_a_link_to_a_part_of_a_page_and_back_to_where_one_was(opened: Opener) -> None:
    here = opened(PHONE)
    page = here.page
    here.visit("/")
    link = page.locator('a[href="/puzzles#quadrille"]')
    link.scroll_into_view_if_needed()
    before = _top(page)
    assert before > 300
    link.click()
    part = page.get_by_role("region", name="Quadrille")
    expect(part).to_be_in_viewport(ratio=0.5)
    expect(part).to_be_focused()
    assert _top(page) > 300
    page.go_back()
    expect(link).to_be_in_viewport()
    page.wait_for_function(
        "before => Math.abs(scrollY - before) < 50", arg=before
    )  # once the page has grown
    # The page that is there is not added to the history again.
    entries = page.evaluate("history.length")
    home = page.get_by_role("banner").get_by_role("link", name=re.compile("Benben"))
    home.click()
    home.click()
    assert page.evaluate("history.length") == entries
    assert _top(page) == 0


def test_another_query_is_another_page(opened: Opener) -> None:
    here = opened()
    page = here.page
    here.visit("/kit/quadrille")
    paper = page.get_by_label("Paper")
    expect(paper).to_have_value("a4")
    _follow(page, "/kit/quadrille?paper=letter")
    expect(paper).to_have_value("letter")
    page.go_back()
    expect(paper).to_have_value("a4")


def test_a_table_that_is_not_there_has_a_title(opened: Opener) -> None:
    here = opened()
    here.visit("/t/nothing")
    heading = here.page.get_by_role("heading", level=1)
    expect(heading).to_have_text("No such table")
    here.page.wait_for_load_state("networkidle")  # the titles of the games are there too
    expect(here.page).to_have_title("No such table · Benben")


def test_a_phone_on_its_side_leads_out_of_every_page(site: Site, opened: Opener) -> None:
    ann, _ = site.table()
    here = opened(SIDEWAYS)
    page = here.page
    banner = page.get_by_role("banner")
    here.take(ann)
    expect(page.get_by_role("toolbar")).to_be_visible()
    expect(banner).to_be_hidden()  # the board takes its room
    # Pages that are no tables have their header, also after a visit to one.
    _follow(page, "/kit/batisseurs")
    expect(page.get_by_role("heading", level=1, name="Bâtisseurs: a kit to print")).to_be_attached()
    expect(banner).to_be_visible()
    here.visit("/analysis/quadrille")
    tools = page.get_by_role("toolbar")
    expect(tools).to_be_visible()
    expect(banner).to_be_hidden()
    out = tools.get_by_role("link", name="Back to the games")
    expect(out).to_be_in_viewport(ratio=1)
    french = opened(SIDEWAYS, language="fr-FR")  # whose words are longer
    french.visit("/analysis/quadrille")
    expect(french.page.get_by_role("link", name="Retour aux jeux")).to_be_in_viewport(ratio=1)
    expect(french.page.get_by_role("button", name="Composer")).to_be_in_viewport(ratio=1)
    resize(page, PHONE)
    expect(out).to_be_hidden()
    resize(page, SIDEWAYS)
    out.click()
    expect(page).to_have_url(f"{here.base}/")
    expect(banner).to_be_visible()
