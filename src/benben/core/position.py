"""A moment of a game, complete or as one seat sees it. Neither ever changes."""

from typing import TYPE_CHECKING, Any

import numpy as np

from benben.core import engine
from benben.core.chance import Source
from benben.core.effects import Choice, Diagram, Drawing, Effect, Facts, Refusal
from benben.core.errors import BadNotation, Hidden, IllegalMove, ImpossiblePosition
from benben.core.kernel import Ints, Plain, States, plain
from benben.core.outcome import Result
from benben.core.rules import CHANCE, LEGAL, OVER

if TYPE_CHECKING:
    from benben.core.game import Game


class Sight:
    """What positions and views share: everything that does not need a secret."""

    __slots__ = ("_a", "_game", "_plain", "_turn")

    def __init__(self, game: "Game", a: States) -> None:
        self._game = game
        self._a = a
        self._plain: Plain = None  # the record as Python's own numbers, once it was needed
        self._turn: int | None = None  # and whose turn it is

    @property
    def game(self) -> "Game":
        return self._game

    @property
    def record(self) -> States:
        """A copy of the data, an array of one record, for kernels."""
        return self._a.copy()

    @property
    def to_move(self) -> int | None:
        """The seat to move (from 0), `benben.CHANCE` when a throw is due, None when it is over."""
        if self._turn is None:
            self._turn = int(engine.whose(self._a))
        return None if self._turn == OVER else self._turn

    def moves(self) -> list[str]:
        """The legal moves of the seat to move, in the order the game's rulebook gives.

        >>> import benben
        >>> benben.game("pyramidis", first=1).deal().moves()
        ['d1*1', 'd1*2', 'd1*3', 'd1*4', 'd1*5']
        """
        out = self._buffer()
        n = engine.list_moves(self._a, out)
        return self._game.codec.texts(out[:n])

    def chance(self) -> list[tuple[str, float]]:
        """The throws that may come, with their probabilities; none unless a throw is due.

        >>> import benben
        >>> benben.game("batisseurs").deal().chance()[0]
        ('=aaaaaa', 2.143347050754458e-05)
        """
        throws, weights = self._buffer(), self._buffer()
        n = engine.list_throws(self._a, throws, weights)
        odds = (weights[:n] / max(1, weights[:n].sum())).tolist()
        return list(zip(self._game.codec.texts(throws[:n]), odds, strict=True))

    def _buffer(self) -> Ints:
        return np.empty(self._game.rules.MOST_MOVES, np.int64)

    def effects(self, move: str) -> list[Effect]:
        """What a legal move or throw does, step by step (see `benben.Effect`).

        >>> import benben
        >>> for step in benben.game("pyramidis", first=1).deal().effects("d1*1"):
        ...     print(step.kind, step.source, step.target, step.piece)
        lift d1 hand b
        drop hand d2 b
        """
        code, log = self._game.code(move), np.empty((engine.LOG_ROWS, 5), np.int64)
        rule = engine.trace(self._a, code, np.empty(1, self._a.dtype), log)
        if rule != LEGAL:
            raise self._illegal(move, rule)
        steps = log[1 : log[0, 0] + 1].tobytes()
        return list(self._game.codec.choice(code, steps).effects)

    def choices(self) -> list[Choice]:
        """Every legal move with its effects, as `moves` and `effects` tell, but all at once.

        >>> import benben
        >>> [choice.move for choice in benben.game("pyramidis", first=1).deal().choices()]
        ['d1*1', 'd1*2', 'd1*3', 'd1*4', 'd1*5']
        """
        return self._game.codec.choices(self._a)

    def refusals(self) -> list[Refusal]:
        """Why each move that can be written, but is not legal, is refused to the seat to move.

        Moves are together that one rule refuses in the same words; none where nobody is to move.

        >>> import benben
        >>> for each in benben.game("batisseurs").deal().play("=aabbcf").refusals()[:2]:
        ...     print(each.rule, each.parameters, each.moves)
        no-support {'place': 'b1'} ['b1']
        no-support {'place': 'b2'} ['b2']
        """
        turn = self.to_move
        return [] if turn is None or turn == CHANCE else self._game.codec.refusals(self._a, turn)

    def drawing(self) -> Drawing:
        """Every place with the pieces on it, a letter each, bottom to top."""
        return self._game.notation.draw(self._numbers())

    def facts(self) -> Facts:
        """What a board shows besides the pieces, by names that each game chooses.

        At the end there are `figures` too, where the game was decided by some: one for each seat.

        >>> import benben
        >>> benben.game("pyramidis", players=2).deal().facts()
        {'colours': ['b', 'm'], 'needed': 5}
        """
        facts, result = self._game.notation.facts(self._numbers()), self.result
        figures = self._game.notation.figures(self._numbers(), result.reason) if result else []
        return facts | {"figures": figures} if figures else facts

    def diagram(self) -> Diagram:
        """Where a picture puts the places of the board."""
        return self._game.notation.diagram(self._numbers())

    @property
    def result(self) -> Result | None:
        """None while the game is on; then each seat's share and what decided."""
        if self.to_move is not None:
            return None
        shares = np.zeros(self._game.players, np.float64)
        reason = engine.settle(self._a, shares)
        return Result(tuple(shares.tolist()), self._game.rules.REASONS[reason])

    def _illegal(self, move: str, rule: int) -> IllegalMove:
        name, words = self._game.rules.REFUSALS[rule]
        parameters = {"seat": self._numbers().turn + 1, **self._game.notation.parameters(move)}
        return IllegalMove(self._game.name, move, name, words.format(**parameters), parameters)

    def __eq__(self, other: object) -> bool:
        return (
            type(self) is type(other)
            and isinstance(other, Sight)
            and self._game == other._game
            and self._a.tobytes() == other._a.tobytes()
        )

    def __hash__(self) -> int:
        return hash((self._game, self._a.tobytes()))

    def __str__(self) -> str:
        return self._game.notation.write(self._numbers())

    def _numbers(self) -> Plain:
        if self._plain is None:
            self._plain = plain(self._a)
        return self._plain


