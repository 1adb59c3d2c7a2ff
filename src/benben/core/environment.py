"""A game as programs that learn play it: actions by number, views as small numbers.

All adapters and the batches of the lab are made of this. Whoever plays here does not see throws
happen: they are drawn by a generator, as the deal is, until a seat has to decide or the game is
over. A seat is told its view, never the position.
"""

from itertools import accumulate
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from benben.core.engine import MOST_DRAWS
from benben.core.game import Game
from benben.core.kernel import Bytes, Floats, Ints, State, States, kernel
from benben.core.random import Random, below, generator
from benben.core.registry import observation
from benben.core.rules import (
    CHANCE,
    LEGAL,
    OVER,
    bounds,
    deal,
    forbids,
    moves,
    observe,
    outcome,
    play,
    random_move,
    throw,
    to_move,
    view,
)

N = TypeVar("N", bound=np.generic)


class Environment:
    """What a game's actions and observations are; NoObservation if nobody has said how.

    >>> import benben
    >>> environment = Environment(benben.game("batisseurs"))
    >>> len(environment.codes), environment.size
    (23, 74)
    >>> environment.text(21)
    'roll'
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        told = observation(game.name)
        self.fields = tuple(told.fields(game.players))
        self.size = sum(field.size for field in self.fields)
        self.longest = told.longest(game.players)
        self.codes = np.array(told.actions(game.players), np.int64)  # by action
        self.actions = np.full(self.codes.max() + 1, -1, np.int64)  # by code
        self.actions[self.codes] = np.arange(len(self.codes))
        self.blank = game.blank()

    def text(self, action: int) -> str:
        """The move of an action."""
        return self.game.text(int(self.codes[action]))

    def action(self, move: str) -> int:
        """The action of a move that may be legal some time."""
        return int(self.actions[self.game.code(move)])

    def split(self, told: NDArray[N]) -> dict[str, NDArray[N]]:
        """An observation, or an array of some, by the names of its fields; nothing is copied."""
        ends = list(accumulate(field.size for field in self.fields))
        return {
            field.name: told[..., end - field.size : end].reshape(*told.shape[:-1], *field.shape)
            for field, end in zip(self.fields, ends, strict=True)
        }

    @property
    def most(self) -> Bytes:
        """The largest number there may be at each place of an observation."""
        return np.concatenate([np.full(f.size, f.most, np.uint8) for f in self.fields])

    def observed(self, a: States, seat: int, eyes: int) -> Bytes:
        """What one pair of eyes (-1: a spectator's) sees, told as from the side of a seat."""
        told = np.zeros(self.size, np.uint8)
        seen = self.blank.copy()
        look_at(a, seat, eyes, seen, told)
        return told


@kernel
def reward(share: float, players: int) -> float:
    """A share of the win, moved so that all have 0 together: 1 for a win among any number."""
    return (players * share - 1) / (players - 1)


def warm(game: Game) -> None:
    """Call each kernel of one game once, so that it is compiled."""
    environment, random = Environment(game), generator(0)
    a, mask = game.blank(), np.zeros(len(environment.codes), np.uint8)
    seat = begin(a, game.numbers, random)
    environment.observed(a, seat, seat)
    allow(a, environment.actions, np.empty(game.rules.MOST_MOVES, np.int64), mask)
    advance(a, int(environment.codes[mask.argmax()]), random)
    reward(1.0, game.players)


# ---- One game


@kernel(nogil=False)
def begin(a: States, options: Ints, random: Random) -> int:
    """Deal into a blank record; who is to move."""
    return _begin(a[0], options, random)


@kernel(nogil=False)
def advance(a: States, code: int, random: Random) -> int:
    """Make a legal move and what throws are due then; who is to move."""
    play(a[0], code, None)
    return _throws(a[0], random)


@kernel(nogil=False)
def look_at(a: States, seat: int, eyes: int, seen: States, told: Bytes) -> None:
    """Write what the eyes see into blank numbers, through a blank record."""
    view(a[0], eyes, seen[0])
    observe(seen[0], seat, told)


@kernel(nogil=False)
def allow(a: States, actions: Ints, buffer: Ints, mask: Bytes) -> None:
    """Mark the legal actions in a blank mask."""
    _allow(a[0], actions, buffer, mask)


# ---- Many at once


@kernel
def begin_all(records: States, blank: States, options: Ints, random: Random, seats: Ints) -> None:
    for i in range(len(records)):
        records[i] = blank[0]
        seats[i] = _begin(records[i], options, random[i])


@kernel
def first_illegal(records: States, codes: Ints, chosen: Ints) -> int:
    """The first game whose chosen action cannot be played; -1 if all can."""
    for i in range(len(records)):
        action = chosen[i]
        if action < 0 or action >= len(codes) or forbids(records[i], codes[action]) != LEGAL:
            return i
    return -1


@kernel
def step_all(
    records: States,
    blank: States,
    options: Ints,
    random: Random,
    codes: Ints,
    chosen: Ints,
    seats: Ints,
    rewards: Floats,
    done: Bytes,
) -> None:
    """Play in every game; one that ends is rewarded, and another is dealt in its place."""
    players = options[0]
    shares = np.zeros(players, np.float64)
    for i in range(len(records)):
        play(records[i], codes[chosen[i]], None)
        turn = _throws(records[i], random[i])
        done[i] = turn == OVER
        for seat in range(players):
            rewards[i, seat] = 0.0
        if turn == OVER:
            outcome(records[i], shares)
            for seat in range(players):
                rewards[i, seat] = reward(shares[seat], players)
            records[i] = blank[0]
            turn = _begin(records[i], options, random[i])
        seats[i] = turn


@kernel
def tell_all(
    records: States,
    blank: States,
    seats: Ints,
    actions: Ints,
    buffer: Ints,
    told: Bytes,
    masks: Bytes,
) -> None:
    """What the seat to move sees and may do, in every game."""
    seen = blank.copy()
    for i in range(len(records)):
        seen[0] = blank[0]
        view(records[i], seats[i], seen[0])
        _clear(told[i])
        observe(seen[0], seats[i], told[i])
        _clear(masks[i])
        _allow(records[i], actions, buffer, masks[i])


@kernel
def draw_all(records: States, actions: Ints, random: Random, chosen: Ints) -> None:
    """A legal action in every game, each equally likely."""
    for i in range(len(records)):
        chosen[i] = actions[random_move(records[i], random[i])]


# ---- Helpers


@kernel
def _begin(s: State, options: Ints, random: Random) -> int:
    size = np.empty(MOST_DRAWS, np.int64)
    draws = np.empty(MOST_DRAWS, np.int64)
    for i in range(bounds(s, options, size)):
        draws[i] = below(random, size[i])
    deal(s, options, draws)
    return _throws(s, random)


@kernel
def _throws(s: State, random: Random) -> int:
    turn = to_move(s)
    while turn == CHANCE:
        play(s, throw(s, random), None)
        turn = to_move(s)
    return turn


@kernel
def _allow(s: State, actions: Ints, buffer: Ints, mask: Bytes) -> None:
    for i in range(moves(s, buffer)):
        mask[actions[buffer[i]]] = 1


@kernel
def _clear(numbers: Bytes) -> None:
    for i in range(len(numbers)):
        numbers[i] = 0
