"""The rules as plain Python do what the compiled rules do, and draw moves evenly."""

import json
import os
import subprocess
import sys
from typing import Any

from tests.configurations import GAMES, label
from tests.conformance.plain_python import behaviour


def _run(*arguments: str) -> Any:
    done = subprocess.run(
        # Numbers that overflow where Numba's would not are errors.
        [sys.executable, "-W", "error", "-m", "tests.conformance.plain_python", *arguments],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_compiled_and_plain_rules_agree() -> None:
    plain = _run()
    assert set(plain) == {label(game) for game in GAMES}
    for game in GAMES:
        assert json.loads(json.dumps(behaviour(game))) == plain[label(game)], label(game)


def test_random_moves_are_drawn_evenly() -> None:
    """Exactly, over all draws they could make, all along a game of every kind."""
    seen = _run("--distributions")
    assert set(seen) == {label(game) for game in GAMES}
    assert all(positions >= 4 for positions in seen.values()), seen
