"""On every screen a table is played on without scrolling, and everything that is tapped is large.

What lies on a board is measured by the tests of that board.
"""

from benben.core.registry import info, names
from tests.browser.conftest import Opener
from tests.browser.hands import until
from tests.browser.positions import late
from tests.browser.screenshots import MIDDLE, SIZES
from tests.browser.selectors import RESULT, THING
from tests.browser.test_accessible import play_on
from tests.browser.windows import resize
from tests.sizes import rotating
from tests.web.site import Site

SMALLEST = 44  # px
# What is outside the window, what is too small for a finger, and whether the page is too wide.
MISFITS = """() => {
    const found = [];
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth) found.push(`the page is ${root.scrollWidth} wide`);
    if (scrollY > 0) found.push("the page is scrolled");
    const find = name => document.querySelector(`[data-testid="${name}"]`);
    for (const part of ["seats", "board-area", "board", "status", "table-controls"]) {
        const box = find(part).getBoundingClientRect();
        const inside = box.top >= 0 && box.left >= 0 && box.right <= innerWidth + 0.5;
        if (!inside || box.bottom > innerHeight + 0.5)
            found.push(`${part} ends at ${box.right}, ${box.bottom}`);
    }
    const board = find("board");
    if (board.scrollHeight > board.clientHeight || board.scrollWidth > board.clientWidth)
        found.push(`the board needs ${board.scrollWidth} x ${board.scrollHeight}`);
    const line = find("status-text");
    if (line.scrollHeight > line.clientHeight + 1) found.push(`cut: ${line.textContent}`);
    const tapped = [find("table-controls"), find("result")].flatMap(
        each => [...each?.querySelectorAll("button, a") ?? []]);
    for (const button of tapped) {
        const { width, height, bottom } = button.getBoundingClientRect();
        if (Math.min(width, height) < SMALLEST) found.push(`${button.ariaLabel} is ${width} wide`);
        if (bottom > innerHeight) found.push(`${button.textContent} is below`);
    }
    return found;
}""".replace("SMALLEST", str(SMALLEST))


@rotating("game, players", [(name, count) for name in names() for count in info(name).players])
def test_a_table_fits_every_screen(site: Site, opened: Opener, game: str, players: int) -> None:
    """In the middle and at the end; in French, whose words are longer."""
    people = site.table(game, people=players, players=players)
    play_on(people, MIDDLE[game])
    here = opened(language="fr-FR")
    here.take(people[0])
    misfits: list[str] = []
    for moment, shown in [("middle", THING), ("end", RESULT)]:
        if moment == "end":
            people = site.table(game, people=players, players=players, **late(game, 8, players))
            play_on(people, 3000)
            here.take(people[0])
        until(here.page, shown)
        for name, (width, height) in SIZES.items():
            resize(here.page, (width, height))
            misfits += [f"{moment}, {name}: {each}" for each in here.page.evaluate(MISFITS)]
    assert not misfits, "\n".join(misfits)
