"""Being told that it is one's turn: by mail, if the host can send any, and by a private feed."""

import logging
import re
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest
from typer.testing import CliRunner

from benben.cli import app
from benben.core.errors import BenbenError
from benben.store.mail import CONFIRM_WITHIN
from benben.table.fairness import nonce_commitment
from benben.web.limits import Limits
from benben.web.settings import Settings, is_mail_address
from tests.store.postgres import Postgres
from tests.web.in_process import in_process
from tests.web.post import PASSWORD, SITE, PostOffice, link_in, words_of
from tests.web.site import Person, Site, eventually, refused

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
def posting(where: Path | str, office: PostOffice, **settings: str) -> Iterator[Site]:
    """A site that sends mail at once."""
    with in_process(where, settings=office.settings(**settings), mail_pauses=AT_ONCE) as site:
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


def field_of(page: str) -> list[str]:
    """What the buttons of a page stand for."""
    return re.findall(r'name="reminder" value="(\w+)"', page)


def confirm(site: Site, link: str) -> None:
    """Follow a link in a mail, and press the one button."""
    page = site.http.get(link)
    assert page.status_code == 200, page.text
    (reminder,) = field_of(page.text)
    done = site.http.post(link, data={"reminder": reminder})
    assert done.status_code == 200, done.text


def remind_by_mail(
    person: Person, office: PostOffice, email: str = ADDRESS, language: str = "en"
) -> str:
    """Ask for mail and confirm it; the path of the feed."""
    feed = remind(person, email, language)
    confirm(person.site, office.link("confirm", to=email))
    return feed


def settled(office: PostOffice, ann: Person, bob: Person) -> None:
    """Nothing else was on its way: a mail to somebody new, asked for last, is the next to come.

    Mails are sent by two threads, so both are given something to do.
    """
    for person in (ann, bob):
        fresh = f"{secrets.token_hex(8)}@example.org"
        remind(person, fresh)
        assert office.next()["To"] == fresh
    assert office.empty


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
    remind_by_mail(ann, office, ADDRESS, "fr")
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
    remind_by_mail(bob, office, "bob@example.org")
    turn(ann, bob)
    letter = office.next()
    assert letter["To"] == "bob@example.org", "Ann has taken her address back"
    assert letter["Subject"] == "Your turn: Quadrille"
    assert office.empty


@pytest.mark.slow
def test_a_turn_of_several_moves_and_throws_is_one(mailing: Site, office: PostOffice) -> None:
    told: list[str] = []
    wanted: list[str] = []

    def new_game() -> tuple[list[Person], list[str]]:
        people = mailing.table("batisseurs", players=2, options={"first": 1}, **DAYS)
        addresses = [f"{who}{len(wanted)}@example.org" for who in ("ann", "bob")]
        for person, address in zip(people, addresses, strict=True):
            remind_by_mail(person, office, address)
        return people, addresses

    people, addresses = new_game()
    while len(wanted) < 6:
        mover = people[0].look()["to_move"]
        people[mover].move()
        following = people[0].look().get("to_move")
        if following is None:  # luck can end a game before six turns, and nobody is told
            people, addresses = new_game()
        elif following != mover:  # who throws in vain has nothing to decide, and is not told
            wanted.append(addresses[following])
            told.append(office.next()["To"])
    assert told == wanted
    assert office.empty


def test_seats_may_be_drawn_and_mail_goes_to_who_is_to_move(
    mailing: Site, office: PostOffice
) -> None:
    begun: set[bool] = set()
    for i in range(100):  # until lots have been drawn both ways
        ann, bob = mailing.table("pyramidis", players=2, drawn=True, **DAYS)
        for who, person in (("ann", ann), ("bob", bob)):
            remind_by_mail(person, office, f"{who}.drawn{i}@example.org")
        begun.add(ann.look()["to_move"] == ann.look()["you"])
        turn(ann, bob)
        now = "ann" if ann.look()["to_move"] == ann.look()["you"] else "bob"
        assert office.next()["To"] == f"{now}.drawn{i}@example.org"
        if len(begun) == 2:
            break
    assert begun == {False, True}
    assert office.empty


