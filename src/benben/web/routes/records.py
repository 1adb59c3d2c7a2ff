"""Uploaded records: verified, shown, and stored for reviews; and how luck is checked.

Records are stored without names and chat, so that a record does not restore an erased player.
"""

import asyncio
import base64
import hashlib
from collections.abc import Callable
from typing import Any

import msgspec
from litestar import Request, Response, get, post
from litestar.params import FromPath
from litestar.types import HTTPScope

from benben.core.errors import BenbenError
from benben.learn.rulebook import fairness_page
from benben.store.event_log import NoSuchTable
from benben.table.record import Different, TableRecord, anonymized, rebuild, verify
from benben.table.table import Refused, Table
from benben.table.views import table_view
from benben.web.auth import AddressDep, StateDep
from benben.web.errors import ApiError
from benben.web.kernel_compiler import NotReady
from benben.web.openapi import OF_FINISHED, route
from benben.web.responses import RecordChecked, TextPage
from benben.web.routes.games import Language, text_page
from benben.web.routes.history import GAME_RECORD, ReaderDep
from benben.web.state import AppState

# Common games have records of 5 to 40 kB; a table with all the events and chat it may have, 1.4 MB.
LARGEST = 1_500_000  # bytes
BYTES_PER_REQUEST = 10_000  # cost as much as one request


def cost(scope: HTTPScope) -> float:
    """The cost by the size of the record; the maximum if the request has no size."""
    length = dict(scope["headers"]).get(b"content-length", b"")
    size = int(length) if length.isdigit() and len(length) < 9 else LARGEST
    return 10 + min(size, LARGEST) // BYTES_PER_REQUEST


@post(
    "/records",
    status_code=200,
    request_max_body_size=LARGEST,
    **route("Check the record of a finished game, and keep it", 413, 422, 503, cost=cost),
)
async def check_record(
    app: StateDep, address: AddressDep, request: Request[Any, Any, Any]
) -> RecordChecked:
    """The body is a record. All moves are replayed, and all luck is drawn again. It is stored
    without names and chat, for 30 days after it was last read. The same record always has the same
    id; the record of a table of this server has the table's id.
    """
    body, admit = await request.body(), app.kernels.require_ready
    record, draws, table = await app.checking.run(address, _checked, body, admit)
    name = await _store(app, record, table)
    seen = table_view(table, None, record.entries[-1].at)
    return RecordChecked(name, draws, len(record.entries), seen)


@get(
    "/records/{id:str}",
    **route(
        "A record that was brought, or that of a table that is over",
        *OF_FINISHED,
        answers=GAME_RECORD,
    ),
)
async def see_record(game_reader: ReaderDep, id: FromPath[str]) -> Response[bytes]:
    found = await game_reader.app.reviews.find(id, game_reader.address)
    if not found.table.closed:
        raise Refused("not-over", "the game is still on", found.table.number)
    record = TableRecord(id=found.id, options=found.table.options, entries=tuple(found.entries))
    return await game_reader.answer(len(record.entries), lambda: record)


@get("/fairness", **route("How luck is drawn and checked, as HTML"))
async def fairness(language: Language) -> TextPage:
    return TextPage(**text_page(fairness_page(language)))


def _checked(text: bytes, admit: Callable[[str], None]) -> tuple[TableRecord, int, Table]:
    try:
        record = TableRecord.parse(text)
        admit(record.options.game)
        return record, verify(record), rebuild(record.options, record.secret, record.entries)
    except NotReady:
        raise
    except Different as error:
        raise ApiError(422, "bad-record", str(error), {"number": error.number}) from error
    except BenbenError as error:
        raise ApiError(422, "bad-record", str(error)) from error
    except Exception as error:  # uploads may be wrong in any way
        raise ApiError(422, "bad-record", "this record cannot be replayed") from error


async def _store(app: AppState, record: TableRecord, table: Table) -> str:
    """Store a record, unless it is of a table of this server. Return its id."""
    # The secret identifies the table, whatever id the file has.
    known = await asyncio.to_thread(app.store.table_with_secret, record.secret)
    if known is not None and await _is_same(app, known, table):
        return known
    text = msgspec.json.encode(anonymized(record)).decode()
    digest = hashlib.sha256(text.encode()).digest()
    name = base64.urlsafe_b64encode(digest[:12]).decode()  # longer than a table's
    await asyncio.to_thread(app.store.archive.save_record, name, app.tables.now(), text)
    return name


async def _is_same(app: AppState, name: str, table: Table) -> bool:
    """Whether the same game was played at a table of this server."""
    try:
        here = (await app.tables.find(name)).table
    except NoSuchTable:
        return False
    return here.closed and (here.start, here.moves) == (table.start, table.moves)
