"""Whole evenings: another game, a move taken back, somebody who leaves, gives up or is late."""

from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.evenings import (
    FIRST,
    PEOPLE,
    PHONE,
    at_table,
    button,
    from_menu,
    has_moves,
    is_at_another_table,
    is_logged,
    is_told,
    legal_moves,
    lift_curtain,
    on_one_device,
    play_one,
    really,
    seat_of,
    seated,
    two_people,
)
from tests.browser.hands import Hand, until
from tests.browser.selectors import CURTAIN, MOVE, MY_BOARD, MY_THING, RESULT, THING, TO_MOVE
from tests.browser.windows import DESKTOP
from tests.sizes import rotating
from tests.web.site import Site, eventually

# ---- Another game


def test_another_game_of_two_people(site: Site, opened: Opener) -> None:
    ann, bob = two_people(site, opened, "pyramidis", options=FIRST)
    before = ann.table
    ann.player().do("resign")
    button(ann, "Rematch").tap()
    is_at_another_table(ann, before)
    expect(ann.page.get_by_text("Bob has been invited")).to_be_visible()
    expect(bob.page.get_by_text("Ann would like to play again.")).to_be_visible()
    button(bob, "Play again").click()
    is_at_another_table(bob, before)
    until(ann.page, THING)
    until(bob.page, MY_BOARD)  # the other one begins
    assert bob.table == ann.table
    for here in (ann, bob):
        expect(seat_of(here, "Ann")).to_have_count(1)
        expect(seat_of(here, "Bob")).to_have_count(1)
    assert [seat["name"] for seat in ann.player().look()["seats"]] == ["Ann", "Bob"]


@pytest.mark.slow
def test_another_game_that_is_declined(site: Site, opened: Opener) -> None:
    ann, bob = two_people(site, opened, "pyramidis", options=FIRST)
    before = ann.table
    bob.player().do("resign")
    button(ann, "Rematch").tap()
    is_at_another_table(ann, before)
    expect(bob.page.get_by_text("Ann would like to play again.")).to_be_visible()
    button(bob, "No, thanks").click()
    expect(bob.page.get_by_text("would like to play again")).to_be_hidden()
    bob.page.reload()  # it is remembered
    expect(bob.page.get_by_role("heading", name="You lost")).to_be_visible()  # it has its seat
    expect(bob.page.get_by_text("would like to play again")).to_have_count(0)
    expect(ann.page.get_by_text("Bob isn’t coming")).to_be_visible()
    button(ann, "Let a bot take this seat").tap()
    ann.page.get_by_role("dialog").get_by_role("button", name="Apprentice").tap()
    until(ann.page, MY_BOARD)
    seats = ann.player().look()["seats"]
    assert (seats[0]["name"], seats[1]["level"] > 0) == ("Ann", True)


@pytest.mark.long
def test_another_game_alone_with_bots(site: Site, opened: Opener) -> None:
    ann = at_table(opened, seated(site, "pyramidis", 1, 3, options=FIRST)[0])
    before = ann.table
    really(ann, "Resign", "The game ends")
    button(ann, "Rematch").tap()
    is_at_another_table(ann, before)
    until(ann.page, MY_BOARD)
    assert [seat.get("level", 0) for seat in ann.player().look()["seats"]] == [0, 1, 1, 1]


@pytest.mark.slow
@rotating("game", ["batisseurs", "objectif"])
def test_another_game_of_three_on_one_device(opened: Opener, game: str) -> None:
    here = on_one_device(opened, game, 3)
    before = here.table
    for _, person in Hand(here).people():
        person.do("resign")  # the last of them ends it
    button(here, "Rematch").tap()
    is_at_another_table(here, before)
    until(here.page, f"{MY_THING}, {CURTAIN}")
    assert here.page.get_by_test_id("curtain").count() == (game == "objectif")
    for name in PEOPLE[:3]:
        expect(seat_of(here, name)).to_have_count(1)
    expect(here.page.get_by_test_id("seats").get_by_text("offline")).to_have_count(0)
    play_one(here)


