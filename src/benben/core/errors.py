"""Everything Benben may refuse, in one tree.

BenbenError                 (a ValueError)
├── UnknownGame             no game has this name
├── BadGame                 a game that our kernels cannot play
├── BadOption               a player count or option the game does not offer
├── BadNotation             a text that is neither a position nor a move of the game
├── ImpossiblePosition      a well-written position that no play can reach
├── IllegalMove             a well-written move that a rule forbids here
├── Hidden                  what comes of a move cannot be told from a view
├── NotToMove               a player is asked to move where it has nothing to decide
├── BadBudget               a time or number of simulations that is not positive, or too large
├── UnknownPlayer           no bot or level has this name
├── NoObservation           nobody has said how programs that learn are told of the game
├── NotInstalled            what is asked for needs a package that is not here
└── PlayerFailed            a player gave no answer, or none that can be used
"""

from collections.abc import Mapping, Sequence


class BenbenError(ValueError):
    """The root: whatever was asked for cannot be done, and nothing has changed."""


class UnknownGame(BenbenError):
    """No game has this `name`; `known` lists those there are."""

    def __init__(self, name: object, known: Sequence[str]) -> None:
        self.name, self.known = name, tuple(known)
        super().__init__(f"no game is called {name!r}; the games are {', '.join(known)}")


class BadGame(BenbenError):
    """A game that our kernels cannot play, as it was written."""


class BadOption(BenbenError):
    """An `option` the game does not have, or a `value` it does not take."""

    def __init__(self, option: str, value: object, why: str) -> None:
        self.option, self.value = option, value
        super().__init__(f"{option}={value}: {why}")


class BadNotation(BenbenError):
    """A `text` that is neither a position nor a move of the game."""

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
        self, game: str, move: str, rule: str, words: str, parameters: Mapping[str, str | int]
    ) -> None:
        self.game, self.move, self.rule, self.parameters = game, move, rule, dict(parameters)
        super().__init__(f"{move} is illegal ({rule}): {words}")


class Hidden(BenbenError):
    """What comes of a `move` cannot be told from a view: it would show what the view hides."""

    def __init__(self, move: str) -> None:
        self.move = move
        super().__init__(f"{move} would show what is hidden in this view")


class NotToMove(BenbenError):
    """A player is asked to move, but the game is over, a throw is due or it is another's turn."""


class BadBudget(BenbenError):
    """A budget is one positive number, of simulations or of seconds, and not too large."""


class UnknownPlayer(BenbenError):
    """No bot is called `name`, or not in this game."""

    def __init__(self, name: object, why: str) -> None:
        self.name = name
        super().__init__(f"no player is called {name!r}: {why}")


class NoObservation(BenbenError):
    """The game `name` has no module `observation`."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"{name} cannot be observed: it has no observation.py beside its rules")


class NotInstalled(BenbenError, ImportError):
    """An adapter needs a `package` that is not installed; `extra` of benben brings it."""

    def __init__(self, package: str, extra: str) -> None:
        self.package, self.extra = package, extra
        super().__init__(f"{package} is not installed: pip install 'benben[{extra}]'")


class PlayerFailed(BenbenError):
    """A player `name` hung, died or answered nonsense."""

    def __init__(self, name: str, why: str) -> None:
        self.name, self.why = name, why
        super().__init__(f"{name} failed: {why}")
