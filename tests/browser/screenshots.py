"""Pictures of every page and board: `make screenshots` writes them to `build/screenshots/`.

Every game with every number of players, in the middle and at the end, on every kind of screen; on
two of them dark as well. Pages longer than the screen are taken whole. With names, as
`python -m tests.browser.screenshots quadrille sideways`, only those whose name has them all. The
README's are written to `docs/pictures/`.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, expect
from rich.progress import track

from benben.core.registry import info, names
from tests.browser.hands import Hand, until
from tests.browser.test_accessible import play_on
from tests.browser.windows import DESKTOP, PHONE, Window, chromium, window
from tests.web.site import Site, serving

ROOT = Path(__file__).parents[2]
FOLDER, PICTURES = ROOT / "build/screenshots", ROOT / "docs/pictures"
README = {
    "shelf-desktop-light": "shelf",
    "objectif-3-middle-short-light": "objectif",
    "batisseurs-2-middle-short-dark": "batisseurs",
    "quadrille-2-middle-short-light": "quadrille",
}
SIZES = {
    "phone": PHONE,
    "short": (390, 664),  # a phone with its browser's bars
    "small": (320, 640),
    "sideways": (844, 390),
    "tablet": (768, 1024),
    "desktop": DESKTOP,
}
DARK = ("short", "desktop")
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
    here.page.get_by_role("button", name="Take seat 1").click()
    expect(here.page.locator(".code svg")).to_be_visible()


def _puzzle(name: str, right: bool) -> Scene:
    """One of the harder ones, tried rightly or wrongly."""

    def scene(site: Site, here: Window) -> None:
        path = f"puzzles/{name}/{site.get(f'puzzles/{name}')['puzzles'][-1]['id']}"
        here.visit(f"/{path}")
        until(here.page, ".board.yours svg")
        solution = site.get(f"{path}/solution")["move"]
        legal = [each["move"] for each in site.get(path)["position"]["legal"]]
        move = solution if right else next(each for each in legal if each != solution)
        Hand(here).make(name, move)
        until(here.page, '.words:not([data-phase="asking"])')
        until(here.page, '[data-live="true"]')

    return scene


def _asked(name: str) -> Scene:
    def scene(site: Site, here: Window) -> None:
        here.visit(f"/puzzles/{name}/{site.get(f'puzzles/{name}')['puzzles'][0]['id']}")
        until(here.page, ".board.yours svg")

    return scene


def scenes() -> Iterator[tuple[str, Scene]]:
    yield "shelf", _page("/")
    yield "new", _page("/new/pyramidis")
    yield "rules", _page("/rules/batisseurs")
    yield "lobby", _lobby
    yield "puzzles", _page("/puzzles")
    for name in names():
        yield f"{name}-learn", _page(f"/learn/{name}")
        yield f"{name}-puzzle-asked", _asked(name)
        yield f"{name}-puzzle-right", _puzzle(name, right=True)
        yield f"{name}-puzzle-wrong", _puzzle(name, right=False)
        for players in info(name).players:
            yield f"{name}-{players}-middle", _game(name, players, MIDDLE[name])
            yield f"{name}-{players}-end", _game(name, players, 3000)


def pictures(wanted: list[str]) -> list[tuple[str, Scene, str, bool]]:
    return [
        (name, scene, size, dark)
        for name, scene in scenes()
        for size in SIZES
        for dark in ([False, True] if size in DARK else [False])
        if all(each in _title(name, size, dark) for each in wanted)
    ]


def _title(name: str, size: str, dark: bool) -> str:
    return f"{name}-{size}-{'dark' if dark else 'light'}"


def take(browser: Browser, site: Site, name: str, scene: Scene, size: str, dark: bool) -> None:
    with window(browser, site, SIZES[size], dark=dark) as here:
        scene(site, here)
        here.page.evaluate("document.fonts.ready")
        here.page.wait_for_timeout(300)  # for what moves into place
        picture = _title(name, size, dark)
        here.page.screenshot(path=FOLDER / f"{picture}.png", full_page=True)
        if picture in README:
            here.page.screenshot(path=PICTURES / f"{README[picture]}.png")


def main(*wanted: str) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    chosen = pictures(list(wanted))
    with TemporaryDirectory() as folder, serving(Path(folder)) as site, chromium() as browser:
        for each in track(chosen, "Taking pictures"):
            take(browser, site, *each)


if __name__ == "__main__":
    main(*sys.argv[1:])