@pytest.mark.slow
def test_who_was_asked_finds_it_on_the_shelf(site: Site, opened: Opener) -> None:
    ann, bob = two_people(site, opened, "quadrille")
    before = bob.table
    ann.player().do("resign")
    until(bob.page, RESULT)
    bob.visit("/")
    button(ann, "Rematch").tap()
    is_at_another_table(ann, before)
    bob.page.reload()
    bob.page.get_by_role("link", name="Rematch").click()
    expect(button(bob, "Play again")).to_be_visible()
    bob.visit(f"/t/{ann.table}")  # by a link from Ann
    bob.page.get_by_role("link", name="Play again").click()
    button(bob, "Play again").click()
    until(ann.page, THING)
    until(bob.page, THING)


# ---- Taking back


def test_taking_back_against_a_bot(site: Site, opened: Opener) -> None:
    ann = at_table(opened, seated(site, "quadrille", 1, 1)[0])
    play_one(ann)
    has_moves(ann, 2)
    until(ann.page, MY_BOARD)
    button(ann, "Take back").tap()
    has_moves(ann, 0)
    until(ann.page, MY_BOARD)
    is_logged(ann, "Ann took back a move.")


def test_taking_back_between_people(site: Site, opened: Opener) -> None:
    ann, bob = two_people(site, opened, "quadrille")
    play_one(ann)
    for answer, seen in (
        ("No", "Bob would rather play on."),
        ("Yes", "Ann took back a move."),
    ):
        button(ann, "Take back").tap()
        expect(ann.page.get_by_text("You’ve asked to take back your move.")).to_be_visible()
        expect(bob.page.get_by_role("alert")).to_contain_text("Ann would like to take back a move.")
        button(bob, answer).click()
        is_told(ann if answer == "No" else bob, seen)
        is_logged(ann, seen)
        is_logged(bob, seen)
        expect(ann.page.get_by_text("You’ve asked to take back your move.")).to_be_hidden()
    has_moves(ann, 0)
    until(ann.page, MY_BOARD)


@rotating("game, people", [("pyramidis", 2), ("objectif", 3)])
def test_taking_back_on_one_device(opened: Opener, game: str, people: int) -> None:
    here = on_one_device(opened, game, people)
    first = here.player().look()["to_move"]
    play_one(here)
    button(here, "Take back").tap()
    has_moves(here, 0)
    if game == "objectif":
        curtain = f"Hand the device to {PEOPLE[first]}"
        expect(here.page.get_by_role("heading", name=curtain)).to_be_visible()
    lift_curtain(here)
    expect(here.page.locator(TO_MOVE)).to_contain_text(PEOPLE[first])
    play_one(here)


def test_a_throw_cannot_be_taken_back(site: Site, opened: Opener) -> None:
    player, bob = seated(site, "batisseurs", options=FIRST)
    ann = at_table(opened, player)
    while "roll" not in legal_moves(seen := player.look()):
        (player if "legal" in seen else bob).move()
    player.do("move", {"move": "roll", "number": seen["number"]})
    until(ann.page, MOVE, len(seen["moves"]) + 2)
    button(ann, "Take back").tap()
    expect(ann.page.get_by_test_id("refusal")).to_have_text(
        "The dice have been rolled since: nothing can be taken back."
    )


# ---- Leaving

Policy = Literal["wait", "bot"]


