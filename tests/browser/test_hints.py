"""Hints in the browser: a nudge, an idea, a move, each drawn and said, and counted at the end."""

import pytest
from playwright.sync_api import Page, Route, expect

from benben.core.registry import names
from tests.browser.conftest import Opener
from tests.browser.hands import until
from tests.browser.selectors import HINT, MY_BOARD, THING
from tests.browser.test_fitting import MISFITS
from tests.browser.windows import DESKTOP, Window, resize
from tests.sizes import rotating
from tests.web.site import Person, Site, eventually

SIZES = [(390, 664), (844, 390), DESKTOP]
_HEARD = "[aria-live]"


def seated(site: Site, opened: Opener, game: str, **how: str) -> tuple[Window, Person]:
    """Somebody at a window, to move against a bot."""
    (ann,) = site.table(game, 1, players=2, seats=[{}, {"bot": 1}])
    eventually(lambda: "legal" in ann.look(), "one's turn")
    here = opened(SIZES[0], **how)
    here.take(ann)
    until(here.page, MY_BOARD)
    return here, ann


def hint(page: Page) -> str:
    """Ask for the next one; what it says at the board."""
    before = page.get_by_test_id("status").inner_text()
    page.get_by_role("button", name="Hint").or_(page.get_by_role("button", name="Indice")).click()
    expect(page.locator(HINT)).not_to_have_text(before)
    return page.get_by_test_id("status-detail").inner_text()


@pytest.mark.slow
@rotating("game", names())
def test_from_a_nudge_to_the_move_and_counted(site: Site, opened: Opener, game: str) -> None:
    here, ann = seated(site, opened, game, language="fr-FR")
    page = here.page
    said, misfits = [], []
    for _ in range(3):
        said.append(hint(page))
        for size in SIZES:
            resize(page, size)
            misfits += page.evaluate(MISFITS)
        resize(page, SIZES[0])
    assert not misfits, "\n".join(misfits)
    assert len(set(said)) == 3
    assert said[0].startswith(("Regardez ici", "Aucun"))
    assert said[2].startswith("Suggestion")
    expect(page.locator(_HEARD).filter(has_text=said[2])).to_have_count(1)
    assert here.violations() == []
    told = ann.do("hints", {"strength": "move"})["hint"]
    ann.do("move", {"move": told["move"]["move"]})
    expect(page.locator(HINT)).to_have_count(0)
    ann.do("resign")
    expect(page.get_by_test_id("hints-taken")).to_have_text("Ann0 : 1 indice")


def test_by_a_key_and_gone_when_something_is_chosen(site: Site, opened: Opener) -> None:
    here, _ = seated(site, opened, "pyramidis")
    page = here.page
    for _ in range(3):
        before = page.get_by_test_id("status").inner_text()
        page.keyboard.press("h")
        expect(page.locator(HINT)).not_to_have_text(before)
    expect(page.get_by_test_id("notice")).to_have_text("Ann0 took a hint.")
    page.locator(THING).first.click()
    expect(page.locator(HINT)).to_have_count(0)


def test_one_that_takes_a_while_is_waited_for_in_words(site: Site, opened: Opener) -> None:
    here, _ = seated(site, opened, "quadrille")
    page, status = here.page, here.page.get_by_test_id("status")
    held: list[Route] = []
    page.route("**/hints", lambda route: held.append(route))
    page.keyboard.press("h")
    expect(status).to_contain_text("One moment…")
    page.keyboard.press("h")  # nothing more is asked for meanwhile
    assert len(held) == 1
    held[0].continue_()
    expect(status).to_contain_text("Look here")
    expect(status).not_to_contain_text("One moment…")


def test_not_among_people(site: Site, opened: Opener) -> None:
    ann, _ = site.table()
    here = opened(DESKTOP)
    here.take(ann)
    until(here.page, MY_BOARD)
    expect(here.page.get_by_role("button", name="Hint")).to_have_count(0)
    here.page.keyboard.press("h")
    expect(here.page.locator(HINT)).to_have_count(0)
