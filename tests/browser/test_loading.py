"""Parts of a page that do not come the first time."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener


class Fault:
    """A proxy that has nothing to say of some files, until it is mended."""

    def __init__(self, page: Page, files: str) -> None:
        self.mended = False
        page.route(re.compile(files), self._answer)

    def _answer(self, route: Any) -> None:
        if self.mended:
            route.continue_()
        else:
            route.fulfill(status=502, content_type="text/html", body="<p>Bad gateway</p>")


@pytest.mark.slow
@pytest.mark.parametrize("files", [r"/assets/RulesPage-.*\.js", r"/assets/RulesPage-.*\.css"])
def test_a_page_that_does_not_come_is_tried_again(opened: Opener, files: str) -> None:
    here = opened()
    fault = Fault(here.page, files)
    here.visit("/rules/quadrille")
    expect(here.page.get_by_text("Trying again")).to_be_visible()
    expect(here.page.get_by_role("button", name="Reload the page")).to_be_visible()
    fault.mended = True
    article = here.page.get_by_role("article")
    expect(article).to_be_visible()
    expect(article).to_have_css("display", "grid")
    here.complaints.clear()  # of what the proxy said


def test_without_its_words_a_page_is_there_in_english(opened: Opener) -> None:
    here = opened(language="fr-FR")
    fault = Fault(here.page, r"/assets/fr-.*\.js")
    here.visit("/")
    expect(here.page.get_by_role("button", name="Settings")).to_be_visible()
    fault.mended = True
    expect(here.page.get_by_role("button", name="Réglages")).to_be_visible()
    here.complaints.clear()  # of what the proxy said
