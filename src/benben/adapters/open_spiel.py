"""The games among OpenSpiel's: importing this registers `benben_objectif` and the others.

>>> import pyspiel
>>> import benben.adapters.open_spiel
>>> game = pyspiel.load_game("benben_objectif(players=3,mode=fair)")
>>> game.num_players(), game.num_distinct_actions()
(3, 120)

Parameters are the options of a game's card; `first` is a seat's number, or 0 if it is drawn.
Moves have numbers, dense and in the order of the rules, and their texts are ours. Chance deals:
each integer a deal draws is a chance node, then the game begins; a throw of dice is one chance
node. Who wins has 1, who loses 0, who share it a part.

What a player is told: the observation is its view; the information state is its view of the start
and every move since, which all see. Where nothing is hidden the observation tells all there is, and
the information state has a text and no tensor.

OpenSpiel's `MCTSBot` in C++ crashes on any game that is registered from Python; the one in
`open_spiel.python.algorithms.mcts` plays these.
"""

import math
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import benben.games  # noqa: F401 - fills the registry
from benben.core import engine
from benben.core.environment import Environment
from benben.core.errors import BenbenError, NotInstalled
from benben.core.game import Game
from benben.core.info import RANDOM_FIRST, Info
from benben.core.kernel import Ints, States
from benben.core.notation import THROW_SIGN
from benben.core.position import Position
from benben.core.registry import game as find
from benben.core.registry import info, names
from benben.core.rules import CHANCE, LEGAL, OVER

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise NotInstalled("pyspiel", "openspiel") from error

Floats32: TypeAlias = NDArray[np.float32]

PREFIX = "benben_"
FIRST_DRAWN = 0
SPECTATOR = -1  # whose eyes see what is public
DEALING = "dealing"  # all that is told before the game begins


