"""Private Atom feeds of the turns of a seat.

The key of a feed is in its URL, as feed readers send nothing else. It only gives access to the
feed, not to the seat, and is masked in logs.
"""

import asyncio
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from hashlib import sha256
from typing import Annotated, Any, TypeAlias
from xml.etree.ElementTree import Element, SubElement, tostring

from litestar import Request, Response, get
from litestar.datastructures import Headers
from litestar.openapi import ResponseSpec
from litestar.params import PathParameter

from benben.live.session import TableSession
from benben.store.mail import Reminder
from benben.table.table import TurnCame
from benben.table.tokens import hashed
from benben.web.auth import StateDep
from benben.web.errors import ApiError
from benben.web.negotiation import etag_matches
from benben.web.openapi import route
from benben.web.reminders.messages import turn_id
from benben.web.wording import worded

ATOM = "application/atom+xml"
MOST_ENTRIES = 20
START = 0  # instead of an event's number: the table waits for this player to start the game
_CACHING = "private, no-cache"  # cached by the reader, and revalidated each time

FeedKey: TypeAlias = Annotated[
    str, PathParameter(description="Returned when reminders were requested.")
]


@get(
    "/{key:str}",
    media_type=ATOM,
    **route(
        "The turns of a seat, in Atom",
        404,
        503,
        answers={304: ResponseSpec(None, description="Nothing is new.")},
    ),
)
async def feed(request: Request[Any, Any, Any], app: StateDep, key: FeedKey) -> Response[bytes]:
    """If-None-Match and If-Modified-Since are honoured."""
    reminder = await asyncio.to_thread(app.store.reminders.by_feed, hashed(key))
    if reminder is None:
        raise ApiError(404, "no-such-feed", "there is no such feed, or it has ended")
    session = await app.tables.find(reminder.table)
    turns = _turns(session, reminder)
    updated = _time(turns[0].at if turns else session.entries[0].at)
    site = app.settings.address or str(request.base_url).rstrip("/")
    text = _written(reminder, session, turns, site)
    headers = {
        "Cache-Control": _CACHING,
        "ETag": f'"{sha256(text).hexdigest()[:32]}"',
        "Last-Modified": format_datetime(updated.replace(microsecond=0), usegmt=True),
    }
    if _is_known(request.headers, headers["ETag"], updated):
        return Response(b"", status_code=304, headers=headers, media_type=ATOM)
    return Response(text, headers=headers, media_type=ATOM)


def _turns(session: TableSession, reminder: Reminder) -> list[TurnCame]:
    """The last turns of the seat, the newest first; before the game, its pending start."""
    table, seat = session.table, session.table.order[reminder.seat]
    if seat in table.start_pending:
        return [TurnCame(seat, START, table.start_phase_since)]
    return [each for each in reversed(table.turns) if each.seat == seat][:MOST_ENTRIES]


def _written(reminder: Reminder, session: TableSession, turns: list[TurnCame], site: str) -> bytes:
    language, game, link = reminder.language, session.table.options.game, f"{site}/t/{session.id}"
    root = Element("feed", {"xmlns": "http://www.w3.org/2005/Atom", "xml:lang": language})
    updated = turns[0].at if turns else session.entries[0].at
    _describe(root, f"{session.id}/{reminder.seat}", 0, updated, link)
    _add(root, "title", worded(language, "reminder.feed", game=game))
    _add(SubElement(root, "author"), "name", "Benben")
    for turn in turns:
        entry = SubElement(root, "entry")
        what = "start" if turn.number == START else "turn"
        if what == "start":
            _describe(entry, f"{session.id}/start", turn.at, turn.at, link)
        else:
            _describe(entry, session.id, turn.number, turn.at, link)
        _add(entry, "title", worded(language, f"reminder.{what}", game=game))
    return tostring(root, encoding="utf-8", xml_declaration=True)


def _describe(element: Element, what: str, number: int, at: int, link: str) -> None:
    _add(element, "id", turn_id(what, number).urn)
    _add(element, "updated", _time(at).isoformat(timespec="milliseconds"))
    SubElement(element, "link", {"rel": "alternate", "href": link})


def _add(element: Element, name: str, text: str) -> None:
    SubElement(element, name).text = text


def _time(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)


def _is_known(headers: Headers, tag: str, updated: datetime) -> bool:
    """Whether the reader has the current feed."""
    if (tags := headers.get("if-none-match")) is not None:
        return etag_matches(tags, tag)
    try:
        since = parsedate_to_datetime(headers.get("if-modified-since", ""))
        return updated.replace(microsecond=0) <= since.astimezone(UTC)
    except (ValueError, OverflowError):
        return False
