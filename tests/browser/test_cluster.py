"""Through the nginx of several servers: they die, and nobody who plays has to do anything.

Only in long runs: what a page does then is tested in `test_faults.py`, servers in `tests/deploy/`.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from playwright.sync_api import Browser, expect

from deploy.cluster import Cluster
from tests.browser.hands import Hand, until
from tests.browser.selectors import MOVE, THING
from tests.browser.windows import window
from tests.deploy.conftest import directory
from tests.store.postgres import QUICK
from tests.web.site import Person, Site, eventually

__all__ = ["directory"]

pytestmark = [pytest.mark.long, pytest.mark.slow]


@pytest.fixture(scope="module")
def cluster(directory: Path) -> Iterator[Cluster]:
    with Cluster(directory, options=("--rate", "0"), settings=QUICK) as cluster:
        yield cluster


class Match:
    """People at windows of their own, and perhaps a bot, at one table."""

    def __init__(self, browser: Browser, site: Site, stack: ExitStack, *people: Person) -> None:
        self._people = people
        self._hands = [Hand(stack.enter_context(window(browser, site))) for _ in people]
        for person, hand in zip(people, self._hands, strict=True):
            hand.window.take(person)
            until(hand.page, THING)

    @property
    def moves(self) -> list[str]:
        return list(self._people[0].look().get("moves", ()))

    def play(self, moves: int) -> None:
        """So many by hand, by whoever's turn it is; everybody sees each."""
        for _ in range(moves):
            self.wait_for_bot()
            made = [*self.moves, self._move()]
            self._until_stored(made)
            self.see()

    def _move(self) -> str:
        for person, hand in zip(self._people, self._hands, strict=True):
            seen = person.look()
            if "legal" in seen:
                move = min((str(each["move"]) for each in seen["legal"]), key=_from_the_middle)
                hand.play("quadrille", move)
                return move
        raise AssertionError("nobody here is to move")

    def _until_stored(self, made: list[str]) -> None:
        eventually(lambda: self.moves[: len(made)] == made, "it is stored")

    def wait_for_bot(self) -> None:
        eventually(lambda: any("legal" in each.look() for each in self._people), "a person's turn")

    def see(self) -> None:
        """Everybody sees what there is, and that all is well."""
        for hand in self._hands:
            until(hand.page, MOVE, len(self.moves))
            expect(hand.page.get_by_test_id("connection-lost")).to_have_count(0)
            expect(hand.page.get_by_test_id("refusal")).to_have_count(0)


def _from_the_middle(move: str) -> float:
    """How far it leads from there. In a corner even a weak bot may win on its second turn."""
    return abs(ord(move[-2]) - ord("d") - 0.5) + abs(int(move[-1]) - 3.5)


def test_two_people_whose_servers_die(browser: Browser, cluster: Cluster) -> None:
    with httpx.Client(base_url=cluster.address, timeout=60) as http, ExitStack() as stack:
        site = Site(http, cast(Any, None))
        match = Match(browser, site, stack, *site.table("quadrille"))
        match.play(2)
        for server in cluster.servers:  # each of them, so that also that of their streams
            cluster.kill(server)
            match.play(3)
            cluster.start(server)
        match.play(1)


def test_a_bot_whose_server_dies(browser: Browser, cluster: Cluster) -> None:
    with httpx.Client(base_url=cluster.address, timeout=60) as http, ExitStack() as stack:
        site = Site(http, cast(Any, None))
        table = site.open("quadrille", seats=[{}, {"bot": 1}])
        match = Match(browser, site, stack, site.sit(table, 0))
        match.play(2)
        match.wait_for_bot()
        cluster.kill("think")
        match.play(1)
        known = match.moves
        cluster.start("think")
        match.wait_for_bot()
        assert match.moves[: len(known)] == known
        match.play(2)
