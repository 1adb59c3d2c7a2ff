"""How a puzzle is judged: what every legal move is worth, and what follows it.

The judge is level 6 of the ladder, given nodes instead of time. Where it looks ahead for two, every
move has a search of its own, so that also the others' worths are found out, or proven.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from benben.bots.alphabeta import AlphaBetaPlayer
from benben.bots.levels import LEVELS, level
from benben.core.game import Game
from benben.core.player import Budget, Certainty, History, Player, Thought, Turn, Worth
from benben.core.position import Position, View
from benben.core.random import generator
from benben.core.rules import CHANCE
from benben.learn.puzzles.puzzle import GAP, SAME, Answer, Puzzle

DOUBTFUL = 0.75  # of a share: a move that is worth more may win as well
LINE = 6  # moves after the one that is answered
_GLANCE = 2_000  # nodes a move, to tell how it goes on
_WORLDS = 24  # times that what is hidden is imagined …
_MOST_WORLDS = 4  # … and so many different ones are looked at
_WARY = 100  # simulations a move in each of them

_Playout: TypeAlias = tuple[tuple[str, ...], Sequence[float]]  # its moves, and each seat's share


@dataclass(frozen=True)
class Judgement:
    """What all legal moves are worth to the seat to move, in their order."""

    worths: tuple[Worth, ...]
    lines: tuple[tuple[str, ...], ...]  # what follows each move, as far as the search told
    nodes: int

    @property
    def best(self) -> float:
        return max(worth.share for worth in self.worths)

    @property
    def right(self) -> tuple[str, ...]:
        """The best move, and what comes to the same."""
        return tuple(each.move for each in self.worths if each.share >= self.best - SAME)

    @property
    def second(self) -> float:
        """The worth of the best of the others; of none, of the best."""
        others = [each.share for each in self.worths if each.share < self.best - SAME]
        return max(others, default=self.best)

    @property
    def certainty(self) -> Certainty:
        """How sure it is that there is nothing else to play: as the least sure of all moves is."""
        known = {worth.certainty for worth in self.worths}
        if "estimated" in known:
            return "estimated"
        return "proven" if "proven" in known else "exact"


def glance(view: View, nodes: int) -> tuple[Worth, ...]:
    """What the moves are worth by one search; those that are not best, at most."""
    player = best_player(view.game)
    if isinstance(player, AlphaBetaPlayer):
        player = AlphaBetaPlayer(thorough=True)
    return _modest(view.game, think(player, view, nodes).worths)


def judge(view: View, nodes: int) -> Judgement:
    """What every move is worth."""
    if isinstance(best_player(view.game), AlphaBetaPlayer):
        found = [_after(view, move, nodes) for move in view.moves()]
        return Judgement(
            tuple(worth for worth, _ in found), tuple(line for _, line in found), nodes
        )
    worths = _modest(view.game, think(best_player(view.game), view, nodes).worths)
    return Judgement(worths, ((),) * len(worths), nodes)


def decided(view: View, seen: Sequence[Worth], nodes: int) -> Judgement | None:
    """What the moves are worth where one alone wins, or all but one lose, by what was `seen`.

    None as soon as it turns out that another move wins too, or nearly so, or does not lose.
    """
    shares = {worth.move: worth.share for worth in seen}
    ordered = sorted(view.moves(), key=shares.__getitem__, reverse=True)
    best, line = _after(view, ordered[0], nodes)
    known = {ordered[0]: (best, line)}
    winning = best.certainty == "proven" and best.share == 1
    for move in ordered[1:]:
        worth, line = known[move] = _after(view, move, nodes)
        lost = worth.certainty == "proven" and worth.share == 0
        if not lost and (not winning or worth.share > DOUBTFUL):
            return None
    found = [known[move] for move in view.moves()]
    return Judgement(tuple(worth for worth, _ in found), tuple(line for _, line in found), nodes)


def holds(name: str, puzzle: Puzzle, nodes: int) -> bool:
    """Whether a puzzle is still what it says when it is judged anew, with so many nodes."""
    found = judge(puzzle.view(name), nodes)
    if set(found.right) != set(puzzle.right) or found.best - found.second < GAP:
        return False
    if puzzle.task == "win":
        best = next(worth for worth in found.worths if worth.move == puzzle.solution)
        return best.certainty == "proven" and best.share == 1 and found.second <= DOUBTFUL
    others = [worth for worth in found.worths if worth.move not in puzzle.right]
    return puzzle.task == "best" or all(each.certainty == "proven" for each in others)


def best_player(game: Game) -> Player:
    return level(game, LEVELS[-1]).player()


def think(player: Player, view: View, nodes: int, seed: int = 0) -> Thought:
    """Of a position of which nothing is known but what there is to see."""
    budget = Budget(simulations=nodes)
    return player.think(Turn(view, History(view), tuple(view.moves()), budget, seed))


def _modest(game: Game, worths: tuple[Worth, ...]) -> tuple[Worth, ...]:
    """Proofs for more than two suppose what each of the others wants: that is an estimate."""
    if game.players == 2:
        return worths
    return tuple(
        Worth(each.move, each.share, each.error) if each.certainty == "proven" else each
        for each in worths
    )


def _after(view: View, move: str, nodes: int) -> tuple[Worth, tuple[str, ...]]:
    """The worth of a move by a search of what comes after it, and the line that was found."""
    seat = view.seat
    now, forced = view.play(move), []
    while now.to_move is not None and len(now.moves()) == 1:  # there is nothing to search
        forced += now.moves()
        now = now.play(forced[-1])
    if now.result is not None:
        assert seat is not None
        return Worth(move, now.result.shares[seat], 0.0, "proven"), tuple(forced)
    turn = now.to_move
    thought = think(AlphaBetaPlayer(), now.game.parse_view(str(now), turn), nodes)
    found = next(worth for worth in thought.worths if worth.move == thought.move)
    share = found.share if turn == seat else 1 - found.share
    return Worth(move, share, found.error, found.certainty), (*forced, *thought.line)


# ---- What follows


def answers(view: View, judgement: Judgement) -> Iterator[Answer]:
    """What is to be told of every move."""
    if view.game.hides:
        yield from _imagined(view, judgement)
        return
    for worth, line in zip(judgement.worths, judgement.lines, strict=True):
        told = _continued(view, worth.move, line[:LINE])
        yield Answer(worth.move, _rounded(worth.share), worth.certainty, told)


def _rounded(share: float) -> float:
    return round(share, 6)


def _continued(view: View, move: str, line: tuple[str, ...]) -> tuple[str, ...]:
    """A line that was found, gone on with until it is long enough, luck decides or it is over."""
    now = view.play(move)
    for each in line:
        now = now.play(each)
    played = list(line)
    player = best_player(view.game)
    while len(played) < LINE and now.to_move is not None and now.to_move != CHANCE:
        seen = now.game.parse_view(str(now), now.to_move)
        played.append(think(player, seen, _GLANCE).move)
        now = now.play(played[-1])
    return tuple(played)


def _imagined(view: View, judgement: Judgement) -> Iterator[Answer]:
    """Each with a game to its end in which the others want what makes the most of a difference."""
    worlds = _worlds(view)
    best = judgement.right[0]
    solved = [_played_out(world.play(best)) for world in worlds]
    wins = max(range(len(worlds)), key=lambda at: solved[at][1][_seat(view)])
    for worth in judgement.worths:
        played, at = solved, wins
        if worth.move not in judgement.right:
            played = [_played_out(world.play(worth.move)) for world in worlds]
            at = max(range(len(worlds)), key=lambda at: _loss(view, solved[at], played[at]))
            if _loss(view, solved[at], played[at]) <= 0:
                yield Answer(worth.move, _rounded(worth.share), worth.certainty)
                continue
        elif worth.move != best:
            played = [_played_out(world.play(worth.move)) for world in worlds]
        line, position = played[at][0], str(worlds[at])
        yield Answer(worth.move, _rounded(worth.share), worth.certainty, line, position)


def _seat(view: View) -> int:
    assert view.seat is not None
    return view.seat


def _loss(view: View, solved: _Playout, played: _Playout) -> float:
    return solved[1][_seat(view)] - played[1][_seat(view)]


def _worlds(view: View) -> list[Position]:
    """Positions that may be what is seen, drawn in a way that is always the same."""
    found: dict[str, Position] = {}
    for number in range(_WORLDS):
        a = view.record
        view.game.rules.imagine(a[0], generator(number))
        world = Position(view.game, a)
        found.setdefault(str(world), world)
    return [found[text] for text in sorted(found)][:_MOST_WORLDS]


def _played_out(position: Position) -> _Playout:
    """How it goes on to the end, and what each seat then has."""
    player, played = best_player(position.game), []
    while position.to_move is not None:
        played.append(think(player, position.view(position.to_move), _WARY).move)
        position = position.play(played[-1])
    result = position.result
    assert result is not None
    return tuple(played), result.shares
