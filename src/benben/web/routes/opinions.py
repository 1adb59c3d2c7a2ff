"""Opinions of bots about positions without a table. Nothing is stored."""

from typing import Annotated

from litestar import post
from litestar.params import FromPath, HeaderParameter, JSONBody
from litestar.types import ASGIApp

from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.learn.opinions import Opinion, Question
from benben.web.auth import AddressDep, StateDep
from benben.web.openapi import streaming
from benben.web.opinions import Caller
from benben.web.requests import ShowPosition
from benben.web.routes.positions import at_move, game_of, start_of
from benben.web.sse import EventStream

LONGEST_NAME = 40


@post(
    "/games/{name:str}/opinions",
    summary="What the strongest bot thinks of a position, as it thinks",
    status_code=200,
    **streaming(Opinion, 404, 413, 422, 503, cost=10.0),
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
            max_length=LONGEST_NAME,
        ),
    ] = "",
) -> ASGIApp:
    """Server-sent events: each `opinion` is better than the one before, the last one is `done`. The
    body is that of `positions`; the bot only gets what the seat to move would know there. A new
    request with the same `Benben-Reader` ends the previous one; close the stream when you no longer
    need it. It takes longer when there are many requests, or when bots are playing with people; 429
    or 503 `too-many-opinions` if there are too many.
    """
    game, caller = game_of(app, name, data, bots=True), Caller(address, reader)
    app.opinions.admit(caller)
    question = await app.replaying.run(address, _asked_for, game, data)
    app.opinions.admit(caller)  # again, as other streams may have begun meanwhile
    return EventStream(lambda write: app.opinions.follow(question, caller, write))


def _asked_for(game: Game, asked: ShowPosition) -> Question:
    start = start_of(game, asked)
    question = Question(start, (), start)
    for at, move in enumerate(asked.moves):
        try:
            question = question.after(move)
        except BenbenError as error:
            raise at_move(at, error) from error
    question.check()
    return question
