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
    here.page.get_by_test_id("lobby").get_by_role("textbox").fill(name)
    button(here, f"Take seat {seat}").click()


def plays(here: Window) -> None:
    expect(here.page.get_by_test_id("board")).to_be_visible()


def kinds(here: Window) -> list[str]:
    record = here.site.http.get(f"/api/tables/{here.table}/record").json()
    return [entry["event"]["kind"] for entry in record["entries"]]


def test_two_windows_reveal_and_the_game_begins(site: Site, opened: Opener) -> None:
    table = site.open("pyramidis", players=2)
    ann, bob = opened(PHONE), opened(PHONE)
    sit(ann, table, 1, "Ann")
    status = ann.page.get_by_role("status")
    expect(status.filter(has_text="as soon as every seat is taken")).to_be_visible()
    expect(ann.page.get_by_text("come back on this device")).to_be_visible()
    sit(bob, table, 2, "Bob")
    plays(ann)
    plays(bob)
    assert kinds(ann) == ["sat", "sat", "revealed", "revealed", "began"]


def test_two_windows_without_names_play(site: Site, opened: Opener) -> None:
    table = site.open("pyramidis", players=2)
    one, other = opened(PHONE), opened(PHONE)
    for seat, here in enumerate((one, other), start=1):
        here.visit(f"/t/{table}")
        button(here, f"Take seat {seat}").click()
        expect(button(here, "Leave seat").or_(here.page.get_by_test_id("board"))).to_be_visible()
    plays(one)
    plays(other)
    seats = site.http.get(f"/api/tables/{table}").json()["seats"]
    assert [seat["name"] for seat in seats] == ["Guest", "Guest 2"]


@pytest.mark.slow
def test_a_window_that_does_not_reveal_loses_its_seat(
    site: Site, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = site.open("pyramidis", players=2)
    ann, bob = opened(PHONE), opened(PHONE, language="fr-FR")
    sit(ann, table, 1, "Ann")
    bob.page.route("**/reveal", lambda route: route.abort())
    bob.visit(f"/t/{table}")
    bob.page.get_by_test_id("lobby").get_by_role("textbox").fill("Bob")
    monkeypatch.setattr("benben.table.table.START_GRACE_MS", 2_000)
    button(bob, "Prendre la place 2").click()
    expect(ann.page.get_by_text("Waiting for Bob’s device…")).to_be_visible()
    expect(bob.page.get_by_text("Vous avez perdu votre place")).to_be_visible()
    expect(ann.page.get_by_text("Bob lost their seat before the game")).to_be_visible()
    monkeypatch.undo()
    bob.page.unroute("**/reveal")
    button(bob, "Prendre la place 2").click()
    plays(ann)
    plays(bob)
    assert kinds(ann)[-5:] == ["sat", "committed", "revealed", "revealed", "began"]
    expect(ann.page.get_by_test_id("move-log")).to_contain_text(
        "Bob lost their seat before the game"
    )


@pytest.mark.slow
def test_who_was_away_is_told_of_the_lost_seat(
    site: Site, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = site.open("pyramidis", players=2)
    ann = opened(PHONE)
    sit(ann, table, 1, "Ann")
    expect(button(ann, "Leave seat")).to_be_visible()
    ann.page.route("**/reveal", lambda route: route.abort())
    ann.visit("/rules/pyramidis")
    monkeypatch.setattr("benben.table.table.START_GRACE_MS", 1_000)
    bob = site.sit(table, 1, "Bob")
    while bob.look()["seats"][0].get("taken"):
        ann.page.wait_for_timeout(200)
    ann.visit("/")
    told = ann.page.get_by_text("You lost your seat: this device")
    expect(told).to_be_visible()
    button(ann, "Remove Pyramidis from the list").click()
    expect(told).to_have_count(0)
    ann.visit(f"/t/{table}")
    expect(ann.page.get_by_role("alert")).to_contain_text("You lost your seat")
    ann.page.reload()
    expect(ann.page.get_by_role("alert")).to_contain_text("You lost your seat")


def test_a_private_link_says_which_device_can_confirm(site: Site, opened: Opener) -> None:
    table = site.open("pyramidis", players=2)
    ann = opened(PHONE)
    sit(ann, table, 1, "Ann")
    expect(button(ann, "Leave seat")).to_be_visible()
    held = ann.player()
    ann.visit("/rules/pyramidis")
    link = opened(PHONE)
    link.take(held)
    expect(button(link, "Leave seat")).to_be_visible()
    expect(link.page.get_by_text("come back on this device")).to_have_count(0)
    site.sit(table, 1, "Bob")
    expect(link.page.get_by_text("on the device where you took your seat")).to_be_visible()
    ann.visit(f"/t/{table}")
    plays(ann)
    plays(link)


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
    expect(here.page.get_by_test_id("move-log")).to_contain_text("didn’t start with a deal")
