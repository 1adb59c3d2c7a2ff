"""Pyramidis in text: moves, positions and drawings, and the strict reading of positions."""

from functools import lru_cache

from benben.core.effects import Diagram, Drawing, Facts
from benben.core.errors import BadNotation
from benben.core.kernel import Ints, Plain, States, blank, pack, plain
from benben.core.text import demand, fields, letters, number, one_of
from benben.games.pyramidis.rules import (
    COLOURS,
    CROSS,
    HEIGHT,
    PASSING,
    QUIET_DRAW,
    SET,
    SQUARES,
    STATE,
    TO_WIN,
    TOWER,
    TRACKS,
    move_of,
    seat_players,
)

# ---- Moves

MOVE_FORM = "a move is a column such as e6, a start square with a count such as d1*3, or pass"


def texts() -> dict[int, str]:
    written = {PASSING: "pass"}
    for i, square in enumerate(SQUARES):
        written[move_of(i, 0)] = square
        for taken in range(1, SET + 1):
            written[move_of(i, taken)] = f"{square}*{taken}"
    return written


def parameters(move: str) -> dict[str, str | int]:
    if move == "pass":
        return {}
    square, _, taken = move.partition("*")
    return {"square": square, "count": int(taken or 0)}


# ---- Positions


def write(p: Plain) -> str:
    drawing = draw(p)
    columns = ",".join(f"{square}={drawing[square]}" for square in SQUARES if drawing[square])
    playing = _playing(p)
    home = "".join(f"{letter}{p.home[COLOURS.index(letter)]}" for letter in playing)
    return f"{columns} {home} {playing[p.turn]} {p.quiet}"


def draw(p: Plain) -> Drawing:
    columns = dict(zip(SQUARES, map(_pyramids, p.column), strict=True))
    homes = {f"home:{letter}": letter * home for letter, home in zip(COLOURS, p.home, strict=True)}
    return columns | {"hand": ""} | homes


def facts(p: Plain) -> Facts:
    """Each seat's colour, and how many pyramids home win."""
    return {"colours": list(_playing(p)), "needed": TO_WIN}


def figures(p: Plain, reason: str) -> list[int | None]:
    """Pyramids at home."""
    return [p.home[COLOURS.index(letter)] for letter in _playing(p)]


def diagram(p: Plain) -> Diagram:
    """The cross; two players have one strip of it."""
    strips = {square for letter in _playing(p) for square in TRACKS[COLOURS.index(letter)]}
    rows = ([name for name in line.split() if name in strips] for line in CROSS.splitlines())
    return [[("abcdefgh".index(name[0]), name) for name in row] for row in rows if row]


@lru_cache(10_000)  # a server writes every position, and most columns were there before
def _pyramids(word: int) -> str:
    return "".join(COLOURS[word >> 2 * level & 3] for level in range(word >> HEIGHT))


def _playing(p: Plain) -> str:
    """The colours in the game, in the order of seats."""
    return COLOURS[p.first_colour :: p.stride]


# ---- Reading


def read(text: str, options: Ints, hidden: bool) -> States:
    written, home, turn, quiet = fields(text, ("columns", "home", "turn", "quiet"))
    a = blank(STATE)
    seat_players(a[0], options)
    p = plain(a)
    playing = _playing(p)
    columns: dict[str, str] = {}
    for column in written.split(","):
        square, pyramids = _read_column(column, playing)
        demand(square not in columns, "column-twice", f"{square} is given twice")
        columns[square] = pyramids
    for square, pyramids in columns.items():
        at = SQUARES.index(square)
        pieces = sum(COLOURS.index(letter) << 2 * i for i, letter in enumerate(pyramids))
        p.column[at] = len(pyramids) << HEIGHT | pieces
        p.occupied |= 1 << at
        p.top_odd |= (COLOURS.index(pyramids[-1]) & 1) << at
        p.top_high |= (COLOURS.index(pyramids[-1]) >> 1) << at
    homes = _read_home(home, playing)
    for letter in playing:
        total = homes[letter] + sum(pyramids.count(letter) for pyramids in columns.values())
        demand(total == SET, "wrong-pyramids", f"{letter} has {total} pyramids, not {SET}")
        p.home[COLOURS.index(letter)] = homes[letter]
    p.turn = one_of(turn, tuple(playing), "turn")
    p.quiet = number(quiet, 0, QUIET_DRAW, "quiet")
    _check_end([homes[letter] for letter in playing], p.turn, p.quiet)
    return pack(p, STATE)


def _read_column(column: str, playing: str) -> tuple[str, str]:
    square, equals, pyramids = column.partition("=")
    if not equals or square not in SQUARES or not pyramids:
        raise BadNotation(column, "a column is a square and its pyramids, such as d1=bbb")
    letters(pyramids, COLOURS, "pyramid")
    strips = [TRACKS[COLOURS.index(letter)] for letter in playing]
    demand(any(square in strip for strip in strips), "off-board", f"{square} is not on this board")
    starts, arrivals = ({track[end]: i for i, track in enumerate(TRACKS)} for end in (0, -1))
    for letter in pyramids:
        demand(letter in playing, "colour-not-in-game", f"nobody plays {letter}")
        colour = COLOURS.index(letter)
        demand(arrivals.get(square) != colour, "own-arrival", f"{letter} goes home from {square}")
        demand(pyramids.count(letter) <= SET, "wrong-pyramids", f"{letter} has only {SET} pyramids")
    if square not in arrivals:
        own_start = square in starts and set(pyramids) == {COLOURS[starts[square]]}
        most = SET if own_start else TOWER
        demand(len(pyramids) <= most, "too-tall", f"{square} holds {most} such pyramids at most")
    return square, pyramids


def _read_home(home: str, playing: str) -> dict[str, int]:
    numbers = home[1::2]
    if home[::2] != playing or len(numbers) != len(playing) or not set(numbers) <= set("012345678"):
        raise BadNotation(home, f"home is {'0'.join(playing)}0, with 0 to 8 for every colour")
    return dict(zip(playing, map(int, numbers), strict=True))


def _check_end(homes: list[int], turn: int, quiet: int) -> None:
    """Who has five: the last mover, or the player opposite, carried home by one drop."""
    mover = (turn - 1) % len(homes)
    opposite = (mover + len(homes) // 2) % len(homes)
    for seat, pyramids in enumerate(homes):
        demand(
            pyramids < TO_WIN or seat == mover or (seat == opposite and pyramids == TO_WIN),
            "over-before",
            f"seat {seat + 1} had won before the last move",
        )
    demand(max(homes) < TO_WIN or quiet == 0, "over-before", "the winning move is not quiet")
