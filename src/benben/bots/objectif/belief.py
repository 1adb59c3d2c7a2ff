"""Who may have which goal, by how everybody has moved.

A *world* is a way in which the seats may have goals: 12 of them for two players, 60 for three, 360
for four; 3, 12 and 60 are left for a seat that knows its own. All are listed and weighed.

What a move tells is worked out by a model of how people move: the better a move is for somebody
with that goal, the likelier it is made; some are made for no reason at all. There are several
*kinds* of movers, and which kind a seat is shows in its moves too: the sloppy and the keen, who go
by the net's first glance, and have read the others' moves or are blind to them; the wary, who also
mind what a move would tell about them; the plain, who want to see their colour on the table; the
aimless, who move at random; and those who look ahead, whose moves are found by looking ahead in
their place.

A seat is supposed to move by its own goal and by what everybody knows, so that the chance of all
moves is a product over seats. The *evidence* kept of a game is the logarithm of that chance for
each kind, seat and colour.
"""

import math
from typing import NamedTuple

import numpy as np

from benben.bots.objectif.net import (
    Net,
    Scratch,
    add_shares_after,
    scratch,
    take_back,
)
from benben.core.kernel import Floats, Ints, State, States, kernel
from benben.core.random import Random, below
from benben.games.objectif.rules import (
    COLOURS,
    MOST_MOVES,
    MOST_PLACES,
    PIECES_EACH,
    moves,
    play,
    shown,
)

MOST_WORLDS = 360
ALL = len(COLOURS) + 1  # colours are numbered from 1
ENOUGH = 6  # worlds to try a move in, if there are more
_SOME = 1 << 30
_UNLIKELY = 0.01  # a world not worth trying a move in
_SURE = 0.001  # the net is never surer than that of the end of a game
_RULED_OUT = -1e9  # a logarithm
_ONCE_IN_A_WHILE = 0.3  # visits, of a move that a search never went for
UNSEEN = np.empty((2, ALL, 0))  # what searches found, if there were none


class Model(NamedTuple):
    """How people move.

    A row for each kind: its warmth at the end of a game and, in addition, at its start (both as
    logarithms), the share of its moves made for no reason, and its manner. `trust` is how much of
    what a move tells is new: one plan makes many moves.
    """

    kinds: Floats
    trust: float


BARE, WARY, PLAIN, BLIND, AIMLESS, AHEAD, AHEAD_WARY = range(7)  # manners

# Fitted to games of many kinds of bots by `python -m bench.calibration --fit`; but the blind
# are not: they are as warm as the bare. Nor are those who look ahead, who go by the logarithm of
# visits: one in proportion to them, one more sharply. The aimless have nothing to fit.
MODEL = Model(
    np.array(
        [
            [-0.7, -1.4, 0.02, BARE],
            [-1.9, 1.5, 0.02, BARE],
            [-1.7, 2.8, 0.02, WARY],
            [-1.5, -0.7, 0.05, PLAIN],
            [-0.7, -1.4, 0.02, BLIND],
            [-1.9, 1.5, 0.02, BLIND],
            [0.0, 0.0, 1.0, AIMLESS],
            [0.0, 0.0, 0.03, AHEAD],
            [-0.4, 0.0, 0.03, AHEAD],
            [0.0, 0.0, 0.03, AHEAD_WARY],
            [-0.4, 0.0, 0.03, AHEAD_WARY],
        ]
    ),
    0.55,
)
KINDS = len(MODEL.kinds)


# ---- Moves that differ


@kernel
def distinct_moves(s: State, listed: Ints, out: Ints, alike: Ints) -> int:
    """The legal moves, but only one of those on places that are alike; how many each stands for."""
    first = np.empty(MOST_PLACES, np.int64)
    places = np.zeros(MOST_PLACES, np.int64)
    for place in range(s.places):
        first[place] = first_alike(s, place)
        places[first[place]] += 1
    n = 0
    for i in range(moves(s, listed)):
        place = listed[i] % MOST_PLACES
        if first[place] == place:
            out[n] = listed[i]
            alike[n] = places[place]
            n += 1
    return n


