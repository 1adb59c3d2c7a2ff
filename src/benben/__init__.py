"""Benben: four old French board games, exactly by their rules.

>>> import benben
>>> game = benben.game("pyramidis", players=4, first=1)
>>> position = game.deal()
>>> position = position.play("d1*3")
>>> str(position)
'a5=tttttttt,d1=bbbbb,d2=b,d3=b,d4=b,d8=mmmmmmmm,h5=cccccccc b0t0m0c0 t 1'
"""

from benben import games as _games  # fills the registry
from benben.bots.entrants import Entrant, entrant
from benben.bots.levels import Level, ladder
from benben.core.chance import RandomStream, Source
from benben.core.effects import Choice, Diagram, Drawing, Effect, Facts, Refusal, follow
from benben.core.errors import (
    BadBudget,
    BadNotation,
    BadOption,
    BenbenError,
    Hidden,
    IllegalMove,
    ImpossiblePosition,
    NotToMove,
    PlayerFailed,
    UnknownGame,
    UnknownPlayer,
)
from benben.core.game import Game
from benben.core.info import Info
from benben.core.outcome import Result
from benben.core.player import Budget, Cancelled, History, Player, Thought, Turn, Worth
from benben.core.playouts import Playouts, playouts
from benben.core.position import Position, View
from benben.core.registry import game, info, names
from benben.core.rules import CHANCE

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "BadBudget",
    "BadNotation",
    "BadOption",
    "BenbenError",
    "Budget",
    "Cancelled",
    "Choice",
    "Diagram",
    "Drawing",
    "Effect",
    "Entrant",
    "Facts",
    "Game",
    "Hidden",
    "History",
    "IllegalMove",
    "ImpossiblePosition",
    "Info",
    "Level",
    "NotToMove",
    "Player",
    "PlayerFailed",
    "Playouts",
    "Position",
    "RandomStream",
    "Refusal",
    "Result",
    "Source",
    "Thought",
    "Turn",
    "UnknownGame",
    "UnknownPlayer",
    "View",
    "Worth",
    "entrant",
    "follow",
    "game",
    "info",
    "ladder",
    "names",
    "playouts",
]

del _games
