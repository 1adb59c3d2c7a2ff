"""The gallery of balance reports, in both languages, on phones and desks."""

import pytest
from playwright.sync_api import Browser, expect

from benben.lab.balance.pages import document_of
from benben.lab.balance.shipped import report_named, shipped
from benben.lab.balance.speech import LANGUAGES
from tests.browser.conftest import Opener
from tests.browser.test_accessible import ONE, OTHER, wrong
from tests.browser.test_luck import WIDER
from tests.browser.windows import DESKTOP, PHONE, resize
from tests.sizes import rotating
from tests.web.site import Site


@rotating(
    "language, link, title, numbers",
    [
        ("en-GB", "What we found out about the games", "Bâtisseurs for 2, placing all", "numbers"),
        (
            "fr-FR",
            "Ce que nous avons appris sur les jeux",
            "Bâtisseurs à 2, pose complète",
            "nombres",
        ),
    ],
)
def test_from_the_shelf_to_a_report(
    opened: Opener, language: str, link: str, title: str, numbers: str
) -> None:
    here = opened(PHONE, language=language)
    page = here.page
    here.visit("/")
    page.get_by_role("link", name=link).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(link)
    expect(page.locator("li a")).to_have_count(len(shipped()))
    assert wrong(here, ONE) == []
    assert not page.evaluate(WIDER)
    page.get_by_role("link", name=title).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.get_by_text("benben lab balance batisseurs --players 2")).to_be_visible()
    expect(page.get_by_text("benben solve batisseurs --players 2")).to_be_visible()
    expect(page.get_by_role("img").first).to_be_visible()
    report = page.get_by_role("main")
    report.locator("summary").first.click()
    expect(report.locator("details").get_by_role("table").first).to_be_visible()
    expect(report.locator("summary").first).to_contain_text(numbers)
    assert wrong(here, OTHER) == []
    assert not page.evaluate(WIDER)


def test_numbers_as_a_file_and_no_such_report(site: Site, opened: Opener) -> None:
    here = opened(PHONE)
    page = here.page
    here.visit("/lab/compare-objectif-2")
    with page.expect_download() as got:
        page.get_by_role("link", name="The numbers as a file").click()
    assert got.value.suggested_filename == "compare-objectif-2.json"
    assert site.get("lab/compare-objectif-2/data")["game"] == "objectif"
    here.visit("/lab/chess")
    expect(page.get_by_role("link", name="Back to the games")).to_be_visible()
    here.complaints.clear()  # of the 404


# Words of pictures that are too small, cut, or upon one another, and what is wider than the page.
UNREADABLE = """() => {
    document.querySelectorAll("details").forEach((each) => (each.open = true));
    const wrong = [];
    const boxOf = (each) => each.getBoundingClientRect();
    const outside = (a, b) => a.left < b.left - 1 || a.right > b.right + 1;
    const overlap = (a, b) => Math.min(
        Math.min(a.right, b.right) - Math.max(a.left, b.left),
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) - 4,  // around letters is air
    );
    for (const plot of document.querySelectorAll('[role="img"]')) {
        const room = boxOf(plot.closest("section")), frame = boxOf(plot), seen = [];
        for (const text of plot.querySelectorAll("text")) {
            const says = `${plot.getAttribute("aria-label")}: ${text.textContent}`;
            const size = parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
            const box = boxOf(text);
            if (size < 12) wrong.push(`${says} is ${size} px`);
            if (outside(box, room) || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
                wrong.push(`${says} is cut`);
            for (const [others, other] of seen)
                if (overlap(box, other) > 0) wrong.push(`${says} is upon ${others}`);
            seen.push([says, box]);
        }
    }
    const width = document.documentElement.clientWidth;
    const content = ":is(p, h2, h3, td, tbody th, code, summary, span)";
    for (const each of (document.querySelector("main") ?? document).querySelectorAll(content)) {
        if (outside(boxOf(each), { left: 0, right: width }))
            wrong.push(`${each.textContent} is out of sight`);
        if (each.clientWidth && each.scrollWidth > each.clientWidth + 1)
            wrong.push(`${each.textContent} runs over`);
    }
    return wrong;
}"""


@rotating(
    "name, language",
    [("batisseurs-2-all", "fr-FR"), ("compare-objectif-2", "en-GB"), ("pyramidis-4", "fr-FR")],
)
def test_every_word_can_be_read_on_any_screen(opened: Opener, name: str, language: str) -> None:
    here = opened((320, 640), language=language)
    page = here.page
    here.visit(f"/lab/{name}")
    expect(page.get_by_role("img").first).to_be_visible()
    for size in ((320, 640), (390, 664), (844, 390), DESKTOP):
        resize(page, size)
        assert page.evaluate(UNREADABLE) == []
        assert not page.evaluate(WIDER)


@pytest.mark.slow
@rotating("language", LANGUAGES)
def test_a_page_of_its_own_can_be_read_on_a_phone(browser: Browser, language: str) -> None:
    """Every report, in whatever letters the machine has."""
    page = browser.new_page(viewport={"width": 320, "height": 640})
    for name in shipped():
        page.set_content(document_of(report_named(name), language))
        for width in (320, 390):
            resize(page, (width, 640))
            assert page.evaluate(UNREADABLE) == [], name
            assert not page.evaluate(WIDER), name
    page.close()


def test_on_a_phone_a_wide_table_has_a_card_for_each_row(opened: Opener) -> None:
    here = opened((390, 664))
    page = here.page
    here.visit("/lab/compare-batisseurs-2")
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="placing free"))
    first = row.get_by_role("cell").nth(1)
    expect(first).to_have_attribute("data-label", "first")
    assert first.evaluate("td => getComputedStyle(td, '::before').content").startswith('"first"')
    assert page.get_by_role("columnheader").count() == row.get_by_role("cell").count() + 1
    assert here.violations() == []
    resize(page, DESKTOP)
    assert first.evaluate("td => getComputedStyle(td, '::before').content") == "none"
