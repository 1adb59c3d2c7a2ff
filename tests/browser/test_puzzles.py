"""Puzzles in the browser: tried, refuted, solved, and remembered."""

from typing import Any

import pytest
from playwright.sync_api import expect

from benben.core.registry import names
from benben.learn.puzzles.puzzle import Puzzle, collection
from tests.browser.conftest import Opener
from tests.browser.evenings import PHONE, button
from tests.browser.hands import Hand, until
from tests.browser.windows import DESKTOP, Window, resize

FRENCH = {"b": "bleue", "g": "verte", "o": "orange", "p": "rose", "v": "violette", "y": "jaune"}
SIZES = (PHONE, (390, 664), (844, 390), DESKTOP)
# What is outside the window; nothing but a long line may need to be scrolled.
_MISFITS = """() => {
    const found = [];
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) found.push("it scrolls");
    for (const part of [".head", ".board", ".words", ".buttons"]) {
        const { left, top, right, bottom } = document.querySelector(`.puzzle ${part}`)
            .getBoundingClientRect();
        if (left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5)
            found.push(`${part} ends at ${right}, ${bottom}`);
    }
    const verdict = document.querySelector(".verdict")?.getBoundingClientRect();
    const words = document.querySelector("[data-phase]").getBoundingClientRect();
    if (verdict && (verdict.top < words.top - 0.5 || verdict.bottom > words.bottom + 0.5))
        found.push("the verdict is out of sight");
    return found;
}"""


def tempting(name: str) -> tuple[Puzzle, str]:
    """A puzzle, and a wrong move in it that is refuted by an answer."""
    for puzzle in collection(name).puzzles:
        for answer in puzzle.answers:
            if answer.line and answer.move not in puzzle.right:
                return puzzle, answer.move
    raise AssertionError(f"no puzzle of {name} has a refutation")


def visit(here: Window, name: str, puzzle: Puzzle) -> None:
    here.visit(f"/puzzles/{name}/{puzzle.id}")
    until(here.page, ".puzzle .board.yours [data-thing]")


def fits_everywhere(here: Window) -> None:
    for size in SIZES:
        resize(here.page, size)
        assert here.page.evaluate(_MISFITS) == [], size


@pytest.mark.parametrize("name", names())
def test_a_wrong_move_is_refuted_and_the_right_one_found(opened: Opener, name: str) -> None:
    """In French, whose words are longer."""
    puzzle, wrong = tempting(name)
    here = opened(PHONE, language="fr-FR")
    hand = Hand(here, "finger")
    visit(here, name, puzzle)
    if name == "objectif":  # nobody else looks: one's own goal is no secret here
        goal = puzzle.view(name).facts()["goals"][puzzle.seat]
        expect(here.page.locator(".card")).to_contain_text(FRENCH[goal])
        expect(here.page.locator(".card button")).to_have_count(0)
    hand.make(name, wrong)
    until(here.page, '.words[data-phase="wrong"]')
    here.page.locator(".board").click(position={"x": 4, "y": 4})  # to the end of what is shown
    until(here.page, '.buttons[data-live="true"]')
    line = here.page.locator(".words .line li")
    expect(line).to_have_count(1 + len(puzzle.answer(wrong).line))
    expect(here.page.locator(".verdict + p")).to_be_in_viewport(ratio=1)
    fits_everywhere(here)
    assert here.violations() == []
    resize(here.page, PHONE)
    button(here, "Réessayer").tap()
    until(here.page, ".puzzle .board.yours [data-thing]")
    button(here, "Indice").tap()
    hand.make(name, puzzle.solution)
    until(here.page, '.words[data-phase="right"]')
    expect(here.page.locator(".verdict")).not_to_contain_text("premier coup")
    here.page.reload()
    expect(here.page.locator(".about")).to_contain_text("déjà résolu")


def test_the_puzzle_of_the_day_by_keys_and_its_streak(opened: Opener) -> None:
    here = opened(DESKTOP, dark=True)
    here.visit("/")
    here.page.get_by_role("link", name="Puzzle of the day").click()
    day = here.page.locator(".day")
    until(here.page, ".day .picture svg")
    expect(day).to_contain_text("to begin a streak")
    assert here.violations() == []
    told: Any = here.site.get("puzzles/today")["puzzle"]
    day.get_by_role("link", name="Solve it").click()
    until(here.page, ".puzzle .board.yours [data-thing]")
    expect(here.page.locator(".about")).to_contain_text("Puzzle of the day")
    solution = here.site.get(f"puzzles/{told['game']}/{told['id']}/solution")["move"]
    Hand(here, "keys").make(told["game"], solution)
    until(here.page, '.words[data-phase="right"]')
    expect(here.page.locator(".verdict")).to_contain_text("at the first try")
    assert here.violations() == []
    expect(here.page.get_by_role("link", name="Next puzzle")).to_be_focused()
    here.page.keyboard.press("Enter")
    until(here.page, ".puzzle .board.yours [data-thing]")
    button(here, "Show solution").click()
    until(here.page, '.words[data-phase="shown"]')
    here.page.get_by_role("link", name="All puzzles").click()
    here.page.reload()
    expect(day).to_contain_text("1 day in a row at the first try")
    expect(day).to_contain_text("Solved at the first try")
    resize(here.page, PHONE)
    here.page.emulate_media(color_scheme="light")
    assert here.violations() == []


def test_there_is_no_such_puzzle(opened: Opener) -> None:
    here = opened(PHONE)
    here.visit("/puzzles/quadrille/zzzzzz")
    expect(here.page.get_by_role("heading", name="No such puzzle")).to_be_visible()
