"""Positions without a table: for lessons, diagrams, puzzles and reviews. Nothing is stored."""

from collections.abc import Sequence
from typing import Any

from litestar import post
from litestar.params import FromPath, JSONBody

from benben.core.errors import BadOption, BenbenError
from benben.core.game import Game
from benben.core.position import Position, View
from benben.core.registry import restore
from benben.core.rules import CHANCE
from benben.table.history import StepView, step_view
from benben.table.views import ResultView
from benben.web.auth import AddressDep, StateDep
from benben.web.errors import ApiError, as_api_error
from benben.web.openapi import error_responses
from benben.web.requests import ShowPosition
from benben.web.responses import PositionSeen, PositionShown
from benben.web.routes.games import known
from benben.web.state import AppState


@post(
    "/games/{name:str}/positions",
    summary="A position, and what may be played there",
    responses=error_responses(404, 413, 422, 503),
    status_code=200,
    opt={"cost": 5.0},
)
async def show_position(
    app: StateDep, address: AddressDep, name: FromPath[str], data: JSONBody[ShowPosition]
) -> PositionShown:
    """A deal, or the position of a text, after some moves and throws. The response has what `seat`
    sees, or without one what a spectator sees. A view (a text with `?`) is shown as it is written,
    or must be what `seat` sees; moves can be played in it until one reveals what it hides. With
    `whole` nothing is hidden. Nothing is stored.
    """
    return await app.replaying.run(address, _asked_for, game_of(app, name, data), data)


def game_of(app: AppState, name: str, asked: ShowPosition, *, bots: bool = False) -> Game:
    """The game that is asked for, when its rules are ready; with `bots`, they are wanted next."""
    options = known(name).resolve(asked.players, asked.options)
    app.kernels.require_ready(name, bots=bots)
    return restore(name, options)


def _asked_for(game: Game, asked: ShowPosition) -> PositionShown:
    start = start_of(game, asked)
    return shown(start, asked.seat, asked.moves, asked.refusals, asked.whole)


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
            raise at_move(at, error) from error
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


def start_of(game: Game, asked: ShowPosition) -> Position | View:
    """The position, or view, from which moves are played."""
    try:
        game.check_seat(asked.seat)
    except IndexError as error:
        raise BadOption("seat", asked.seat, str(error)) from error
    if asked.position is None:
        return game.deal(asked.seed)
    if "?" in asked.position:
        return game.parse_view(asked.position, asked.seat)
    return game.parse(asked.position)


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


def at_move(at: int, error: BenbenError) -> ApiError:
    """Add the index of the refused move to an error."""
    found = as_api_error(error)
    body = found.body.error
    return ApiError(found.status, body.code, body.message, body.detail | {"at": at})
