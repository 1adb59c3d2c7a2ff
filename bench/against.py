"""Server, rules and environments of this tree beside an older commit: `make bench-against REV=…`.

Both trees run at once in processes of their own and are measured in turn in each round, so that
what else the machine does slows them alike. The older one is checked out into a temporary folder;
it runs with the installed dependencies, and its server serves the API only.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benben.core.registry import names
from bench.measuring import HERE, commit, machine, note, short
from bench.server import Served, benben, play_in_turn
from tests.store.postgres import running

TABLES, ROUNDS, SECONDS = 100, 10, 3.0
SLICE = 0.3  # seconds of a measurement of rules or environments
WANTED = 0.95  # times the moves, or the decisions, of the older commit
PARTS = ("server", "rules", "environments")
KINDS = {"rules": ("playouts", "moves as text"), "environments": ("environment",)}
ROOT = HERE.parent


@contextmanager
def checkout(revision: str) -> Iterator[Path]:
    """The tree of a commit, in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="benben") as folder:
        words = ["git", "archive", "--format=tar", revision]
        with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE) as archive:
            subprocess.run(["tar", "-x", "-C", folder], stdin=archive.stdout, check=True)
        if archive.returncode:
            sys.exit(f"{revision} is not a commit of this repository")
        yield Path(folder)


# ---- Servers


def servers(older: Path, rounds: int, seconds: float) -> list[tuple[Served, Served]]:
    """Pairs of servers, present and older, for each kind of database."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="benben")))
        postgres = stack.enter_context(running({"max_connections": "50"}))

        def serve(kind: str, name: str, tree: Path) -> Served:
            url = postgres.empty()  # each migrates its own
            if kind == "SQLite":
                url = f"sqlite:///{folder / f'{name}.sqlite3'}"
            environment = {"PYTHONPATH": str(tree / "src")}
            log = folder / f"{kind}-{name}.log"
            served = stack.enter_context(benben(kind, url, log, environment=environment))
            served.rest()
            return served

        pairs = [
            (serve(kind, "present", ROOT), serve(kind, "older", older))
            for kind in ("SQLite", "PostgreSQL")
        ]
        for pair in pairs:
            play_in_turn(pair, TABLES, rounds, seconds)
        return pairs


def of_servers(pairs: list[tuple[Served, Served]]) -> list[str]:
    lines = [
        f"## Server, {TABLES} tables",
        "",
        "| database | moves/s | older | ratio | CPU a move, ratio | met |",
        "|---|---:|---:|---:|---:|---|",
    ]
    for present, older in pairs:
        rates = [[each.moves / each.seconds for each in side.played] for side in (present, older)]
        ratio = _ratio(*rates)
        cells = [
            present.name,
            *(f"{statistics.median(each):,.0f}" for each in rates),
            f"{ratio:.2f}",
            f"{_ratio(present.used, older.used):.2f}",
            _met(ratio),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return [*lines, ""]


# ---- Rules and environments


class Rates:
    """A process that measures the rules and environments of a tree, see `rates.py`."""

    def __init__(self, tree: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "rates.py")],
            env=os.environ | {"PYTHONPATH": str(tree / "src")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> "Rates":
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def measure(self, kind: str, game: str, seconds: float = SLICE) -> float:
        """Decisions per second of CPU."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{kind}\t{game}\t{seconds}\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())


def of_rates(part: str, older: Path, rounds: int) -> list[str]:
    lines = [
        f"## {part.capitalize()}, decisions per second of CPU",
        "",
        "| | present | older | ratio | met |",
        "|---|---:|---:|---:|---|",
    ]
    with Rates(ROOT) as ours, Rates(older) as theirs:
        for kind in KINDS[part]:
            for game in names():
                note(f"{kind} of {game}")
                for each in (ours, theirs):
                    each.measure(kind, game, 0.0)
                figures = [
                    [each.measure(kind, game) for each in (ours, theirs)] for _ in range(rounds)
                ]
                present, before = zip(*figures, strict=True)
                ratio = _ratio(present, before)
                medians = map(short, map(statistics.median, (present, before)))
                cells = [f"`{game}`, {kind}", *medians, f"{ratio:.2f}", _met(ratio)]
                lines.append(f"| {' | '.join(cells)} |")
    return [*lines, ""]


# ---- The report


def _ratio(present: Sequence[float], older: Sequence[float]) -> float:
    """The median of the rounds' ratios."""
    return statistics.median(a / b for a, b in zip(present, older, strict=True))


def _met(ratio: float) -> str:
    return "yes" if ratio >= WANTED else "**no**"


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.against", description=__doc__)
    parser.add_argument("revision", help="the older commit")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of a round of the server")
    parser.add_argument("--only", choices=PARTS, nargs="+", default=PARTS)
    options = parser.parse_args()
    lines = [
        f"{commit()} beside {options.revision}, {machine()}. Medians of {options.rounds} rounds, "
        "both trees turn by turn in one run; a ratio is the median of the rounds' ratios.",
        "",
    ]
    with checkout(options.revision) as older:
        for part in options.only:
            if part == "server":
                lines += of_servers(servers(older, options.rounds, options.seconds))
            else:
                lines += of_rates(part, older, options.rounds)
    sys.stdout.write("\n".join(lines))


if __name__ == "__main__":
    main()
