"""Which games are played to find out about the balance of a game, each of them by its number.

A *round* is every seat beginning once and, with several bots, every seating of them, all with the
same deal. What a deal gives to a seat counts for it as often when it begins as when it is last.
Throws, random openings and the bots' own luck are drawn anew for each game.

Where only bots are to be compared, a *short* round will do: one seat begins all of it, the next
seat the next round, and of all seatings it has only so many that every bot has every seat equally
often, and meets every other equally often. A better place in the order of play, or a better deal,
then helps all of them alike. Five bots on four seats take 20 games, and not 480: there can be many
rounds, and how these differ tells how sure the result is.
"""

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from threading import Event
from typing import Any

from benben import __version__
from benben.bots.entrants import Entrant, entrant
from benben.bots.exact import ready, solvable
from benben.bots.levels import level
from benben.core.chance import RandomStream
from benben.core.errors import BenbenError, PlayerFailed, UnknownPlayer
from benben.core.game import Game
from benben.core.paths import data_root
from benben.core.player import Budget
from benben.core.registry import game as find
from benben.core.rules import CHANCE
from benben.lab.arena import MOST_BOTS, MOST_OPENINGS
from benben.lab.balance.watching import GameNote, watch
from benben.lab.code import code_of
from benben.lab.match import play_match
from benben.lab.seatings import seatings

FORMAT = 1
MARK = "benben-balance"
OPENINGS = 4  # random moves, where bots would play one game again and again
_BEST = "6:"  # the best level by nodes, which plays alike on every machine


@dataclass(frozen=True)
class Study:
    """Games between bots by name; the same study has the same games, apart from the clock's.

    One bot has all seats; several are seated in every way.
    """

    name: str
    players: int
    value: str  # of the game's own option
    bots: tuple[str, ...]
    seed: str = "0"
    openings: int = 0
    judged: bool = True  # whether it is noted who leads when, which takes as long again
    short: bool = False  # whether rounds are

    def __post_init__(self) -> None:
        if not 1 <= len(self.bots) <= MOST_BOTS:
            raise BenbenError(f"a study takes 1 to {MOST_BOTS} bots, not {len(self.bots)}")
        for bot in self.bots:
            if self.bots.count(bot) > 1:
                raise BenbenError(f"{bot} is named twice: alone it has every seat")
        if not 0 <= self.openings <= MOST_OPENINGS:
            why = f"must be a whole number from 0 to {MOST_OPENINGS}"
            raise BenbenError(f"openings={self.openings}: {why}")

    @cached_property
    def games(self) -> tuple[Game, ...]:
        """The game, with each seat beginning; one, where it is fixed who does."""
        game = find(self.name, players=self.players)
        own = {game.info.option.name: self.value} if self.has_option else {}
        firsts = [1] if game.info.first_is_fixed else range(1, self.players + 1)
        return tuple(find(self.name, players=self.players, first=first, **own) for first in firsts)

    @property
    def has_option(self) -> bool:
        return self.value != ""

    @property
    def game(self) -> Game:
        return self.games[0]

    @cached_property
    def seatings(self) -> list[tuple[int, ...]]:
        if len(self.bots) == 1:
            return [(0,) * self.players]
        bots = len(self.bots)
        if self.short:
            return seatings(bots, self.players, most=bots * (bots - 1))
        return seatings(bots, self.players)

    @cached_property
    def lineups(self) -> list[tuple[int, ...]]:
        """Who sits where in the games of a round."""
        return self.seatings if self.short else self.seatings * len(self.games)

    @property
    def round_size(self) -> int:
        return len(self.lineups)

    def rounds(self, games: int) -> int:
        """How many whole rounds have at least so many games."""
        return -(-games // self.round_size)

    def seated(self, number: int) -> tuple[str, ...]:
        return tuple(self.bots[i] for i in self.seatings[number % len(self.seatings)])

    def first(self, number: int) -> int:
        """The seat that begins a game, from 0."""
        if self.short:
            return number // self.round_size % len(self.games)
        return number % self.round_size // len(self.seatings)

    @property
    def solved(self) -> bool:
        """Whether positions are judged by a solution; one that takes minutes may not be there."""
        return solvable(self.game) and ready(self.game) is not None

    @property
    def header(self) -> dict[str, Any]:
        """What must be the same for games to be put together."""
        return {
            MARK: FORMAT,
            "game": self.name,
            "players": self.players,
            "option": self.value,
            "rules": self.game.rules.VERSION,
            "bots": list(self.bots),
            "seed": self.seed,
            "openings": self.openings,
            "judged": self.judged,
            "solved": self.solved,
            "benben": __version__,
            "code": code_of(self.name, "lab/balance/watching.py", "learn/reviews"),
            **({"short": True} if self.short else {}),
        }

    @property
    def path(self) -> Path:
        """Where the games are kept."""
        digest = hashlib.sha256(json.dumps(self.header).encode()).hexdigest()[:12]
        return data_root() / "balance" / f"{self.name}-{digest}.jsonl"

    def play(self, number: int, cancelled: Event | None = None) -> GameNote:
        """Play a game and note what it tells; PlayerFailed, if a bot does."""
        game, bots = self.games[self.first(number)], self.seated(number)
        deal = RandomStream(_key(f"balance deal {number // self.round_size} {self.seed}"))
        players = {bot: bot_of(bot, game) for bot in bots}
        try:
            played = play_match(
                game,
                [players[bot] for bot in bots],
                _key(f"balance {number} {self.seed}"),
                cancelled,
                self.openings,
                game.deal(source=deal),
            )
        finally:
            for each in players.values():
                each.player.close()
        for seat, why in played.failures.items():
            raise PlayerFailed(bots[seat], why)
        return watch(number, self.first(number), played, self.judged, cancelled)


def study_of(
    game: Game, bots: tuple[str, ...], seed: str = "0", openings: int | None = None
) -> Study:
    """A study of a game as its options are, but for who begins."""
    study = Study(
        game.name, game.players, str(game.options.get(game.info.option.name, "")), bots, seed
    )
    if openings is None:
        openings = OPENINGS if always_alike(study.game) else 0
    return replace(study, openings=openings)


def always_alike(game: Game) -> bool:
    """Whether neither a deal nor a throw makes one game different from another."""
    return game.deal(seed=0).to_move != CHANCE and not has_deals(game)


def has_deals(game: Game) -> bool:
    """Whether one game begins otherwise than another."""
    start = game.deal(seed=0)
    return any(game.deal(seed=seed) != start for seed in (1, 2, 3))


def bot_of(name: str, game: Game) -> Entrant:
    """A bot by name, as the arena has them; `6:500` is level 6 with so many nodes a move."""
    nodes = name.removeprefix(_BEST)
    if nodes == name:
        return entrant(name, game)
    if not (nodes.isascii() and nodes.isdigit() and len(nodes) < 9 and int(nodes)):
        raise UnknownPlayer(name, "level 6 takes a number of nodes, such as 6:500")
    return Entrant(name, level(game, 6).player(), Budget(simulations=int(nodes)))


def _key(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
