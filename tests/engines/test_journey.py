"""From the shelf to the review: one person at a phone, in two tabs, and somebody who watches."""

import re

import pytest

from benben.core.registry import names
from tests.browser.selectors import part
from tests.engines.tabs import DESKTOP, PHONE, Engine, Locator, Tab, button, link
from tests.web.site import Person, Site, eventually

GAME = "quadrille"
BOX = f'[aria-labelledby="game-{GAME}"]'
LESSON_STEPS = 3
ANALYSED_MOVES = 3
MOVE_TEXT = Locator(part("move-text"))
SEATS = "() => JSON.parse(localStorage.getItem('benben.seats') ?? '[]')"
FOCUS_RINGS = "() => document.querySelectorAll('button:focus-visible').length"


def _make_move(tab: Tab, move: str) -> None:
    """Click what makes a move: the pawn that steps, if it is on the board, and the square."""
    for square in re.findall("[a-h][1-6]", move):
        tab.click(Locator(f'[data-thing="{square}"]'))


def _take_lesson(tab: Tab, site: Site) -> None:
    """Only its first steps."""
    lesson = site.get(f"games/{GAME}/lesson?language=en")
    steps = [step for chapter in lesson["chapters"] for step in chapter["steps"]]
    for number, step in enumerate(steps[:LESSON_STEPS], 1):
        tab.wait_for(Locator(part("lesson-progress"), f"Step {number} of {len(steps)}"))
        if step.get("moves"):
            _make_move(tab, step["moves"][0])
        if step.get("done") or not step.get("moves"):
            tab.click(button("Continue"))
    tab.wait_for(Locator(part("lesson-progress"), f"Step {LESSON_STEPS + 1} of {len(steps)}"))


def _player(tab: Tab, site: Site) -> Person:
    """The one who holds this device's seat, as the server knows them."""
    (seat,) = tab.wait_until(lambda: tab.run(SEATS), "a seat is taken")
    return Person(site, seat["table"], seat["token"])


def _play(tab: Tab, player: Person) -> None:
    """Make a move as soon as the bot has made its own."""
    eventually(lambda: "legal" in player.look(), "it is the player's turn")
    seen = player.look()
    move = seen["legal"][len(seen["legal"]) // 2]["move"]
    _make_move(tab, move)
    tab.wait_until(lambda: player.look()["number"] > seen["number"], f"{move} has been played")


def _wait_for_moves(tab: Tab, player: Person) -> None:
    """Wait until the page shows the moves that the server has."""
    tab.wait_until(
        lambda: tab.texts(MOVE_TEXT) == player.look()["moves"], "the page shows all moves"
    )


def _play_best(tab: Tab) -> None:
    """Play the best move so far in analysis; the bots still think, and may prefer another."""
    before = len(tab.texts(MOVE_TEXT))
    tab.click(Locator(part("opinion-move")))
    tab.wait_until(lambda: len(tab.texts(MOVE_TEXT)) > before, "the move is listed")


@pytest.mark.long
@pytest.mark.slow
def test_journey(engine: Engine, site: Site) -> None:
    base = str(site.http.base_url).rstrip("/")
    phone = engine.open_profile(PHONE)
    tab = phone.open_tab()
    tab.visit(base)
    tab.wait_for(Locator(BOX))
    assert len(tab.texts(Locator(part("game-box")))) == len(names())

    tab.click(Locator(f'{BOX} a[href="/learn/{GAME}"]'))
    _take_lesson(tab, site)
    tab.click(link("Leave"))

    tab.click(Locator(f"{BOX} button", "Play now"))
    tab.click(button("Play"))  # the aim of the game has been read
    player = _player(tab, site)
    _play(tab, player)
    _play(tab, player)
    _wait_for_moves(tab, player)

    desktop = engine.open_profile(DESKTOP).open_tab()
    desktop.visit(tab.url)
    _wait_for_moves(desktop, player)
    second = phone.open_tab()
    second.visit(tab.url)
    _wait_for_moves(second, player)
    _play(second, player)
    _wait_for_moves(second, player)
    _wait_for_moves(desktop, player)
    tab.activate()
    _wait_for_moves(tab, player)
    tab.reload()
    _wait_for_moves(tab, player)
    _play(tab, player)

    tab.click(button("Menu"))
    tab.click(button("Close"))
    assert tab.run(FOCUS_RINGS) == 0
    tab.click(button("Menu"))
    tab.click(button("Resign"))
    tab.click(button("Resign"))  # it is meant
    tab.click(link("Review"))
    tab.wait_for(Locator(f'{part("review")}[data-complete="true"]'))
    desktop.wait_for(link("Review"))

    desktop.visit(f"{base}/analysis/{GAME}")
    for _ in range(ANALYSED_MOVES):
        _play_best(desktop)
