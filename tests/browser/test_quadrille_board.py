"""Quadrille's board on every screen: all of it in sight, large enough to be touched, at rest."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Opener
from tests.browser.evenings import at_table, seated
from tests.browser.hands import Hand, until
from tests.browser.positions import late
from tests.browser.screenshots import SIZES
from tests.browser.selectors import BOARD, MOVE, MY_BOARD
from tests.browser.test_accessible import play_on
from tests.browser.windows import Window, resize
from tests.sizes import rotating
from tests.web.site import Person, Site

TARGET = 44  # px, what a finger hits

# Where everything is: squares by name, and the rest of what the board shows.
_BOXES = """() => {
    const box = (element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x, y, width, height].map((each) => Math.round(10 * each) / 10);
    };
    const board = document.querySelector('[data-testid="board"]');
    const all = (selector) => [...board.querySelectorAll(selector)];
    const hit = (square) => square.querySelector('[data-testid="hit-area"]');
    return {
        squares: Object.fromEntries(
            all("[data-thing]").map((each) => [each.dataset.thing, box(hit(each))])
        ),
        ledges: all('[data-testid="ledge"]').map(box),
        labels: all("text").map(box),
        board: box(board),
        scrolled: scrollY,
    };
}"""
# What moves on the board, or moves it.
_WATCH_SHIFTS = """() => {
    window.shifted = 0;
    const play = document.querySelector('[data-testid="board-area"]');
    const moves = ({ node }) => node && (play.contains(node) || node.contains(play));
    new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries())
            if (sources.some(moves)) window.shifted += value;
    }).observe({ type: "layout-shift" });
}"""
_SHIFTED = """() => new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(() => done(window.shifted))))"""


def _boxes(here: Window) -> dict[str, Any]:
    boxes: dict[str, Any] = here.page.evaluate(_BOXES)
    return boxes


def _out_of_sight(here: Window, boxes: dict[str, Any]) -> list[Any]:
    """What is not wholly on the board's part of the screen."""
    assert here.page.viewport_size
    left, top, width, height = boxes["board"]
    right = min(left + width, here.page.viewport_size["width"])
    low = min(top + height, here.page.viewport_size["height"])
    things = [*boxes["squares"].values(), *boxes["ledges"], *boxes["labels"]]
    return [
        (x, y, w, h)
        for x, y, w, h in things
        if x < left or y < top or x + w > right + 0.5 or y + h > low + 0.5
    ]


def _mover(people: list[Person], kind: str) -> Person:
    """Whoever is to move, when moves of a kind are to be made."""
    for _ in range(4):
        mover = people[people[0].look()["to_move"]]
        if re.match(kind, mover.look()["legal"][0]["move"]):
            return mover
        mover.move(3)
    raise AssertionError(f"no move is like {kind}")


def _shown(here: Window, look: str) -> Locator:
    return here.page.locator(f'{BOARD} [data-look="{look}"]')


def _resized(here: Window, size: str) -> None:
    width, height = SIZES[size]
    resize(here.page, (width, height))
    here.page.evaluate(_SHIFTED)  # when it has been drawn anew


@pytest.mark.slow
def test_everything_is_in_sight_and_at_rest(site: Site, opened: Opener) -> None:
    people = seated(site, "quadrille")
    play_on(people, 16)
    mover = _mover(people, "[a-h]")
    here = at_table(opened, mover, language="fr-FR")  # whose words are longer
    hand = Hand(here, "finger")
    until(here.page, MY_BOARD)
    pawn, target = re.findall("[a-h][1-6]", mover.look()["legal"][0]["move"])
    for size in SIZES:
        _resized(here, size)
        before = _boxes(here)
        assert _out_of_sight(here, before) == [], size
        least = min(min(width, height) for _, _, width, height in before["squares"].values())
        assert least >= TARGET, size
        for square in (pawn, target):
            hand.touch(hand.thing(square))
        expect(_shown(here, "chosen")).to_have_count(2)
        after = _boxes(here)
        assert [each for each in before["labels"] if each not in after["labels"]] == [], size
        assert after | {"labels": []} == before | {"labels": []}, size
        assert _out_of_sight(here, after) == [], size
        line = here.page.get_by_test_id("status-text")
        assert line.evaluate("line => line.scrollHeight <= line.clientHeight"), size
        here.page.keyboard.press("Escape")
    _resized(here, "short")
    here.page.evaluate(_WATCH_SHIFTS)
    for _ in range(2):  # a step and a token, and what is answered
        seen = mover.look()
        hand.play("quadrille", seen["legal"][0]["move"])
        until(here.page, MOVE, len(seen["moves"]) + 1)
    play_on(people, 2)
    until(here.page, MY_BOARD)
    assert here.page.evaluate(_SHIFTED) == 0


