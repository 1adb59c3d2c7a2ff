"""The functions every game's `rules.py` defines over its record, as the generic kernels see them.

A record is passed as `s`; a move or a throw is a number, whose text `texts()` in the game's
`notation.py` gives (see `core/notation.py`).
`options` is (players, first seat or 0 if drawn, index of the game's own option).
"""

from benben.core.kernel import Bytes, Floats, Ints, Log, State, generic, kernel
from benben.core.random import Random

CHANCE = -1  # to_move: a throw is due
OVER = -2  # to_move: the game is over

PLAYERS, FIRST, OPTION = 0, 1, 2  # the fields of `options`

MOST_SEATS = 4  # of any game: arrays in kernels have as many places

LEGAL = 0  # forbids: no rule does


@generic
def bounds(s: State, options: Ints, out: Ints) -> int:
    """What a deal draws: each integer's bound, in order; how many there are."""


@generic
def deal(s: State, options: Ints, draws: Ints) -> None:
    """Set up a blank record from integers drawn below those bounds."""


@generic
def to_move(s: State) -> int:
    """A seat, CHANCE or OVER."""


@generic
def moves(s: State, out: Ints) -> int:
    """The legal moves in the game's order; how many there are (0 unless a seat is to move)."""


@generic
def random_move(s: State, random: Random) -> int:
    """One of those moves, each equally likely, without listing them all."""


@generic
def forbids(s: State, move: int) -> int:
    """LEGAL, or the index in REFUSALS of the rule that forbids this move or throw."""


@generic
def chance(s: State, out: Ints, weights: Ints) -> int:
    """The throws that may come, with whole weights; how many there are. No dice, no throws."""
    return 0


@generic
def throw(s: State, random: Random) -> int:
    """One of those throws, drawn by its weight."""
    return -1


@generic
def play(s: State, move: int, log: Log) -> None:
    """Make a legal move or throw. With a log, note every step of it (see `note`)."""


@generic
def outcome(s: State, shares: Floats) -> int:
    """The shares of a finished game; the index in REASONS of what decided it."""


@generic
def view(s: State, seat: int, v: State) -> None:
    """Copy what the seat (-1: a spectator) may know into a blank record, field by named field."""


@generic
def imagine(s: State, random: Random) -> None:
    """Fill in what a view hides, every possibility equally likely. Nothing hidden, nothing done.

    What can be played must not depend on it: a view lists the legal moves.
    """


@generic
def evaluate(s: State, seat: int) -> float:
    """A seat's expected share at a glance, from 0 to 1, before or after any move, in its view.

    A game may have it in a module `evaluation` beside its rules. No rule needs it; bots do.
    """
    return 0.5


@generic
def key(s: State) -> int:
    """A hash of 64 bits of all that matters for play: who is to move too; quiet moves only late.

    Beside `evaluate`, for bots that meet a position again.
    """
    return 0


@generic
def features(s: State, seat: int, out: Ints) -> int:
    """The numbers of the features present, as the seat sees the game from its side; how many.

    Beside `evaluate`, for bots that have learnt what features are worth. `evaluation.FEATURES` is
    how many features there are, `evaluation.MOST_FEATURES` how many may be present at once.
    """
    return 0


@generic
def order(s: State, move: int) -> int:
    """How promising a legal move looks before it is searched: higher is tried sooner.

    Beside `evaluate`, for bots that search. It changes how fast they find something, not what.
    """
    return 0


@generic
def observe(s: State, seat: int, out: Bytes) -> None:
    """Write a seat's view, as that seat sees the game from its side, into blank small numbers.

    In a module `observation` beside the rules, which says what each number means (see
    `core/observation.py`), for programs that learn. It is given a view, so no secret is in it.
    """


@kernel
def note(log: Log, kind: int, source: int, target: int, piece: int, owner: int) -> None:
    """Note one step of a move; -1 for what it does not have. Costs nothing without a log."""
    if log is not None:
        log[0, 0] += 1
        row = log[0, 0]
        log[row, 0] = kind
        log[row, 1] = source
        log[row, 2] = target
        log[row, 3] = piece
        log[row, 4] = owner


@kernel
def first_bound(options: Ints, out: Ints, at: int) -> int:
    """The bound of the first seat, if it is drawn, written at `at`; where the next ones go."""
    if options[FIRST] != 0:
        return at
    out[at] = options[PLAYERS]
    return at + 1


@kernel
def first_seat(options: Ints, draws: Ints, at: int) -> int:
    """The seat that begins: drawn, or given by the options."""
    return draws[at] if options[FIRST] == 0 else options[FIRST] - 1


@kernel
def next_seat(s: State) -> int:
    """Turns go round in the order of seats."""
    return s.turn + 1 if s.turn + 1 < s.players else 0


@kernel
def shuffle_bounds(n: int, out: Ints, at: int) -> int:
    """The bounds of a shuffle of n things, written from `at`; where the next ones go."""
    for size in range(n, 1, -1):
        out[at] = size
        at += 1
    return at


@kernel
def shuffle(things: Ints, n: int, draws: Ints, at: int) -> int:
    """Fisher and Yates: from the last thing down, swap it with a drawn one up to itself."""
    for last in range(n - 1, 0, -1):
        other = draws[at]
        at += 1
        thing = things[last]
        things[last] = things[other]
        things[other] = thing
    return at
