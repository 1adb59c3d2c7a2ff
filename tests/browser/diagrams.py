"""Pictures of the rulebooks' diagrams: `make diagrams` writes them beside the rules.

They are taken from the boards of the rulebook's own page: the position, and beside it what has
become of it after the moves. Words on boards are left out, so that one picture serves every
language; where they are the heads of figures there is one for each. They are committed, as a server
has no browser to make them with; make them again when a diagram or a board has changed; a test
tells. With names of games or of diagrams (`pyramidis/tower`) only those are made.
"""

import sys
from collections.abc import Sequence
from io import BytesIO
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PIL import Image, ImageChops, ImageDraw
from playwright.sync_api import Locator, expect

from benben.core.registry import names
from benben.learn.diagrams import diagrams_of
from benben.learn.rulebook import LANGUAGES
from tests.browser.windows import Window, chromium, settle, window
from tests.made import diagrams, note
from tests.web.site import serving

GAMES = Path(__file__).parents[2] / "src/benben/games"
SIZE = (440, 330)  # of a board's room, in pixels of a page
SHARPNESS = 2  # pixels of a picture for one of these
PACKED = [(64, 1.0), (40, 1.0), (40, 0.75), (32, 0.65), (32, 0.55), (24, 0.5)]  # colours and size
MARGIN = 8  # around what there is to see
GAP = 44  # between two boards, where the arrow is
LARGEST = 40_000  # bytes of a picture
INK = "#655a4b"  # --soft in app.css

# The board alone in a corner of the window; by script, as the policy allows no style in a page.
_ALONE = """(stage, [width, height]) => Object.assign(stage.style, {
    position: "fixed", left: 0, top: 0, zIndex: 9, borderRadius: 0,
    width: `${width}px`, height: `${height}px`,
})"""
_WORDLESS = """stage => {
    for (const each of stage.querySelectorAll(":not(th):not(th *)"))
        if ([...each.childNodes].some(({ data }) => /\\p{L}{3}/u.test(data ?? "")))
            each.style.visibility = "hidden";
}"""
_BACK = "stage => stage.removeAttribute('style')"


def board(figure: Locator) -> Image.Image:
    """As it stands on the page."""
    figure.get_by_test_id("diagram-board").evaluate(_WORDLESS)
    settle(figure.page)
    picture = figure.get_by_test_id("diagram-board").screenshot(animations="disabled")
    return Image.open(BytesIO(picture)).convert("RGB")


def trimmed(boards: list[Image.Image]) -> list[Image.Image]:
    """Without the ground around, all of them alike."""
    ground = [Image.new("RGB", each.size, each.getpixel((0, 0))) for each in boards]
    seen = [ImageChops.difference(*each).getbbox() for each in zip(boards, ground, strict=True)]
    found = [each for each in seen if each]
    left, top = (max(0, min(each[at] for each in found) - MARGIN) for at in (0, 1))
    right, bottom = (
        min(boards[0].size[at - 2], max(each[at] for each in found) + MARGIN) for at in (2, 3)
    )
    return [each.crop((left, top, right, bottom)) for each in boards]


