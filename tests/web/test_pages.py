"""The built pages as they are sent."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import benben
from benben.learn.rulebook import LANGUAGES, rulebook_of
from benben.web import pages
from benben.web.built_pages import STATIC, built_pages
from tests.web.in_process import site
from tests.web.site import Site, refused

__all__ = ["site"]


def unpreviewed(document: str) -> str:
    """Without what the head tells of the page, and what it preloads."""
    own = r"<title>.*</title>|<meta [^>]*content=[^>]*>"
    preloads = r'\s*<link rel="(?:modulepreload|stylesheet)" crossorigin href="[^"]*">'
    return re.sub(f"{own}|{preloads}", "", document)


def test_every_page_is_the_same_document_with_a_strict_policy(site: Site) -> None:
    shelf = site.http.get("/")
    assert shelf.headers["content-type"] == "text/html; charset=utf-8"
    assert shelf.headers["cache-control"] == "no-cache"
    policy = shelf.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    encrypted = site.http.get("/", headers={"X-Forwarded-Proto": "https"})
    assert encrypted.headers["cross-origin-opener-policy"] == "same-origin"
    assert "cross-origin-opener-policy" not in shelf.headers, "browsers complain of it"
    assert "camera=()" in shelf.headers["permissions-policy"]
    others = (
        "/t/abc",
        "/new/quadrille",
        "/rules/chess",
        "/learn/objectif",
        "/kit/objectif",
        "/games",
    )
    for path in others:
        assert unpreviewed(site.http.get(path).text) == unpreviewed(shelf.text)
    for path in ("/puzzles", "/puzzles/quadrille/abcdef"):
        assert unpreviewed(site.http.get(path).text) == unpreviewed(shelf.text)
    assert "<script>" not in shelf.text
    assert "style=" not in shelf.text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "accepted", "language"),
    [
        ("", "fr-CH, en;q=0.5", "fr"),
        ("?language=fr", "en", "fr"),
        ("?language=en", "fr", "en"),
        ("?language=de", "en", "en"),
    ],
)
def test_a_rulebook_is_in_its_page(site: Site, query: str, accepted: str, language: str) -> None:
    headers = {"Accept-Language": accepted}
    page = site.http.get(f"/rules/batisseurs{query}", headers=headers).text
    book = rulebook_of("batisseurs", language)
    assert book.title == benben.info("batisseurs").titles[language]
    assert f'<html lang="{language}">' in page
    assert book.html in page
    assert "<script>" not in page
    assert "style=" not in page
    (style,) = re.findall(r'<noscript><link rel="stylesheet" href="([^"]+)"', page)
    assert ".book" in site.http.get(style).text
    for source in re.findall(r'<img src="([^"]+)"', page):
        picture = site.http.get(source)
        assert picture.headers["content-type"] == "image/png"
        assert picture.headers["cache-control"] == "public, max-age=86400"
        assert picture.content.startswith(b"\x89PNG")


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_luck_is_drawn_is_in_its_page(site: Site, language: str) -> None:
    page = site.http.get(f"/fairness?language={language}").text
    told = site.get(f"fairness?language={language}")
    assert told["html"] in page
    assert f'href="/fairness?language={"fr" if language == "en" else "en"}"' in page
    assert [each["id"] for each in told["contents"] if each["level"] == 2] == [
        *("how", "checking", "limits", "algorithm"),
    ]
    assert re.search(r'<noscript><link rel="stylesheet" href="[^"]+"', page)
    assert f"<title>{told['title']}" in page


def test_pictures_that_are_not_there(site: Site) -> None:
    for path in (
        "quadrille/nothing.png",
        "chess/step.png",
        "quadrille/step",
        "quadrille/..%2fx.png",
    ):
        refused(site.http.get(f"/diagrams/{path}"), 404, "no-such-path")


def linked(page: str) -> list[str]:
    """The scripts and style sheets in the head of a page."""
    return re.findall(
        r'<link rel="(?:modulepreload|stylesheet)" crossorigin href="/([^"]+)">', page
    )


def test_a_page_lists_what_it_will_load(site: Site) -> None:
    built = built_pages()
    ann = site.table("quadrille", people=2, players=2)[0]
    table = set(linked(site.http.get(f"/t/{ann.table}").text))
    assert set(built.boards["quadrille"]) <= table
    assert set(built.words["quadrille"]["en"]) <= table
    french = set(linked(site.http.get(f"/t/{ann.table}", headers={"Accept-Language": "fr"}).text))
    assert set(built.words["quadrille"]["fr"]) | set(built.words[""]["fr"]) <= french
    assert not set(built.words["quadrille"]["en"]) & french
    unknown = set(linked(site.http.get("/t/nowhere").text))
    assert unknown < table
    assert built.boards["quadrille"][0] not in linked(site.http.get("/").text)


def test_styles_of_a_page_come_after_those_of_all_pages(site: Site) -> None:
    """So that they override them, as they do when they are loaded by a script."""
    common = linked(pages.built_files()["index.html"].plain.decode())
    rules = linked(site.http.get("/rules/quadrille").text)
    assert any(each.endswith(".css") for each in rules[len(common) :])
    assert rules[: len(common)] == common


def test_what_a_page_loads_is_packed_and_kept(site: Site) -> None:
    session = re.findall(r'(?:src|href)="(/[^"]+)"', site.http.get("/").text)
    assert any(path.endswith(".js") for path in session)
    for path in session:
        answer = site.http.get(path)
        assert answer.status_code == 200, path
        if path.startswith("/assets/"):
            assert "immutable" in answer.headers["cache-control"]
    script = next(path for path in session if path.endswith(".js"))
    plain = site.http.get(script, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    for encoding, ending in (("gzip", ".gz"), ("br", ".br")):
        packed = raw(site, script, encoding)
        assert packed == (STATIC / f"{script[1:]}{ending}").read_bytes()
        assert len(packed) < len(plain.content)
        refused(site.http.get(script + ending), 404, "no-such-path")
    assert gzip.decompress(raw(site, script, "gzip")) == plain.content


def raw(site: Site, path: str, accepted: str, **headers: str) -> bytes:
    """What is sent of a file, as it is packed; its encoding is the one it should be."""
    headers |= {"Accept-Encoding": accepted}
    with site.http.stream("GET", path, headers=headers) as answer:
        assert answer.headers["content-encoding"] == accepted
        return b"".join(answer.iter_raw())


@pytest.fixture
def compressed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A file in three forms."""
    for ending in ("", ".br", ".gz"):
        (tmp_path / f"x.js{ending}").write_text(f"form {ending}")
    monkeypatch.setattr(pages, "STATIC", tmp_path)
    pages.built_files.cache_clear()
    yield
    pages.built_files.cache_clear()


