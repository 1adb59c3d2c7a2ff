"""Luck that is checked in one tap, records that somebody has changed, and one's finished games."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Opener
from tests.browser.evenings import PHONE, button, seated
from tests.browser.selectors import THING
from tests.browser.test_accessible import ONE, OTHER, play_on, wrong
from tests.browser.windows import DESKTOP, LAN, Window, resize
from tests.web.site import Person, Site

WIDER = "document.documentElement.scrollWidth > innerWidth"


def finished(site: Site, people: int = 2) -> list[Person]:
    """Dice, drawn seats, some moves, and somebody resigns."""
    players = site.table("batisseurs", people=people, players=people, drawn=True)
    players.sort(key=lambda person: person.look()["you"])
    play_on(players, 12)
    players[0].do("resign")
    return players


def check_luck(here: Window, menu: str = "Menu", check: str = "Check the luck") -> Locator:
    button(here, menu).click()
    button(here, check).click()
    return here.page.get_by_role("dialog", name=check)


@pytest.mark.slow
def test_a_finished_games_luck_is_checked_in_one_tap(site: Site, opened: Opener) -> None:
    here = opened(PHONE)
    page = here.page
    here.visit(f"/t/{site.open('batisseurs', players=2, seats=[{'bot': 0}, {'bot': 1}])}")
    button(here, "Take seat 1").click()  # by which the promise is noted
    expect(page.get_by_test_id("board")).to_be_visible()
    ours = here.player()
    ours.do("resign")
    dialog = check_luck(here)
    expect(dialog.get_by_role("heading")).to_have_text("The luck of this game checks out")
    record = ours.record().json()
    expect(dialog).to_contain_text(record["terms"]["commitment"])
    expect(dialog).to_contain_text(record["entries"][-1]["event"]["secret"])
    expect(dialog).to_contain_text("are those that this device noted when you sat down")
    expect(dialog).to_contain_text("fixed by their fingerprints before the first one was revealed")
    expect(dialog).to_contain_text("saw before it revealed your text")
    for who in ("checked by your browser", "compared by this device", "checked by the server"):
        expect(dialog.get_by_text(who).first).to_be_visible()
    assert wrong(here, ONE) == []
    assert not page.evaluate(WIDER)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    # Somebody has put another promise into the record since.
    page.evaluate(
        """() => {
            const seats = JSON.parse(localStorage.getItem("benben.seats"));
            localStorage.setItem("benben.seats", JSON.stringify(
                seats.map(seat => ({ ...seat, promise: "0".repeat(64) }))));
        }"""
    )
    page.reload()
    dialog = check_luck(here)
    expect(dialog.get_by_role("heading")).to_have_text("This record doesn’t check out")
    expect(dialog).to_contain_text("noted another promise")


def test_over_plain_http_the_browser_checks_too(site: Site, opened: Opener) -> None:
    (ann, _) = finished(site)
    here = opened(PHONE, language="fr-FR")
    port = site.http.base_url.port
    here.complaints.clear()
    page = here.page
    page.goto(f"http://{LAN}:{port}/t/{ann.table}")
    assert not page.evaluate("isSecureContext")
    dialog = check_luck(here, check="Vérifier les tirages")
    expect(dialog.get_by_role("heading")).to_have_text("Les tirages de cette partie sont conformes")
    expect(dialog.get_by_text("vérifié par votre navigateur").first).to_be_visible()
    expect(dialog).to_contain_text("Les places ont été tirées de nouveau")
    expect(dialog).to_contain_text("envoyés à découvert")
    here.complaints[:] = [each for each in here.complaints if LAN not in each]


def event(record: Any, kind: str) -> tuple[int, Any]:
    return next(
        (entry["number"], entry["event"])
        for entry in record["entries"]
        if entry["event"]["kind"] == kind
    )


def test_records_are_brought_and_a_tampered_one_is_refused_in_words(
    site: Site, opened: Opener, tmp_path: Path
) -> None:
    here = opened(DESKTOP)
    page = here.page
    here.visit("/fairness")
    expect(page.get_by_role("heading", level=1)).to_have_text("Luck that anybody can check")
    (ann, _) = finished(site)
    record, file = ann.record().json(), tmp_path / "record.json"
    status = page.get_by_test_id("luck-check")

    def bring(content: Any) -> None:
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        page.get_by_label("Choose a record").set_input_files(file)

    bring(record)
    expect(status.get_by_role("heading")).to_have_text("The luck of this game checks out")
    throws = sum(entry["event"]["kind"] == "threw" for entry in record["entries"])
    expect(status).to_contain_text(f"All {throws} rolls were drawn again")
    expect(status).to_contain_text("The seats were drawn again")
    assert wrong(here, OTHER) == []
    assert not page.evaluate(WIDER)
    resize(page, DESKTOP)

    number, threw = event(record, "threw")
    good = threw["throw"]
    threw["throw"] = "=abcdef" if good != "=abcdef" else "=aaaaaa"
    bring(record)
    expect(status.get_by_role("heading")).to_have_text("This record doesn’t check out")
    expect(status).to_contain_text(f"Event {number} of the record")
    expect(status).to_contain_text("The dice can’t have fallen like that.")
    threw["throw"] = good
    number, moved = event(record, "moved")  # which only the rules can tell
    moved["move"] = "f1"
    bring(record)
    expect(status).to_contain_text(f"Event {number} of the record")
    expect(status).to_contain_text("This move couldn’t be made there.")
    record["entries"] = record["entries"][:5]
    bring(record)
    expect(status).to_contain_text("This game isn’t over")
    bring("no record at all")
    expect(status).to_contain_text("This file isn’t the record of a game")


@pytest.mark.slow
def test_my_games_are_listed_saved_cleared_and_brought_back(
    site: Site, opened: Opener, tmp_path: Path
) -> None:
    here = opened(PHONE)
    page = here.page
    (ann,) = seated(site, "quadrille", 1, 1)
    here.take(ann)
    expect(page.locator(THING).first).to_be_visible()
    ann.do("resign")
    expect(page.get_by_test_id("result")).to_be_visible()
    others = finished(site)
    page.evaluate(  # a seat whose end no page of this device has seen
        """([table, token]) => {
            const seats = JSON.parse(localStorage.getItem("benben.seats"));
            const more = { table, token, game: "batisseurs", at: 1 };
            localStorage.setItem("benben.seats", JSON.stringify([...seats, more]));
        }""",
        [others[0].table, others[0].token],
    )
    here.visit("/")
    page.get_by_role("banner").get_by_role("link", name="My games").click()
    games = page.get_by_test_id("finished-game")
    expect(games).to_have_count(2)
    expect(games.filter(has_text="Quadrille")).to_contain_text("Lost")
    expect(games.filter(has_text="Bâtisseurs")).to_contain_text("Ann")
    row = page.get_by_role("table", name="Quadrille").get_by_role("row").nth(1)
    expect(row.get_by_role("cell")).to_have_text(["0", "1", "0"])
    assert wrong(here, ONE) == []
    assert not page.evaluate(WIDER)
    resize(page, PHONE)

    with page.expect_download() as download:
        page.get_by_role("link", name="Save as a file").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    text = file.read_text()
    assert json.loads(text)["benben-games"] == 1
    assert not any(token in text for token in here.tokens())

    button(here, "Clear the list").click()
    button(here, "Yes, clear it").click()
    expect(games).to_have_count(0)
    page.reload()  # and it stays so
    expect(page.get_by_text("Your games will appear here when they are over.")).to_be_visible()
    bring = page.get_by_label("Open a file")
    bring.set_input_files(file)
    expect(games).to_have_count(2)
    expect(page.get_by_text("2 games have been added.")).to_be_visible()
    bring.set_input_files(file)
    expect(page.get_by_text("0 games have been added. 2 were there already.")).to_be_visible()
    bad = tmp_path / "bad.json"
    bad.write_text(text.replace('"reason"', '"raison"', 1))
    bring.set_input_files(bad)
    expect(page.get_by_text("Game number 1 in this file is damaged.")).to_be_visible()
    expect(games).to_have_count(2)
    assert games.first.get_by_role("link", name="Table").get_attribute("href")
    games.filter(has_text="Quadrille").get_by_role("link", name="Table").click()
    expect(page.get_by_test_id("result")).to_be_visible()
