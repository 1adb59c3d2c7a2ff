"""Compiling before the first game, with something to watch."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

import benben
from benben.bots.warm import BOTS
from benben.core import warm
from benben.core.game import Game
from benben.core.warm import RULES, Warming
from benben.terminal import ready as ready_module
from benben.terminal.ready import ready


@pytest.mark.parametrize("warming", [RULES, BOTS], ids=lambda warming: warming.package)
@pytest.mark.parametrize("name", benben.names())
def test_every_step_is_taken_and_named(name: str, warming: Warming) -> None:
    assert tuple(warm.warm_up(benben.game(name), warming)) == warming.steps
    assert warm.is_warm(benben.game(name), warming)


def test_warm_games_are_silent() -> None:
    out = io.StringIO()
    for warming in (RULES, BOTS):
        for _ in warm.warm_up(benben.game("quadrille"), warming):
            pass
    ready(benben.game("quadrille"), Console(file=out), bots=True)
    assert out.getvalue() == ""


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Nothing is on disk; compiling takes no time, and is noted."""
    done: list[str] = []

    def compiled(game: Game, warming: Warming) -> Iterator[str]:
        for step in warming.steps:
            done.append(step)
            yield step

    monkeypatch.setattr(warm, "PLAIN_PYTHON", False)
    monkeypatch.setattr(warm, "cache_directory", lambda package: tmp_path)
    monkeypatch.setattr(ready_module, "warm_up", compiled)
    return done


def test_one_plain_line_without_a_terminal(cold: list[str]) -> None:
    out = io.StringIO()
    ready(benben.game("quadrille"), Console(file=out))
    assert out.getvalue() == "Preparing quadrille (first time only) …\n"
    assert cold == list(RULES.steps)


def test_a_bar_in_a_terminal(cold: list[str]) -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=80)
    ready(benben.game("quadrille"), console, bots=True)
    assert "Preparing quadrille (first time only)" in out.getvalue()
    steps = [*RULES.steps, *BOTS.steps]
    assert f"{len(steps)}/{len(steps)}" in out.getvalue()
    assert cold == steps


def test_a_marker_from_another_machine_does_not_count(
    cold: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = benben.game("quadrille")
    for content in ("another machine", b"\xff"):
        if isinstance(content, str):
            (tmp_path / "quadrille.core.warm").write_text(content, "utf-8")
        else:
            (tmp_path / "quadrille.core.warm").write_bytes(content)
        assert not warm.is_warm(game, RULES)
    monkeypatch.setattr(warm, "cache_directory", lambda package: None)
    assert not warm.is_warm(game, RULES)
