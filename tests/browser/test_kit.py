"""Kits to print, as the browser lays them out: all pieces a game needs, and nothing cut off."""

from collections import Counter
from itertools import product

import pytest
from playwright.sync_api import expect

from benben.core.registry import names
from benben.kits import LANGUAGES, Paper, name_of
from tests.browser.conftest import Opener
from tests.browser.kits import LOCALES, show
from tests.browser.windows import DESKTOP, PHONE
from tests.sizes import rotating

PIECES = {
    "objectif": {"base": 24, "piece": 36, "goal": 6},
    "pyramidis": {"pyramid": 32},
    "batisseurs": {"board": 4, "die": 6}
    | {f"block-{row}": 4 * (6 - level) for level, row in enumerate("abcdef")},
    "quadrille": {"token": 48, "pawn": 4},
}
# What is larger than its sheet, or lies beyond the part of it that printers reach.
_CUT_OFF = """() => [...document.querySelectorAll('[data-testid="sheet"]')].flatMap((leaf, at) => {
    const paper = leaf.getBoundingClientRect();
    const edge = 5 * 96 / 25.4;
    const content = leaf.querySelector('[data-testid="sheet-content"]');
    const lowest = content.getBoundingClientRect().bottom + 8;
    return [...leaf.querySelectorAll(":scope > * *")].flatMap(each => {
        if (each.closest("svg") !== each && each.closest("svg")) return [];
        const box = each.getBoundingClientRect();
        const bad = box.left < paper.left + edge || box.right > paper.right - edge
            || (content.contains(each) && box.bottom > lowest);
        return bad ? [`sheet ${at + 1}: ${each.tagName} ${each.textContent.slice(0, 40)}`] : [];
    });
})"""


@rotating("language", LANGUAGES)
@pytest.mark.parametrize("game", names())
def test_every_piece_is_there_once_and_nothing_is_cut_off(
    opened: Opener, game: str, language: str
) -> None:
    here = opened(DESKTOP, language=LOCALES[language])
    show(here, game, Paper.A4, black_and_white=False)
    pieces = here.page.locator("[data-piece]")
    kinds = pieces.evaluate_all("pieces => pieces.map(each => each.dataset.piece)")
    assert Counter(kinds) == PIECES[game]
    for paper, black_and_white in product(Paper, (False, True)):
        here.page.get_by_role("combobox").select_option(paper)
        here.page.get_by_role("checkbox").set_checked(black_and_white)
        plain = str(black_and_white).lower()
        expect(here.page.get_by_test_id("kit")).to_have_attribute("data-plain", plain)
        assert here.page.evaluate(_CUT_OFF) == []


def test_a_kit_is_chosen_and_downloaded(opened: Opener) -> None:
    here = opened(PHONE)
    page = here.page
    here.visit("/")
    box = page.get_by_role("article", name="Quadrille")
    box.get_by_text("About this game").click()
    box.get_by_role("link", name="Kit to print").click()
    page.wait_for_url("**/kit/quadrille")
    expect(page.get_by_role("heading", name="Quadrille: a kit to print")).to_be_visible()
    assert not here.violations()
    page.get_by_label("Paper").select_option("letter")
    page.get_by_label("Black and white").check()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the PDF").click()
    wanted = name_of("quadrille", "en", Paper.LETTER, black_and_white=True)
    assert download.value.suggested_filename == wanted
    assert download.value.path().read_bytes().startswith(b"%PDF-")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_no_kit_of_a_game_that_is_not_there(opened: Opener) -> None:
    here = opened(DESKTOP)
    here.visit("/kit/chess")
    expect(here.page.get_by_role("heading", name="No kit for this game")).to_be_visible()
