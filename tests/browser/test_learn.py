"""Lessons: finished, left and resumed, with answers to what is wrong; offered, and never pushed."""

import re
from collections.abc import Callable
from typing import Any, Literal

import pytest
from playwright.sync_api import expect

from benben.core.registry import names
from tests.browser.conftest import Opener
from tests.browser.evenings import PHONE, at_table, button, seated
from tests.browser.hands import Hand, until
from tests.browser.selectors import MY_THING, THING, part
from tests.browser.windows import DESKTOP, Window, resize
from tests.sizes import rotating
from tests.web.site import Site

SIZES = (PHONE, (844, 390), DESKTOP)
SMALLEST = 44  # px
# What is outside the window or cut off, and what is too small for a finger.
_MISFITS = """() => {
    const found = [];
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) found.push("it scrolls");
    const find = (name) => document.querySelector(`[data-testid="${name}"]`);
    for (const part of ["lesson-head", "board", "lesson-words", "lesson-actions"]) {
        const { left, top, right, bottom } = find(part).getBoundingClientRect();
        if (left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5)
            found.push(`${part} ends at ${right}, ${bottom}`);
    }
    for (const part of ["board", "lesson-words"]) {
        const box = find(part);
        if (box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1)
            found.push(`${part} needs ${box.scrollWidth} x ${box.scrollHeight}`);
    }
    const tapped = [find("lesson-actions"), find("lesson-words")].flatMap(
        (each) => [...each.querySelectorAll("a, button")]);
    for (const each of tapped) {
        const { width, height } = each.getBoundingClientRect();
        if (Math.min(width, height) < SMALLEST) found.push(`${each.textContent} is ${height} high`);
    }
    return found;
}""".replace("SMALLEST", str(SMALLEST))

# What the rules forbid, at a step (from 0) of the first chapter: what is tapped, and by which rule.
ILLEGAL: dict[str, tuple[int, tuple[str, ...], str]] = {
    "objectif": (3, ("b", "3"), "case-colour"),
    "pyramidis": (1, ("d8",), "not-your-column"),
    "batisseurs": (1, ("b1",), "no-support"),
    "quadrille": (2, ("e4",), "occupied"),
}
# A legal move that is not the one meant, at such a step.
WRONG = {
    "objectif": (1, "o@2"),
    "pyramidis": (3, "d3"),
    "batisseurs": (1, "a3"),
    "quadrille": (1, "@a1"),
}


LEFT = 3  # the step before which somebody leaves


def said(phase: str) -> str:
    """What the lesson says: asking for a move, when it is done, or when all is over."""
    return f'{part("lesson-said")}[data-phase="{phase}"]'


class Learner:
    """Somebody at a window who takes a lesson."""

    def __init__(self, here: Window, game: str, by: Literal["mouse", "finger", "keys"]) -> None:
        self.here, self.page, self.game = here, here.page, game
        self.hand = Hand(here, by)
        self.lesson: Any = here.site.get(f"games/{game}/lesson?language=en")

    def begin(self) -> None:
        self.here.visit(f"/learn/{self.game}")
        self.sees_step(0)

    @property
    def steps(self) -> list[Any]:
        return [step for chapter in self.lesson["chapters"] for step in chapter["steps"]]

    def sees_step(self, number: int) -> None:
        """It is asked for, and the board is there."""
        expect(self.page.get_by_test_id("lesson-progress")).to_contain_text(str(number + 1))
        until(self.page, MY_THING if self.steps[number].get("moves") else THING)
        expect(self.page.locator(said("asking"))).to_be_visible()

    def does(self, number: int) -> None:
        """A step, as it is meant."""
        self.sees_step(number)
        step = self.steps[number]
        if step.get("moves"):
            self.hand.make(self.game, step["moves"][0])
        else:
            self.goes_on()
        if step.get("done"):
            until(self.page, said("told"))
            self.goes_on()

    def goes_on(self) -> None:
        self.hand.touch(self.page.get_by_test_id("lesson-continue"))

    def goes_back_to(self, number: int) -> None:
        if self.hand.by == "keys":
            self.page.keyboard.press("[")
        else:
            self.hand.touch(self.page.get_by_test_id("lesson-back"))
        self.sees_step(number)

    def board(self) -> str:
        """What is drawn; not where the focus would go."""
        return re.sub(r' tabindex="[-\d]+"', "", self.page.get_by_test_id("board").inner_html())

    def fits(self) -> None:
        """On this screen."""
        assert self.page.evaluate(_MISFITS) == []

    def fits_everywhere(self) -> None:
        before = self.page.viewport_size
        assert before
        for size in SIZES:
            resize(self.page, size)
            assert self.page.evaluate(_MISFITS) == [], size
        resize(self.page, (before["width"], before["height"]))


