"""The end of a game: told over the board, with what decided and what to do next."""

from typing import Any

import pytest
from playwright.sync_api import expect

from benben.core.registry import names
from tests.browser.conftest import Opener
from tests.browser.evenings import PHONE, button, is_at_another_table, seated
from tests.browser.positions import late
from tests.browser.selectors import THING
from tests.browser.test_accessible import play_on
from tests.browser.windows import DESKTOP, Window, resize
from tests.sizes import rotating
from tests.web.site import Person, Site

SIZES = (PHONE, (844, 390), DESKTOP, (320, 640))

# Whether a card lies within the board and the screen, and all of it is seen.
_FITS = """() => {
    const part = (name) => document.querySelector(`[data-testid="${name}"]`);
    const card = part("result");
    const within = (inner, outer) =>
        inner.left >= outer.left && inner.right <= outer.right + 0.5
        && inner.top >= outer.top && inner.bottom <= outer.bottom + 0.5;
    const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const box = card.getBoundingClientRect();
    const boxes = [...card.querySelectorAll("button, a")].map((e) => e.getBoundingClientRect());
    return within(box, screen)
        && within(box, part("board-area").getBoundingClientRect())
        && card.scrollHeight <= card.clientHeight
        && boxes.every((each) => each.height >= 44 && within(each, box));
}"""
# When the line tells of the end, and when the card comes; and how long anything moves then.
_WATCH = """() => {
    const seen = (window.seen = {});
    const part = (name) => document.querySelector(`[data-testid="${name}"]`);
    new MutationObserver(() => {
        const said = part("status")?.textContent ?? "";
        if (said.includes("The game is over")) seen.over ??= performance.now();
        if (said.includes("You won")) seen.told ??= performance.now();
        if (!part("result") || seen.card) return;
        seen.card = performance.now();
        const timings = document.getAnimations().map(({ effect }) => effect.getComputedTiming());
        seen.moving = Math.max(0, ...timings.map(({ endTime }) => endTime));
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""

ENGLISH = {1.0: "You won!", 0.5: "A draw", 0.0: "You lost"}
FRENCH = {1.0: "Vous avez gagné\u202f!", 0.5: "Partie nulle", 0.0: "Vous avez perdu"}


def is_told(here: Window, title: str) -> None:
    expect(here.page.get_by_test_id("result").get_by_role("heading")).to_have_text(title)


def fits(here: Window) -> None:
    for width, height in SIZES:
        resize(here.page, (width, height))
        assert here.page.evaluate(_FITS), (width, height)


@rotating("game", names())
def test_both_are_told_how_it_ended_and_by_what(site: Site, opened: Opener, game: str) -> None:
    people = site.table(game, people=2, players=2, **late(game, 10))
    play_on(people, 2000)
    seen = people[0].look()
    for person, language, titles in zip(people, ("en", "fr"), (ENGLISH, FRENCH), strict=True):
        here = opened(PHONE, language=language)
        here.take(person)
        title = titles[seen["result"]["shares"][person.look()["you"]]]
        is_told(here, title)
        expect(here.page.get_by_test_id("status")).to_contain_text(title)
        told = here.page.get_by_test_id("result").inner_text()
        for figure in seen["facts"].get("figures", ()):
            assert figure is None or str(figure) in told
        assert "{" not in told
        fits(here)


@pytest.mark.slow
def test_it_comes_when_the_last_move_has_been_seen_and_can_be_folded_away(
    site: Site, opened: Opener
) -> None:
    ann, bob = seated(site, "quadrille")
    play_on([ann, bob], 6)
    here = opened(DESKTOP, calm=False)
    here.take(ann)
    page, card = here.page, here.page.get_by_test_id("result")
    expect(page.locator(THING).first).to_be_visible()
    page.evaluate(_WATCH)
    bob.do("resign")
    is_told(here, "You won!")
    expect(card).to_contain_text("Bob resigned.")
    seen = page.evaluate("seen")
    assert min(seen["card"], seen["told"]) - seen["over"] > 1_000  # nobody has won before
    assert 500 < seen["moving"] < 2_000, "a short celebration"

    button(here, "See the board").click()
    expect(card).to_have_count(0)
    expect(button(here, "Show the result")).to_be_focused()
    page.keyboard.press("Enter")
    expect(card).to_be_focused()

    page.keyboard.press(",")  # one move back
    expect(card).to_have_count(0)
    expect(button(here, "Show the result")).to_have_count(0)
    page.keyboard.press(".")
    expect(card).to_have_count(0)
    button(here, "Show the result").click()
    expect(card).to_be_visible()


def test_nothing_moves_where_motion_is_unwelcome(site: Site, opened: Opener) -> None:
    ann, bob = seated(site, "quadrille")
    here = opened(PHONE)
    here.take(ann)
    expect(here.page.locator(THING).first).to_be_visible()
    here.page.evaluate(_WATCH)
    bob.do("resign")
    is_told(here, "You won!")
    assert here.page.evaluate("seen.moving") == 0
    expect(here.page.get_by_test_id("result-sign")).to_be_visible()  # a sign that stands still


def test_a_win_that_is_shared_and_who_only_watches(site: Site, opened: Opener) -> None:
    people = seated(site, "pyramidis", 2, 2, resign="end")
    people[0].do("resign")
    winners = [seat["name"] for seat in people[1].look()["seats"][1:]]
    shared = "{}, {}, and {} share the win".format(*winners)
    titles: list[tuple[Person, str]] = [
        (people[0], "You lost"),
        (people[1], "You share the win"),
        (Person(site, people[0].table), shared),
    ]
    for person, title in titles:
        here = opened(PHONE)
        if person.token:
            here.take(person)
        else:
            here.visit(f"/t/{person.table}")
        is_told(here, title)
        expect(here.page.get_by_test_id("result")).to_contain_text(shared)
        expect(here.page.get_by_test_id("result")).to_contain_text("Ann resigned.")
        assert button(here, "Rematch").count() == bool(person.token)


def test_several_on_one_device_are_told_who_won(site: Site, opened: Opener) -> None:
    ann, bob = seated(site, "quadrille")
    here = opened(PHONE)
    here.take(ann)
    here.visit("/")
    here.take(bob)
    ann.do("resign")
    is_told(here, "Bob wins")


def levels(here: Window) -> list[Any]:
    return [seat.get("level") for seat in here.player().look()["seats"]]


@pytest.mark.slow
def test_a_stronger_bot_a_gentler_one_and_a_rematch_are_one_tap_away(
    site: Site, opened: Opener
) -> None:
    (ann,) = seated(site, "quadrille", 1, 1)
    ann.do("resign")
    here = opened(PHONE)
    here.take(ann)
    is_told(here, "You lost")
    expect(button(here, "A stronger bot")).to_be_visible()
    fits(here)
    expect(button(here, "An easier bot")).to_have_count(0)  # there is none
    expected = [("A stronger bot", 2), ("An easier bot", 1), ("Rematch", 1)]
    for name, level in expected:
        before = here.table
        button(here, name).click()
        is_at_another_table(here, before)
        expect(here.page.locator(THING).first).to_be_visible()
        assert sorted(levels(here), key=bool) == [None, level]
        here.player().do("resign")
    before = here.page.url
    here.page.get_by_role("link", name="Other games").click()
    here.page.wait_for_url(lambda url: url != before)
    expect(here.page.get_by_role("article").first).to_be_visible()
