"""Pictures of the rulebooks' diagrams: `make diagrams` writes them beside the rules.

They are taken from the boards of the rulebook's own page: the position, and beside it what has
become of it after the moves. There are no words in them: one picture serves every language. They
are committed, as a server has no browser to make them with; make them again when a diagram or a
board has changed. Names of games, and of diagrams (`pyramidis/tower`), make only those.
"""

import base64
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Locator, Page, expect

from benben.core.registry import names
from benben.learn.diagrams import diagrams_of
from tests.browser.windows import Window, chromium, settle, window
from tests.web.site import serving

GAMES = Path(__file__).parents[2] / "src/benben/games"
SIZE = (420, 300)  # of a board, in pixels of a page
SHARPNESS = 2  # pixels of a picture for one of these
COLOURS = 48
GAP = 40  # between the boards, where the arrow is
LARGEST = 40_000  # bytes of a picture
GROUND = "#e3d8c4"  # as in app.css

# The room of a board, whatever page it is on; by script, as the policy allows no style within a page.
_ROOM = """([width, height]) => {
    for (const { style } of document.querySelectorAll("figure.diagram .stage"))
        Object.assign(style, { width: `${width}px`, height: `${height}px`, borderRadius: 0 });
}"""
_BESIDE = """
<style>
  body {{ margin: 0; display: flex; align-items: center; background: {ground}; width: max-content }}
  img {{ display: block; width: {width}px; height: {height}px }}
  svg {{ width: {gap}px; flex: none }}
</style>
<img src="data:image/png;base64,{first}"><svg viewBox="-12 -12 24 24"><path
  d="M-9 0H6M0-6L7 0L0 6" fill="none" stroke="#655a4b" stroke-width="2.5"/></svg><img
  src="data:image/png;base64,{last}">
"""


def board(figure: Locator) -> bytes:
    """As it stands on the page."""
    settle(figure.page)
    return figure.locator(".stage").screenshot(animations="disabled")


def beside(page: Page, first: bytes, last: bytes) -> bytes:
    """One after the other, with an arrow between."""
    encoded = [base64.b64encode(each).decode() for each in (first, last)]
    page.set_content(
        _BESIDE.format(
            ground=GROUND,
            width=SIZE[0],
            height=SIZE[1],
            gap=GAP,
            first=encoded[0],
            last=encoded[1],
        )
    )
    return page.locator("body").screenshot()


def packed(picture: bytes) -> bytes:
    """With few colours, which boards have: a fifth of the size."""
    image = Image.open(BytesIO(picture)).convert("RGB")
    few = image.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    out = BytesIO()
    few.save(out, "PNG", optimize=True)
    return out.getvalue()


def take(here: Window, easel: Page, game: str, wanted: set[str]) -> None:
    here.visit(f"/rules/{game}")
    here.page.locator("article.book").wait_for()
    expect(here.page.locator("figure.diagram .stage")).to_have_count(len(diagrams_of(game)))
    here.page.evaluate(_ROOM, SIZE)
    folder = GAMES / game / "diagrams"
    folder.mkdir(exist_ok=True)
    for name, diagram in diagrams_of(game).items():
        if wanted and not {game, f"{game}/{name}"} & wanted:
            continue
        figure = here.page.locator(f'figure[data-diagram="{name}"]')
        figure.scroll_into_view_if_needed()
        expect(figure.locator('[data-ready="true"] .stage svg').first).to_be_attached()
        picture = board(figure)
        for _ in diagram.moves:
            figure.get_by_role("button", name="Next move").click()
        if diagram.moves:
            picture = beside(easel, picture, board(figure))
        picture = packed(picture)
        if len(picture) > LARGEST: print(game, name, len(picture))
        (folder / f"{name}.png").write_bytes(picture)
    for path in folder.glob("*.png"):
        if path.stem not in diagrams_of(game):
            path.unlink()


def main(wanted: set[str]) -> None:
    with TemporaryDirectory() as folder, serving(Path(folder)) as site, chromium() as browser:
        easel = browser.new_page(
            viewport={"width": 2 * SIZE[0] + GAP, "height": SIZE[1]}, device_scale_factor=SHARPNESS
        )
        with window(browser, site, sharpness=SHARPNESS) as here:
            for game in names():
                if not wanted or game in {each.partition("/")[0] for each in wanted}:
                    take(here, easel, game, wanted)


if __name__ == "__main__":
    main(set(sys.argv[1:]))
