"""Opinions: what the strongest bot thinks of a position, better and better while somebody looks.

It thinks again and again, each time about twice as many nodes, until there is nothing more to find
or it has thought for long enough. It is only ever given the view of the seat to move, with what
that seat knows of the moves before: so whoever sets up a position learns nothing but what could be
known there. Where a throw is due, what it may bring is weighed throw by throw.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from threading import Event
from types import ModuleType
from typing import Annotated

import msgspec
from msgspec import Meta

from benben.bots.exact import ready, solvable
from benben.core.errors import BenbenError, ImpossiblePosition
from benben.core.game import Game
from benben.core.player import (
    Budget,
    Cancelled,
    Certainty,
    History,
    Player,
    Thought,
    Turn,
    Worth,
    checkpoint,
)
from benben.core.position import Position, View
from benben.core.random import generator
from benben.core.rules import CHANCE, imagine
from benben.learn.hints import strongest

FIRST = 500  # nodes
MOST = 1 << 24
SECONDS = 20.0  # of a processor
_FORCED = 12  # moves in a row without a choice that are looked through
# For a solution that may be on its way, by the number of players: one for two is found when it is
# first wanted, one for three is only read.
_LOOKS = {2: 40, 3: 4}
_PART = 4  # of the nodes, for what each of the others thinks

Share = Annotated[float, Meta(description="Of the win, from 0 to 1; half for a draw of two.")]


class MoveOpinion(msgspec.Struct, frozen=True):
    """What a move is worth to whoever makes it."""

    move: str
    share: Share
    error: Annotated[float, Meta(description="The standard error of the share; 0: certain.")]
    certainty: Certainty


class ThrowOpinion(msgspec.Struct, frozen=True):
    """A throw that may come, and what it is worth to whoever's turn it is."""

    throw: str
    odds: float
    share: Share
    vain: Annotated[bool, Meta(description="It ends the turn for nothing.")]


