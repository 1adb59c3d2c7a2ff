"""Private feeds: the turns of a seat, in Atom, for whoever has the feed's key.

The key is in the address, as feed readers send nothing else. It shows when it was somebody's turn
at a table, and ends the reminders; it is no token of the seat. No log has it.
"""

import asyncio
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from hashlib import sha256
from html import escape
from typing import Annotated, Any, TypeAlias
from xml.etree.ElementTree import Element, SubElement, tostring

from litestar import Request, Response, get, post
from litestar.datastructures import Headers
from litestar.openapi import ResponseSpec
from litestar.params import PathParameter

from benben.table.loaded import LoadedTable
from benben.table.store import Reminder
from benben.table.table import TurnCame
from benben.table.tokens import hashed
from benben.web.auth import StateDep
from benben.web.errors import Problem
from benben.web.openapi import error_responses
from benben.web.reminders.wording import turn_id, worded
from benben.web.state import AppState

ATOM = "application/atom+xml"
MOST_ENTRIES = 20
_CACHING = "private, no-cache"  # kept by the reader, who asks each time whether it is still so
_PAGE = """<!doctype html><html lang="{language}"><meta charset="utf-8"><title>Benben</title>
<form method="post"><p>{question}</p><button>{button}</button></form></html>
"""

Key: TypeAlias = Annotated[str, PathParameter(description="Told when reminders were asked for.")]


@get(
    "/{key:str}",
    summary="The turns of a seat, in Atom",
    description="If-None-Match and If-Modified-Since are heeded.",
    responses=error_responses(404, 503) | {304: ResponseSpec(None, description="Nothing is new.")},
    media_type=ATOM,
)
async def feed(request: Request[Any, Any, Any], app: StateDep, key: Key) -> Response[bytes]:
    reminder = await asyncio.to_thread(app.store.reminder_by_feed, hashed(key))
    if reminder is None:
        raise _no_such_feed()
    loaded = await app.tables.find(reminder.table)
    turns = _turns(loaded, reminder)
    updated = _time(turns[0].at if turns else loaded.entries[0].at)
    text = _written(reminder, loaded, turns, app.settings.address or _here(request))
    headers = {
        "Cache-Control": _CACHING,
        "ETag": f'"{sha256(text).hexdigest()[:32]}"',
        "Last-Modified": format_datetime(updated.replace(microsecond=0), usegmt=True),
    }
    if _is_known(request.headers, headers["ETag"], updated):
        return Response(b"", status_code=304, headers=headers, media_type=ATOM)
    return Response(text, headers=headers, media_type=ATOM)


@get("/{key:str}/stop", include_in_schema=False, media_type="text/html")
async def ask_to_stop(app: StateDep, key: Key) -> str:
    """For people who follow the link in a mail. It changes nothing: programs follow links too."""
    reminder = await _found(app, key)
    language, game = reminder.language, (await app.tables.find(reminder.table)).table.terms.game
    question = worded(language, "stop", game=game)
    button = worded(language, "stop-button")
    return _PAGE.format(language=language, question=escape(question), button=escape(button))


@post(
    "/{key:str}/stop",
    summary="Have no more reminders",
    description="Ends the feed, and the mail: one click by RFC 8058.",
    responses=error_responses(404, 503),
    media_type="text/plain",
    status_code=200,
)
async def stop(app: StateDep, key: Key) -> str:
    reminder = await _found(app, key)
    await asyncio.to_thread(app.store.drop_reminder, reminder.table, reminder.seat)
    return worded(reminder.language, "stopped") + "\n"


async def _found(app: AppState, key: str) -> Reminder:
    """By its key, or by the hash of it as in mails: who has only that may end it, not read it."""
    for feed in (hashed(key), key):
        reminder = await asyncio.to_thread(app.store.reminder_by_feed, feed)
        if reminder is not None:
            return reminder
    raise _no_such_feed()


def _no_such_feed() -> Problem:
    return Problem(404, "no-such-feed", "there is no such feed, or it was ended at the table")


def _here(request: Request[Any, Any, Any]) -> str:
    return str(request.base_url).rstrip("/")


def _turns(loaded: LoadedTable, reminder: Reminder) -> list[TurnCame]:
    """The last ones of the seat, the newest first."""
    seat = loaded.table.order[reminder.seat]
    return [each for each in reversed(loaded.table.turns) if each.seat == seat][:MOST_ENTRIES]


def _written(reminder: Reminder, loaded: LoadedTable, turns: list[TurnCame], site: str) -> bytes:
    language, game, link = reminder.language, loaded.table.terms.game, f"{site}/t/{loaded.id}"
    root = Element("feed", {"xmlns": "http://www.w3.org/2005/Atom", "xml:lang": language})
    updated = turns[0].at if turns else loaded.entries[0].at
    _describe(root, f"{loaded.id}/{reminder.seat}", 0, updated, link)
    _add(root, "title", worded(language, "feed", game=game))
    _add(SubElement(root, "author"), "name", "Benben")
    for turn in turns:
        entry = SubElement(root, "entry")
        _describe(entry, loaded.id, turn.number, turn.at, link)
        _add(entry, "title", worded(language, "turn", game=game))
    return tostring(root, encoding="utf-8", xml_declaration=True)


def _describe(element: Element, what: str, number: int, at: int, link: str) -> None:
    _add(element, "id", turn_id(what, number).urn)
    _add(element, "updated", _time(at).isoformat())
    SubElement(element, "link", {"rel": "alternate", "href": link})


def _add(element: Element, name: str, text: str) -> None:
    SubElement(element, name).text = text


def _time(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)


def _is_known(headers: Headers, tag: str, updated: datetime) -> bool:
    """Whether the reader has what there is."""
    if (tags := headers.get("if-none-match")) is not None:
        return tags.strip() == "*" or tag in (
            each.strip().removeprefix("W/") for each in tags.split(",")
        )
    try:
        since = parsedate_to_datetime(headers.get("if-modified-since", ""))
        return updated.replace(microsecond=0) <= since.astimezone(UTC)
    except (ValueError, OverflowError):
        return False
