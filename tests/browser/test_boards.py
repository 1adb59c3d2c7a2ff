"""Boards live anywhere: without a table too; and a fifth game's is found without a list.

Pages with a fifth game are built in long runs only; in short ones its board is compiled.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

import benben
from benben.core.registry import names
from benben.web.state import AppState
from tests.browser.hands import Hand, until
from tests.browser.selectors import MOVE, MY_BOARD, MY_THING, RESULT, THING
from tests.browser.windows import DESKTOP, PHONE, window
from tests.test_add_a_game import PAGE, add_heap
from tests.web.processes import process
from tests.web.site import PATIENCE, Site

FRONTEND = PAGE.parent.parent / "frontend"
NPM = {"PATH": f"{PAGE.parent.parent / '.venv/bin'}{os.pathsep}{os.environ['PATH']}"}


def _example() -> str:
    """The board that the documentation adds."""
    (board,) = re.findall(r"```svelte\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return str(board)


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that knows a fifth game, with the pages of those who develop boards."""
    here = tmp_path_factory.mktemp("copy")
    package = shutil.copytree(
        Path(benben.__file__).parent,
        here / "src/benben",
        ignore=shutil.ignore_patterns("static", "__pycache__"),
    )
    add_heap(package)
    pages = shutil.copytree(
        FRONTEND, here / "frontend", ignore=shutil.ignore_patterns("node_modules"), symlinks=True
    )
    (pages / "node_modules").symlink_to((FRONTEND / "node_modules").resolve())
    (pages / "src/games/heap").mkdir()
    (pages / "src/games/heap/Board.svelte").write_text(_example(), "utf-8")
    subprocess.run(
        ["npx", "vite", "build", "--mode", "development", "--logLevel", "error"],
        cwd=pages,
        env={**os.environ, **NPM, "NODE_ENV": "development"},
        check=True,
    )
    where = {"PYTHONPATH": str(here / "src"), "NUMBA_DISABLE_JIT": "1"}
    with (
        process(f"sqlite:///{here / 'tables.sqlite3'}", here / "log", **where) as server,
        httpx.Client(base_url=server.address, timeout=PATIENCE) as http,
    ):
        yield Site(http, cast(AppState, None))  # in another process


@pytest.mark.long
@pytest.mark.slow
def test_a_fifth_game_is_played_on_its_own_board(browser: Browser, elsewhere: Site) -> None:
    table = elsewhere.open("heap", players=2, options={"first": 1}, seats=[{"bot": 0}, {"bot": 1}])
    with window(browser, elsewhere, PHONE) as here:
        here.take(elsewhere.sit(table, 0))
        hand = Hand(here, "finger")
        until(here.page, MY_THING, 21)
        hand.thing("9").tap()  # it is not in the notation: there is no rule to name
        expect(here.page.get_by_test_id("refusal")).to_be_visible()
        for moves in range(0, 40, 2):
            until(here.page, f"{MY_BOARD}, {RESULT}")
            if here.page.get_by_test_id("result").count():
                break
            counters = here.page.locator(THING).count()
            hand.touch_surely(hand.thing(str(min(3, counters))))
            until(here.page, MOVE, moves + 1)
        until(here.page, RESULT)
        expect(here.page.get_by_test_id("move-text").first).to_have_text("take3")


# What the compiler says of a board that it reads, and which of its imports are not there.
_COMPILE = """
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { compile } from "svelte/compiler";
const source = readFileSync(0, "utf-8");
const { warnings } = compile(source, { filename: "src/games/heap/Board.svelte" });
const imported = [...source.matchAll(/from "([.$][^"]+)"/g)].map(([, path]) => path);
const file = (path) => resolve("src/games/heap", path.replace("$", "../../"));
const missing = imported.filter((path) => !existsSync(file(path)));
console.log(JSON.stringify([warnings.map(({ message }) => message), imported.length > 0, missing]));
"""


def test_the_board_of_the_documentation_compiles() -> None:
    told = subprocess.run(
        ["node", "--input-type=module", "--eval", _COMPILE],
        input=_example(),
        capture_output=True,
        check=True,
        cwd=FRONTEND,
        encoding="utf-8",
        env={**os.environ, **NPM},
    ).stdout
    assert json.loads(told) == [[], True, []]


def _labels(page: Page) -> list[str]:
    """What everything that can be tapped on the first board says of itself."""
    things = page.locator("[data-study='0'] [data-thing]")
    return list(things.evaluate_all("things => things.map(thing => thing.ariaLabel ?? '')"))


def _names(labels: list[str]) -> list[str]:
    """Without what may be played there, which is said of the present only."""
    return [re.split("[,.:]", label)[0] for label in labels]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("game", names())
def test_a_board_is_played_without_a_table(browser: Browser, elsewhere: Site, game: str) -> None:
    with window(browser, elsewhere, DESKTOP) as here:
        here.visit(f"/boards?game={game}")
        boards = here.page.locator("[data-study]")
        expect(boards).to_have_count(3)
        for study in range(3):
            expect(boards.nth(study).locator("[data-thing]").first).to_be_visible()
            expect(boards.nth(study).get_by_role("alert")).to_be_empty()
        pointed = boards.last.locator("[data-highlighted]")  # what an overlay points at
        expect(pointed.first).to_be_visible()
        where = json.loads(boards.first.locator("code").inner_text())
        shown = elsewhere.http.post(f"/api/games/{game}/positions", json=where).json()
        before, count = _labels(here.page), len(where.get("moves", ()))

        Hand(here).make(game, shown["legal"][0]["move"])

        expect(boards.first).to_contain_text(f"{count + 1} / {count + 1}")
        here.page.mouse.move(0, 0)
        assert _labels(here.page) != before
        boards.first.get_by_label("back").click()
        expect(boards.first).to_contain_text(f"{count} / {count + 1}")
        assert _names(_labels(here.page)) == _names(before)