class _Kept:
    """What all states of a game share: clones have the same one."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.environment = Environment(game)
        bounds = np.empty(engine.MOST_DRAWS, np.int64)
        self.bounds: Ints = bounds[: engine.bounds_of(game.blank(), game.numbers, bounds)].copy()
        texts = game.notation.texts()
        throws = sorted(code for code, text in texts.items() if text.startswith(THROW_SIGN))
        self.throws = np.array(throws, np.int64)  # by the number of the chance outcome
        self._outcomes: dict[bytes, list[tuple[int, float]]] = {}

    def __deepcopy__(self, memo: object) -> "_Kept":
        return self

    def dealt(self, draws: bytes) -> "_Moment":
        a = self.game.blank()
        engine.set_up(a, self.game.numbers, np.frombuffer(draws, np.uint8).astype(np.int64))
        return _Moment(a)

    def buffer(self) -> Ints:
        return np.empty(self.game.rules.MOST_MOVES, np.int64)

    def outcomes(self, a: States) -> list[tuple[int, float]]:
        """The throws that are due, by number; lists are kept, as there are few different ones."""
        codes, weights = self.buffer(), self.buffer()
        n = engine.list_throws(a, codes, weights)
        key = codes[:n].tobytes()
        if key not in self._outcomes:
            odds = weights[:n] / weights[:n].sum()
            numbers = np.searchsorted(self.throws, codes[:n])
            found = sorted(zip(numbers.tolist(), odds.tolist(), strict=True))
            self._outcomes[key] = found
        return self._outcomes[key]


class _Moment:
    """A position, which never changes: clones of a state have the same one."""

    __slots__ = ("a", "turn")

    def __init__(self, a: States) -> None:
        self.a = a
        self.turn = int(engine.whose(a))

    def __deepcopy__(self, memo: object) -> "_Moment":
        return self


class _Game(pyspiel.Game):
    # Each game has a class of its own: what is registered OpenSpiel lets go of when Python has
    # ended already, which only a class survives.
    name: str

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        kept = _Kept(find(self.name, **_chosen(info(self.name), params or {})))
        players, bounds = kept.game.players, kept.bounds.tolist()
        most_throws = len(kept.throws)
        # Some count chance's nodes and the start too, though OpenSpiel does not: none is cut short.
        longest = (2 if most_throws else 1) * kept.environment.longest + len(bounds) + 1
        super().__init__(
            _type(kept.game, bool(bounds or most_throws)),
            pyspiel.GameInfo(
                num_distinct_actions=len(kept.environment.codes),
                max_chance_outcomes=max([most_throws, *bounds]),
                num_players=players,
                min_utility=0.0,
                max_utility=1.0,
                utility_sum=1.0,
                max_game_length=longest,
            ),
            params or {},
        )
        self.kept = kept

    def new_initial_state(self) -> "_State":
        return _State(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> "_Observer | None":
        """Who tells what is public, a player's own secrets, or both; None if everybody's."""
        if params:
            raise BenbenError(f"observers take no parameters, and are given {params}")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return None
        return _Observer(self.kept, kind)


class _State(pyspiel.State):
    """Where a game stands: what the deal has drawn so far and, when it is done, the position."""

    def __init__(self, game: _Game) -> None:
        super().__init__(game)
        self.kept = game.kept
        self.draws = b""
        self.now = None if len(self.kept.bounds) else self.kept.dealt(b"")

    def current_player(self) -> int:
        if self.now is None or self.now.turn == CHANCE:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.now.turn == OVER else self.now.turn

    def is_terminal(self) -> bool:
        return self.now is not None and self.now.turn == OVER

    def _legal_actions(self, player: int) -> list[int]:
        if self.now is None or self.now.turn != player:
            return []
        codes = self.kept.buffer()
        n = engine.list_moves(self.now.a, codes)
        return self.kept.environment.actions[codes[:n]].tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self.now is not None:
            return self.kept.outcomes(self.now.a)
        bound = int(self.kept.bounds[len(self.draws)])
        return [(draw, 1 / bound) for draw in range(bound)]

    def _apply_action(self, action: int) -> None:
        if self.now is None:
            _check(action, int(self.kept.bounds[len(self.draws)]))
            self.draws += bytes([action])
            if len(self.draws) == len(self.kept.bounds):
                self.now = self.kept.dealt(self.draws)
            return
        kept = self.kept
        codes = kept.throws if self.now.turn == CHANCE else kept.environment.codes
        _check(action, len(codes))
        after = np.empty(1, self.now.a.dtype)
        if engine.attempt(self.now.a, int(codes[action]), after) != LEGAL:
            self.position.play(kept.game.text(int(codes[action])))  # says why not
        self.now = _Moment(after)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return self.kept.environment.text(action)
        if self.now is None:
            return f"draw {action}"
        return self.kept.game.text(int(self.kept.throws[action]))

    def returns(self) -> list[float]:
        shares = np.zeros(self.kept.game.players, np.float64)
        if self.is_terminal():
            assert self.now is not None
            engine.settle(self.now.a, shares)
        return shares.tolist()

    @property
    def position(self) -> Position:
        """The position of a game that has begun, secrets included."""
        assert self.now is not None
        return Position(self.kept.game, self.now.a)

    @property
    def start(self) -> Position:
        """The position in which it began."""
        return Position(self.kept.game, self.kept.dealt(self.draws).a)

    def played(self) -> list[tuple[int, int]]:
        """Every move and throw since the deal: who (chance too), and the action."""
        history = self.full_history()[len(self.draws) :]
        return [(each.player, each.action) for each in history]

    def texts(self) -> list[str]:
        """The same as texts."""
        kept = self.kept
        return [
            kept.environment.text(action) if who >= 0 else kept.game.text(int(kept.throws[action]))
            for who, action in self.played()
        ]

    def __str__(self) -> str:
        if self.now is None:
            return " ".join([DEALING, *map(str, self.draws)])
        return str(self.position)


def _check(action: int, actions: int) -> None:
    if not 0 <= action < actions:
        raise BenbenError(f"there is no action {action}; they are 0 to {actions - 1}")


class _Observer:
    """What a player is told: its view, or with perfect recall its view of the start and all moves.

    What is public is a spectator's view, told as from the player's side; what is private is what
    differs from it.
    """

    def __init__(self, kept: _Kept, kind: Any) -> None:
        self._environment = kept.environment
        self._recalls, self._public = kind.perfect_recall, kind.public_info
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor: Floats32 | None = None
        self.dict: dict[str, Floats32] = {}
        if self._recalls and not kept.game.hides:
            return
        size, turns = kept.environment.size, kept.environment.longest if self._recalls else 0
        shape = turns, len(kept.environment.codes)
        self.tensor = np.zeros(size + math.prod(shape), np.float32)
        self.dict = kept.environment.split(self.tensor[:size])
        if self._recalls:
            self.dict["moves"] = self.tensor[size:].reshape(shape)

    def set_from(self, state: _State, player: int) -> None:
        if self.tensor is None:
            return
        self.tensor.fill(0)
        if state.now is None:
            return
        a = state.kept.dealt(state.draws).a if self._recalls else state.now.a
        told = self._environment.observed(a, player, player if self._private else SPECTATOR)
        if not self._public:
            told[told == self._environment.observed(a, player, SPECTATOR)] = 0
        self.tensor[: self._environment.size] = told
        if self._recalls and self._public:
            decisions = (action for who, action in state.played() if who >= 0)
            for number, action in enumerate(decisions):
                self.dict["moves"][number, action] = 1

    def string_from(self, state: _State, player: int) -> str:
        if state.now is None:
            return DEALING
        position = state.start if self._recalls else state.position
        told = str(position.view(player if self._private else None)).split()
        if not self._public:
            shown = str(position.view(None)).split()
            return " ".join(
                mine for mine, all_see in zip(told, shown, strict=True) if mine != all_see
            )
        return " ".join([f"seat {player + 1}:", *told, *state.texts()] if self._recalls else told)


# ---- Registration


def _defaults(card: Info) -> dict[str, str | int]:
    """OpenSpiel's parameters, each of one type: who begins is a number."""
    return {
        "players": card.default_players,
        "first": FIRST_DRAWN if card.first == RANDOM_FIRST else int(card.first),
        card.option.name: card.option.values[0],
    }


def _chosen(card: Info, params: dict[str, Any]) -> dict[str, Any]:
    """Our options. Defaults spelled out are no choice: not all player counts have all options."""
    defaults = _defaults(card)
    chosen = {name: value for name, value in params.items() if value != defaults.get(name)}
    if "first" in chosen:
        chosen["first"] = RANDOM_FIRST if params["first"] == FIRST_DRAWN else params["first"]
    return chosen


def _type(game: Game, lucky: bool) -> Any:
    """What OpenSpiel is told of a game; with some options there is no luck in some of them."""
    card, kinds = game.info, pyspiel.GameType
    chance, information = kinds.ChanceMode, kinds.Information
    return pyspiel.GameType(
        short_name=PREFIX + game.name,
        long_name=f"Benben {card.titles['en']}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if lucky else chance.DETERMINISTIC,
        information=information.IMPERFECT_INFORMATION
        if game.hides
        else information.PERFECT_INFORMATION,
        utility=kinds.Utility.CONSTANT_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(card.players),
        min_num_players=min(card.players),
        provides_information_state_string=True,
        provides_information_state_tensor=game.hides,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=_defaults(card),
    )


for _name in names():
    pyspiel.register_game(
        _type(find(_name), lucky=True), type(f"{_name.title()}Game", (_Game,), {"name": _name})
    )
