"""Without looking: the log by keys, boards in words, a curtain that is told, a focus that stays."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Opener
from tests.browser.hands import until
from tests.browser.selectors import BOARD, CURRENT_MOVE, MOVE, MOVE_LOG, MY_THING, THING, part
from tests.browser.test_accessible import play_on
from tests.browser.windows import DESKTOP, PHONE
from tests.web.site import Site


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def is_looked_at(page: Page, number: int) -> None:
    """The moment after so many moves."""
    expect(page.locator(CURRENT_MOVE).get_by_test_id("move-number")).to_have_text(str(number))


def move_of(page: Page, number: int) -> Locator:
    return page.get_by_test_id("move").nth(number - 1)


def test_the_log_is_one_tab_stop_and_looks_back_by_keys(site: Site, opened: Opener) -> None:
    people = site.table("quadrille")
    play_on(people, 6)
    here = opened(DESKTOP)
    here.take(people[0])
    until(here.page, MOVE, 6)
    expect(here.page.locator(f'{MOVE_LOG} button:not([tabindex="-1"])')).to_have_count(1)
    move_of(here.page, 6).focus()
    press(here.page, "ArrowUp", "ArrowUp")
    expect(move_of(here.page, 4)).to_be_focused()
    is_looked_at(here.page, 6)  # that was a way only
    press(here.page, "Enter")
    is_looked_at(here.page, 4)
    press(here.page, "ArrowLeft")
    is_looked_at(here.page, 3)
    expect(move_of(here.page, 3)).to_be_focused()
    press(here.page, "ArrowRight", "ArrowRight")
    is_looked_at(here.page, 5)
    press(here.page, "Home")
    expect(here.page.locator(CURRENT_MOVE)).to_have_count(0)
    expect(move_of(here.page, 1)).to_be_focused()
    press(here.page, "End")
    is_looked_at(here.page, 6)
    press(here.page, ",")
    is_looked_at(here.page, 5)


def test_a_board_in_words_is_of_the_moment_looked_at(site: Site, opened: Opener) -> None:
    people = site.table("pyramidis", players=2, options={"first": 1})
    play_on(people, 2)
    here = opened(DESKTOP)
    here.visit("/icon.svg")
    here.page.evaluate("localStorage.setItem('benben.settings', '{\"textBoard\": true}')")
    here.take(people[people[0].look()["to_move"]])
    board = here.page.get_by_test_id("board")
    expect(board.get_by_text("After move 2")).to_be_visible()
    expect(board.get_by_role("button")).not_to_have_count(0)
    press(here.page, "[", "[")
    expect(board.get_by_text("The game begins.")).to_be_visible()
    expect(board.get_by_text(re.compile("^d1 8 ")).first).to_be_visible()
    expect(board.get_by_role("button")).to_have_count(0)


def test_moves_and_the_end_are_told(site: Site, opened: Opener) -> None:
    people = site.table("quadrille")
    here = opened(DESKTOP)
    here.take(people[0])
    until(here.page, THING)
    mover = people[0].look()["to_move"]
    people[mover].move()
    is_told(here.page, f"Ann{mover}: ")
    people[1].do("resign")
    is_told(here.page, "You won!")


def is_told(page: Page, words: str) -> None:
    """Once: two regions that say the same are heard twice."""
    expect(page.locator("[aria-live=polite]", has_text=words)).to_have_count(1)


def test_a_curtain_is_told_and_leaves_its_focus_to_the_board(site: Site, opened: Opener) -> None:
    people = site.table("objectif", players=2)
    here = opened(PHONE)
    for person in people:
        here.visit("/")
        here.take(person)
        until(here.page, part("table"))
    curtain = here.page.get_by_test_id("curtain")
    told = curtain.get_by_role("heading").inner_text()
    is_told(here.page, told)
    curtain.get_by_role("button").press("Enter")
    until(here.page, MY_THING)
    expect(here.page.locator(f"{BOARD} :focus")).to_have_count(1)
