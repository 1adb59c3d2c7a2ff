"""Objectif, for 2 to 4 players: make the colour only you know the most frequent one.

Source: an untitled French sheet (66 pyramids: Objectifs, Cases and Pièces); the title is ours.
Rulings are numbered as in the rulebook beside this file.
Left out: where the Cases lie on the table. They have no neighbours (Ruling 2), so places are only
numbered, and a picture may arrange them as it likes.
"""

import numpy as np

from benben.core.effects import Diagram, Drawing
from benben.core.errors import BadNotation
from benben.core.kernel import Floats, Ints, Log, State, States, kernel, record
from benben.core.random import Random, below
from benben.core.rules import (
    CHOICE,
    FIRST,
    LEGAL,
    OVER,
    PLAYERS,
    note,
    shuffle,
    shuffle_bounds,
)
from benben.core.text import demand, fields, letters, number, parts

# ---- Data

VERSION = 1
COLOURS = "ogbpyv"  # orange, green, blue, pink, and our yellow and violet (Ruling 5); 1 to 6 below
CASES, PIECES_EACH = 4, 6  # of each colour
MOST_PLACES, MOST_MOVES = 24, 144
RANDOM, FAIR = 0, 1

STATE = record(
    ("players", np.int8),
    ("mode", np.int8),
    ("places", np.int8),  # how many
    ("turn", np.int8),
    ("left", np.int8),  # Pièces still to be played, by all together
    ("goal", np.int8, 4),  # each seat's colour; 0: no such seat, or not to be seen
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
    ("game-over", "every Pièce has been played"),
    ("no-such-place", "there is no place {place} in this game"),
    ("not-in-stock", "seat {seat} has no {colour} Pièce left"),
    ("case-colour", "place {place} is a bare Case of that colour, and refuses it"),
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
    if options[CHOICE] == RANDOM:
        n = shuffle_bounds(PIECES_EACH * colours, out, n)
    if options[FIRST] == 0:
        out[n] = options[PLAYERS]
        n += 1
    return n


@kernel
def deal(s: State, options: Ints, draws: Ints) -> None:
    players = options[PLAYERS]
    colours = players + 2
    s.players, s.mode = players, options[CHOICE]
    s.places, s.left = CASES * colours, PIECES_EACH * colours

    # Ruling 1: which colours stay in the box is drawn.
    box = np.arange(1, len(COLOURS) + 1)
    n = shuffle(box, len(COLOURS), draws, 0)
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

    s.turn = draws[n] if options[FIRST] == 0 else options[FIRST] - 1


# ---- Legal moves: colour by colour in the order of COLOURS, place by place


@kernel
def to_move(s: State) -> int:
    return s.turn if s.left > 0 else OVER


@kernel
def moves(s: State, out: Ints) -> int:
    n = 0
    for colour in range(1, len(COLOURS) + 1):
        if _held(s, s.turn, colour) > 0:
            for place in range(s.places):
                if not _is_case_of(s, place, colour):
                    out[n] = _move(colour, place)
                    n += 1
    return n


@kernel
def random_move(s: State, random: Random) -> int:
    """Any colour on any place until that is legal: nearly all are, and all are as likely."""
    while True:
        colour = 1 + below(random, len(COLOURS))
        if _held(s, s.turn, colour) > 0:
            place = below(random, s.places)
            if not _is_case_of(s, place, colour):
                return _move(colour, place)


@kernel
def forbids(s: State, move: int) -> int:
    if s.left == 0:
        return _GAME_OVER
    if _place(move) >= s.places:
        return _NO_PLACE
    if _held(s, s.turn, _colour(move)) == 0:
        return _NOT_IN_STOCK
    if _is_case_of(s, _place(move), _colour(move)):
        return _CASE_COLOUR
    return LEGAL


@kernel
def chance(s: State, out: Ints, weights: Ints) -> int:
    return 0


@kernel
def throw(s: State, random: Random) -> int:
    return -1


# ---- Play


@kernel
def play(s: State, move: int, log: Log) -> None:
    colour, place = _colour(move), _place(move)
    stock = MOST_PLACES + s.turn
    _give(s, s.turn, colour, -1)
    if _shown(s, place) == colour:
        _uncover(s, place)
        note(log, CANCEL, stock, -1, colour, s.turn)
        note(log, CANCEL, place, -1, colour, -1)
    else:
        _cover(s, place, colour)
        note(log, COVER, stock, place, colour, s.turn)
    s.left -= 1
    s.turn = s.turn + 1 if s.turn + 1 < s.players else 0


# ---- Result


@kernel
def outcome(s: State, shares: Floats) -> int:
    """Most places of the own colour; then, among the tied, most piles; then the tallest pile."""
    merits = np.zeros((3, 4), np.int64)
    for seat in range(s.players):
        for place in range(s.places):
            if _shown(s, place) == s.goal[seat]:
                height = _height(s, place)
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
    v.players, v.mode, v.places = s.players, s.mode, s.places
    v.turn, v.left = s.turn, s.left
    v.stock[:] = s.stock
    v.pile[:] = s.pile
    v.deep[:] = s.deep
    for other in range(s.players):
        if other == seat or s.left == 0:
            v.goal[other] = s.goal[other]


# ---- Text

MOVE_FORM = "a move is a colour and a place, such as b@7"


def texts() -> dict[int, str]:
    return {
        _move(colour + 1, place): f"{letter}@{place + 1}"
        for colour, letter in enumerate(COLOURS)
        for place in range(MOST_PLACES)
    }


def terms(move: str) -> dict[str, str | int]:
    colour, place = move.split("@")
    return {"colour": colour, "place": int(place)}


def write(s: State) -> str:
    goals = "".join("?ogbpyv"[goal] for goal in s.goal[: s.players])
    return f"{'/'.join(_piles(s))} {'|'.join(_stocks(s, '-'))} {s.turn + 1} {goals}"


def draw(s: State) -> Drawing:
    return dict(zip(PLACES, _piles(s), strict=False)) | {
        f"stock:{seat + 1}": stock for seat, stock in enumerate(_stocks(s, ""))
    }


def diagram(s: State) -> Diagram:
    """Four rows of places, whatever the number of players."""
    wide = int(s.places) // 4
    return [[(x, str(row * wide + x + 1)) for x in range(wide)] for row in range(4)]


def read(text: str, options: Ints, hidden: bool) -> States:
    players, mode = int(options[PLAYERS]), int(options[CHOICE])
    places, stocks, turn, goals = fields(text, ("places", "stocks", "turn", "goals"))
    a = np.zeros(1, STATE)
    s = a[0]
    s.players, s.mode, s.places = players, mode, CASES * (players + 2)
    s.turn = number(turn, 1, players, "turn") - 1
    for place, pile in enumerate(parts(places, "/", int(s.places), "the places")):
        demand(pile != "", "no-case", f"place {place + 1} has no Case")
        (case,) = letters(pile[0], COLOURS, "Case")
        s.pile[place] = case + 1
        for piece in letters(pile[1:], COLOURS.upper(), "Pièce"):
            beneath = "Case" if _height(s, place) == 0 else "Pièce"
            demand(
                _shown(s, place) != piece + 1,
                "same-colour-beneath",
                f"place {place + 1} has a Pièce on a {beneath} of its own colour",
            )
            demand(_height(s, place) < 36, "too-many-pieces", f"place {place + 1} is too tall")
            _cover(s, place, piece + 1)
    for seat, stock in enumerate(parts(stocks, "|", players, "the stocks")):
        for piece in letters("" if stock == "-" else stock, COLOURS.upper(), "Pièce"):
            demand(_held(s, seat, piece + 1) < 6, "too-many-pieces", "a colour has six Pièces")
            _give(s, seat, piece + 1, 1)
            s.left += 1
    _check_material(s)
    _check_turns(s)
    _read_goals(s, goals, hidden)
    return a


def _check_material(s: State) -> None:
    """Four Cases and six Pièces of each colour in the game; Pièces leave it two by two."""
    board = "".join(_piles(s))
    stocks = _stocks(s, "")
    colours = [letter for letter in COLOURS if letter in board]
    for letter in colours:
        cases = board.count(letter)
        demand(cases == CASES, "wrong-cases", f"there are {cases} {letter} Cases, not {CASES}")
    for letter in COLOURS.upper():
        pieces = board.count(letter) + sum(stock.count(letter) for stock in stocks)
        most = PIECES_EACH if letter.lower() in colours else 0
        demand(
            pieces <= most, "too-many-pieces", f"there are {pieces} {letter} Pièces, {most} at most"
        )
        demand(
            (most - pieces) % 2 == 0,
            "odd-pieces-gone",
            f"{most - pieces} {letter} Pièces are gone, but they leave the game two by two",
        )
        each = PIECES_EACH // s.players
        for seat, stock in enumerate(stocks):
            demand(
                s.mode == RANDOM or stock.count(letter) <= each,
                "too-many-pieces",
                f"in mode fair seat {seat + 1} begins with {each} {letter} Pièces",
            )


def _check_turns(s: State) -> None:
    """Whoever is still to play in this round has one Pièce more than who has played."""
    sizes = [len(stock) for stock in _stocks(s, "")]
    most = PIECES_EACH * (int(s.players) + 2) // int(s.players)
    from_turn = [*sizes[s.turn :], *sizes[: s.turn]]
    demand(
        from_turn[0] <= most
        and from_turn == sorted(from_turn, reverse=True)
        and from_turn[0] - from_turn[-1] <= 1,
        "stocks-out-of-turn",
        f"with seat {s.turn + 1} to move, stocks of {', '.join(map(str, sizes))} cannot be",
    )


def _read_goals(s: State, goals: str, hidden: bool) -> None:
    if len(goals) != s.players:
        raise BadNotation(goals, f"the goals are {s.players} letters, one per seat")
    if "?" in goals and not hidden:
        raise BadNotation(goals, "a whole position knows every goal; parse_view takes '?'")
    known = goals.replace("?", "")
    seen = set(letters(known, COLOURS, "goal"))
    in_game = {COLOURS.index(pile[0]) for pile in _piles(s)}
    demand(seen <= in_game, "goal-not-in-game", "a goal's colour is not in the game")
    demand(len(seen) == len(known), "same-goal", "two seats cannot have the same goal")
    if hidden and s.left > 0:
        demand(len(known) <= 1, "goals-seen", "before the end a seat sees its own goal only")
    if s.left == 0:
        demand("?" not in goals, "goals-hidden", "when the game is over all goals are shown")
    for seat, goal in enumerate(goals):
        s.goal[seat] = 0 if goal == "?" else COLOURS.index(goal) + 1


def _piles(s: State) -> list[str]:
    """Each place in text: the Case in lower case, then its Pièces bottom to top."""
    written = []
    for place in range(s.places):
        levels, word = "", int(s.pile[place]) | int(s.deep[place]) << 63
        while word:
            levels = COLOURS[(word & 7) - 1] + levels
            word >>= 3
        written.append(levels[0] + levels[1:].upper())
    return written


def _stocks(s: State, empty: str) -> list[str]:
    return [
        "".join(letter.upper() * _held(s, seat, i + 1) for i, letter in enumerate(COLOURS)) or empty
        for seat in range(s.players)
    ]


# ---- Helpers

_LEVELS = 21  # of 3 bits in one word
_ALL_BUT_ONE = (1 << 3 * (_LEVELS - 1)) - 1


@kernel
def _move(colour: int, place: int) -> int:
    return (colour - 1) * MOST_PLACES + place


@kernel
def _colour(move: int) -> int:
    return move // MOST_PLACES + 1


@kernel
def _place(move: int) -> int:
    return move % MOST_PLACES


@kernel
def _held(s: State, seat: int, colour: int) -> int:
    return (s.stock[seat] >> 4 * (colour - 1)) & 15


@kernel
def _give(s: State, seat: int, colour: int, pieces: int) -> None:
    s.stock[seat] += pieces << 4 * (colour - 1)


@kernel
def _shown(s: State, place: int) -> int:
    return s.pile[place] & 7


@kernel
def _is_case_of(s: State, place: int, colour: int) -> bool:
    """A bare Case of this colour: nothing lies beneath what it shows."""
    return bool(s.pile[place] == colour)


@kernel
def _height(s: State, place: int) -> int:
    """Pièces on the Case."""
    height = -1
    for word in (s.pile[place], s.deep[place]):
        while word:
            word >>= 3
            height += 1
    return height


@kernel
def _cover(s: State, place: int, colour: int) -> None:
    s.deep[place] = s.deep[place] << 3 | s.pile[place] >> 3 * (_LEVELS - 1)
    s.pile[place] = (s.pile[place] & _ALL_BUT_ONE) << 3 | colour


@kernel
def _uncover(s: State, place: int) -> None:
    s.pile[place] = s.pile[place] >> 3 | (s.deep[place] & 7) << 3 * (_LEVELS - 1)
    s.deep[place] >>= 3
