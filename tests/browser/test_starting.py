"""Before a game, pages commit to nonces and reveal them by themselves."""

import pytest
from playwright.sync_api import expect

import benben
from tests.browser.conftest import Opener
from tests.browser.evenings import PHONE, button
from tests.browser.windows import LAN, Window
from tests.web.site import Site


def sit(here: Window, table: str, seat: int, name: str) -> None:
    here.visit(f"/t/{table}")
    here.page.locator(".lobby input").fill(name)
    button(here, f"Take seat {seat}").click()


def plays(here: Window) -> None:
    expect(here.page.locator(".board")).to_be_visible()


def kinds(here: Window) -> list[str]:
    record = here.site.http.get(f"/api/tables/{here.table}/record").json()
    return [entry["event"]["kind"] for entry in record["entries"]]


def test_two_windows_reveal_and_the_game_begins(site: Site, opened: Opener) -> None:
    table = site.open("pyramidis", players=2)
    ann, bob = opened(PHONE), opened(PHONE)
    sit(ann, table, 1, "Ann")
    expect(ann.page.get_by_role("status").first).to_contain_text("as soon as every seat is taken")
    sit(bob, table, 2, "Bob")
    plays(ann)
    plays(bob)
    assert kinds(ann) == ["sat", "sat", "revealed", "revealed", "began"]


def test_a_window_that_does_not_reveal_loses_its_seat(
    site: Site, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = site.open("pyramidis", players=2)
    ann, bob = opened(PHONE), opened(PHONE, language="fr-FR")
    sit(ann, table, 1, "Ann")
    bob.page.route("**/reveal", lambda route: route.abort())
    bob.visit(f"/t/{table}")
    bob.page.locator(".lobby input").fill("Bob")
    monkeypatch.setattr("benben.table.table.START_GRACE_MS", 2_000)
    button(bob, "Prendre la place 2").click()
    expect(ann.page.get_by_text("Waiting for Bob’s device…")).to_be_visible()
    expect(bob.page.get_by_text("Vous avez perdu votre place")).to_be_visible()
    expect(ann.page.get_by_text("Bob lost the seat before the game")).to_be_visible()
    monkeypatch.undo()
    bob.page.unroute("**/reveal")
    button(bob, "Prendre la place 2").click()
    plays(ann)
    plays(bob)
    assert kinds(ann)[-5:] == ["sat", "committed", "revealed", "revealed", "began"]
    expect(ann.page.locator(".log")).to_contain_text("Bob lost the seat before the game")


def test_the_shelf_reveals_for_a_table_whose_page_was_closed(site: Site, opened: Opener) -> None:
    table = site.open("pyramidis", players=2)
    ann = opened(PHONE)
    sit(ann, table, 1, "Ann")
    expect(button(ann, "Leave seat")).to_be_visible()
    ann.visit("/rules/pyramidis")
    bob = site.sit(table, 1, "Bob")
    assert bob.look()["starting"]["phase"] == "reveal"
    with ann.page.expect_response("**/reveal"):
        ann.visit("/")
    assert "to_move" in bob.look()


def test_over_plain_http_pages_commit_too(site: Site, opened: Opener) -> None:
    table = site.open("pyramidis", players=2, seats=[{}, {"bot": 1}])
    here = opened(PHONE)
    here.page.goto(f"http://{LAN}:{site.http.base_url.port}/t/{table}")
    assert not here.page.evaluate("isSecureContext")
    button(here, "Take seat 1").click()
    plays(here)
    assert kinds(here)[:3] == ["sat", "revealed", "began"]
    here.page.goto("about:blank")  # nothing more is asked for
    here.complaints[:] = [each for each in here.complaints if LAN not in each]


def test_a_chosen_position_is_marked(site: Site, opened: Opener) -> None:
    position = str(benben.game("pyramidis", players=2).deal())
    table = site.open("pyramidis", players=2, position=position, seats=[{}, {"bot": 1}])
    here = opened((1440, 900))
    here.visit(f"/t/{table}")
    expect(here.page.get_by_text("chose the position the game starts from")).to_be_visible()
    button(here, "Take seat 1").click()
    plays(here)
    expect(here.page.locator(".log")).to_contain_text("didn’t start with a deal")
