"""Children that compile nothing: they are done with a stage when a test says so."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import benben
from benben.bots.warm import BOTS
from benben.core.warm import RULES, Stage
from benben.web import kernel_compiler

# A child that notes what it is asked, and is done with a stage when a file says so.
CHILD = """
import os, pathlib, sys, time
folder = pathlib.Path(sys.argv[1])
(folder / f"child-{os.getpid()}").touch()
begun = set()
for line in sys.stdin:
    game, stage = line.split()
    if line not in begun:
        begun.add(line)
        with (folder / "asked").open("a") as asked:
            asked.write(f"{game} {stage}\\n")
        print("deal", flush=True)
        continue
    (folder / f"{game}.{stage}.waiting").touch()
    # A single level of the bots is done with all of them, too.
    while not ((folder / f"{game}.{stage}").exists() or (folder / f"{game}.{stage[:4]}").exists()):
        if (folder / "die").exists():
            sys.exit(1)
        time.sleep(0.01)
    if not (folder / "read-only").exists():
        (folder / f"{game}.{stage}.kept").touch()
    print(flush=True)
"""


class Compiler:
    """What the children of a server do, as far as it can tell."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.session: list[str] = []

    def finish(self, *stages: str) -> None:
        for stage in stages:
            (self.folder / stage).touch()

    def finish_all(self) -> None:
        self.finish(*(f"{game}.{stage.name}" for game in benben.names() for stage in (RULES, BOTS)))

    def begin_again(self) -> None:
        """Nothing has been compiled, nor asked for."""
        for each in self.folder.iterdir():
            each.unlink()

    @property
    def asked(self) -> list[str]:
        notes = self.folder / "asked"
        return notes.read_text().splitlines() if notes.exists() else []

    @property
    def waiting(self) -> int:
        """How many stages have come so far that they wait to be finished."""
        return len(list(self.folder.glob("*.waiting")))

    @property
    def children(self) -> list[int]:
        return [int(each.name.partition("-")[2]) for each in self.folder.glob("child-*")]


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Compiler]:
    folder = tmp_path / "compiler"
    folder.mkdir()
    compiler = Compiler(folder)

    async def load(game: str, stage: Stage) -> None:
        compiler.session.append(f"{game}.{stage.name}")

    def kept(game: str, stage: Stage) -> bool:
        return (folder / f"{game}.{stage.name}.kept").exists()

    monkeypatch.setattr(
        kernel_compiler, "COMMAND", (sys.executable, "-S", "-c", CHILD, str(folder))
    )
    monkeypatch.setattr(kernel_compiler, "children", lambda: 2)
    monkeypatch.setattr(kernel_compiler, "is_warm", kept)
    monkeypatch.setattr(kernel_compiler, "load", load)
    yield compiler
    compiler.finish_all()
