"""Pictures of every page and board: `make screenshots` writes them to `build/screenshots/`.

Phone and desktop, light and dark; each game in the middle and at the end. With a name, as
`python -m tests.browser.screenshots quadrille`, only those whose name has it. The README's, which
show one screen of some of them, are written to `docs/pictures/`.
"""

import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, expect
from rich.progress import track

from benben.core.registry import names
from tests.browser.test_accessible import play_on
from tests.browser.windows import DESKTOP, PHONE, Window, chromium, window
from tests.web.site import Site, serving

ROOT = Path(__file__).parents[2]
FOLDER, PICTURES = ROOT / "build/screenshots", ROOT / "docs/pictures"
README = {
    "shelf-desktop-light": "shelf",
    "objectif-end-phone-light": "objectif",
    "batisseurs-2-middle-phone-dark": "batisseurs",
    "quadrille-2-middle-phone-light": "quadrille",
}
SIZES = {"phone": PHONE, "desktop": DESKTOP}
MIDDLE = {"objectif": 14, "pyramidis": 16, "batisseurs": 40, "quadrille": 18}  # moves
Scene = Callable[[Site, Window], None]


def _game(name: str, players: int, moves: int) -> Scene:
    def scene(site: Site, here: Window) -> None:
        people = site.table(name, people=players, players=players)
        play_on(people, moves)
        here.take(people[0])
        expect(here.page.locator(".board svg").first).to_be_visible()

    return scene


def _page(path: str) -> Scene:
    def scene(_: Site, here: Window) -> None:
        here.visit(path)
        expect(here.page.get_by_role("heading", level=1)).to_be_visible()

    return scene


def _lobby(site: Site, here: Window) -> None:
    here.visit(f"/t/{site.open('objectif', players=3)}")
    here.page.get_by_role("button", name="Sit down on seat 1").click()
    expect(here.page.locator(".code svg")).to_be_visible()


def scenes() -> Iterator[tuple[str, Scene]]:
    yield "shelf", _page("/")
    yield "new", _page("/new/pyramidis")
    yield "rules", _page("/rules/batisseurs")
    yield "lobby", _lobby
    for name in names():
        for players in {"objectif": (2, 4), "pyramidis": (2, 4), "batisseurs": (2, 4)}.get(
            name, (2,)
        ):
            yield f"{name}-{players}-middle", _game(name, players, MIDDLE[name])
        yield f"{name}-end", _game(name, 2, 3000)


def take(browser: Browser, site: Site, name: str, scene: Scene, size: str, dark: bool) -> None:
    with window(browser, site, SIZES[size], dark=dark) as here:
        scene(site, here)
        here.page.evaluate("document.fonts.ready")
        here.page.wait_for_timeout(300)  # for what moves into place
        picture = f"{name}-{size}-{'dark' if dark else 'light'}"
        here.page.screenshot(path=FOLDER / f"{picture}.png", full_page=True)
        if picture in README:
            here.page.screenshot(path=PICTURES / f"{README[picture]}.png")


def main(wanted: str = "") -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    chosen = [(name, scene) for name, scene in scenes() if wanted in name]
    pictures = list(itertools.product(chosen, SIZES, (False, True)))
    with TemporaryDirectory() as folder, serving(Path(folder)) as site, chromium() as browser:
        for (name, scene), size, dark in track(pictures, "Taking pictures"):
            take(browser, site, name, scene, size, dark)


if __name__ == "__main__":
    main(*sys.argv[1:2])
