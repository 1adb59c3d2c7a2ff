"""The analysis board: positions by hand, by text, by link and from a table; branches; opinions."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.screenshots import ANALYSED
from tests.browser.selectors import BOARD, CURRENT_NODE, part
from tests.browser.windows import DESKTOP, PHONE, Window
from tests.sizes import rotating
from tests.web.site import Site

# Of each game: what is tapped with the first piece to put, or with none, that makes a position
# impossible; the words for that; the piece that mends it, and where it goes.
SPOILT = {
    "objectif": ("2", "an odd number of one colour is missing", "violet", "2"),
    "pyramidis": ("d1", "eight pyramids in all", "brown", "d2"),
    "batisseurs": ("1:a2", "nothing to stand on", "Won block", "1:a2"),
    "quadrille": ("a1", "Tokens are missing", "blue", "a1"),
}
SLOW = 20_000  # ms: bots think, and others use the machine


def opinion(page: Page) -> None:
    """Wait until something is thought of the position."""
    expect(page.get_by_test_id("chance").first).to_be_visible(timeout=SLOW)


def thing(page: Page, name: str) -> None:
    page.locator(f'{BOARD} [data-thing="{name}"]').first.click()


def nodes(page: Page) -> list[str]:
    return page.get_by_test_id("move-text").all_text_contents()


def show(here: Window, game: str, link: str = "") -> None:
    here.visit(f"/analysis/{game}#v=1&{link or ANALYSED[game]}")
    opinion(here.page)


def play_best(page: Page) -> None:
    """The best move, or a throw by luck."""
    before = len(nodes(page))
    luck = page.get_by_role("button", name="At random")
    if luck.count():
        luck.click()
    else:
        page.get_by_test_id("opinion-move").first.click()
    page.wait_for_function(
        "([nodes, count]) => document.querySelectorAll(nodes).length > count",
        arg=[part("tree-move"), before],
        timeout=SLOW,
    )


@rotating("game", list(SPOILT))
def test_a_position_is_set_up_and_analysed(opened: Opener, game: str) -> None:
    here = opened(PHONE)
    page = here.page
    show(here, game)
    if game in ("objectif", "batisseurs"):  # beliefs, throws
        assert here.violations() == []
    text = page.get_by_label("The position as text")
    page.get_by_role("button", name="Set up").click()
    written = text.input_value()

    wrong, words, piece, where = SPOILT[game]
    page.get_by_role("button", name="Remove").click()
    thing(page, wrong)
    expect(page.get_by_test_id("setup-state")).to_contain_text(words, timeout=SLOW)
    expect(page.get_by_role("button", name="Analyse this")).to_be_disabled()
    assert here.violations() == []
    page.get_by_role("button", name=piece, exact=True).click()
    thing(page, where)
    expect(page.get_by_test_id("setup-state")).to_have_text(
        "This position is possible.", timeout=SLOW
    )
    made = text.input_value()
    assert (made == written) == (game != "pyramidis")

    text.fill("nonsense")
    expect(page.get_by_test_id("setup-state")).to_contain_text("This can’t be read", timeout=SLOW)
    text.fill(made)
    expect(page.get_by_test_id("setup-state")).to_have_text(
        "This position is possible.", timeout=SLOW
    )
    page.get_by_role("button", name="Analyse this").click()
    opinion(page)
    from_text = made.replace(" ", "_").replace("|", "!")
    assert f"from={from_text}" in page.url
    play_best(page)
    page.get_by_role("tab", name="Moves").click()
    expect(page.locator(CURRENT_NODE)).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


@pytest.mark.slow
def test_moves_branch_and_a_link_holds_them_all(opened: Opener) -> None:
    here = opened(DESKTOP)
    page = here.page
    show(here, "pyramidis", ANALYSED["pyramidis"].partition("&moves")[0])
    thing(page, "d1")
    page.keyboard.press("1")
    thing(page, "d1")
    expect(page.get_by_test_id("tree-move")).to_have_text(["1 d1*1"], timeout=SLOW)
    page.get_by_role("button", name="Previous move").click()
    page.get_by_role("button", name="d1*2").click()
    expect(page.get_by_test_id("tree-move")).to_have_count(2)
    expect(page.locator(CURRENT_NODE)).to_have_text("1 d1*2")
    assert nodes(page) == ["d1*1", "d1*2"]
    page.get_by_role("button", name="Make it the main line").click()
    assert nodes(page) == ["d1*2", "d1*1"]
    opinion(page)
    page.get_by_role("button", name="Add this line to the moves").click(timeout=SLOW)
    assert len(nodes(page)) > 3
    assert here.violations() == []

    there = opened(DESKTOP, dark=True, language="fr-FR")
    there.page.goto(page.url)
    opinion(there.page)
    assert nodes(there.page) == nodes(page)
    expect(there.page.locator(CURRENT_NODE)).to_have_text("1 d1*2")
    assert there.page.url == page.url
    assert there.violations() == []
    there.page.get_by_role("button", name="Supprimer à partir d’ici").click()
    expect(there.page.get_by_test_id("tree-move")).to_have_text(["1 d1*1"])
    # Keys lead through the moves, wherever the focus is but on the board.
    there.page.get_by_role("heading", level=1).click()
    there.page.keyboard.press("ArrowRight")
    expect(there.page.locator(CURRENT_NODE)).to_have_text("1 d1*1")
    there.page.keyboard.press("ArrowLeft")
    expect(there.page.locator(CURRENT_NODE)).to_have_count(0)


def test_what_cannot_be_read_is_told(opened: Opener) -> None:
    here = opened(DESKTOP)
    page = here.page
    here.visit("/analysis/quadrille#v=1&from=nonsense")
    expect(page.get_by_test_id("analysis-line")).to_contain_text(
        "This link can’t be read", timeout=SLOW
    )
    opinion(page)
    moves = "&moves=d1*1,d8*1(h1*1,d8*1),d1*1&at=5"
    show(here, "pyramidis", ANALYSED["pyramidis"].partition("&moves")[0] + moves)
    expect(page.get_by_test_id("analysis-line")).to_contain_text("can’t be played", timeout=SLOW)
    assert nodes(page) == ["d1*1", "d8*1", "d1*1"]
    here.visit("/analysis/chess")
    expect(page.get_by_role("heading", name="No such game")).to_be_visible(timeout=SLOW)


def test_a_game_that_is_over_is_analysed(opened: Opener, site: Site) -> None:
    ann, bob = site.table("quadrille")
    here = opened(PHONE)
    page = here.page
    for person in (ann, bob, ann):
        person.move(7)
    here.visit(f"/analysis/quadrille?table={ann.table}")
    expect(page.get_by_test_id("analysis-line")).to_contain_text(
        "That game isn’t over", timeout=SLOW
    )
    bob.do("resign")
    here.visit(f"/t/{ann.table}")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Analysis board").click()
    opinion(page)
    page.get_by_role("tab", name="Moves").click()
    expect(page.get_by_test_id("tree-move")).to_have_count(3)
    expect(page.locator(CURRENT_NODE).get_by_test_id("move-number")).to_have_text("3")
    assert "?table" not in page.url
    assert "&at=3" in page.url

    here.visit("/")
    box = page.get_by_role("article", name="Quadrille")
    box.get_by_text("About this game").click()
    box.get_by_role("link", name="Analysis board").click()
    opinion(page)
    expect(page.get_by_test_id("tree-move")).to_have_count(0)
