"""The rules as plain Python do what the compiled rules do, and draw moves evenly."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.configurations import GAMES, label
from tests.conformance.plain_python import behaviour

PLAIN = {"NUMBA_DISABLE_JIT": "1"}


def _run(*arguments: str, environment: dict[str, str]) -> Any:
    done = subprocess.run(
        # Numbers that overflow where Numba's would not are errors.
        [sys.executable, "-W", "error", "-m", "tests.conformance.plain_python", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
def test_compiled_and_plain_rules_agree() -> None:
    plain = _run(environment=PLAIN)
    assert set(plain) == {label(game) for game in GAMES}
    for game in GAMES:
        assert json.loads(json.dumps(behaviour(game))) == plain[label(game)], label(game)


@pytest.mark.long
def test_no_kernel_reads_or_writes_out_of_bounds(tmp_path: Path) -> None:
    """Compiled anew with bounds checks, which raise an IndexError."""
    checked = _run(environment={"NUMBA_BOUNDSCHECK": "1", "BENBEN_CACHE_DIR": str(tmp_path)})
    for game in GAMES:
        assert json.loads(json.dumps(behaviour(game))) == checked[label(game)], label(game)


@pytest.mark.slow
def test_random_moves_are_drawn_evenly() -> None:
    """Exactly, over all draws they could make, all along a game of every kind."""
    seen = _run("--distributions", environment=PLAIN)
    assert set(seen) == {label(game) for game in GAMES}
    assert all(positions >= 4 for positions in seen.values()), seen
