"""Link previews: titles, descriptions and pictures in the head of a page's document.

Programs that preview links run no script, so the server writes these tags for every page.
"""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from html import escape
from typing import Any, TypeAlias
from unicodedata import normalize
from urllib.parse import quote

import msgspec
from msgspec.structs import asdict

from benben.bots.names import bot_names
from benben.core.registry import names
from benben.learn.reviews.review import VERSION, Sentence
from benben.store.database import StoreFailed
from benben.store.store import Store
from benben.table import events
from benben.table.events import AnyEvent, from_json
from benben.table.names import LONGEST_NAME, is_name
from benben.table.options import TableOptions
from benben.table.record import TableRecord
from benben.web.built_pages import built_pages
from benben.web.wording import has_text, worded

WIDTH, HEIGHT = 1200, 630  # of every picture
TEXTS = "previews/texts.json"  # of the built pages: what games are, and sentences of reviews
MOST_EVENTS = 60  # read of a table to find out who sits there
MOST_AT_ONCE = 8  # reads that are queued or running
THREADS = 2  # for these reads only, so that a slow store blocks no other work
TIMEOUT_SECONDS = 1.0  # until a page is sent without its table's preview
_TABLE_PAGES = ("t", "review")

_VOWEL = re.compile("[aeiouhœæ]|y(?![aeiou])", re.IGNORECASE)  # as they sound
_HOST = re.compile(r"[\w.:\[\]-]{1,255}", re.ASCII)

# ICU messages as the pages' build leaves them: a text with holes, or texts and choices, each of
# which has the name of a parameter and its options.
Message: TypeAlias = str | list[Any]
Catalogues = Mapping[str, Mapping[str, Message]]  # by language and key


@dataclass(frozen=True)
class Preview:
    """The preview of a page. Its picture shows `game`, or all games if that is empty."""

    language: str
    title: str
    about: str
    game: str = ""


class _Decided(msgspec.Struct):
    """The part of a review that previews need."""

    decided: Sentence | None


