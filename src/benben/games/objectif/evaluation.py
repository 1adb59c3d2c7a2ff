"""Objectif for bots: what is seen at a glance, and what a net is told of a position.

At a glance: the places of the own colour. Which other colours are wanted is a secret, so all count
alike, and only the own one matters.

A net is told more, and supposes that all goals are known: whoever does not know them asks about
every case. Colours are named by their *role* for a seat, not by their paint: its own goal, the
goals of the seats after it, the colours nobody wants.
"""

import math

import numpy as np

from benben.core.kernel import Ints, State, kernel
from benben.games.objectif.rules import CASES, COLOURS, PIECES_EACH, height_of, held, shown

_PLACE = 0.5  # what a place more is worth
_PILE = 0.1  # what a pile more is worth beside it: piles break ties


@kernel
def evaluate(s: State, seat: int) -> float:
    """Everybody begins with four places."""
    lead = -1.0 * CASES
    for place in range(s.places):
        if shown(s, place) == s.goal[seat]:
            lead += 1 + _PILE if height_of(s, place) > 0 else 1
    return 1 / (1 + math.exp(-_PLACE * lead) * (s.players - 1))


# ---- Features

_ROLES = len(COLOURS) + 1  # 0 is no colour at all: below a Case
_SEATS = 4
_LONGEST = PIECES_EACH * len(COLOURS)  # turns of a game for four
_STOCKS = 2 * _ROLES**3  # features of places come before it
_TEMPI = _STOCKS + _SEATS * len(COLOURS) * (PIECES_EACH + 1)

FEATURES = _TEMPI + _SEATS * (_LONGEST + 1)
MOST_FEATURES = CASES * len(COLOURS) + _SEATS * len(COLOURS) + 1


@kernel
def features(s: State, seat: int, out: Ints) -> int:
    """One for each place, one for each colour of each stock, one for the time and who is to move.

    A feature is listed as often as it is there. All goals must be known.
    """
    role = np.empty(_ROLES, np.int64)
    find_roles(s, seat, s.goal, role)
    return list_features(s, seat, role, out)


@kernel
def list_features(s: State, seat: int, role: Ints, out: Ints) -> int:
    """The features, if each colour has such a role."""
    n = 0
    for place in range(s.places):
        out[n] = place_feature(s.pile[place], role)
        n += 1
    for turns in range(s.players):
        stock = s.stock[(seat + turns) % s.players]
        for colour in range(1, _ROLES):
            if role[colour] > 0:
                out[n] = stock_feature(turns, role[colour], held(stock, colour))
                n += 1
    out[n] = tempo_feature(s.left, (s.turn - seat) % s.players)
    return n + 1


@kernel
def find_roles(s: State, seat: int, goal: Ints, role: Ints) -> None:
    """What each colour is to a seat, if those are the goals; 0 for a colour not in the game."""
    for colour in range(_ROLES):
        role[colour] = 0
    for turns in range(s.players):
        role[goal[(seat + turns) % s.players]] = 1 + turns
    unwanted = s.players
    for colour in range(1, _ROLES):
        if s.colours >> colour & 1 and role[colour] == 0:
            unwanted += 1
            role[colour] = unwanted


@kernel
def place_feature(pile: int, role: Ints) -> int:
    """The topmost three levels, and whether there are more."""
    top, below, third = role[pile & 7], role[pile >> 3 & 7], role[pile >> 6 & 7]
    more = 1 if pile >> 9 != 0 else 0
    return 2 * (_ROLES * (_ROLES * top + below) + third) + more


@kernel
def stock_feature(turns: int, role: int, pieces: int) -> int:
    """How many Pièces of a role the seat has that moves so many turns after one's own."""
    return _STOCKS + (PIECES_EACH + 1) * (len(COLOURS) * turns + role - 1) + pieces


@kernel
def tempo_feature(left: int, turns: int) -> int:
    """How many Pièces are left to all, and how many turns after one's own the one to move is."""
    return _TEMPI + _SEATS * left + turns
