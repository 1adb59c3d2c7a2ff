"""A review: from the end of a game to its page, step by step, tried again, shared and kept."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from benben.core.registry import names
from tests.browser.conftest import Opener
from tests.browser.evenings import PHONE, button
from tests.browser.hands import until
from tests.browser.selectors import THING
from tests.browser.test_accessible import play_on
from tests.browser.windows import DESKTOP, Window, resize
from tests.sizes import rotating
from tests.web.site import Person, Site
from tests.web.test_reviews import of_another_server

SIDEWAYS, LOW = (844, 390), (390, 664)
MOVES = {"objectif": 8, "pyramidis": 8, "batisseurs": 12, "quadrille": 10}
# Whether board, graph and the step's line are on one screen.
_FITS = """() => ["board-area", "evaluation-graph", "review-step"].every(name => {
    const { left, top, right, bottom } = document
        .querySelector(`[data-testid="${name}"]`).getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
        && bottom - top > 40;
}) && document.documentElement.scrollWidth <= innerWidth"""


_LISTED = """() => {
    const list = document.querySelector("ol:has([aria-current])").getBoundingClientRect();
    const { top, bottom } = document.querySelector("ol [aria-current]").getBoundingClientRect();
    return top >= list.top - 1 && bottom <= list.bottom + 1;
}"""
# How large a place is, at least: of four kinds of boards, in whatever room is left for them.
_SMALLEST = """() => Math.min(...[...document.querySelectorAll(
    '[data-testid="places"] [data-thing], [data-testid="own-site"] [data-thing]'
)].map(each => {
    const { width, height } = each.getBoundingClientRect();
    return Math.min(width, height);
}))"""


def over(site: Site, game: str) -> list[Person]:
    """A short game that somebody gave up."""
    people = site.table(game, people=2, players=2)
    play_on(people, MOVES[game])
    people[0].do("resign")
    return people


def reviewed(here: Window, table: str) -> Any:
    """Its review, when the page has all of it."""
    expect(here.page.get_by_test_id("review")).to_have_attribute(
        "data-complete", "true", timeout=60_000
    )
    return here.site.get(f"reviews/{table}")


def slider(here: Window) -> Locator:
    return here.page.get_by_role("slider", name="Chances to win")


def is_at(here: Window, moment: int) -> None:
    expect(slider(here)).to_have_attribute("aria-valuenow", str(moment))


def kept(here: Window, press: Callable[[], None]) -> bytes:
    """The file that the browser is given."""
    with here.page.expect_download() as coming:
        press()
    return Path(coming.value.path()).read_bytes()


@pytest.mark.slow
@rotating("game", names())
def test_a_game_is_looked_at_again(site: Site, opened: Opener, game: str) -> None:
    people = over(site, game)
    here = opened(PHONE)
    page = here.page
    here.take(people[1])
    page.get_by_test_id("result").get_by_role("link", name="Review").click()
    page.wait_for_url(f"**/review/{people[0].table}")
    told = reviewed(here, people[0].table)
    end = len(told["steps"])
    expect(page.get_by_role("progressbar")).to_have_count(0)
    assert "{" not in page.get_by_role("main").inner_text()
    is_at(here, end)
    assert page.evaluate(_LISTED), "the move that is looked at is in sight in the list"
    for size in (PHONE, LOW, SIDEWAYS, DESKTOP):
        resize(page, size)
        assert page.evaluate(_FITS), size
        assert page.evaluate(_SMALLEST) >= 36, size

    # Stepping: keys of the table, the graph's own, a move of the list, a button.
    page.keyboard.press(",")
    is_at(here, end - 1)
    slider(here).focus()
    page.keyboard.press("Home")
    is_at(here, 0)
    page.keyboard.press("ArrowRight")
    is_at(here, 1)
    box = slider(here).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 42, box["y"] + 60)
    is_at(here, 0)
    page.get_by_role("listitem").filter(has_text=re.compile(rf"^{end - 2}\b")).first.click()
    is_at(here, end - 2)
    button(here, "Next move").click()
    is_at(here, end - 1)
    assert page.url.endswith(f"#{end - 1}")

    # What would have been best, and from there again.
    at = better(told)
    page.goto(f"{here.base}/review/{people[0].table}#{at}")
    page.reload()
    is_at(here, at)
    if told["steps"][at - 1]["grade"] not in (None, "best"):
        expect(page.get_by_test_id("review-step")).to_contain_text("given away")
        button(here, "Best move").click()
        expect(page.get_by_test_id("review-step")).to_contain_text("Best:")
        button(here, "Forward in the best line").click()
        expect(page.get_by_test_id("line-progress")).to_contain_text("1/")
        button(here, "Best move").click()

    shares_and_keeps(here, told, at)

    button(here, "Try again from here").click()
    button(here, "1 Pebble").click()
    page.wait_for_url("**/t/*")
    until(page, THING)
    person = here.player()
    seen = person.look()
    assert seen["you"] == told["steps"][at - 1]["seat"]
    assert seen["seats"][1 - seen["you"]]["level"] == 1
    if game != "objectif":  # there the other's goal is secret again
        assert seen["start"] == told["positions"][at - 1]
    assert told["steps"][at - 1]["move"] in [each["move"] for each in seen["legal"]]


def better(told: Any) -> int:
    """The moment after the decision that gave away most."""
    decisions = [at for at, step in enumerate(told["steps"]) if step["seat"] is not None]
    return max(decisions, key=lambda at: told["steps"][at]["lost"]) + 1


def shares_and_keeps(here: Window, told: Any, at: int) -> None:
    button(here, "Share or save").click()
    link = here.page.get_by_role("textbox", name="Link to this review").input_value()
    moment = "" if at == len(told["steps"]) else f"#{at}"
    assert link == f"{here.base}/review/{told['id']}{moment}"
    svg = kept(here, button(here, "SVG").click).decode()
    assert svg.startswith("<svg xmlns=")
    assert "var(" not in svg
    assert svg.count("stroke-linejoin") == len(told["names"])
    assert kept(here, button(here, "PNG").click).startswith(b"\x89PNG")
    data = kept(here, here.page.get_by_role("link", name="JSON").click)
    assert json.loads(data) == told
    button(here, "Close").click()


@pytest.mark.slow
def test_the_end_says_what_decided_and_the_page_is_for_everybody(
    site: Site, opened: Opener
) -> None:
    """In French; for screen readers, in light and dark."""
    people = over(site, "objectif")
    here = opened(PHONE, language="fr-FR")
    page = here.page
    here.take(people[1])
    decided = page.get_by_test_id("result").get_by_test_id("decided")
    expect(decided).to_contain_text(re.compile("Ann|Personne"), timeout=60_000)
    said = decided.inner_text()
    page.get_by_role("toolbar").get_by_role("link", name="Bilan").click()  # the table's tools
    expect(page.get_by_role("heading", level=1)).to_have_text("Objectif\u202f: bilan")
    reviewed(here, people[0].table)
    expect(page.get_by_test_id("decided")).to_have_text(said)
    expect(page.get_by_role("heading", name="Ce qu’on pouvait deviner")).to_be_visible()
    page.get_by_text("Le graphique en tableau").click()
    expect(page.get_by_role("table").last.get_by_role("row")).to_have_count(MOVES["objectif"] + 2)
    page.keyboard.press(",")
    expect(page.locator("[aria-live]").filter(has_text=re.compile(r"Ann0 \d"))).to_have_count(1)
    assert here.violations() == []
    resize(page, DESKTOP)
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert here.violations() == []
    here.visit("/")
    page.get_by_role("link", name="Bilan\u202f: Objectif").click()
    page.wait_for_url(f"**/review/{people[0].table}")


@pytest.mark.slow
def test_a_record_is_brought_and_one_that_was_changed_is_refused(
    site: Site, opened: Opener
) -> None:
    people = over(site, "quadrille")
    record = people[0].record().json()
    moved = [at for at, each in enumerate(record["entries"]) if each["event"]["kind"] == "moved"]
    forged = json.loads(json.dumps(record))
    forged["entries"][moved[1]]["event"]["move"] = "@a1"
    forged["entries"][moved[0]]["event"]["move"] = "@a1"
    here = opened(PHONE)
    here.visit("/review")
    brings(here, b"no record")
    alert = here.page.get_by_role("alert")
    expect(alert).to_contain_text("isn’t the record of a game from one of our tables")
    brings(here, json.dumps(forged).encode())
    number = forged["entries"][moved[1]]["number"]
    expect(alert).to_have_text(
        f"This record was refused. Event {number} of the record is not as it should be. "
        "This move couldn’t be made there."
    )
    assert here.violations() == []
    there = opened(PHONE, language="fr-FR")
    there.visit("/review")
    brings(there, json.dumps(forged).encode())
    expect(there.page.get_by_role("alert")).to_have_text(
        f"Cette feuille de partie est refusée. L’événement {number} de la feuille n’est pas ce "
        "qu’il devrait être. Ce coup n’était pas possible à ce moment-là."
    )
    brings(here, json.dumps(record).encode())
    here.page.wait_for_url(f"**/review/{people[0].table}")
    expect(slider(here)).to_be_visible()
    expect(here.page.get_by_role("link", name="To the table")).to_be_visible()

    # From another server: there is no table here to go to, but its luck can be checked.
    here.visit("/review")
    brings(here, json.dumps(of_another_server()).encode())
    expect(here.page.get_by_role("rowheader", name="Seat 1").first).to_be_visible()
    expect(slider(here)).to_be_visible()
    expect(here.page.get_by_role("link", name="To the table")).to_have_count(0)
    button(here, "Check the luck").click()
    checked = here.page.get_by_role("dialog", name="Check the luck")
    expect(checked.get_by_role("heading")).to_have_text("The luck of this game checks out")


def brings(here: Window, record: bytes) -> None:
    file = {"name": "game.json", "mimeType": "application/json", "buffer": record}
    here.page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]


def test_what_is_not_over_or_not_there_says_so(site: Site, opened: Opener) -> None:
    here = opened(PHONE)
    table = site.table("quadrille")[0].table
    here.visit(f"/review/{table}")
    expect(here.page.get_by_role("heading", level=1)).to_have_text("The game isn’t over yet")
    here.page.get_by_role("link", name="Back to the game").click()
    here.page.wait_for_url(f"**/t/{table}")
    here.visit("/review/nowhere")
    expect(here.page.get_by_role("heading", level=1)).to_have_text("No review here")