class Opinion(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is thought so far, of the position through the eyes of `seat`."""

    nodes: Annotated[int, Meta(description="Looked at; 0 where nothing is searched.")]
    done: Annotated[bool, Meta(description="Nothing more will come.")]
    seat: Annotated[int | None, Meta(description="Whose turn it is; null when it is over.")]
    chances: Annotated[
        list[float | None],
        Meta(
            description=(
                "By seat, the share of the win it can expect; null where only `seat`'s is known."
            )
        ),
    ]
    error: Annotated[float, Meta(description="The standard error of them; 0: certain.")]
    certainty: Certainty
    moves: Annotated[list[MoveOpinion], Meta(description="Every legal one, in their order.")] = []
    line: Annotated[list[str], Meta(description="How it is expected to go on.")] = []
    belief: Annotated[
        list[dict[str, float]],
        Meta(description="By seat, how likely it is held to have each secret, as far as it may."),
    ] = []
    throws: Annotated[list[ThrowOpinion], Meta(description="All that may come.")] = []


class NoOpinion(BenbenError):
    """The seat to move would know more than the text tells: nobody can think in its place."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"it is seat {seat + 1}'s turn, and what that seat knows is not told here")


@dataclass(frozen=True)
class Question:
    """A position, and how it came from a start."""

    start: Position | View
    moves: tuple[str, ...]
    position: Position | View

    @classmethod
    def at(cls, start: Position | View, moves: Sequence[str] = ()) -> "Question":
        """After some moves; as `play` refuses, or NoOpinion."""
        asked = cls(start, (), start)
        for move in moves:
            asked = asked.after(move)
        asked.check()
        return asked

    def check(self) -> None:
        """NoOpinion if nobody could think about it."""
        if self.seat is not None:
            self.turn(Budget(simulations=1), Event())

    def after(self, move: str) -> "Question":
        return Question(self.start, (*self.moves, move), self.position.play(move))

    @property
    def game(self) -> Game:
        return self.position.game

    @property
    def seat(self) -> int | None:
        """Who has to decide."""
        seat = self.position.to_move
        return None if seat == CHANCE else seat

    def turn(self, budget: Budget, cancelled: Event) -> Turn:
        """What whoever has to decide is given: their own view of it, and nothing else."""
        seat = self.seat
        assert seat is not None
        view = _seen(self.position, seat)
        history = History(_seen(self.start, seat), self.moves)
        return Turn(view, history, tuple(view.moves()), budget, cancelled=cancelled)


def _seen(position: Position | View, seat: int) -> View:
    """What a seat sees; NoOpinion where a view does not tell it all."""
    if isinstance(position, Position):
        return position.view(seat)
    game = position.game
    try:
        view = game.parse_view(str(position), seat)
    except ImpossiblePosition as error:  # it is what another seat sees
        raise NoOpinion(seat) from error
    if game.hides:
        whole = view.record
        imagine(whole[0], generator(0))
        if Position(game, whole).view(seat) != view:
            raise NoOpinion(seat)
    return view


def opinions(
    question: Question,
    cancelled: Event,
    seconds: float = SECONDS,
    nodes: range = range(FIRST, MOST + 1),
) -> Iterator[Opinion | None]:
    """One opinion after the other, the last one `done`; none after it was cancelled.

    It begins with the first number of nodes and never looks at more than the last. None instead of
    an opinion means that something is on its way: ask again in a moment.
    """
    if question.position.to_move is None:
        yield _over(question)
    elif question.position.to_move == CHANCE:
        yield from _patiently(lambda: _of_throw(question, cancelled), question.game, cancelled)
    else:
        yield from _of_choice(question, cancelled, seconds, nodes, _FORCED)


def _over(question: Question) -> Opinion:
    result = question.position.result
    assert result is not None
    return Opinion(
        nodes=0,
        done=True,
        seat=None,
        chances=list(result.shares),
        error=0.0,
        certainty="proven",
    )


# ---- Somebody has to decide


def _of_choice(
    question: Question, cancelled: Event, seconds: float, nodes: range, forced: int
) -> Iterator[Opinion | None]:
    game, player = question.game, strongest(question.game)
    moves = question.position.moves()
    if len(moves) == 1 and forced and not game.hides:
        after = question.after(moves[0])
        if after.position.to_move != CHANCE:
            yield from _through(question, after, cancelled, seconds, nodes, forced)
            return
    if solvable(game):
        yield from _patiently(lambda: _thought(question, player, cancelled, 1), game, cancelled)
        return
    most, spent = nodes[0], 0.0
    while True:
        begun = time.thread_time()
        opinion = _thought(question, player, cancelled, most)
        if opinion is None:
            return
        took = time.thread_time() - begun
        spent += took
        ended = opinion.nodes < most or spent + 2 * took > seconds or 2 * most > nodes[-1]
        yield msgspec.structs.replace(opinion, done=ended or len(moves) == 1)
        if ended or len(moves) == 1:
            return
        most *= 2


def _through(
    question: Question,
    after: Question,
    cancelled: Event,
    seconds: float,
    nodes: range,
    forced: int,
) -> Iterator[Opinion | None]:
    """Where there is but one move, the position is worth what comes of it."""
    seat, move = question.seat, after.moves[-1]
    assert seat is not None
    if after.position.to_move is None:
        found: Iterator[Opinion | None] = iter([_over(after)])
    else:
        found = _of_choice(after, cancelled, seconds, nodes, forced - 1)
    for each in found:
        share = each.chances[seat] if each else None
        if each is None or share is None:
            yield each
            continue
        yield msgspec.structs.replace(
            each,
            seat=seat,
            moves=[MoveOpinion(move, share, each.error, each.certainty)],
            line=[move, *each.line],
        )


def _thought(question: Question, player: Player, cancelled: Event, nodes: int) -> Opinion | None:
    """What is thought of it within so many nodes; None if it was cancelled."""
    turn = question.turn(Budget(simulations=nodes), cancelled)
    try:
        thought = player.think(turn)
        best = _best(thought)
        chances = _chances(question, player, turn, thought, best.share)
    except Cancelled:
        return None
    letters = getattr(question.game.rules, "COLOURS", "")
    return Opinion(
        nodes=thought.simulations,
        done=False,
        seat=turn.seat,
        chances=chances,
        error=best.error,
        certainty=best.certainty,
        moves=[MoveOpinion(w.move, w.share, w.error, w.certainty) for w in thought.worths],
        line=list(thought.line or (thought.move,)),
        belief=[
            {letter: chance for letter, chance in zip(letters, held, strict=False) if chance > 0}
            for held in thought.belief
        ],
    )


def _best(thought: Thought) -> Worth:
    return next(worth for worth in thought.worths if worth.move == thought.move)


def _chances(
    question: Question, player: Player, turn: Turn, thought: Thought, share: float
) -> list[float | None]:
    """Of every seat. What others think is asked for where nothing is hidden from anybody."""
    game, seat = question.game, turn.seat
    if game.players == 2:
        return [share if each == seat else 1 - share for each in range(2)]
    if not game.hides and not _throws(game):
        found = _of_others(question, player, turn, thought)
        if found is not None and (total := sum(found.values())) > 0:
            rest = (1 - share) / total  # they do not agree in all
            return [share if each == seat else found[each] * rest for each in range(game.players)]
    return [share if each == seat else None for each in range(game.players)]


def _of_others(
    question: Question, player: Player, turn: Turn, thought: Thought
) -> dict[int, float] | None:
    """What each of the others makes of it when its turn comes, as it is expected to go on."""
    found: dict[int, float] = {}
    budget = Budget(simulations=max(1, (turn.budget.simulations or 1) // _PART))
    at = question
    for move in thought.line or (thought.move,):
        at = at.after(move)
        if at.position.to_move is None:
            result = at.position.result
            assert result is not None
            shares = enumerate(result.shares)
            return {s: found.get(s, share) for s, share in shares if s != turn.seat}
        seat = at.seat
        if seat is not None and seat != turn.seat and seat not in found:
            found[seat] = _best(player.think(at.turn(budget, turn.cancelled))).share
        if len(found) == question.game.players - 1:
            return found
    return None


# ---- A throw is due

# Who knows what a turn is worth before the dice are thrown.
_BEFORE_THROWS = {"batisseurs": "benben.bots.batisseurs.player"}


def _throws(game: Game) -> bool:
    return game.name in _BEFORE_THROWS


def _of_throw(question: Question, cancelled: Event) -> Opinion | None:
    """What each throw is worth to whoever's turn it is; None if it was cancelled."""
    game, position = question.game, question.position
    seat = int(position.facts().get("turn", 0))
    thrown = position.chance()
    if not _throws(game):
        return Opinion(
            nodes=0,
            done=True,
            seat=seat,
            chances=[None] * game.players,
            error=0.5,
            certainty="estimated",
        )
    try:
        judge = _judge(game, cancelled)
    except Cancelled:
        return None
    shares, error = judge.known_worths(game, position.record)
    share = float(shares[0])
    worths: dict[str, float] = {}
    for throw, _ in thrown:
        if checkpoint(cancelled):
            return None
        after = position.play(throw)
        if after.to_move == seat:  # otherwise it was in vain
            worths[throw] = float(max(judge.known_worths(game, after.record)[0]))
    vain = sum(odds for throw, odds in thrown if throw not in worths)
    won = sum(odds * worths[throw] for throw, odds in thrown if throw in worths)
    lost = (share - won) / vain if vain else 0.0  # what is left of the whole
    return Opinion(
        nodes=0,
        done=False,
        seat=seat,
        chances=[
            share if each == seat else 1 - share if game.players == 2 else None
            for each in range(game.players)
        ],
        error=error,
        certainty="estimated" if error else "exact",
        throws=[
            ThrowOpinion(
                throw, odds, min(1.0, max(0.0, worths.get(throw, lost))), throw not in worths
            )
            for throw, odds in thrown
        ],
    )


def _judge(game: Game, cancelled: Event) -> ModuleType:
    def check() -> None:
        if checkpoint(cancelled):
            raise Cancelled

    judge = import_module(_BEFORE_THROWS[game.name])  # it loads the game's rules
    judge.race(game, check)  # the first time, this takes a moment
    return judge


def _patiently(
    think: Callable[[], Opinion | None], game: Game, cancelled: Event
) -> Iterator[Opinion | None]:
    """At once, as well as is known; and again when the game's solution is there."""
    looks = _LOOKS.get(game.players, 0) if solvable(game) else 0
    opinion = think()
    while opinion is not None:
        ended = opinion.certainty == "exact" or looks == 0
        yield msgspec.structs.replace(opinion, done=ended)
        if ended:
            return
        while looks and ready(game) is None:
            looks -= 1
            yield None
        if checkpoint(cancelled):
            return
        looks = 0 if ready(game) is None else looks
        opinion = think()
