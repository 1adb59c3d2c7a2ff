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

from playwright.sync_api import Browser, FilePayload, expect
from rich.progress import track

from benben.core.registry import info, names
from tests.browser.hands import Hand, until
from tests.browser.selectors import MY_THING, THING, part
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
        expect(here.page.locator(THING).first).to_be_visible()

    return scene


def _page(path: str) -> Scene:
    def scene(_: Site, here: Window) -> None:
        here.visit(path)
        expect(here.page.get_by_role("heading", level=1)).to_be_visible()

    return scene


def _lobby(site: Site, here: Window) -> None:
    here.visit(f"/t/{site.open('objectif', players=3)}")
    here.page.get_by_role("button", name="Take seat 1").click()
    expect(here.page.get_by_test_id("qr-code").locator("svg")).to_be_visible()


def _puzzle(name: str, right: bool) -> Scene:
    """One of the harder ones, tried rightly or wrongly."""

    def scene(site: Site, here: Window) -> None:
        path = f"puzzles/{name}/{site.get(f'puzzles/{name}')['puzzles'][-1]['id']}"
        here.visit(f"/{path}")
        until(here.page, MY_THING)
        solution = site.get(f"{path}/solution")["move"]
        legal = [each["move"] for each in site.get(path)["position"]["legal"]]
        move = solution if right else next(each for each in legal if each != solution)
        Hand(here).make(name, move)
        until(here.page, f'{part("answer")}:not([data-phase="asking"])')
        until(here.page, '[data-live="true"]')

    return scene


def _review(name: str, moves: int) -> Scene:
    """Its weightiest step, and what would have been better."""

    def scene(site: Site, here: Window) -> None:
        people = site.table(name, people=2, players=2)
        play_on(people, moves)
        if "result" not in people[0].look():
            people[0].do("resign")
        here.visit(f"/review/{people[0].table}")
        complete = here.page.locator(f'{part("review")}[data-complete="true"]')
        expect(complete).to_be_visible(timeout=120_000)
        expect(here.page.locator(THING).first).to_be_visible()
        turn = here.page.get_by_role("region", name="Turning points").get_by_role("button").first
        if turn.count():
            turn.click()
            here.page.keyboard.press("b")

    return scene


def _asked(name: str) -> Scene:
    def scene(site: Site, here: Window) -> None:
        here.visit(f"/puzzles/{name}/{site.get(f'puzzles/{name}')['puzzles'][0]['id']}")
        until(here.page, MY_THING)

    return scene


# A position of each game to look at, and what is played from there, with a branch.
ANALYSED = {
    "objectif": (
        "players=2&mode=random&from=o/yV/oV/pY/vOV/yP/pYPO/y/yPO/v/oP/v/pO/v/oP/pV_VV!OOP_2_yp"
    ),
    "pyramidis": "players=2&pair=bm&from=d1=bbbbbbbb,d8=mmmmmmmm_b0m0_b_0"
    "&moves=d1*3(d1*2,d8*1),d8*2(d8*5),d1*1&at=4",
    "batisseurs": "players=2&placing=all"
    "&from=xxx.../x..../..../.../../.!xx..../...../..../.../../._1_-_6_0",
    "quadrille": "players=2&layout=regular"
    "&from=oyo.oyoy/.rbrbrbr/oyoyoyo(yr)/b.brbrbr/oyoyoyoy/brbrbrb(rb)_b4,c5_a4,b5_b_step_y_-_0",
}


def _analysis(name: str, editing: bool) -> Scene:
    def scene(_: Site, here: Window) -> None:
        here.visit(f"/analysis/{name}#v=1&{ANALYSED[name]}")
        page = here.page
        expect(page.get_by_test_id("chance").first).to_be_visible(timeout=20_000)
        if editing:
            page.get_by_role("button", name="Set up").click()
            expect(page.get_by_test_id("editor")).to_be_visible()
        else:
            page.wait_for_timeout(1500)  # for some more thoughts

    return scene


def _luck(site: Site, here: Window) -> None:
    _game("batisseurs", 2, 20)(site, here)
    here.player().do("resign")
    here.page.get_by_role("button", name="Menu").click()
    here.page.get_by_role("button", name="Check the luck").click()
    expect(here.page.get_by_test_id("luck-check").get_by_role("heading")).to_be_visible()


def _brought(site: Site, here: Window) -> None:
    """A record that somebody has changed."""
    people = site.table("batisseurs", people=2, players=2)
    play_on(people, 20)
    people[0].do("resign")
    record = people[0].record().text.replace('"throw":"=', '"throw":"=a', 1)
    here.visit("/fairness")
    file: FilePayload = {
        "name": "r.json",
        "mimeType": "application/json",
        "buffer": record.encode(),
    }
    here.page.get_by_label("Choose a record").set_input_files(file)
    expect(here.page.get_by_test_id("luck-check").get_by_role("heading")).to_be_visible()


def _my_games(site: Site, here: Window) -> None:
    for name in names():
        for level in (1, 4):
            table = site.open(name, players=2, seats=[{"bot": 0}, {"bot": level}])
            here.take(site.sit(table, 0, "Ann"))
            here.player().do("resign")
    friends = site.table("quadrille", people=2)
    here.take(friends[0])
    friends[1].do("resign")
    here.visit("/games")
    expect(here.page.get_by_test_id("finished-game")).to_have_count(9)


def scenes() -> Iterator[tuple[str, Scene]]:
    yield "shelf", _page("/")
    yield "new", _page("/new/pyramidis")
    yield "rules", _page("/rules/batisseurs")
    yield "lobby", _lobby
    yield "puzzles", _page("/puzzles")
    yield "review", _page("/review")
    yield "fairness", _page("/fairness")
    yield "fairness-tampered", _brought
    yield "luck", _luck
    yield "lab", _page("/lab")
    yield "lab-report", _page("/lab/batisseurs-2-all")
    yield "lab-compared", _page("/lab/compare-objectif-2")
    yield "games", _my_games
    yield "games-none", _page("/games")
    for name in names():
        yield f"{name}-learn", _page(f"/learn/{name}")
        yield f"{name}-analysis", _analysis(name, editing=False)
        yield f"{name}-analysis-editor", _analysis(name, editing=True)
        yield f"{name}-puzzle-asked", _asked(name)
        yield f"{name}-puzzle-right", _puzzle(name, right=True)
        yield f"{name}-puzzle-wrong", _puzzle(name, right=False)
        for players in info(name).players:
            yield f"{name}-{players}-middle", _game(name, players, MIDDLE[name])
            yield f"{name}-{players}-end", _game(name, players, 3000)
        yield f"{name}-review", _review(name, 3000)


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
    with (
        TemporaryDirectory() as folder,
        serving(Path(folder)) as site,
        chromium(whole=True) as browser,
    ):
        for each in track(chosen, "Taking pictures"):
            take(browser, site, *each)


if __name__ == "__main__":
    main(*sys.argv[1:])
