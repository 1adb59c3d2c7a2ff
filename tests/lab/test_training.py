"""Training: it learns, the same settings make the same net, and an interrupt loses little."""

from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

import benben
from benben.bots.net import Net, read
from benben.core.errors import BenbenError
from benben.lab.training import Settings, Training, main, strength, train

TWO = benben.game("pyramidis", players=2)
FOUR = benben.game("pyramidis", players=4)
SMALL = Settings(rounds=4, positions=5_000, depth=2, rate=0.01, batch=64)


def _same(one: Net, other: Net) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.long
@pytest.mark.parametrize("game", [pytest.param(TWO, id="two"), pytest.param(FOUR, id="four")])
def test_it_learns(game: benben.Game) -> None:
    settings = Settings(rounds=10, positions=40_000, depth=1, rate=0.01, batch=128)
    learnt = train(game, settings)
    ignorant = Training.begin(game, settings).net
    assert strength(game, learnt, ignorant, (1, 1), 400) > 1.5 / game.players


@pytest.mark.slow
def test_an_interrupted_training_comes_to_the_same(tmp_path: Path) -> None:
    whole = train(TWO, SMALL)
    training = Training.begin(TWO, SMALL)
    training.round()
    training.keep(tmp_path / "kept.npz")
    done = []
    resumed = train(TWO, SMALL, tmp_path / "kept.npz", lambda rounds, told: done.append(rounds))
    assert _same(resumed, whole)
    assert len(done) == SMALL.rounds - 1
    assert _same(train(TWO, SMALL, tmp_path / "kept.npz"), whole)


def test_another_seed_makes_another_net() -> None:
    short = Settings(rounds=1, positions=2_000, depth=1)
    assert not _same(train(TWO, short), train(TWO, Settings(1, 2_000, depth=1, seed=1)))


def test_features_never_seen_weigh_nothing() -> None:
    learnt = train(TWO, Settings(rounds=1, positions=1_000, depth=1))
    unseen = ~learnt.rows.any(axis=1)
    assert unseen.sum() > len(learnt.rows) / 2


@pytest.mark.parametrize("wrong", [{"depth": 0}, {"depth": 99}, {"rounds": 0}, {"batch": 0}])
def test_settings_must_make_sense(wrong: dict[str, int]) -> None:
    with pytest.raises(BenbenError, match=str(next(iter(wrong)))):
        Settings(**wrong)


def test_the_command_writes_a_net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = typer.Typer()
    app.command()(main)
    path = tmp_path / "net.npz"
    monkeypatch.setenv("BENBEN_CACHE_DIR", str(tmp_path))
    words = ["pyramidis", "--players", "2", "--rounds", "1", "--positions", "1000"]
    words += ["--output", str(path)]
    told = CliRunner().invoke(app, words)
    assert told.exit_code == 0, told.output
    with path.open("rb") as file:
        assert len(read(file).rows) > 1000
    again = CliRunner().invoke(app, words)
    assert "against the net there was" in again.output
