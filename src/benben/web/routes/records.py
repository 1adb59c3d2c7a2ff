"""Records that people bring: checked, and shown if they are right. None of them is kept."""

import asyncio
from collections.abc import Callable
from typing import Any

from litestar import Request, post

from benben.core.errors import BenbenError
from benben.table.record import Different, TableRecord, rebuild, verify
from benben.table.views import table_view
from benben.web.auth import StateDep
from benben.web.errors import Problem
from benben.web.openapi import error_responses
from benben.web.responses import RecordChecked
from benben.web.warming import NotReady

LARGEST = 2_000_000  # bytes


@post(
    "/records",
    summary="Check the record of a finished game",
    description="The body is a record. Everything is played again, and all luck drawn again.",
    responses=error_responses(413, 422, 503),
    status_code=200,
    request_max_body_size=LARGEST,
    opt={"cost": 10.0},
    tags=["records"],
)
async def check_record(app: StateDep, request: Request[Any, Any, Any]) -> RecordChecked:
    loop = asyncio.get_running_loop()
    body, admit = await request.body(), app.preparation.admit
    return await loop.run_in_executor(app.checking, _checked, body, admit)


def _checked(text: bytes, admit: Callable[[str], None]) -> RecordChecked:
    try:
        record = TableRecord.parse(text)
        admit(record.terms.game)
        draws = verify(record)
        seen = table_view(
            rebuild(record.terms, record.secret, record.entries), None, record.entries[-1].at
        )
    except NotReady:
        raise
    except Different as error:
        raise Problem(422, "bad-record", str(error), {"number": error.number}) from error
    except BenbenError as error:
        raise Problem(422, "bad-record", str(error)) from error
    except Exception as error:  # what a stranger wrote may be wrong in ways nobody thought of
        raise Problem(422, "bad-record", "this record cannot be replayed") from error
    return RecordChecked(record.id, draws, len(record.entries), seen)
