"""Whole games, as people play them: by finger, mouse and keys; with a bot, apart, on one device.

In a short run most moves are made by the API, and who plays by keys begins near the end.
"""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from benben.core.registry import names
from tests.browser.conftest import Opener
from tests.browser.hands import Hand, play_on, until
from tests.browser.positions import near_end
from tests.browser.selectors import BOARD, MOVE, MY_BOARD, MY_THING, THING, part
from tests.browser.windows import DESKTOP, PHONE, Window
from tests.sizes import LONG, rotating
from tests.web.site import Person, Site

BY_HAND = 1 if LONG else 5  # one move of so many
KEYS_MOVES = 6
TITLES = {
    "batisseurs": "Bâtisseurs",
    "objectif": "Objectif",
    "pyramidis": "Pyramidis",
    "quadrille": "Quadrille",
}


def _for_two(form: Locator) -> None:
    """Choose two players, where there is a choice."""
    two = form.get_by_role("radio", name="2", exact=True)
    if two.count():
        form.locator("label").filter(
            has=form.page.get_by_role("radio", name="2", exact=True)
        ).click()


# ---- With a bot


def _play_now(here: Window, game: str) -> None:
    here.visit("/")
    box = here.page.get_by_role("article", name=TITLES[game])
    box.get_by_role("button", name="Play now").tap()
    here.page.wait_for_url("**/t/*")


def _open_with_a_bot(here: Window, game: str) -> None:
    here.visit(f"/new/{game}")
    form = here.page.get_by_role("main").locator("form")
    expect(form).to_be_visible()
    _for_two(form)
    form.get_by_label("Seat 2", exact=True).select_option("1")
    form.get_by_role("button", name="Open the table").tap()
    here.page.wait_for_url("**/t/*")


@pytest.mark.slow
@rotating(
    "game, begin",
    [
        ("batisseurs", _play_now),
        ("objectif", _play_now),
        ("pyramidis", _open_with_a_bot),
        ("quadrille", _open_with_a_bot),
    ],
)
def test_with_a_bot_by_finger(
    opened: Opener, game: str, begin: Callable[[Window, str], None]
) -> None:
    here = opened(PHONE)
    begin(here, game)
    assert play_on(game, Hand(here, "finger"), by_hand=BY_HAND) >= 4
    expect(here.page.get_by_test_id("result").get_by_role("heading")).not_to_be_empty()


# ---- Apart


@pytest.mark.slow
@rotating("game", names())
def test_two_people_far_apart(opened: Opener, game: str) -> None:
    here, there = opened(DESKTOP), opened(DESKTOP, language="fr-FR")
    here.visit(f"/new/{game}")
    form = here.page.get_by_role("main").locator("form")
    form.get_by_role("textbox", name="Your name").fill("Ann")
    _for_two(form)
    form.get_by_role("button", name="Open the table").click()
    there.page.goto(here.page.get_by_label("Send this link").input_value())
    there.page.get_by_role("main").get_by_role("textbox", name="Votre nom").fill("Benoît")
    there.page.get_by_role("button", name="Prendre la place 2").click()
    play_on(game, Hand(here), Hand(there), by_hand=BY_HAND)
    moves = [
        window.page.get_by_test_id("move-text").all_text_contents() for window in (here, there)
    ]
    assert moves[0] == moves[1] == here.player().look()["moves"]
    for window, heading in zip((here, there), _headings(here.player().look()), strict=True):
        expect(window.page.get_by_test_id("result").get_by_role("heading")).to_have_text(heading)


def _headings(seen: dict[str, Any]) -> tuple[str, str]:
    """How it ended, as Ann reads it in English and Benoît in French."""
    ann, benoit = seen["result"]["shares"]
    if ann == benoit:
        return "A draw", "Partie nulle"
    return (
        ("You won!", "Vous avez perdu") if ann > benoit else ("You lost", "Vous avez gagné\u202f!")
    )


# ---- On one device


def _play_here(here: Window, game: str) -> None:
    here.visit("/")
    box = here.page.get_by_role("article", name=TITLES[game])
    box.get_by_role("button", name="On one device").tap()
    dialog = here.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    _for_two(dialog)
    dialog.get_by_label("Player 1").fill("Ann")
    dialog.get_by_label("Player 2").fill("Bob")
    dialog.get_by_role("button", name="Start").tap()
    here.page.wait_for_url("**/t/*")


