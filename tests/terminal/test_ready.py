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
from benben.core.warm import COUNTS, RULES, Stage
from benben.terminal import ready as ready_module
from benben.terminal.ready import ready


@pytest.mark.parametrize("stage", [RULES, BOTS, COUNTS], ids=lambda stage: stage.name)
@pytest.mark.parametrize("name", benben.names())
def test_every_step_is_taken_and_named(name: str, stage: Stage) -> None:
    assert list(warm.warm_up(benben.game(name), stage)) == list(stage.steps)
    assert warm.is_warm(name, stage)


def test_warm_games_are_silent() -> None:
    out = io.StringIO()
    for stage in (RULES, BOTS):
        for _ in warm.warm_up(benben.game("quadrille"), stage):
            pass
    ready(benben.game("quadrille"), Console(file=out), BOTS)
    assert out.getvalue() == ""


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Nothing is on disk; compiling takes no time, and is noted."""
    done: list[str] = []

    def compiled(game: Game, stage: Stage) -> Iterator[str]:
        for step in stage.steps:
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
    ready(benben.game("quadrille"), console, BOTS)
    assert "Preparing quadrille (first time only)" in out.getvalue()
    steps = [*RULES.steps, *BOTS.steps]
    assert f"{len(steps)}/{len(steps)}" in out.getvalue()
    assert cold == steps


def test_a_marker_that_says_something_else_does_not_count(
    cold: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quadrille = benben.game("quadrille")
    list(warm.warm_up(quadrille, RULES))
    assert warm.is_warm("quadrille", RULES)
    (marker,) = tmp_path.glob("*.warm")
    for content in (b"another machine", b"\xff", b""):
        marker.write_bytes(content)
        assert not warm.is_warm("quadrille", RULES)
    monkeypatch.setattr(warm, "cache_directory", lambda package: None)
    assert not warm.is_warm("quadrille", RULES)


def test_installations_that_share_a_cache_leave_each_others_markers(
    cold: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for machine in ("here", "there"):
        monkeypatch.setattr(warm, "_machine", lambda machine=machine: machine)
        assert not warm.is_warm("quadrille", RULES)
        list(warm.warm_up(benben.game("quadrille"), RULES))
    for machine in ("here", "there"):
        monkeypatch.setattr(warm, "_machine", lambda machine=machine: machine)
        assert warm.is_warm("quadrille", RULES)
