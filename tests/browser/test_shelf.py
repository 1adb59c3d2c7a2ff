"""The front page and the ways from it to a table; what pages weigh, and that they stay in place."""

import re
from itertools import product

import pytest
from playwright.sync_api import Page, Response, expect

from benben.core.registry import names
from tests.browser.conftest import Opener
from tests.browser.hands import Hand, chosen, until
from tests.browser.selectors import BOARD, MOVE, MY_BOARD, THING
from tests.browser.windows import DESKTOP, PHONE, Window
from tests.sizes import rotating
from tests.web.site import Site

SIZES = rotating("size", [PHONE, DESKTOP])
LARGEST = 120_000  # bytes of script and style a table may bring, packed
# How far things may jump about: the sum of Chromium's scores, which are 1 for the whole window.
STEADY = 0.01


def _boxes(page: Page) -> list[str]:
    return page.get_by_role("article").get_by_role("heading").all_text_contents()


def _shelf(opened: Opener, size: tuple[int, int], **how: str) -> Window:
    here = opened(size, **how)
    here.visit("/")
    expect(here.page.get_by_role("article")).to_have_count(4)
    return here


@SIZES
def test_finding_a_game(opened: Opener, size: tuple[int, int]) -> None:
    page = _shelf(opened, size).page
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= size[0]
    page.get_by_label("Players").select_option("3")
    assert _boxes(page) == ["Objectif", "Bâtisseurs"]
    page.get_by_label("Players").select_option("4")
    assert _boxes(page) == ["Objectif", "Pyramidis", "Bâtisseurs"]
    page.get_by_label("Youngest player").select_option("5")
    assert _boxes(page) == ["Bâtisseurs"]
    page.get_by_label("Time").select_option("15")
    assert _boxes(page) == []
    page.get_by_label("Time").select_option("20")
    assert _boxes(page) == ["Bâtisseurs"]
    page.get_by_label("Players").select_option("2")
    page.get_by_label("Time").select_option("30")
    # Who does not know its ages excludes nobody.
    assert _boxes(page) == ["Bâtisseurs", "Quadrille"]
    for wish in ("Players", "Youngest player", "Time"):
        page.get_by_label(wish).select_option("0")
    expect(page.get_by_role("article")).to_have_count(4)


@pytest.mark.slow
def test_where_all_of_it_is_known_from(opened: Opener) -> None:
    here = _shelf(opened, PHONE)
    page = here.page
    expect(page.get_by_text("Escale à jeux")).to_be_visible()
    expect(page.get_by_text("Author not named on the rule sheet")).to_be_visible()
    box = page.get_by_role("article", name="Pyramidis")
    expect(box.get_by_text("age 12+", exact=True)).to_be_visible()
    box.get_by_text("About this game").click()
    author = box.get_by_text("Roland Siegers (from published descriptions)")
    expect(author).to_be_visible()
    expect(box.get_by_text("no longer sold")).to_be_visible()
    expect(box.get_by_text("colours and first player are agreed")).to_be_visible()
    assert not here.violations()
    box = page.get_by_role("article", name="Bâtisseurs")
    expect(box.get_by_text("about 10–20 min", exact=True)).to_be_visible()
    box.get_by_text("About this game").click()
    expect(box.get_by_text("ours: games between bots, at ten seconds a decision")).to_be_visible()


@SIZES
def test_the_other_language_is_one_tap_away(opened: Opener, size: tuple[int, int]) -> None:
    page = _shelf(opened, size).page
    page.get_by_role("button", name="Français").click()
    expect(page.get_by_role("button", name="Jouer")).to_have_count(4)
    page.reload()
    expect(page.get_by_role("button", name="Jouer")).to_have_count(4)
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("button", name="Play now")).to_have_count(4)


@SIZES
def test_play_now_and_my_tables(opened: Opener, size: tuple[int, int]) -> None:
    here = _shelf(opened, size)
    page = here.page
    expect(page.get_by_text("Your tables will appear here")).to_be_visible()
    quadrille = page.get_by_role("article", name="Quadrille")
    quadrille.get_by_role("button", name="Play now").click()
    until(page, MY_BOARD)
    table = here.table
    page.get_by_role("link", name="Benben").click()
    line = page.get_by_role("region", name="My tables").get_by_role("listitem")
    expect(line).to_contain_text("Quadrille")
    expect(line).to_contain_text("your turn")
    page.get_by_role("link", name="It’s your turn: Quadrille").click()
    page.wait_for_url(f"**/t/{table}")


def test_play_now_against_whom_one_likes(opened: Opener) -> None:
    here = _shelf(opened, PHONE)
    page = here.page
    box = page.get_by_role("article", name="Pyramidis")
    box.get_by_role("button", name="against Apprentice").press("Enter")
    dialog = page.get_by_role("dialog", name="Pyramidis: your opponents")
    expect(dialog.get_by_role("radio", name="2 · Apprentice")).to_be_checked()
    expect(dialog.get_by_text("Looks one move ahead and overlooks a lot")).to_be_visible()
    dialog.get_by_role("radio", name="1 · Pebble").check()
    dialog.get_by_text("3", exact=True).click()
    assert not here.violations()
    page.keyboard.press("Escape")
    page.reload()
    expect(box.get_by_role("button", name=re.compile("against 3.*Pebble"))).to_be_visible()
    expect(page.get_by_role("button", name="against Apprentice")).to_have_count(3)
    box.get_by_role("button", name="Play now").click()
    until(page, MY_BOARD)
    seats = here.player().look()["seats"]
    assert [seat.get("level", 0) for seat in seats] == [0, 1, 1, 1]
    names = [seat["name"] for seat in seats]
    assert len(set(names)) == 4
    for seat in seats[1:]:
        expect(page.get_by_role("listitem").filter(has_text=seat["name"]).first).to_contain_text(
            "Pebble"
        )


