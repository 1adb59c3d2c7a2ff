"""Errors in the code of a page, as the page reports them."""

from litestar import post
from litestar.params import JSONBody

from benben.web.auth import AddressDep, StateDep
from benben.web.openapi import route
from benben.web.requests import ClientError


@post(
    "/client-errors",
    status_code=204,
    **route("Report an error in the code of a page", 413, cost=20.0),  # few are normal
)
async def report_error(app: StateDep, address: AddressDep, data: JSONBody[ClientError]) -> None:
    """For the pages of this server. The report is one line in the log of the server and is counted
    in `benben_client_errors_total`; it is not stored. Send nothing about people: no names, tokens,
    ids or queries.
    """
    app.client_errors.report(data, address)
