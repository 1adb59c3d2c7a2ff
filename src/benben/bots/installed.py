"""Bots of other people's distributions, found by the entry points of the group `benben.bots`.

    [project.entry-points."benben.bots"]
    quarry = "quarry.player:Quarry"

What stands there is called with the game and gives a `Player`: a class, or a function.
"""

from importlib.metadata import EntryPoint, entry_points

from benben.core.errors import BenbenError, UnknownPlayer
from benben.core.game import Game
from benben.core.player import Player

GROUP = "benben.bots"


def installed_player(name: str, game: Game) -> Player | None:
    """The installed bot of that name, for a game; None if there is none.

    UnknownPlayer if it cannot be had; whatever BenbenError it raises if it does not play this game.
    """
    found = {each.value: each for each in entry_points(group=GROUP, name=name)}
    if not found:
        return None
    if len(found) > 1:
        raise UnknownPlayer(name, f"several are installed: {' and '.join(sorted(found))}")
    return _made(name, next(iter(found.values())), game)


def _made(name: str, entry: EntryPoint, game: Game) -> Player:
    try:
        player = entry.load()(game)
    except BenbenError:
        raise
    except Exception as error:  # somebody else's code
        why = f"{entry.value} raised {type(error).__name__}: {error}"
        raise UnknownPlayer(name, why) from error
    if not all(callable(getattr(player, method, None)) for method in ("think", "close")):
        raise UnknownPlayer(name, f"what {entry.value} makes is not a benben.Player")
    made: Player = player
    return made