@rotating(
    "leaver, means, news, own",
    [
        (
            "wait",
            "the game will wait, and you’ll find it under “My tables”",
            "Ann left the table. The game is waiting.",
            "You left: the game is waiting for you.",
        ),
        (
            "bot",
            "A bot will play on for you. You can take your seat back",
            "A bot plays on for Ann.",
            "A bot is playing for you.",
        ),
    ],
)
def test_leaving_another_person_and_coming_back(
    site: Site, opened: Opener, leaver: Policy, means: str, news: str, own: str
) -> None:
    ann, bob = two_people(site, opened, "quadrille", leaver=leaver)
    really(ann, "Leave", means)
    is_told(bob, news)
    expect(seat_of(bob, "Ann")).to_contain_text("left" if leaver == "wait" else "Bot for Ann")
    mine = ann.page.get_by_role("region", name="My tables").get_by_role("listitem")
    expect(mine).to_contain_text("Quadrille")
    mine.get_by_role("link").first.tap()
    expect(ann.page.get_by_text(own)).to_be_visible()
    button(ann, "Take my seat back").tap()
    is_told(bob, "Ann is back.")
    expect(seat_of(bob, "Ann")).not_to_contain_text("left")
    expect(ann.page.get_by_text(own)).to_be_hidden()


@pytest.mark.long
def test_coming_back_by_simply_moving(site: Site, opened: Opener) -> None:
    ann, bob = two_people(site, opened, "quadrille")
    really(ann, "Leave", "the game will wait")
    expect(seat_of(bob, "Ann")).to_contain_text("left")
    mine = ann.page.get_by_role("region", name="My tables").get_by_role("listitem")
    mine.get_by_role("link").first.tap()
    play_one(ann)
    is_told(bob, "Ann is back.")
    expect(seat_of(bob, "Ann")).not_to_contain_text("left")
    expect(ann.page.get_by_text("You left")).to_be_hidden()
    bob.page.reload()
    is_logged(bob, "Ann is back.")


def test_leaving_that_is_losing(site: Site, opened: Opener) -> None:
    ann, bob = two_people(site, opened, "quadrille", leaver="forfeit")
    really(ann, "Leave", "The game ends, and your opponent wins.")
    expect(bob.page.get_by_role("heading", name="You won!")).to_be_visible()
    is_logged(bob, "Ann resigned.")
    mine = ann.page.get_by_role("region", name="My tables").get_by_role("listitem")
    expect(mine).to_contain_text("finished")


@rotating("leaver", ["wait", "bot"])
def test_leaving_a_bot(site: Site, opened: Opener, leaver: Policy) -> None:
    ann = at_table(opened, seated(site, "quadrille", 1, 1, leaver=leaver)[0])
    means = {"wait": "the game will wait", "bot": "A bot will play on for you."}[leaver]
    really(ann, "Leave", means)
    mine = ann.page.get_by_role("region", name="My tables").get_by_role("listitem")
    mine.get_by_role("link").first.tap()
    if leaver == "wait":
        play_one(ann)
        expect(ann.page.get_by_text("You left")).to_be_hidden()
        return
    is_logged(ann, "A bot plays on for Ann.")
    until(ann.page, RESULT)  # to the end


@pytest.mark.long  # whose rules are tested in `tests/table/`
@pytest.mark.parametrize("leaver", ["wait", "forfeit"])
def test_everybody_of_a_device_leaves(site: Site, opened: Opener, leaver: str) -> None:
    people = seated(site, "pyramidis", leaver=leaver)
    here = opened(PHONE)
    for person in people:
        here.take(person)
        until(here.page, THING)
        here.visit("/")
    here.visit(f"/t/{people[0].table}")
    until(here.page, MY_BOARD)
    really(here, "Leave", "Everybody on this device will leave.")
    mine = here.page.get_by_role("region", name="My tables").get_by_role("listitem")
    expect(mine).to_have_count(1)
    seen = people[0].look()
    if leaver == "forfeit":
        assert "result" in seen
        return
    assert all(seat["away"] for seat in seen["seats"])
    mine.get_by_role("link").first.tap()
    button(here, "Take my seat back").tap()
    eventually(
        lambda: not any(seat.get("away") for seat in people[0].look()["seats"]), "all are back"
    )
    play_one(here)


# ---- Giving up


