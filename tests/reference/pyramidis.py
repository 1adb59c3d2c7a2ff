"""Pyramidis: an independent, naive reading of the rule sheet and its rulings.

Used in lockstep with the fast rules; it shares no code with them.
Written to be obviously right, not to be fast.
"""

from __future__ import annotations

import random
from fractions import Fraction

# The squares of each colour's track, from its start to its arrival.
TRACK_TEXTS = {
    "b": "d1 d2 d3 d4 d5 d6 d7 d8 e8 e7 e6 e5 e4 e3 e2 e1",
    "t": "a5 b5 c5 d5 e5 f5 g5 h5 h4 g4 f4 e4 d4 c4 b4 a4",
    "m": "d8 d7 d6 d5 d4 d3 d2 d1 e1 e2 e3 e4 e5 e6 e7 e8",
    "c": "h5 g5 f5 e5 d5 c5 b5 a5 a4 b4 c4 d4 e4 f4 g4 h4",
}
TRACKS = {colour: text.split() for colour, text in TRACK_TEXTS.items()}

# From each of the eight outer ends, straight along the lane to the nearest central square.
LANE_TEXTS = [
    "d1 d2 d3 d4",
    "e1 e2 e3 e4",
    "d8 d7 d6 d5",
    "e8 e7 e6 e5",
    "a4 b4 c4 d4",
    "a5 b5 c5 d5",
    "h4 g4 f4 e4",
    "h5 g5 f5 e5",
]
LANES = [text.split() for text in LANE_TEXTS]

TOWER = 5
HOME_TO_WIN = 5
QUIET_LIMIT = 100


def start_of(colour: str) -> str:
    """Give a colour's start square."""
    return TRACKS[colour][0]


def arrival_of(colour: str) -> str:
    """Give a colour's arrival square."""
    return TRACKS[colour][-1]


def path(colour: str, square: str) -> list[str]:
    """List the squares a colour comes to when it leaves a square, its arrival the last."""
    track = TRACKS[colour]
    if square in track:
        return track[track.index(square) + 1 :]
    # A stray: along its lane to the central square, and from there along the own track.
    for lane in LANES:
        if square in lane:
            central = lane[-1]
            return lane[lane.index(square) + 1 :] + track[track.index(central) + 1 :]
    raise ValueError(f"no such square: {square}")


class State:
    """A position: columns, pyramids home, whose turn, quiet moves."""

    def __init__(
        self, columns: dict[str, str], home: dict[str, int], turn: str, quiet: int
    ) -> None:
        self.columns = columns  # square -> pyramids bottom to top; no empty columns
        self.home = home  # colour -> pyramids home; its keys are the colours in seat order
        self.turn = turn  # a colour
        self.quiet = quiet

    @classmethod
    def parse(cls, text: str, options: dict[str, object]) -> State:
        """Read a valid position; the text alone says everything."""
        del options
        columns_text, home_text, turn, quiet = text.split(" ")
        columns = {}
        for item in columns_text.split(","):
            square, pyramids = item.split("=")
            columns[square] = pyramids
        home = {}
        for i in range(0, len(home_text), 2):
            home[home_text[i]] = int(home_text[i + 1])
        return cls(columns, home, turn, int(quiet))

    def text(self) -> str:
        """Write the position in its canonical form."""
        columns = ",".join(f"{square}={self.columns[square]}" for square in sorted(self.columns))
        home = "".join(f"{colour}{count}" for colour, count in self.home.items())
        return f"{columns} {home} {self.turn} {self.quiet}"

    def colours(self) -> list[str]:
        """List the colours in play, in seat order."""
        return list(self.home)

    def winner(self) -> str | None:
        """Give the colour that was first to five home, None if there is none."""
        done = [colour for colour in self.colours() if self.home[colour] >= HOME_TO_WIN]
        if not done:
            return None
        # The mover's own pyramids come home last: another colour at five was there first.
        seat_before = self.colours().index(self.turn) - 1  # -1 is the last seat, as it should be
        last_mover = self.colours()[seat_before]
        others = [colour for colour in done if colour != last_mover]
        return others[0] if others else last_mover

    def reason(self) -> str | None:
        """Say what ended the game, None while it is on."""
        if self.winner() is not None:
            return "five-home"
        if self.quiet >= QUIET_LIMIT:
            return "quiet"
        return None

    def to_move(self) -> int | None:
        """Give the seat whose turn it is, None when the game is over."""
        if self.reason() is not None:
            return None
        return self.colours().index(self.turn)

    def moves(self) -> list[str]:
        """List every legal move."""
        if self.reason() is not None:
            return []
        found = []
        for square, column in self.columns.items():
            if column[-1] != self.turn:
                continue  # not under control
            if square == start_of(self.turn):
                for count in range(1, 6):
                    if count <= len(column):
                        found.append(f"{square}*{count}")
            else:
                found.append(square)
        return found if found else ["pass"]

    def throws(self) -> dict[str, Fraction]:
        """List the chance events: there are none in this game."""
        return {}

    def play(self, move: str) -> State:
        """Give the position after a legal move."""
        mover = self.turn
        columns = dict(self.columns)
        home = dict(self.home)

        if move != "pass":
            # Take the hand: the whole column, or the top of the own start square.
            if "*" in move:
                square, count_text = move.split("*")
                count = int(count_text)
            else:
                square = move
                count = len(columns[square])
            column = columns.pop(square)
            left = column[: len(column) - count]
            hand = list(column[len(column) - count :])  # bottom first
            if left:
                columns[square] = left

            # Sow it.
            for here in path(mover, square):
                if not hand:
                    break
                if here == arrival_of(mover):
                    dropped = hand  # everything left; never jumped, no limit of height
                    hand = []
                elif len(columns.get(here, "")) >= TOWER:
                    continue  # a tower is jumped
                else:
                    dropped = [hand.pop(0)]
                for pyramid in dropped:
                    if here == arrival_of(pyramid):
                        home[pyramid] += 1
                    else:
                        columns[here] = columns.get(here, "") + pyramid

        quiet = self.quiet + 1 if home == self.home else 0
        colours = self.colours()
        next_turn = colours[(colours.index(mover) + 1) % len(colours)]
        return State(columns, home, next_turn, quiet)

    def shares(self) -> list[Fraction] | None:
        """Give each seat's share of the point, None while the game is on."""
        if self.reason() is None:
            return None
        colours = self.colours()
        winner = self.winner()
        if winner is None:
            return [Fraction(1, len(colours)) for _ in colours]
        return [Fraction(1) if colour == winner else Fraction(0) for colour in colours]


def start(options: dict[str, object], rng: random.Random) -> State:
    """Set up a start position; only the first player may be drawn."""
    players = int(str(options.get("players", 4)))
    pair = str(options.get("pair", "bm"))
    first = str(options.get("first", "random"))
    if players not in (2, 4):
        raise ValueError("pyramidis is for 2 or 4 players")
    if pair not in ("bm", "tc"):
        raise ValueError("the pair is bm or tc")

    colours = list("btmc") if players == 4 else list(pair)
    columns = {start_of(colour): colour * 8 for colour in colours}
    home = dict.fromkeys(colours, 0)
    turn = rng.choice(colours) if first == "random" else colours[int(first) - 1]
    return State(columns, home, turn, 0)
