"""Objectif's board: whole on every screen; a secret behind a tap; goals before a winner."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Opener
from tests.browser.evenings import at_table, seated
from tests.browser.hands import Hand, until
from tests.browser.selectors import MOVE, MY_BOARD, OTHERS_BOARD, RESULT, part
from tests.browser.test_accessible import play_on
from tests.browser.windows import Window, resize
from tests.sizes import rotating
from tests.web.site import Person, Site

SHORT = (390, 664)
SIZES = ((390, 664), (390, 844), (320, 640), (844, 390), (768, 1024), (1440, 900))
MIDDLE = 14  # moves
COLOURS = {"o": "orange", "g": "green", "b": "blue", "p": "pink", "y": "yellow", "v": "violet"}

# What of the board cannot be seen or tapped where it is.
_FAULTS = """() => {
    const board = document.querySelector('[data-testid="board"]');
    const edge = board.getBoundingClientRect();
    const faults = [];
    const outside = ({ left, top, right, bottom }, box) =>
        left < box.left || top < box.top || right > box.right || bottom > box.bottom;
    const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    if (outside(edge, screen)) faults.push("the board is not on the screen");
    if (board.scrollHeight > board.clientHeight || board.scrollWidth > board.clientWidth)
        faults.push("the board is to be scrolled");
    const parts = 'button, table, td, [data-testid="colour-count"], [data-testid="secret-words"]';
    for (const each of board.querySelectorAll(parts)) {
        const box = each.getBoundingClientRect();
        const what = `${each.dataset.thing ?? each.dataset.testid} ${box.width} x ${box.height}`;
        if (getComputedStyle(each).visibility === "hidden") continue;
        if (outside(box, edge)) faults.push(`${what} is outside`);
        if (each.scrollWidth > each.clientWidth + 1) faults.push(`${what} is too narrow`);
        if (each.tagName !== "BUTTON") continue;
        if (Math.min(box.width, box.height) < 44) faults.push(`${what} is small`);
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        if (document.elementFromPoint(x, y)?.closest("button") !== each)
            faults.push(`${what} is covered`);
    }
    return faults;
}"""
_BOXES = """() => {
    const part = name => document.querySelector(`[data-testid="${name}"]`);
    return [...part("board").querySelectorAll("button, table"), part("status")]
        .map(each => each.getBoundingClientRect().toJSON());
}"""
# Whatever of the board moves by itself, whether somebody has just touched something or not.
_WATCH_SHIFTS = """() => {
    window.shifts = [];
    const board = document.querySelector('[data-testid="board"]');
    const ofBoard = ({ node }) => node !== board && board.contains(node);
    new PerformanceObserver(list => {
        for (const { value, sources } of list.getEntries())
            if (sources.some(ofBoard)) window.shifts.push(value);
    }).observe({ type: "layout-shift" });
}"""

WINNER = f'{part("goal")}[data-winner="true"]'


def _measured(page: Page) -> tuple[dict[tuple[int, int], list[str]], list[Any]]:
    """What is wrong on which screen, and where everything is."""
    faults, boxes = {}, []
    for width, height in SIZES:
        resize(page, (width, height))
        page.evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        if found := page.evaluate(_FAULTS):
            faults[width, height] = found
        boxes.append(page.evaluate(_BOXES))
    return faults, boxes


def _mover(people: list[Person]) -> Person:
    return people[people[0].look()["to_move"]]


@pytest.mark.slow
@rotating("players", [2, 3, 4])
def test_everything_is_on_the_screen(site: Site, opened: Opener, players: int) -> None:
    people = seated(site, "objectif", players)
    play_on(people, MIDDLE)
    mover = _mover(people)
    here = at_table(opened, mover, SHORT)
    until(here.page, MY_BOARD)
    faults, before = _measured(here.page)
    assert faults == {}
    hand = Hand(here, "finger")
    colour, place = mover.look()["legal"][3]["move"].split("@")
    hand.touch(hand.thing(colour))
    hand.touch(hand.thing(place))
    expect(here.page.get_by_test_id("status")).to_contain_text("Tap again to play.")
    assert _measured(here.page) == ({}, before)
    hand.touch(hand.thing(place))
    until(here.page, OTHERS_BOARD)
    assert here.page.evaluate(_BOXES) == before[-1]


@pytest.mark.slow
def test_nothing_moves_while_it_is_played(site: Site, opened: Opener) -> None:
    person = seated(site, "objectif", 1, 3)[0]
    here = at_table(opened, person, SHORT, calm=False)
    until(here.page, MY_BOARD)
    here.page.evaluate("document.fonts.ready")
    here.page.evaluate(_WATCH_SHIFTS)
    hand = Hand(here, "finger")
    for _ in range(2):
        hand.play("objectif", person.look()["legal"][0]["move"])
        until(here.page, OTHERS_BOARD)
        until(here.page, MY_BOARD)
    assert here.page.evaluate("shifts") == []


# ---- The secret


def _card(here: Window) -> Locator:
    return here.page.get_by_role("button", name="Your secret goal")


def _goal(person: Person) -> str:
    seen = person.look()
    return COLOURS[seen["facts"]["goals"][seen["you"]]]


def test_the_secret_opens_by_a_tap_and_hides_by_itself(site: Site, opened: Opener) -> None:
    people = seated(site, "objectif")
    mover = _mover(people)
    here = at_table(opened, mover, SHORT)
    page, card, goal = here.page, _card(here), _goal(mover)
    page.clock.install()
    expect(card).to_contain_text("tap to look")
    card.tap()
    expect(card).to_contain_text(goal)
    expect(page.get_by_role("status").filter(has_text=f"Your secret goal: {goal}")).to_have_count(1)
    page.clock.fast_forward(4_100)
    expect(card).not_to_contain_text(goal)
    card.press("Enter")
    expect(card).to_contain_text(goal)
    card.press("Enter")
    expect(card).not_to_contain_text(goal)
    card.tap()
    card.blur()
    expect(card).not_to_contain_text(goal)
    card.tap()
    expect(card).to_contain_text(goal)
    mover.move()  # elsewhere
    expect(card).not_to_contain_text(goal)
    until(page, MOVE)


# ---- The end


@rotating("players", [2, 3, 4])
def test_goals_are_turned_over_and_all_is_on_the_screen(
    site: Site, opened: Opener, players: int
) -> None:
    people = seated(site, "objectif", players)
    play_on(people, 2000)
    here = at_table(opened, people[0], SHORT)
    page = here.page
    expect(page.locator(WINNER)).not_to_have_count(0)
    until(page, RESULT)
    page.get_by_test_id("result-veil").evaluate(
        "veil => (veil.style.display = 'none')"
    )  # the card over it
    assert _measured(page)[0] == {}
    facts = people[0].look()["facts"]
    for row, goal in enumerate(facts["goals"]):
        figures = page.get_by_test_id("goal").nth(row).get_by_role("cell").all_inner_texts()
        assert [int(each) for each in figures] == facts["counts"][goal]


def test_goals_come_one_by_one_and_the_figures_last(site: Site, opened: Opener) -> None:
    people = seated(site, "objectif")
    play_on(people, 2000)
    here = at_table(opened, people[0], SHORT, calm=False)
    page = here.page
    page.evaluate("""() => {
        window.seen = [];
        const look = () => {
            const table = document.querySelector('[data-testid="goals"]');
            const open = table?.querySelectorAll('[data-testid="turned-goal"]').length ?? 0;
            const told = [...table?.querySelectorAll("td") ?? []].some(each => each.textContent);
            const now = `${open} ${told} ${document.querySelector('[data-lit="true"]') !== null}`;
            if (window.seen.at(-1) !== now) window.seen.push(now);
            requestAnimationFrame(look);
        };
        look();
    }""")
    expect(page.locator(WINNER)).not_to_have_count(0)
    seen = page.evaluate("seen")
    steps = ["0 false false", "1 false false", "2 false false", "2 true true"]
    assert seen == steps[-len(seen) :]
    assert len(seen) > 1
