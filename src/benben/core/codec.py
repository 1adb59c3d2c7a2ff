"""Moves between their numbers in kernels and their texts outside, and what they do.

All games of the same rules share one codec, and what was written once is not made again: a server
writes the legal moves and effects of every position anybody has to decide in.
"""

from functools import cached_property, lru_cache
from string import Formatter
from threading import local
from types import ModuleType

import numpy as np

from benben.core import engine
from benben.core.effects import Choice, Effect, Refusal
from benben.core.errors import BadNotation
from benben.core.kernel import Ints, States
from benben.core.notation import THROW_SIGN, Notation
from benben.core.rules import LEGAL

MOST_KNOWN = 1 << 15  # moves with their effects that are kept: about 1 kB each
ROW = 5 * 8  # bytes of an effect in a kernel's log: five integers


class _Buffers(local):
    """Where a kernel writes, each thread for itself: allocating them anew would take longer."""

    def __init__(self, rules: ModuleType) -> None:
        self.codes = np.empty(rules.MOST_MOVES, np.int64)
        self.ends = np.empty(rules.MOST_MOVES, np.int64)
        self.after = np.empty(1, rules.STATE)
        self.log = np.empty((rules.MOST_MOVES * engine.LOG_ROWS, 5), np.int64)


class MoveCodec:
    """Codes are the numbers of moves and throws in kernels."""

    def __init__(self, rules: ModuleType, notation: Notation) -> None:
        self._rules = rules
        self.notation = notation
        self._texts = notation.texts()
        self._codes = {text: code for code, text in self._texts.items()}
        self._buffers = _Buffers(rules)
        self.choice = lru_cache(MOST_KNOWN)(self._choice)

    def code(self, move: str) -> int:
        """The number of a well-written move or throw."""
        code = self._codes.get(move) if isinstance(move, str) else None
        if code is None:
            raise BadNotation(move, self.notation.MOVE_FORM)
        return code

    def text(self, code: int) -> str:
        """The text of a move or throw."""
        return self._texts[code]

    def texts(self, codes: Ints) -> list[str]:
        """The texts of moves or throws."""
        return list(map(self._texts.__getitem__, codes.tolist()))

    def choices(self, a: States) -> list[Choice]:
        """Every legal move with its effects."""
        buffers = self._buffers
        n = engine.trace_all(a, buffers.codes, buffers.after, buffers.log, buffers.ends)
        ends = buffers.ends[:n].tolist()
        rows = buffers.log[: ends[-1]].tobytes() if ends else b""
        found, start = [], 0
        for code, end in zip(buffers.codes[:n].tolist(), ends, strict=True):
            # The first row of each is how many there are.
            found.append(self.choice(code, rows[ROW * (start + 1) : ROW * end]))
            start = end
        return found

    def refusals(self, a: States, seat: int) -> list[Refusal]:
        """Every move that can be written and is not legal for a seat, by what forbids it."""
        after = self._buffers.after
        found: dict[tuple[object, ...], Refusal] = {}
        for code, move, parameters in self._moves:
            rule = engine.attempt(a, code, after)
            if rule == LEGAL:
                continue
            names = self._named[rule]
            key = rule, *(parameters.get(name) for name in names)
            if key not in found:
                told = {"seat": seat + 1, **parameters}
                words = {name: told[name] for name in names}
                found[key] = Refusal(self._rules.REFUSALS[rule][0], words, [])
            found[key].moves.append(move)
        return list(found.values())

    @cached_property
    def _moves(self) -> list[tuple[int, str, dict[str, str | int]]]:
        """All moves, no throws, with what a refusal may name of them."""
        return [
            (code, text, self.notation.parameters(text))
            for code, text in self._texts.items()
            if not text.startswith(THROW_SIGN)
        ]

    @cached_property
    def _named(self) -> list[tuple[str, ...]]:
        """The parameters in the words of each rule that refuses."""
        return [
            tuple(dict.fromkeys(name for _, name, _, _ in Formatter().parse(words) if name))
            for _, words in self._rules.REFUSALS
        ]

    def _choice(self, code: int, log: bytes) -> Choice:
        """A move or throw with its effects, from the rows of a kernel's log."""
        rows = memoryview(log).cast("q")
        return Choice(
            self._texts[code],
            tuple(self._effect(*rows[at : at + 5]) for at in range(0, len(rows), 5)),
        )

    def _effect(self, kind: int, source: int, target: int, piece: int, owner: int) -> Effect:
        rules = self._rules
        return Effect(
            rules.EFFECTS[kind],
            None if source < 0 else rules.PLACES[source],
            None if target < 0 else rules.PLACES[target],
            None if piece < 0 else rules.PIECES[piece],
            None if owner < 0 else owner,
        )
