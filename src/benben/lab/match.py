"""One game between players that may fail.

The deal, the opening and the throws are one stream of draws from the seed, and every seat has a
stream of its own from which its turns are seeded: nothing a player does changes anybody's luck.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from threading import Event
from time import perf_counter

from benben.bots.entrants import Entrant
from benben.core.chance import RandomStream, Source
from benben.core.errors import BadNotation, BenbenError, IllegalMove, PlayerFailed
from benben.core.game import Game
from benben.core.player import Cancelled, Turn
from benben.core.position import Position
from benben.core.rules import CHANCE

FAILED = "failed"  # the reason of a result that a player's failure decided
_SEEDS = 2**53  # whole numbers that every language can read
_LONGEST = 200  # characters of a failure's reason
_TRIES = 100  # to draw an opening that leaves something to play


@dataclass(frozen=True)
class Played:
    """A game that has ended. What is counted by seat has an item for each."""

    start: Position
    moves: tuple[str, ...]  # throws too
    shares: tuple[float, ...]
    reason: str
    decisions: tuple[int, ...]
    seconds: tuple[float, ...] = field(compare=False)  # spent on them
    failures: dict[int, str]  # why, by the seat that failed


def play_match(
    game: Game,
    entrants: Sequence[Entrant],
    seed: int | str | bytes,
    cancelled: Event | None = None,
    openings: int = 0,
    start: Position | None = None,
) -> Played:
    """Play to the end, or until a player fails: then that player loses and the others share.

    It begins with a deal, or with `start`. The first `openings` moves are drawn; players find them
    in their history, and decide from there.
    A player fails when it says so, raises anything else, or makes a move the rules forbid.
    Cancelled, if `cancelled` was set.
    """
    if len(entrants) != game.players:
        raise BenbenError(f"{game.name} has {game.players} seats here, not {len(entrants)}")
    key = seed if isinstance(seed, bytes) else str(seed).encode()
    dice = RandomStream(key)
    seeds = [RandomStream(b"seat %d " % seat + key) for seat in range(game.players)]
    stop = cancelled or Event()
    if start is None:
        start = game.deal(source=dice)
    moves, position = draw_opening(start, openings, dice)
    decisions, seconds = [0] * game.players, [0.0] * game.players
    failures: dict[int, str] = {}
    while (seat := position.to_move) is not None:
        if stop.is_set():
            raise Cancelled
        if seat == CHANCE:
            move = position.draw(dice)
            position = position.play(move)
        else:
            entrant = entrants[seat]
            seed_of_turn = seeds[seat].below(_SEEDS)
            turn = Turn.at(start, moves, position, entrant.budget, seed_of_turn, stop)
            decisions[seat] += 1
            began = perf_counter()
            try:
                move = _decision(entrant, turn)
                seconds[seat] += perf_counter() - began
                position = _after(entrant, position, move)
            except PlayerFailed as failed:
                seconds[seat] += perf_counter() - began
                failures[seat] = _short(failed.why)
                break
        moves.append(move)
    if failures:
        names = [entrant.name for entrant in entrants]
        shares, reason = forfeit(names, {names[seat] for seat in failures}), FAILED
    else:
        result = position.result
        assert result is not None
        shares, reason = result.shares, result.reason
    return Played(start, tuple(moves), shares, reason, tuple(decisions), tuple(seconds), failures)


def draw_opening(start: Position, plies: int, dice: Source) -> tuple[list[str], Position]:
    """So many legal moves at random, with the throws that come between them, and where they lead.

    One that ends the game is drawn again. BenbenError, if they always do.
    """
    for _ in range(_TRIES):
        position, moves, left = start, [], plies
        while left and (seat := position.to_move) is not None:
            if seat == CHANCE:
                move = position.draw(dice)
            else:
                legal = position.moves()
                move = legal[dice.below(len(legal))]
                left -= 1
            moves.append(move)
            position = position.play(move)
        if position.to_move is not None:
            return moves, position
    raise BenbenError(f"openings={plies}: {start.game.name} is over before so many moves")


def forfeit(names: Sequence[str], losers: Collection[str]) -> tuple[float, ...]:
    """The others share the point, as when somebody resigns; all do if there are no others.

    Who has several seats loses on all of them: none of them could have gone on.

    >>> forfeit(["a", "b", "c"], ["b"])
    (0.5, 0.0, 0.5)
    """
    others = [name not in losers for name in names]
    if not any(others):
        others = [True] * len(names)
    return tuple(1 / sum(others) if other else 0.0 for other in others)


def _decision(entrant: Entrant, turn: Turn) -> str:
    """The player's move, legal or not; PlayerFailed, whatever else it does."""
    try:
        return entrant.player.think(turn).move
    except PlayerFailed:
        raise
    except Cancelled as error:
        if turn.cancelled.is_set():
            raise
        raise PlayerFailed(entrant.name, "stopped thinking without being asked to") from error
    except (Exception, SystemExit) as error:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise PlayerFailed(entrant.name, f"raised {what}") from error


def _after(entrant: Entrant, position: Position, move: str) -> Position:
    try:
        return position.play(move)
    except IllegalMove as error:
        why = str(error).removeprefix(f"{move} ")
        raise PlayerFailed(entrant.name, f"played {move}, which {why}") from error
    except BadNotation as error:
        why = f"played {_short(repr(move), 60)}, which is not a move of {position.game.name}"
        raise PlayerFailed(entrant.name, why) from error


def _short(text: str, longest: int = _LONGEST) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"
