"""Rulebooks: on a phone, without a script, on paper; diagrams that go move by move; why not."""

import pytest
from playwright.sync_api import Locator, expect

from benben.core.registry import names
from benben.learn.diagrams import diagrams_of
from benben.learn.rulebook import paragraph_of, rulebook_of
from tests.browser.conftest import Opener
from tests.browser.hands import until
from tests.browser.selectors import BOARD, MY_THING
from tests.browser.windows import DESKTOP, PHONE, Window
from tests.sizes import rotating
from tests.web.site import Site

WIDER = "document.documentElement.scrollWidth > innerWidth"
# Boards that share the id of a gradient lose it when the first of them is hidden.
REPEATED_IDS = """() => {
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    return ids.filter((id, at) => ids.indexOf(id) !== at);
}"""


def opens(here: Window, path: str) -> Locator:
    here.visit(path)
    book = here.page.get_by_role("article")
    expect(book).to_be_visible()
    return book


def enlivened(figure: Locator) -> None:
    figure.scroll_into_view_if_needed()
    expect(figure.locator('[data-ready="true"] [data-thing]').first).to_be_attached()


def drawn(figure: Locator) -> str:
    return figure.get_by_test_id("diagram-board").inner_html()


@pytest.mark.slow
@rotating("game", names())
def test_on_a_phone(opened: Opener, game: str) -> None:
    """All of it fits, all boards come, and nobody is shut out."""
    here = opened(PHONE, language="fr-FR")
    book = opens(here, f"/rules/{game}")
    expect(book.get_by_role("heading", level=1)).to_have_text(rulebook_of(game, "fr").title)
    figures = book.locator("[data-diagram]")
    expect(figures).to_have_count(len(diagrams_of(game)))
    last = figures.last
    assert last.locator('[data-ready="true"]').count() == 0, "it is not asked for from afar"
    for at in range(figures.count()):
        enlivened(figures.nth(at))
    assert not here.page.evaluate(WIDER)
    assert here.page.evaluate(REPEATED_IDS) == []
    assert here.violations() == []


@pytest.mark.slow
@rotating("language, other", [("en", "Français"), ("fr", "English")])
def test_without_a_script(opened: Opener, language: str, other: str) -> None:
    here = opened(PHONE, language=language, script=False)
    book = opens(here, "/rules/pyramidis#home")
    page = here.page
    expect(book.get_by_role("heading", level=1)).to_have_text(
        rulebook_of("pyramidis", language).title
    )
    expect(book.locator("#home")).to_be_in_viewport()
    expect(book).to_have_css("display", "grid")  # with its styles
    pictures = book.locator("[data-diagram] img")
    expect(pictures).to_have_count(len(diagrams_of("pyramidis")))
    for at in range(pictures.count()):
        pictures.nth(at).scroll_into_view_if_needed()
        expect(pictures.nth(at)).to_have_js_property("complete", True)
        assert pictures.nth(at).evaluate("image => image.naturalWidth") > 0
    assert not page.evaluate(WIDER)
    page.get_by_role("link", name=other).click()
    expect(page.get_by_role("link", name=other)).to_have_count(0)
    expect(page.locator("html")).to_have_attribute("lang", {"en": "fr", "fr": "en"}[language])


def test_on_paper(opened: Opener) -> None:
    """Pictures rather than boards, and nothing to be tapped; the boards come back afterwards."""
    here = opened(DESKTOP, dark=True)
    page, book = here.page, opens(here, "/rules/quadrille")
    figure = book.locator("[data-diagram]").first
    enlivened(figure)
    page.emulate_media(media="print")
    expect(page.get_by_role("banner")).to_be_hidden()
    expect(page.get_by_role("link", name="Open a table")).to_be_hidden()
    expect(figure.get_by_test_id("diagram-board")).to_be_hidden()
    expect(book.get_by_role("button")).to_have_count(0)
    expect(page.locator("body")).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    expect(page.locator("html")).to_have_css("color-scheme", "light")
    assert not page.evaluate(WIDER)
    paper = page.pdf(prefer_css_page_size=True)
    assert paper.count(b"/Type /Page\n") < 12
    assert paper.count(b"/Subtype /Image") >= len(diagrams_of("quadrille"))
    page.emulate_media(media="screen")
    expect(figure.get_by_test_id("diagram-board")).to_be_visible()


@pytest.mark.slow
@rotating("calm", [True, False])
def test_a_diagram_goes_move_by_move(opened: Opener, calm: bool) -> None:
    here = opened(PHONE, calm=calm)
    book = opens(here, "/rules/pyramidis")
    figure = book.locator('[data-diagram="opening"]')
    moves = diagrams_of("pyramidis")["opening"].moves
    enlivened(figure)
    said, back = figure.get_by_role("status"), figure.get_by_role("button", name="One move back")
    live = figure.locator("[data-ready]")
    following = figure.get_by_role("button", name="Next move")
    expect(said).to_have_text(f"{len(moves)} moves are shown from here")
    expect(back).to_be_disabled()
    start = drawn(figure)
    following.click()
    expect(live).to_have_attribute("data-at", "1")
    expect(said).to_contain_text("d1")
    assert drawn(figure) != start
    back.click()
    expect(back).to_be_disabled()
    expect(said).to_have_text(f"{len(moves)} moves are shown from here")
    assert drawn(figure) == start
    for _ in moves:
        following.click()  # also while the one before is still being shown
    again = figure.get_by_role("button", name="Replay")
    expect(live).to_have_attribute("data-at", str(len(moves)), timeout=30_000)
    end = drawn(figure)
    again.click()
    if not calm:
        expect(live).not_to_have_attribute("data-at", str(len(moves)))
    expect(live).to_have_attribute("data-at", str(len(moves)), timeout=30_000)
    assert drawn(figure) == end
    assert here.violations() == []


def test_an_address_may_name_a_paragraph(opened: Opener) -> None:
    here = opened(PHONE)
    opens(here, "/rules/batisseurs#endings")
    heading = here.page.locator("#endings")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()


def test_why_not_leads_to_the_paragraph_and_back(site: Site, opened: Opener) -> None:
    ann = site.table("pyramidis", players=2, options={"first": 1})[0]
    here = opened(PHONE)
    here.take(ann)
    page, table = here.page, here.page.url
    until(page, MY_THING)
    page.locator(f'{BOARD} [data-thing="d8"]').first.tap(force=True)
    expect(page.get_by_test_id("refusal")).to_be_visible()
    assert here.violations() == []
    page.get_by_role("link", name="Rule", exact=True).click()
    heading = page.locator(f"#{paragraph_of('pyramidis', 'not-your-column')}")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    page.get_by_role("link", name="Back to the game", exact=True).click()
    page.wait_for_url(table)
    until(page, MY_THING)
    expect(page.get_by_role("link", name="Rule", exact=True)).to_have_count(0)