@kernel
def first_alike(s: State, place: int) -> int:
    """The first place with the same pile: no rule tells them apart."""
    for other in range(place):
        if s.pile[other] == s.pile[place] and s.deep[other] == s.deep[place]:
            return other
    return place


@kernel
def first_like(s: State, move: int) -> int:
    """The move that stands for this one."""
    place = move % MOST_PLACES
    return move - place + first_alike(s, place)


@kernel(nogil=False)
def kind_of(a: States, move: int) -> int:
    return first_like(a[0], move)


# ---- Worlds


@kernel
def list_worlds(a: States) -> Ints:
    """Every world, one a row: a colour for each seat, 0 where there is none."""
    s = a[0]
    worlds = np.zeros((MOST_WORLDS + 1, 4), np.int64)  # the last one is to try in
    n = 0
    for number in range(len(COLOURS) ** s.players):
        rest, taken = number, 0
        for seat in range(s.players - 1, -1, -1):
            colour = 1 + rest % len(COLOURS)
            rest //= len(COLOURS)
            worlds[n, seat] = colour
            if s.colours >> colour & 1 and not taken >> colour & 1:
                taken |= 1 << colour
            else:
                taken = -1
                break
        if taken > 0:
            n += 1
    return worlds[:n]


@kernel
def no_evidence(ahead: bool) -> Floats:
    """Before any move. At a glance, nobody is supposed to look ahead or to move at random."""
    evidence = np.zeros((KINDS, 4, ALL))
    if not ahead:
        for kind in range(KINDS):
            if MODEL.kinds[kind, 3] >= AIMLESS:
                evidence[kind] = _RULED_OUT
    return evidence


@kernel
def weigh(worlds: Ints, evidence: Floats, out: Floats) -> None:
    """How likely each world is; `evidence[kind, seat, colour]` are logarithms."""
    highest = -np.inf
    for i in range(len(worlds)):
        out[i] = 0.0
        for seat in range(4):
            out[i] += of_all_kinds(evidence, seat, worlds[i, seat])
        highest = max(highest, out[i])
    total = 0.0
    for i in range(len(worlds)):
        out[i] = math.exp(out[i] - highest)
        total += out[i]
    for i in range(len(worlds)):
        out[i] /= total


@kernel
def of_all_kinds(evidence: Floats, seat: int, colour: int) -> float:
    """The evidence that a seat has a colour, if it may be of any kind."""
    highest = evidence[:, seat, colour].max()
    total = 0.0
    for kind in range(KINDS):
        total += math.exp(evidence[kind, seat, colour] - highest)
    return highest + math.log(total / KINDS)


@kernel
def at_random(known: Floats, evidence: Floats, out: Floats) -> None:
    """How likely each seat is to be aimless; `known[seat, colour]` is how likely its goal is."""
    for seat in range(4):
        out[seat] = 0.0
        for kind in range(KINDS):
            if MODEL.kinds[kind, 3] == AIMLESS:
                for colour in range(ALL):
                    whole = of_all_kinds(evidence, seat, colour)
                    chance = math.exp(evidence[kind, seat, colour] - whole) / KINDS
                    out[seat] += known[seat, colour] * chance


@kernel
def marginals(worlds: Ints, weights: Floats, out: Floats) -> None:
    """How likely it is that a seat has a colour, in `out[seat, colour]`."""
    for seat in range(4):
        for colour in range(ALL):
            out[seat, colour] = 0.0
        for i in range(len(worlds)):
            out[seat, worlds[i, seat]] += weights[i]


@kernel
def draw(random: Random) -> float:
    """From 0 to 1."""
    return below(random, _SOME) / _SOME


# ---- What moves are worth, and what they tell


