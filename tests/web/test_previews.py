"""What a link shows where it is sent: in the head of the page, for programs that run no script."""

import gzip
import re
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from threading import Event, current_thread
from typing import Any

import msgspec
import pytest

from benben.core.registry import names
from benben.store.database import StoreFailed
from benben.store.store import Store
from benben.table.events import Sat, Unrevealed
from benben.web import documents, pages, previews
from benben.web.negotiation import preferred_language
from benben.web.settings import Settings, SiteUrl
from tests.live.playing import table_options
from tests.web.in_process import site
from tests.web.site import Site, eventually, serving
from tests.web.test_expiry import expire

__all__ = ["site"]

pytestmark = pytest.mark.usefixtures("built")

PUBLIC = Path(__file__).parents[2] / "frontend/public"
DOCUMENT = "<!doctype html><html><head>\n<title>Benben</title>\n</head><body></body></html>"
TEXTS = {
    "en": {f"game.{name}.fun": f"What {name} is." for name in names()},
    "fr": {f"game.{name}.fun": f"Ce qu’est {name}." for name in names()},
}


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pages as small as they can be."""
    (tmp_path / "previews").mkdir()
    (tmp_path / pages.DOCUMENT).write_text(DOCUMENT)
    (tmp_path / previews.TEXTS).write_bytes(msgspec.json.encode(TEXTS))
    (tmp_path / "previews/shelf.jpg").write_bytes((PUBLIC / "previews/shelf.jpg").read_bytes())
    monkeypatch.setattr(pages, "STATIC", tmp_path)
    pages.built_files.cache_clear()
    yield
    pages.built_files.cache_clear()


def seen(site: Site, path: str, language: str = "en", **headers: str) -> dict[str, str]:
    """What a program that previews links finds."""
    answer = site.http.get(path, headers={"Accept-Language": language} | headers)
    assert answer.status_code == 200
    head = answer.text.partition("</head>")[0]
    tags = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)" />', head)
    titles = re.findall(r"<title>([^<]*)</title>", head)
    assert len(titles) == 1
    assert len(tags) == len(dict(tags)), "each is told once"
    return {"title": unescape(titles[0])} | {key: unescape(value) for key, value in tags}


def test_the_shelf_and_the_games(site: Site) -> None:
    shelf = seen(site, "/")
    assert shelf["og:title"] == shelf["title"] == "Benben: board games from the shelf"
    assert shelf["og:description"] == shelf["description"]
    assert shelf["og:image"] == str(site.http.base_url.join("/previews/shelf.jpg"))
    assert shelf["twitter:card"] == "summary_large_image"
    rules = seen(site, "/rules/quadrille")
    assert rules["og:title"] == "The rules of Quadrille"
    assert rules["og:description"] == "What quadrille is."
    assert rules["og:image"].endswith("/previews/quadrille.jpg")
    assert rules["og:url"].endswith("/rules/quadrille")
    assert seen(site, "/new/pyramidis")["og:title"] == "Play Pyramidis together"
    assert seen(site, "/learn/pyramidis")["og:title"] == "Learn Pyramidis by playing"
    for path in ("/rules/chess", "/new/chess", "/t/nowhere", "/t/%00", "/t/%C3%A9"):
        assert seen(site, path)["og:title"] == shelf["og:title"]
    assert seen(site, "/t/%C3%A9")["og:url"].endswith("/t/%C3%A9")


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("fr", "fr"),
        ("fr-CA,fr;q=0.9,en;q=0.8", "fr"),
        ("de, fr;q=0.5, en;q=0.4", "fr"),
        ("en-US,en;q=0.9,fr;q=0.8", "en"),
        ("fr;q=0.4,en;q=0.6", "en"),
        ("fr;q=0", "en"),
        ("fr;q=lots", "en"),
        ("de", "en"),
        ("*", "en"),
        ("", "en"),
        (",;q=,fr;" * 1000, "en"),
    ],
)
def test_french_for_whoever_likes_it_best(accepted: str, language: str) -> None:
    assert preferred_language(accepted) == language


def test_a_table_names_who_sits_there(site: Site) -> None:
    table = site.open("objectif", players=3)
    path = f"/t/{table}"
    assert seen(site, path)["og:title"] == "A table for Objectif"
    ann = site.sit(table, 0, "Ann")
    told = seen(site, path)
    assert told["og:title"] == "Ann invites you to play Objectif"
    assert told["og:description"] == (
        "Take a seat: there is nothing to install, and no account needed. What objectif is."
    )
    assert told["og:image"].endswith("/previews/objectif.jpg")
    bob = site.sit(table, 1, "Bob")
    assert seen(site, path)["og:title"] == "Ann and Bob invite you to play Objectif"
    assert seen(site, path, "fr")["og:title"] == "Ann et Bob vous invitent à jouer à Objectif"
    assert seen(site, path, "fr")["og:locale"] == "fr_FR"
    bob.do("leave")
    assert seen(site, path)["og:title"] == "Ann invites you to play Objectif"
    site.sit(table, 1, "Éva")
    ann.do("seats/2/bot", {"level": 1})
    assert seen(site, path)["og:title"] == "Ann and Éva play Objectif"
    assert seen(site, path)["og:description"].startswith("Follow the game")
    ann.do("resign")
    ann.do("forget")
    assert seen(site, path)["og:title"] == "Éva plays Objectif"


def test_a_game_that_is_over_was_played(site: Site) -> None:
    first, _ = site.table()
    first.do("resign")
    assert seen(site, f"/t/{first.table}")["og:title"] == "Ann0 and Ann1 played Quadrille"
    told = seen(site, f"/t/{first.table}", "fr")
    assert told["og:title"] == "Ann0 et Ann1 ont joué à Quadrille"
    three = seen(site, f"/t/{site.table('batisseurs', 3, players=3)[0].table}", "fr")
    assert three["og:title"] == "Ann0, Ann1 et Ann2 jouent à Bâtisseurs"


def test_a_table_that_was_closed_invites_nobody(site: Site) -> None:
    ann = site.sit(site.open(), 0, "Ann")
    expire(site, ann)
    told = seen(site, f"/t/{ann.table}")
    assert told["og:title"] == "A table for Quadrille"
    assert told["og:description"].startswith("This table was closed before the game started.")
    french = seen(site, f"/t/{ann.table}", "fr")["og:description"]
    assert french.startswith("Cette table a été fermée avant le début de la partie.")


def test_who_lost_a_seat_before_the_game_is_not_named() -> None:
    options, taken = table_options(), [Sat(0, "Ann", "", commitment="c"), Sat(1, "Bob", "n")]
    assert previews._seated(options, taken) == (["Ann", "Bob"], False)
    assert previews._seated(options, [*taken, Unrevealed(0)]) == (["Bob"], False)
    assert previews._players(options, [*taken, Unrevealed(0)])[0] != "Ann"


def test_names_are_only_names(site: Site) -> None:
    table = site.open()
    site.sit(table, 0, '"/><script>x</script>')
    answer = site.http.get(f"/t/{table}")
    assert "<script>" not in answer.text
    assert seen(site, f"/t/{table}")["og:title"].startswith('"/><script>x</script> invites')
    other = site.open()
    site.sit(other, 0, "{game} \\1")
    assert seen(site, f"/t/{other}")["og:title"] == "{game} \\1 invites you to play Quadrille"


def test_no_secret_is_in_it(site: Site) -> None:
    people = site.table("objectif", 2, players=2)
    text = site.http.get(f"/t/{people[0].table}").text
    found = site.state.store.load(people[0].table)
    assert found is not None
    stored, rows, holders = found
    secrets = [stored.secret, people[0].token, *holders, *(row.body for row in rows)]
    assert not [secret for secret in secrets if secret in text]


def test_the_pages_address_is_the_sites_own(tmp_path: Path, site: Site) -> None:
    told = seen(site, "/", Host="games.example.org:8443")
    assert told["og:image"] == "http://games.example.org:8443/previews/shelf.jpg"
    for host in ("", 'x"><b>', "a host"):
        assert previews.address("", "http", host) == ""
    nowhere = previews.head(previews.Preview("en", "A title", "A sentence"), "", "/")
    assert "A title" in nowhere
    assert "og:image" not in nowhere
    settings = Settings(address=SiteUrl("https://games.example.org"))
    with serving(tmp_path, settings=settings, wait=False) as other:
        told = seen(other, "/rules/objectif")
    assert told["og:image"] == "https://games.example.org/previews/objectif.jpg"
    assert told["og:url"] == "https://games.example.org/rules/objectif"


def test_a_page_does_not_wait_for_its_preview(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    first, _ = site.table()
    general = seen(site, "/")["og:title"]

    def failing(*_: Any) -> None:
        raise StoreFailed("somewhere", "it is full")

    monkeypatch.setattr(Store, "first_events", failing)
    assert seen(site, f"/t/{first.table}")["og:title"] == general
    monkeypatch.setattr(Store, "first_events", lambda *_: time.sleep(0.2))
    monkeypatch.setattr(previews, "TIMEOUT_SECONDS", 0.01)
    assert seen(site, f"/t/{first.table}")["og:title"] == general
    monkeypatch.undo()


def test_few_tables_are_looked_up_at_once_however_slow_the_store(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that does not wait any longer does not end what was begun for it."""
    first, _ = site.table()
    general = seen(site, "/")["og:title"]
    go_on, reading = Event(), []
    eventually(lambda: site.state.previews._reading == set(), "nothing is looked up any more")

    def hanging(_: Store, name: str, __: int) -> None:
        reading.append(name)
        go_on.wait(20)

    with monkeypatch.context() as slow:
        slow.setattr(Store, "first_events", hanging)
        slow.setattr(previews, "TIMEOUT_SECONDS", 0.01)
        names = [f"table{i}" for i in range(3 * previews.MOST_AT_ONCE)]
        for name in names:
            assert seen(site, f"/t/{name}")["og:title"] == general
        eventually(lambda: len(reading) >= previews.THREADS, "threads read")
        assert reading == names[: previews.THREADS], "no thread of others waits for the store"
        assert site.get("tables") is not None, "they are served"
        go_on.set()
        eventually(lambda: site.state.previews._reading == set(), "all have been looked up")
        assert reading == names[: previews.MOST_AT_ONCE]
    assert seen(site, f"/t/{first.table}")["og:title"] == "Ann0 and Ann1 play Quadrille"


