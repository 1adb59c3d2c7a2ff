"""Asking at a table to be told when it is one's turn."""

import socket
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Opener
from tests.browser.evenings import from_menu
from tests.browser.windows import PHONE, window
from tests.sizes import rotating
from tests.web.post import PostOffice, link_in
from tests.web.site import Site, serving

DAYS = {"pace": "days", "days": 2}


@rotating("dark", [False, True])
def test_a_feed_to_copy(site: Site, opened: Opener, dark: bool) -> None:
    ann, _ = site.table(pace=DAYS)
    here = opened(PHONE, dark=dark)
    here.take(ann)
    from_menu(here, "Reminders")
    dialog = here.page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="When it is my turn")).to_be_visible()
    dialog.get_by_role("button", name="Remind me").click()
    expect(dialog.get_by_role("status")).to_contain_text("Your feed will let you know.")
    expect(dialog.get_by_label("E-mail")).to_have_count(0)
    dialog.get_by_role("button", name="Show").click()
    assert here.violations() == []
    feed = dialog.get_by_label("Your private feed").input_value()
    assert "Your turn: Quadrille" in site.http.get(feed).text
    dialog.get_by_role("button", name="Stop reminders").click()
    expect(dialog.get_by_role("status")).to_contain_text("You won’t be reminded")
    assert site.http.get(feed).status_code == 404


@pytest.mark.slow
def test_mail_where_the_house_sends_any(tmp_path: Path, browser: Browser) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        office = PostOffice(free.getsockname()[1])
    with (
        office.open(),
        serving(tmp_path, settings=office.settings(), mail_pauses=[0.1]) as site,
        window(browser, site, PHONE, language="fr") as here,
    ):
        ann, bob = site.table(pace=DAYS)
        here.take(ann)
        here.page.get_by_role("button", name="Menu").click()
        here.page.get_by_role("button", name="Rappels").click()
        dialog = here.page.get_by_role("dialog")
        dialog.get_by_label("E-mail").fill("ann@-example.org")
        dialog.get_by_label("E-mail").evaluate("each => (each.type = 'text')")  # as of old browsers
        dialog.get_by_role("button", name="Me le rappeler").click()
        expect(dialog.get_by_role("alert")).to_have_text("Ce n’est pas une adresse e-mail.")
        dialog.get_by_label("E-mail").fill("ann@example.org")
        dialog.get_by_role("button", name="Me le rappeler").click()
        expect(dialog.get_by_role("status")).to_contain_text("Suivez ce lien dans les deux jours")
        assert here.violations() == []
        here.visit(office.link("confirm"))
        page = here.page
        expect(page.get_by_role("link", name="Une partie de Quadrille")).to_be_visible()
        assert here.violations() == []
        page.get_by_role("button", name="Oui, envoyez-moi les rappels").click()
        expect(page.get_by_role("status")).to_contain_text("Merci")
        font = page.evaluate("getComputedStyle(document.body).fontFamily")
        assert "sans-serif" in font, "the page's own style is let through"
        assert here.violations() == []
        ann.move()
        bob.move()
        letter = office.next()
        assert letter["Subject"] == "À vous de jouer : Quadrille"
        stop = link_in(letter, "stop")
        assert stop is not None
        here.visit(stop)
        page.get_by_role("button", name="Ne plus rien recevoir").click()
        expect(page.get_by_role("button", name="Autoriser de nouveau les e-mails")).to_be_visible()
        assert here.violations() == []


def test_there_is_nothing_to_ask_for_where_no_move_takes_days(site: Site, opened: Opener) -> None:
    ann, _ = site.table()
    here = opened(PHONE)
    here.take(ann)
    here.page.get_by_role("button", name="Menu").click()
    expect(here.page.get_by_role("button", name="Share")).to_be_visible()
    expect(here.page.get_by_role("button", name="Reminders")).to_have_count(0)
    days, _ = site.table(pace=DAYS)
    here.visit(f"/t/{days.table}")
    here.page.get_by_role("button", name="Menu").click()
    expect(here.page.get_by_role("button", name="Share")).to_be_visible()
    expect(here.page.get_by_role("button", name="Reminders")).to_have_count(0)
