"""Being told that it is one's turn: by mail, if the host can send any, and by a private feed."""

import logging
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest

from benben.core.errors import BenbenError
from benben.web.limits import Limits
from benben.web.settings import Settings, is_mail_address
from tests.web.post import PASSWORD, SITE, PostOffice
from tests.web.site import PATIENCE, Person, Site, refused, serving

ADDRESS = "ann+games@example.org"
DAYS: dict[str, Any] = {"pace": {"pace": "days", "days": 2}}
AT_ONCE = (0.0,) + 400 * (0.05,)  # seconds before each try
_OTHERS = ("httpx", "mail.log")  # whose logs these are: of who asks, and of the mail server
_ATOM = "{http://www.w3.org/2005/Atom}"


def new_office() -> PostOffice:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return PostOffice(free.getsockname()[1])


@pytest.fixture
def own_office() -> PostOffice:
    """One that is still closed, for a test's own site."""
    return new_office()


@pytest.fixture(scope="module")
def office() -> PostOffice:
    return new_office()


@contextmanager
def posting(folder: Path, office: PostOffice) -> Iterator[Site]:
    """A site that sends mail at once."""
    with serving(folder, settings=office.settings(), mail_pauses=AT_ONCE) as site:
        yield site


@pytest.fixture(scope="module")
def mailing(tmp_path_factory: pytest.TempPathFactory, office: PostOffice) -> Iterator[Site]:
    with office.open(), posting(tmp_path_factory.mktemp("mailing"), office) as site:
        yield site


def remind(person: Person, email: str = "", language: str = "en") -> str:
    """The path of the feed."""
    return str(person.do("reminders", {"email": email, "language": language})["feed"])


def turn(ann: Person, bob: Person) -> None:
    """Whoever is to move plays until it is the other's turn."""
    first = ann.look()["to_move"]
    who = ann if ann.look()["you"] == first else bob
    while ann.look()["to_move"] == first:
        who.move()


def words_of(letter: EmailMessage) -> str:
    return str(letter.get_content()).replace("\r\n", "\n")


