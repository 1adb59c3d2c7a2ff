"""Our games as PettingZoo's environments: its own suite, and move by move what the rules say."""

import pickle
import random
import warnings
from typing import Any

import numpy as np
import pytest
from shimmy import OpenSpielCompatibilityV0

import benben
import benben.adapters.open_spiel
from benben.adapters import pettingzoo as adapter
from tests.configurations import GAMES, LABELS

with warnings.catch_warnings():  # its suite asks for one of its games by an old name
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, seed_test

# PettingZoo's classic games are exempt from these by name: they have masks beside what is seen.
WITH_MASKS = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]
PLAIN = [(name, players) for name in benben.names() for players in benben.info(name).players]


def _environment(game: benben.Game, **more: Any) -> Any:
    options: dict[str, Any] = {**game.options, **more}
    return adapter.env(game.name, **options)


def _with_masks(test: Any) -> Any:
    for mark in WITH_MASKS:
        test = mark(test)
    return test


@_with_masks
@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_petting_zoos_own_suite(game: benben.Game) -> None:
    environment = _environment(game)
    api_test(environment, num_cycles=300)
    assert set(environment.possible_agents) == {f"player_{n}" for n in range(game.players)}
    seed_test(lambda: _environment(game), num_cycles=50)


# An infinite box and one number a player, both of them Shimmy's.
@pytest.mark.filterwarnings("ignore:Agent's m.* observation space value is -?infinity")
@pytest.mark.parametrize(("name", "players"), PLAIN)
def test_shimmys_wrapper_of_open_spiel(name: str, players: int) -> None:
    config = {"players": players}
    environment = OpenSpielCompatibilityV0(game_name=f"benben_{name}", config=config)
    api_test(environment, num_cycles=100)
    rng = random.Random(1)
    environment.reset(seed=1)
    ended = False
    while environment.agents:
        _, _, ended, truncated, info = environment.last()
        assert not truncated
        legal = np.flatnonzero(info["action_mask"]).tolist() if not ended else [None]
        environment.step(rng.choice(legal))
    assert ended


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_play_is_ours(game: benben.Game) -> None:
    rng, environment = random.Random(3), _environment(game)
    environment.reset(seed=3)
    position = environment.position
    while position.to_move is not None:
        seat = int(environment.agent_selection.removeprefix("player_"))
        assert seat == position.to_move
        seen, *_ = environment.last()
        assert environment.observation_space(environment.agent_selection).contains(seen)
        actions = np.flatnonzero(seen["action_mask"]).tolist()
        assert [environment.move(action) for action in actions] == position.moves()
        others = [agent for agent in environment.agents if agent != environment.agent_selection]
        for other in others:
            assert not environment.observe(other)["action_mask"].any()
        action = rng.choice(actions)
        played = position.play(environment.move(action))
        environment.step(action)
        # Throws that came then are part of the step; the first must be one that was due.
        position = environment.position
        assert played == position or played.to_move == benben.CHANCE
    assert position.result is not None
    n = game.players
    wanted = [(n * share - 1) / (n - 1) for share in position.result.shares]
    told = {}
    for agent in environment.agent_iter():
        told[agent] = environment.last()[1]
        environment.step(None)
    assert [told[agent] for agent in environment.possible_agents] == pytest.approx(wanted)
    assert sum(wanted) == pytest.approx(0)


def test_luck_comes_from_the_seed() -> None:
    def start(environment: Any, seed: int | None) -> str:
        environment.reset(seed=seed)
        return str(environment.position)

    one, two = adapter.env("objectif", players=4), adapter.env("objectif", players=4)
    assert start(one, 5) == start(two, 5)
    assert start(one, 5) != start(two, 6)
    assert start(one, 5) == start(two, 5)
    again = start(one, None)
    assert again == start(two, None), "without a seed luck goes on"
    assert again != start(one, 5)


def test_who_plays_what_is_illegal_loses() -> None:
    environment = adapter.env("quadrille")
    environment.reset(seed=1)
    with pytest.warns(UserWarning, match="player_0 loses at once: .* all four pawns come first"):
        environment.step(48)
    assert environment.terminations == {"player_0": True, "player_1": True}
    rewards = {}
    for agent in environment.agent_iter():
        rewards[agent] = environment.last()[1]
        environment.step(None)
    assert rewards == {"player_0": -1.0, "player_1": 0}
    with pytest.warns(UserWarning, match="over for all"):
        environment.step(None)


def test_what_cannot_be_is_refused_and_nothing_changes() -> None:
    environment = adapter.raw_env("quadrille")
    for early in (lambda: environment.step(0), lambda: environment.observe("player_0")):
        with pytest.raises(benben.BenbenError, match="reset"):
            early()
    environment.reset(seed=1)
    before = environment.position
    for action, why in (
        (48, "pawns-first"),
        (-1, "no action -1"),
        (400, "no action"),
        (None, "no"),
    ):
        with pytest.raises(benben.BenbenError, match=why):
            environment.step(action)
        assert environment.position == before
    with pytest.raises(benben.BadOption, match="must be 2"):
        adapter.env("quadrille", players=3)
    with pytest.raises(benben.BadOption, match="ansi or None"):
        adapter.env("quadrille", render_mode="human")
    with pytest.raises(benben.UnknownGame, match="no game is called"):
        adapter.env("chess")


def test_it_is_shown_as_a_spectator_sees_it() -> None:
    environment = adapter.env("objectif", render_mode="ansi")
    environment.reset(seed=2)
    assert environment.render() == str(environment.position.view(None))
    assert str(environment.render()).endswith("??")
    silent = adapter.env("objectif")
    silent.reset(seed=2)
    with pytest.warns(UserWarning, match="no render mode"):
        assert silent.render() is None


def test_it_can_be_sent_elsewhere() -> None:
    environment = pickle.loads(pickle.dumps(adapter.env("batisseurs", players=4, placing="free")))
    environment.reset(seed=2)
    assert environment.position.game == benben.game("batisseurs", players=4, placing="free")
    fields = environment.split(environment.last()[0]["observation"])
    assert fields["free"].tolist() == [1]
