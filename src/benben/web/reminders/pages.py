"""The pages behind links in mails: to confirm reminders, and to stop all mail.

Only the owner of the address gets the keys in these links, and they are masked in logs. GET changes
nothing, as programs follow links too: a form does.
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
from benben.web.openapi import route
from benben.web.state import AppState
from benben.web.wording import LANGUAGES, worded

HTML = "text/html"
MOST_SHOWN = 10  # requests on a page; an address with more has been flooded by others
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
    box = await _mailbox_of(app, key)
    return _unknown_key_page() if box is None else await _pending_page(app, box)


@post("/{key:str}/confirm", include_in_schema=False, media_type=HTML, status_code=200)
async def confirm(request: Request[Any, Any, Any], app: StateDep, key: MailKey) -> Response[str]:
    """Confirm the reminder of a button, and show the other pending ones."""
    box = await _mailbox_of(app, key)
    if box is None:
        return _unknown_key_page()
    feed = str((await request.form()).get("reminder", ""))
    done = await asyncio.to_thread(app.store.reminders.confirm, box, feed, app.tables.now())
    return await _pending_page(app, box, worded(box.language, "reminder.confirmed") if done else "")


@get("/{key:str}/stop", include_in_schema=False, media_type=HTML)
async def ask_to_stop(app: StateDep, key: MailKey) -> Response[str]:
    box = await asyncio.to_thread(app.store.reminders.by_stop_key, key)
    if box is None:
        return _unknown_key_page()
    if box.stopped:
        return _stopped_page(box)
    language = box.language
    return _page(language, _text(language, "stop") + _button(language, "stop"))


@post(
    "/{key:str}/stop",
    media_type=HTML,
    status_code=200,
    **route("Get no more mail from this host", 404, 503),
)
async def stop(app: StateDep, key: MailKey) -> Response[str]:
    """Ends all mail to the address this link was sent to: one click by RFC 8058."""
    box = await asyncio.to_thread(app.store.reminders.by_stop_key, key)
    if box is None:
        raise ApiError(404, "no-such-link", "this link is not valid, or has expired")
    await asyncio.to_thread(app.store.reminders.stop_all, box)
    return _stopped_page(box)


@post("/{key:str}/allow", include_in_schema=False, media_type=HTML, status_code=200)
async def allow(app: StateDep, key: MailKey) -> Response[str]:
    """Allow mail again, with the key that stopped it."""
    box = await asyncio.to_thread(app.store.reminders.by_stop_key, key)
    if box is None:
        return _unknown_key_page()
    await asyncio.to_thread(app.store.reminders.allow, box)
    return _page(box.language, _text(box.language, "allowed"))


async def _mailbox_of(app: AppState, key: str) -> Mailbox | None:
    return await asyncio.to_thread(app.store.reminders.by_link, hashed(key), app.tables.now())


async def _pending_page(app: AppState, box: Mailbox, done: str = "") -> Response[str]:
    """The page of pending reminders, each with a button, as some may be by other people."""
    language = box.language
    waiting = await asyncio.to_thread(app.store.reminders.waiting, box, app.tables.now())
    body = f'<p role="status">{escape(done)}</p>\n' if done else ""
    if waiting:
        body += _text(language, "others" if done else "confirm")
    elif not done:
        body += _text(language, "nothing-waits")
    for each in waiting[:MOST_SHOWN]:
        body += await _pending_form(app, each, language)
    return _page(language, body)


async def _pending_form(app: AppState, reminder: Reminder, language: str) -> str:
    game = (await app.tables.find(reminder.table)).table.options.game
    words = _escaped(language, "which", game=game)
    table = f"{app.settings.address}/t/{reminder.table}"
    field = f'<input type="hidden" name="reminder" value="{escape(reminder.feed)}">'
    link = f'<p><a href="{escape(table)}">{words}</a></p>\n'
    return link + _button(language, "confirm", field)


def _stopped_page(box: Mailbox) -> Response[str]:
    language = box.language
    return _page(language, _text(language, "stopped") + _button(language, "allow"))


def _unknown_key_page() -> Response[str]:
    """The page for an unknown key, in all languages."""
    body = "".join(
        f'<p lang="{each}">{escape(worded(each, "reminder.no-such-link"))}</p>\n'
        for each in LANGUAGES
    )
    return _page(LANGUAGES[0], body, 404)


def _text(language: str, key: str) -> str:
    return f"<p>{_escaped(language, key)}</p>\n"


def _button(language: str, action: str, field: str = "") -> str:
    label = _escaped(language, f"{action}-button")
    return f'<form method="post" action="{action}">{field}<button>{label}</button></form>\n'


def _escaped(language: str, key: str, **parts: str) -> str:
    return escape(worded(language, f"reminder.{key}", **parts))


def _page(language: str, body: str, status: int = 200) -> Response[str]:
    text = _PAGE.format(language=language, style=_STYLE, body=body)
    return Response(text, status_code=status, headers=_HEADERS, media_type=HTML)
