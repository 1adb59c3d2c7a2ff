"""Reminders of turns by a private feed and by mail."""

import asyncio

from litestar import post
from litestar.params import JSONBody

from benben.store.mail import DAY, MailQuota, Reminder, TooMuchMail
from benben.table.options import Days
from benben.table.table import Refused
from benben.table.tokens import hashed, new_token
from benben.web.auth import AddressDep, HolderDep, SeatHolder, StateDep, TablePath
from benben.web.errors import ApiError, no_token
from benben.web.openapi import for_holders
from benben.web.requests import Remind
from benben.web.responses import RemindersSet
from benben.web.settings import LONGEST_ADDRESS, is_mail_address
from benben.web.state import AppState


@post(
    "/{table:str}/reminders",
    **for_holders("Be told when it is your turn", 409, 413, 422, cost=10.0),
)
async def remind(
    app: StateDep, address: AddressDep, holder: HolderDep, data: JSONBody[Remind]
) -> RemindersSet:
    """At a table with days for each turn. The feed's URL is private, and returned once; another
    request returns another URL and ends the earlier feed. With an e-mail address, a mail with a
    link is sent there: reminders follow once its owner has confirmed by it. The response never
    shows whether a mail was sent. Mail can be requested while a game is on, and a few times a day
    from one address and at one table.
    """
    _check(app, holder, data.email)
    key, table, now = new_token(), holder.session.table, app.tables.now()
    reminder = Reminder(
        table=holder.session.id,
        seat=holder.chosen,
        feed=hashed(key),
        address=data.email,
        language=data.language,
        known=table.number,  # no reminder of what the player has seen
    )
    quota = MailQuota(address, app.settings.mail_each, app.settings.mail_daily_total)
    try:
        stored = await asyncio.to_thread(app.store.reminders.set, reminder, now, quota)
    except TooMuchMail as error:
        tomorrow = {"Retry-After": str((DAY - now % DAY) // 1000 + 1)}
        limit = {"limit": error.scope}
        raise ApiError(429, "too-much-mail", str(error), limit, tomorrow) from error
    if stored is None:
        raise no_token("the seat has been given up in the meantime")
    if stored.address and not stored.confirmed:
        app.mailer.ask_to_confirm(stored.table, stored.seat)
    return RemindersSet(f"/feeds/{key}", stored.confirmed)


def _check(app: AppState, holder: SeatHolder, address: str) -> None:
    """Raise Refused or ApiError if a player cannot have reminders, or not by mail."""
    table = holder.session.table
    if not isinstance(table.options.pace, Days):
        words = "reminders are for tables with days for each turn"
        raise Refused("not-by-days", words, table.number)
    if not address:
        return
    if not is_mail_address(address):
        words = f"an address looks like ann@example.org: up to {LONGEST_ADDRESS} ASCII characters"
        raise ApiError(422, "bad-address", words)
    if not app.mailer.can_send:
        words = "this server sends no mail: leave out the address and use the feed"
        raise Refused("no-mail", words, table.number)
    if not table.begun:
        words = "mail can be asked for when the game has begun: leave out the address until then"
        raise Refused("not-begun", words, table.number)
    if table.closed:
        words = "the game is over: there are no turns to be reminded of"
        raise Refused("over", words, table.number)


@post("/{table:str}/reminders/stop", **for_holders("Have no more reminders", status=204))
async def stop(app: StateDep, table: TablePath, holder: HolderDep) -> None:
    """Ends the feed, and the mail."""
    await asyncio.to_thread(app.store.reminders.drop, table, holder.chosen)
