"""The board of Bâtisseurs: on every screen, for any number, and for whoever cannot read."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.evenings import FIRST, PHONE, at_table, seated
from tests.browser.hands import Hand, until
from tests.browser.positions import near_end
from tests.browser.selectors import BOARD, MOVE, MY_BOARD, RESULT
from tests.browser.test_accessible import play_on
from tests.browser.windows import resize
from tests.sizes import LONG, rotating
from tests.web.site import Person, Site

GAME = "batisseurs"
SCREENS = ((390, 664), (390, 844), (320, 640), (844, 390), (768, 1024), (1440, 900))
LEAST = 44  # px of whatever is tapped

# What is wrong on a screen: things that are not wholly on it, or too small to be tapped.
_WRONG = """least => {
    const wrong = [];
    const board = document.querySelector('[data-testid="board"]');
    if (board.scrollHeight > board.clientHeight || board.scrollWidth > board.clientWidth)
        wrong.push("the board is longer than its box");
    if (scrollX || scrollY) wrong.push("the page is scrolled");
    const room = board.getBoundingClientRect();
    const parts = ["own-site", "other-site", "dice", "die-slot"];
    const named = parts.map(name => `[data-testid="${name}"]`);
    const seen = [...named, "[data-thing]", "[data-move]"].join(", ");
    for (const each of board.querySelectorAll(seen)) {
        const box = each.getBoundingClientRect();
        const name = each.dataset.thing ?? each.dataset.move ?? each.outerHTML.slice(0, 40);
        const inside = box.left >= room.left - 1 && box.right <= room.right + 1
            && box.top >= room.top - 1 && box.bottom <= room.bottom + 1
            && box.bottom <= innerHeight && box.right <= innerWidth;
        if (!inside) wrong.push(`${name} is outside`);
        if (!each.matches("[data-thing], [data-move]")) continue;
        if (Math.min(box.width, box.height) < least - 0.5)
            wrong.push(`${name} is ${box.width} by ${box.height}`);
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        if (!each.contains(document.elementFromPoint(x, y))) wrong.push(`${name} is covered`);
    }
    const line = document.querySelector('[data-testid="status"]').getBoundingClientRect();
    if (line.bottom > innerHeight || line.height < 20) wrong.push("the line is off the screen");
    return wrong;
}"""
# Where everything lies whose place is always the same.
_PLACES = """() => {
    const named = ["die-slot", "other-site", "status", "seat"]
        .map(name => `[data-testid="${name}"]`);
    const own = '[data-testid="own-site"] [data-thing]';
    return [...document.querySelectorAll([own, ...named, "[data-move]"].join(", "))].map(each => {
        const { x, y, width, height } = each.getBoundingClientRect();
        return [x, y, width, height].map(Math.round).join(" ");
    });
}"""
# How much of the board has been seen to shift since it was asked for, other than by being resized.
_WATCH_SHIFTS = """() => {
    window.shifted = [];
    const board = document.querySelector('[data-testid="board"]');
    const onBoard = node => board.contains(node);
    new PerformanceObserver(list => {
        for (const { sources } of list.getEntries())
            for (const { node } of sources) if (onBoard(node)) shifted.push(node.outerHTML);
    }).observe({ type: "layout-shift" });
}"""
_SHIFTED = "new Promise(done => requestAnimationFrame(() => setTimeout(() => done(shifted))))"


def _wrong(page: Page, size: tuple[int, int]) -> list[str]:
    resize(page, size)
    expect(page.get_by_test_id("own-site")).to_be_visible()
    found: list[str] = page.evaluate(_WRONG, LEAST)
    return found


def _legal(person: Person) -> list[str]:
    return [each["move"] for each in person.look().get("legal", ())]


def _until_a_block_may_be_placed(people: list[Person]) -> Person:
    """In the middle of a game, whoever is to place a block."""
    play_on(people, 40)
    while True:
        mover = people[people[0].look()["to_move"]]
        if set(_legal(mover)) - {"roll", "stop"}:
            return mover
        play_on(people, 1)


@pytest.mark.slow
@rotating("players", [2, 3, 4])
def test_everything_is_on_every_screen(site: Site, opened: Opener, players: int) -> None:
    people = seated(site, GAME, players)
    mover = _until_a_block_may_be_placed(people)
    here = at_table(opened, mover, calm=True)
    until(here.page, MY_BOARD)
    assert {size: found for size in SCREENS if (found := _wrong(here.page, size))} == {}
    assert here.page.get_by_test_id("other-site").count() == players - 1
    resize(here.page, PHONE)
    before = here.page.evaluate(_PLACES)

    Hand(here, "finger").thing(_legal(mover)[0]).tap()

    expect(here.page.get_by_test_id("status")).to_contain_text("Tap again")
    assert here.page.evaluate(_PLACES) == before
    small = [(320, 640), (844, 390)]
    assert {size: found for size in small if (found := _wrong(here.page, size))} == {}
    resize(here.page, PHONE)
    here.page.evaluate(_WATCH_SHIFTS)
    play_on(people, 12)  # other turns come, and what is said changes
    until(here.page, MOVE, len(people[0].look()["moves"]))
    assert here.page.evaluate(_PLACES) == before
    assert here.page.evaluate(_SHIFTED) == []


# ---- Without reading

# What a picture on the board invites to, by what can be tapped there; nothing that is written.
_INVITED = """() => {
    const board = document.querySelector('[data-testid="board"][data-your-turn="true"]');
    const all = selector => [...board?.querySelectorAll(selector) ?? []];
    return {
        places: all('[data-thing]:has([data-testid="may-build"])').map(each => each.dataset.thing),
        moves: all('[data-move][aria-disabled="false"]').map(each => each.dataset.move),
    };
}"""


@pytest.mark.slow
def test_a_child_plays_without_reading(site: Site, opened: Opener) -> None:
    """By touch to the end: where there is a frame a block goes, then one of the two pictures."""
    begin: dict[str, Any] = {"options": FIRST} if LONG else {"position": near_end(GAME, 50)}
    child = seated(site, GAME, 1, 1, **begin)[0]
    here = at_table(opened, child, PHONE)
    rolls = 0
    while True:
        until(here.page, f"{MY_BOARD}, {RESULT}")
        if here.page.get_by_test_id("result").count():
            break
        invited: dict[str, list[str]] = here.page.evaluate(_INVITED)
        before = len(child.look().get("moves", ()))
        if invited["places"]:
            place = here.page.locator(f'{BOARD} [data-thing="{invited["places"][-1]}"]')
            _is_large(place.bounding_box())
            place.tap()
            expect(
                place.get_by_test_id("preview-block")
            ).to_be_visible()  # what a second tap will do
            place.tap()
        elif invited["moves"]:
            bold = "roll" in invited["moves"] and rolls % 3 == 2
            choice = here.page.locator(f'{BOARD} [data-move="{"roll" if bold else "stop"}"]')
            expect(choice.locator("svg")).to_be_visible()
            _is_large(choice.bounding_box())
            choice.tap()
            rolls += 1
        else:
            continue  # the turn has just passed
        until(here.page, MOVE, before + 1)
    assert child.look()["result"]["reason"] == "complete"
    assert rolls


def _is_large(box: Any) -> None:
    assert box
    assert min(box["width"], box["height"]) >= LEAST
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= PHONE[1]


# ---- What is told of a throw in vain


def _in_vain(effects: list[list[Any]]) -> bool:
    return any(kind == "bust" for kind, *_ in effects)


def test_a_throw_in_vain_has_words_and_a_picture(site: Site, opened: Opener) -> None:
    ann, bob = seated(site, GAME, options=FIRST)
    here = at_table(opened, ann)
    people = [ann, bob]
    while True:  # until Bob has thrown in vain after he had built something
        seat = ann.look()["to_move"]
        moves = _legal(people[seat])
        wanted = "roll" if seat else "stop"
        people[seat].do(
            "move",
            {
                "move": wanted if wanted in moves else moves[0],
                "number": people[seat].look()["number"],
            },
        )
        steps = site.get(f"tables/{ann.table}/history")["steps"]
        busts = [at for at, step in enumerate(steps) if _in_vain(step["effects"])]
        if busts and "lose" in [effect[0] for effect in steps[busts[-1]]["effects"]]:
            break
    lost = sum(effect[0] == "lose" for effect in steps[busts[-1]]["effects"])
    told = f"Nothing fits: {lost} block{'s' if lost > 1 else ''} lost"
    logged = here.page.get_by_test_id("move").nth(busts[-1])
    expect(logged).to_contain_text(told)
    expect(logged).to_contain_text("Bob:")
    expect(here.page.get_by_test_id("status")).to_contain_text(told)
    expect(here.page.get_by_test_id("other-site").get_by_test_id("broken-block")).to_be_visible()
