"""Objectif, for 2 to 4 players: make the colour only you know the most frequent one.

Source: an untitled French sheet (66 pyramids: Objectifs, Cases and Pièces); the title is ours.
Rulings are numbered as in the rulebook beside this file.
Left out: where the Cases lie on the table. They have no neighbours (Ruling 2), so places are only
numbered, and a picture may arrange them as it likes.
"""

import numpy as np

from benben.core.bits import pick
from benben.core.kernel import Floats, Ints, Log, State, copy_all, kernel, record
from benben.core.random import Random, below
from benben.core.rules import (
    LEGAL,
    OPTION,
    OVER,
    PLAYERS,
    first_bound,
    first_seat,
    next_seat,
    note,
    shuffle,
    shuffle_bounds,
)

# ---- Data

VERSION = 1
COLOURS = "ogbpyv"  # orange, green, blue, pink, and our yellow and violet (Ruling 5); 1 to 6 below
CASES, PIECES_EACH = 4, 6  # of each colour
MOST_PLACES, MOST_MOVES = 24, 144
RANDOM, FAIR = 0, 1

STATE = record(
    ("players", np.int64),
    ("mode", np.int64),
    ("places", np.int64),  # how many
    ("colours", np.int64),  # those in the game, as a set of bits
    ("turn", np.int64),
    ("left", np.int64),  # Pièces still to be played, by all together
    ("goal", np.int16, 4),  # each seat's colour; 0: no such seat, or not to be seen
    ("stock", np.int64, 4),  # each seat's Pièces: six counts of 4 bits
    # A place, from what it shows downwards to its Case, 3 bits each: 21 levels here …
    ("pile", np.int64, MOST_PLACES),
    ("deep", np.int64, MOST_PLACES),  # … and those below, as piles have no height limit
)

# Places of the drawing: "1" to "24", then the stocks.
PLACES = (*(str(n + 1) for n in range(MOST_PLACES)), *(f"stock:{n + 1}" for n in range(4)))
PIECES = "?OGBPYVogbpyv"  # Pièces 1 to 6; Cases follow
EFFECTS = ("cover", "cancel")
COVER, CANCEL = 0, 1
REASONS = ("most-places", "most-piles", "tallest-pile", "shared")
REFUSALS = (
    ("", ""),
    ("game-over", "every piece has been played"),
    ("no-such-place", "there is no place {place} in this game"),
    ("not-in-stock", "seat {seat} has no {colour} piece left"),
    ("case-colour", "place {place} is a bare base of that colour, and refuses it"),
)
_GAME_OVER, _NO_PLACE, _NOT_IN_STOCK, _CASE_COLOUR = 1, 2, 3, 4


# ---- Set-up


@kernel
def bounds(s: State, options: Ints, out: Ints) -> int:
    """Shuffles of the colours, the Objectifs, the Cases and the bag, then the first player."""
    colours = options[PLAYERS] + 2
    n = shuffle_bounds(len(COLOURS), out, 0)
    n = shuffle_bounds(colours, out, n)
    n = shuffle_bounds(CASES * colours, out, n)
    if options[OPTION] == RANDOM:
        n = shuffle_bounds(PIECES_EACH * colours, out, n)
    return first_bound(options, out, n)


