"""Which colour a letter stands for. The letter is always printed: colour is never the only sign."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from benben.core.game import Game
from benben.terminal.speech import say

# Fixed numbers of the 256 colours, not the sixteen every terminal theme paints as it likes, so that
# letters stay readable on light and on dark ground.
BLACK, WHITE = "color(16)", "color(231)"


@dataclass(frozen=True)
class Colour:
    """A colour's English name, the ground of a letter on top, and the ink of one further down."""

    name: str
    ground: str
    ink: str


@dataclass(frozen=True)
class Palette:
    """How a game is drawn. The defaults do for a game nobody has painted yet."""

    game: str = ""  # whose words to use
    pieces: Mapping[str, Colour] = field(default_factory=dict)
    rows: Mapping[str, Colour] = field(default_factory=dict)  # by a place's first letter
    loose: str = ""  # pieces that get no ground, only ink
    seats: str = ""  # the letter of each seat's pieces, where seats have them
    empty: str | None = None  # a sign for an empty place, instead of its name
    cell: int = 5  # letters a place has room for …
    fills: bool = False  # … and whether the top one's colour fills it
    names: str = "always"  # beside every place, or only on an "empty" one
    tally: bool = False  # whether to count the places each colour shows on

    def colour(self, piece: str, place: str = "") -> Colour:
        row = self.rows.get(place.rpartition(":")[2][:1]) if place else None
        return row or self.pieces.get(piece) or Colour(piece, "reverse", "default")

    def top(self, piece: str, place: str = "") -> str:
        """The style of a piece on top."""
        colour = self.colour(piece, place)
        return f"bold {colour.ink if piece in self.loose else colour.ground}"

    def word(self, piece: str) -> str:
        """The colour of a piece; its letter where colours have no names."""
        name = self.colour(piece).name
        return piece if name == piece else say(f"{self.game}.colour.{name}")

    @property
    def note(self) -> str:
        """How to read a place."""
        return say(f"{self.game}.note") if self.game else ""


def _colour(name: str, letters: str, ground: int, ink: int) -> Colour:
    return Colour(name, f"{letters} on color({ground})", f"color({ink})")


_ORANGE = _colour("orange", BLACK, 208, 172)
_GREEN = _colour("green", WHITE, 28, 34)
_BLUE = _colour("blue", WHITE, 26, 33)
_PINK = _colour("pink", BLACK, 212, 169)
_YELLOW = _colour("yellow", BLACK, 226, 142)
_VIOLET = _colour("violet", WHITE, 91, 134)
_RED = _colour("red", WHITE, 160, 167)

_OBJECTIF = {
    "o": _ORANGE,
    "g": _GREEN,
    "b": _BLUE,
    "p": _PINK,
    "y": _YELLOW,
    "v": _VIOLET,
}
_PYRAMIDIS = {
    "b": _colour("brown", WHITE, 94, 130),
    "t": _colour("turquoise", BLACK, 44, 37),
    "m": _colour("mustard", BLACK, 178, 136),
    "c": _colour("cream", BLACK, 187, 144),
}
_BATISSEURS = dict(zip("abcdef", (_RED, _ORANGE, _YELLOW, _GREEN, _BLUE, _VIOLET), strict=True))
_QUADRILLE = {
    "b": _BLUE,
    "r": _RED,
    "o": _ORANGE,
    "y": _YELLOW,
    "W": Colour("white", f"{BLACK} on color(253)", "default"),
    "B": Colour("black", f"{WHITE} on {BLACK}", "default"),
}

_PALETTES = {
    "objectif": Palette(
        game="objectif",
        pieces=_OBJECTIF | {letter.upper(): colour for letter, colour in _OBJECTIF.items()},
        tally=True,
    ),
    "pyramidis": Palette(
        game="pyramidis",
        pieces=_PYRAMIDIS,
        seats="btmc",
    ),
    "batisseurs": Palette(
        game="batisseurs",
        # A die's face is the letter of the row it builds; the sheet names no colours.
        pieces={face: Colour(face, row.ground, row.ink) for face, row in _BATISSEURS.items()},
        rows=_BATISSEURS,
        loose="o",
        cell=3,
        fills=True,
        names="empty",
    ),
    "quadrille": Palette(
        game="quadrille",
        pieces=_QUADRILLE,
        seats="WB",
        empty="·",
        cell=3,
        fills=True,
    ),
}


def palette_of(game: Game) -> Palette:
    return _PALETTES.get(game.name, Palette())


def seat_letters(game: Game) -> str:
    """The letter of each seat's pieces; none where seats have no pieces of their own."""
    # Two players of pyramidis sit down with the colours the option names.
    return str(game.options.get("pair", palette_of(game).seats))
