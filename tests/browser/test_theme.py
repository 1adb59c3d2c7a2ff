"""A dark page is dark from its first paint on, before any of its scripts has come."""

import re
from typing import Literal

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Opener
from tests.web.site import Site

LIGHT, DARK = "rgb(244, 239, 230)", "rgb(29, 26, 23)"


def is_painted(page: Page, colour: str) -> None:
    expect(page.locator("body")).to_have_css("background-color", colour)


def test_the_first_paint_is_as_chosen(opened: Opener) -> None:
    here = opened()
    here.visit("/icon.svg")
    here.page.route(re.compile(r"/assets/.*\.js"), lambda route: route.abort())
    chosen: tuple[tuple[str, Literal["light", "dark"], str], ...] = (
        ("dark", "light", DARK),
        ("light", "dark", LIGHT),
        ("", "dark", DARK),
    )
    for theme, system, colour in chosen:
        here.page.evaluate(
            "theme => localStorage.setItem('benben.settings', JSON.stringify({ theme }))", theme
        )
        here.page.emulate_media(color_scheme=system)
        here.visit("/")
        is_painted(here.page, colour)


def test_without_scripts_it_is_as_the_system_says(browser: Browser, site: Site) -> None:
    context = browser.new_context(java_script_enabled=False, color_scheme="dark")
    page = context.new_page()
    page.goto(f"{site.http.base_url}/")
    is_painted(page, DARK)
    context.close()
