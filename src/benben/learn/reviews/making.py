"""Making a review: first all of a game roughly, then decision by decision."""

from collections.abc import Iterator
from threading import Event

from benben.bots.levels import LEVELS
from benben.core.player import Cancelled, checkpoint
from benben.learn.reviews.batisseurs import BuilderJudge
from benben.learn.reviews.judges import Judge, SearchJudge, blank
from benben.learn.reviews.objectif import ReaderJudge
from benben.learn.reviews.review import (
    Findings,
    FinishedGame,
    Judged,
    Progress,
    Review,
    ReviewStep,
    SeatReview,
    Shares,
    accuracy_of,
    step_of,
)
from benben.learn.reviews.telling import decided, hidden, turning_points


class Reviewing:
    """A review that is being made; `review` tells how far it is."""

    def __init__(
        self,
        id: str,
        game: FinishedGame,
        cancelled: Event | None = None,
        nodes: int | None = None,
    ) -> None:
        self.id, self.game = id, game
        self._cancelled = cancelled or Event()
        self._found = blank(game)
        self._judge = _judge(game, self._found, self._cancelled, nodes)
        self.looked = False  # at all of it, roughly
        self.complete = False

    def steps(self) -> Iterator[None]:
        """Work on, a little at a time; Cancelled when it is no longer wanted."""
        for _ in self._judge.rough():
            self._check()
            yield
        self.looked = True
        yield
        for _ in self._judge.thorough():
            self._check()
            yield
        self.complete = True

    @property
    def done(self) -> tuple[int, int]:
        """How many decisions have been thought about, of how many."""
        total = len(self.game.decisions)
        return total if self.complete else min(self._found.done, total), total

    def _check(self) -> None:
        if checkpoint(self._cancelled):
            raise Cancelled

    def review(self) -> Review:
        """As far as it is."""
        game, found = self.game, self._found
        self._judge.settle()
        steps = [step_of(game, found, at) for at in range(len(game.steps))] if self.looked else []
        return Review(
            id=self.id,
            game=game.game.name,
            options=game.game.options,
            names=list(game.names),
            levels=list(game.levels),
            shares=list(game.result.shares),
            reason=game.result.reason,
            exact=found.exact,
            by=Judged(LEVELS[-1], self._judge.nodes),
            progress=Progress(*self.done),
            complete=self.complete,
            start=found.chances[0],
            steps=steps,
            seats=_seats(game, found, steps) if self.looked else [],
            turns=(turns := turning_points(game, found, steps)),
            decided=decided(game, found, steps, turns) if self.looked else None,
            colours=list(getattr(game.game.rules, "COLOURS", "")) if found.beliefs else [],
            positions=game.texts if self.looked else [],
        )


def _judge(game: FinishedGame, found: Findings, cancelled: Event, nodes: int | None) -> Judge:
    if game.game.name == "batisseurs":
        return BuilderJudge(game, found, cancelled)
    if game.game.name == "objectif":
        return ReaderJudge(game, found, cancelled, nodes)
    return SearchJudge(game, found, cancelled, nodes)


def _seats(game: FinishedGame, found: Findings, steps: list[ReviewStep]) -> list[SeatReview]:
    throws = [step.luck for step in steps if step.luck is not None]
    told = []
    for seat in range(game.game.players):
        graded = [step for step in steps if step.seat == seat and step.grade is not None]
        told.append(
            SeatReview(
                accuracy_of([step.lost for step in graded]),
                len(graded),
                sum(step.grade == "best" for step in graded),
                sum(step.lost for step in steps if step.seat == seat),
                sum(luck[seat] for luck in throws) if throws else None,
                hidden(game, found, seat),
            )
        )
    return told


def unbegun(id: str, game: FinishedGame) -> Review:
    """What is known before anything was looked at."""
    even = [1 / game.game.players] * game.game.players
    decisions = sum(seat is not None for seat, _ in game.steps)
    return Review(
        id=id,
        game=game.game.name,
        options=game.game.options,
        names=list(game.names),
        levels=list(game.levels),
        shares=list(game.result.shares),
        reason=game.result.reason,
        exact=False,
        by=Judged(LEVELS[-1], 0),
        progress=Progress(0, decisions),
        complete=False,
        start=even,
        steps=[],
        seats=[],
        turns=[],
        decided=None,
    )


def chances_at_a_glance(game: FinishedGame, cancelled: Event | None = None) -> list[Shares]:
    """Everybody's chances before the first step and after each, as the first look has them."""
    found, stop = blank(game), cancelled or Event()
    judge = _judge(game, found, stop, None)
    for _ in judge.rough():
        if stop.is_set():
            raise Cancelled
    judge.settle()
    return found.chances


def made(id: str, game: FinishedGame, nodes: int | None = None) -> Review:
    """The whole review at once."""
    reviewing = Reviewing(id, game, nodes=nodes)
    for _ in reviewing.steps():
        pass
    return reviewing.review()
