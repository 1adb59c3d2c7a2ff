"""Tables: opening, finding and watching them."""

import asyncio
import hashlib
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.openapi import ResponseSpec
from litestar.params import HeaderParameter, JSONBody
from litestar.types import ASGIApp

from benben.bots.exact import want
from benben.core.errors import BadOption
from benben.core.game import Game
from benben.core.registry import info, restore
from benben.table.news import EventMessage
from benben.table.store import StoredTable
from benben.table.terms import Terms
from benben.table.tokens import hashed
from benben.table.views import TableView
from benben.web.auth import (
    LONGEST_TOKEN,
    SHORTEST_SECRET,
    Key,
    StateDep,
    ViewerDep,
    secret,
)
from benben.web.errors import Problem
from benben.web.listening import EventStream
from benben.web.openapi import TOKEN_OR_NOT, error_responses
from benben.web.requests import OpenTable
from benben.web.responses import (
    TableListed,
    TableLive,
    TableOpened,
    TablesListed,
    TablesOfMine,
)
from benben.web.state import AppState
from benben.web.viewers import Viewer
from benben.web.warming import NotReady

MOST_LISTED, MOST_LIVE, MOST_TOKENS = 50, 12, 50
LIVE_FOR = 15 * 60_000  # milliseconds after the last move
ID_BY_KEY = 18  # hexadecimal digits: as hard to guess as an id that is drawn


@post(
    summary="Open a table",
    description=(
        "The same request with the same Idempotency-Key, of at least "
        f"{SHORTEST_SECRET} characters, is the same table, whoever asks."
    ),
    responses=error_responses(413, 422, 503),
)
async def open_table(app: StateDep, data: JSONBody[OpenTable], key: Key = None) -> TableOpened:
    options = info(data.game).resolve(data.players, data.options)
    app.preparation.admit(data.game, bots=any(seat.bot for seat in data.seats))
    game = restore(data.game, options)
    bots = tuple(seat.bot for seat in data.seats) or (0,) * game.players
    position = await asyncio.to_thread(_begins_at, game, data.position, data.moves)
    want(game)

    def make(commitment: str) -> Terms:
        return Terms(
            game=game.name,
            options=game.options,
            rules=game.rules.VERSION,
            bots=bots,
            pace=data.pace,
            leaver=data.leaver,
            resign=data.resign or ("bot" if game.players > 2 else "end"),
            listed=data.listed,
            watchable=data.listed if data.watchable is None else data.watchable,
            drawn=data.drawn,
            position=position,
            commitment=commitment,
        )

    loaded = await app.tables.open(make, _id_by(secret(key), repr(data)))
    seen = Viewer(loaded, None).look(app.tables.now())
    return TableOpened(loaded.id, loaded.table.terms.commitment, seen)


def _begins_at(game: Game, position: str | None, moves: Sequence[str]) -> str:
    """The text of where a table begins; empty for a deal."""
    if position is None:
        if moves:
            raise BadOption("moves", moves[0], "moves are played from a position: give one")
        return ""
    reached = game.parse(position)
    for move in moves:
        reached = reached.play(move)
    if reached.to_move is None:
        raise BadOption("position", str(reached), "the game is over in this position")
    return str(reached)


def _id_by(key: str | None, wanted: str) -> str | None:
    """The id of a table that is asked for by a key: the same request finds it again."""
    if key is None:
        return None
    return hashlib.sha256("\n".join(("open", wanted, key)).encode()).hexdigest()[:ID_BY_KEY]


