"""Players by name: how a command line, a table or a test says who plays.

3           level 3 of the ladder
random      any move
greedy      the best move at a glance
uct:1000    tree search, so many simulations a move
uct         tree search, for as long as it is given
exact       perfect play, where the game is solved
cmd:WORDS   a program that speaks the line protocol of docs/bot-protocol.md
NAME        a bot that is installed (`bots/installed.py`); NAME:1000 gives it so many simulations

Who thinks by the clock may have a time of its own, in milliseconds: 6@50, uct@500, cmd@50:WORDS.
"""

from dataclasses import dataclass

from benben.bots.command import CommandPlayer
from benben.bots.exact import exact_player
from benben.bots.greedy import GreedyPlayer
from benben.bots.installed import installed_player
from benben.bots.levels import level
from benben.bots.random import RandomPlayer
from benben.bots.uct import UctPlayer
from benben.core.errors import UnknownPlayer
from benben.core.game import Game
from benben.core.player import Budget, Player

FORMS = (
    "a level from 1 to 6, random, greedy, uct:SIMULATIONS, uct, exact, cmd:COMMAND "
    "or the name of an installed bot"
)
_COMMAND = "cmd"
_MOST_SIMULATIONS = 12  # digits: more than a budget may have
_MOST_DIGITS = 8  # of a time: more than a budget may have
_NO_TIME = "only who thinks by the clock has a time: level 6, uct, cmd and installed bots"
SECONDS = 1.0  # for whoever thinks by the clock and is not told how long
_INSTANT = Budget(simulations=1)  # random, greedy and exact play take no notice


@dataclass(frozen=True)
class Entrant:
    """A player by its `name`, and how much it thinks about a move."""

    name: str
    player: Player
    budget: Budget


def entrant(name: str, game: Game, seconds: float | None = None, cpu: bool = False) -> Entrant:
    """The player of that name; UnknownPlayer or BadBudget if there is none.

    `seconds` is how long those think who think by the clock: level 6, `uct`, commands and installed
    bots, unless their name says it; with `cpu` by their own work, as `Budget` has it.

    >>> import benben
    >>> entrant("uct:1000", benben.game("quadrille")).budget
    Budget(simulations=1000, seconds=None)
    >>> entrant("6@50", benben.game("quadrille")).budget
    Budget(simulations=None, seconds=0.05)
    >>> entrant("7", benben.game("quadrille"))
    Traceback (most recent call last):
    benben.core.errors.UnknownPlayer: no player is called '7': levels are 1 to 6
    """
    kind, colon, rest = name.partition(":")
    kind, at, time = kind.partition("@")
    if at:
        if not (time.isascii() and time.isdigit() and len(time) <= _MOST_DIGITS):
            raise UnknownPlayer(name, "a time is in milliseconds, such as 6@50")
        seconds = int(time) / 1000
    found = _named(name, kind + colon + rest, game, seconds, cpu)
    if at and found.budget.seconds is None:
        raise UnknownPlayer(name, _NO_TIME)
    return found


def _named(name: str, plain: str, game: Game, seconds: float | None, cpu: bool) -> Entrant:
    """Who is called so without a time."""
    clock = Budget(seconds=SECONDS if seconds is None else seconds, cpu=cpu)
    kind, colon, rest = plain.partition(":")
    if plain.isascii() and plain.lstrip("-").isdigit():
        chosen = level(game, int(plain) if len(plain) < 4 else 0)
        by_clock = chosen.budget.seconds is not None and (seconds is not None or cpu)
        return Entrant(name, chosen.player(), clock if by_clock else chosen.budget)
    if kind == _COMMAND and colon:
        return Entrant(name, CommandPlayer(rest), clock)
    counted = colon and rest.isascii() and rest.isdigit() and len(rest) < _MOST_SIMULATIONS
    if kind == "uct" and (counted or not colon):
        return Entrant(name, UctPlayer(), Budget(simulations=int(rest)) if counted else clock)
    if plain == "random":
        return Entrant(name, RandomPlayer(), _INSTANT)
    if plain == "greedy":
        return Entrant(name, GreedyPlayer(), _INSTANT)
    if plain == "exact":
        return Entrant(name, exact_player(game), _INSTANT)
    installed = installed_player(kind, game) if counted or not colon else None
    if installed is not None:
        return Entrant(name, installed, Budget(simulations=int(rest)) if counted else clock)
    raise UnknownPlayer(name, f"write {FORMS}")
