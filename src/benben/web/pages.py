"""The pages people see: the built front end, read once and served from memory.

Every page is the same document; the browser finds out by its address which one it is to show. Only
its head tells of the page, for programs that preview links; and a text to read, such as a rulebook,
is in its document, for browsers that run no script.

Litestar's static files know no compressed forms and no `If-None-Match`, so they are served here.
"""

import gzip
import mimetypes
import re
from collections.abc import Iterable
from functools import cache, lru_cache, partial
from html import escape
from pathlib import Path
from typing import Any

import msgspec
from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from benben.core.registry import names
from benben.learn.diagrams import pictures_of
from benben.learn.rulebook import LANGUAGES, NoRulebook, Rulebook, fairness_page, rulebook_of
from benben.web import previews
from benben.web.auth import StateDep
from benben.web.documents import File
from benben.web.negotiation import is_current, preferred_encoding, preferred_language
from benben.web.state import AppState

STATIC = Path(__file__).parent / "static"
PAGES = [
    "/",
    *(f"/{kind}/{{_:str}}" for kind in ("new", "t", "rules", "learn", "kit", "review", "analysis")),
    "/review",
    "/games",
    "/puzzles",
    "/puzzles/{_:str}/{__:str}",
    "/lab",
    "/lab/{_:str}",
    FAIRNESS := "/fairness",
]
DOCUMENT = "index.html"
POLICY = "; ".join(
    (
        "default-src 'none'",
        "connect-src 'self'",
        "font-src 'self'",
        "img-src 'self' blob:",  # a picture that a page makes by itself, to be kept
        "manifest-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
PERMISSIONS = ", ".join(
    f"{feature}=()" for feature in ("camera", "geolocation", "microphone", "payment", "usb")
)
UNBUILT = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Benben</title>
<h1>Benben</h1><p>The server runs, but its pages have not been built: <code>make pages</code>
builds them. The <a href="/api/openapi.json">HTTP API</a> is there already.</p></html>
"""
_PAGE = re.compile("|".join(re.sub("{_+:str}", "[^/]+", each) for each in PAGES))
_TITLE = b"<title>Benben</title>"  # where the head of a built document tells of its page
_BOOK = re.compile("/rules/([^/]+)")
_PICTURE = re.compile("/diagrams/([^/]+)/([^/]+)[.]png")
_SCRIPTLESS = re.compile(rb"<noscript>.*?</noscript>", re.DOTALL)  # what is said without a script
_IN_ENGLISH = b'<html lang="en">'
_NAMES = {"en": "English", "fr": "Français"}
_CONTENTS = {"en": "Contents", "fr": "Sommaire"}
_ENCODINGS = {"br": ".br", "gzip": ".gz"}  # and the endings of such files, the best first
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_A_DAY = "public, max-age=86400"


@cache
def _files() -> dict[str, File]:
    """By their path in the address. What is in `assets/` has a name made from what is in it."""
    found = {}
    for path in sorted(STATIC.rglob("*")):
        if path.is_file() and path.suffix not in _ENCODINGS.values():
            name = path.relative_to(STATIC).as_posix()
            folder = name.rpartition("/")[0]
            caching = {"assets": _FOR_EVER, "previews": _A_DAY}.get(folder, _ASK_AGAIN)
            found[name] = File(path.read_bytes(), _type(path), caching, _packed(path))
    return {DOCUMENT: File(UNBUILT, "text/html", _ASK_AGAIN)} | found


def _packed(path: Path) -> dict[str, bytes]:
    """The compressed forms that the build has written beside a file, by their encoding."""
    beside = {name: path.with_name(path.name + ending) for name, ending in _ENCODINGS.items()}
    return {name: each.read_bytes() for name, each in beside.items() if each.is_file()}


def load() -> None:
    """Read all files before anybody asks for one: it takes a while."""
    _files()


def is_page(path: str) -> bool:
    return _PAGE.fullmatch(path) is not None


def is_file(path: str) -> bool:
    """Whether there is a file that pages load."""
    return _found(path) is not None or _picture(path) is not None


def _found(path: str) -> File | None:
    """A file by its path; the document of all pages has none of its own."""
    name = path.removeprefix("/")
    return None if name == DOCUMENT else _files().get(name)


def _picture(path: str) -> File | None:
    """The picture of a diagram in a rulebook."""
    asked = _PICTURE.fullmatch(path)
    if asked is None or asked[1] not in names():
        return None
    picture = pictures_of(asked[1]).get(asked[2])
    return None if picture is None else File(picture, "image/png", _A_DAY)


def _type(path: Path) -> str:
    if path.suffix == ".webmanifest":
        return "application/manifest+json"
    return mimetypes.guess_type(path.name)[0] or "application/octet-stream"


def _answer(request: Request[Any, Any, Any], file: File, status: int = 200) -> Response[bytes]:
    headers = {"Cache-Control": file.caching, "ETag": file.etag, "Vary": "Accept-Encoding"}
    if file.type == "text/html":
        headers["Content-Security-Policy"] = POLICY
        if request.url.scheme == "https":  # over plain http browsers ignore it, and complain
            headers["Cross-Origin-Opener-Policy"] = "same-origin"
        headers["Permissions-Policy"] = PERMISSIONS
    # The headers of a 304 replace those of the cached page.
    if status == 200 and is_current(request.headers.get("if-none-match", ""), file.etag):
        return Response(b"", status_code=304, headers=headers)
    body, encoding = file.plain, _encoding(request, file.packed)
    if encoding:
        headers["Content-Encoding"] = encoding
        body = file.packed[encoding]
    return Response(body, status_code=status, media_type=file.type, headers=headers)


def _encoding(request: Request[Any, Any, Any], available: Iterable[str]) -> str:
    return preferred_encoding(request.headers.get("accept-encoding", ""), available)


def _words(name: str) -> dict[str, dict[str, str]]:
    """What the pages say, by language; nothing where they have not been built."""
    file = _files().get(name)
    return {} if file is None else _read_words(file.plain)


@lru_cache(8)
def _read_words(text: bytes) -> dict[str, dict[str, str]]:
    return msgspec.json.decode(text, type=dict[str, dict[str, str]])


async def _previewed(app: AppState, request: Request[Any, Any, Any]) -> File:
    """The document, with a head that tells of the page that is asked for."""
    document, path = _files()[DOCUMENT], request.scope["path"]
    if document.plain is UNBUILT:
        return document
    language = _language(request)
    sentences, said = _words(previews.SENTENCES), _words(previews.SAID)
    preview = await app.previews.of(path, language, app.store, sentences, said)
    host = request.headers.get("host", "")
    site = previews.address(app.settings.address, request.url.scheme, host)
    head = previews.head(preview, site, path)
    text_path = path if path == FAIRNESS or _BOOK.fullmatch(path) else ""
    # All that the document depends on.
    key = (document.plain, head, text_path, language, bool(_encoding(request, ["gzip"])))
    return await app.documents.get(key, partial(_document_of, *key))


def _document_of(built: bytes, head: str, text_path: str, language: str, packed: bool) -> File:
    told = built.replace(_TITLE, head.encode(), 1)
    if text_path and (book := _book(text_path, language)) is not None:
        told = _with_book(told, book, text_path)
    forms = {"gzip": gzip.compress(told, 6, mtime=0)} if packed else {}
    return File(told, "text/html", _ASK_AGAIN, forms)


def _language(request: Request[Any, Any, Any]) -> str:
    """As the address says, else as somebody's browser does."""
    asked = request.query_params.get("language")
    if asked in LANGUAGES:
        return str(asked)
    return preferred_language(request.headers.get("accept-language", ""))


def _book(path: str, language: str) -> Rulebook | None:
    if path == FAIRNESS:
        return fairness_page(language)
    asked = _BOOK.fullmatch(path)
    if asked is None or asked[1] not in names():
        return None
    try:
        return rulebook_of(asked[1], language)
    except NoRulebook:
        return None


def _with_book(document: bytes, book: Rulebook, path: str) -> bytes:
    """The rulebook in the place of the words that say what needs a script; with its own styles."""
    style = next((name for name in _files() if re.fullmatch(r"assets/book-.*\.css", name)), "")
    others = "".join(
        f'<a class="button" href="{path}?language={each}" lang="{each}">{name}</a> '
        for each, name in _NAMES.items()
        if each != book.language
    )
    chapters = "".join(
        f'<li><a href="#{each.id}">{escape(each.title)}</a></li>'
        for each in book.outline
        if each.level == 2
    )
    text = (
        f'<noscript><main class="bare" lang="{book.language}"><p class="others">{others}</p>'
        f'<nav aria-label="{_CONTENTS[book.language]}"><ol>{chapters}</ol></nav>'
        f'<article class="book">{book.html}</article></main></noscript>'
    )
    head = f'<noscript><link rel="stylesheet" href="/{style}" /></noscript></head>'
    told = _SCRIPTLESS.sub(lambda _: text.encode(), document, count=1)
    told = told.replace(_IN_ENGLISH, f'<html lang="{book.language}">'.encode(), 1)
    return told.replace(b"</head>", head.encode(), 1) if style else told


@get(PAGES, include_in_schema=False)
async def page(request: Request[Any, Any, Any], app: StateDep) -> Response[bytes]:
    answer = _answer(request, await _previewed(app, request))
    answer.headers["Vary"] = "Accept-Encoding, Accept-Language"
    return answer


@get("/diagrams/{game:str}/{name:str}", include_in_schema=False)
async def diagram(
    request: Request[Any, Any, Any], game: FromPath[str], name: FromPath[str]
) -> Response[bytes]:
    found = _picture(request.scope["path"])
    if found is None:
        raise NotFoundException
    return _answer(request, found)


@get(["/assets/{name:str}", "/previews/{name:str}", "/{name:str}"], include_in_schema=False)
async def file(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    found = _found(request.url.path)
    if found is None:
        if "text/html" in request.headers.get("accept", ""):
            return _answer(
                request, _files()[DOCUMENT], 404
            )  # somebody's browser: a page says it, with a way back
        raise NotFoundException
    return _answer(request, found)