@get(
    summary="Tables where strangers can sit down, or watch",
    description=(
        f"At most {MOST_LISTED} with free seats; and of those that are live, which their players "
        f"let anybody watch, the {MOST_LIVE} where something has happened last, within "
        f"{LIVE_FOR // 60_000} minutes. Those of a game that is still being prepared are left out."
    ),
    responses=error_responses(503),
)
async def open_tables(app: StateDep) -> TablesListed:
    since = app.tables.now() - LIVE_FOR
    kept = await asyncio.to_thread(app.store.open_tables, MOST_LISTED)
    on = await asyncio.to_thread(app.store.live_tables, since, MOST_LIVE)
    return TablesListed(
        [await _listed(app, each) for each in kept if _is_playable(app, each)],
        [await _live(app, each.id) for each in on if _is_playable(app, each)],
    )


def _is_playable(app: AppState, kept: StoredTable) -> bool:
    return app.preparation.playable(msgspec.json.decode(kept.terms, type=Terms).game)


async def _listed(app: AppState, kept: StoredTable) -> TableListed:
    loaded = await app.tables.find(kept.id)
    terms = loaded.table.terms
    return TableListed(
        id=kept.id,
        opened=kept.opened,
        game=terms.game,
        options=terms.options,
        pace=terms.pace,
        leaver=terms.leaver,
        drawn=terms.drawn,
        seats=loaded.views.seats(app.tables.now()),
    )


async def _live(app: AppState, name: str) -> TableLive:
    loaded = await app.tables.find(name)
    table, terms = loaded.table, loaded.table.terms
    moves = sum(step.seat is not None for step in table.steps)
    seats = loaded.views.seats(app.tables.now())
    return TableLive(name, terms.game, terms.options, terms.pace, moves, seats)


@get(
    "/mine",
    summary="The tables where some tokens hold seats",
    description="Those of a game that is still being prepared are left out.",
    responses=error_responses(503),
)
async def mine(
    app: StateDep,
    tokens: Annotated[
        str,
        HeaderParameter(
            name="Benben-Tokens",
            description=f"Tokens, at most {MOST_TOKENS}, with spaces between them.",
            max_length=MOST_TOKENS * (LONGEST_TOKEN + 1),
        ),
    ],
) -> TablesOfMine:
    shown = tokens.split()
    if len(shown) > MOST_TOKENS:
        raise Problem(400, "bad-request", f"at most {MOST_TOKENS} tokens at once")
    held = await asyncio.to_thread(app.store.mine, [hashed(token) for token in shown])
    viewers = []
    for name, chosen in held:
        with suppress(NotReady):
            viewers.append(Viewer(await app.tables.find(name), chosen))
            viewers[-1].loaded.look_in(chosen)
    return TablesOfMine([viewer.glance(app.tables.now()) for viewer in viewers])


@get(
    "/{table:str}",
    summary="A table as you may see it",
    responses=error_responses(401, 404, 503),
    security=TOKEN_OR_NOT,
)
async def see_table(app: StateDep, viewer: ViewerDep) -> TableView:
    if viewer.chosen is not None:
        viewer.loaded.look_in(viewer.chosen)
    return viewer.look(app.tables.now())


@get(
    "/{table:str}/events",
    summary="A table's events as they happen",
    description=(
        "Server-sent events. Without Last-Event-ID the first is `table`, with all there is to see; "
        "then each is an `event`, whose data is an `EventMessage`: what has changed. Its id is the "
        "event's number; where one is missing, ask for the whole table. Between them `present`, "
        "without an id, has the `seats` whose people are there, whenever that changes: they listen "
        "to this server, or did, or looked at the table, within the last minute."
    ),
    responses=error_responses(401, 404, 503)
    | {200: ResponseSpec(EventMessage, description="A stream.", media_type="text/event-stream")},
    security=TOKEN_OR_NOT,
    media_type="text/event-stream",
    opt={"stream": True},
)
async def events(
    app: StateDep,
    viewer: ViewerDep,
    last: Annotated[
        str | None,
        HeaderParameter(name="Last-Event-ID", description="Go on after it.", required=False),
    ] = None,
) -> ASGIApp:
    known = int(last) if last and last.isascii() and last.isdigit() and len(last) < 12 else None
    return EventStream(lambda write: app.streams.follow(viewer, known, write))
