"""There is no rule in the front end: if the server has another rule, its pages follow it."""

import shutil
from pathlib import Path
from typing import cast

import httpx
import pytest
from playwright.sync_api import Browser, expect

import benben
from benben.web.state import AppState
from tests.browser.hands import Hand, until
from tests.browser.selectors import BOARD, MY_BOARD
from tests.browser.windows import PHONE, window
from tests.web.processes import process
from tests.web.site import PATIENCE, Site, refused

RULE, OTHER = "MOST_FROM_START = 5, 5, 5", "MOST_FROM_START = 5, 5, 6"
FIRST = {"first": 1}


@pytest.mark.long
@pytest.mark.slow
def test_six_pyramids_from_the_start_square(browser: Browser, site: Site, tmp_path: Path) -> None:
    person = site.table("pyramidis", players=2, options=FIRST)[0]
    detail = refused(person.ask("move", {"move": "d1*6", "number": 3}), 422, "illegal-move")
    assert detail["rule"] == "at-most-five"

    copy = shutil.copytree(Path(benben.__file__).parent, tmp_path / "src/benben")
    rules = copy / "games/pyramidis/rules.py"
    assert RULE in rules.read_text()
    rules.write_text(rules.read_text().replace(RULE, OTHER))
    where = {"PYTHONPATH": str(tmp_path / "src"), "NUMBA_DISABLE_JIT": "1"}
    with (
        process(f"sqlite:///{tmp_path / 'tables.sqlite3'}", tmp_path / "log", **where) as server,
        httpx.Client(base_url=server.address, timeout=PATIENCE) as http,
    ):
        elsewhere = Site(http, cast(AppState, None))  # in another process
        with window(browser, elsewhere, PHONE) as here:
            here.take(elsewhere.table("pyramidis", players=2, options=FIRST)[0])
            until(here.page, MY_BOARD)
            hand = Hand(here, "finger")
            hand.touch(hand.thing("d1"))
            expect(here.page.locator(f"{BOARD} [data-count]").last).to_have_text("6")
            expect(hand.thing("d7")).to_have_accessible_name("d7: empty, receives pyramid 6")
            hand.touch(here.page.get_by_test_id("sow"))
            expect(here.page.get_by_test_id("move-text")).to_have_text(["d1*6"])
            expect(hand.thing("d7")).to_have_accessible_name("d7: 1 brown")
