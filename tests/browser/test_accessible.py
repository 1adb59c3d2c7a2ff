"""axe-core finds nothing wrong, on any page, in any state, in light and in dark."""

from typing import Literal

import pytest
from playwright.sync_api import expect

from benben.core.registry import names
from tests.browser.conftest import Opener
from tests.browser.hands import Hand, until
from tests.browser.positions import late
from tests.browser.selectors import CURTAIN, MOVE, MY_THING, RESULT, THING, part
from tests.browser.windows import DESKTOP, PHONE, Window, resize
from tests.sizes import rotating
from tests.web.site import Person, Site

LIGHTS = rotating("dark", [False, True])


def play_on(people: list[Person], moves: int) -> None:
    """Some moves at a table, by whoever is to move; fewer if the game is over before."""
    for number in range(moves):
        seat = people[0].look().get("to_move")
        if seat is None:
            return
        people[seat].move(7 * number + 3)


Look = tuple[tuple[int, int], Literal["light", "dark"]]
ONE: tuple[Look, ...] = ((PHONE, "light"), (DESKTOP, "dark"))
OTHER: tuple[Look, ...] = ((PHONE, "dark"), (DESKTOP, "light"))


def wrong(here: Window, looks: tuple[Look, ...]) -> list[str]:
    """What axe finds in a page of each size and light; it takes its time, so not in all of both."""
    found = []
    for (width, height), light in looks:
        resize(here.page, (width, height))
        here.page.emulate_media(color_scheme=light)
        expect(here.page.locator("html")).to_have_attribute("data-theme", light)
        found += here.violations()
    return found


@pytest.mark.slow
@rotating("game", names())
def test_a_game_in_the_middle_and_at_the_end(site: Site, opened: Opener, game: str) -> None:
    people = site.table(game, people=2, players=2)
    play_on(people, 12)
    here = opened(PHONE)
    here.take(people[0])
    until(here.page, MOVE)
    until(here.page, THING)
    assert wrong(here, ONE) == []
    people = site.table(game, people=2, players=2, **late(game, 8))
    play_on(people, 2000)
    here.take(people[0])
    until(here.page, RESULT)
    assert wrong(here, OTHER) == []


@rotating("game", names())
def test_a_move_that_is_being_chosen(site: Site, opened: Opener, game: str) -> None:
    people = site.table(game, people=2, players=2)
    play_on(people, 4)
    here = opened(PHONE)
    here.take(people[people[0].look()["to_move"]])
    until(here.page, MY_THING)
    _choose(Hand(here, "finger"), game, here.player().look()["legal"][0]["move"])
    assert wrong(here, ONE) == []


def _choose(hand: Hand, game: str, move: str) -> None:
    """All of a move but its last tap."""
    if game == "objectif":
        hand.touch(hand.thing(move[0]))
        hand.touch(hand.thing(move[2:]))
    elif game == "batisseurs":
        hand.page.get_by_role("group", name="Dice").get_by_role("button").first.tap(force=True)
    else:
        hand.touch(hand.thing(move[:2].lstrip("@+")))


def test_a_curtain(site: Site, opened: Opener) -> None:
    people = site.table("objectif", people=2, players=2)
    here = opened(PHONE)
    for person in people:
        here.visit("/")
        here.take(person)
        until(here.page, part("table"))
    until(here.page, CURTAIN)
    assert wrong(here, ONE) == []


@LIGHTS
def test_before_the_game(site: Site, opened: Opener, dark: bool) -> None:
    table = site.open("objectif", players=3, pace={"pace": "days", "days": 2}, drawn=True)
    here = opened(PHONE, dark=dark)
    here.visit(f"/t/{table}")
    expect(here.page.get_by_role("heading", name="Objectif")).to_be_visible()
    assert here.violations() == []
    here.page.get_by_role("button", name="Take seat 1").click()
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
    here.page.get_by_role("button", name="Menu").click()
    assert here.violations() == []
    here.page.get_by_role("button", name="Share").click()
    here.page.get_by_role("button", name="Show", exact=True).click()
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
    here.page.get_by_label("Boards as text").check()
    here.page.get_by_role("button", name="Close").click()
    expect(here.page.get_by_role("heading", name="On the board")).to_be_visible()
    assert here.violations() == []
