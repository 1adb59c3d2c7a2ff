"""Kits to print: `make kits` writes them to `src/benben/kits/`.

Each is the page `/kit/GAME` as Chromium prints it. They are committed, as a server has no browser
to print them with; print them again when a board, a palette or the words of a kit have changed,
which a test tells. With names of games only theirs are printed.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import expect

from benben.core.registry import names
from benben.kits import LANGUAGES, Paper, name_of
from tests.browser.windows import Window, chromium, window
from tests.made import kits as made
from tests.made import note
from tests.web.site import serving

FOLDER = Path(__file__).parents[2] / "src/benben/kits"
LOCALES = {"en": "en-GB", "fr": "fr-FR"}


def show(here: Window, game: str, paper: Paper, black_and_white: bool) -> None:
    """The page of a kit, when all of it is there."""
    here.visit(f"/kit/{game}?paper={paper}{'&bw' if black_and_white else ''}")
    expect(here.page.get_by_test_id("sheet").first).to_be_attached()
    here.page.evaluate("document.fonts.ready")


def main(wanted: set[str]) -> None:
    games = wanted or set(names())
    with (
        TemporaryDirectory() as folder,
        serving(Path(folder)) as site,
        chromium(whole=True) as browser,
    ):
        for language in LANGUAGES:
            with window(browser, site, language=LOCALES[language]) as here:
                for game in games:
                    for paper in Paper:
                        for black_and_white in (False, True):
                            show(here, game, paper, black_and_white)
                            name = name_of(game, language, paper, black_and_white)
                            here.page.pdf(
                                path=FOLDER / name,
                                prefer_css_page_size=True,
                                print_background=True,
                                tagged=True,
                            )
    for game in games:
        note("kits", made(game))


if __name__ == "__main__":
    main(set(sys.argv[1:]))
