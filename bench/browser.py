"""How soon one sees one's own move, on a slow phone: `make bench-browser` writes browser.md.

From the tap that plays a move to the first frame in which the board has it, in Chromium held to a
quarter of its speed; and what a table weighs when its page is opened for the first time.
"""

import statistics
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Response
from rich.console import Console
from rich.progress import track

from benben.core.registry import names
from bench.measuring import HERE, commit
from tests.browser.hands import Hand, chosen, until
from tests.browser.windows import PHONE, Window, chromium, window
from tests.web.site import Person, Site, serving

SLOWER = 4  # times
MOVES = 30  # measured in each game
QUICK = 100  # ms within which 19 of 20 moves are to be seen
LIGHT = 90  # kB that a table may weigh

# From now on: when something was clicked, and every frame in which a place is called otherwise.
_WATCH = """place => {
    const own = `.board .own [data-thing$=":${place}"]`;
    const element = document.querySelector(`.board [data-thing="${place}"], ${own}`);
    window.clicked = 0;
    window.frames = [];
    document.addEventListener("click", event => (window.clicked = event.timeStamp), true);
    new MutationObserver(() => requestAnimationFrame(() => {
        window.frames.push([performance.now(), element.ariaLabel]);
    })).observe(element, { attributes: true });
}"""


def places(move: str) -> str:
    """The place that a move changes for good; none for one that has no place."""
    return "" if move in ("roll", "stop", "pass") else move.partition("*")[0].split("@")[-1][-2:]


def waits(site: Site, here: Window, game: str) -> Iterator[float]:
    """From tap to frame, in ms, move after move and game after game."""
    measured = 0
    while measured < MOVES:
        people = site.table(game, people=2, players=2)
        here.take(people[0])
        until(here.page, ".board [data-thing]")
        number = 0
        while measured < MOVES and "result" not in people[0].look():
            wait = _turn(here, game, people, number)
            number += 1
            if wait is not None:
                measured += 1
                yield wait


def _turn(here: Window, game: str, people: list[Person], number: int) -> float | None:
    told = [person.look() for person in people]
    if "legal" not in told[0]:
        if "legal" in told[1]:
            people[1].move(number)
        return None
    move = chosen(told[0]["legal"], number)
    place = places(move)
    until(here.page, ".board.yours")
    if place:
        here.page.evaluate(_WATCH, place)
    Hand(here, "finger").play(game, move)
    until(here.page, ".log li button", len(told[0].get("moves", ())) + 1)
    return _wait(here, place) if place else None


def _wait(here: Window, place: str) -> float:
    """Until the place was called as it is now that the server has the move."""
    name = Hand(here).thing(place).get_attribute("aria-label")
    frames = [at for at, label in here.page.evaluate("frames") if label == name]
    return float(frames[0] - here.page.evaluate("clicked"))


def weigh(browser: Browser, site: Site, game: str) -> int:
    """The script and style of a table, packed, in bytes."""
    came: list[Response] = []
    with window(browser, site, PHONE) as here:
        here.page.on("response", lambda response: came.append(response))
        here.take(site.table(game, people=2, players=2)[0])
        until(here.page, ".board [data-thing]")
        code = [each for each in came if each.url.endswith((".js", ".css"))]
        return sum(int(each.headers["content-length"]) for each in code)


def measure(browser: Browser, site: Site, game: str) -> str:
    with window(browser, site, PHONE) as here:
        throttle = here.context.new_cdp_session(here.page)
        throttle.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        found = list(track(waits(site, here, game), game, total=MOVES))
    median, p95 = statistics.median(found), statistics.quantiles(found, n=20)[-1]
    size = weigh(browser, site, game) / 1000
    verdict = "yes" if p95 < QUICK and size < LIGHT else "**no**"
    return f"| {game} | {median:.0f} ms | {p95:.0f} ms | {size:.0f} kB | {verdict} |"


def main() -> None:
    with (
        TemporaryDirectory() as folder,
        serving(Path(folder)) as site,
        chromium(whole=True) as browser,
    ):
        rows = [measure(browser, site, name) for name in names()]
    table = [
        "| game | tap to frame, median | p95 | script and style, gzipped "
        f"| under {QUICK} ms and {LIGHT} kB |",
        "|---|---|---|---|---|",
        *rows,
    ]
    text = "\n".join(
        [
            "# In the browser",
            "",
            f"`make bench-browser`, commit {commit()}: Chromium, {SLOWER} times slower than it is,"
            f" 390 × 844, {MOVES} moves a game.",
            "",
            *table,
            "",
        ]
    )
    Console(soft_wrap=True, markup=False).print(text)
    (HERE / "browser.md").write_text(text)


if __name__ == "__main__":
    main()
