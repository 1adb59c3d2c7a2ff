"""Positions without a table: for lessons, diagrams, puzzles and reviews; and opinions about them.

Nothing is stored.
"""

from collections.abc import Sequence
from typing import Annotated, Any

from litestar import post
from litestar.params import FromPath, HeaderParameter, JSONBody
from litestar.types import ASGIApp

from benben.core.errors import BadOption, BenbenError
from benben.core.game import Game
from benben.core.position import Position, View
from benben.core.registry import restore
from benben.core.rules import CHANCE
from benben.learn.opinions import Opinion, Question
from benben.table.history import StepView, step_view
from benben.table.views import ResultView
from benben.web.auth import AddressDep, StateDep
from benben.web.errors import ApiError, as_api_error
from benben.web.openapi import OF_POSITIONS, route, streaming
from benben.web.opinions import Caller
from benben.web.requests import ShowPosition
from benben.web.responses import PositionSeen, PositionShown
from benben.web.routes.games import known
from benben.web.sse import EventStream
from benben.web.state import AppState

LONGEST_READER = 40  # characters of the name of a reader


@post(
    "/games/{name:str}/positions",
    status_code=200,
    **route("A position, and what may be played there", *OF_POSITIONS, cost=5.0),
)
async def show_position(
    app: StateDep, address: AddressDep, name: FromPath[str], data: JSONBody[ShowPosition]
) -> PositionShown:
    """A deal, or the position of a text, after some moves and throws. The response has what `seat`
    sees, or without one what a spectator sees. A view (a text with `?`) is shown as it is written,
    or must be what `seat` sees; moves can be played in it until one reveals what it hides. With
    `whole` nothing is hidden. Nothing is stored.
    """
    return await app.replaying.run(address, _position_shown, _game_of(app, name, data), data)


@post(
    "/games/{name:str}/opinions",
    status_code=200,
    **streaming(
        "What the strongest bot thinks of a position, as it thinks",
        Opinion,
        *OF_POSITIONS,
        cost=10.0,
    ),
)
async def opinions(
    app: StateDep,
    address: AddressDep,
    name: FromPath[str],
    data: JSONBody[ShowPosition],
    reader: Annotated[
        str,
        HeaderParameter(
            name="Benben-Reader",
            description="Any name: so that several at one address can ask at once.",
            required=False,
            max_length=LONGEST_READER,
        ),
    ] = "",
) -> ASGIApp:
    """Server-sent events: each `opinion` is better than the one before, the last one is `done`. The
    body is that of `positions`; the bot only gets what the seat to move would know there. A new
    request with the same `Benben-Reader` ends the previous one; close the stream when you no longer
    need it. It takes longer when there are many requests, or when bots are playing with people; 429
    or 503 `too-many-opinions` if there are too many.
    """
    game, caller = _game_of(app, name, data, bots=True), Caller(address, reader)
    app.opinions.admit(caller)
    question = await app.replaying.run(address, _question, game, data)
    app.opinions.admit(caller)  # again, as other streams may have begun meanwhile
    return EventStream(lambda write: app.opinions.follow(question, caller, write))


def _game_of(app: AppState, name: str, body: ShowPosition, *, bots: bool = False) -> Game:
    """The requested game, when its rules are ready; with `bots`, they are compiled next."""
    options = known(name).resolve(body.players, body.options)
    app.kernels.require_ready(name, bots=bots)
    return restore(name, options)


def _position_shown(game: Game, body: ShowPosition) -> PositionShown:
    start = _start_of(game, body)
    return shown(start, body.seat, body.moves, body.refusals, body.whole)


def _question(game: Game, body: ShowPosition) -> Question:
    start = _start_of(game, body)
    question = Question(start, (), start)
    for at, move in enumerate(body.moves):
        try:
            question = question.after(move)
        except BenbenError as error:
            raise _at_move(at, error) from error
    question.check()
    return question


def shown(
    position: Position | View,
    seat: int | None,
    moves: Sequence[str],
    refusals: bool,
    whole: bool = False,
) -> PositionShown:
    """What a seat, or with `whole` somebody who knows everything, sees of a position and moves."""
    game = position.game
    start = view = _view(position, seat, whole)
    steps: list[StepView] = []
    for at, move in enumerate(moves):
        try:
            position = position.play(move)
        except BenbenError as error:
            raise _at_move(at, error) from error
        before, view = view, _view(position, seat, whole)
        steps.append(step_view(before, move, view, _mover(before)))
    result = view.result
    return PositionShown(
        **_seen(view),
        game=game.name,
        options=game.options,
        start=PositionSeen(**_seen(start)),
        steps=steps,
        legal=view.choices(),
        throws=view.chance(),
        result=None if result is None else ResultView(result.shares, result.reason),
        refusals=view.refusals() if refusals else None,
    )


def _start_of(game: Game, body: ShowPosition) -> Position | View:
    """The position, or view, from which moves are played."""
    try:
        game.check_seat(body.seat)
    except IndexError as error:
        raise BadOption("seat", body.seat, str(error)) from error
    if body.position is None:
        return game.deal(body.seed)
    if "?" in body.position:
        return game.parse_view(body.position, body.seat)
    return game.parse(body.position)


def _view(position: Position | View, seat: int | None, whole: bool) -> View:
    if isinstance(position, View):
        return position
    return View(position.game, position.record, seat) if whole else position.view(seat)


def _mover(view: View) -> int | None:
    return None if view.to_move == CHANCE else view.to_move


def _seen(view: View) -> dict[str, Any]:
    return {
        "view": str(view),
        "drawing": view.drawing(),
        "facts": view.facts(),
        "to_move": _mover(view),
    }


def _at_move(at: int, error: BenbenError) -> ApiError:
    """Add the index of the refused move to an error."""
    found = as_api_error(error)
    body = found.body.error
    return ApiError(found.status, body.code, body.message, body.detail | {"at": at})
