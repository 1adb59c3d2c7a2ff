"""Hands that play: how a move of each game is made by mouse, by finger, or by keys alone."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from time import sleep
from typing import Any, Literal

from playwright.sync_api import Locator, Page, expect

from tests.browser.selectors import BOARD, CURTAIN, MOVE, MY_BOARD, RESULT, part
from tests.browser.windows import Window
from tests.web.site import Person

MOST = 700  # moves of the longest game that is played here
# What brings a game to its end, by what a move does.
WORTH = {"home": 20, "place": 10, "win": 1, "drop": 1, "hole": 1}

_CENTRE = """element => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""
_UNTIL = """([selector, count]) => new Promise((done, failed) => {
    const end = Date.now() + 20000;
    const look = () => {
        if (document.querySelectorAll(selector).length >= count) done();
        else if (Date.now() > end) failed(new Error(`there are no ${count} of ${selector}`));
        else requestAnimationFrame(look);
    };
    look();
})"""
# Where something is from what has the focus: it itself, further on in the page, or before it.
_WHITHER = """element => {
    const focused = document.activeElement;
    if (element === focused) return "here";
    const before = Node.DOCUMENT_POSITION_PRECEDING;
    return focused.compareDocumentPosition(element) & before ? "Shift+Tab" : "Tab";
}"""


# Of the things around one, that which Tab leads to.
_FIRST_OF = """element => {
    const first = '[data-thing][tabindex="0"]';
    let group = element.parentElement;
    while (!group.querySelector(first)) group = group.parentElement;
    const name = group.querySelector(first).dataset.thing;
    return `[data-testid="board"] [data-thing="${name}"][tabindex="0"]`;
}"""


def until(page: Page, selector: str, count: int = 1) -> None:
    """Wait for what comes next; looked for at every frame, as games have hundreds of moves."""
    page.evaluate(_UNTIL, [selector, count])


@dataclass
class Hand:
    """Somebody's hand at a window: it clicks, it taps, or it goes about by Tab and arrows."""

    window: Window
    by: Literal["mouse", "finger", "keys"] = "mouse"

    @property
    def page(self) -> Page:
        return self.window.page

    def people(self) -> Iterator[tuple[int, Person]]:
        """Whom it plays for, by their seats."""
        for person in self.window.players():
            yield person.look()["you"], person

    # ---- Touching

    def touch(self, thing: Locator) -> None:
        if self.by == "mouse":
            thing.click()
        elif self.by == "finger":
            thing.tap()
        else:
            self._reach(thing)
            self.page.keyboard.press("Enter")

    def touch_surely(self, thing: Locator) -> None:
        """A finger cannot point, so its first tap only shows what would happen."""
        self.touch(thing)
        if self.by == "finger":
            self.touch(thing)

    def _reach(self, thing: Locator) -> None:
        expect(thing).to_be_visible()
        if thing.get_attribute("tabindex") == "-1":
            self._tab_to(self.page.locator(thing.evaluate(_FIRST_OF)))
            self._walk_to(thing)
        else:
            self._tab_to(thing)

    def _tab_to(self, thing: Locator) -> None:
        for _ in range(150):
            way = thing.evaluate(_WHITHER)
            if way == "here":
                return
            self.page.keyboard.press(way)
        raise AssertionError(f"Tab does not lead to {thing}")

    def _walk_to(self, thing: Locator) -> None:
        """Along a grid by arrow keys."""
        target = thing.evaluate(_CENTRE)
        for _ in range(40):
            here = self.page.locator(":focus").evaluate(_CENTRE)
            across, down = target[0] - here[0], target[1] - here[1]
            if abs(across) < 3 and abs(down) < 3:
                return
            if abs(down) >= abs(across):
                self.page.keyboard.press("ArrowDown" if down > 0 else "ArrowUp")
            else:
                self.page.keyboard.press("ArrowRight" if across > 0 else "ArrowLeft")
        raise AssertionError(f"arrows do not lead to {thing}")

    # ---- Moves

    def thing(self, name: str) -> Locator:
        """A place of the board, or whatever else is tapped to choose a move."""
        own = f'{BOARD} {part("own-site")} [data-thing$=":{name}"]'  # among several pyramids
        return self.page.locator(f'{BOARD} [data-thing="{name}"], {own}').first

    def play(self, game: str, move: str) -> None:
        """Make a move at a table, when it is one's turn."""
        until(self.page, MY_BOARD)
        self.make(game, move)

    def make(self, game: str, move: str) -> None:
        """Make a move, as its game's board takes it."""
        getattr(self, f"_play_{game}")(move)

    def _play_objectif(self, move: str) -> None:
        colour, place = move.split("@")
        self.touch(self.thing(colour))
        self.touch_surely(self.thing(place))

    def _play_pyramidis(self, move: str) -> None:
        square, _, count = move.partition("*")
        if square != "pass":
            self.touch(self.thing(square))
            if not self.page.get_by_test_id("sow").count():
                return  # there was nothing more to choose: what was pointed at has been played
        number = self.page.locator(f'{BOARD} [data-count="{count}"]')
        if count and number.count():
            self.touch(number)
        self.touch(self.page.get_by_test_id("sow"))

    def _play_batisseurs(self, move: str) -> None:
        if move in ("roll", "stop"):
            self.touch(self.page.locator(f'{BOARD} [data-move="{move}"]'))
        else:
            self.touch_surely(self.thing(move))

    def _play_quadrille(self, move: str) -> None:
        *pawn, target = re.findall("[a-h][1-6]", move)
        for square in pawn:
            self.touch(self.thing(square))
        self.touch_surely(self.thing(target))


