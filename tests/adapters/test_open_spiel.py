"""Our games among OpenSpiel's: its own suite, and move by move what the rules say."""

import pickle
import random
from itertools import product
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

import benben
from benben.adapters import open_spiel as adapter
from tests.configurations import GAMES, LABELS
from tests.sizes import LONG

# Every game with every number of players, options as they are if nobody chooses.
PLAIN = [
    f"benben_{name}(players={players})"
    for name in benben.names()
    for players in benben.info(name).players
]


PUBLIC = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
PRIVATE = pyspiel.IIGObservationType(perfect_recall=False, public_info=False)


def _load(game: benben.Game) -> Any:
    options = {name: value for name, value in game.options.items() if name != "first"}
    return pyspiel.load_game(f"benben_{game.name}", options)


def _random_action(state: Any, rng: random.Random) -> int:
    if state.is_chance_node():
        actions, odds = zip(*state.chance_outcomes(), strict=True)
        return int(rng.choices(actions, odds)[0])
    return int(rng.choice(state.legal_actions()))


def _begun(game: Any, seed: int = 1) -> Any:
    """A state after the deal."""
    state, rng = game.new_initial_state(), random.Random(seed)
    while state.now is None:
        state.apply_action(_random_action(state, rng))
    return state


@pytest.mark.parametrize("name", PLAIN)
def test_open_spiels_own_suite(name: str) -> None:
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=20 if LONG else 3, serialize=True, verbose=False)
    assert str(pyspiel.load_game(str(game))) == str(game)


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_its_suite_with_every_option(game: benben.Game) -> None:
    loaded = _load(game)
    pyspiel.random_sim_test(loaded, num_sims=2, serialize=True, verbose=False)
    assert loaded.num_players() == game.players


@pytest.mark.parametrize("game", GAMES, ids=LABELS)
def test_play_is_ours(game: benben.Game) -> None:
    """Deal, moves, throws with their odds, texts, results: all as the public API has them."""
    rng, state = random.Random(3), _load(game).new_initial_state()

    class Draws:
        def below(self, n: int) -> int:
            outcomes = state.chance_outcomes()
            assert outcomes == [(draw, 1 / n) for draw in range(n)]
            drawn = rng.randrange(n)
            state.apply_action(drawn)
            return drawn

    position = game.deal(source=Draws())
    assert state.get_game().max_game_length() >= len(state.history())
    while True:
        assert str(state) == str(position)
        assert state.is_terminal() == (position.to_move is None)
        for seat in range(game.players):
            assert state.observation_string(seat) == str(position.view(seat))
        if state.is_terminal():
            break
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            throws = {state.action_to_string(action): odds for action, odds in outcomes}
            assert throws == pytest.approx(dict(position.chance()))
        else:
            assert state.current_player() == position.to_move
            moves = [state.action_to_string(action) for action in state.legal_actions()]
            assert moves == position.moves()
            assert [state.string_to_action(move) for move in moves] == state.legal_actions()
        action = _random_action(state, rng)
        position = position.play(state.action_to_string(action))
        state.apply_action(action)
    assert position.result is not None
    assert state.returns() == list(position.result.shares)


@pytest.mark.parametrize("name", ["objectif", "pyramidis", "batisseurs", "quadrille"])
def test_a_playthrough_can_be_written_and_played_again(name: str) -> None:
    # Here, as it imports all of scipy.stats: every worker collects this file.
    from open_spiel.python.algorithms import generate_playthrough

    text = generate_playthrough.playthrough(f"benben_{name}", None, seed=7)
    assert f'GameType.short_name = "benben_{name}"' in text
    actions = [int(line.split()[-1]) for line in text.splitlines() if line.startswith("action: ")]
    assert generate_playthrough.playthrough(f"benben_{name}", actions) == text
    state = pyspiel.load_game(f"benben_{name}").new_initial_state()
    for action in actions:
        state.apply_action(action)
    assert state.is_terminal()
    assert f"# {state}\n" in text


@pytest.mark.parametrize("name", PLAIN)
def test_its_tree_search_plays_whole_games(name: str) -> None:
    game, source = pyspiel.load_game(name), np.random.RandomState(5)
    evaluator = mcts.RandomRolloutEvaluator(1, source, max_length=20)
    bot = mcts.MCTSBot(game, 1.4, 2, evaluator, random_state=source)
    state, rng = game.new_initial_state(), random.Random(5)
    while not state.is_terminal():
        action = _random_action(state, rng) if state.is_chance_node() else bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
    assert sum(state.returns()) == pytest.approx(1)


def test_what_openspiel_is_told_of_a_game() -> None:
    kinds = pyspiel.GameType
    objectif = pyspiel.load_game("benben_objectif(players=4)").get_type()
    assert objectif.information == kinds.Information.IMPERFECT_INFORMATION
    assert objectif.provides_information_state_tensor
    for options, mode in (
        ("layout=regular", kinds.ChanceMode.DETERMINISTIC),
        ("layout=random", kinds.ChanceMode.EXPLICIT_STOCHASTIC),
    ):
        quadrille = pyspiel.load_game(f"benben_quadrille({options})").get_type()
        assert quadrille.information == kinds.Information.PERFECT_INFORMATION
        assert quadrille.utility == kinds.Utility.CONSTANT_SUM
        assert quadrille.chance_mode == mode


