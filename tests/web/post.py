"""A mail server in a thread, and whatever it was given."""

import email.policy
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from queue import Empty, Queue
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from msgspec.structs import replace

from benben.web.settings import Settings
from tests.web.site import PATIENCE

SITE = "https://games.example.org"
USER, PASSWORD = "benben", "hush@hush/"
MANY = 10_000


def words_of(letter: EmailMessage) -> str:
    return str(letter.get_content()).replace("\r\n", "\n")


def link_in(letter: EmailMessage, what: str) -> str | None:
    """The path of a link to `confirm` or `stop`."""
    found = re.search(rf"^{SITE}(/mail/[\w-]+/{what})$", words_of(letter), re.MULTILINE)
    return found and found[1]


class PostOffice:
    """Takes all mail, from whoever knows the password."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._letters: Queue[EmailMessage] = Queue()
        self.logins = 0

    def environment(self) -> dict[str, str]:
        """The variables of a server that sends mail through this one."""
        return {
            "BENBEN_SMTP_URL": f"smtp://{USER}:hush%40hush%2F@127.0.0.1:{self.port}",
            "BENBEN_MAIL_FROM": "Benben <house@example.org>",
            "BENBEN_ADDRESS": f"{SITE}/",
        }

    def settings(self, **more: str) -> Settings:
        """The same as settings, without a limit per sender: all tests have one address."""
        return replace(Settings.of(more | self.environment()), mail_each=MANY)

    def next(self) -> EmailMessage:
        return self._letters.get(timeout=PATIENCE)

    @property
    def empty(self) -> bool:
        try:
            self._letters.get_nowait()
        except Empty:
            return True
        return False

    def link(self, what: str, to: str = "") -> str:
        """The path of the link in the next mail, to an address, by which it confirms, or stops."""
        letter = self.next()
        while to and letter["To"] != to:
            letter = self.next()
        found = link_in(letter, what)
        assert found is not None
        return found

    async def handle_DATA(self, _: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert session.authenticated
        assert isinstance(envelope.content, bytes)
        letter = message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(letter, EmailMessage)
        assert envelope.rcpt_tos == [letter["To"]]
        self._letters.put(letter)
        return "250 taken"

    def knows(self, _: SMTP, __: Session, ___: Any, ____: str, given: Any) -> AuthResult:
        assert isinstance(given, LoginPassword)
        self.logins += 1
        return AuthResult(success=given == LoginPassword(USER.encode(), PASSWORD.encode()))

    @contextmanager
    def open(self, tls: ssl.SSLContext | None = None) -> Iterator[None]:
        """With TLS, it offers STARTTLS and takes passwords only then."""
        controller = Controller(
            self,
            "127.0.0.1",
            self.port,
            authenticator=self.knows,
            tls_context=tls,
            auth_require_tls=tls is not None,
        )
        controller.start()
        try:
            yield
        finally:
            controller.stop()