@pytest.mark.slow
@rotating("game", ["batisseurs", "pyramidis", "quadrille"])
def test_on_one_device(opened: Opener, game: str) -> None:
    here = opened(PHONE)
    _play_here(here, game)
    play_on(game, Hand(here, "finger"), by_hand=BY_HAND)
    expect(here.page.get_by_test_id("result").get_by_role("heading")).not_to_be_empty()
    expect(here.page.get_by_test_id("curtain")).to_have_count(0)


@pytest.mark.slow
def test_a_curtain_between_two_who_have_secrets(opened: Opener) -> None:
    here = opened(PHONE)
    page, hand = here.page, Hand(here, "finger")
    _play_here(here, "objectif")
    answers = Answers(page)
    page.reload()  # so that everything the page knows is in an answer
    people = [here.player(0), here.player(1)]
    goals = [_goal(person) for person in people]
    first = people[0].look()["to_move"]  # drawn by lot
    told: set[tuple[int, str]] = set()
    for turn in range(3):
        seat = (first + turn) % 2
        name = ("Ann", "Bob")[seat]
        expect(page.get_by_role("heading", name=f"Hand the device to {name}")).to_be_visible()
        expect(page.locator(THING)).to_have_count(0)
        assert "Your secret goal" not in page.content()
        assert answers.secrets() == told
        told.add((seat, goals[seat]))
        page.get_by_role("button", name=f"I am {name}").tap()
        assert _peek(here, goals[seat])
        assert not _peek(here, goals[1 - seat])
        hand.play("objectif", people[seat].look()["legal"][0]["move"])
        until(page, MOVE, turn + 1)
    play_on("objectif", hand, by_hand=BY_HAND)
    assert answers.of_streams == [False] * len(answers.of_streams), "a stream is anybody's"
    assert "Your secret goal" not in page.content()


def _goal(person: Person) -> str:
    seen = person.look()
    return str(seen["view"].split(" ")[-1][seen["you"]])


class Answers:
    """What the server answers a page that is at a table, whether the page waits for it or not."""

    def __init__(self, page: Page) -> None:
        self.bodies: list[str] = []
        self.of_streams: list[bool] = []  # whether each was asked for as somebody
        page.route("**/api/tables/**", self._pass_on)

    def _pass_on(self, route: Route) -> None:
        if route.request.url.endswith("/events"):
            self.of_streams.append("authorization" in route.request.headers)
            route.continue_()
            return
        answer = route.fetch()
        self.bodies.append(answer.text())
        route.fulfill(response=answer)

    def secrets(self) -> set[tuple[int, str]]:
        """Those that were in an answer: whose, and what."""
        found = set()
        for body in self.bodies:
            for view in re.findall(r'"view":("[^"]*")', body):
                goals = json.loads(view).split(" ")[-1]
                found |= {(seat, goal) for seat, goal in enumerate(goals) if goal != "?"}
        return found


def _peek(here: Window, goal: str) -> bool:
    """Whether it is this colour that is on the card with one's secret."""
    label = str(here.page.locator(f'{BOARD} [data-thing="{goal}"]').get_attribute("aria-label"))
    card = here.page.get_by_role("button", name="Your secret goal")
    card.press("Enter")
    expect(card).not_to_contain_text("tap to look")
    seen = card.inner_text()
    card.press("Enter")
    expect(card).to_contain_text("tap to look")
    return label.split(":")[0] in seen


# ---- Keys alone


@pytest.mark.slow
@pytest.mark.parametrize("game", names())
def test_by_keys_alone(site: Site, opened: Opener, game: str) -> None:
    begin = {} if LONG else {"position": near_end(game, KEYS_MOVES)}
    table = site.open(game, players=2, seats=[{"bot": 0}, {"bot": 1}], **begin)
    here = opened(DESKTOP)
    here.take(site.sit(table, 0))
    assert play_on(game, Hand(here, "keys")) >= 2
    expect(here.page.get_by_test_id("result").get_by_role("heading")).not_to_be_empty()


# ---- What may not be played, and what is seen of what is


def _at_table(site: Site, game: str) -> tuple[Person, Person]:
    """Two people at a table, of whom the first is to move."""
    one, other = site.table(game, players=2)
    return (one, other) if "legal" in one.look() else (other, one)