@pytest.mark.long
def test_a_bot_plays_on_for_whoever_resigns(site: Site, opened: Opener) -> None:
    people = seated(site, "pyramidis", 2, 2, options=FIRST, resign="bot")
    ann, bob = at_table(opened, people[0]), at_table(opened, people[1], DESKTOP)
    really(ann, "Resign", "A bot will play on for you, and you can’t come back.")
    expect(ann.page.get_by_text("You resigned: a bot is playing on for you.")).to_be_visible()
    expect(button(ann, "Take my seat back")).to_have_count(0)
    is_told(bob, "Ann resigned: a bot plays on.")
    expect(seat_of(bob, "Bot for Ann")).to_have_count(1)
    until(bob.page, MY_BOARD)
    has_moves(bob, 1)
    ann.page.reload()
    expect(ann.page.get_by_text("You resigned: a bot is playing on for you.")).to_be_visible()
    assert ann.page.locator(MY_BOARD).count() == 0


def test_the_game_ends_when_somebody_resigns(site: Site, opened: Opener) -> None:
    people = seated(site, "pyramidis", 2, 2, options=FIRST, resign="end")
    ann, bob = at_table(opened, people[0]), at_table(opened, people[1], DESKTOP)
    really(ann, "Resign", "The game ends for everybody: the others share the win.")
    for here in (ann, bob):
        expect(here.page.get_by_test_id("result")).to_contain_text("Ann resigned.")
        expect(seat_of(here, "Ann")).to_have_attribute("data-winner", "false")
        expect(seat_of(here, "Bob")).to_have_attribute("data-winner", "true")


def test_one_of_three_on_one_device_resigns(opened: Opener) -> None:
    here = on_one_device(opened, "batisseurs", 3)
    turn = here.page.locator(TO_MOVE)
    name = next(name for name in PEOPLE[:3] if name in turn.inner_text())
    from_menu(here, "Resign")
    dialog = here.page.get_by_role("dialog")
    expect(dialog).to_contain_text(f"{name}: resign?")
    dialog.get_by_role("button", name="Resign", exact=True).tap()
    expect(seat_of(here, f"Bot for {name}")).to_have_count(1)
    until(here.page, MY_BOARD)
    expect(turn).not_to_contain_text(name)
    button(here, "Menu").tap()
    expect(button(here, "Leave")).to_be_visible()


def test_what_a_resignation_means_is_chosen(opened: Opener) -> None:
    here = opened(PHONE)
    here.visit("/new/pyramidis")
    form = here.page.get_by_role("main").locator("form")
    form.get_by_text("Details").tap()
    wish = form.get_by_label("If somebody resigns")
    form.locator("label").get_by_text("2", exact=True).tap()
    expect(wish).to_have_count(0)
    form.locator("label").get_by_text("4", exact=True).tap()
    expect(wish).to_have_value("bot")
    wish.select_option("end")
    form.get_by_role("button", name="Open the table").tap()
    here.page.wait_for_url("**/t/*")
    assert here.player().look()["resign"] == "end"


# ---- Being late


@rotating(
    "leaver, news",
    [("wait", "Ann ran out of time."), ("bot", "Ann ran out of time: a bot plays on.")],
)
def test_time_that_runs_out(site: Site, opened: Opener, leaver: str, news: str) -> None:
    pace = {"pace": "live", "seconds": 1, "increment": 60}
    table = site.open("quadrille", pace=pace, leaver=leaver)
    bob = opened(DESKTOP)
    bob.take(site.sit(table, 1, "Bob"))
    ann = opened(PHONE)
    ann.visit(f"/t/{table}")
    ann.page.get_by_role("textbox", name="Your name", exact=True).fill("Ann")
    button(ann, "Take seat 1").tap()
    is_told(bob, news)
    is_logged(ann, news)
    if leaver == "wait":
        for here in (ann, bob):
            expect(here.page.get_by_test_id("result")).to_contain_text(news)
    else:
        expect(ann.page.get_by_text("A bot is playing for you.")).to_be_visible()
