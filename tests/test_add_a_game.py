"""docs/add-a-game.md, followed to the letter on a copy of the package."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.copying import PACKAGE, copy_package
from tests.games.test_rulebooks import APPENDIX, FIRST, LAST, MOST_WORDS

PAGE = Path(__file__).parent.parent / "docs" / "add-a-game.md"

CONFORM = """
import benben
from benben.core.environment import Environment
from benben.core.errors import NoObservation
from benben.learn.diagrams import diagrams_of
from tests.configurations import GAMES
from tests.conformance.checks import CHECKS
heaps = [game for game in GAMES if game.name == "heap"]
for game in heaps:
    for check in CHECKS:
        check(game)
for diagram in diagrams_of("heap").values():
    position = diagram.start("heap")
    for move in diagram.moves:
        position = position.play(move)
    assert str(position) == diagram.after
    assert set(diagram.highlight) <= set(position.drawing())
print(len(heaps), benben.game("heap").deal(), *diagrams_of("heap"))
try:
    Environment(heaps[0])
except NoObservation as error:
    print(error)
"""


def add_heap(package: Path) -> None:
    """What the page tells to write, in a copy of the package."""
    page = PAGE.read_text("utf-8")
    card, rules, notation, line = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (diagrams,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    heap = package / "games" / "heap"
    heap.mkdir()
    (heap / "__init__.py").write_text(card, "utf-8")
    (heap / "rules.py").write_text(rules, "utf-8")
    (heap / "notation.py").write_text(notation, "utf-8")
    (heap / "diagrams.toml").write_text(diagrams, "utf-8")
    with (package / "games" / "__init__.py").open("a", encoding="utf-8") as registry:
        registry.write(line)


@pytest.mark.long  # it compiles a game from nothing, as tests/core/test_kernel.py does
def test_the_page_adds_a_game_that_conforms(tmp_path: Path) -> None:
    add_heap(copy_package(tmp_path))
    environment = {
        **os.environ,
        "PYTHONPATH": f"{tmp_path}{os.pathsep}{PAGE.parent.parent}",
        "BENBEN_CACHE_DIR": str(tmp_path / "cache"),
    }
    done = subprocess.run(
        [sys.executable, "-c", CONFORM],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    conforming, observed = done.stdout.splitlines()
    assert conforming == "4 21 1 three"
    assert observed == "heap cannot be observed: it has no observation.py beside its rules"


def test_the_page_tells_what_a_rulebook_needs() -> None:
    """As the tests of rulebooks ask for it."""
    page = PAGE.read_text("utf-8")
    for chapter in (*FIRST, *LAST, *APPENDIX):
        assert f"`#{chapter}`" in page
    assert f"at most {MOST_WORDS} words" in page.replace("\n", " ")
    for path in (PACKAGE / "games/quadrille").iterdir():
        if path.name.startswith(("rulebook", "diagrams")):
            assert path.name in page
