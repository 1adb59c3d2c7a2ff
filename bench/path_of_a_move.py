"""The path of a move in figures: `make bench-path`, and `REV=…` for an older commit beside it.

A server runs with a profile function. One table is played at, a move after the other, with a stream
open for each of the two people. Traced is what happens from the arrival of a move's request to the
next one's; reported is the median of all moves. Functions are those of Benben that are called,
however often, without comprehensions; some of them call others, the rest are helpers that call
none. A hop is a callback of the event loop, or a thread, in which any function of Benben runs.
"""

import argparse
import json
import os
import sys
import tempfile
import threading
from collections.abc import Iterable
from pathlib import Path
from types import FrameType
from typing import Any

SECONDS = 2.0  # of playing
Call = tuple[str, str, str, bool]  # module, function, hop, and whether it calls others


class Tracer:
    """Notes the functions that are called for every move. Python calls it for every call."""

    def __init__(self, source: str) -> None:
        self._source = source
        self.moves: list[dict[tuple[str, str, str], bool]] = []
        self._callbacks = 0  # of the event loop

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            code, back = frame.f_code, frame.f_back
            if back is not None and back.f_code.co_filename.endswith("asyncio/runners.py"):
                self._callbacks += 1
            if code.co_name == "data_received" and b"/move HTTP" in frame.f_locals["data"]:
                self.moves.append({})
            if self.moves and code.co_filename.startswith(self._source):
                self.moves[-1].setdefault(self._key(frame), False)
                caller: FrameType | None = back
                while caller is not None and not caller.f_code.co_filename.startswith(self._source):
                    caller = caller.f_back
                if caller is not None and self._key(caller) in self.moves[-1]:
                    self.moves[-1][self._key(caller)] = True

    def _key(self, frame: FrameType) -> tuple[str, str, str]:
        code, thread = frame.f_code, threading.current_thread()
        module = code.co_filename.removeprefix(self._source).removesuffix(".py").strip("/")
        name = code.co_qualname.replace(".<locals>", "")
        hop = str(self._callbacks) if thread is threading.main_thread() else thread.name
        return module, name, hop


def serve(database: str) -> None:
    """Run a server that is traced, and write down its moves when it ends."""
    import benben
    from benben.cli import main

    tracer = Tracer(str(Path(benben.__file__).parent))
    sys.argv = ["benben", "serve", "--port", "0", "--rate", "0", "--database", database]
    threading.setprofile(tracer)
    sys.setprofile(tracer)
    try:
        main()
    finally:
        sys.setprofile(None)
        Path(os.environ["TRACE"]).write_text(
            json.dumps([[(*call, calls) for call, calls in move.items()] for move in tracer.moves])
        )


def trace(tree: Path) -> list[Call]:
    """The path of a move in a tree: of the median length, as a timer may run meanwhile."""
    from bench.server import serving

    with tempfile.TemporaryDirectory(prefix="benben") as folder:
        words = [sys.executable, __file__, "--serve", f"sqlite:///{folder}/tables.sqlite3"]
        trace, log = Path(folder, "trace"), Path(folder, "log")
        environment = {"PYTHONPATH": str(tree / "src"), "TRACE": str(trace)}
        with serving("traced", "benben", words, log, environment) as served:
            served.rest()
            served.open(1)
            assert served.load is not None
            served.load.play(SECONDS)
        moves = [
            [tuple(call) for call in move if not call[1].endswith(("comp>", "genexpr>"))]
            for move in json.loads(trace.read_text())
        ]
    return sorted(moves, key=len)[len(moves) // 2]


def report(paths: dict[str, list[Call]]) -> str:
    lines = ["| | functions | that call others | modules | hops |", "|---|---:|---:|---:|---:|"]
    for name, path in paths.items():
        counts = (
            len(_functions(path)),
            len(_functions(call for call in path if call[3])),
            len({module for module, _, _, _ in path}),
            len({hop for _, _, hop, _ in path}),
        )
        lines.append(f"| {name} | {' | '.join(map(str, counts))} |")
    lines += ["", "The functions of the present tree, those that call others in bold:", ""]
    present = next(iter(paths.values()))
    callers = _functions(call for call in present if call[3])
    for module in sorted({call[0] for call in present}):
        names = [
            f"**`{name}`**" if (where, name) in callers else f"`{name}`"
            for where, name in sorted(_functions(present))
            if where == module
        ]
        lines.append(f"- `{module}`: {', '.join(names)}")
    return "\n".join([*lines, ""])


def _functions(path: Iterable[Call]) -> set[tuple[str, str]]:
    return {call[:2] for call in path}


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.path_of_a_move", description=__doc__)
    parser.add_argument("revision", nargs="?", help="an older commit")
    parser.add_argument("--serve", metavar="DATABASE", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
        return
    from bench.against import ROOT, checkout

    paths = {"present": trace(ROOT)}
    if options.revision:
        with checkout(options.revision) as older:
            paths[options.revision] = trace(older)
    sys.stdout.write(report(paths))


if __name__ == "__main__":
    main()