@pytest.mark.parametrize(
    ("accepted", "form"),
    [
        ("gzip, deflate, br, zstd", ".br"),
        ("gzip", ".gz"),
        ("GZIP;q=0.5", ".gz"),
        ("br;q=0, gzip;q=1.0", ".gz"),
        ("br; q=0.000, *", ".gz"),
        ("*", ".br"),
        ("br;q=0, *;q=0", ""),
        ("gzipped", ""),
        ("", ""),
    ],
)
def test_what_a_client_accepts_is_sent(
    site: Site, compressed: None, accepted: str, form: str
) -> None:
    with site.http.stream("GET", "/x.js", headers={"Accept-Encoding": accepted}) as answer:
        assert b"".join(answer.iter_raw()).decode() == f"form {form}"
        assert answer.headers["vary"] == "Accept-Encoding"
        encoding = {".br": "br", ".gz": "gzip"}.get(form)
        assert answer.headers.get("content-encoding") == encoding


@pytest.mark.parametrize("path", ["/", "/rules/quadrille", "/sw.js", "/icon.svg"])
def test_what_a_client_has_is_not_sent_again(site: Site, path: str) -> None:
    first = site.http.get(path)
    etag = first.headers["etag"]
    for known in (etag, etag.removeprefix("W/"), f'"other", {etag}', "*"):
        again = site.http.get(path, headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        # They replace those of the page that the browser has: also what it may load.
        for name in ("etag", "cache-control", "vary", "content-security-policy"):
            assert again.headers[name] == first.headers[name]
        assert again.headers.get("permissions-policy") == first.headers.get("permissions-policy")
    other = site.http.get(path, headers={"If-None-Match": 'W/"other"'})
    assert (other.status_code, other.content) == (200, first.content)


@pytest.fixture
def unbuilt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nobody has built the pages."""
    monkeypatch.setattr(pages, "STATIC", tmp_path)
    pages.built_files.cache_clear()
    yield
    pages.built_files.cache_clear()


def test_pages_that_are_not_built_say_so(site: Site, unbuilt: None) -> None:
    for path in ("/", "/t/abc", "/"):
        assert "make pages" in site.http.get(path).text
    refused(site.http.get("/index.html"), 404, "no-such-path")


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Only the files that nobody has to build."""
    monkeypatch.setattr(pages, "STATIC", Path(__file__).parents[2] / "frontend/public")
    pages.built_files.cache_clear()
    yield
    pages.built_files.cache_clear()


def test_the_worker_that_shows_notices_is_for_all_pages(site: Site, plain: None) -> None:
    """Its scope is the folder it comes from, and a browser has to see when it has changed."""
    worker = site.http.get("/sw.js")
    assert worker.status_code == 200
    assert worker.headers["content-type"].startswith("text/javascript")
    assert worker.headers["cache-control"] == "no-cache"
    assert (
        "script-src 'self'" in pages.POLICY
    )  # which is for workers too, where nothing else is said
    assert "worker-src" not in pages.POLICY
    assert "fetch" not in worker.text


def test_what_is_not_there(site: Site) -> None:
    for path in (
        "/nothing.js",
        "/assets/nothing.js",
        "/index.html",
        "/pages.json",
        "/assets/..%2findex.html",
    ):
        refused(site.http.get(path), 404, "no-such-path")
    refused(site.http.get("/a/b/c"), 404, "no-such-path")