@pytest.fixture
def learner(opened: Opener) -> Callable[..., Learner]:
    def come(game: str, size: tuple[int, int] = PHONE, **how: Any) -> Learner:
        return Learner(opened(size, **how), game, "finger" if size == PHONE else "mouse")

    return come


@pytest.mark.slow
@rotating("game", names())
def test_a_lesson_finished_on_a_phone(learner: Callable[..., Learner], game: str) -> None:
    """In French, whose words are longer: everything is on one screen, at every step."""
    ann = learner(game, language="fr-FR", new=True)
    ann.begin()
    longest = max(range(len(ann.steps)), key=lambda number: len(ann.steps[number]["say"]))
    for number in range(len(ann.steps)):
        ann.sees_step(number)
        ann.fits()
        if number == longest:
            ann.fits_everywhere()
        if number == LEFT:
            ann.page.reload()
        elif number == len(ann.lesson["chapters"][0]["steps"]):  # the first of another chapter
            ann.goes_back_to(number - 1)
            ann.does(number - 1)
        ann.does(number)
    until(ann.page, said("over"))
    ann.fits_everywhere()
    assert ann.here.violations() == []
    ann.page.emulate_media(color_scheme="dark")
    assert ann.here.violations() == []
    button(ann.here, "Jouer une vraie partie").tap()
    until(ann.page, MY_THING)
    expect(ann.page.get_by_role("dialog")).to_be_hidden()  # the aim is known
    assert [seat.get("level", 0) for seat in ann.here.player().look()["seats"]] == [0, 1]
    ann.page.go_back()  # it stays finished, and can be taken again
    expect(ann.page.locator(said("over"))).to_contain_text("Bravo")
    button(ann.here, "Recommencer").tap()
    ann.sees_step(0)


@pytest.mark.slow
def test_a_lesson_left_resumed_and_heard_by_keys(opened: Opener) -> None:
    here = opened(DESKTOP, dark=True)
    ann = Learner(here, "quadrille", "keys")
    heard = here.page.locator("[aria-live=polite], [role=status]")
    ann.begin()
    expect(heard.filter(has_text="You are White.")).to_have_count(1)
    ann.does(0)
    ann.sees_step(1)
    ann.hand.make("quadrille", "@d3")
    expect(heard.filter(has_text="Opponent: puts a pawn on e4.")).to_have_count(1)
    expect(button(here, "Continue")).to_be_focused()
    ann.goes_on()
    for number in (2, 3, 4):
        ann.sees_step(number)
        if number == LEFT:
            here.page.get_by_role("link", name="Leave").click()
            box = here.page.get_by_role("article").filter(
                has=here.page.locator('a[href="/rules/quadrille"]')
            )
            box.get_by_role("link", name="Go on with the lesson").click()
        ann.does(number)
    ann.sees_step(5)
    ann.goes_back_to(4)
    ann.does(4)
    assert here.violations() == []


@rotating("game", names())
def test_what_is_wrong_is_answered_and_what_is_right_shown(
    learner: Callable[..., Learner], game: str
) -> None:
    ann = learner(game)
    ann.begin()
    note = ann.page.get_by_test_id("lesson-note")
    rule = note.get_by_role("link", name="The rule")
    for number in range(max(WRONG[game][0], ILLEGAL[game][0]) + 1):
        ann.sees_step(number)
        if number == WRONG[game][0]:
            before = ann.board()
            ann.hand.make(game, WRONG[game][1])
            expect(note).to_contain_text(ann.steps[number]["wrong"])
            expect(rule).to_have_attribute("href", f"/rules/{game}#{ann.steps[number]['rule']}")
            ann.fits_everywhere()
            assert ann.here.violations() == []
            button(ann.here, "Try again").tap()
            expect(note).to_be_hidden()
            assert ann.board() == before, "nothing was played"
        if number == ILLEGAL[game][0]:
            for thing in ILLEGAL[game][1]:
                ann.hand.thing(thing).tap(force=True)  # it may say that it cannot be played
            expect(note).to_contain_text("Not allowed.")
            explained = ann.here.site.get(f"games/{game}")["paragraphs"][ILLEGAL[game][2]]
            expect(rule).to_have_attribute("href", f"/rules/{game}#{explained}")
            ann.fits()
            assert ann.here.violations() == []
            ann.page.keyboard.press("Escape")
            button(ann.here, "Try again").tap()
        if number == 1:
            plain = ann.board()
            button(ann.here, "Show me").tap()
            expect(ann.page.get_by_test_id("lesson-prompt")).to_contain_text("The move:")
            assert ann.board() != plain, "it is on the board, too"
            ann.fits()
        ann.does(number)
    ann.sees_step(number + 1)


