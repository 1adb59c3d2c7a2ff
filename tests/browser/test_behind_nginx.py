"""Through nginx, as people come to a server: it restarts, and nobody has to do anything.

Only in long runs: what a page does then is tested in `test_faults.py`, nginx in `tests/deploy/`.
"""

from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.browser.hands import Hand, until
from tests.browser.selectors import MY_BOARD, THING
from tests.browser.windows import PHONE, Window, hide, window
from tests.deploy.proxy import nginx
from tests.web.processes import process
from tests.web.site import Site


def _sit_down(here: Window, there: Window) -> None:
    here.visit("/new/quadrille")
    form = here.page.get_by_role("main").locator("form")
    form.get_by_role("textbox", name="Your name").fill("Ann")
    form.get_by_role("button", name="Open the table").tap()
    there.page.goto(here.page.get_by_label("Send this link").input_value())
    there.page.get_by_role("main").get_by_role("textbox", name="Your name").fill("Bob")
    there.page.get_by_role("button", name="Take seat 2").click()
    for each in (here, there):
        until(each.page, THING)


@pytest.mark.long
@pytest.mark.slow
def test_a_server_that_restarts_behind_nginx(browser: Browser, tmp_path: Path) -> None:
    with (
        process(f"sqlite:///{tmp_path / 'house.sqlite3'}", tmp_path / "log") as server,
        nginx(server.address, tmp_path / "nginx") as proxy,
        httpx.Client(base_url=proxy.plain) as http,
        window(browser, Site(http, cast(Any, None)), PHONE) as here,
        window(browser, Site(http, cast(Any, None))) as there,
    ):
        _sit_down(here, there)
        ann, bob = Hand(here, "finger"), Hand(there)
        first, second = (ann, bob) if "legal" in here.player().look() else (bob, ann)
        made: list[str] = []

        def play(hand: Hand) -> None:
            made.append(hand.window.player().look()["legal"][0]["move"])
            hand.play("quadrille", made[-1])

        def shown(*hands: Hand) -> None:
            for hand in hands:
                expect(hand.page.get_by_test_id("move-text")).to_have_text(made)

        for hand in (first, second, first, second):
            play(hand)
            shown(first, second)
        shelf = first.window.context.new_page()
        shelf.goto(proxy.plain)
        link = shelf.locator(f'a[href="/t/{here.table}"]').first
        expect(link).to_be_visible()
        tokens = here.tokens(), there.tokens()
        until(first.page, MY_BOARD)
        move = first.window.player().look()["legal"][0]["move"]

        hide(second.page, True)
        server.kill()
        away = http.get(f"/api/tables/{here.table}")
        assert (away.status_code, "<center>nginx" in away.text) == (502, True)
        expect(first.page.get_by_test_id("connection-lost")).to_be_visible()
        first.play("quadrille", move)
        made.append(move)
        link.click()  # neither the page of a table nor the table is to be had
        expect(first.page.get_by_test_id("status-lead")).to_have_text("Sending your move…")
        expect(shelf.get_by_role("status")).to_be_visible()

        server.start()
        server.wait()
        shown(first)
        expect(first.page.get_by_test_id("connection-lost")).to_have_count(0)
        expect(shelf.get_by_test_id("move-text")).to_have_text(made)
        expect(second.page).to_have_title("● Quadrille · Benben")
        hide(second.page, False)
        shown(second)
        expect(second.page.get_by_test_id("connection-lost")).to_have_count(0)
        play(second)
        shown(first, second)
        assert here.player().look()["moves"] == made
        assert (here.tokens(), there.tokens()) == tokens
