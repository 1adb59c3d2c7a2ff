"""axe-core finds nothing wrong, on any page, in any state, in light and in dark."""

import pytest
from playwright.sync_api import expect

from benben.core.registry import names
from tests.browser.conftest import Opener
from tests.browser.windows import DESKTOP, PHONE
from tests.web.site import Person, Site

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
LIGHTS = pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])


def play_on(people: list[Person], moves: int) -> None:
    """Some moves at a table, by whoever is to move; fewer if the game is over before."""
    for number in range(moves):
        seat = people[0].look().get("to_move")
        if seat is None:
            return
        people[seat].move(7 * number + 3)


@SIZES
@LIGHTS
@pytest.mark.parametrize("game", names())
def test_a_game_in_the_middle_and_at_the_end(
    site: Site, opened: Opener, game: str, size: tuple[int, int], dark: bool
) -> None:
    people = site.table(game, people=2, players=2)
    play_on(people, 12)
    here = opened(size, dark=dark)
    here.take(people[0])
    expect(here.page.locator(".log li button").first).to_be_visible()
    expect(here.page.locator(".board")).not_to_be_empty()
    assert here.violations() == []
    play_on(people, 2000)
    expect(here.page.locator(".result")).to_be_visible()
    assert here.violations() == []


@LIGHTS
def test_before_the_game(site: Site, opened: Opener, dark: bool) -> None:
    table = site.open("objectif", players=3, pace={"pace": "days", "days": 2}, drawn=True)
    here = opened(PHONE, dark=dark)
    here.visit(f"/t/{table}")
    expect(here.page.get_by_role("heading", name="Objectif")).to_be_visible()
    assert here.violations() == []
    here.page.get_by_role("button", name="Sit down on seat 1").click()
    expect(here.page.get_by_text("The game begins as soon as")).to_be_visible()
    assert here.violations() == []


@LIGHTS
def test_dialogs(site: Site, opened: Opener, dark: bool) -> None:
    ann, _ = site.table()
    here = opened(PHONE, dark=dark)
    here.take(ann)
    here.page.get_by_role("button", name="Settings").click()
    assert here.violations() == []
    here.page.get_by_role("button", name="Close").click()
    here.page.get_by_role("button", name="Links").click()
    here.page.get_by_role("button", name="Show").click()
    assert here.violations() == []


@LIGHTS
def test_pages_without_a_table(opened: Opener, dark: bool) -> None:
    here = opened(PHONE, dark=dark)
    for path in ("/", "/new/pyramidis", "/rules/objectif", "/t/nowhere"):
        here.visit(path)
        expect(here.page.get_by_role("heading", level=1)).to_be_visible()
        assert here.violations() == [], path


def test_boards_in_words(site: Site, opened: Opener) -> None:
    people = site.table("pyramidis", people=2, players=2)
    here = opened(PHONE)
    here.take(people[0])
    here.page.get_by_role("button", name="Settings").click()
    here.page.get_by_label("Boards in words").check()
    here.page.get_by_role("button", name="Close").click()
    expect(here.page.get_by_role("heading", name="On the board")).to_be_visible()
    assert here.violations() == []
