"""Tables: opening, finding and watching them."""

import asyncio
import hashlib
import hmac
import math
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from litestar import Request, get, post
from litestar.params import HeaderParameter, JSONBody
from litestar.types import ASGIApp, HTTPScope

from benben.bots.exact import want
from benben.core.errors import BadOption
from benben.core.game import Game
from benben.core.registry import info, restore
from benben.live.session import TableSession
from benben.store.tables import StoredTable
from benben.table.news import EventMessage
from benben.table.options import TableOptions
from benben.table.tokens import hashed
from benben.table.views import TableView
from benben.web.auth import (
    LONGEST_TOKEN,
    SHORTEST_SECRET,
    AddressDep,
    Key,
    StateDep,
    ViewerDep,
    secret,
)
from benben.web.errors import ApiError
from benben.web.kernel_compiler import NotReady
from benben.web.middleware import charge_for_bots
from benben.web.openapi import TOKEN_OR_NOT, for_viewers, route, streaming
from benben.web.requests import OpenTable
from benben.web.responses import (
    TableListed,
    TableLive,
    TableOfMine,
    TableOpened,
    TablesListed,
    TablesOfMine,
)
from benben.web.sse import EventStream
from benben.web.state import AppState
from benben.web.viewers import Viewer, if_readable

MOST_LISTED, MOST_LIVE, MOST_TOKENS = 50, 12, 50
MOST_PER_OPENER = 3  # open tables in the list that one address has opened
LIVE_FOR = 15 * 60_000  # milliseconds after the last move
ID_BY_KEY = 18  # hexadecimal digits: as hard to guess as an id that is drawn


def cost_of_mine(scope: HTTPScope) -> float:
    """The cost of a request that loads a table for each token."""
    tokens = dict(scope["headers"]).get(b"benben-tokens", b"").split()
    return max(1, math.ceil(len(tokens) / 10))


