"""The built front end, read once and served from memory.

All pages have the same document, in which the front end routes by the URL. The server adds to its
head a link preview and the files which the page will load, and to its body the text of a rulebook
for browsers without scripts.

Litestar's static files have no precompressed forms and no `If-None-Match`, so they are served here.
"""

import gzip
import mimetypes
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from html import escape
from pathlib import Path
from typing import Any

import msgspec
from litestar import Request, Response, get
from litestar.exceptions import NotFoundException

from benben.core.registry import names
from benben.learn.diagrams import pictures_of
from benben.learn.rulebook import LANGUAGES, NoRulebook, Rulebook, fairness_page, rulebook_of
from benben.web import previews
from benben.web.auth import AddressDep, StateDep
from benben.web.built_pages import PAGE_LIST, STATIC, built_pages, preload_tags
from benben.web.documents import File
from benben.web.negotiation import etag_matches, preferred_encoding, preferred_language
from benben.web.state import AppState

FAIRNESS = "/fairness"
DOCUMENT = "index.html"
POLICY = "; ".join(
    (
        "default-src 'none'",
        "connect-src 'self'",
        "font-src 'self'",
        "img-src 'self' blob:",  # pictures that a page makes for download
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
_TITLE = b"<title>Benben</title>"  # in built documents, replaced by the preview
_RULES = "/rules/"
_PICTURE = re.compile("/diagrams/([^/]+)/([^/]+)[.]png")
_NOSCRIPT = re.compile(rb"<noscript>.*?</noscript>", re.DOTALL)  # shown without scripts
_ENGLISH_TAG = b'<html lang="en">'
_NAMES = {"en": "English", "fr": "Français"}
_CONTENTS = {"en": "Contents", "fr": "Sommaire"}
_ENCODINGS = {"br": ".br", "gzip": ".gz"}  # and suffixes of such files, the best first
_IMMUTABLE = "public, max-age=31536000, immutable"
_REVALIDATE = "no-cache"
_ONE_DAY = "public, max-age=86400"


@cache
def built_files() -> dict[str, File]:
    """The files by path. Names in `assets/` have a hash of the content, so those never change."""
    found = {}
    for path in sorted(STATIC.rglob("*")):
        if path.is_file() and path.suffix not in _ENCODINGS.values():
            name = path.relative_to(STATIC).as_posix()
            folder = name.rpartition("/")[0]
            caching = {"assets": _IMMUTABLE, "previews": _ONE_DAY}.get(folder, _REVALIDATE)
            kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
            found[name] = File(path.read_bytes(), kind, caching, _compressed(path))
    return {DOCUMENT: File(UNBUILT, "text/html", _REVALIDATE)} | found


def _compressed(path: Path) -> dict[str, bytes]:
    """The compressed forms of a file, by encoding; the build writes them beside it."""
    beside = {name: path.with_name(path.name + ending) for name, ending in _ENCODINGS.items()}
    return {name: each.read_bytes() for name, each in beside.items() if each.is_file()}


def is_page(path: str) -> bool:
    return built_pages().find(path) is not None


def is_file(path: str) -> bool:
    """Whether a path is that of a file which pages load."""
    return _found(path) is not None or _picture(path) is not None


def _found(path: str) -> File | None:
    """A file by its path; the document of all pages and the list of pages have none."""
    name = path.removeprefix("/")
    return None if name in (DOCUMENT, PAGE_LIST) else built_files().get(name)


def _picture(path: str) -> File | None:
    """The picture of a diagram in a rulebook."""
    asked = _PICTURE.fullmatch(path)
    if asked is None or asked[1] not in names():
        return None
    picture = pictures_of(asked[1]).get(asked[2])
    return None if picture is None else File(picture, "image/png", _ONE_DAY)


def _answer(request: Request[Any, Any, Any], file: File, status: int = 200) -> Response[bytes]:
    headers = {"Cache-Control": file.caching, "ETag": file.etag, "Vary": "Accept-Encoding"}
    if file.type == "text/html":
        headers["Content-Security-Policy"] = POLICY
        if request.url.scheme == "https":  # over plain HTTP browsers ignore it and log a warning
            headers["Cross-Origin-Opener-Policy"] = "same-origin"
        headers["Permissions-Policy"] = PERMISSIONS
    # The headers of a 304 replace those of the cached page.
    if status == 200 and etag_matches(request.headers.get("if-none-match", ""), file.etag):
        return Response(b"", status_code=304, headers=headers)
    body, encoding = file.plain, _encoding(request, file.compressed)
    if encoding:
        headers["Content-Encoding"] = encoding
        body = file.compressed[encoding]
    return Response(body, status_code=status, media_type=file.type, headers=headers)


def _encoding(request: Request[Any, Any, Any], available: Iterable[str]) -> str:
    return preferred_encoding(request.headers.get("accept-encoding", ""), available)


@lru_cache(8)
def _texts(catalogue: File | None) -> dict[str, dict[str, previews.Message]]:
    """The texts of a catalogue by language; none if the pages have not been built."""
    if catalogue is None:
        return {}
    return msgspec.json.decode(catalogue.plain, type=dict[str, dict[str, previews.Message]])


async def _with_preview(app: AppState, request: Request[Any, Any, Any], address: str) -> File:
    """The document with the preview of the requested page in its head."""
    files, path = built_files(), request.scope["path"]
    document = files[DOCUMENT]
    if document.plain is UNBUILT:
        return document
    language = _language(request)
    texts = _texts(files.get(previews.TEXTS))
    preview = await app.previews.of(path, language, app.store, texts)
    host = request.headers.get("host", "")
    site = previews.address(app.settings.address, request.url.scheme, host)
    head, preloads = previews.head(preview, site, path), ""
    if found := built_pages().find(path):
        preloads = preload_tags(built_pages().files_of(found[0], preview.game, language))
    text_path = path if path.startswith((_RULES, FAIRNESS)) else ""
    # Everything that the document depends on.
    compressed = bool(_encoding(request, ["gzip"]))
    key = (document.plain, head, preloads, text_path, language, compressed)
    return await app.documents.get(key, lambda: app.rendering.run(address, _document_of, *key))


def _document_of(
    built: bytes, head: str, preloads: str, text_path: str, language: str, compressed: bool
) -> File:
    content = built.replace(_TITLE, head.encode(), 1)
    # Last: the styles of a page override those of all pages.
    content = content.replace(b"</head>", f"{preloads}\n  </head>".encode(), 1)
    if text_path and (book := _book(text_path, language)) is not None:
        content = _with_book(content, book, text_path)
    forms = {"gzip": gzip.compress(content, 6, mtime=0)} if compressed else {}
    return File(content, "text/html", _REVALIDATE, forms)


def _language(request: Request[Any, Any, Any]) -> str:
    """The language of the query, else of the `Accept-Language` header."""
    asked = request.query_params.get("language")
    if asked in LANGUAGES:
        return str(asked)
    return preferred_language(request.headers.get("accept-language", ""))


def _book(path: str, language: str) -> Rulebook | None:
    if path == FAIRNESS:
        return fairness_page(language)
    game = path.removeprefix(_RULES)
    if game not in names():
        return None
    try:
        return rulebook_of(game, language)
    except NoRulebook:
        return None


def _with_book(document: bytes, book: Rulebook, path: str) -> bytes:
    """Replace the notice for browsers without scripts by the rulebook, with its style sheet."""
    style = next((name for name in built_files() if re.fullmatch(r"assets/book-.*\.css", name)), "")
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
    page = _NOSCRIPT.sub(lambda _: text.encode(), document, count=1)
    page = page.replace(_ENGLISH_TAG, f'<html lang="{book.language}">'.encode(), 1)
    return page.replace(b"</head>", head.encode(), 1) if style else page


@get(
    [path for each in built_pages().pages for path in each.litestar_paths()],
    include_in_schema=False,
)
async def page(
    request: Request[Any, Any, Any], app: StateDep, address: AddressDep
) -> Response[bytes]:
    answer = _answer(request, await _with_preview(app, request, address))
    answer.headers["Vary"] = "Accept-Encoding, Accept-Language"
    return answer


@get("/diagrams/{game:str}/{name:str}", include_in_schema=False)
async def diagram(request: Request[Any, Any, Any]) -> Response[bytes]:
    found = _picture(request.scope["path"])
    if found is None:
        raise NotFoundException
    return _answer(request, found)


@get(["/assets/{name:str}", "/previews/{name:str}", "/{name:str}"], include_in_schema=False)
async def file(request: Request[Any, Any, Any]) -> Response[bytes]:
    found = _found(request.url.path)
    if found is None:
        if "text/html" in request.headers.get("accept", ""):
            return _answer(request, built_files()[DOCUMENT], 404)  # a page with a link to the start
        raise NotFoundException
    return _answer(request, found)