def test_there_is_nothing_secret_in_a_mail(mailing: Site, office: PostOffice) -> None:
    ann, bob = mailing.table("objectif", **DAYS)
    ours = remind_by_mail(ann, office)
    theirs = remind_by_mail(bob, office, "bob@example.org")
    letters = {}
    for _ in range(2):
        turn(ann, bob)
        letter = office.next()  # before the next turn: who has moved needs none any more
        letters[letter["To"]] = letter
    text = letters[ADDRESS].as_string() + words_of(letters[ADDRESS])
    for secret in (ann.token, bob.token, "Ann0", "Ann1", "bob@", ours[7:], theirs[7:], PASSWORD):
        assert secret not in text


def test_a_mail_server_that_is_down_keeps_nobody_from_playing(
    tmp_path: Path, own_office: PostOffice, caplog: pytest.LogCaptureFixture
) -> None:
    with posting(tmp_path, own_office) as site:
        ann, bob = site.table(**DAYS)
        with own_office.open():
            remind_by_mail(ann, own_office)
        turn(ann, bob)
        turn(ann, bob)
        eventually(lambda: "could not send a mail" in caplog.text, "a mail has failed")
        with own_office.open():
            assert own_office.next()["To"] == ADDRESS
    assert ADDRESS not in caplog.text


@pytest.mark.slow
def test_a_restart_neither_forgets_a_mail_nor_sends_it_again(
    tmp_path: Path, own_office: PostOffice, caplog: pytest.LogCaptureFixture
) -> None:
    with posting(tmp_path, own_office) as site:
        ann, bob = site.table(**DAYS)
        with own_office.open():
            remind_by_mail(ann, own_office)
        turn(ann, bob)
        turn(ann, bob)
        eventually(lambda: "could not send a mail" in caplog.text, "a mail has failed")
    with own_office.open(), posting(tmp_path, own_office) as site:
        assert own_office.next()["To"] == ADDRESS
    with own_office.open(), posting(tmp_path, own_office) as site:
        bob.site = ann.site = site
        remind_by_mail(bob, own_office, "bob@example.org")
        turn(ann, bob)
        assert own_office.next()["To"] == "bob@example.org"
    assert own_office.empty


@pytest.mark.slow
def test_who_plays_at_once_needs_no_mail(tmp_path: Path, own_office: PostOffice) -> None:
    with (
        own_office.open(),
        in_process(tmp_path, settings=own_office.settings(), mail_pauses=[4.0]) as site,
    ):
        ann, bob = site.table(**DAYS)
        remind_by_mail(ann, own_office)
        remind_by_mail(bob, own_office, "bob@example.org")
        for _ in range(3):
            turn(ann, bob)
        assert own_office.next()["To"] == "bob@example.org"
    assert own_office.empty


# ---- Mail only to who asked for it


def test_nothing_is_sent_before_the_owner_confirms(mailing: Site, office: PostOffice) -> None:
    ann, bob = mailing.table(**DAYS)
    address = "nobody@example.org"
    answer = ann.do("reminders", {"email": address, "language": "fr"})
    assert answer["confirmed"] is False
    letter = office.next()
    assert letter["To"] == address
    assert letter["Subject"] == "À confirmer : rappels de games.example.org"
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    words = words_of(letter)
    assert "Quadrille" in words
    assert "ignorez ce message" in words
    for strange in ("Ann", ann.table, ann.token, answer["feed"][7:], PASSWORD):
        assert strange not in letter.as_string() + words, "nothing that somebody chose, or may know"
    link = link_in(letter, "confirm")
    assert link is not None
    for _ in range(3):  # programs follow links
        page = mailing.http.get(link)
        assert page.status_code == 200
        assert 'lang="fr"' in page.text
    for _ in range(4):
        turn(ann, bob)
    settled(office, ann, bob)


def test_the_page_behind_the_link_can_be_read_and_one_click_confirms(
    mailing: Site, office: PostOffice
) -> None:
    ann, bob = mailing.table(**DAYS)
    body = {"email": "clicks@example.org", "language": "en"}
    ann.do("reminders", body)
    link = office.link("confirm")
    page = mailing.http.get(link)
    assert page.headers["content-type"].startswith("text/html")
    assert "form-action 'self'" in page.headers["content-security-policy"]
    assert f'href="{SITE}/t/{ann.table}"' in page.text
    (reminder,) = field_of(page.text)
    for nonsense in ("", "x", "\0", reminder[:-1]):
        assert "Thank you" not in mailing.http.post(link, data={"reminder": nonsense}).text
    done = mailing.http.post(link, data={"reminder": reminder})
    assert done.status_code == 200
    assert "Thank you: you will get an e-mail" in done.text
    gone = mailing.http.get(link)
    assert gone.status_code == 404, "it has done its work"
    assert "This link is no longer valid." in gone.text
    assert "Ce lien n’est plus valable." in gone.text
    assert ann.do("reminders", body)["confirmed"], (
        "for the same seat it need not be confirmed again"
    )
    turn(ann, bob)
    turn(ann, bob)
    assert office.next()["Subject"] == "Your turn: Quadrille"
    assert office.empty


