"""Whatever fails on the way: the table comes back right, and a move is made once."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from benben.core.registry import names
from tests.browser.conftest import Opener
from tests.browser.faults import KINDS, STRANGERS, Proxy, bad_connection, upstream
from tests.browser.hands import Hand, until, worth
from tests.browser.selectors import MOVE, MOVE_LOG, MY_BOARD, MY_THING, OTHERS_BOARD
from tests.browser.windows import Window, hide, window
from tests.sizes import LONG, rotating
from tests.web.site import Person, Site, eventually, serving

# What a page waits for takes a tenth of the time: that it is not connected is told after 0.15
# seconds, and what hangs is given up after one. But a stream may be silent for as long as ever.
_HASTE = """
    const { setTimeout, AbortSignal } = window, { timeout } = AbortSignal;
    const less = (ms) => ms > 20000 ? ms : ms / 10;
    window.setTimeout = (done, ms = 0, ...more) => setTimeout(done, less(ms), ...more);
    AbortSignal.timeout = (ms) => timeout.call(AbortSignal, less(ms));
"""
_LABELS = """() => [...document.querySelectorAll('[data-testid="board"] [data-thing]')].map(
    thing => `${thing.dataset.thing}: ${thing.getAttribute("aria-label")}`)"""


@dataclass
class Match:
    """Ann plays at a window whose connection is bad; on another, it is not. Bob plays elsewhere."""

    game: str
    ann: Person
    bob: Person
    here: Window
    there: Window
    proxy: Proxy

    @property
    def moves(self) -> list[str]:
        return list(self.ann.look().get("moves", ()))

    def until_rolled(self) -> None:
        eventually(lambda: "to_move" in self.ann.look(), "dice have rolled")

    def until_turn_of(self, person: Person) -> None:
        """The other plays meanwhile, or dice roll."""
        while "legal" not in person.look():
            self.move()

    def move(self) -> None:
        """Whoever's turn it is moves, far from this window."""
        self.until_rolled()
        for person in (self.ann, self.bob):
            if "legal" in (seen := person.look()):
                person.do("move", {"move": _slow(seen), "number": seen["number"]})
                return
        raise AssertionError("the game is over too soon")

    def choose(self) -> list[str]:
        """When it is Ann's turn and all is well: the moves so far, and hers."""
        self.until_turn_of(self.ann)
        self.settle()
        seen = self.ann.look()
        return [*seen.get("moves", ()), _slow(seen)]

    def settle(self) -> None:
        """What is shown is what the house knows, and what a page shows that was never cut off."""
        self.until_rolled()
        for each in (self.here, self.there):
            until(each.page, f"{MOVE}, {MOVE_LOG}", len(self.moves) + 1)
            until(each.page, MY_BOARD if "legal" in self.ann.look() else OTHERS_BOARD)
        shown = [
            each.page.get_by_test_id("move-text").all_text_contents() for each in self._windows
        ]
        assert shown == [self.moves] * 2
        eventually(lambda: self._labels(self.here) == self._labels(self.there), "boards are alike")
        assert self.here.tokens() == [self.ann.token]
        expect(self.here.page.get_by_test_id("connection-lost")).to_have_count(0)
        expect(self.here.page.get_by_test_id("refusal")).to_have_count(0)
        eventually(lambda: not self.proxy.due, "every fault was met")

    @property
    def _windows(self) -> tuple[Window, Window]:
        return self.here, self.there

    def _labels(self, at: Window) -> list[str]:
        labels: list[str] = at.page.evaluate(_LABELS)
        return labels

    def made_once(self, expected: list[str]) -> None:
        """What is expected happened, and nothing else but throws."""
        eventually(lambda: len(self.moves) >= len(expected), "the move is stored")
        self.settle()
        assert self.moves[: len(expected)] == expected
        assert expected[-1] not in self.moves[len(expected) :]


def _slow(seen: dict[str, Any]) -> str:
    """A move that hardly brings the game to its end: builders stop as soon as they may."""
    moves = {str(each["move"]): worth(each) for each in seen["legal"]}
    return "stop" if "stop" in moves else min(moves, key=moves.__getitem__)


@contextmanager
def _hasty(browser: Browser, site: Site, **how: Any) -> Iterator[tuple[Window, Proxy]]:
    """A window that is impatient, whose connection is bad."""
    with (
        bad_connection(str(site.http.base_url)) as (proxy, address),
        httpx.Client(base_url=address) as http,
        window(browser, Site(http, site.state), **how) as here,
    ):
        here.context.add_init_script(f"{{{_HASTE}}}")
        yield here, proxy


@pytest.mark.long
@pytest.mark.parametrize("game", names())
def test_a_game_over_a_bad_connection(
    browser: Browser, site: Site, opened: Opener, game: str
) -> None:
    ann, bob = site.table(game, players=2)
    there = opened()
    there.take(ann)
    with _hasty(browser, site) as (here, proxy):
        match = Match(game, ann, bob, here, there, proxy)
        match.until_turn_of(ann)
        _open(match)
        _move(match)
        _be_hidden(match)
        _be_away(match)


def _open(match: Match) -> None:
    match.proxy.spoil(r"/events$", *STRANGERS, *KINDS)
    match.proxy.spoil(r"/history$", "504", "cut", "200")
    match.here.take(match.ann)
    expect(match.here.page.get_by_role("status")).to_have_text("Connecting…")
    match.settle()


