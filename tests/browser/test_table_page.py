"""All that a table offers besides its board."""

import re
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.evenings import from_menu
from tests.browser.hands import Hand, until
from tests.browser.selectors import CURRENT_MOVE, MY_THING
from tests.browser.windows import DESKTOP, PHONE, Window
from tests.sizes import rotating
from tests.web.site import Person, Site


@pytest.fixture
def at_table(site: Site, opened: Opener) -> tuple[Window, Person]:
    """Somebody at a window, with somebody elsewhere who has the other seat."""
    ann, bob = site.table()
    here = opened(DESKTOP)
    here.take(ann)
    expect(here.page.get_by_text("Your turn").first).to_be_visible()
    return here, bob


def test_looking_back_and_forward_at_any_time(at_table: tuple[Window, Person]) -> None:
    here, bob = at_table
    here.player().move()
    bob.move()
    page = here.page
    expect(page.get_by_test_id("move")).to_have_count(2)
    page.get_by_role("button", name="Previous move").click()
    expect(page.get_by_text("Looking back")).to_be_visible()
    expect(page.locator(CURRENT_MOVE).get_by_test_id("move-text")).to_have_text("@a1")
    here.player().move()  # elsewhere; whoever looks back is not torn away
    expect(page.get_by_test_id("move")).to_have_count(3)
    expect(page.locator(CURRENT_MOVE).get_by_test_id("move-text")).to_have_text("@a1")
    page.keyboard.press("]")
    page.keyboard.press("]")
    expect(page.get_by_text("Looking back")).to_be_hidden()
    expect(page.locator(CURRENT_MOVE)).to_have_count(1)
    page.get_by_role("button", name="Start of the game").click()
    expect(page.locator(CURRENT_MOVE)).to_have_count(0)
    page.get_by_test_id("status").get_by_role("button", name="Current position").click()
    expect(page.get_by_text("Looking back")).to_be_hidden()


def test_talk_and_not_hearing_somebody(at_table: tuple[Window, Person]) -> None:
    here, bob = at_table
    page = here.page
    page.get_by_label("Write a message").fill("good evening")
    page.keyboard.press("Enter")
    expect(page.get_by_text("good evening")).to_be_visible()
    bob.do("chat", {"text": "<b>bonsoir</b>"})
    expect(page.get_by_text("<b>bonsoir</b>")).to_be_visible()
    page.get_by_role("button", name="Mute Ann1").click()
    expect(page.get_by_text("<b>bonsoir</b>")).to_be_hidden()
    page.get_by_role("button", name="Unmute Ann1").click()
    expect(page.get_by_text("<b>bonsoir</b>")).to_be_visible()


def test_strangers_talk_in_phrases(site: Site, opened: Opener) -> None:
    ann, _ = site.table(listed=True)
    here = opened(PHONE)
    here.take(ann)
    here.page.get_by_role("button", name="Good luck!").click()
    expect(
        here.page.get_by_test_id("chat-lines").get_by_role("listitem").get_by_text("Good luck!")
    ).to_be_visible()
    expect(here.page.get_by_label("Write a message")).to_have_count(0)


def test_resigning_asks_first_and_can_be_thought_better_of(
    at_table: tuple[Window, Person],
) -> None:
    here, bob = at_table
    page = here.page
    dialog = page.get_by_role("dialog")
    from_menu(here, "Resign")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    from_menu(here, "Resign")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert "result" not in bob.look()
    from_menu(here, "Resign")
    dialog.get_by_role("button", name="Resign").click()
    expect(page.get_by_role("heading", name="You lost")).to_be_visible()
    expect(page.get_by_test_id("result").get_by_text("Ann1 wins")).to_be_visible()
    expect(page.get_by_test_id("result").get_by_text("Ann0 resigned.")).to_be_visible()


@rotating("by", ["mouse", "finger", "keys"])
def test_every_move_can_ask_to_be_confirmed(
    site: Site, opened: Opener, by: Literal["mouse", "finger", "keys"]
) -> None:
    ann, _ = site.table()
    here = opened(PHONE if by == "finger" else DESKTOP)
    here.take(ann)
    page = here.page
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Confirm every move").check()
    page.get_by_role("button", name="Close").click()
    hand = Hand(here, by)
    until(page, MY_THING)
    hand.touch(hand.thing("a1"))
    hand.touch(hand.thing("b1"))  # something else after all
    assert "moves" not in ann.look()
    hand.touch(hand.thing("b1"))
    expect(page.get_by_test_id("move-text")).to_have_text(["@b1"])


def test_the_seat_goes_to_another_device_by_its_private_link(
    at_table: tuple[Window, Person], opened: Opener
) -> None:
    here, _ = at_table
    from_menu(here, "Share")
    token = here.tokens()[0]
    assert token not in here.page.content()
    here.page.get_by_role("button", name="Show", exact=True).click()
    address = here.page.get_by_label("Private link to your seat").input_value()
    assert address == f"{here.base}/t/{here.table}#seat={token}"
    there = opened(PHONE)
    there.page.goto(address)
    expect(there.page.get_by_text("Your turn").first).to_be_visible()
    assert "seat=" not in there.page.url
    assert there.tokens() == [token]


def test_a_bad_private_link_leaves_the_seat_one_has(at_table: tuple[Window, Person]) -> None:
    here, _ = at_table
    mine = here.tokens()
    here.page.goto(f"{here.base}/t/{here.table}#seat=rubbish")
    here.page.get_by_role("button", name="Menu").click()
    expect(here.page.get_by_role("button", name="Resign")).to_be_visible()
    expect(here.page.get_by_text("Your turn").first).to_be_visible()
    assert [token for token in here.tokens() if token in mine] == mine


def test_french_and_english_at_any_time(site: Site, opened: Opener) -> None:
    ann, bob = site.table()
    ici = opened(PHONE, language="fr-FR")
    ici.take(ann)
    expect(ici.page.get_by_text("À vous de jouer").first).to_be_visible()
    assert ici.page.evaluate("document.documentElement.lang") == "fr"
    ann.move()
    bob.move()
    ici.page.get_by_role("button", name="Réglages").click()
    ici.page.get_by_label("Langue").select_option("en")
    expect(ici.page.get_by_role("heading", name="Settings")).to_be_visible()
    ici.page.get_by_role("button", name="Close").click()
    expect(ici.page.get_by_text("Your turn").first).to_be_visible()
    ici.page.reload()
    expect(ici.page.get_by_text("Your turn").first).to_be_visible()


def test_a_clock_runs_for_whoever_is_to_move(site: Site, opened: Opener) -> None:
    ann, _ = site.table(pace={"pace": "live", "seconds": 600, "increment": 5})
    here = opened(PHONE)
    here.take(ann)
    clocks = here.page.get_by_role("timer")
    expect(clocks).to_have_count(2)
    expect(clocks.first).to_have_text(re.compile(r"^9:5\d$"))
    expect(clocks.last).to_have_text("10:00")