def test_one_mail_however_many_ask_and_its_reader_chooses(
    mailing: Site, office: PostOffice
) -> None:
    tables = [mailing.table(**DAYS) for _ in range(3)]
    stranger, mine = tables[0][0], tables[1][0]
    for person in (stranger, stranger, mine):
        remind(person, "victim@example.org")
    for spelling in ("Victim@example.org", "victim+x@EXAMPLE.org"):
        remind(tables[0][1], spelling)
    link = office.link("confirm")
    settled(office, *tables[2])
    page = mailing.http.get(link).text
    assert len(field_of(page)) == 3
    which = page.index(f"/t/{mine.table}")
    (reminder,) = field_of(page[which:])[:1]
    after = mailing.http.post(link, data={"reminder": reminder}).text
    assert mine.table not in after
    assert stranger.table in after
    for ann, bob in tables[:2]:
        turn(ann, bob)
        turn(ann, bob)
    assert f"/t/{mine.table}" in words_of(office.next())
    settled(office, *tables[2])


def test_a_confirmed_address_gets_nothing_from_a_strangers_table(
    mailing: Site, office: PostOffice
) -> None:
    ann, _ = mailing.table(**DAYS)
    remind_by_mail(ann, office, "known@example.org")
    stranger, other = mailing.table(**DAYS)
    answer = stranger.do("reminders", {"email": "known@example.org"})
    assert answer["confirmed"] is False
    assert link_in(office.next(), "confirm"), "it is asked for each table"
    for _ in range(4):
        turn(stranger, other)
    settled(office, stranger, other)


@pytest.mark.slow
def test_a_confirmation_that_could_not_be_sent_is_sent_later(
    tmp_path: Path, own_office: PostOffice, caplog: pytest.LogCaptureFixture
) -> None:
    with posting(tmp_path, own_office) as site:
        ann, bob = site.table(**DAYS)
        remind(ann, ADDRESS)
        eventually(lambda: "could not send a mail" in caplog.text, "a mail has failed")
        with own_office.open():
            confirm(site, own_office.link("confirm"))
        remind(bob, "bob@example.org")
        turn(ann, bob)
    with own_office.open(), posting(tmp_path, own_office):  # after a restart too, with the turn
        letters = own_office.next()
        assert (letters["To"], bool(link_in(letters, "confirm"))) == ("bob@example.org", True)
    assert ADDRESS not in caplog.text


def test_links_and_addresses_lapse(mailing: Site, office: PostOffice) -> None:
    ann, bob = mailing.table(pace={"pace": "days", "days": 7})
    feed = remind(ann, "late@example.org")
    link = office.link("confirm")
    page = mailing.http.get(link).text
    tables = mailing.state.tables
    now = tables.now
    tables.now = lambda: now() + CONFIRM_WITHIN
    try:
        assert mailing.http.get(link).status_code == 404
        late = mailing.http.post(link, data={"reminder": field_of(page)[0]})
        assert late.status_code == 404
        mailing.state.store.cluster.heartbeat(tables.now())
        assert mailing.http.get(feed).status_code == 200, "the feed goes on"
        kept = mailing.state.store.reminders.of_seat(ann.table, 0)
        assert kept is not None
        assert kept.address == ""
        remind(bob, "late@example.org")
        assert link_in(office.next(), "confirm"), "it can be asked for anew"
    finally:
        tables.now = now