def entries(answer: httpx.Response) -> list[dict[str, str]]:
    """The entries of a feed, by what is in them."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("application/atom+xml")
    found = ElementTree.fromstring(answer.content).iter(f"{_ATOM}entry")
    return [
        {each.tag.removeprefix(_ATOM): each.get("href") or each.text or "" for each in entry}
        for entry in found
    ]


# ---- Mail


def test_mail_comes_when_it_is_ones_turn_and_not_otherwise(
    mailing: Site, office: PostOffice
) -> None:
    assert mailing.get("server")["mail"] is True
    ann, bob = mailing.table(**DAYS)
    remind(ann, ADDRESS, "fr")
    for _ in range(2):
        turn(ann, bob)  # it is Bob's turn, who has asked for nothing
        turn(ann, bob)
        letter = office.next()
        assert letter["To"] == ADDRESS
        assert letter["From"] == "Benben <house@example.org>"
        assert letter["Subject"] == "À vous de jouer : Quadrille"
        assert f"\n{SITE}/t/{ann.table}\n" in words_of(letter)
    ann.do("reminders", {"language": "fr"})
    turn(ann, bob)
    turn(ann, bob)
    remind(bob, "bob@example.org")
    turn(ann, bob)
    letter = office.next()
    assert letter["To"] == "bob@example.org", "Ann has taken her address back"
    assert letter["Subject"] == "Your turn: Quadrille"
    assert office.empty


def test_a_turn_of_several_moves_and_throws_is_one(mailing: Site, office: PostOffice) -> None:
    addresses = [ADDRESS, "bob@example.org"]
    told: list[str] = []
    wanted: list[str] = []

    def new_game() -> list[Person]:
        people = mailing.table("batisseurs", players=2, options={"first": 1}, **DAYS)
        for person, address in zip(people, addresses, strict=True):
            remind(person, address)
        return people

    people = new_game()
    while len(wanted) < 6:
        mover = people[0].look()["to_move"]
        people[mover].move()
        following = people[0].look().get("to_move")
        if following is None:  # luck can end a game before six turns, and nobody is told
            people = new_game()
        elif following != mover:  # who throws in vain has nothing to decide, and is not told
            wanted.append(addresses[following])
            told.append(office.next()["To"])
    assert told == wanted
    assert office.empty


def test_seats_may_be_drawn_and_the_first_turn_counts(mailing: Site, office: PostOffice) -> None:
    begun: set[bool] = set()
    for _ in range(100):  # until lots have been drawn both ways
        ann = mailing.sit(mailing.open("pyramidis", players=2, drawn=True, **DAYS), 0)
        remind(ann, ADDRESS)
        mailing.sit(ann.table, 1)
        begun.add(ann.look()["to_move"] == ann.look()["you"])
        if ann.look()["to_move"] == ann.look()["you"]:
            assert f"/t/{ann.table}\n" in words_of(office.next())
        if len(begun) == 2:
            break
    assert begun == {False, True}
    assert office.empty


def test_there_is_nothing_secret_in_a_mail(mailing: Site, office: PostOffice) -> None:
    ann, bob = mailing.table("objectif", **DAYS)
    ours, theirs = remind(ann, ADDRESS), remind(bob, "bob@example.org")
    letters = {}
    for _ in range(2):
        turn(ann, bob)
        letter = office.next()  # before the next turn: who has moved needs none any more
        letters[letter["To"]] = letter
    text = letters[ADDRESS].as_string() + words_of(letters[ADDRESS])
    for secret in (ann.token, bob.token, "Ann0", "Ann1", "bob@", ours[7:], theirs[7:], PASSWORD):
        assert secret not in text


def test_mail_can_be_ended_with_one_click(mailing: Site, office: PostOffice) -> None:
    ann, bob = mailing.table(**DAYS)
    feed = remind(ann, ADDRESS, "fr")
    turn(ann, bob)
    turn(ann, bob)
    letter = office.next()
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    written = dict(letter.raw_items())["List-Unsubscribe"]  # not all who read it decode it
    link = re.fullmatch(rf"<{SITE}(/feeds/\w+/stop)>", written)
    assert link is not None
    assert link[1] in words_of(letter)
    read = link[1].removesuffix("/stop")
    refused(mailing.http.get(read), 404, "no-such-feed")  # it may be ended by this, not read
    page = mailing.http.get(link[1])
    assert page.headers["content-type"].startswith("text/html")
    assert "Ne plus en recevoir" in page.text
    assert entries(mailing.http.get(feed)), "to look at the page has changed nothing"
    done = mailing.http.post(link[1], data={"List-Unsubscribe": "One-Click"})
    assert (done.status_code, done.text) == (200, "Il n’y aura plus de rappels de cette table.\n")
    for gone in (mailing.http.get(feed), mailing.http.get(link[1]), mailing.http.post(link[1])):
        refused(gone, 404, "no-such-feed")
    turn(ann, bob)
    turn(ann, bob)
    remind(bob, "bob@example.org")
    turn(ann, bob)
    assert office.next()["To"] == "bob@example.org"
    assert office.empty


def test_a_mail_server_that_is_down_keeps_nobody_from_playing(
    tmp_path: Path, own_office: PostOffice, caplog: pytest.LogCaptureFixture
) -> None:
    with posting(tmp_path, own_office) as site:
        ann, bob = site.table(**DAYS)
        remind(ann, ADDRESS)
        turn(ann, bob)
        turn(ann, bob)
        while "no mail could be sent" not in caplog.text:
            site.http.get("/healthz")
        with own_office.open():
            assert own_office.next()["To"] == ADDRESS
    assert ADDRESS not in caplog.text


def test_a_restart_neither_forgets_a_mail_nor_sends_it_again(
    tmp_path: Path, own_office: PostOffice, caplog: pytest.LogCaptureFixture
) -> None:
    with posting(tmp_path, own_office) as site:
        ann, bob = site.table(**DAYS)
        remind(ann, ADDRESS)
        turn(ann, bob)
        turn(ann, bob)
        while "no mail could be sent" not in caplog.text:
            site.http.get("/healthz")
    with own_office.open(), posting(tmp_path, own_office) as site:
        assert own_office.next()["To"] == ADDRESS
    with own_office.open(), posting(tmp_path, own_office) as site:
        bob.site = ann.site = site
        remind(bob, "bob@example.org")
        turn(ann, bob)
        assert own_office.next()["To"] == "bob@example.org"
    assert own_office.empty


def test_who_plays_at_once_needs_no_mail(tmp_path: Path, own_office: PostOffice) -> None:
    with (
        own_office.open(),
        serving(tmp_path, settings=own_office.settings(), mail_pauses=[4.0]) as site,
    ):
        ann, bob = site.table(**DAYS)
        remind(ann, ADDRESS)
        remind(bob, "bob@example.org")
        for _ in range(3):
            turn(ann, bob)
        assert own_office.next()["To"] == "bob@example.org"
    assert own_office.empty


# ---- Feeds


def test_a_feed_has_the_turns_of_its_seat_the_newest_first(site: Site) -> None:
    assert site.get("server")["mail"] is False
    ann, bob = site.table("quadrille", **DAYS)
    feed, other = remind(ann), remind(bob, language="fr")
    assert len(entries(site.http.get(feed))) == 1
    assert entries(site.http.get(other)) == []
    for _ in range(4):
        turn(ann, bob)
    mine, theirs = (entries(site.http.get(each)) for each in (feed, other))
    assert (len(mine), len(theirs)) == (3, 2)
    assert [each["updated"] for each in mine] == sorted((e["updated"] for e in mine), reverse=True)
    assert {each["title"] for each in mine} == {"Your turn: Quadrille"}
    assert {each["title"] for each in theirs} == {"À vous de jouer : Quadrille"}
    link = str(site.http.base_url).rstrip("/") + f"/t/{ann.table}"
    assert {each["link"] for each in mine + theirs} == {link}
    assert len({each["id"] for each in mine + theirs}) == 5
    turn(ann, bob)
    turn(ann, bob)
    assert entries(site.http.get(feed))[1:] == mine
    text = site.http.get(feed).text
    for secret in (ann.token, bob.token, "Ann0", "Ann1", feed[7:], other[7:]):
        assert secret not in text


def test_a_feed_that_is_known_is_not_sent_again(site: Site) -> None:
    ann, bob = site.table(**DAYS)
    feed = remind(ann)
    first = site.http.get(feed)
    known: list[dict[str, str]] = [
        {"If-None-Match": first.headers["etag"]},
        {"If-None-Match": f'"other", W/{first.headers["etag"]}'},
        {"If-Modified-Since": first.headers["last-modified"]},
    ]
    for headers in known:
        again = site.http.get(feed, headers=headers)
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
    for strange in ("yesterday", "", "Thu, 01 Jan 1970 00:00:00 GMT"):
        assert site.http.get(feed, headers={"If-Modified-Since": strange}).status_code == 200
    turn(ann, bob)
    turn(ann, bob)
    fresh = site.http.get(feed, headers=known[0])
    assert len(entries(fresh)) == 2
    assert "no-store" not in fresh.headers["cache-control"]


def test_a_new_feed_ends_the_old_one_and_stopping_ends_both(site: Site) -> None:
    ann, _ = site.table(**DAYS)
    old, new = remind(ann), remind(ann)
    assert old != new
    refused(site.http.get(old), 404, "no-such-feed")
    assert site.http.get(new).status_code == 200
    assert ann.ask("reminders/stop").status_code == 204
    assert ann.ask("reminders/stop").status_code == 204
    refused(site.http.get(new), 404, "no-such-feed")
    feed = remind(ann)
    assert site.http.post(f"{feed}/stop").status_code == 200
    refused(site.http.get(feed), 404, "no-such-feed")


def test_who_gives_up_the_seat_or_is_forgotten_has_no_feed_any_more(site: Site) -> None:
    table = site.open(**DAYS)
    ann = site.sit(table, 0)
    feed = remind(ann)
    ann.do("leave")
    refused(site.http.get(feed), 404, "no-such-feed")
    ann, bob = site.sit(table, 0), site.sit(table, 1)
    feed, other = remind(ann), remind(bob)
    ann.do("forget")
    refused(site.http.get(feed), 404, "no-such-feed")
    assert site.http.get(other).status_code == 200


# ---- Who may ask for what


def test_what_is_refused(site: Site) -> None:
    ann, _ = site.table()
    refused(ann.ask("reminders", {}), 409, "not-by-days")
    ann, _ = site.table(**DAYS)
    refused(ann.ask("reminders", {"email": ADDRESS}), 409, "no-mail")
    refused(ann.ask("reminders", {"language": "de"}), 400, "bad-request")
    for what in ("reminders", "reminders/stop"):
        refused(Person(site, ann.table).ask(what, {}), 401, "no-token")
        refused(Person(site, ann.table, "x").ask(what, {}), 401, "no-token")
    for path in ("/feeds/x", "/feeds/%ff%00", f"/feeds/{'x' * 5000}"):
        refused(site.http.get(path), 404, "no-such-feed")


@pytest.mark.parametrize(
    "bad",
    [
        "ann",
        "@example.org",
        "ann@",
        "ann@bob@example.org",
        "ann@example.org\nBcc: bob@example.org",
        "ann@example.org\r\n",
        "ann@example.org, bob@example.org",
        "Ann <ann@example.org>",
        "ann@exam ple.org",
        "ann..b@example.org",
        '"ann"@example.org',
        "ann@example.org\0",
        "ånn@example.org",
        "ann@-example.org",
        "a" * 250 + "@b.org",
    ],
)
def test_what_is_no_address_is_refused(site: Site, bad: str) -> None:
    ann, _ = site.table(**DAYS)
    refused(ann.ask("reminders", {"email": bad}), 422, "bad-address")


@pytest.mark.parametrize("good", [ADDRESS, "a@b", "o'neill_x@sub.xn--bcher-kva.example"])
def test_what_is_an_address(good: str) -> None:
    assert is_mail_address(good)


def test_the_log_has_no_key_and_no_address(
    mailing: Site, office: PostOffice, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        ann, bob = mailing.table(**DAYS)
        feed = remind(ann, ADDRESS)
        turn(ann, bob)
        turn(ann, bob)
        stop = str(office.next()["List-Unsubscribe"]).strip("<>").removeprefix(SITE)
        for path in (feed, f"/x{feed}", feed.replace("/feeds", "/FEEDS"), f"{feed}/x", stop):
            mailing.http.get(path)
        mailing.http.post(stop)
        mailing.http.get("/healthz")
    told = "\n".join(each.getMessage() for each in caplog.records if each.name not in _OTHERS)
    assert "GET /feeds/*** 200" in told
    assert "POST /feeds/*** 200" in told
    for secret in (feed[7:], stop[7:-5], ADDRESS, ann.token, PASSWORD):
        assert secret not in told


def test_feeds_are_limited_as_the_rest_is(tmp_path: Path) -> None:
    with serving(tmp_path, limits=Limits(address_rate=0.01, address_burst=3)) as site:
        answers = [site.http.get("/feeds/x") for _ in range(4)]
        assert [each.status_code for each in answers] == [404, 404, 404, 429]


# ---- What the host says


GOOD = {
    "BENBEN_SMTP_URL": "smtp://me:hushhush@mail.example.org",
    "BENBEN_MAIL_FROM": "house@example.org",
    "BENBEN_ADDRESS": "https://games.example.org",
}


def test_mail_needs_the_sites_address_and_a_sender(caplog: pytest.LogCaptureFixture) -> None:
    mail = Settings.of(GOOD).mail
    assert mail is not None
    assert (mail.host, mail.port, mail.tls, mail.user) == ("mail.example.org", 587, False, "me")
    assert "hushhush" not in repr(mail)
    secure = Settings.of(GOOD | {"BENBEN_SMTP_URL": "smtps://mail.example.org:9465/"}).mail
    assert secure is not None
    assert (secure.port, secure.tls, secure.user) == (9465, True, "")
    assert Settings.of({}) == Settings()
    assert not caplog.messages
    for missing in ("BENBEN_ADDRESS", "BENBEN_MAIL_FROM"):
        assert Settings.of(GOOD | {missing: ""}).mail is None
        assert caplog.messages[-1] == f"no mail is sent: {missing} is not set"


@pytest.mark.parametrize(
    ("variable", "bad"),
    [
        ("BENBEN_SMTP_URL", "mail.example.org"),
        ("BENBEN_SMTP_URL", "http://me:hushhush@mail.example.org"),
        ("BENBEN_SMTP_URL", "smtp://me:hushhush@mail.example.org:port"),
        ("BENBEN_SMTP_URL", "smtp://me:hushhush@mail.example.org:99999"),
        ("BENBEN_SMTP_URL", "smtp://me:hushhush@"),
        ("BENBEN_SMTP_URL", "smtp://:hushhush@mail.example.org"),
        ("BENBEN_SMTP_URL", "smtp://me@mail.example.org"),
        ("BENBEN_SMTP_URL", "smtp://me:hushhush@mail.example.org/x"),
        ("BENBEN_SMTP_URL", "smtp://me:hush#hush@mail.example.org"),
        ("BENBEN_SMTP_URL", "smtp://[hushhush"),
        ("BENBEN_MAIL_FROM", "Benben"),
        ("BENBEN_MAIL_FROM", "house@example.org\nBcc: bob@example.org"),
        ("BENBEN_ADDRESS", "games.example.org"),
        ("BENBEN_ADDRESS", "ftp://games.example.org"),
        ("BENBEN_ADDRESS", "https://games.example.org/benben"),
        ("BENBEN_ADDRESS", "https://me:hushhush@games.example.org"),
        ("BENBEN_ADDRESS", "https://games.example.org:port"),
    ],
)
def test_what_a_host_cannot_mean_is_said_without_the_password(variable: str, bad: str) -> None:
    with pytest.raises(BenbenError, match=f"{variable}.* write ") as error:
        Settings.of(GOOD | {variable: bad})
    assert "hush" not in str(error.value)


def test_a_server_does_not_start_with_what_a_host_cannot_mean(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "benben", "serve", "--port", "0"],
        env=os.environ | {"BENBEN_SMTP_URL": "me:hushhush@x", "BENBEN_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert ended.returncode == 2
    assert ended.stderr.startswith("benben: BENBEN_SMTP_URL cannot be read: write smtp://")
    assert "hush" not in ended.stdout + ended.stderr
