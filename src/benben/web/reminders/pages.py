"""Where the links in mails lead: to confirm what was asked for, and to stop all mail.

The keys in them are told to nobody but the owner of the address. Looking at a page changes
nothing, as programs follow links too: a button does. No log has the keys.
"""

import asyncio
from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import Annotated, Any, TypeAlias

from litestar import Request, Response, get, post
from litestar.params import PathParameter

from benben.store.mail import Mailbox, Reminder
from benben.table.tokens import hashed
from benben.web.auth import StateDep
from benben.web.errors import ApiError
from benben.web.openapi import error_responses
from benben.web.reminders.wording import LANGUAGES, worded
from benben.web.state import AppState

HTML = "text/html"
MOST_SHOWN = 10  # requests on a page: who has more has been flooded, and asks again for theirs
_STYLE = (
    ":root{color-scheme:light dark;font:1.125rem/1.5 system-ui,sans-serif}"
    "body{max-width:32rem;margin:3rem auto;padding:0 1rem}"
    "button{font:inherit;padding:.5rem 1rem;min-height:2.75rem}"
)
_STYLE_HASH = b64encode(sha256(_STYLE.encode()).digest()).decode()
_HEADERS = {
    "Content-Security-Policy": (
        f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; form-action 'self'; "
        "frame-ancestors 'none'"
    )
}
_PAGE = (
    '<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width,initial-scale=1">'
    '<meta name="robots" content="noindex">'
    "<title>Benben</title><style>{style}</style></head>\n"
    "<body><main><h1>Benben</h1>\n{body}</main></body></html>\n"
)

MailKey: TypeAlias = Annotated[str, PathParameter(description="From the link in a mail.")]


@get("/{key:str}/confirm", include_in_schema=False, media_type=HTML)
async def ask_to_confirm(app: StateDep, key: MailKey) -> Response[str]:
    box = await _linked(app, key)
    return _nothing() if box is None else await _requests(app, box)


@post("/{key:str}/confirm", include_in_schema=False, media_type=HTML, status_code=200)
async def confirm(request: Request[Any, Any, Any], app: StateDep, key: MailKey) -> Response[str]:
    """The reminder that a button stands for; others that wait are shown below."""
    box = await _linked(app, key)
    if box is None:
        return _nothing()
    feed = str((await request.form()).get("reminder", ""))
    done = await asyncio.to_thread(app.store.reminders.confirm, box, feed, app.tables.now())
    return await _requests(app, box, worded(box.language, "confirmed") if done else "")


@get("/{key:str}/stop", include_in_schema=False, media_type=HTML)
async def ask_to_stop(app: StateDep, key: MailKey) -> Response[str]:
    box = await asyncio.to_thread(app.store.reminders.by_stop_key, key)
    if box is None:
        return _nothing()
    if box.stopped:
        return _stopped(box)
    language = box.language
    return _page(language, _text(language, "stop") + _button(language, "stop"))


@post(
    "/{key:str}/stop",
    summary="Get no more mail from this host",
    description="Ends all mail to the address this link was sent to: one click by RFC 8058.",
    responses=error_responses(404, 503),
    media_type=HTML,
    status_code=200,
)
async def stop(app: StateDep, key: MailKey) -> Response[str]:
    """For mail programs too, so an error has the form they all have."""
    box = await asyncio.to_thread(app.store.reminders.by_stop_key, key)
    if box is None:
        raise ApiError(404, "no-such-link", "this link is not valid, or has expired")
    await asyncio.to_thread(app.store.reminders.stop_all, box)
    return _stopped(box)


@post("/{key:str}/allow", include_in_schema=False, media_type=HTML, status_code=200)
async def allow(app: StateDep, key: MailKey) -> Response[str]:
    """By the key that stopped it: nobody else can start mail again."""
    box = await asyncio.to_thread(app.store.reminders.by_stop_key, key)
    if box is None:
        return _nothing()
    await asyncio.to_thread(app.store.reminders.allow, box)
    return _page(box.language, _text(box.language, "allowed"))


async def _linked(app: AppState, key: str) -> Mailbox | None:
    return await asyncio.to_thread(app.store.reminders.by_link, hashed(key), app.tables.now())


async def _requests(app: AppState, box: Mailbox, done: str = "") -> Response[str]:
    """What waits to be confirmed, each with a button of its own: not all of it need be theirs."""
    language = box.language
    waiting = await asyncio.to_thread(app.store.reminders.waiting, box, app.tables.now())
    body = f'<p role="status">{escape(done)}</p>\n' if done else ""
    if waiting:
        body += _text(language, "others" if done else "confirm")
    elif not done:
        body += _text(language, "nothing-waits")
    for each in waiting[:MOST_SHOWN]:
        body += await _request(app, each, language)
    return _page(language, body)


async def _request(app: AppState, reminder: Reminder, language: str) -> str:
    game = (await app.tables.find(reminder.table)).table.options.game
    words = escape(worded(language, "which", game=game))
    table = f"{app.settings.address}/t/{reminder.table}"
    field = f'<input type="hidden" name="reminder" value="{escape(reminder.feed)}">'
    link = f'<p><a href="{escape(table)}">{words}</a></p>\n'
    return link + _button(language, "confirm", field)


def _stopped(box: Mailbox) -> Response[str]:
    language = box.language
    return _page(language, _text(language, "stopped") + _button(language, "allow"))


def _nothing() -> Response[str]:
    """No such key, or none any more: nobody knows in which language it was."""
    body = "".join(
        f'<p lang="{each}">{escape(worded(each, "no-such-link"))}</p>\n' for each in LANGUAGES
    )
    return _page(LANGUAGES[0], body, 404)


def _text(language: str, key: str) -> str:
    return f"<p>{escape(worded(language, key))}</p>\n"


def _button(language: str, deed: str, field: str = "") -> str:
    words = escape(worded(language, f"{deed}-button"))
    return f'<form method="post" action="{deed}">{field}<button>{words}</button></form>\n'


def _page(language: str, body: str, status: int = 200) -> Response[str]:
    text = _PAGE.format(language=language, style=_STYLE, body=body)
    return Response(text, status_code=status, headers=_HEADERS, media_type=HTML)