def test_a_long_name_is_cut() -> None:
    assert previews._short("x" * 1000) == "x" * 24
    decomposed = "e\u0301" * 24
    assert previews._short(decomposed) == decomposed


def test_a_document_is_packed_once_and_only_for_who_unpacks_it(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed: list[str] = []
    compress = gzip.compress

    def noting(data: bytes, *more: Any, **others: Any) -> bytes:
        packed.append(current_thread().name)
        return compress(data, *more, **others)

    pages.built_files()
    monkeypatch.setattr(gzip, "compress", noting)
    first, _ = site.table()
    for path in (f"/t/{first.table}", "/rules/quadrille"):
        packed.clear()
        site.state.documents._tasks.clear()
        plain = site.http.get(path, headers={"Accept-Encoding": "identity"})
        assert packed == []
        answers = [site.http.get(path, headers={"Accept-Encoding": "gzip"}) for _ in range(3)]
        assert {answer.content for answer in answers} == {plain.content}
        assert len(packed) == 1
        assert packed[0].startswith("page"), "not on the event loop"


def test_few_documents_are_cached(site: Site) -> None:
    for i in range(documents.MOST_CACHED + 10):
        site.http.get("/", headers={"Host": f"host{i}.example.org"})
    assert len(site.state.documents._tasks) == documents.MOST_CACHED


def test_only_the_beginning_of_a_record_is_read(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = site.table()
    for _ in range(3):
        first.move()
        second.move()
    monkeypatch.setattr(previews, "MOST_EVENTS", 3)
    monkeypatch.setattr(Store, "load", None)
    assert seen(site, f"/t/{first.table}")["og:title"] == "Ann0 and Ann1 play Quadrille"
    waiting = site.sit(site.open(), 0)
    for _ in range(2):
        waiting.do("chat", {"text": "hm"})
    assert seen(site, f"/t/{waiting.table}")["og:title"] == "A table for Quadrille"


def test_a_preview_is_no_other_page_to_a_cache(site: Site) -> None:
    answer = site.http.get("/rules/quadrille", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["vary"] == "Accept-Encoding, Accept-Language"
    assert answer.headers["content-security-policy"] == pages.POLICY
    plain = site.http.get("/rules/quadrille", headers={"Accept-Encoding": "identity"})
    assert plain.content == answer.content


def test_pictures_are_small_and_kept_for_a_day(site: Site) -> None:
    answer = site.http.get("/previews/shelf.jpg")
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.headers["cache-control"] == "public, max-age=86400"
    for name in ("shelf", *names()):
        picture = (PUBLIC / f"previews/{name}.jpg").read_bytes()
        frame = picture.index(b"\xff\xc0")  # where JPEG tells height and width
        size = [int.from_bytes(picture[at : at + 2]) for at in (frame + 7, frame + 5)]
        assert size == [previews.WIDTH, previews.HEIGHT]
        assert len(picture) < 60_000, name