@post(
    description=(
        "Requests with the same body and the same Idempotency-Key, of at least "
        f"{SHORTEST_SECRET} characters, return the same table to everybody."
    ),
    **route("Open a table", 413, 422, 503),
)
async def open_table(
    app: StateDep,
    address: AddressDep,
    request: Request[Any, Any, Any],
    data: JSONBody[OpenTable],
    key: Key = None,
) -> TableOpened:
    options = info(data.game).resolve(data.players, data.options)
    levels = {seat.bot for seat in data.seats}
    app.kernels.require_ready(data.game, int(options["players"]), levels)
    game = restore(data.game, options)
    bots = tuple(seat.bot for seat in data.seats) or (0,) * game.players
    charge_for_bots(app, request.scope, bots[: game.players])
    position = ""
    if data.position is not None or data.moves:
        position = await app.replaying.run(address, _begins_at, game, data.position, data.moves)
        _check_custom_position(game, bots, data)
    want(game)

    def make(commitment: str) -> TableOptions:
        return TableOptions(
            game=game.name,
            game_options=game.options,
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

    opener = _opener(app, address)
    session = await app.tables.open(make, _id_by(secret(key), repr(data)), opener)
    seen = Viewer(session, None).full_view(app.tables.now())
    return TableOpened(session.id, session.table.options.commitment, seen)


def _opener(app: AppState, address: str) -> str | None:
    """A keyed hash of an address, to count the tables that it has opened; None without limits."""
    if app.counts.addresses.rate <= 0:
        return None
    digest = hmac.digest(app.store.server_key.encode(), address.encode(), "sha256")
    return digest[:8].hex()


def _begins_at(game: Game, position: str | None, moves: Sequence[str]) -> str:
    """The text of the position in which a table begins."""
    if position is None:
        raise BadOption("moves", moves[0], "moves are played from a position: give one")
    reached = game.parse(position)
    for move in moves:
        reached = reached.play(move)
    if reached.to_move is None:
        raise BadOption("position", str(reached), "the game is over in this position")
    return str(reached)


def _check_custom_position(game: Game, bots: Sequence[int], data: OpenTable) -> None:
    """Refuse a chosen position at a public table, and among several people if it has secrets."""
    why = ""
    if data.listed or data.watchable:
        why = "a table that begins from a position of your own cannot be listed or watchable"
    elif game.hides and sum(level == 0 for level in bots) > 1:
        why = (
            f"the person who chooses a position of {game.name} knows everybody's secrets: "
            "only bots can play the other seats"
        )
    if why:
        raise ApiError(422, "bad-position-table", why)


def _id_by(key: str | None, wanted: str) -> str | None:
    """The id of a table that is opened with a key, so that a retry finds it."""
    if key is None:
        return None
    return hashlib.sha256("\n".join(("open", wanted, key)).encode()).hexdigest()[:ID_BY_KEY]


@get(
    description=(
        f"At most {MOST_LISTED} with free seats where somebody is at the table, or sits there for "
        f"a game over days, the newest first, and at most {MOST_PER_OPENER} that one address has "
        "opened; and of those that are live, "
        f"which their players let anybody watch, the {MOST_LIVE} where something has happened "
        f"last, within {LIVE_FOR // 60_000} minutes. Those of a game that is "
        "still being prepared are left out."
    ),
    **route("Tables where strangers can sit down, or watch", 503, cost=3.0),  # loads all of them
)
async def open_tables(app: StateDep) -> TablesListed:
    since = app.tables.now() - LIVE_FOR
    present = await app.tables.waiting_tables()
    stored = await asyncio.to_thread(app.store.lists.open, present)
    others = await asyncio.to_thread(app.store.lists.open_over_days, MOST_PER_OPENER, MOST_LISTED)
    stored += [each for each in others if each.id not in present]
    stored.sort(key=lambda each: (-each.opened, each.id))
    on = await asyncio.to_thread(app.store.lists.live, since, MOST_LIVE)
    live = [await if_readable(each.id, _live(app, each)) for each in on]
    return TablesListed(await _open(app, stored), [each for each in live if each is not None])


async def _open(app: AppState, stored: Sequence[StoredTable]) -> list[TableListed]:
    """The first of these tables, with at most MOST_PER_OPENER of each opener."""
    found: list[TableListed] = []
    opened: Counter[str] = Counter()
    for each in stored:
        opener = each.opener or each.id
        if len(found) >= MOST_LISTED:
            break
        if opened[opener] >= MOST_PER_OPENER:
            continue
        listed = await if_readable(each.id, _listed(app, each))
        if listed is not None and any(seat.taken for seat in listed.seats):
            found.append(listed)
            opened[opener] += 1
    return found


async def _find_playable(app: AppState, stored: StoredTable) -> TableSession:
    """The table; NotReady if its game is still being prepared, without prioritising it."""
    game = msgspec.json.decode(stored.options, type=TableOptions).game
    if not app.kernels.playable(game):
        raise NotReady("the game is still being prepared", 0, game=game)
    return await app.tables.find(stored.id)


async def _listed(app: AppState, stored: StoredTable) -> TableListed:
    session = await _find_playable(app, stored)
    options = session.table.options
    return TableListed(
        id=stored.id,
        opened=stored.opened,
        game=options.game,
        options=options.game_options,
        pace=options.pace,
        leaver=options.leaver,
        drawn=options.drawn,
        custom_position=bool(options.position),
        seats=session.views.seats(app.tables.now()),
    )


async def _live(app: AppState, stored: StoredTable) -> TableLive:
    session = await _find_playable(app, stored)
    table, options = session.table, session.table.options
    moves = sum(step.seat is not None for step in table.steps)
    seats = session.views.seats(app.tables.now())
    return TableLive(stored.id, options.game, options.game_options, options.pace, moves, seats)


@get("/mine", **route("The tables where some tokens hold seats", 503, cost=cost_of_mine))
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
    """Tables of games that are still being prepared are left out."""
    shown = tokens.split()
    if len(shown) > MOST_TOKENS:
        raise ApiError(400, "bad-request", f"at most {MOST_TOKENS} tokens at once")
    held = await asyncio.to_thread(app.store.seats_of_tokens, [hashed(token) for token in shown])
    seen = [await if_readable(name, _mine(app, name, chosen)) for name, chosen in held]
    return TablesOfMine([each for each in seen if each is not None])


async def _mine(app: AppState, name: str, chosen: int) -> TableOfMine:
    session = await app.tables.find(name)
    session.presence.looked(chosen)
    return Viewer(session, chosen).summary(app.tables.now())


@get("/{table:str}", **for_viewers("A table as you may see it"))
async def see_table(app: StateDep, viewer: ViewerDep) -> TableView:
    if viewer.chosen is not None:
        viewer.session.presence.looked(viewer.chosen)
    return viewer.full_view(app.tables.now())


@get(
    "/{table:str}/events",
    security=TOKEN_OR_NOT,
    **streaming("A table's events as they happen", EventMessage, 401, 404, 503),
)
async def events(
    app: StateDep,
    viewer: ViewerDep,
    last: Annotated[
        str | None,
        HeaderParameter(name="Last-Event-ID", description="Go on after it.", required=False),
    ] = None,
) -> ASGIApp:
    """Server-sent events. Without Last-Event-ID the first is `table`, with everything you may see;
    then each is an `event`, whose data is an `EventMessage`: what has changed. Its id is the
    event's number; if one is missing, get the whole table. Between them `present`, without an id,
    has the `seats` of the people who are present, whenever that changes: they have a stream open
    at this server, or had one or viewed the table within the last minute.
    """
    known = int(last) if last and last.isascii() and last.isdigit() and len(last) < 12 else None
    return EventStream(lambda write: app.streams.follow(viewer, known, write))
