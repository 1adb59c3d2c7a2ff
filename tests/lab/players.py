"""Players for tests: quick ones, and those that cannot play."""

from collections.abc import Callable
from threading import Event

from benben.bots.entrants import Entrant
from benben.bots.random import RandomPlayer
from benben.core.errors import PlayerFailed
from benben.core.player import Budget, Cancelled, Player, Thought, Turn


class First(Player):
    """Always the first move of the list."""

    name = "first"

    def think(self, turn: Turn) -> Thought:
        return Thought(turn.moves[0])


class Noting(Player):
    """Plays at random and keeps its turns."""

    name = "noting"

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.closed = 0

    def think(self, turn: Turn) -> Thought:
        self.turns.append(turn)
        return RandomPlayer().think(turn)

    def close(self) -> None:
        self.closed += 1


class Answering(Player):
    """Gives one answer whatever it is asked, or raises it."""

    name = "answering"

    def __init__(self, answer: str | BaseException, patience: int = 0) -> None:
        self.answer = answer
        self.patience = patience  # moves played well before it

    def think(self, turn: Turn) -> Thought:
        if len(turn.history.moves) < self.patience:
            return Thought(turn.moves[0])
        if isinstance(self.answer, BaseException):
            raise self.answer
        return Thought(self.answer)


class Sleeping(Player):
    """Thinks until it is told not to."""

    name = "sleeping"

    def __init__(self) -> None:
        self.asleep = Event()

    def think(self, turn: Turn) -> Thought:
        self.asleep.set()
        if not turn.cancelled.wait(30):
            raise PlayerFailed(self.name, "nobody woke it")
        raise Cancelled


PLAYERS: dict[str, Callable[[], Player]] = {
    "random": RandomPlayer,
    "first": First,
    "noting": Noting,
    "raising": lambda: Answering(RuntimeError("lost the thread")),
    "late": lambda: Answering(ZeroDivisionError(), patience=8),
    "wrong": lambda: Answering("z99"),
    "sleeping": Sleeping,
}


def make(name: str) -> Entrant:
    """`random2` is another random player, and so on."""
    return seated(PLAYERS[name.rstrip("0123456789")](), name)


def seated(player: Player, name: str = "") -> Entrant:
    return Entrant(name or player.name, player, Budget(simulations=1))
