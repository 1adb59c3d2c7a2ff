"""The gallery of balance reports, in both languages, on phones and desks."""

import pytest
from playwright.sync_api import expect

from benben.lab.balance.shipped import shipped
from tests.browser.conftest import Opener
from tests.browser.test_accessible import ONE, OTHER, wrong
from tests.browser.test_luck import WIDER
from tests.browser.windows import PHONE
from tests.web.site import Site


@pytest.mark.parametrize(
    ("language", "link", "title", "numbers"),
    [
        ("en-GB", "What we found out about the games", "Bâtisseurs for 2, placing all", "numbers"),
        ("fr-FR", "Ce que nous avons appris des jeux", "Bâtisseurs à 2, pose complète", "nombres"),
    ],
)
def test_from_the_shelf_to_a_report(
    opened: Opener, language: str, link: str, title: str, numbers: str
) -> None:
    here = opened(PHONE, language=language)
    page = here.page
    here.visit("/")
    page.get_by_role("link", name=link).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(link)
    expect(page.locator("li a")).to_have_count(len(shipped()))
    assert wrong(here, ONE) == []
    assert not page.evaluate(WIDER)
    page.get_by_role("link", name=title).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.get_by_text("benben lab balance batisseurs --players 2")).to_be_visible()
    expect(page.get_by_text("benben solve batisseurs --players 2")).to_be_visible()
    expect(page.get_by_role("img").first).to_be_visible()
    page.locator(".report summary").first.click()
    expect(page.locator(".report details table").first).to_be_visible()
    expect(page.locator(".report summary").first).to_contain_text(numbers)
    assert wrong(here, OTHER) == []
    assert not page.evaluate(WIDER)


def test_numbers_as_a_file_and_no_such_report(site: Site, opened: Opener) -> None:
    here = opened(PHONE)
    page = here.page
    here.visit("/lab/compare-objectif-2")
    with page.expect_download() as got:
        page.get_by_role("link", name="The numbers as a file").click()
    assert got.value.suggested_filename == "compare-objectif-2.json"
    assert site.get("lab/compare-objectif-2/data")["game"] == "objectif"
    here.visit("/lab/chess")
    expect(page.get_by_role("link", name="Back to the games")).to_be_visible()
    here.complaints.clear()  # of the 404