def _move(match: Match) -> None:
    """Sent again until it is known to be stored; of what comes next half is lost."""
    for kind in KINDS:
        moves = match.choose()
        match.proxy.spoil(r"/move$", kind, method="POST")
        match.proxy.spoil(r"/move$", kind, method="POST", after=True)
        if kind in ("502", "cut"):  # the stream cannot tell of it either
            match.proxy.cut()
            match.proxy.spoil(r"/events$", kind)
        Hand(match.here).play(match.game, moves[-1])
        match.made_once(moves)
        match.proxy.halving = True
        match.proxy.spoil(r"/events$", "cut" if kind == "hung" else kind)
        match.move()
        eventually(lambda: not match.proxy.halving, "the stream was cut")
        match.settle()
    moves = match.choose()
    match.proxy.mute()
    match.proxy.spoil(r"/move$", *STRANGERS, method="POST")
    Hand(match.here).play(match.game, moves[-1])
    match.made_once(moves)


def _be_hidden(match: Match) -> None:
    """It is Ann's turn: a tab that nobody sees tells it in its title, though its stream fails."""
    page = match.here.page
    match.until_turn_of(match.bob)
    match.settle()
    hide(page, True)
    match.proxy.spoil(r"/events$", *KINDS)
    match.proxy.cut()
    match.until_turn_of(match.ann)
    expect(page).to_have_title(re.compile("^● "))
    hide(page, False)
    match.settle()


def _be_away(match: Match) -> None:
    """The page says so, and a move that is made meanwhile is not lost."""
    page, lost = match.here.page, match.here.page.get_by_test_id("connection-lost")
    moves = match.choose()
    where = page.get_by_test_id("board").bounding_box()
    match.proxy.leave()
    expect(lost).to_be_visible()
    assert page.get_by_test_id("board").bounding_box() == where
    expect(lost).to_have_text("Connection lost. Reconnecting…")
    expect(page.get_by_role("status").filter(has=lost)).to_have_count(1)
    expect(page.get_by_test_id("status-lead")).to_have_text("Connection lost. Reconnecting…")
    Hand(match.here).play(match.game, moves[-1])
    expect(page.get_by_test_id("status-lead")).to_have_text("Sending your move…")
    hide(page, True)
    hide(page, False)
    match.proxy.away = False
    match.made_once(moves)


@pytest.mark.slow
def test_a_server_that_restarts(browser: Browser, tmp_path: Path) -> None:
    """All at once: everybody has tapped a move while it was away. In a short run, in two."""
    with ExitStack() as stack:
        first = stack.enter_context(serving(tmp_path))
        tables = []
        for game in names() if LONG else names()[:2]:
            here, proxy = stack.enter_context(_hasty(browser, first))
            people = first.table(game, players=2)
            ann = next(person for person in people if "legal" in person.look())
            here.take(ann)
            until(here.page, MY_THING)
            seen = ann.look()
            tables.append((game, ann, here, proxy, [*seen.get("moves", ()), _slow(seen)]))
        first.stop()
        for game, _, here, _, moves in tables:
            expect(here.page.get_by_test_id("connection-lost")).to_be_visible()
            Hand(here).play(game, moves[-1])
        again = stack.enter_context(serving(tmp_path))
        for _, ann, here, proxy, moves in tables:
            proxy.upstream = upstream(str(again.http.base_url))
            until(here.page, MOVE, len(moves))
            expect(here.page.get_by_test_id("connection-lost")).to_have_count(0)
            known = Person(again, ann.table).look()["moves"]
            assert known[: len(moves)] == moves
            expect(here.page.get_by_test_id("move-text")).to_have_text(known)
            assert here.tokens() == [ann.token]


@pytest.mark.slow
def test_two_on_one_device_over_a_bad_connection(browser: Browser, site: Site) -> None:
    """What each of them may see is asked for, besides the stream."""
    people = site.table("quadrille")
    with _hasty(browser, site) as (here, proxy):
        for person in people:
            here.visit("/")
            here.take(person)
        until(here.page, MY_THING)
        proxy.spoil(r"/tables/mine$", *STRANGERS, *KINDS)
        here.page.reload()
        for number, kind in enumerate(KINDS):
            person = people[number % 2]
            proxy.spoil(r"/tables/[\w-]+$", kind)
            proxy.spoil(r"/move$", kind, method="POST", after=True)
            Hand(here).play("quadrille", _slow(person.look()))
            until(here.page, MOVE, number + 1)
        until(here.page, MY_BOARD)
        eventually(lambda: not proxy.due, "every fault was met")
        expect(here.page.get_by_test_id("move-text")).to_have_text(people[0].look()["moves"])
        assert sorted(here.tokens()) == sorted(person.token for person in people)


@rotating("game", names())
def test_a_part_of_the_page_that_fails_to_load(browser: Browser, site: Site, game: str) -> None:
    """Board and words come by themselves, with their styles."""
    ann, bob = site.table(game, players=2)
    with _hasty(browser, site, language="fr-FR") as (here, proxy):
        proxy.spoil(r"/assets/fr-[^/]*\.js", "cut", "504")
        proxy.spoil(r"/assets/Board-[^/]*\.js", "502", "cut")
        proxy.spoil(r"/assets/Board-[^/]*\.css", "cut")
        proxy.spoil(r"/assets/choosing\.svelte-[^/]*\.js", "cut", "500")  # which the others need
        here.take(ann if "legal" in ann.look() else bob)
        until(here.page, MY_THING)
        expect(here.page.locator("html")).to_have_attribute("lang", "fr")
        expect(here.page.get_by_test_id("status-lead")).to_have_text("À vous de jouer")
        eventually(lambda: not proxy.due, "every fault was met")
