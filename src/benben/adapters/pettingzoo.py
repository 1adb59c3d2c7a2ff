"""The games as PettingZoo's environments, in which agents act in turn (AEC).

>>> from benben.adapters import pettingzoo
>>> environment = pettingzoo.env("batisseurs", players=3)
>>> environment.reset(seed=4)
>>> seen, reward, terminated, truncated, info = environment.last()
>>> seen["observation"].shape, int(seen["action_mask"].sum())
((96,), 6)

An agent sees its view as small numbers, and which actions are legal: what the numbers mean is in
the `observation.py` of each game, and `environment.unwrapped.split` tells them apart by name. The
deal and throws are drawn from the seed. Rewards come at the end, and are shares of the win moved to
have no sum: among n, (n × share - 1) / (n - 1), which is 1 for who wins and -1 / (n - 1) for who
loses.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import benben.games  # noqa: F401 - fills the registry
from benben.core import engine
from benben.core import environment as kernels
from benben.core.chance import RandomStream
from benben.core.environment import Environment, reward
from benben.core.errors import BadOption, BenbenError, IllegalMove, NotInstalled
from benben.core.kernel import Bytes, States
from benben.core.position import Position
from benben.core.random import generator
from benben.core.registry import game as find
from benben.core.rules import LEGAL, OVER

try:
    from gymnasium import logger, spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
except ModuleNotFoundError as error:
    raise NotInstalled("pettingzoo", "pettingzoo") from error

RENDER_MODES = ("ansi",)
ILLEGAL = -1.0  # the reward of who plays what is illegal


def env(
    game: str,
    *,
    players: int | None = None,
    render_mode: str | None = None,
    **options: str | int,
) -> "TerminatingEnv":
    """A game in which who plays what is illegal loses at once, as PettingZoo's own are played."""
    return TerminatingEnv(game, players=players, render_mode=render_mode, **options)


class raw_env(AECEnv, EzPickle):  # noqa: N801 - PettingZoo's name for it
    """A game in which what is illegal is refused by an error, and nothing changes.

    It checks for itself what PettingZoo's wrappers check: each of them takes longer than a move.
    """

    def __init__(
        self,
        game: str,
        *,
        players: int | None = None,
        render_mode: str | None = None,
        **options: str | int,
    ) -> None:
        EzPickle.__init__(self, game, players=players, render_mode=render_mode, **options)
        AECEnv.__init__(self)
        if render_mode is not None and render_mode not in RENDER_MODES:
            why = f"must be {', '.join(RENDER_MODES)} or None"
            raise BadOption("render_mode", render_mode, why)
        self._told = Environment(find(game, players=players, **options))
        self.render_mode = render_mode
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "name": f"benben_{game}_v0",
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self._told.game.players)]
        self.agents = self.possible_agents[:]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: self._sight() for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(len(self._told.codes)) for agent in self.possible_agents
        }
        self._buffer = np.empty(self._told.game.rules.MOST_MOVES, np.int64)
        self._a: States = self._told.blank.copy()
        self._begun = False
        self._random = generator(RandomStream.seeded(None).below(2**63))

    def _sight(self) -> spaces.Dict:
        most, actions = self._told.most, len(self._told.codes)
        return spaces.Dict(
            {
                "observation": spaces.Box(np.zeros_like(most), most, dtype=np.uint8),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal. With a seed all luck comes from it; without one, luck goes on as it was."""
        if seed is not None:
            self._random = generator(seed)
        self._a = self._told.blank.copy()
        self._begun = True
        turn = int(kernels.begin(self._a, self._told.game.numbers, self._random))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[turn]

    def step(self, action: int | None) -> None:
        self._check_begun()
        agent = self.agent_selection
        if not self.agents:
            logger.warn("The game is over for all: reset begins another.")
        elif self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
        else:
            self._play(action)

    def _check_begun(self) -> None:
        if not self._begun:
            raise BenbenError("reset deals the first game: call it before")

    def _play(self, action: int | None) -> None:
        """The move of whoever is to move."""
        agent = self.agent_selection
        turn = int(kernels.advance(self._a, self._code(action), self._random))
        if turn == OVER:
            self._finish()
            turn = (self._seats[agent] + 1) % len(self.possible_agents)
        self.agent_selection = self.possible_agents[turn]

    def _code(self, action: int | None) -> int:
        """The move of an action, if it is legal."""
        codes = self._told.codes
        if action is None or not 0 <= action < len(codes):
            raise BenbenError(f"there is no action {action}; they are 0 to {len(codes) - 1}")
        code = int(codes[action])
        if engine.refusal(self._a, code) != LEGAL:
            self.position.play(self._told.text(action))  # says why not
        return code

    def _finish(self) -> None:
        shares = np.zeros(len(self.possible_agents), np.float64)
        engine.settle(self._a, shares)
        for agent, share in zip(self.possible_agents, shares.tolist(), strict=True):
            self.rewards[agent] = reward(share, len(self.possible_agents))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        self._check_begun()
        seat = self._seats[agent]
        mask = np.zeros(len(self._told.codes), np.uint8)
        if agent == self.agent_selection:
            kernels.allow(self._a, self._told.actions, self._buffer, mask)
        told = self._told.observed(self._a, seat, seat)
        return {"observation": told, "action_mask": mask.view(np.int8)}

    def split(self, told: Bytes) -> dict[str, Bytes]:
        """An observation by the names of its fields."""
        return self._told.split(told)

    def move(self, action: int) -> str:
        """The text of an action."""
        return self._told.text(action)

    @property
    def position(self) -> Position:
        """The whole position, secrets included: not for agents."""
        self._check_begun()
        return Position(self._told.game, self._a.copy())

    def render(self) -> str | None:
        """What a spectator sees, as text."""
        if self.render_mode is None:
            logger.warn("There is nothing to render: no render mode was chosen.")
            return None
        return str(self.position.view(None))

    def close(self) -> None:
        return


class TerminatingEnv(raw_env):
    """A game that ends when somebody plays what is illegal: that agent has -1, the others 0."""

    def _play(self, action: int | None) -> None:
        try:
            super()._play(action)
        except IllegalMove as illegal:
            logger.warn(f"{self.agent_selection} loses at once: {illegal}")
            self.rewards[self.agent_selection] = ILLEGAL
            self.terminations = dict.fromkeys(self.agents, True)
            self.truncations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
