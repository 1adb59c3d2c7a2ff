"""Pages while the server prepares its games: they say for how long, and go on by themselves."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.selectors import THING
from tests.browser.windows import PHONE, window
from tests.web.compiling import Compiler
from tests.web.site import serving

ABOUT = r"about (a second|\d+ seconds)"


@pytest.mark.slow
def test_from_the_shelf_to_a_table(tmp_path: Path, compiler: Compiler, browser: Browser) -> None:
    with serving(tmp_path, wait=False) as site, window(browser, site, PHONE) as here:
        here.visit("/")
        page = here.page
        expect(page.get_by_text("Each opens as soon as it’s ready")).to_be_visible()
        box = page.get_by_role("article").filter(has_text="Quadrille")
        note = box.get_by_role("status")
        expect(note).to_have_text(re.compile(f"^Preparing Quadrille, .*{ABOUT}"))
        box.get_by_role("button", name="Play now").click()
        expect(note).to_have_text(re.compile(f"Your table will open by itself in {ABOUT}"))
        compiler.finish("objectif.rules", "quadrille.rules")
        page.wait_for_url("**/t/*")
        here.player().move()
        status = page.get_by_text(re.compile(f"is getting ready, .*{ABOUT}"))
        expect(status).to_be_visible()
        compiler.finish_all()
        expect(status).to_be_hidden()
        expect(page.get_by_test_id("status")).to_contain_text("Your turn")


@pytest.mark.slow
def test_a_new_table(tmp_path: Path, compiler: Compiler, browser: Browser) -> None:
    with serving(tmp_path, wait=False) as site, window(browser, site, PHONE) as here:
        here.visit("/new/pyramidis")
        note = here.page.locator("form").get_by_role("status")
        expect(note).to_have_text(re.compile(f"^Preparing Pyramidis, .*{ABOUT}"))
        here.page.get_by_role("button", name="Open the table").click()
        expect(note).to_have_text(re.compile(f"Your table will open by itself in {ABOUT}"))
        compiler.finish_all()
        here.page.wait_for_url("**/t/*")


@pytest.mark.slow
def test_a_table_by_its_link(tmp_path: Path, compiler: Compiler, browser: Browser) -> None:
    compiler.finish_all()
    with serving(tmp_path) as site:
        person, _ = site.table("objectif", players=2)
    compiler.begin_again()
    with serving(tmp_path, wait=False) as site, window(browser, site, PHONE) as here:
        person.site = site
        here.take(person)
        expect(here.page.get_by_role("status")).to_have_text(
            re.compile(rf"Preparing Objectif, .*{ABOUT}\.\s+The table will then open by itself")
        )
        compiler.finish_all()
        expect(here.page.locator(THING).first).to_be_visible()
