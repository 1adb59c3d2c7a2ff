"""Mail to people who have not asked for it: how much of it one person, table or server can cause.

And the password of the mail server: it is not sent in the clear.
"""

import socket
import ssl
import subprocess
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from benben.store.mail import DAILY_EACH
from benben.web.reminders import mailer
from benben.web.reminders.smtp import NotEncrypted, send
from benben.web.settings import MailServer, Settings
from tests.web.in_process import in_process
from tests.web.post import PostOffice
from tests.web.site import Site, eventually, refused

DAYS: dict[str, Any] = {"pace": {"pace": "days", "days": 2}}
ELSEWHERE = "0.0.0.0"  # reaches this machine, and is not an address of the loopback interface


@pytest.fixture
def office() -> PostOffice:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return PostOffice(free.getsockname()[1])


# ---- Confirmations


def test_one_sender_cannot_mail_any_number_of_strangers(tmp_path: Path, office: PostOffice) -> None:
    settings = replace(office.settings(), mail_each=DAILY_EACH)
    with office.open(), in_process(tmp_path, settings=settings) as site:
        (ann, bob), (eve, _) = site.table(**DAYS), site.table(**DAYS)
        for n, person in enumerate((ann, bob, ann, eve, eve)):
            person.do("reminders", {"email": f"stranger{n}@example.org"})
            assert office.next()["To"] == f"stranger{n}@example.org"
        kept = site.state.store.reminders.of_seat(ann.table, 0)
        answer = ann.ask("reminders", {"email": "one-more@example.org"})
        assert refused(answer, 429, "too-much-mail") == {"limit": "sender"}
        assert 0 < int(answer.headers["retry-after"]) <= 24 * 3600
        assert site.state.store.reminders.of_seat(ann.table, 0) == kept, "nothing has changed"
        assert ann.do("reminders", {})["feed"], "a feed can be had"
    assert office.empty


def test_the_whole_server_sends_so_many_confirmations_a_day(
    tmp_path: Path, office: PostOffice
) -> None:
    settings = office.settings(BENBEN_MAIL_DAILY_TOTAL="1")
    with office.open(), in_process(tmp_path, settings=settings) as site:
        ann, bob = site.table(**DAYS)
        ann.do("reminders", {"email": "ann@example.org"})
        assert office.next()["To"] == "ann@example.org"
        answer = bob.ask("reminders", {"email": "bob@example.org"})
        assert refused(answer, 429, "too-much-mail") == {"limit": "server"}
    assert office.empty


def test_mail_is_for_games_that_are_on(tmp_path: Path, office: PostOffice) -> None:
    with in_process(tmp_path, settings=office.settings()) as site:
        ann = site.sit(site.open(**DAYS), 0)
        refused(ann.ask("reminders", {"email": "ann@example.org"}), 409, "not-begun")
        assert ann.do("reminders", {})["feed"], "a feed can be had before"
        site.sit(ann.table, 1)
        ann.do("resign")
        refused(ann.ask("reminders", {"email": "ann@example.org"}), 409, "over")


def waiting(site: Site) -> int:
    return len(site.state.mailer.waiting)


def test_mails_that_cannot_be_sent_do_not_pile_up(
    tmp_path: Path, office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailer, "MOST_WAITING", 2)
    with in_process(tmp_path, settings=office.settings()) as site:  # no mail server is there
        people = [each for _ in range(2) for each in site.table(**DAYS)]
        for n in range(5):
            people[0].do("reminders", {"email": f"ann{n}@example.org"})
        eventually(lambda: waiting(site) == 1, "only the last address of a seat is tried again")
        for n, person in enumerate(people):
            person.do("reminders", {"email": f"bob{n}@example.org"})
        assert waiting(site) == 2


# ---- The password of the mail server


@pytest.fixture
def tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A server's certificate, which this process trusts."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    words = ["openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-subj", "/CN=mail"]
    words += ["-pkeyopt", "ec_paramgen_curve:prime256v1", "-addext"]
    words += [f"subjectAltName=IP:{ELSEWHERE}", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(words, check=True, capture_output=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    return context


def mail_server(office: PostOffice, scheme: str, host: str = ELSEWHERE) -> MailServer:
    settings = Settings.of(
        {
            "BENBEN_SMTP_URL": f"{scheme}://benben:hush%40hush%2F@{host}:{office.port}",
            "BENBEN_MAIL_FROM": "house@example.org",
            "BENBEN_ADDRESS": "https://games.example.org",
        }
    )
    assert settings.mail is not None
    return settings.mail


def letter() -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"] = "house@example.org", "ann@example.org"
    mail.set_content("Your turn")
    return mail


def test_no_password_is_sent_to_a_server_without_tls(
    office: PostOffice, caplog: pytest.LogCaptureFixture
) -> None:
    server = mail_server(office, "smtp")
    with office.open():
        with pytest.raises(NotEncrypted, match=r"offers no encryption .*smtp\+plain://"):
            send(letter(), server)
        assert office.logins == 0
        assert not caplog.messages
        send(letter(), mail_server(office, "smtp+plain"))
        assert office.logins == 1
        assert "the password is sent unencrypted" in caplog.text
        send(letter(), mail_server(office, "smtp", "127.0.0.1"))
        assert office.logins == 2, "what is sent to this machine stays there"
    assert office.next()["To"] == "ann@example.org"


def test_the_password_is_sent_once_the_connection_is_encrypted(
    office: PostOffice, tls: ssl.SSLContext
) -> None:
    with office.open(tls):
        send(letter(), mail_server(office, "smtp"))
    assert (office.logins, office.next()["To"]) == (1, "ann@example.org")


def test_a_host_can_read_in_the_log_why_no_mail_is_sent(
    tmp_path: Path, office: PostOffice, caplog: pytest.LogCaptureFixture
) -> None:
    settings = replace(office.settings(), smtp_url=mail_server(office, "smtp"))
    with office.open(), in_process(tmp_path, settings=settings) as site:
        ann, _ = site.table(**DAYS)
        ann.do("reminders", {"email": "ann@example.org"})
        eventually(lambda: "offers no encryption (STARTTLS)" in caplog.text, "it is in the log")
    assert "hush" not in caplog.text
    assert "ann@" not in caplog.text