def test_the_pawns_that_cannot_step_are_shown_at_the_end(site: Site, opened: Opener) -> None:
    people = seated(site, "quadrille", **late("quadrille", 6))
    play_on(people, 3000)
    result = people[0].look()["result"]
    assert result["reason"] == "cannot-step"
    here = at_table(opened, people[0])
    for size in ("short", "sideways"):
        _resized(here, size)
        expect(_shown(here, "stuck")).to_have_count(2)
        assert _out_of_sight(here, _boxes(here)) == [], size
    colour = ("white", "black")[result["shares"].index(0)]
    stuck = here.page.get_by_role("button", name="cannot step any more")
    for each in stuck.all():
        assert f"{colour} pawn" in (each.get_attribute("aria-label") or "")


@pytest.mark.slow
def test_a_first_tap_shows_and_a_second_one_plays(site: Site, opened: Opener) -> None:
    people = seated(site, "quadrille")
    here = at_table(opened, people[0])
    hand = Hand(here, "finger")
    line = here.page.get_by_test_id("status")
    for kind, said in (
        ("@", "Tap again to put a pawn on"),
        ("[a-h]", "Tap again to step to"),
        (r"\+", "Tap again to place it on"),
    ):
        while "legal" not in people[0].look() or not re.match(
            kind, people[0].look()["legal"][0]["move"]
        ):
            people[people[0].look()["to_move"]].move(5)
        until(here.page, MOVE, len(people[0].look().get("moves", ())))
        until(here.page, MY_BOARD)
        seen = people[0].look()
        *pawn, target = re.findall("[a-h][1-6]", seen["legal"][0]["move"])
        for square in [*pawn, target]:
            hand.touch(hand.thing(square))
        expect(line).to_contain_text(f"{said} {target}.")
        assert people[0].look()["number"] == seen["number"]
        hand.touch(hand.thing(target))
        until(here.page, MOVE, len(seen.get("moves", ())) + 1)


# How the picture is being turned, in ms; none if it is not.
_TURNED = """() => document.querySelector('[data-testid="places"]').getAnimations()
    .map((each) => each.effect.getTiming().duration)"""
_AT_REST = """async () => {
    const places = document.querySelector('[data-testid="places"]');
    for (const each of places.getAnimations()) await each.finished;
}"""


@pytest.mark.slow
@rotating("calm", [False, True])
def test_the_board_is_turned(site: Site, opened: Opener, calm: bool) -> None:
    here = at_table(opened, seated(site, "quadrille")[0], calm=calm)
    before = [_place(here, square) for square in ("a1", "h1", "h6", "a6")]
    assert here.page.evaluate(_TURNED) == []
    here.page.get_by_role("button", name="Menu").tap()
    here.page.get_by_role("button", name="Turn the board").tap()
    turned = here.page.evaluate(_TURNED)
    assert turned == [] if calm else [0 < each <= 250 for each in turned] == [True]
    here.page.evaluate(_AT_REST)
    assert [_place(here, square) for square in ("h6", "a6", "a1", "h1")] == before


def _place(here: Window, square: str) -> tuple[float, float]:
    """Where a square is on the board."""
    boxes = _boxes(here)
    (x, y, *_), (left, top, *_) = boxes["squares"][square], boxes["board"]
    return round(x - left), round(y - top)