@kernel(counted=False)
def expect(
    s: State,
    colour: int,
    worlds: Ints,
    weights: Floats,
    known: Floats,
    told: Floats,
    net: Net,
    listed: Ints,
    n: int,
    most: int,
    random: Random,
    scratch: Scratch,
    out: Floats,
) -> None:
    """What the seat in turn expects after each move, if that is its goal and it knows no other's.

    In every world, or in some drawn by their weights if there are more than `most`; but the last
    move of all is tried in all of them.
    """
    seat = s.turn
    for i in range(n):
        out[i] = 0.0
    total, cases = 0.0, 0
    for i in range(len(worlds)):
        if worlds[i, seat] == colour:
            total += weights[i]
            cases += 1
    if cases <= most or total <= 0 or s.left == 1:
        for i in range(len(worlds)):
            if worlds[i, seat] == colour:
                weight = weights[i] / total if total > 0 else 1 / cases
                if weight > _UNLIKELY or s.left == 1:
                    add_shares_after(
                        s, worlds[i], known, told, net, listed, n, weight, scratch, out
                    )
        return
    for _ in range(most):
        drawn = draw(random) * total
        chosen = -1
        for i in range(len(worlds)):
            if worlds[i, seat] == colour:
                chosen = i
                drawn -= weights[i]
                if drawn <= 0:
                    break
        add_shares_after(s, worlds[chosen], known, told, net, listed, n, 1 / most, scratch, out)


class Glance(NamedTuple):
    """What the moves of a position look like, for each goal the seat in turn may have.

    Rows are colours, columns the moves that differ. `told` is what a spectator would believe of
    that goal after the move; `bare` is the share a seat would expect that does not mind, `wary`
    that of one that does, `blind` that of one that has read nobody's moves; `plain` is how many
    places of the colour the move adds; `ahead` is how often searches went for it, one that minds
    what a glance tells and one that minds what the first one would tell, and has no columns if
    there were none.
    """

    listed: Ints
    alike: Ints
    bare: Floats
    wary: Floats
    blind: Floats
    told: Floats
    plain: Floats
    ahead: Floats


@kernel
def glance(
    a: States,
    worlds: Ints,
    evidence: Floats,
    net: Net,
    model: Model,
    rounds: int,
    ahead: Floats,
) -> Glance:
    """Look at every move once. `a` is as it was afterwards, but for goals that are not seen.

    The wary mind what moves tell if nobody is wary; in a second round, if some are; and so on.
    """
    # Given the array, as a record alone does not keep Numba from freeing the caller's array.
    s = a[0]
    listed = np.empty(MOST_MOVES, np.int64)
    every = np.empty(MOST_MOVES, np.int64)
    alike = np.empty(MOST_MOVES, np.int64)
    n = distinct_moves(s, every, listed, alike)
    seen = Glance(
        listed[:n],
        alike[:n],
        np.zeros((ALL, n)),
        np.zeros((ALL, n)),
        np.zeros((ALL, n)),
        np.zeros((ALL, n)),
        np.zeros((ALL, n)),
        ahead,
    )
    _count_places(s, seen)
    weights, known = np.empty(len(worlds)), np.empty((4, ALL))
    weigh(worlds, evidence, weights)
    marginals(worlds, weights, known)
    work, untold = scratch(), np.empty((ALL, 0))
    random = np.array([np.uint64(88172645463325253)])  # the same draws for everybody who looks
    for colour in range(1, ALL):
        if s.colours >> colour & 1:
            expect(
                s, colour, worlds, weights, known, untold, net, listed, n, ENOUGH, random, work,
                seen.bare[colour],
            )  # fmt: skip
    even, unknown = np.full(len(worlds), 1 / len(worlds)), np.empty((4, ALL))
    marginals(worlds, even, unknown)
    for colour in range(1, ALL):
        if s.colours >> colour & 1:
            expect(
                s, colour, worlds, even, unknown, untold, net, listed, n, ENOUGH, random, work,
                seen.blind[colour],
            )  # fmt: skip
    for i in range(rounds):
        _tell(s, known, evidence, model, i > 0, seen)
        for colour in range(1, ALL):
            if s.colours >> colour & 1:
                expect(
                    s, colour, worlds, weights, known, seen.told, net, listed, n, ENOUGH, random,
                    work, seen.wary[colour],
                )  # fmt: skip
    return seen


