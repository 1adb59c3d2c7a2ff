"""The builder: plays Bâtisseurs at any level, for any number of players, at once.

At its best it plays by the solution, where there is one, or else by the race. A weaker builder
errs as people do. It is short-sighted: it looks at the blocks of this turn, or at its own pyramid,
and does not see the others. Its fear is not as large as the danger: it rolls once too often. And
its eye is blurred: what is nearly as good it cannot tell apart.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from benben.bots.batisseurs.race import race
from benben.bots.batisseurs.turns import Kinds, Turns, model, sizes_of
from benben.bots.batisseurs.worths import boards_of, move_worths
from benben.bots.blur import choose
from benben.bots.exact import ready
from benben.core.game import Game
from benben.core.kernel import Floats, States
from benben.core.player import Cancelled, Player, Thought, Turn, Worth
from benben.core.random import generator
from benben.games.batisseurs.rules import MOST_MOVES

ERROR = 0.01  # by so much shares of the race are off, at most, on average
_TRIUMPH = 10.0  # blocks, or turns: nobody overlooks the last block


@dataclass(frozen=True)
class Eye:
    """How a builder sees a turn.

    `aim` is what it wants: `blocks` of this turn, few `turns` until the own pyramid is finished, or
    to `win`. `blur` is how much better, in that measure, a move must be to be preferred 2.7 times
    as often as another. `fear` is how likely a bust is thought to be: 1 as it is, 0.5 half so.
    """

    aim: Literal["blocks", "turns", "win"]
    blur: float = 0.0
    fear: float = 1.0


BEST = Eye("win")

# The eyes of levels 1 to 6, by `placing`: where there is more to choose from, blur does more harm.
# Neighbours are measured for two players; docs/bots/batisseurs.md has the figures.
EYES: Mapping[str, tuple[Eye, ...]] = {
    "all": (
        Eye("blocks", blur=1.2, fear=0.28),
        Eye("blocks", blur=0.8, fear=0.44),
        Eye("blocks", blur=0.5, fear=0.6),
        Eye("turns", blur=0.34, fear=0.9),
        Eye("turns", blur=0.19),
        BEST,
    ),
    "free": (
        Eye("blocks", blur=0.9, fear=0.35),
        Eye("blocks", blur=0.58, fear=0.46),
        Eye("blocks", blur=0.36, fear=0.6),
        Eye("turns", blur=0.2, fear=0.9),
        Eye("turns", blur=0.12),
        BEST,
    ),
}


def batisseurs_player(game: Game, level: int) -> "BuilderPlayer":
    """Who plays Bâtisseurs at this level, from 1 to 6; it takes no notice of budgets.

    >>> import benben
    >>> batisseurs_player(benben.game("batisseurs"), 5).eye
    Eye(aim='turns', blur=0.19, fear=1.0)
    """
    return BuilderPlayer(EYES[str(game.options["placing"])][level - 1])


class BuilderPlayer(Player):
    """Chooses by its eye. What moves are worth it tells as well as is known."""

    name = "builder"

    def __init__(self, eye: Eye = BEST) -> None:
        self.eye = eye

    def think(self, turn: Turn) -> Thought:
        def check() -> None:
            if turn.checkpoint():
                raise Cancelled

        check()
        game, record = turn.view.game, turn.view.record
        race(game, check)  # the first time, this takes a moment
        shares, error = known_worths(game, record)
        seen = shares if self.eye.aim == "win" else self._look(game, record)
        worths = tuple(
            Worth(move, min(max(share, 0.0), 1.0), error, "estimated" if error else "exact")
            for move, share in zip(turn.moves, shares.tolist(), strict=True)
        )
        chosen = choose(seen.tolist(), self.eye.blur, generator(turn.seed))
        return Thought(turn.moves[chosen], worths)

    def _look(self, game: Game, record: States) -> Floats:
        """What moves seem to be worth to who does not look at the others."""
        kinds, turns = model(game)
        if self.eye.aim == "blocks":
            stops = sizes_of(kinds).astype(np.float64)
        else:
            stops = -race(game).turns_left
        stops[-1] += _TRIUMPH
        return worths_by(stops, self.eye.fear, record, kinds, turns)


def known_worths(game: Game, record: States) -> tuple[Floats, float]:
    """The chance to win after each legal move, and its error: 0 where the game is solved."""
    found = ready(game)
    if found is not None:
        return found.worths(record), 0.0
    return race_worths(game, record), ERROR


def race_worths(game: Game, record: States) -> Floats:
    """The chance to win after each legal move, by the race."""
    kinds, turns = model(game)
    stops = race(game).stops(boards_of(record, kinds)[1:])
    return worths_by(stops, 1.0, record, kinds, turns)


def worths_by(stops: Floats, fear: float, record: States, kinds: Kinds, turns: Turns) -> Floats:
    """What each legal move is worth if stopping is worth so much."""
    out = np.empty(MOST_MOVES)
    bust = stops[boards_of(record, kinds)[0]]
    return out[: move_worths(record, bust, fear, stops, kinds, turns, out)]