class Previews:
    """Makes the previews of a server's pages, with threads of its own."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="preview")
        self._reading: set[asyncio.Future[Preview | None]] = set()

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def of(self, path: str, language: str, store: Store, catalogues: Catalogues) -> Preview:
        """The preview of a page, or that of the site for pages without their own.

        Texts `preview.of-game` and `preview.page` have titles by the first part of a page's path.
        """
        found = built_pages().find(path)
        kind, parameters = (found[0].kind, found[1]) if found else ("", {})
        game, table = parameters.get("game", ""), parameters.get("id", "")
        preview, texts = None, catalogues.get(language, {})
        if game in names() and has_text(language, f"preview.of-game.{kind}"):
            preview = Preview(language, _text(language, f"of-game.{kind}", game=game), "", game)
        elif kind in _TABLE_PAGES and table:
            preview = await self._of_table(table, language, store, texts)
        if preview is None:
            title = f"page.{kind}" if has_text(language, f"preview.page.{kind}") else "site"
            return Preview(language, _text(language, title), _text(language, "site-about"))
        what = _formatted(texts.get(f"game.{preview.game}.fun", ""), {})
        return replace(preview, about=" ".join(filter(None, (preview.about, what))))

    async def _of_table(
        self, name: str, language: str, store: Store, texts: Mapping[str, Message]
    ) -> Preview | None:
        """The preview of a table or record; None if the store does not answer in time.

        Anybody can request any number of these pages, so reads are few, short and limited.
        """
        if len(self._reading) >= MOST_AT_ONCE:
            return None
        reading = asyncio.get_running_loop().run_in_executor(
            self._threads, _of_stored, name, language, store, texts
        )
        self._reading.add(reading)
        reading.add_done_callback(self._reading.discard)
        try:
            # Shielded: a read that has begun counts until its thread is done.
            return await asyncio.wait_for(asyncio.shield(reading), TIMEOUT_SECONDS)
        except (StoreFailed, TimeoutError):
            return None


def _of_stored(
    name: str, language: str, store: Store, texts: Mapping[str, Message]
) -> Preview | None:
    """The preview of a table or record, of which the first events are read, however long it is."""
    if (found := store.first_events(name, MOST_EVENTS)) is not None:
        table, bodies = found
        options = msgspec.json.decode(table.options, type=TableOptions)
        happened, over = list(map(from_json, bodies)), table.over
    elif (text := store.archive.record(name)) is not None:
        record = TableRecord.parse(text)
        options, over = record.options, True
        happened = [entry.event for entry in record.entries[:MOST_EVENTS]]
    else:
        return None
    people, begun = _seated(options, happened)
    if not begun and len(happened) == MOST_EVENTS:
        people = []  # later events may change who sits there
    elif not begun and over:
        title = _text(language, "table", game=options.game)
        return Preview(language, title, _text(language, "expired"), options.game)
    preview = _table_preview(options.game, people, begun, over, language)
    if over and begun and (decided := _decided(store, name)) is not None:
        players = _players(options, happened)
        about = _sentence_text(decided, options.game, players, texts)
        return replace(preview, about=about or preview.about)
    return preview


def _decided(store: Store, name: str) -> Sentence | None:
    """The sentence that says what decided a game, if it was reviewed."""
    text = store.archive.review(name, VERSION)
    return None if text is None else msgspec.json.decode(text, type=_Decided).decided


def _sentence_text(
    sentence: Sentence, game: str, players: Sequence[str], texts: Mapping[str, Message]
) -> str:
    """The text of a sentence, or an empty text if the catalogue lacks it."""
    key = f"review.said.{sentence.id}" if sentence.general else f"{game}.said.{sentence.id}"
    parts: dict[str, str | int] = dict(sentence.parameters)
    for name, seat in (("name", "seat"), ("other", "other")):
        if seat in parts:
            number = int(parts[seat])
            unnamed = _formatted(texts.get("seat.number", ""), {"n": number + 1})
            parts[name] = players[number] or unnamed
    try:
        for name, move in sentence.moves.items():
            parts[name] = _phrase(f"{game}.named.{move.kind}", game, asdict(move), texts)
        return _phrase(key, game, parts, texts)
    except KeyError:  # pages of another version
        return ""


def _phrase(
    key: str, game: str, parts: Mapping[str, str | int], texts: Mapping[str, Message]
) -> str:
    """The text of a key with its parts. Raise KeyError if there is none."""
    colour = str(parts.get("colour", ""))
    named = _formatted(texts.get(f"{game}.colour.{colour}", colour), {})
    return _formatted(texts[key], dict(parts) | {"colour": named})


def _formatted(message: Message, parts: Mapping[str, str | int]) -> str:
    """A message with its parts. Raise KeyError if it has none for a hole.

    >>> _formatted(["for ", ["n", {"one": "a day", "other": "{n} days"}]], {"n": 2})
    'for 2 days'
    """
    if isinstance(message, str):
        return message.format(**parts)
    pieces = (part if isinstance(part, str) else _chosen(part, parts) for part in message)
    return "".join(_formatted(piece, parts) for piece in pieces)


def _chosen(choice: Sequence[Any], parts: Mapping[str, str | int]) -> Message:
    """The option for a part. No number of anything is 0 here, so both languages have one plural."""
    parameter, options = choice
    value = parts.get(parameter, "")
    if isinstance(value, int):
        fitting = [f"={value}", "one" if value == 1 else "other"]
    else:
        fitting = [value, "vowel" if _VOWEL.match(normalize("NFD", value)) else "other"]
    chosen: Message = next((options[key] for key in fitting if key in options), options["other"])
    return chosen


def _seated(options: TableOptions, happened: Iterable[AnyEvent]) -> tuple[list[str], bool]:
    """The names of those who sit at a table, and whether the game has begun."""
    names, began = _names(happened, [""] * len(options.bots))
    return [name for name in names if name], began is not None


def _players(options: TableOptions, happened: Iterable[AnyEvent]) -> list[str]:
    """The names of all players, of bots too, by the seats of the game if it has begun."""
    free = [_short(name) for name in options.bot_names]
    names, began = _names(happened, free or bot_names(options.commitment, len(options.bots)))
    seats = range(len(names))
    return names if began is None else [names[began.order.index(seat)] for seat in seats]


def _names(
    happened: Iterable[AnyEvent], free: Sequence[str]
) -> tuple[list[str], events.Began | None]:
    """The names at the chosen seats, with those of `free` seats, and the event of the start."""
    names = list(free)
    for event in happened:
        match event:
            case events.Sat(seat, name):
                names[seat] = _short(name)
            case events.Stood(seat) | events.Unrevealed(seat):
                names[seat] = free[seat]
            case events.Began():
                return names, event
    return names, None


def _short(name: str) -> str:
    """Shorten a name of an old table, which may be longer than is accepted now."""
    name = name[: 4 * LONGEST_NAME]
    return name if is_name(name) else name[:LONGEST_NAME]


def _table_preview(game: str, people: list[str], begun: bool, over: bool, language: str) -> Preview:
    if over:
        one, several, about = "has-played", "have-played", "over"
    elif begun:
        one, several, about = "plays", "play", "watching"
    else:
        one, several, about = "invites", "invite", "seats"
    title = (one if len(people) == 1 else several) if people else "table"
    names = _listed(people, language)
    return Preview(
        language,
        _text(language, title, names=names, game=game),
        _text(language, about),
        game,
    )


def _listed(people: list[str], language: str) -> str:
    *first, last = people or [""]
    return f"{', '.join(first)} {_text(language, 'and')} {last}" if first else last


def _text(language: str, key: str, **parts: str) -> str:
    return worded(language, f"preview.{key}", **parts)


def head(preview: Preview, site: str, path: str) -> str:
    """The tags of a preview. `site` is the server's URL, or empty if it is unknown."""
    properties = {
        "og:site_name": "Benben",
        "og:type": "website",
        "og:locale": _text(preview.language, "locale"),
        "og:title": preview.title,
        "og:description": preview.about,
    }
    if site:
        properties |= {
            "og:url": site + quote(path),
            "og:image": f"{site}/previews/{preview.game or 'shelf'}.jpg",
            "og:image:type": "image/jpeg",
            "og:image:width": str(WIDTH),
            "og:image:height": str(HEIGHT),
            "og:image:alt": _picture_text(preview),
        }
    tags = [f"<title>{escape(preview.title)}</title>", _tag("name", "description", preview.about)]
    tags += [_tag("property", key, value) for key, value in properties.items()]
    tags += [_tag("name", "twitter:card", "summary_large_image")]
    return "\n    ".join(tags)


def _picture_text(preview: Preview) -> str:
    if not preview.game:
        return _text(preview.language, "shelf-picture")
    return _text(preview.language, "picture", game=preview.game)


def _tag(kind: str, key: str, value: str) -> str:
    return f'<meta {kind}="{key}" content="{escape(value)}" />'


def address(site: str, scheme: str, host: str) -> str:
    """The public base URL: as configured, else from the Host header."""
    if site or not _HOST.fullmatch(host):
        return site
    return f"{scheme}://{host}"
