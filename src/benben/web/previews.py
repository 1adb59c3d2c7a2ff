"""What a link to a page shows where it is sent: a title, a sentence and a picture.

The browser does not need any of it. Programs that preview links read the document's head and run no
script, so the server writes it there: for the shelf, for a game, and for a table.
"""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from html import escape
from urllib.parse import quote

import msgspec
from msgspec.structs import asdict

from benben.bots.names import bot_names
from benben.core.registry import info, names
from benben.learn.reviews.review import VERSION, Sentence
from benben.store.database import StoreFailed
from benben.store.store import Store
from benben.table import events
from benben.table.events import AnyEvent, from_json
from benben.table.names import LONGEST_NAME, is_name
from benben.table.options import TableOptions
from benben.table.record import TableRecord

WIDTH, HEIGHT = 1200, 630  # of every picture
SENTENCES = "previews/sentences.json"  # in the built pages: what each game is, by language
SAID = "previews/said.json"  # what may be said of how a game went, by language and key
MOST_EVENTS = 60  # that are read to learn who sits at a table
MOST_AT_ONCE = 8  # tables that are looked up for previews, or wait to be
THREADS = 2  # that look them up: a slow store keeps no others
PATIENCE = 1.0  # seconds until a page is sent without its table's preview

_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "locale": "en_GB",
        "and": "and",
        "site": "Benben: board games from the shelf",
        "site-about": (
            "Four old French board games, with friends or against bots, in the browser. "
            "No account needed."
        ),
        "rules": "The rules of {game}",
        "learn": "Learn {game} by playing",
        "new": "Play {game} together",
        "kit": "{game}, a kit to print",
        "puzzles": "{game}: a puzzle",
        "all-puzzles": "The puzzle of the day",
        "fairness": "Luck that anybody can check",
        "games": "My games",
        "lab": "What we found out about the games",
        "analysis": "{game}, an analysis board",
        "invites": "{names} invites you to play {game}",
        "invite": "{names} invite you to play {game}",
        "plays": "{names} plays {game}",
        "play": "{names} play {game}",
        "has-played": "{names} played {game}",
        "have-played": "{names} played {game}",
        "table": "A table for {game}",
        "seats": "Take a seat: there is nothing to install, and no account needed.",
        "watching": "Follow the game move by move.",
        "over": "See how it went, move by move.",
        "expired": "This table was closed before the game started.",
        "picture": "The box of {game}, with its board on the front",
        "shelf-picture": "The boxes of the four games",
    },
    "fr": {
        "locale": "fr_FR",
        "and": "et",
        "site": "Benben\u202f: des jeux de société sur l’étagère",
        "site-about": (
            "Quatre vieux jeux de société français, entre amis ou contre des robots, dans le "
            "navigateur et sans compte."
        ),
        "rules": "{game}\u202f: la règle du jeu",
        "learn": "Apprendre {game} en jouant",
        "new": "Jouer ensemble à {game}",
        "kit": "{game}, le kit à imprimer",
        "puzzles": "{game}\u202f: un problème",
        "all-puzzles": "Le problème du jour",
        "fairness": "Un hasard que chacun peut vérifier",
        "games": "Mes parties",
        "lab": "Ce que nous avons appris des jeux",
        "analysis": "{game}, le plateau d’analyse",
        "invites": "{names} vous invite à jouer à {game}",
        "invite": "{names} vous invitent à jouer à {game}",
        "plays": "{names} joue à {game}",
        "play": "{names} jouent à {game}",
        "has-played": "{names} a joué à {game}",
        "have-played": "{names} ont joué à {game}",
        "table": "Une table de jeu\u202f: {game}",
        "seats": "Prenez place\u202f: rien à installer, pas de compte à créer.",
        "watching": "Suivez la partie coup par coup.",
        "over": "Revoyez la partie coup par coup.",
        "expired": "Cette table a été fermée avant le début de la partie.",
        "picture": "La boîte du jeu {game}, son plateau sur le dessus",
        "shelf-picture": "Les boîtes des quatre jeux",
    },
}
_HOST = re.compile(r"[\w.:\[\]-]{1,255}", re.ASCII)

Sentences = Mapping[str, Mapping[str, str]]  # by language and game
Said = Mapping[str, Mapping[str, str]]  # by language and key


@dataclass(frozen=True)
class Preview:
    """What is shown of a page; `game` is in its picture, or all of them if it is empty."""

    language: str
    title: str
    about: str
    game: str = ""


@dataclass(frozen=True)
class _Seen:
    """What is read of a table, or of a record that was brought."""

    options: TableOptions
    events: Sequence[AnyEvent]  # the first ones
    over: bool
    decided: Sentence | None


