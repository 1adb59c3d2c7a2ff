"""Learned evaluations: the sums are right, the slopes are right, what is kept comes back."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import benben
from benben.bots.net import (
    STEP,
    Net,
    Scratch,
    blank_net,
    expect,
    learn,
    load,
    logit,
    read,
    scratch,
    write,
)
from benben.bots.net import weigh as weigh_compiled
from benben.core.kernel import kernel
from benben.core.rules import features, key
from benben.games.pyramidis import evaluation
from tests.bots.turns import turns

NETS = [("pyramidis", 2), ("pyramidis", 4)]
LARGEST = 300_000  # bytes


@kernel
def weigh(net: Net, work: Scratch, n: int) -> float:
    return weigh_compiled(net, work, n)


def _drawn(rows: int, hidden: int) -> Net:
    drawn = np.random.default_rng(5)
    net = blank_net(rows, hidden)
    for part in net:
        part[...] = drawn.normal(0.1, 0.2, part.shape)
    return net


def _by_hand(net: Net, present: list[int]) -> float:
    hidden = np.clip(net.bias + net.rows[present].sum(axis=0), 0, 1)
    return float(net.base[0] + hidden @ net.out)


@pytest.mark.parametrize("hidden", [16, 32, 48])
def test_a_logit_is_the_sum_it_should_be(hidden: int) -> None:
    net = _drawn(50, hidden)
    work = scratch(net, 10)
    for present in ([], [3], [0, 7, 49], list(range(10))):
        work.present[: len(present)] = present
        assert weigh(net, work, len(present)) == pytest.approx(_by_hand(net, present), abs=1e-5)
        assert work.hidden == pytest.approx(net.bias + net.rows[present].sum(axis=0), abs=1e-5)


def test_slopes_are_those_of_the_logit() -> None:
    net, present, nudge = _drawn(20, 16), [1, 5, 19], 1e-2
    work = scratch(net, 4)
    slopes = blank_net(20, 16)
    work.present[:3] = present
    weigh(net, work, 3)
    learn(net, work, 3, 1.0, slopes)
    for part, slope in zip(net, slopes, strict=True):
        for place in np.ndindex(part.shape):
            before = part[place]
            part[place] = before + nudge
            above = _by_hand(net, present)
            part[place] = before - nudge
            below = _by_hand(net, present)
            part[place] = before
            # Nearer to where a unit is clipped than the nudge, both slopes are right.
            if abs(slope[place] - (above - below) / (2 * nudge)) > 1e-3:
                unit = place[-1]
                layer = (net.bias + net.rows[present].sum(axis=0))[unit]
                assert min(abs(layer), abs(layer - 1)) < nudge


def test_hidden_units_come_in_vectors() -> None:
    with pytest.raises(ValueError, match="multiples of 16"):
        blank_net(10, 20)


def test_what_is_kept_comes_back() -> None:
    net = _drawn(30, 16)
    net.rows[25:] = 0
    file = BytesIO()
    write(net, file, "a command")
    file.seek(0)
    back = read(file)
    for part, kept in zip(net, back, strict=True):
        assert kept.dtype == np.float32
        assert kept.shape == part.shape
        assert kept == pytest.approx(part, abs=float(STEP))
    file.seek(0)
    assert str(np.load(file)["made_by"]) == "a command"


@pytest.mark.parametrize(("name", "players"), NETS)
def test_a_net_is_there_and_says_how_it_was_made(name: str, players: int) -> None:
    net = load(name, players)
    assert net is not None
    assert len(net.rows) == evaluation.FEATURES
    path = Path(benben.__file__).parent / "bots" / "nets" / f"{name}-{players}.npz"
    assert path.stat().st_size < LARGEST
    made_by = str(np.load(path)["made_by"])
    assert made_by.startswith(f"python -m benben.lab.training {name} --players {players}")


def test_nothing_was_learnt_about_other_games() -> None:
    assert load("pyramidis", 3) is None


# ---- The features of pyramidis


def _present(position: benben.Position, seat: int) -> list[int]:
    out = np.full(evaluation.MOST_FEATURES, -1)
    n = features(position.record[0], seat, out)
    return sorted(out[:n].tolist())


@pytest.mark.parametrize("players", [2, 4])
def test_features_are_in_range_and_tell_positions_apart(players: int) -> None:
    """From each seat's side; for four, as long as no unloaded column is too tall to be told."""
    seen: list[dict[tuple[int, ...], str]] = [{} for _ in range(players)]
    for seed in range(3):
        for turn in turns(benben.game("pyramidis", players=players), seed):
            position = turn.view.game.parse(str(turn.view))
            for seat in range(players):
                present = _present(position, seat)
                assert 0 <= present[0] <= present[-1] < evaluation.FEATURES
                assert len(set(present)) == len(present)
                written = " ".join(str(position).split()[:3])
                assert seen[seat].setdefault(tuple(present), written) == written


def test_both_of_two_see_the_same_game() -> None:
    """The position turned round, with colours and turn exchanged, looks the same from opposite."""
    game = benben.game("pyramidis", players=2)
    position = game.parse("d1=bb,d2=bm,d5=bbm,d8=mmmmm,e1=m,e6=bb b1m0 b 0")
    turned = game.parse("d1=bbbbb,d4=mmb,d7=mb,d8=mm,e3=mm,e8=b b0m1 m 0")
    assert _present(position, 0) == _present(turned, 1)
    assert _present(position, 1) == _present(turned, 0)
    assert _present(position, 0) != _present(position, 1)


def test_four_expect_one_game_together() -> None:
    net = load("pyramidis", 4)
    assert net is not None
    shares = np.zeros(4)
    position = benben.game("pyramidis", players=4).deal(seed=1)
    expect(position.record[0], net, scratch(net, evaluation.MOST_FEATURES), shares)
    assert shares.sum() == pytest.approx(1)
    assert shares.min() > 0.1


def test_a_lead_is_worth_something() -> None:
    net = load("pyramidis", 2)
    assert net is not None
    work = scratch(net, evaluation.MOST_FEATURES)
    game = benben.game("pyramidis", players=2)
    ahead = game.parse("d1=bb,d8=mmmmmmmm,e2=bb b4m0 b 0")
    behind = game.parse("d1=bbbbbbbb,d8=mm,e7=mm b0m4 b 0")
    assert logit(net, ahead.record[0], 0, work) > 2
    assert logit(net, behind.record[0], 0, work) < -2


# ---- The key


def test_a_key_is_of_what_stands_there_and_who_moves() -> None:
    game = benben.game("pyramidis", players=2)
    text = "d1=bb,d2=bm,d5=bbm,d8=mmmmm,e1=m,e6=bb b1m0 b 0"
    name = key(game.parse(text).record[0])
    assert key(game.parse(text[:-1] + "7").record[0]) == name
    assert key(game.parse(text.replace(" b 0", " m 0")).record[0]) != name
    assert key(game.parse(text.replace("d2=bm", "d2=mb")).record[0]) != name


def test_positions_have_keys_of_their_own() -> None:
    names: dict[int, str] = {}
    for players in (2, 4):
        for seed in range(5):
            for turn in turns(benben.game("pyramidis", players=players), seed):
                written = " ".join(str(turn.view).split()[:3])
                name = int(key(turn.view.record[0]))
                assert names.setdefault(name, written) == written
    assert len(names) > 300
