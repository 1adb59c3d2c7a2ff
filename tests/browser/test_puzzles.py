"""Puzzles in the browser: tried, refuted, solved, and remembered."""

from typing import Any

import pytest
from playwright.sync_api import expect

from benben.core.registry import names
from benben.learn.puzzles.puzzle import Puzzle, collection
from tests.browser.conftest import Opener
from tests.browser.evenings import PHONE, button
from tests.browser.hands import Hand, until
from tests.browser.selectors import MY_THING, part
from tests.browser.windows import DESKTOP, Window, resize
from tests.sizes import rotating

FRENCH = {"b": "bleue", "g": "verte", "o": "orange", "p": "rose", "v": "violette", "y": "jaune"}
SIZES = (PHONE, (390, 664), (844, 390), DESKTOP)
# What is outside the window; nothing but a long line may need to be scrolled.
_MISFITS = """() => {
    const found = [];
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) found.push("it scrolls");
    const boxOf = (name) =>
        document.querySelector(`[data-testid="${name}"]`)?.getBoundingClientRect();
    for (const part of ["puzzle-head", "board", "answer", "puzzle-actions"]) {
        const { left, top, right, bottom } = boxOf(part);
        if (left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5)
            found.push(`${part} ends at ${right}, ${bottom}`);
    }
    const verdict = boxOf("verdict");
    const words = boxOf("answer");
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
    until(here.page, MY_THING)


def answered(phase: str) -> str:
    return f'{part("answer")}[data-phase="{phase}"]'


def fits_everywhere(here: Window) -> None:
    for size in SIZES:
        resize(here.page, size)
        assert here.page.evaluate(_MISFITS) == [], size


@pytest.mark.slow
@rotating("name", names())
def test_a_wrong_move_is_refuted_and_the_right_one_found(opened: Opener, name: str) -> None:
    """In French, whose words are longer."""
    puzzle, wrong = tempting(name)
    here = opened(PHONE, language="fr-FR")
    hand = Hand(here, "finger")
    visit(here, name, puzzle)
    if name == "objectif":  # nobody else looks: one's own goal is no secret here
        goal = puzzle.view(name).facts()["goals"][puzzle.seat]
        expect(here.page.get_by_test_id("secret-goal")).to_contain_text(FRENCH[goal])
        expect(here.page.get_by_test_id("secret-goal").get_by_role("button")).to_have_count(0)
    hand.make(name, wrong)
    until(here.page, answered("wrong"))
    here.page.get_by_test_id("board").click(
        position={"x": 4, "y": 4}
    )  # to the end of what is shown
    until(here.page, f'{part("puzzle-actions")}[data-live="true"]')
    line = here.page.get_by_test_id("answer-line").get_by_role("listitem")
    expect(line).to_have_count(1 + len(puzzle.answer(wrong).line))
    expect(here.page.get_by_test_id("verdict-reason")).to_be_in_viewport(ratio=1)
    fits_everywhere(here)
    assert here.violations() == []
    resize(here.page, PHONE)
    button(here, "Réessayer").tap()
    until(here.page, MY_THING)
    button(here, "Indice").tap()
    hand.make(name, puzzle.solution)
    until(here.page, answered("right"))
    expect(here.page.get_by_test_id("verdict")).not_to_contain_text("premier coup")
    here.page.reload()
    expect(here.page.get_by_test_id("puzzle-about")).to_contain_text("déjà résolu")


@pytest.mark.slow
def test_the_puzzle_of_the_day_by_keys_and_its_streak(opened: Opener) -> None:
    here = opened(DESKTOP, dark=True)
    here.visit("/")
    here.page.get_by_role("link", name="Puzzle of the day").click()
    day = here.page.get_by_test_id("puzzle-of-the-day")
    until(here.page, f"{part('puzzle-of-the-day')} [data-thing]")
    expect(day).to_contain_text("to begin a streak")
    assert here.violations() == []
    told: Any = here.site.get("puzzles/today")["puzzle"]
    day.get_by_role("link", name="Solve it").click()
    until(here.page, MY_THING)
    expect(here.page.get_by_test_id("puzzle-about")).to_contain_text("Puzzle of the day")
    solution = here.site.get(f"puzzles/{told['game']}/{told['id']}/solution")["move"]
    Hand(here, "keys").make(told["game"], solution)
    until(here.page, answered("right"))
    expect(here.page.get_by_test_id("verdict")).to_contain_text("on the first try")
    assert here.violations() == []
    expect(here.page.get_by_role("link", name="Next puzzle")).to_be_focused()
    here.page.keyboard.press("Enter")
    until(here.page, MY_THING)
    button(here, "Show solution").click()
    until(here.page, answered("shown"))
    here.page.get_by_role("link", name="All puzzles").click()
    here.page.reload()
    expect(day).to_contain_text("1 day in a row on the first try")
    expect(day).to_contain_text("Solved on the first try")
    resize(here.page, PHONE)
    here.page.emulate_media(color_scheme="light")
    assert here.violations() == []


def test_there_is_no_such_puzzle(opened: Opener) -> None:
    here = opened(PHONE)
    here.visit("/puzzles/quadrille/zzzzzz")
    expect(here.page.get_by_role("heading", name="No such puzzle")).to_be_visible()
