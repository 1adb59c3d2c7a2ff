"""Errors in the code of a page, as the page reports them."""

from litestar import post
from litestar.params import JSONBody

from benben.web.auth import AddressDep, StateDep
from benben.web.openapi import error_responses
from benben.web.requests import ClientError


@post(
    "/client-errors",
    summary="Report an error in the code of a page",
    responses=error_responses(413),
    status_code=204,
    opt={"cost": 20.0},  # a page reports a few errors at most
)
async def report_error(app: StateDep, address: AddressDep, data: JSONBody[ClientError]) -> None:
    """For the pages of this server. The report is one line in the log of the server and is counted
    in `benben_client_errors_total`; it is not stored. Send nothing about people: no names, tokens,
    ids or queries.
    """
    app.client_errors.report(data, address)
