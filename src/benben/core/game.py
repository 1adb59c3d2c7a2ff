"""A game with its options chosen: it deals positions and reads their text."""

from types import ModuleType
from typing import Any

import numpy as np

from benben.core import engine
from benben.core.chance import RandomStream, Source
from benben.core.codec import MoveCodec
from benben.core.errors import BadNotation, ImpossiblePosition
from benben.core.info import Info
from benben.core.kernel import Ints, States, blank, plain
from benben.core.position import Position, View


class Game:
    """Made by `benben.game(...)`. Two games are equal if name and options are.

    >>> import benben
    >>> game = benben.game("quadrille")
    >>> game.options
    {'players': 2, 'first': 1, 'layout': 'regular'}
    >>> position = game.deal(seed=7)
    >>> game.parse(str(position)) == position
    True
    """

    __slots__ = ("_chosen", "_hash", "_options", "codec", "info", "notation", "rules")

    def __init__(
        self, info: Info, rules: ModuleType, codec: MoveCodec, options: dict[str, str | int]
    ) -> None:
        self.info = info
        self._chosen = options
        self.rules = rules
        self.codec = codec
        self.notation = codec.notation
        self._options = _as_numbers(info, options)
        self._hash = hash((info.name, tuple(options.items())))

    @property
    def name(self) -> str:
        return self.info.name

    @property
    def options(self) -> dict[str, str | int]:
        """A copy: the game is shared by all who chose the same."""
        return dict(self._chosen)

    @property
    def players(self) -> int:
        return int(self._chosen["players"])

    @property
    def hides(self) -> bool:
        """Whether seats may see different things; if so the rules say how to imagine the rest."""
        return hasattr(self.rules, "imagine")

    def deal(
        self, seed: int | str | bytes | None = None, *, source: Source | None = None
    ) -> Position:
        """A start position, drawn from a seed, a source of integers, or the system's randomness."""
        draw = source if source is not None else RandomStream.seeded(seed)
        bounds = np.empty(engine.MOST_DRAWS, np.int64)
        a = self.blank()
        n = engine.bounds_of(a, self._options, bounds)
        draws = np.array([draw.below(int(bound)) for bound in bounds[:n]], np.int64)
        engine.set_up(a, self._options, draws)
        return Position(self, a)

    def parse(self, text: str) -> Position:
        """The position a text describes; BadNotation or ImpossiblePosition if there is none.

        >>> import benben
        >>> benben.game("pyramidis", players=2).parse("d1=bbb,d8=mmmmmmmm b0m0 b 0")
        Traceback (most recent call last):
        benben.core.errors.ImpossiblePosition: impossible position (wrong-pyramids): b has 3 …
        """
        return Position(self, self._read(text, hidden=False))

    def parse_view(self, text: str, seat: int | None = None) -> View:
        """What a seat sees, from its text, in which `?` stands for what it may not know.

        Without a seat it is not said whose view it is; with one, it must show no more than that.
        """
        a = self._read(text, hidden=True)
        self.check_seat(seat)
        if seat is not None:
            seen = self.blank()
            engine.look(a, seat, seen)
            if seen.tobytes() != a.tobytes():
                raise ImpossiblePosition("too-much-seen", f"seat {seat} may not know all of this")
        return View(self, a, seat)

    def check_seat(self, seat: int | None) -> None:
        """Refuse a seat the game does not have (None: a spectator)."""
        if seat is not None and not 0 <= seat < self.players:
            raise IndexError(f"there is no seat {seat}; seats are 0 to {self.players - 1}")

    def _read(self, text: str, hidden: bool) -> States:
        a = self.notation.read(text, self._options, hidden)
        written = self.notation.write(plain(a))
        if written != text:
            raise BadNotation(text, f"its normal form is {written}")
        return a

    def blank(self) -> States:
        """A record with nothing in it."""
        return blank(self.rules.STATE)

    def code(self, move: str) -> int:
        """The number of a well-written move or throw."""
        return self.codec.code(move)

    def text(self, code: int) -> str:
        """The text of a move or throw."""
        return self.codec.text(code)

    @property
    def numbers(self) -> Ints:
        """The options as the kernels take them."""
        return self._options

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Game) and (self.name, self._chosen) == (other.name, other._chosen)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"benben.game({self.name!r}{options})"

    def __reduce__(self) -> tuple[Any, ...]:
        from benben.core.registry import restore  # the registry makes games; games only name it

        return restore, (self.name, self.options)


def _as_numbers(info: Info, options: dict[str, str | int]) -> Ints:
    first = options["first"]
    own = options.get(info.option.name, info.option.values[0])
    return np.array(
        [
            int(options["players"]),
            first if isinstance(first, int) else 0,
            info.option.values.index(str(own)),
        ],
        np.int64,
    )