class _Decided(msgspec.Struct):
    """Of a review, the one sentence."""

    decided: Sentence | None


class Previews:
    """Of the pages of a server."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="preview")
        self._reading = 0

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def of(
        self, path: str, language: str, store: Store, sentences: Sentences, said: Said
    ) -> Preview:
        """The preview of a page; the site's, where nothing more is known."""
        kind, _, name = path.strip("/").partition("/")
        found = None
        if kind in ("rules", "learn", "new", "kit", "analysis") and name in names():
            title = _worded(language, kind, game=_title(name, language))
            found = Preview(language, title, "", name)
        elif kind == "puzzles" and (game := name.partition("/")[0]) in names():
            title = _worded(language, kind, game=_title(game, language))
            found = Preview(language, title, "", game)
        elif kind == "puzzles":
            about = _worded(language, "site-about")
            return Preview(language, _worded(language, "all-puzzles"), about)
        elif kind in ("t", "review"):
            found = await self._of_table(name, language, store, said)
        elif kind in ("fairness", "games", "lab"):
            return Preview(language, _worded(language, kind), _worded(language, "site-about"))
        if found is None:
            return Preview(language, _worded(language, "site"), _worded(language, "site-about"))
        what = sentences.get(language, {}).get(found.game, "")
        about = " ".join(filter(None, (found.about, what)))
        return Preview(language, found.title, about, found.game)

    async def _of_table(self, name: str, language: str, store: Store, said: Said) -> Preview | None:
        """Only the beginning of its record is read, however long it is, and the page does not wait
        for a store that is slow: anybody may ask for any number of pages."""
        if self._reading >= MOST_AT_ONCE:
            return None
        self._reading += 1
        reading = asyncio.get_running_loop().run_in_executor(self._threads, _read, store, name)
        reading.add_done_callback(self._read_one)
        try:
            # A thread that has begun goes on when nobody waits for it: it counts until it is done.
            found = await asyncio.wait_for(asyncio.shield(reading), PATIENCE)
        except (StoreFailed, TimeoutError):
            return None
        if found is None:
            return None
        options = found.options
        people, begun = _seated(options, found.events)
        if not begun and len(found.events) == MOST_EVENTS:
            people = []  # there is more to know
        elif not begun and found.over:
            return _preview_of_expired(options.game, language)
        preview = _table_preview(options.game, people, begun, found.over, language)
        if found.over and begun and found.decided is not None:
            players = _players(options, found.events)
            told = _told(found.decided, options.game, players, said.get(language, {}))
            return replace(preview, about=told or preview.about)
        return preview

    def _read_one(self, reading: "asyncio.Future[_Seen | None]") -> None:
        self._reading -= 1
        if not reading.cancelled():
            reading.exception()  # callers that still wait get it


def _read(store: Store, name: str) -> _Seen | None:
    found = store.first_events(name, MOST_EVENTS)
    if found is not None:
        table, bodies = found
        options = msgspec.json.decode(table.options, type=TableOptions)
        decided = _decided(store, name) if table.over else None
        return _Seen(options, list(map(from_json, bodies)), table.over, decided)
    text = store.archive.record(name)
    if text is None:
        return None
    record = TableRecord.parse(text)
    events = [entry.event for entry in record.entries[:MOST_EVENTS]]
    return _Seen(record.options, events, True, _decided(store, name))


def _decided(store: Store, name: str) -> Sentence | None:
    """What decided a game, if it was reviewed."""
    text = store.archive.review(name, VERSION)
    return None if text is None else msgspec.json.decode(text, type=_Decided).decided


def _told(sentence: Sentence, game: str, players: Sequence[str], said: Mapping[str, str]) -> str:
    """A sentence in words; nothing where there are none."""
    key = f"review.said.{sentence.id}" if sentence.general else f"{game}.said.{sentence.id}"
    parts: dict[str, str | int] = dict(sentence.parameters)
    for name, seat in (("name", "seat"), ("other", "other")):
        if seat in parts:
            number = int(parts[seat])
            parts[name] = players[number] or said.get("seat.number", "").format(n=number + 1)
    try:
        for name, move in sentence.moves.items():
            parts[name] = _phrase(f"{game}.named.{move.kind}", game, asdict(move), said)
        return _phrase(key, game, parts, said)
    except KeyError:  # a page of another version
        return ""


def _phrase(key: str, game: str, parts: Mapping[str, str | int], said: Mapping[str, str]) -> str:
    """What there is in the catalogue under a key, filled in; KeyError if there is nothing."""
    if key not in said:
        few = parts.get("n") == 1  # no number of anything is 0 here
        key = f"{key}.one" if few else f"{key}.other"
    colour = str(parts.get("colour", ""))
    return said[key].format(**dict(parts) | {"colour": said.get(f"{game}.colour.{colour}", colour)})


