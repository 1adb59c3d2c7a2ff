"""Hands that play: how a move of each game is made by taps, or by keys alone."""

import re
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from tests.browser.windows import Window
from tests.web.site import Person

_CENTRE = """element => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""


@dataclass
class Hand:
    """Somebody's hand at a window: it touches things, or goes to them by Tab and arrows."""

    window: Window
    by_keys: bool = False

    @property
    def page(self) -> Page:
        return self.window.page

    def touch(self, thing: Locator) -> None:
        if not self.by_keys:
            thing.click()
            return
        self._reach(thing)
        self.page.keyboard.press("Enter")

    def _reach(self, thing: Locator) -> None:
        """With Tab to the thing, or to the grid it is in, and then along by arrows."""
        expect(thing).to_be_visible()
        reached = "element => element === document.activeElement"
        for _ in range(120):
            if thing.evaluate(reached):
                return
            if thing.get_attribute("tabindex") == "-1" and self._walk(thing):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the keyboard does not get to {thing}")

    def _walk(self, thing: Locator) -> bool:
        """Along a grid to one of its places, once one of them has the focus."""
        target = thing.evaluate(_CENTRE)
        for _ in range(40):
            focused = self.page.locator(".board [data-place]:focus")
            if focused.count() == 0:
                return False
            here = focused.evaluate(_CENTRE)
            across, down = target[0] - here[0], target[1] - here[1]
            if abs(across) < 3 and abs(down) < 3:
                return True
            if abs(down) >= abs(across):
                self.page.keyboard.press("ArrowDown" if down > 0 else "ArrowUp")
            else:
                self.page.keyboard.press("ArrowRight" if across > 0 else "ArrowLeft")
        return False

    def place(self, name: str) -> Locator:
        return self.page.locator(f'.board [data-place="{name}"]')

    def play(self, game: str, move: str) -> None:
        """Make a move, as its game's board takes it."""
        getattr(self, f"_play_{game}")(move)

    def _play_objectif(self, move: str) -> None:
        colour, place = move.split("@")
        self.touch(self.page.locator(f'.board [data-colour="{colour}"]'))
        self.touch(self.place(place))

    def _play_pyramidis(self, move: str) -> None:
        square, _, count = move.partition("*")
        if square != "pass":
            self.touch(self.place(square))
        if count:
            self.touch(self.page.locator(f'.board [data-count="{count}"]'))
        self.touch(self.page.locator(".board .sow"))

    def _play_batisseurs(self, move: str) -> None:
        if move in ("roll", "stop"):
            self.touch(self.page.locator(f'.board [data-move="{move}"]'))
        else:
            self.touch(self.place(move))

    def _play_quadrille(self, move: str) -> None:
        for square in re.findall("[a-h][1-6]", move):
            self.touch(self.place(square))


def play_out(hand: Hand, game: str, other: Person | None = None, most: int = 400) -> None:
    """A whole game: our moves by hand; the other seat's over HTTP, or by a bot that plays there."""
    me = hand.window.player()
    for number in range(most):
        seen = me.look()
        if "result" in seen:
            break
        if seen.get("legal"):
            legal = [each["move"] for each in seen["legal"]]
            hand.play(game, legal[(7 * number) % len(legal)])
            expect(hand.page.locator(".log li button")).not_to_have_count(len(seen["moves"]))
        elif other is not None:
            other.move(number)
        else:
            hand.page.wait_for_timeout(20)
    expect(hand.page.locator(".result")).to_be_visible()
