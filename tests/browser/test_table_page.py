"""All that a table offers besides its board."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.windows import DESKTOP, PHONE, Window
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
    expect(page.locator(".log li button")).to_have_count(2)
    page.get_by_role("button", name="One move back").click()
    expect(page.get_by_text("Looking back")).to_be_visible()
    expect(page.locator('.log [aria-current="step"] code')).to_have_text("@a1")
    here.player().move()  # elsewhere; whoever looks back is not torn away
    expect(page.locator(".log li button")).to_have_count(3)
    expect(page.locator('.log [aria-current="step"] code')).to_have_text("@a1")
    page.keyboard.press("]")
    page.keyboard.press("]")
    expect(page.get_by_text("Looking back")).to_be_hidden()
    expect(page.locator('.log [aria-current="step"]')).to_have_count(1)
    page.get_by_role("button", name="To the start").click()
    expect(page.locator('.log [aria-current="step"]')).to_have_count(0)
    page.get_by_role("button", name="To the present").click()
    expect(page.get_by_text("Looking back")).to_be_hidden()


def test_talk_and_not_hearing_somebody(at_table: tuple[Window, Person]) -> None:
    here, bob = at_table
    page = here.page
    page.get_by_label("Say something").fill("good evening")
    page.keyboard.press("Enter")
    expect(page.get_by_text("good evening")).to_be_visible()
    bob.do("chat", {"text": "<b>bonsoir</b>"})
    expect(page.get_by_text("<b>bonsoir</b>")).to_be_visible()
    page.get_by_role("button", name="Mute Ann1").click()
    expect(page.get_by_text("<b>bonsoir</b>")).to_be_hidden()
    page.get_by_role("button", name="Hear Ann1 again").click()
    expect(page.get_by_text("<b>bonsoir</b>")).to_be_visible()


def test_strangers_talk_in_phrases(site: Site, opened: Opener) -> None:
    ann, _ = site.table(listed=True)
    here = opened(PHONE)
    here.take(ann)
    here.page.get_by_role("button", name="Good luck!").click()
    expect(here.page.locator(".said li").get_by_text("Good luck!")).to_be_visible()
    expect(here.page.get_by_label("Say something")).to_have_count(0)


def test_taking_back_by_consent(at_table: tuple[Window, Person]) -> None:
    here, bob = at_table
    here.player().move()
    expect(here.page.locator(".log li button")).to_have_count(1)
    here.page.get_by_role("button", name="Take back").click()
    expect(here.page.get_by_text("You have asked")).to_be_visible()
    bob.do("undo/answer", {"granted": True})
    expect(here.page.locator(".log li button")).to_have_count(0)
    expect(here.page.get_by_text("Your turn").first).to_be_visible()


def test_being_asked_to_let_a_move_be_taken_back(at_table: tuple[Window, Person]) -> None:
    here, bob = at_table
    here.player().move()
    bob.move()
    bob.do("undo")
    expect(here.page.get_by_text("Ann1 would like to take a move back.")).to_be_visible()
    here.page.get_by_role("button", name="Yes", exact=True).click()
    expect(here.page.locator(".log li button")).to_have_count(1)


def test_resigning_takes_two_taps_and_a_rematch_turns_the_seats(
    at_table: tuple[Window, Person], opened: Opener
) -> None:
    here, bob = at_table
    page = here.page
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    expect(page.get_by_role("heading", name="Ann1 wins")).to_be_visible()
    expect(page.get_by_text("Ann0 resigned.")).to_be_visible()
    first = here.table
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda address: "/t/" in address and first not in address)
    expect(page.get_by_role("button", name=re.compile("Sit down"))).to_have_count(2)
    assert bob.look()["rematch"] == here.table
    # Whoever stayed at the old table is shown the way.
    there = opened(PHONE)
    there.take(bob)
    there.page.get_by_role("button", name="Rematch").click()
    there.page.wait_for_url(lambda address: here.table in address)


def test_leaving_a_table_where_a_bot_plays_on_and_coming_back(site: Site, opened: Opener) -> None:
    ann, _ = site.table(leaver="bot")
    here = opened(PHONE)
    here.take(ann)
    here.page.get_by_role("button", name="Leave").click()
    here.page.get_by_role("button", name="Really leave?").click()
    expect(here.page.get_by_text("A bot plays for you.")).to_be_visible()
    here.page.get_by_role("button", name="Play on myself").click()
    expect(here.page.get_by_text("A bot plays for you.")).to_be_hidden()


def test_the_seat_goes_to_another_device_by_its_private_link(
    at_table: tuple[Window, Person], opened: Opener
) -> None:
    here, _ = at_table
    here.page.get_by_role("button", name="Links").click()
    token = here.tokens()[0]
    assert token not in here.page.content()
    here.page.get_by_role("button", name="Show").click()
    address = here.page.get_by_role("textbox", name=re.compile("Your seat")).input_value()
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
    expect(here.page.get_by_role("button", name="Resign")).to_be_visible()
    here.page.wait_for_function("JSON.parse(localStorage.getItem('benben.seats')).length === 1")
    assert here.tokens() == mine
    expect(here.page.get_by_text("Your turn").first).to_be_visible()


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
    expect(clocks.last).to_have_text(re.compile(r"^9:5\d$"))
    expect(clocks.first).to_have_text("10:00")
