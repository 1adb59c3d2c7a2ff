"""Settings of a server by environment variables: its public address, its mail server, limits.

They are not options, as one holds a password, which others on the machine could see on a command
line. Every error names the variable and says what to write.
"""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parseaddr
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import unquote, urlsplit

from benben.bots.exact import SOLVE
from benben.core.errors import BenbenError
from benben.live.tables import EXPIRY_MS
from benben.store.mail import DAILY_EACH, DAILY_TOTAL

log = logging.getLogger("benben.web")

SMTP_URL, MAIL_FROM, ADDRESS = "BENBEN_SMTP_URL", "BENBEN_MAIL_FROM", "BENBEN_ADDRESS"
DAILY_LIMIT, EXPIRY_MS_DAYS = "BENBEN_MAIL_DAILY_LIMIT", "BENBEN_EXPIRY_MS_DAYS"
MAIL_TOTAL = "BENBEN_MAIL_DAILY_TOTAL"
METRICS_FROM, RECORDS_MAX_MB = "BENBEN_METRICS_FROM", "BENBEN_RECORDS_MAX_MB"
LONGEST_ADDRESS = 254
MOST_A_DAY, MOST_DAYS, MOST_TOTAL, MOST_MB = 1000, 3650, 100_000, 9999
_DAY = 24 * 3600 * 1000  # milliseconds
_PORTS = {"smtp": 587, "smtp+plain": 587, "smtps": 465}
_ATOM, _LABEL = r"[\w!#$%&'*+/=?^`{|}~-]+", r"[a-z\d](?:[a-z\d-]*[a-z\d])?"
_MAIL = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*", re.ASCII | re.IGNORECASE)


def is_mail_address(text: str) -> bool:
    """Whether a text is a plain mail address, with nothing that means something in a header."""
    return len(text) <= LONGEST_ADDRESS and _MAIL.fullmatch(text) is not None


@dataclass(frozen=True)
class MailServer:
    """The server that takes our mail, and the sender of all mails."""

    host: str
    port: int
    tls: bool  # from the first byte; else by STARTTLS if the server offers it
    login_in_clear: bool  # the password may be sent even if the server offers no TLS
    user: str
    password: str = field(repr=False)
    sender: str  # an address
    name: str  # of the sender


@dataclass(frozen=True)
class Settings:
    """What the host of a server has set; each is described in docs/command-line.md."""

    address: str = ""
    mail: MailServer | None = None
    daily_limit: int = 20  # mails to one address in a day, whatever they are about
    expiry: int = EXPIRY_MS  # milliseconds for which a table may stand without a game
    mail_total: int = DAILY_TOTAL  # confirmations in a day, by all servers together
    mail_each: int = DAILY_EACH  # confirmations in a day for one sender, and for one table
    metrics_from: tuple[IPv4Network | IPv6Network, ...] = ()  # that may read metrics
    records_max_mb: int = 1000  # of all records that were uploaded

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> "Settings":
        """From environment variables; BenbenError if one of them makes no sense."""
        address = _site(environment.get(ADDRESS, ""))
        url, sender = environment.get(SMTP_URL, ""), environment.get(MAIL_FROM, "")
        mail = _mail_server(url, *_sender(sender)) if url else None
        missing = [name for name in (ADDRESS, MAIL_FROM) if not environment.get(name)]
        if mail is not None and missing:
            log.warning("no mail is sent: %s is not set", " and ".join(missing))
            mail = None
        limit = _number(environment, DAILY_LIMIT, MOST_A_DAY) or cls.daily_limit
        days = _number(environment, EXPIRY_MS_DAYS, MOST_DAYS)
        if environment.get(SOLVE, "") not in ("", "0", "1"):
            raise BenbenError(f"{SOLVE}: write 1 to let the server solve games, or 0")
        return cls(
            address,
            mail,
            limit,
            days * _DAY if days else cls.expiry,
            _number(environment, MAIL_TOTAL, MOST_TOTAL) or cls.mail_total,
            metrics_from=_networks(environment.get(METRICS_FROM, "")),
            records_max_mb=_number(environment, RECORDS_MAX_MB, MOST_MB) or cls.records_max_mb,
        )

    def may_read_metrics(self, host: str) -> bool:
        """Whether a client is on this machine, or in a network that is allowed."""
        try:
            address = ip_address(host)
        except ValueError:
            return False
        if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        return address.is_loopback or any(address in each for each in self.metrics_from)


def _networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(ip_network(each) for each in text.replace(",", " ").split())
    except ValueError as error:
        raise BenbenError(
            f"{METRICS_FROM}: write addresses or networks, such as 192.0.2.7 or 10.0.0.0/8"
        ) from error


def _number(environment: Mapping[str, str], name: str, most: int) -> int | None:
    """The whole number of a variable; None if it is not set."""
    text = environment.get(name, "")
    if not text:
        return None
    if not (re.fullmatch(r"[0-9]{1,6}", text) and 0 < int(text) <= most):
        raise BenbenError(f"{name}: write a whole number from 1 to {most}")
    return int(text)


def _site(text: str) -> str:
    if not text:
        return ""
    try:
        url = urlsplit(text)
        good = url.scheme in ("http", "https") and url.hostname and (url.port or 1) > 0
    except ValueError:
        good = False
    if not good or url.username or url.path not in ("", "/") or url.query or url.fragment:
        raise BenbenError(
            f"{ADDRESS}: write the site's public URL, such as https://games.example.org"
        )
    return f"{url.scheme}://{url.netloc}"


def _sender(text: str) -> tuple[str, str]:
    """The sender's address and name; both are empty if none is set."""
    name, address = parseaddr(text)
    if text and not (is_mail_address(address) and text.isprintable()):
        raise BenbenError(f"{MAIL_FROM}: write benben@example.org or Benben <benben@example.org>")
    return address, name


def _mail_server(text: str, sender: str, name: str) -> MailServer:
    """The mail server of a URL. The error does not quote it, as there may be a password in it."""
    try:
        url = urlsplit(text)
        port = url.port or _PORTS[url.scheme]
        user, password = unquote(url.username or ""), unquote(url.password or "")
        good = bool(url.hostname) and bool(user) == bool(password) and url.path in ("", "/")
        good = good and not (url.query or url.fragment)
    except (ValueError, KeyError):
        good = False
    if not good:
        form = "smtp://user:password@host:port, or smtps://…"
        words = "percent-encode special characters: %40 for @"
        raise BenbenError(f"{SMTP_URL} is not a valid URL: write {form}, and {words}")
    host, tls = str(url.hostname), url.scheme == "smtps"
    plain = url.scheme == "smtp+plain"
    if plain and user and not _is_loopback(host):
        log.warning("%s: the password is sent unencrypted if the server offers no TLS", SMTP_URL)
    in_clear = plain or _is_loopback(host)
    return MailServer(host, port, tls, in_clear, user, password, sender, name)


def _is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name
        return False