def test_a_table_has_what_was_chosen_for_it(opened: Opener) -> None:
    here = _shelf(opened, PHONE)
    page = here.page
    page.get_by_role("article", name="Pyramidis").get_by_role("link", name="Invite").click()
    form = page.get_by_role("main").locator("form")
    form.get_by_role("textbox", name="Your name").fill("Ann")
    form.locator("label").get_by_text("2", exact=True).click()
    form.get_by_text("Live", exact=True).click()
    form.get_by_text("3 + 2", exact=True).click()
    form.get_by_text("Details").click()
    form.get_by_label("Who goes first").select_option("2")
    form.get_by_label("If somebody leaves").select_option("bot")
    form.get_by_label("Draw seats at random").check()
    form.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    seen = here.player().look()
    assert len(seen["seats"]) == 2
    assert seen["options"]["first"] == 2
    assert seen["pace"] == {"pace": "live", "seconds": 180, "increment": 2}
    assert (seen["leaver"], seen["drawn"]) == ("bot", True)
    assert not seen.get("listed")


def test_sitting_down_at_an_open_table(site: Site, opened: Opener) -> None:
    table = site.open("quadrille", listed=True)
    bob = site.sit(table, 0, "Bob")
    bob.look()  # or nobody is there
    here = _shelf(opened, DESKTOP)
    waiting = here.page.get_by_role("listitem").filter(has_text="Bob at the table")
    waiting.get_by_role("button", name="Join: Quadrille").click()
    here.page.wait_for_url(f"**/t/{table}")
    until(here.page, BOARD)
    seen = bob.look()
    assert all(seat["taken"] for seat in seen["seats"])
    bob.move()
    until(here.page, MY_BOARD)
    watching = _shelf(opened, PHONE)
    on = watching.page.get_by_role("region", name="Games to watch").get_by_role("listitem")
    on = on.filter(has=watching.page.locator(f'[href="/t/{table}"]'))
    expect(on).to_contain_text("Bob and Guest")
    expect(on).to_contain_text("1 move so far")
    on.get_by_role("link", name="Watch: Quadrille").click()
    watching.page.wait_for_url(f"**/t/{table}")
    until(watching.page, BOARD)
    here.visit("/")
    mine = here.page.get_by_role("region", name="My tables")
    expect(mine.get_by_role("listitem")).to_contain_text("your turn")
    expect(mine.get_by_role("listitem")).to_contain_text("with Bob")


def test_addresses_that_lead_nowhere(opened: Opener) -> None:
    here = opened(PHONE)
    missing = re.compile("No such|Nothing here")
    for path in ("/nothing", "/new/chess", "/rules/chess", "/t/nowhere"):
        here.visit(path)
        expect(here.page.get_by_role("heading", name=missing)).to_be_visible()
        here.page.get_by_role("link", name="Back to the games").click()
        expect(here.page.get_by_role("article")).to_have_count(4)


# ---- Weight


@pytest.mark.parametrize("game", names())
def test_a_table_weighs_little(site: Site, opened: Opener, game: str) -> None:
    here = opened(PHONE, language="fr-FR")
    came: list[Response] = []
    here.page.on("response", lambda response: came.append(response))
    here.take(site.table(game, players=2)[0])
    until(here.page, THING)
    code = [each for each in came if each.url.endswith((".js", ".css"))]
    assert len(code) > 4
    compressed = [each.headers.get("content-encoding") for each in code if _is_large(each)]
    assert set(compressed) <= {"br", "gzip"}
    assert sum(int(each.headers["content-length"]) for each in code) < LARGEST


def _is_large(response: Response) -> bool:
    return int(response.headers["content-length"]) > 1000


# ---- Steadiness

_NOTE_SHIFTS = """() => {
    window.shifts = [];
    new PerformanceObserver(list => {
        for (const entry of list.getEntries()) {
            // A piece that appears had no size.
            const jumped = entry.sources.filter(({ previousRect }) => previousRect.width);
            if (!jumped.length) continue;
            const nodes = jumped.map(({ node }) => node).filter(Boolean);
            const moved = nodes.map(node => node.closest ? node : node.parentElement);
            window.shifts.push([entry.value, ...moved.map(each => each.outerHTML.slice(0, 100))]);
        }
    }).observe({ type: "layout-shift" });
}"""


@pytest.mark.slow
@rotating("game, size", list(product(names(), (PHONE, DESKTOP))))
def test_nothing_jumps_about_while_one_plays(
    site: Site, opened: Opener, game: str, size: tuple[int, int]
) -> None:
    people = site.table(game, people=2, players=2)
    here = opened(size)
    here.take(people[0])
    until(here.page, THING)
    here.page.evaluate(_NOTE_SHIFTS)
    hand = Hand(here, "finger" if size == PHONE else "mouse")
    for number in range(10):
        told = [person.look() for person in people]
        if "legal" in told[0]:
            hand.play(game, chosen(told[0]["legal"], number))
        elif "legal" in told[1]:
            people[1].move(number)
        until(here.page, MOVE, len(told[0].get("moves", ())) + 1)
    shifts = here.page.evaluate("shifts")
    assert sum(value for value, *_ in shifts) < STEADY, shifts