def _seated(options: TableOptions, happened: Iterable[AnyEvent]) -> tuple[list[str], bool]:
    """The names of those who sit at a table, and whether the game has begun."""
    sitting = dict.fromkeys(range(len(options.bots)), "")
    begun = False
    for event in happened:
        match event:
            case events.Sat(seat, name):
                sitting[seat] = _short(name)
            case events.Stood(seat) | events.Unrevealed(seat):
                sitting[seat] = ""
            case events.Began():
                begun = True
                break
    return [name for name in sitting.values() if name], begun


def _players(options: TableOptions, happened: Iterable[AnyEvent]) -> list[str]:
    """What everybody is called, bots too, where they sit when the game has begun."""
    named = [_short(name) for name in options.bot_names]
    called = named or list(bot_names(options.commitment, len(options.bots)))
    sitting = list(called)
    for event in happened:
        match event:
            case events.Sat(seat, name):
                sitting[seat] = _short(name)
            case events.Stood(seat) | events.Unrevealed(seat):
                sitting[seat] = called[seat]
            case events.Began(order):
                return [sitting[order.index(seat)] for seat in range(len(sitting))]
    return sitting


def _short(name: str) -> str:
    """A name that a table would not accept today may be long."""
    name = name[: 4 * LONGEST_NAME]
    return name if is_name(name) else name[:LONGEST_NAME]


def _table_preview(game: str, people: list[str], begun: bool, over: bool, language: str) -> Preview:
    alone = len(people) == 1
    if over:
        deed, about = "has-played" if alone else "have-played", "over"
    elif begun:
        deed, about = "plays" if alone else "play", "watching"
    else:
        deed, about = "invites" if alone else "invite", "seats"
    title = _worded(
        language,
        deed if people else "table",
        names=_listed(people, language),
        game=_title(game, language),
    )
    return Preview(language, title, _worded(language, about), game)


def _preview_of_expired(game: str, language: str) -> Preview:
    title = _worded(language, "table", game=_title(game, language))
    return Preview(language, title, _worded(language, "expired"), game)


def _listed(people: list[str], language: str) -> str:
    *first, last = people or [""]
    return f"{', '.join(first)} {_WORDS[language]['and']} {last}" if first else last


def _title(game: str, language: str) -> str:
    return info(game).titles[language]


def _worded(language: str, key: str, **parts: str) -> str:
    return _WORDS[language][key].format(**parts)


def head(preview: Preview, site: str, path: str) -> str:
    """As tags for the head of a document; `site` is empty if nobody knows our address."""
    told = {
        "og:site_name": "Benben",
        "og:type": "website",
        "og:locale": _worded(preview.language, "locale"),
        "og:title": preview.title,
        "og:description": preview.about,
    }
    if site:
        told |= {
            "og:url": site + quote(path),
            "og:image": f"{site}/previews/{preview.game or 'shelf'}.jpg",
            "og:image:type": "image/jpeg",
            "og:image:width": str(WIDTH),
            "og:image:height": str(HEIGHT),
            "og:image:alt": _depicted(preview),
        }
    tags = [f"<title>{escape(preview.title)}</title>", _tag("name", "description", preview.about)]
    tags += [_tag("property", key, value) for key, value in told.items()]
    tags += [_tag("name", "twitter:card", "summary_large_image")]
    return "\n    ".join(tags)


def _depicted(preview: Preview) -> str:
    if not preview.game:
        return _worded(preview.language, "shelf-picture")
    return _worded(preview.language, "picture", game=_title(preview.game, preview.language))


def _tag(kind: str, key: str, value: str) -> str:
    return f'<meta {kind}="{key}" content="{escape(value)}" />'


def address(site: str, scheme: str, host: str) -> str:
    """Ours: as the host of the site says, else as whoever asks has reached us."""
    if site or not _HOST.fullmatch(host):
        return site
    return f"{scheme}://{host}"


def language_of(accepted: str) -> str:
    """The language of ours that somebody likes best; English, unless another is told."""
    liked: list[tuple[float, str]] = []
    for part in accepted[:200].split(","):
        tag, _, weight = part.replace(" ", "").partition(";q=")
        language = tag.partition("-")[0].lower()
        if language in _WORDS:
            liked.append((_weight(weight), language))
    best, language = max(liked, key=lambda each: each[0], default=(0.0, ""))
    return language if best > 0 else "en"


def _weight(text: str) -> float:
    """As in `;q=0.8`; what cannot be read is not liked."""
    if not text:
        return 1.0
    return float(text) if re.fullmatch(r"[01](\.\d{0,3})?", text, re.ASCII) else 0.0