def _base_of_its_colour(hand: Hand, seen: dict[str, Any]) -> str:
    """Choose a colour that is left in the stock; a base that is bare and of that colour."""
    drawing, left = seen["drawing"], seen["drawing"][f"stock:{seen['you'] + 1}"].lower()
    place, base = next(each for each in drawing.items() if each[1] in set("ogbp") & set(left))
    hand.touch(hand.thing(base))
    return str(place)


@rotating(
    "game, square, language, reason",
    [
        (
            "batisseurs",
            "f1",
            "en-GB",
            "The 1st lilac block must rest on both blocks just below it.",
        ),
        ("objectif", "", "en-GB", "Place {} is a bare base of that colour, and refuses it."),
        ("pyramidis", "d4", "en-GB", "There is no pyramid on d4: choose one of your columns."),
        (
            "pyramidis",
            "d4",
            "fr-FR",
            "Il n’y a aucune pyramide en d4 : choisissez une de vos colonnes.",
        ),
        ("quadrille", "a1", "en-GB", "There is a pawn on a1."),
    ],
)
def test_why_something_may_not_be_played(
    site: Site, opened: Opener, game: str, square: str, language: str, reason: str
) -> None:
    ann, bob = _at_table(site, game)
    here = opened(PHONE, language=language)
    here.take(ann)
    hand = Hand(here, "finger")
    if game == "quadrille":
        hand.play(game, "@a1")
        until(here.page, MOVE)
        bob.move()
    until(here.page, MY_THING)
    square = square or _base_of_its_colour(hand, ann.look())
    hand.thing(square).tap(force=True)  # it says of itself that it cannot be chosen
    expect(here.page.get_by_test_id("refusal")).to_have_text(reason.format(square))
    rule = here.page.get_by_role("link", name={"en-GB": "Rule", "fr-FR": "Règle"}[language])
    expect(rule).to_be_in_viewport()
    expect(rule).to_have_attribute(
        "href", re.compile(rf"^/rules/{game}\?from={ann.table}#[a-z-]+$")
    )


def test_why_not_is_said_as_soon_as_it_is_known(site: Site, opened: Opener) -> None:
    ann, _ = site.table("pyramidis", players=2, options={"first": 1})
    here = opened(PHONE)
    late: list[Route] = []
    here.page.route("**/refusals", lambda route: late.append(route))
    here.take(ann)
    until(here.page, MY_THING)
    Hand(here, "finger").thing("e5").tap(force=True)
    note = here.page.get_by_test_id("refusal")
    expect(note).to_have_text("That isn’t possible now.")
    late[0].continue_()
    expect(note).to_have_text("There is no pyramid on e5: choose one of your columns.")


# Which squares are seen to get a pyramid, one after the other, until the server has the move.
_WATCH = """squares => {
    window.seen = [];
    const look = () => {
        const filled = squares.filter(square => {
            const label = document.querySelector(`[data-thing="${square}"]`).ariaLabel;
            return !label.includes("empty");
        }).join(" ");
        if (window.seen.at(-1) !== filled) window.seen.push(filled);
        requestAnimationFrame(look);
    };
    look();
}"""
# What was seen, when it has been looked at once more.
_SEEN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(seen))))"
# How long until nothing is in hand any more, in ms, after a click beside the squares.
_SKIP = """() => new Promise(done => {
    const began = performance.now();
    document.querySelector('[data-testid="board"]').click();
    const look = () => {
        if (document.querySelector('[data-testid="hand"]')) requestAnimationFrame(look);
        else done(performance.now() - began);
    };
    look();
})"""


def test_a_sowing_is_shown_pyramid_by_pyramid_and_can_be_skipped(
    site: Site, opened: Opener
) -> None:
    ann, bob = site.table("pyramidis", players=2, options={"first": 1})
    here = opened(DESKTOP, calm=False)
    here.take(ann)
    until(here.page, MY_THING)
    here.page.evaluate(_WATCH, ["d2", "d3", "d4"])
    Hand(here).play("pyramidis", "d1*3")
    until(here.page, part("hand"))
    expect(here.page.get_by_test_id("hand")).to_have_count(0)
    assert here.page.evaluate(_SEEN) == ["", "d2", "d2 d3", "d2 d3 d4"]
    bob.do("move", {"move": "d8*5", "number": bob.look()["number"]})
    until(here.page, part("hand"))
    assert here.page.evaluate(_SKIP) < 600  # five drops take more than a second
    until(here.page, MY_BOARD)
