"""Puzzles: the collections, each puzzle as its mover sees it, its solution, and tries."""

from datetime import date as day
from typing import Annotated

from litestar import get, post
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec.structs import asdict

from benben.core.errors import BadOption, Hidden
from benben.learn.hints import GENERAL, IdeaView
from benben.learn.puzzles.daily import of_the_day, today
from benben.learn.puzzles.puzzle import Puzzle, advised, collection
from benben.web.auth import AddressDep, StateDep
from benben.web.errors import ApiError
from benben.web.openapi import OF_POSITIONS, route
from benben.web.requests import TryPuzzle
from benben.web.responses import (
    PositionShown,
    PuzzleAnswer,
    PuzzleListed,
    PuzzleOfTheDay,
    PuzzleShown,
    PuzzlesListed,
)
from benben.web.routes.games import known
from benben.web.routes.positions import shown
from benben.web.state import AppState


@get("/puzzles/today", **route("The puzzle of the day", 404, 422))
async def of_today(
    date: Annotated[
        str | None, QueryParameter(description="Another day, as 2026-11-17.", max_length=10)
    ] = None,
) -> PuzzleOfTheDay:
    """The same for everybody: days begin at midnight UTC, games take turns, and no puzzle of a game
    comes again before all others have.
    """
    try:
        when = today() if date is None else day.fromisoformat(date)
    except ValueError as error:
        raise BadOption("date", date, "must be a day, as 2026-11-17") from error
    name, puzzle = of_the_day(when)
    return PuzzleOfTheDay(when.isoformat(), _card(name, puzzle))


@get("/puzzles/{name:str}", **route("The puzzles of a game", 404))
async def listed(name: FromPath[str]) -> PuzzlesListed:
    return PuzzlesListed(
        name, [_card(name, puzzle) for puzzle in collection(known(name).name).puzzles]
    )


@get(
    "/puzzles/{name:str}/{puzzle:str}",
    **route("A puzzle, as its mover sees it", 404, 503, cost=5.0),
)
async def puzzle(
    app: StateDep, address: AddressDep, name: FromPath[str], puzzle: FromPath[str]
) -> PuzzleShown:
    """With the legal moves, and why all others are refused."""
    found = _found(app, name, puzzle)
    return await app.replaying.run(address, _shown, name, found)


@get(
    "/puzzles/{name:str}/{puzzle:str}/solution",
    **route("The solution of a puzzle", 404, 503, cost=5.0),
)
async def solution(
    app: StateDep, address: AddressDep, name: FromPath[str], puzzle: FromPath[str]
) -> PuzzleAnswer:
    """The best move, what it is worth, and how play goes on."""
    found = _found(app, name, puzzle)
    return await app.replaying.run(address, _answer, name, found, found.solution)


@post(
    "/puzzles/{name:str}/{puzzle:str}/try",
    status_code=200,
    **route("Try a move in a puzzle", *OF_POSITIONS, cost=5.0),
)
async def attempt(
    app: StateDep,
    address: AddressDep,
    name: FromPath[str],
    puzzle: FromPath[str],
    data: JSONBody[TryPuzzle],
) -> PuzzleAnswer:
    """Whether it is right, what it is worth, and what follows: how the solution goes on, or what
    refutes the move. Nothing is stored.
    """
    found = _found(app, name, puzzle)
    return await app.replaying.run(address, _answer, name, found, data.move)


def _found(app: AppState, name: str, wanted: str) -> Puzzle:
    """A puzzle, when its game's rules are ready."""
    found = collection(known(name).name).puzzle(wanted)
    app.kernels.require_ready(name)
    return found


def _card(name: str, puzzle: Puzzle) -> PuzzleListed:
    return PuzzleListed(
        id=puzzle.id,
        game=name,
        grade=puzzle.grade,
        players=int(puzzle.options["players"]),
        phase=puzzle.phase,
        task=puzzle.task,
        certainty=puzzle.certainty,
    )


def _shown(name: str, puzzle: Puzzle) -> PuzzleShown:
    return PuzzleShown(
        **asdict(_card(name, puzzle)),
        seat=puzzle.seat,
        nudge=list(advised(name, puzzle).places),
        position=shown(puzzle.view(name), puzzle.seat, [], refusals=True),
    )


def _answer(name: str, puzzle: Puzzle, move: str) -> PuzzleAnswer:
    puzzle.view(name).effects(move)  # raises IllegalMove
    answer, best = puzzle.answer(move), puzzle.answer(puzzle.solution)
    right = move in puzzle.right
    return PuzzleAnswer(
        right=right,
        move=move,
        why=puzzle.why(move),
        share=answer.share,
        certainty=answer.certainty,
        best=puzzle.best,
        best_certainty=best.certainty,
        line=_line(name, puzzle, move),
        imagined=bool(answer.position),
        idea=_idea(name, puzzle) if right else None,
    )


def _line(name: str, puzzle: Puzzle, move: str) -> PositionShown:
    """The move and what follows it, or only the position if the move reveals something hidden."""
    answer = puzzle.answer(move)
    start = puzzle.start(name, answer)
    try:
        return shown(start, puzzle.seat, [move, *answer.line], refusals=False)
    except ApiError as error:
        if not isinstance(error.__cause__, Hidden):
            raise
        return shown(start, puzzle.seat, [], refusals=False)


def _idea(name: str, puzzle: Puzzle) -> IdeaView:
    idea = advised(name, puzzle).idea
    return IdeaView(idea.id, idea.id in GENERAL, idea.parameters)
