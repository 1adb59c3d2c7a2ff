"""How long the first start keeps people waiting: `make bench-cold-start` writes cold_start.md.

`benben serve` is started with nothing compiled, and somebody asks for a table of the last game on
the shelf at once, again and again. Beside it the same of the commit before games opened one by one.
"""

import io
import os
import signal
import statistics
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import httpx
from rich.console import Console
from rich.progress import track

from benben.core.registry import names
from bench.measuring import HERE, commit

ROUNDS = 3
BEFORE = "6e2844b"  # everything was compiled before the first table
GAME = names()[-1]
LOOK = 0.1  # seconds between looks
WANTED = 20.0  # seconds until the first table is played

Times = dict[str, float]  # seconds since the start, by what happened


@contextmanager
def starting(source: Path, folder: Path) -> Iterator[str]:
    """A server with an empty cache; its address."""
    environment = os.environ | {
        "BENBEN_CACHE_DIR": str(folder / "cache"),
        "PYTHONPATH": str(source),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    database = f"sqlite:///{folder / 'tables.sqlite3'}"
    with subprocess.Popen(
        [sys.executable, "-m", "benben", "serve", "--port", "0", "--database", database],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().split()[-1]
        finally:
            server.send_signal(signal.SIGTERM)


def measure(source: Path) -> Times:
    """What happens when, after a first start from these sources."""
    times: Times = {}
    began = monotonic()

    def note(what: str) -> None:
        times.setdefault(what, monotonic() - began)

    with (
        TemporaryDirectory() as folder,
        starting(source, Path(folder)) as address,
        httpx.Client(base_url=address, timeout=60) as http,
    ):
        note("the server answers")
        while "bots" not in times:
            if "first move" not in times and _played(http):
                note("first move")
            if http.get("/readyz").is_success:
                note("rules")
            for each in http.get("/api/server").json().get("games", []):
                if each["ready"] != "no":
                    note(f"rules of {each['game']}")
            if _bots_play(http):
                note("bots")
            sleep(LOOK)
    return times


def _played(http: httpx.Client) -> bool:
    """Whether a table can be opened, and a move made at it."""
    opened = http.post("/api/tables", json={"game": GAME, "players": 2})
    if not opened.is_success:
        return False
    table = f"/api/tables/{opened.json()['id']}"
    for seat in (1, 0):
        seated = http.post(f"{table}/seats/{seat}", json={"name": f"P{seat}", "nonce": "n"}).json()
    headers = {"Authorization": f"Bearer {seated['token']}"}
    seen = http.get(table, headers=headers).json()
    move = {"move": seen["legal"][0]["move"], "number": seen["number"]}
    return http.post(f"{table}/move", json=move, headers=headers).is_success


def _bots_play(http: httpx.Client) -> bool:
    """Whether bots play every game; where all was compiled at once, they do as soon as people."""
    games = http.get("/api/server").json().get("games")
    if games is None:
        return http.get("/readyz").is_success
    return all(each["ready"] == "bots" for each in games)


@contextmanager
def sources(of: str) -> Iterator[Path]:
    """The package as it was."""
    packed = subprocess.run(
        ["git", "archive", of, "src"], cwd=HERE.parent, capture_output=True, check=True
    ).stdout
    with TemporaryDirectory() as folder, tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
        yield Path(folder) / "src"


def main() -> None:
    before: list[Times] = []
    after: list[Times] = []
    with sources(BEFORE) as old:
        for _ in track(range(ROUNDS), console=Console(stderr=True), transient=True):
            after.append(measure(HERE.parent / "src"))
            before.append(measure(old))
    text = report(before, after)
    (HERE / "cold_start.md").write_text(text, "utf-8")
    Console().print(text, markup=False, highlight=False, soft_wrap=True)


def report(before: list[Times], after: list[Times]) -> str:
    rows = ["the server answers", "first move", *(f"rules of {game}" for game in names())]
    first = statistics.median(each["first move"] for each in after)
    verdict = "yes" if first < WANTED else "**no**"
    lines = [
        "# The first start, measured",
        "",
        f"By `make bench-cold-start`, on commit {commit()}, {len(os.sched_getaffinity(0))} cores. "
        f"Seconds from starting `benben serve` with nothing compiled, medians of {ROUNDS} starts, "
        f"beside commit {BEFORE}, which compiled everything before the first table. Meanwhile "
        f"somebody asks for a table of {GAME} for two people; the first move is when a move was "
        f"made at it. The load of the last minute was {os.getloadavg()[0]:.1f} when it ended, our "
        "own two children among it: with much more than 2, others were at work.",
        "",
        "| until | before | now |",
        "|---|---:|---:|",
        *(_row(each, before, after) for each in [*rows, "rules", "bots"]),
        "",
        f"Wanted: the first move within {WANTED:.0f} s on two cores. Met: {verdict}.",
    ]
    return "\n".join(lines) + "\n"


def _row(what: str, before: list[Times], after: list[Times]) -> str:
    words = {"rules": "people can play every game", "bots": "bots can, too"}.get(what, what)

    def median(rounds: list[Times]) -> str:
        return f"{statistics.median(each.get(what, each['rules']) for each in rounds):.1f}"

    return f"| {words} | {median(before)} | {median(after)} |"


if __name__ == "__main__":
    main()
