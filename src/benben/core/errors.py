"""Everything Benben may refuse, in one tree.

BenbenError                 (a ValueError)
├── UnknownGame             no game has this name
├── BadOption               a player count or option the game does not offer
├── BadNotation             a text that is no position or no move of the game
├── ImpossiblePosition      a well-written position that no play can reach
└── IllegalMove             a well-written move that a rule forbids here
"""

from collections.abc import Mapping, Sequence


class BenbenError(ValueError):
    """The root: whatever was asked for cannot be done, and nothing has changed."""


class UnknownGame(BenbenError):
    """No game has this `name`; `known` lists those there are."""

    def __init__(self, name: object, known: Sequence[str]) -> None:
        self.name, self.known = name, tuple(known)
        super().__init__(f"no game is called {name!r}; the games are {', '.join(known)}")


class BadOption(BenbenError):
    """An `option` the game does not have, or a `value` it does not take."""

    def __init__(self, option: str, value: object, why: str) -> None:
        self.option, self.value = option, value
        super().__init__(f"{option}={value}: {why}")


class BadNotation(BenbenError):
    """A `text` that is no position, or no move, of the game."""

    def __init__(self, text: object, why: str) -> None:
        self.text = text
        shown = text if isinstance(text, str) else repr(text)
        if len(shown) > 60:
            shown = shown[:57] + "…"
        super().__init__(f"cannot read {shown!r}: {why}")


class ImpossiblePosition(BenbenError):
    """`offence` is a stable id, such as `too-many-tokens`."""

    def __init__(self, offence: str, why: str) -> None:
        self.offence = offence
        super().__init__(f"impossible position ({offence}): {why}")


class IllegalMove(BenbenError):
    """`rule` is the stable id of the rule that forbids the move, `parameters` what it was about."""

    def __init__(
        self, move: str, rule: str, words: str, parameters: Mapping[str, str | int]
    ) -> None:
        self.move, self.rule, self.parameters = move, rule, dict(parameters)
        super().__init__(f"{move} is illegal ({rule}): {words}")