@kernel
def _count_places(s: State, seen: Glance) -> None:
    seat, stock = s.turn, s.stock[s.turn]
    for i in range(len(seen.listed)):
        place = seen.listed[i] % MOST_PLACES
        pile, deep = s.pile[place], s.deep[place]
        seen.plain[shown(s, place), i] -= 1
        play(s, seen.listed[i], None)
        seen.plain[shown(s, place), i] += 1
        take_back(s, seat, place, pile, deep, stock)


@kernel
def _tell(
    s: State, known: Floats, evidence: Floats, model: Model, some_wary: bool, seen: Glance
) -> None:
    """What a spectator would believe after each move, by what the moves are worth."""
    n = len(seen.listed)
    chances = np.empty(n)
    seen.told[:] = 0
    for colour in range(1, ALL):
        if s.colours >> colour & 1:
            whole = of_all_kinds(evidence, s.turn, colour)
            for kind in range(KINDS):
                _chances(s, seen, colour, model.kinds[kind], some_wary, chances)
                share = math.exp(evidence[kind, s.turn, colour] - whole)
                for i in range(n):
                    seen.told[colour, i] += (
                        known[s.turn, colour] * share * chances[i] ** model.trust
                    )
    for i in range(n):
        total = seen.told[:, i].sum()
        for colour in range(1, ALL):
            seen.told[colour, i] /= total


@kernel
def observe(
    a: States, move: int, worlds: Ints, evidence: Floats, net: Net, model: Model, ahead: Floats
) -> None:
    """Add to the evidence what a move tells about the seat that makes it, and make it.

    `ahead` is what a search found, as a `Glance` has it.
    """
    s = a[0]
    seen = glance(a, worlds, evidence, net, model, 1, ahead)
    chances = np.empty(len(seen.listed))
    like = first_like(s, move)
    for colour in range(1, ALL):
        if s.colours >> colour & 1:
            for kind in range(KINDS):
                _chances(s, seen, colour, model.kinds[kind], True, chances)
                for i in range(len(chances)):
                    if seen.listed[i] == like:
                        evidence[kind, s.turn, colour] += model.trust * math.log(chances[i])
    play(s, move, None)


@kernel
def _chances(
    s: State, seen: Glance, colour: int, kind: Floats, some_wary: bool, out: Floats
) -> None:
    """How likely each move is, if the seat in turn has that goal and is of that kind."""
    n = len(seen.listed)
    warmth = math.exp(kind[0] + kind[1] * s.left / (PIECES_EACH * (s.players + 2)))
    shares = seen.bare[colour]
    if kind[3] == BLIND:
        shares = seen.blind[colour]
    elif kind[3] == WARY and some_wary:
        shares = seen.wary[colour]
    highest = -np.inf
    for i in range(n):
        if kind[3] == PLAIN:
            out[i] = seen.plain[colour, i] / warmth
        elif kind[3] >= AHEAD:
            visits = 0.0  # without a search nothing is known of who goes by one
            if seen.ahead.shape[2] > 0:
                visits = seen.ahead[int(kind[3]) - AHEAD, colour, i]
            out[i] = math.log(visits + _ONCE_IN_A_WHILE) / warmth
        else:
            share = min(1 - _SURE, max(_SURE, shares[i]))
            out[i] = math.log(share / (1 - share)) / warmth
        highest = max(highest, out[i])
    total, places = 0.0, 0
    for i in range(n):
        out[i] = math.exp(out[i] - highest)
        total += out[i]
        places += seen.alike[i]
    for i in range(n):
        out[i] = (1 - kind[2]) * out[i] / total + kind[2] * seen.alike[i] / places