def test_another_language_is_the_same_step_and_starting_again_is_asked_for_twice(
    learner: Callable[..., Learner],
) -> None:
    ann = learner("objectif")
    ann.begin()
    ann.does(0)
    ann.does(1)
    button(ann.here, "Start again").tap()
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Cancel").tap()
    ann.sees_step(2)
    button(ann.here, "Français").tap()
    expect(ann.page.get_by_test_id("lesson-said")).to_contain_text("Reprenez-le")
    expect(ann.page.get_by_test_id("lesson-progress")).to_have_text("Étape 3 sur 10")
    before = ann.board()
    ann.does(2)
    ann.sees_step(3)
    ann.goes_back_to(2)
    assert ann.board() == before
    ann.does(2)
    ann.sees_step(3)
    button(ann.here, "Recommencer").tap()
    dialog.get_by_role("button", name="Recommencer").tap()
    ann.sees_step(0)


def test_offered_once_at_a_first_table(site: Site, opened: Opener) -> None:
    here = opened(PHONE, new=True)
    page, dialog = here.page, here.page.get_by_role("dialog")
    offer = dialog.get_by_role("link", name="Learn by playing (4 minutes)")
    here.take(seated(site, "quadrille", people=1, bots=1)[0])
    table = here.table
    expect(offer).to_be_visible()
    assert here.violations() == []
    for size in SIZES:
        resize(page, size)
        box = dialog.bounding_box()
        assert box
        assert box["y"] >= 0, size
        assert box["y"] + box["height"] <= size[1], size
        assert page.evaluate(
            "(d => d.scrollHeight <= d.clientHeight + 1)(document.querySelector('dialog[open]'))"
        )
    resize(page, PHONE)
    offer.tap()
    ann = Learner(here, "quadrille", "finger")
    ann.sees_step(0)
    page.get_by_role("link", name="Leave").tap()  # back to the table, where nobody asks again
    page.wait_for_url(f"**/t/{table}")
    until(page, MY_THING)
    expect(dialog).to_be_hidden()


def test_not_offered_while_somebody_waits_and_none_of_a_game_that_is_not_there(
    site: Site, opened: Opener
) -> None:
    here = at_table(opened, seated(site, "quadrille", people=2)[0], new=True)
    expect(here.page.get_by_role("dialog")).to_contain_text("Leave your opponent")
    expect(here.page.get_by_role("link", name="Learn by playing")).to_be_hidden()
    here.visit("/learn/chess")
    expect(here.page.get_by_role("heading", name="No lesson here")).to_be_visible()
    assert here.violations() == []


def test_boards_in_words(opened: Opener) -> None:
    here = opened(PHONE)
    ann = Learner(here, "quadrille", "finger")
    ann.begin()
    button(here, "Settings").tap()
    here.page.get_by_text("Keyboard").tap()
    expect(here.page.get_by_role("dialog")).to_contain_text("in a lesson, the previous step")
    assert here.violations() == []
    here.page.get_by_label("Boards as text").check()
    button(here, "Close").tap()
    button(here, "Continue").tap()
    here.page.get_by_role("button", name="put a pawn on a1").tap()
    expect(here.page.get_by_test_id("lesson-note")).to_contain_text("take d3")
    here.page.get_by_role("button", name="put a pawn on d3").tap()
    expect(here.page.locator(said("told"))).to_contain_text("Black stands on e4")
    assert here.violations() == []
