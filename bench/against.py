"""The server of this tree beside that of an older commit: `make bench-against REV=…`.

Both are started at once on databases of their own, and play in turn in each round, so that what
else the machine does slows them alike. The older one is checked out into a temporary folder; it
runs with the installed dependencies and serves the API only.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.measuring import HERE, commit, machine
from bench.server import Served, benben, play_in_turn
from tests.store.postgres import running

TABLES, ROUNDS, SECONDS = 100, 10, 3.0
WANTED = 0.95  # times the moves of the older commit
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


def measure(revision: str, rounds: int, seconds: float) -> list[tuple[Served, Served]]:
    """Pairs of servers, present and older, for each kind of database."""
    with ExitStack() as stack:
        older = stack.enter_context(checkout(revision))
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


def _ratio(present: Sequence[float], older: Sequence[float]) -> float:
    """The median of the rounds' ratios."""
    return statistics.median(a / b for a, b in zip(present, older, strict=True))


def report(pairs: list[tuple[Served, Served]], revision: str) -> str:
    lines = [
        f"{commit()} beside {revision}, {machine()}; {TABLES} tables, medians of rounds in turn.",
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
            "yes" if ratio >= WANTED else "**no**",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.against", description=__doc__)
    parser.add_argument("revision", help="the older commit")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of a round, for each")
    options = parser.parse_args()
    pairs = measure(options.revision, options.rounds, options.seconds)
    sys.stdout.write(report(pairs, options.revision))


if __name__ == "__main__":
    main()
