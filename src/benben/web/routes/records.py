"""Records that people bring: checked, shown if they are right, and kept to be reviewed."""

import asyncio
import base64
import hashlib
from collections.abc import Callable
from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath

from benben.core.errors import BenbenError
from benben.table.record import Different, TableRecord, rebuild, verify
from benben.table.store import NoSuchTable
from benben.table.table import Refused, Table
from benben.table.views import table_view
from benben.web.auth import StateDep
from benben.web.errors import Problem
from benben.web.openapi import error_responses
from benben.web.responses import RecordChecked
from benben.web.state import AppState
from benben.web.warming import NotReady

LARGEST = 2_000_000  # bytes


@post(
    "/records",
    summary="Check the record of a finished game, and keep it",
    description=(
        "The body is a record. Everything is played again, and all luck drawn again. The same "
        "record always has the same id; that of a table that is here has the table's."
    ),
    responses=error_responses(413, 422, 503),
    status_code=200,
    request_max_body_size=LARGEST,
    opt={"cost": 10.0},
    tags=["records"],
)
async def check_record(app: StateDep, request: Request[Any, Any, Any]) -> RecordChecked:
    loop = asyncio.get_running_loop()
    body, admit = await request.body(), app.preparation.admit
    record, draws, table = await loop.run_in_executor(app.checking, _checked, body, admit)
    name = await _kept(app, record, table)
    seen = table_view(table, None, record.entries[-1].at)
    return RecordChecked(name, draws, len(record.entries), seen)


@get(
    "/records/{id:str}",
    summary="A record that was brought, or that of a table that is over",
    responses=error_responses(404, 409, 503),
    tags=["records"],
)
async def see_record(app: StateDep, id: FromPath[str]) -> TableRecord:  # noqa: A002
    found = await app.reviews.find(id)
    if not found.table.closed:
        raise Refused("not-over", "the game is still on", found.table.number)
    return TableRecord(id=found.id, terms=found.table.terms, entries=tuple(found.entries))


def _checked(text: bytes, admit: Callable[[str], None]) -> tuple[TableRecord, int, Table]:
    try:
        record = TableRecord.parse(text)
        admit(record.terms.game)
        return record, verify(record), rebuild(record.terms, record.secret, record.entries)
    except NotReady:
        raise
    except Different as error:
        raise Problem(422, "bad-record", str(error), {"number": error.number}) from error
    except BenbenError as error:
        raise Problem(422, "bad-record", str(error)) from error
    except Exception as error:  # what a stranger wrote may be wrong in ways nobody thought of
        raise Problem(422, "bad-record", "this record cannot be replayed") from error


async def _kept(app: AppState, record: TableRecord, table: Table) -> str:
    """By which id the game is found here from now on."""
    try:
        here = (await app.tables.find(record.id)).table
    except NoSuchTable:
        here = None
    same = here is not None and here.closed and here.terms.commitment == table.terms.commitment
    if here is not None and same and (here.start, here.moves) == (table.start, table.moves):
        return record.id
    text = str(record)
    digest = hashlib.sha256(text.encode()).digest()
    name = base64.urlsafe_b64encode(digest[:12]).decode()  # longer than a table's
    await asyncio.to_thread(app.store.kept.keep_record, name, app.tables.now(), text)
    return name
