"""Games that were kept are only used as long as the same bots would play them."""

from pathlib import Path

import pytest

from benben.core import kernel
from benben.lab import code

# What changes with a file: games of quadrille and of objectif, games of quadrille with their
# reviews, and whether a worker is the same.
EVERYTHING = {"quadrille", "objectif", "reviewed", "here"}
CHANGES = {
    "core/rules.py": EVERYTHING,
    "bots/levels.py": EVERYTHING,
    "lab/match.py": EVERYTHING,
    "games/quadrille/rules.py": {"quadrille", "reviewed", "here"},
    "bots/nets/quadrille-2.npz": {"quadrille", "reviewed", "here"},
    "games/objectif/rules.py": {"objectif", "here"},
    "bots/objectif/player.py": {"objectif", "here"},
    "bots/nets/objectif-2.npz": {"objectif", "here"},
    "learn/reviews/making.py": {"reviewed"},
    "lab/rating.py": {"here"},
}


@pytest.mark.parametrize("changed", CHANGES)
def test_a_hash_changes_with_what_games_go_by(
    changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in CHANGES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("before")
    monkeypatch.setattr(kernel, "PACKAGE", tmp_path)
    monkeypatch.setattr(code, "PACKAGE", tmp_path)
    before = _hashes()
    (tmp_path / changed).write_text("after")
    after = _hashes()
    assert {name for name in before if before[name] != after[name]} == CHANGES[changed]


def _hashes() -> dict[str, str]:
    return {
        "quadrille": code.code_of.__wrapped__("quadrille"),
        "objectif": code.code_of.__wrapped__("objectif"),
        "reviewed": code.code_of.__wrapped__("quadrille", "learn/reviews"),
        "here": code.code_here.__wrapped__(),
    }