def test_who_begins_is_a_number() -> None:
    assert _begun(pyspiel.load_game("benben_pyramidis(first=3)")).current_player() == 2
    drawn = pyspiel.load_game("benben_batisseurs(players=3,first=0)").new_initial_state()
    assert drawn.chance_outcomes() == [(seat, 1 / 3) for seat in range(3)]
    # Said as it would be if nobody said it, and only two choose a pair.
    assert pyspiel.load_game("benben_pyramidis(players=4,pair=bm,first=0)").num_players() == 4


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("benben_objectif(players=5)", "must be 2, 3 or 4"),
        ("benben_objectif(players=4,mode=fair)", "only for 2 or 3 players"),
        ("benben_quadrille(layout=odd)", "must be one of regular, random"),
        ("benben_quadrille(first=0)", "seat 1 always begins"),
        ("benben_pyramidis(players=4,pair=tc)", "only for 2 players"),
    ],
)
def test_bad_options_say_what_is_allowed(wrong: str, why: str) -> None:
    with pytest.raises(benben.BadOption, match=why):
        pyspiel.load_game(wrong)


def test_what_cannot_be_played_is_refused_and_nothing_changes() -> None:
    state = _begun(pyspiel.load_game("benben_quadrille"))
    before = str(state)
    for action, why in ((48, "pawns-first"), (-2, "no action -2"), (400, "no action 400")):
        with pytest.raises(benben.BenbenError, match=why):
            state.apply_action(action)
        assert str(state) == before
    dealing = pyspiel.load_game("benben_objectif").new_initial_state()
    with pytest.raises(benben.BenbenError, match="no action 6; they are 0 to 5"):
        dealing.apply_action(6)
    assert str(dealing) == adapter.DEALING


def test_states_are_kept_and_copied() -> None:
    state = _begun(pyspiel.load_game("benben_objectif(players=3)"))
    state.apply_action(state.legal_actions()[0])
    clone, read = state.clone(), pickle.loads(pickle.dumps(state))
    for other in (clone, read):
        assert str(other) == str(state)
        assert other.history() == state.history()
        other.apply_action(other.legal_actions()[-1])
        assert str(other) != str(state)
    assert str(clone) == str(read)


def test_a_player_is_told_no_secret() -> None:
    """Deals that differ in goals only: what a seat is told differs if its own goal does."""
    game = pyspiel.load_game("benben_objectif(first=1)")
    told: dict[tuple[int, str], set[bytes]] = {}
    for goals in product(range(4), range(3), range(2)):
        state, rng = game.new_initial_state(), random.Random(2)
        while state.now is None:
            drawn = _random_action(state, rng)
            number = len(state.draws) - 5  # after the shuffle of the six colours
            state.apply_action(goals[number] if 0 <= number < 3 else drawn)
        for _ in range(6):
            state.apply_action(rng.choice(state.legal_actions()))
        for seat in range(2):
            parts = [state.observation_string(seat), state.information_state_string(seat)]
            for kind in (None, INFO_STATE_OBS_TYPE, PUBLIC, PRIVATE):
                observation = make_observation(game, kind)
                observation.set_from(state, seat)
                parts.append(observation.tensor.tobytes().hex())
                parts.append(observation.string_from(state, seat))
            goal = str(state).split()[-1][seat]
            told.setdefault((seat, goal), set()).add("\n".join(parts).encode())
    assert len(told) == 8
    assert all(len(same) == 1 for same in told.values())
    assert len({next(iter(same)) for same in told.values()}) == 8


def test_observers() -> None:
    state = _begun(pyspiel.load_game("benben_objectif"))
    observation = make_observation(state.get_game(), INFO_STATE_OBS_TYPE)
    action = state.legal_actions()[4]
    state.apply_action(action)
    seat = state.current_player()
    observation.set_from(state, seat)
    assert np.argwhere(observation.dict["moves"]).tolist() == [[0, action]]
    assert observation.dict["goal"].sum() == 1
    start = state.start.view(seat)
    told = observation.string_from(state, seat)
    assert told == f"seat {seat + 1}: {start} {state.get_game().kept.environment.text(action)}"
    for kind, goals, text in ((PUBLIC, 0, "??"), (PRIVATE, 1, str(start).split()[-1])):
        part = make_observation(state.get_game(), kind)
        part.set_from(state, seat)
        assert part.dict["goal"].sum() == goals
        assert part.string_from(state, seat).split()[-1] == text
    assert part.tensor.sum() == 1, "all but the goal is public"
    everybody = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    assert make_observation(state.get_game(), everybody) is None
    with pytest.raises(benben.BenbenError, match="take no parameters"):
        make_observation(state.get_game(), None, {"planes": 1})
    dealing = state.get_game().new_initial_state()
    observation.set_from(dealing, 0)
    assert not observation.tensor.any()
    assert observation.string_from(dealing, 0) == adapter.DEALING