@kernel
def deal(s: State, options: Ints, draws: Ints) -> None:
    players = options[PLAYERS]
    colours = players + 2
    s.players, s.mode = players, options[OPTION]
    s.places, s.left = CASES * colours, PIECES_EACH * colours

    # Ruling 1: which colours stay in the box is drawn.
    box = np.arange(1, len(COLOURS) + 1)
    n = shuffle(box, len(COLOURS), draws, 0)
    for colour in box[:colours]:
        s.colours |= 1 << colour
    goals = box[:colours].copy()
    n = shuffle(goals, colours, draws, n)
    for seat in range(players):
        s.goal[seat] = goals[seat]

    table = np.repeat(box[:colours], CASES)
    n = shuffle(table, len(table), draws, n)
    for place in range(s.places):
        s.pile[place] = table[place]

    bag = np.repeat(box[:colours], PIECES_EACH)
    if s.mode == RANDOM:
        n = shuffle(bag, len(bag), draws, n)
        share = len(bag) // players
        for i in range(len(bag)):
            _give(s, i // share, bag[i], 1)
    else:
        for seat in range(players):
            for colour in box[:colours]:
                _give(s, seat, colour, PIECES_EACH // players)

    s.turn = first_seat(options, draws, n)


# ---- Legal moves: colour by colour in the order of COLOURS, place by place


@kernel
def to_move(s: State) -> int:
    return s.turn if s.left > 0 else OVER


@kernel
def moves(s: State, out: Ints) -> int:
    n = 0
    for colour in range(1, len(COLOURS) + 1):
        if held(s.stock[s.turn], colour) > 0:
            for place in range(s.places):
                if not _is_case_of(s, place, colour):
                    out[n] = move_of(colour, place)
                    n += 1
    return n


@kernel
def random_move(s: State, random: Random) -> int:
    """Any colour on any place until that is legal: nearly all are, and all are equally likely."""
    while True:
        colour = 1 + below(random, len(COLOURS))
        if held(s.stock[s.turn], colour) > 0:
            place = below(random, s.places)
            if not _is_case_of(s, place, colour):
                return move_of(colour, place)


@kernel
def forbids(s: State, move: int) -> int:
    if s.left == 0:
        return _GAME_OVER
    if _place(move) >= s.places:
        return _NO_PLACE
    if held(s.stock[s.turn], _colour(move)) == 0:
        return _NOT_IN_STOCK
    if _is_case_of(s, _place(move), _colour(move)):
        return _CASE_COLOUR
    return LEGAL


# ---- Play


@kernel
def play(s: State, move: int, log: Log) -> None:
    colour, place = _colour(move), _place(move)
    stock = MOST_PLACES + s.turn
    _give(s, s.turn, colour, -1)
    if shown(s, place) == colour:
        _uncover(s, place)
        note(log, CANCEL, stock, -1, colour, s.turn)
        note(log, CANCEL, place, -1, colour, -1)
    else:
        _cover(s, place, colour)
        note(log, COVER, stock, place, colour, s.turn)
    s.left -= 1
    s.turn = next_seat(s)


# ---- Result


@kernel
def outcome(s: State, shares: Floats) -> int:
    """Most places of the own colour; then, among the tied, most piles; then the tallest pile."""
    merits = np.zeros((3, 4), np.int64)
    for seat in range(s.players):
        for place in range(s.places):
            if shown(s, place) == s.goal[seat]:
                height = height_of(s, place)
                merits[0, seat] += 1
                merits[1, seat] += height > 0
                merits[2, seat] = max(merits[2, seat], height)  # Ruling 3
    tied = np.ones(4, np.int64)
    tied[s.players :] = 0
    reason = 3  # Ruling 4: still tied, the win is shared
    for merit in range(3):
        best = 0
        for seat in range(s.players):
            if tied[seat]:
                best = max(best, merits[merit, seat])
        for seat in range(s.players):
            if merits[merit, seat] < best:
                tied[seat] = 0
        if tied.sum() == 1:
            reason = merit
            break
    winners = tied.sum()
    for seat in range(s.players):
        shares[seat] = tied[seat] / winners
    return reason


# ---- View


@kernel
def view(s: State, seat: int, v: State) -> None:
    """All but the others' Objectifs, which are shown when every Pièce has been played."""
    v.players, v.mode, v.places, v.colours = s.players, s.mode, s.places, s.colours
    v.turn, v.left = s.turn, s.left
    copy_all(s.stock, v.stock)
    copy_all(s.pile, v.pile)
    copy_all(s.deep, v.deep)
    for other in range(s.players):
        if other == seat or s.left == 0:
            v.goal[other] = s.goal[other]


@kernel
def imagine(s: State, random: Random) -> None:
    """Unseen Objectifs: colours of the game that no seat is known to have, all different."""
    free = s.colours
    for seat in range(s.players):
        free &= ~(1 << s.goal[seat])
    for seat in range(s.players):
        if s.goal[seat] == 0:
            colour = pick(free, random)
            s.goal[seat] = colour
            free ^= 1 << colour


# ---- Helpers


@kernel
def _give(s: State, seat: int, colour: int, pieces: int) -> None:
    s.stock[seat] += pieces << 4 * (colour - 1)


@kernel
def held(stock: int, colour: int) -> int:
    return stock >> 4 * (colour - 1) & 15


@kernel
def _is_case_of(s: State, place: int, colour: int) -> bool:
    """A bare Case of this colour: nothing lies beneath what it shows."""
    return bool(s.pile[place] == colour)


@kernel
def move_of(colour: int, place: int) -> int:
    return (colour - 1) * MOST_PLACES + place


@kernel
def _place(move: int) -> int:
    return move % MOST_PLACES


@kernel
def _colour(move: int) -> int:
    return move // MOST_PLACES + 1


@kernel
def shown(s: State, place: int) -> int:
    return s.pile[place] & 7


_LEVELS = 21  # of 3 bits in one word
_ALL_BUT_ONE = (1 << 3 * (_LEVELS - 1)) - 1


@kernel
def _uncover(s: State, place: int) -> None:
    s.pile[place] = s.pile[place] >> 3 | (s.deep[place] & 7) << 3 * (_LEVELS - 1)
    s.deep[place] >>= 3


@kernel
def _cover(s: State, place: int, colour: int) -> None:
    s.deep[place] = s.deep[place] << 3 | s.pile[place] >> 3 * (_LEVELS - 1)
    s.pile[place] = (s.pile[place] & _ALL_BUT_ONE) << 3 | colour


@kernel
def height_of(s: State, place: int) -> int:
    """Pièces on the Case."""
    height = -1
    for word in (s.pile[place], s.deep[place]):
        while word:
            word >>= 3
            height += 1
    return height
