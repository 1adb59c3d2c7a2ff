"""Where the CPU time of a move goes: `make bench-profile` writes profile.md.

py-spy samples a server on SQLite under load and counts only threads that hold the interpreter lock:
so waiting for the disk, for requests and for the lock does not count, nor does SQLite, which works
without the lock. A sample belongs to the innermost function of its stack that is in the table.
"""

import argparse
import platform
import subprocess
import sys
import tempfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from bench.measuring import HERE, commit_if_known, machine
from bench.server import OURS, benben

TABLES, SECONDS, SAMPLES_PER_SECOND = 100, 30, 500
OPENING = "open tables, take seats, open streams (Litestar handlers)"
REST = "event loop, tasks, the rest"
# Steps of a move by what the frames of their functions contain; of two in a stack the inner counts.
STEPS = {
    "read the request (uvicorn, httptools, `Protocol`)": ["data_received ("],
    "run the request's task (`run_asgi`, `ProxyHeadersMiddleware`, `App`)": [
        "run_asgi (",
        "proxy_headers.py",
        "App.__call__",
    ],
    "limits, headers, count, log (`Middleware`)": ["web/middleware.py", "logging/"],
    "route (Litestar)": ["(litestar/"],
    OPENING: ["Streams.follow ("],
    "decode and answer (`_Endpoint._answer`)": ["web/actions.py", "send_json ("],
    "find the table, lock it (`Tables.act`, `submit`)": ["Tables.act (", "TableSession._submit ("],
    "validate, play the move (`TableSession.check`)": ["TableSession.check ("],
    "next deadline, row of the event, queue (`TableSession.append`)": ["TableSession.append ("],
    "apply (`apply_stored`)": ["TableSession.apply_stored ("],
    "what follows by itself (`apply_automatic_events`)": ["TableSession.apply_automatic_events ("],
    "hand over to the writer and back": ["_hand_over (", "_resolve_all ("],
    "writer thread, without SQLite itself": ["Writer._run ("],
    "broadcast: what each subscriber lacks (`_Subscriber`)": ["web/streams.py", "web/viewers.py"],
    "broadcast: what has changed (`news`)": ["table/news.py", "table/views.py"],
    "broadcast: text of the position (`Sight.__str__`)": ["Sight.__str__ ("],
    "broadcast: facts (`Sight.facts`)": ["Sight.facts ("],
    "broadcast: legal moves with effects (`MoveCodec.choices`)": ["MoveCodec.choices ("],
    "broadcast: JSON (`message`)": ["message (benben/web/sse.py"],
    "broadcast: to the connection (`SseWriter.send`)": ["SseWriter.send ("],
    "write an answer or a message (uvicorn)": ["RequestResponseCycle.send ("],
    "send to the sockets (`BatchingTransport`)": ["web/transport.py"],
}


def step_of(stack: list[str]) -> str:
    """The step that a sample belongs to."""
    if any("HTTPRoute.handle (" in frame for frame in stack):
        return OPENING
    for frame in reversed(stack):
        for step, signs in STEPS.items():
            if any(sign in frame for sign in signs):
                return step
    return REST


def sample(py_spy: str, seconds: int) -> tuple[Counter[str], float]:
    """Samples by step, and seconds of CPU a move."""
    with tempfile.TemporaryDirectory(prefix="benben") as name:
        folder, stacks = Path(name), Path(name, "stacks")
        with benben(OURS, f"sqlite:///{folder / 'tables.sqlite3'}", folder / "log") as served:
            served.rest()
            served.open(TABLES)
            served.play(2.0)
            words = ["record", "--gil", "--threads", "--format", "raw", "--output", str(stacks)]
            words += ["--rate", str(SAMPLES_PER_SECOND), "--duration", str(seconds)]
            words += ["--pid", str(served.process.pid)]
            with subprocess.Popen([py_spy, *words], stdout=sys.stderr):
                served.play(seconds + 1.0)
        found: Counter[str] = Counter()
        for line in stacks.read_text().splitlines():
            stack, _, count = line.rpartition(" ")
            found[step_of(stack.split(";"))] += int(count)
        return found, served.used[-1]


def report(found: Counter[str], used: float, options: argparse.Namespace) -> str:
    total = found.total()
    return "\n".join(
        [
            "# Where the time of a move goes",
            "",
            f"By `make bench-profile`, on commit {options.commit or commit_if_known()}, "
            f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {machine()}. "
            f"{total:,} samples by py-spy (`pip install py-spy`) of a server on SQLite under the "
            f"load of [server.md](server.md), {TABLES} tables. Counted are threads that hold the "
            "interpreter lock; SQLite and its commits run without it. "
            f"A move took {1e6 * used:,.0f} µs of CPU in all while it was sampled.",
            "",
            "| step | share |",
            "|---|---:|",
            *(f"| {step} | {100 * found[step] / total:.1f} % |" for step in [*STEPS, REST]),
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.profile", description=__doc__)
    parser.add_argument("--py-spy", default="py-spy", help="the program")
    parser.add_argument("--commit", default="", help="of this tree, if Git is not there")
    parser.add_argument("--seconds", type=int, default=SECONDS)
    parser.add_argument("--output", type=Path, default=HERE / "profile.md")
    options = parser.parse_args()
    text = report(*sample(options.py_spy, options.seconds), options)
    options.output.write_text(text, "utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