def beside(boards: list[Image.Image]) -> Image.Image:
    """One after the other, with an arrow between."""
    width, height = boards[0].size
    gap = GAP * SHARPNESS
    whole = Image.new(
        "RGB", ((width + gap) * len(boards) - gap, height), boards[0].getpixel((0, 0))
    )
    for at, each in enumerate(boards):
        whole.paste(each, (at * (width + gap), 0))
    middle, reach = (width + gap // 2, height // 2), gap // 4
    x, y = middle
    if len(boards) > 1:
        pen = ImageDraw.Draw(whole)
        pen.line([(x - reach, y), (x + reach, y)], INK, 5)
        pen.line([(x, y - reach), (x + reach, y), (x, y + reach)], INK, 5, joint="curve")
    return whole


def palette(image: Image.Image, colours: int) -> Image.Image:
    """Few colours that will do. What there is little of counts for more than its share: on a board
    of beige a brown piece has to stay brown."""
    seen = np.asarray(image).reshape(-1, 3) >> 2 << 2
    each, counts = np.unique(seen, axis=0, return_counts=True)
    often = np.repeat(each, np.ceil(np.sqrt(counts)).astype(int), axis=0)
    return Image.fromarray(often[None]).quantize(colours, Image.Quantize.MEDIANCUT, kmeans=2)


def packed(image: Image.Image) -> bytes:
    """With few colours, which boards have: a fifth of the size."""
    for colours, scale in PACKED:
        size = round(image.width * scale), round(image.height * scale)
        few = image.resize(size, Image.Resampling.BOX) if scale < 1 else image
        few = few.quantize(palette=palette(few, colours), dither=Image.Dither.NONE)
        out = BytesIO()
        few.save(out, "PNG", optimize=True)
        if len(out.getvalue()) <= LARGEST:
            return out.getvalue()
    raise ValueError(f"a picture of {image.size} cannot be made small enough")


def depicted(figure: Locator, moves: Sequence[str]) -> bytes:
    """A throw that comes first belongs to the position: it is what the moves are made with."""
    stage, on = (
        figure.get_by_test_id("diagram-board"),
        figure.get_by_test_id("diagram-steps").get_by_role("button").last,
    )
    figure.scroll_into_view_if_needed()
    expect(figure.locator('[data-ready="true"] [data-thing]').first).to_be_attached()
    stage.evaluate(_ALONE, SIZE)
    thrown = len(list(takewhile(lambda move: move.startswith("="), moves)))
    for _ in moves[:thrown]:
        on.click()
    boards = [board(figure)]
    for _ in moves[thrown:]:
        on.click()
    if moves[thrown:]:
        boards.append(board(figure))
    stage.evaluate(_BACK)
    return packed(beside(trimmed(boards)))


def take(here: Window, game: str, wanted: set[str]) -> dict[str, bytes]:
    """The pictures of a game by name, in the language of a window."""
    here.visit(f"/rules/{game}")
    here.page.get_by_role("article").wait_for()
    return {
        name: depicted(here.page.locator(f'[data-diagram="{name}"]'), diagram.moves)
        for name, diagram in diagrams_of(game).items()
        if not wanted or {game, f"{game}/{name}"} & wanted
    }


def keep(game: str, taken: dict[str, dict[str, bytes]]) -> None:
    """Of every language what differs from the first one's."""
    folder = GAMES / game / "diagrams"
    folder.mkdir(exist_ok=True)
    first, *others = taken
    for name, picture in taken[first].items():
        (folder / f"{name}.png").write_bytes(picture)
        for language in others:
            own = folder / f"{name}.{language}.png"
            own.unlink(missing_ok=True)
            if taken[language][name] != picture:
                own.write_bytes(taken[language][name])
    for path in folder.glob("*.png"):
        if path.name.partition(".")[0] not in diagrams_of(game):
            path.unlink()


def main(wanted: set[str]) -> None:
    games = {each.partition("/")[0] for each in wanted} or set(names())
    with (
        TemporaryDirectory() as folder,
        serving(Path(folder)) as site,
        chromium(whole=True) as browser,
    ):
        taken: dict[str, dict[str, dict[str, bytes]]] = {game: {} for game in games}
        for language in LANGUAGES:
            with window(browser, site, language=language, sharpness=SHARPNESS) as here:
                for game in games:
                    taken[game][language] = take(here, game, wanted)
        for game in games:
            keep(game, taken[game])
            anew = {f"{game}/{name}" for pictures in taken[game].values() for name in pictures}
            note("diagrams", {name: made for name, made in diagrams(game).items() if name in anew})


if __name__ == "__main__":
    main(set(sys.argv[1:]))