@pytest.mark.slow
def test_no_more_than_so_many_mails_a_day_also_after_a_restart(
    tmp_path: Path, own_office: PostOffice
) -> None:
    three = {"BENBEN_MAIL_DAILY_LIMIT": "3"}
    with own_office.open(), posting(tmp_path, own_office, **three) as site:
        ann, bob = site.table(**DAYS)
        remind_by_mail(ann, own_office)  # one
        turn(ann, bob)
        turn(ann, bob)
        assert own_office.next()["To"] == ADDRESS  # two
    with own_office.open(), posting(tmp_path, own_office, **three) as site:
        ann.site = bob.site = site
        for _ in range(2):
            turn(ann, bob)
        assert own_office.next()["To"] == ADDRESS  # three
        for _ in range(4):
            turn(ann, bob)
        settled(own_office, *site.table(**DAYS))
        other, someone = site.table(**DAYS)
        remind(other, "Ann@example.org")
        settled(own_office, someone, site.table(**DAYS)[0])


@pytest.mark.slow
def test_two_servers_send_each_mail_once_and_no_more_a_day_than_one(
    postgres: Postgres, own_office: PostOffice
) -> None:
    database, three = postgres.fresh(), {"BENBEN_MAIL_DAILY_LIMIT": "3"}
    with (
        own_office.open(),
        posting(database, own_office, **three) as one,
        posting(database, own_office, **three) as two,
    ):
        ann, bob = one.table(**DAYS)
        bob.site = two
        remind_by_mail(ann, own_office)  # one
        for _ in range(2):
            turn(ann, bob)
            turn(ann, bob)
            assert own_office.next()["To"] == ADDRESS  # two, three
        for _ in range(4):
            turn(ann, bob)
        settled(own_office, *one.table(**DAYS))
        settled(own_office, *two.table(**DAYS))


# ---- Stopping


def test_one_click_ends_all_mail_to_an_address(mailing: Site, office: PostOffice) -> None:
    first, second = mailing.table(**DAYS), mailing.table(**DAYS)
    feeds = [remind_by_mail(ann, office, "tired@example.org", "fr") for ann, _ in (first, second)]
    turn(*first)
    turn(*first)
    letter = office.next()
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    written = dict(letter.raw_items())["List-Unsubscribe"]  # not all who read it decode it
    link = link_in(letter, "stop")
    assert link is not None
    assert written == f"<{SITE}{link}>"
    page = mailing.http.get(link)
    assert page.headers["content-type"].startswith("text/html")
    assert "Ne plus rien recevoir" in page.text
    kept = mailing.state.store.reminders.of_seat(first[0].table, 0)
    assert kept is not None
    assert kept.confirmed, "to look at the page has changed nothing"
    done = mailing.http.post(link, data={"List-Unsubscribe": "One-Click"})
    assert done.status_code == 200
    assert "Vous ne recevrez plus aucun e-mail de ce site" in done.text
    for feed in feeds:
        assert mailing.http.get(feed).status_code == 200, "feeds are not mail"
    for people in (first, second):
        turn(*people)
        turn(*people)
    settled(office, *mailing.table(**DAYS))


def test_who_asks_for_a_stopped_address_cannot_tell(mailing: Site, office: PostOffice) -> None:
    ann, _ = mailing.table(**DAYS)
    remind(ann, "quiet@example.org")
    stop = office.link("stop")  # also in the mail that asks to confirm
    mailing.http.post(stop)
    stranger, other = mailing.table(**DAYS)
    answers = [
        stranger.ask("reminders", {"email": f"{who}@example.org"}) for who in ("quiet", "fresh")
    ]
    assert office.next()["To"] == "fresh@example.org"
    assert answers[0].status_code == answers[1].status_code
    quiet, fresh = (each.json() for each in answers)
    assert quiet.keys() == fresh.keys()
    assert quiet["confirmed"] == fresh["confirmed"] is False
    settled(office, stranger, other)
    page = mailing.http.get(stop)
    assert "Allow e-mail again" in page.text
    allowed = mailing.http.post(stop.replace("/stop", "/allow"))
    assert "You will be asked to confirm it." in allowed.text
    remind_by_mail(ann, office, "quiet@example.org")


def test_links_that_are_none(mailing: Site) -> None:
    for key in ("x", "%ff%00", "x" * 5000):
        for what in ("confirm", "stop"):
            assert mailing.http.get(f"/mail/{key}/{what}").status_code == 404
        for what in ("confirm", "stop", "allow"):
            assert mailing.http.post(f"/mail/{key}/{what}").status_code == 404


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