class Position(Sight):
    """A complete position, secrets included. Made by `game.deal()`, `game.parse()` and `play()`."""

    __slots__ = ()

    def play(self, move: str) -> "Position":
        """The position after a move or throw; BadNotation or IllegalMove if it cannot be made.

        >>> import benben
        >>> position = benben.game("quadrille").deal()
        >>> position.play("c3d4")
        Traceback (most recent call last):
        benben.core.errors.IllegalMove: c3d4 is illegal (pawns-first): all four pawns come first
        """
        after = np.empty(1, self._a.dtype)
        rule = engine.attempt(self._a, self._game.code(move), after)
        if rule != LEGAL:
            raise self._illegal(move, rule)
        return Position(self._game, after)

    def draw(self, source: Source) -> str:
        """One throw: the first whose weight, with all before it, passes one drawn integer."""
        throws, weights = self._buffer(), self._buffer()
        total = engine.total_weight(self._a, throws, weights)
        if total == 0:
            raise BadNotation(str(self), "no throw is due here")
        return self._game.text(engine.throw_at(throws, weights, source.below(int(total))))

    def view(self, seat: int | None) -> "View":
        """What the seat may know (None: a spectator), built from the fields it may see.

        >>> import benben
        >>> position = benben.game("objectif", players=3).deal(seed=1)
        >>> str(position).split()[-1], str(position.view(0)).split()[-1]
        ('ypo', 'y??')
        """
        self._game.check_seat(seat)
        seen = self._game.blank()
        engine.look(self._a, -1 if seat is None else seat, seen)
        return View(self._game, seen, seat)

    def perft(self, depth: int) -> int:
        """How many ways the next `depth` moves and throws can go.

        >>> import benben
        >>> benben.game("pyramidis", first=1).deal().perft(4)
        625
        """
        if depth < 0:
            raise ValueError(f"a depth is 0 or more, not {depth}")
        return int(engine.perft(self._a, depth, self._game.rules.MOST_MOVES))

    def __repr__(self) -> str:
        return f"{self._game!r}.parse({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return self._game.parse, (str(self),)


class View(Sight):
    """A position as a seat sees it. Views that show the same are equal, whoever looks."""

    __slots__ = ("seat",)

    def __init__(self, game: "Game", a: States, seat: int | None) -> None:
        super().__init__(game, a)
        self.seat = seat

    def play(self, move: str) -> "View":
        """What the seat sees after a move or throw; Hidden if that is more than this view knows.

        >>> import benben
        >>> view = benben.game("objectif", players=3, first=1).deal(seed=1).view(0)
        >>> str(view.play(view.moves()[0])).split()[-1]
        'y??'
        """
        after = np.empty(1, self._a.dtype)
        rule = engine.attempt(self._a, self._game.code(move), after)
        if rule != LEGAL:
            raise self._illegal(move, rule)
        try:
            return self._game.parse_view(str(View(self._game, after, self.seat)), self.seat)
        except ImpossiblePosition as error:
            raise Hidden(move) from error

    def __repr__(self) -> str:
        return f"{self._game!r}.parse_view({str(self)!r}, seat={self.seat})"

    def __reduce__(self) -> tuple[Any, ...]:
        return self._game.parse_view, (str(self), self.seat)
