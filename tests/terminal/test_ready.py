"""Compiling before the first game, with something to watch."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

import benben
from benben.core import warm
from benben.core.game import Game
from benben.terminal import ready as ready_module
from benben.terminal.ready import ready


@pytest.mark.parametrize("name", benben.names())
def test_every_step_is_taken_and_named(name: str) -> None:
    assert tuple(warm.warm_up(benben.game(name))) == warm.STEPS
    assert warm.is_warm(benben.game(name))


def test_warm_games_are_silent() -> None:
    out = io.StringIO()
    for _ in warm.warm_up(benben.game("quadrille")):
        pass
    ready(benben.game("quadrille"), Console(file=out))
    assert out.getvalue() == ""


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Nothing is on disk; compiling takes no time, and is noted."""
    done: list[str] = []

    def compiled(game: Game) -> Iterator[str]:
        for step in warm.STEPS:
            done.append(step)
            yield step

    monkeypatch.setattr(warm, "PLAIN_PYTHON", False)
    monkeypatch.setattr(warm, "cache_directory", lambda: tmp_path)
    monkeypatch.setattr(ready_module, "warm_up", compiled)
    return done


def test_one_plain_line_without_a_terminal(cold: list[str]) -> None:
    out = io.StringIO()
    ready(benben.game("quadrille"), Console(file=out))
    assert out.getvalue() == "Preparing quadrille (first time only) …\n"
    assert cold == list(warm.STEPS)


def test_a_bar_in_a_terminal(cold: list[str]) -> None:
    out = io.StringIO()
    ready(benben.game("quadrille"), Console(file=out, force_terminal=True, width=80))
    assert "Preparing quadrille (first time only)" in out.getvalue()
    assert f"{len(warm.STEPS)}/{len(warm.STEPS)}" in out.getvalue()
    assert cold == list(warm.STEPS)


def test_a_marker_from_another_machine_does_not_count(
    cold: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = benben.game("quadrille")
    for content in ("another machine", b"\xff"):
        if isinstance(content, str):
            (tmp_path / "quadrille.warm").write_text(content, "utf-8")
        else:
            (tmp_path / "quadrille.warm").write_bytes(content)
        assert not warm.is_warm(game)
    monkeypatch.setattr(warm, "cache_directory", lambda: None)
    assert not warm.is_warm(game)