def test_a_feed_says_that_a_table_waits_for_its_seat_to_start(site: Site) -> None:
    table = site.open("quadrille", **DAYS)
    body = {"name": "Ann", "commitment": nonce_commitment("secret1")}
    token = site.http.post(f"/api/tables/{table}/seats/0", json=body).json()["token"]
    ann = Person(site, table, token)
    feed = remind(ann)
    assert entries(site.http.get(feed)) == []
    site.sit(table, 1)
    (entry,) = entries(site.http.get(feed))
    assert entry["title"] == "Everyone is here, open the table to start: Quadrille"
    assert entries(site.http.get(feed)) == [entry]
    ann.do("reveal", {"nonce": "secret1"})
    (entry,) = entries(site.http.get(feed))
    assert entry["title"] == "Your turn: Quadrille"


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
    address = "logged@example.org"
    with caplog.at_level(logging.INFO):
        ann, _ = mailing.table(**DAYS)
        feed = remind(ann, address)
        letter = office.next()
        link, stop = link_in(letter, "confirm"), link_in(letter, "stop")
        assert link is not None
        assert stop is not None
        for path in (feed, f"/x{feed}", feed.replace("/feeds", "/FEEDS"), f"{feed}/x", link, stop):
            mailing.http.get(path)
        confirm(mailing, link)
        mailing.http.post(stop)
        mailing.http.get("/healthz")
    told = "\n".join(each.getMessage() for each in caplog.records if each.name not in _OTHERS)
    assert "GET /feeds/*** 200" in told
    assert "POST /mail/*** 200" in told
    for secret in (feed[7:], link.split("/")[2], stop.split("/")[2], address, ann.token, PASSWORD):
        assert secret not in told


def test_feeds_and_mail_are_limited_as_the_rest_is(tmp_path: Path) -> None:
    with in_process(tmp_path, limits=Limits(address_rate=0.01, address_burst=3)) as site:
        answers = [site.http.get("/feeds/x") for _ in range(4)]
        assert [each.status_code for each in answers] == [404, 404, 404, 429]
        assert site.http.get("/mail/x/stop").status_code == 429


# ---- What the host says


DOCS = Path(__file__).parents[2] / "docs" / "command-line.md"
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
    assert Settings.of({"BENBEN_MAIL_DAILY_LIMIT": "5"}).mail_daily_limit == 5
    assert Settings.of({"BENBEN_MAIL_DAILY_TOTAL": "2000"}).mail_daily_total == 2000
    assert Settings.of({"BENBEN_EXPIRY_DAYS": "3"}).expiry_ms == 3 * 24 * 3600 * 1000
    assert not caplog.messages
    for missing in ("BENBEN_ADDRESS", "BENBEN_MAIL_FROM"):
        assert Settings.of(GOOD | {missing: ""}).mail is None
        assert caplog.messages[-1] == f"no mail is sent: {missing} is not set"


def test_every_setting_is_documented_with_its_default() -> None:
    rows = [row for row in DOCS.read_text("utf-8").splitlines() if row.startswith("| `BENBEN_")]
    assert len(Settings.variables()) == 9
    for variable, field in Settings.variables().items():
        text = "\n".join(row for row in rows if f"`{variable}`" in row)
        default = getattr(Settings(), field)
        assert (f"{default:,} by default" if isinstance(default, int) else text) in text, variable
        assert text, variable


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
        ("BENBEN_MAIL_DAILY_LIMIT", "0"),
        ("BENBEN_MAIL_DAILY_LIMIT", "many"),
        ("BENBEN_MAIL_DAILY_LIMIT", "-1"),
        ("BENBEN_MAIL_DAILY_LIMIT", "1" * 5000),
        ("BENBEN_MAIL_DAILY_TOTAL", "0"),
        ("BENBEN_MAIL_DAILY_TOTAL", "100001"),
        ("BENBEN_EXPIRY_DAYS", "0"),
        ("BENBEN_EXPIRY_DAYS", "a week"),
        ("BENBEN_EXPIRY_DAYS", "-7"),
        ("BENBEN_EXPIRY_DAYS", "7.5"),
        ("BENBEN_SOLVE", "yes"),
        ("BENBEN_EXPIRY_DAYS", "3651"),
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
    environment = {"BENBEN_SMTP_URL": "me:hushhush@x", "BENBEN_DATA_DIR": str(tmp_path)}
    ended = CliRunner().invoke(app, ["serve", "--port", "0"], env=environment)
    assert ended.exit_code == 2
    assert ended.stderr.startswith("benben: BENBEN_SMTP_URL: write smtp://")
    assert "hush" not in ended.output
