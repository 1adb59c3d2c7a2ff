"""How people reach this server from outside, and by which mail server it reaches them.

The host says it by environment variables: it has a password in it.
"""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parseaddr
from urllib.parse import unquote, urlsplit

from benben.core.errors import BenbenError

log = logging.getLogger("benben.web")

SMTP_URL, MAIL_FROM, ADDRESS = "BENBEN_SMTP_URL", "BENBEN_MAIL_FROM", "BENBEN_ADDRESS"
LONGEST_ADDRESS = 254
_PORTS = {"smtp": 587, "smtps": 465}
_ATOM, _LABEL = r"[\w!#$%&'*+/=?^`{|}~-]+", r"[a-z\d](?:[a-z\d-]*[a-z\d])?"
_MAIL = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*", re.ASCII | re.IGNORECASE)


def is_mail_address(text: str) -> bool:
    """Plain ones only, with nothing in them that means something in a header."""
    return len(text) <= LONGEST_ADDRESS and _MAIL.fullmatch(text) is not None


@dataclass(frozen=True)
class MailServer:
    """Where mail is handed over, and whom it is from."""

    host: str
    port: int
    tls: bool  # from the first byte; else as soon as the server offers it
    user: str
    password: str = field(repr=False)
    sender: str  # an address
    name: str  # of the sender


@dataclass(frozen=True)
class Settings:
    """The site's public address, if the host has told it; and the mail server, if there is one."""

    address: str = ""
    mail: MailServer | None = None

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> "Settings":
        """As the environment says; BenbenError if that cannot be meant."""
        address = _site(environment.get(ADDRESS, ""))
        url, sender = environment.get(SMTP_URL, ""), environment.get(MAIL_FROM, "")
        mail = _mail_server(url, *_sender(sender)) if url else None
        missing = [name for name in (ADDRESS, MAIL_FROM) if not environment.get(name)]
        if mail is not None and missing:
            log.warning("no mail is sent: %s is not set", " and ".join(missing))
            mail = None
        return cls(address, mail)


def _site(text: str) -> str:
    if not text:
        return ""
    try:
        url = urlsplit(text)
        good = url.scheme in ("http", "https") and url.hostname and (url.port or 1) > 0
    except ValueError:
        good = False
    if not good or url.username or url.path not in ("", "/") or url.query or url.fragment:
        raise BenbenError(f"{ADDRESS}: write the site's address as https://games.example.org")
    return f"{url.scheme}://{url.netloc}"


def _sender(text: str) -> tuple[str, str]:
    """Address and name; both empty if there is none."""
    name, address = parseaddr(text)
    if text and not (is_mail_address(address) and text.isprintable()):
        raise BenbenError(f"{MAIL_FROM}: write an address, or Benben <benben@example.org>")
    return address, name


def _mail_server(text: str, sender: str, name: str) -> MailServer:
    """What is wrong is not repeated: there may be a password in it."""
    try:
        url = urlsplit(text)
        port = url.port or _PORTS[url.scheme]
        user, password = unquote(url.username or ""), unquote(url.password or "")
        good = bool(url.hostname) and bool(user) == bool(password) and url.path in ("", "/")
        good = good and not (url.query or url.fragment)
    except (ValueError, KeyError):
        good = False
    if not good:
        words = "write smtp://user:password@host:port, or smtps://…, signs as %40 for @"
        raise BenbenError(f"{SMTP_URL} cannot be read: {words}")
    return MailServer(str(url.hostname), port, url.scheme == "smtps", user, password, sender, name)