def worth(seen: dict[str, Any]) -> int:
    """How much a legal move brings the game to its end."""
    return sum(WORTH.get(effect[0], 0) for effect in seen["effects"])


def chosen(legal: list[dict[str, Any]], number: int) -> str:
    """A move that gets on; among equals another one each time."""
    turned = legal[7 * number % len(legal) :] + legal[: 7 * number % len(legal)]
    return str(max(turned, key=worth)["move"])


def play_on(game: str, *hands: Hand, by_hand: int = 1) -> int:
    """To the end, one move of so many by hand, the rest by the API; a bot plays where no hand does.

    How many moves were made besides the bot's.
    """
    for hand in hands:
        until(hand.page, BOARD)
        _until_seated(hand)
    at = {seat: (hand, person) for hand in hands for seat, person in hand.people()}
    made = 0
    hand, person = next(iter(at.values()))
    while made < MOST:
        told = person.look()
        if "result" in told:
            break
        if "legal" not in told:
            turn = at.get(told.get("to_move"))
            if turn is None or turn[1] is person:  # a bot's turn, or the dice roll
                sleep(0.02)  # it gets on faster if it is not asked all the time
            else:
                hand, person = turn
            continue
        move = chosen(told["legal"], made)
        if made % by_hand == 0:
            _lift_curtain(hand.page)
            hand.play(game, move)
        else:
            person.do("move", {"move": move, "number": told["number"]})
        until(hand.page, MOVE, len(told.get("moves", ())) + 1)
        made += 1
    for hand in hands:
        until(hand.page, RESULT)
    assert all(hand.page.get_by_test_id("refusal").count() == 0 for hand in hands)
    return made


def _until_seated(hand: Hand) -> None:
    """The stream may bring the board before the answer comes that gives the seat."""
    for _ in range(1000):
        if hand.window.players():
            return
        sleep(0.02)
    raise AssertionError("nobody has a seat at this window")


def _lift_curtain(page: Page) -> None:
    """Where people share a device, and its game has secrets."""
    until(page, f"{MY_BOARD}, {CURTAIN}")
    curtain = page.get_by_test_id("curtain").get_by_role("button")
    if curtain.count():
        curtain.click()
