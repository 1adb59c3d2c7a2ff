"""From the shelf to the review: one person at a phone, in two tabs, and somebody who watches."""

import re

from tests.engines.tabs import DESKTOP, PHONE, Element, Engine, Tab, button, link, thing
from tests.web.site import Person, Site, eventually

GAME = "quadrille"
BOX = f'[aria-labelledby="game-{GAME}"]'
LESSON_STEPS = 3
MENU = button("Menu")


def _choose(tab: Tab, move: str) -> None:
    """Click what makes a move: the pawn that steps, if it is on the board, and the square."""
    for square in re.findall("[a-h][1-6]", move):
        tab.click(thing(square))


def _take_lesson(tab: Tab, site: Site) -> None:
    lesson = site.get(f"games/{GAME}/lesson?language=en")
    steps = [step for chapter in lesson["chapters"] for step in chapter["steps"]]
    for number, step in enumerate(steps[:LESSON_STEPS], 1):
        tab.sees(Element("p", f"Step {number} of {len(steps)}"))
        if step.get("moves"):
            _choose(tab, step["moves"][0])
        if step.get("done") or not step.get("moves"):
            tab.click(button("Continue"))
    tab.sees(Element("p", f"Step {LESSON_STEPS + 1} of {len(steps)}"))


def _player(tab: Tab, site: Site) -> Person:
    """Whoever holds this device's seat, as the server knows them."""
    seats = "() => JSON.parse(localStorage.getItem('benben.seats') ?? '[]')"
    eventually(lambda: tab.run(seats), "somebody is seated")
    (seat,) = tab.run(seats)
    return Person(site, seat["table"], seat["token"])


def _play(tab: Tab, ann: Person) -> str:
    """Make a move when it is Ann's turn, and wait for the bot's answer."""
    eventually(lambda: "legal" in ann.look(), "it is Ann's turn")
    seen = ann.look()
    move = seen["legal"][len(seen["legal"]) // 2]["move"]
    _choose(tab, move)
    played = len(seen["moves"]) + 2
    eventually(lambda: len(ann.look()["moves"]) >= played, f"the bot has answered {move}")
    return str(move)


def _sees_moves(tab: Tab, ann: Person) -> None:
    for move in ann.look()["moves"]:
        tab.sees(Element("li code", move))


def _has_no_ring(tab: Tab) -> bool:
    return bool(tab.run("() => document.querySelector('button:focus-visible') === null"))


def test_journey(engine: Engine, site: Site) -> None:
    base = str(site.http.base_url).rstrip("/")
    phone = engine.open_profile(PHONE)
    tab = phone.open_tab()
    tab.visit(base)
    tab.sees(Element(BOX))
    assert tab.count(Element("article")) == 4

    tab.click(Element(f'{BOX} a[href="/learn/{GAME}"]'))
    _take_lesson(tab, site)
    tab.click(link("Leave"))

    tab.click(Element(f"{BOX} button", "Play now"))
    tab.click(Element("dialog button", "Play"))  # the aim of the game has been read
    ann = _player(tab, site)
    _play(tab, ann)
    _play(tab, ann)
    _sees_moves(tab, ann)

    watching = engine.open_profile(DESKTOP).open_tab()
    watching.visit(tab.url)
    _sees_moves(watching, ann)
    second = phone.open_tab()
    second.visit(tab.url)
    _sees_moves(second, ann)
    _play(second, ann)
    _sees_moves(second, ann)
    _sees_moves(watching, ann)
    tab.activate()
    _sees_moves(tab, ann)
    tab.reload()
    _sees_moves(tab, ann)
    _play(tab, ann)

    tab.click(MENU)
    tab.click(Element("dialog button", "Close"))
    assert _has_no_ring(tab)
    tab.click(MENU)
    tab.click(Element("dialog button", "Resign"))
    tab.click(Element("dialog button", "Resign"))  # it is meant
    eventually(lambda: "result" in ann.look(), "the game is over")
    watching.sees(link("Review"))
    tab.click(link("Review"))
    tab.sees(Element('[data-testid="review"][data-complete="true"]'))

    tab.visit(f"{base}/analysis/{GAME}")
    tab.click(Element("#panel-opinion li button"))  # the best of the moves, while the bots think
    tab.sees(Element("button:not(:disabled)", "Previous move"))
