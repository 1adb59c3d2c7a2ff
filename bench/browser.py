"""Waiting times on a slow phone: `make bench-browser` writes browser.md.

From the tap that plays a move to the first frame in which the board has it, in Chromium held to a
quarter of its speed; and what a table loads on a first and on a second visit, until it can be
played. `python -m bench.browser loading` measures only that, and writes nothing.
"""

import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from playwright.sync_api import Browser
from rich.console import Console
from rich.progress import track

from benben.core.registry import names
from bench.measuring import HERE, commit
from tests.browser.hands import Hand, chosen, until
from tests.browser.selectors import THING
from tests.browser.windows import PHONE, Window, chromium, window
from tests.web.site import Person, Site, serving

SLOWER = 4  # times
MOVES = 30  # measured in each game
QUICK = 100  # ms within which 19 of 20 moves are to be seen
LIGHT = 90  # kB that a table may weigh
LATENCY_SECONDS = 0.4  # added to each request to count round trips

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


@dataclass
class Visit:
    """What a visit to a table loaded until it could be played."""

    seconds: float
    requests: int
    code: int  # bytes of scripts and styles
    total: int  # bytes of everything


def visit(here: Window, path: str, latency: float) -> Visit:
    session = here.context.new_cdp_session(here.page)
    session.send("Network.enable")
    speed = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", speed | {"latency": 1000 * latency})
    addresses: dict[str, str] = {}
    sizes: dict[str, int] = {}
    session.on(
        "Network.requestWillBeSent",
        lambda each: addresses.update({each["requestId"]: each["request"]["url"]}),
    )
    session.on(
        "Network.loadingFinished",
        lambda each: sizes.update({each["requestId"]: int(each["encodedDataLength"])}),
    )
    began = perf_counter()
    here.visit(path)
    until(here.page, THING)
    seconds = perf_counter() - began
    here.page.wait_for_timeout(500)
    code = sum(size for key, size in sizes.items() if addresses[key].endswith((".js", ".css")))
    session.detach()
    return Visit(seconds, len(addresses), code, sum(sizes.values()))


def visits(browser: Browser, site: Site, path: str, latency: float) -> list[Visit]:
    """A first and a second visit."""
    found = []
    with window(browser, site, PHONE) as here:
        for _ in range(2):
            found.append(visit(here, path, latency))
            here.page.goto("about:blank")
    return found


def loading(browser: Browser, site: Site, game: str) -> Iterator[str]:
    """Rows of a first and a second visit. Round trips are what each request's latency adds."""
    person = site.table(game, people=2, players=2)[0]
    path = f"/t/{person.table}#seat={person.token}"
    near, far = (visits(browser, site, path, latency) for latency in (0, LATENCY_SECONDS))
    for which, quick, slow in zip(("first", "second"), near, far, strict=True):
        trips = (slow.seconds - quick.seconds) / LATENCY_SECONDS
        yield (
            f"| {game}, {which} visit | {trips:.1f} | {quick.requests} "
            f"| {quick.code / 1000:.0f} kB | {quick.total / 1000:.0f} kB |"
        )


LOADING = [
    "| table | round trips | requests | script and style | everything |",
    "|---|---|---|---|---|",
]


def measure(browser: Browser, site: Site, game: str) -> str:
    with window(browser, site, PHONE) as here:
        throttle = here.context.new_cdp_session(here.page)
        throttle.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        found = list(track(waits(site, here, game), game, total=MOVES))
    median, p95 = statistics.median(found), statistics.quantiles(found, n=20)[-1]
    verdict = "yes" if p95 < QUICK else "**no**"
    return f"| {game} | {median:.0f} ms | {p95:.0f} ms | {verdict} |"


def main(only_loading: bool) -> None:
    with (
        TemporaryDirectory() as folder,
        serving(Path(folder)) as site,
        chromium(whole=True) as browser,
    ):
        loaded = LOADING + [row for name in names() for row in loading(browser, site, name)]
        if only_loading:
            Console(soft_wrap=True, markup=False).print("\n".join(loaded))
            return
        rows = [measure(browser, site, name) for name in names()]
    text = "\n".join(
        [
            "# In the browser",
            "",
            f"`make bench-browser`, commit {commit()}: Chromium, {SLOWER} times slower than it is,"
            f" 390 × 844, {MOVES} moves a game.",
            "",
            f"| game | tap to frame, median | p95 | under {QUICK} ms |",
            "|---|---|---|---|",
            *rows,
            "",
            "Until a board can be played, over HTTP/1.1, compressed. A round trip is what"
            f" {LATENCY_SECONDS} s of latency of each request add. A table may have {LIGHT} kB of"
            " script and style.",
            "",
            *loaded,
            "",
        ]
    )
    Console(soft_wrap=True, markup=False).print(text)
    (HERE / "browser.md").write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:] == ["loading"])
